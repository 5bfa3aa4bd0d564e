"""The studio for users of keys, of screen readers, of a phone, and of a window at 200 %."""

import os
from pathlib import Path

import pytest
from studio_samples import FEED, SPEC, enter, keep_picture, making_puzzles, written

from linkpress.book.spec import load_spec
from linkpress.documents.yaml_source import parse_yaml
from linkpress.files import write_file

AXE = Path("build/node/node_modules/axe-core/axe.min.js")

# Return what axe finds, controls that overlap or leave the window, and controls that are less high or wide.
FINDINGS = r"""async ([axeRules, least]) => {
    const name = (one) => one.outerHTML.replace(/\s+/g, " ").slice(0, 150), found = [];
    const asked = { resultTypes: ["violations"], preload: false, ...axeRules };
    const { violations } = axeRules ? await axe.run(asked) : { violations: [] };
    for (const { id, nodes: [{ html, failureSummary }] } of violations)
        found.push(`${id}: ${html.slice(0, 150)} ${failureSummary}`);
    const zones = document.querySelectorAll("html, #shelf, #rail, #panel, dialog[open], #editions");
    for (const { scrollWidth, clientWidth, id } of zones)
        if (scrollWidth > clientWidth) found.push(`${id} is ${scrollWidth - clientWidth} px too wide`);
    const desk = document.querySelector("#desk"), more = document.querySelector("#more-settings");
    if (more.checkVisibility() && desk.dataset.pane !== "settings") found.push("More settings of nothing");
    const seen = (one) => {
        let { left, top, right, bottom } = one.getBoundingClientRect();
        for (let above = one.parentElement; above; above = above.parentElement) {
            if (getComputedStyle(above).overflow === "visible") continue;
            const box = above.getBoundingClientRect();
            [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
            [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
        }
        // Fields are scrolled under the foot of the form.
        const foot = document.querySelector("#all-settings:not([open])");
        if (foot && one.closest("#form > :not(#all-settings)")) {
            bottom = Math.min(bottom, foot.getBoundingClientRect().top);
        }
        return { one, left, top, right, bottom };
    };
    const top = document.querySelector("dialog[open], [popover='']:popover-open") ?? document;
    const controls = [...top.querySelectorAll("a, button, input, select, textarea, summary")]
        .filter((one) => one.checkVisibility() && !one.matches(".spot, .end, .skip, [type=file]")).map(seen)
        .filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1);
    controls.forEach(({ one, left, top, right, bottom }, index) => {
        if (left < -1 || right > innerWidth + 1) found.push(`leaves the window: ${name(one)}`);
        if (Math.min(one.offsetWidth, one.offsetHeight) < least && !one.matches(".mini, [type=checkbox]"))
            found.push(`small: ${name(one)}`);
        for (const { one: two, ...box } of controls.slice(index + 1)) {
            const across = Math.min(right, box.right) - Math.max(left, box.left);
            const down = Math.min(bottom, box.bottom) - Math.max(top, box.top);
            const isMeant = one.contains(two) || (one.matches(".book") && two.matches(".more"));
            if (across > 1 && down > 1 && !isMeant) found.push(`overlap: ${name(one)} and ${name(two)}`);
        }
    });
    return found;
}"""

# Sizes and colours in which each state is looked at, and axe's options; None for a look without axe.
# A window of 1280 × 800 at 200 % has 640 × 400 and the elements of a phone. A wide window has the elements of
# the first window, so only their other colours are judged.
LOOKS = [(1280, 800, "light", {}), (390, 844, "dark", {}), (640, 400, "light", None)]
WIDE = [(1920, 1080, "dark", {"runOnly": ["color-contrast"]})]


@pytest.fixture
def look(window):
    """Look at a state of the window in several sizes and colours, and return what is wrong there."""
    if not AXE.is_file():
        pytest.skip("axe-core is not there: npm install --prefix build/node axe-core")
    from playwright.sync_api import Error

    script = AXE.read_text(encoding="utf-8")

    def look_at(name, *, is_wide=False, is_sheet=False):
        found = []
        for width, height, scheme, rules in LOOKS + WIDE * is_wide:
            window.emulate_media(color_scheme=scheme)
            window.set_viewport_size({"width": width, "height": height})
            if is_sheet and width < 900:
                window.click("#change")
            # A preview in a frame may be loaded again while it is looked at, because puzzles were made.
            for attempt in range(3):
                try:
                    for frame in window.frames if rules is not None else ():
                        if not frame.evaluate("() => Boolean(window.axe)"):
                            frame.evaluate(script)
                    findings = window.evaluate(FINDINGS, [rules, 44 if width < 900 else 0])
                    break
                except Error:
                    if attempt == 2:
                        raise
            found.extend(f"{name}, {width}: {each}" for each in findings)
            keep_picture(window, f"{name}-{width}")
            if is_sheet and width < 900:
                window.click("#done")
        window.set_viewport_size({"width": 1280, "height": 800})
        return found

    return look_at


def test_everyone_can_use_the_shelf_and_each_part_of_a_book(window, tmp_path, look):
    window.wait_for_selector(".shelf img")
    assert look("empty") == []
    (tmp_path / "small.yaml").write_text(
        SPEC + "front: [{title: For Lina, text: Love.}]\neditions: {es: {language: es}}\n"
    )
    (tmp_path / "daily.yaml").write_text(FEED)
    for file in ("small.yaml", "daily.yaml"):
        window.wait_for_selector(f"[id='spec-{file}'] > img")
    assert look("shelf", is_wide=True) == []
    window.click("[id='more-small.yaml']")
    assert look("menu") == []
    window.keyboard.press("Escape")
    window.click(".guide .chief")
    assert look("questions") == []
    window.click("text=Cancel")
    window.click("text=Small book")
    window.wait_for_selector(".paper svg")
    for part in ("whole", "levels-0", "front-0", "editions", "cover"):
        window.click(f"#part-{part}")
        window.wait_for_selector("#form [data-path]", state="attached")
        assert look(part, is_wide=part == "levels-0", is_sheet=True) == []
    window.click("#part-levels-0")
    window.set_viewport_size({"width": 640, "height": 400})
    window.wait_for_selector("#paper-page-7 svg")
    assert window.locator("#paper-page-7").bounding_box()["height"] >= 0.4 * 400
    window.set_viewport_size({"width": 1280, "height": 800})
    window.click("#part-cover")
    window.click("#views >> text=Designs")
    window.wait_for_selector("#gallery-design")
    assert look("designs", is_wide=True) == []
    window.click("#part-looks")
    window.wait_for_selector("#gallery-theme")
    assert look("looks") == []
    window.click("#views >> text=All pages")
    assert look("all") == []
    window.click("#edition")
    window.wait_for_selector("#editions:popover-open")
    assert look("chooser") == []


@making_puzzles
def test_everyone_can_use_what_is_opened_over_a_page_and_its_other_media(window, tmp_path, look):
    (tmp_path / "small.yaml").write_text(SPEC + "epub: {}\nplay: {}\nscreen: {}\n")
    window.click("text=Small book")
    window.expect(window.locator("#state")).to_have_text("Saved in small.yaml")
    window.locator("#paper-page-1 .spot[data-key='[\"title\"]']").last.dblclick()
    window.wait_for_selector(".in-place")
    assert look("in-place") == []
    window.press(".in-place", "Escape")
    window.keyboard.press("Control+k")
    window.fill("#find", "paper")
    assert look("finder") == []
    window.keyboard.press("Escape")
    window.keyboard.press("?")
    assert look("keys") == []
    window.keyboard.press("Escape")
    window.click("#part-levels-0")
    window.click(".spot[aria-label='Puzzle 1']")
    window.wait_for_selector(".spot-bar")
    assert look("puzzle") == []
    window.click(".spot-bar >> text=Answer")
    window.click("dialog >> text=Solve it step by step")
    for drawn in ("answer", "steps"):
        window.wait_for_selector(f"#drawn-{drawn} svg")
    assert look("answer") == []
    window.keyboard.press("Escape")
    window.click("#part-cover")
    window.wait_for_selector(".paper.cover svg")
    drag = """([place, kind]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["x"], "art.png", { type: "image/png" }));
        const facts = { dataTransfer, bubbles: true, cancelable: true };
        document.querySelector(place).dispatchEvent(new DragEvent(kind, facts));
    }"""
    window.evaluate(drag, [".drop", "dragover"])
    assert look("drop") == []
    window.evaluate(drag, ["#panel", "drop"])
    window.wait_for_selector("dialog >> text=What is art.png for?")
    assert look("dropped") == []
    window.keyboard.press("Escape")
    for medium, shown in (
        ("screen", ".paper.screen svg"),
        ("epub", "iframe[src*='what=epub']"),
        ("play", "iframe[src*='what=play']"),
    ):
        window.select_option("#medium", medium)
        window.wait_for_selector(shown)
        if shown.startswith("iframe"):
            window.frame_locator(shown).get_by_text("Small book").first.wait_for()
        assert look(medium) == []


def test_everyone_can_use_a_window_that_tells_of_problems(window, spec, look):
    window.click("#part-levels-1")
    window.fill("#key-levels-1-count", "4")
    write_file(spec, SPEC.replace("count: 2", "count: 9"))
    window.press("#key-levels-1-count", "Tab")
    window.wait_for_selector("text=Another window set this to 9 while you chose 4.")
    assert look("clash", is_sheet=True) == []
    window.click("text=Keep 4")
    written(window)
    enter(window, "#key-levels-1-count", "none")
    window.wait_for_selector("#key-levels-1-count-error:not(:empty)")
    assert look("refused", is_sheet=True) == []
    write_file(spec, SPEC.replace("size: 5,", "size: 5, difficulty: extreme,"))
    window.click("#state.level button")
    window.wait_for_selector(".ways button")
    assert look("impossible", is_wide=True) == []
    write_file(spec, SPEC.replace("count: 2", "count: none").replace("seed: 7", "seed: {}"))
    window.wait_for_selector("#state >> text=2 problems")
    window.click("#show-reason")
    window.wait_for_selector("#panel .problems button")
    assert look("problems") == []
    write_file(spec, SPEC)
    window.wait_for_selector("#state.good")
    window.click("#file")
    assert look("file", is_wide=True) == []
    held = []
    window.route("**/api/text", lambda route: held.append(route), times=1)
    window.fill("textarea.yaml", SPEC.replace("seed: 7", "seed: 9"))
    while not held:
        window.wait_for_timeout(20)
    write_file(spec, SPEC.replace("seed: 7", "seed: 8"))
    held[0].continue_()
    window.wait_for_selector("#mending pre >> text=seed: 8")
    assert look("lines") == []
    window.click("text=Take the other")
    window.expect(window.locator("#mending")).to_be_empty()
    write_file(spec, SPEC.replace("    size: 6", "   size: 6"))
    window.wait_for_selector("#mending .chief >> text=Put line")
    assert look("broken", is_wide=True) == []
    window.evaluate("new BroadcastChannel('events').postMessage({ isLost: true })")
    window.wait_for_selector("body.lost")
    assert look("ended") == []


def test_everyone_can_use_a_build_and_a_finished_book(window, spec, look, ready):
    window.wait_for_selector(".paper svg")
    window.click("#build")
    window.wait_for_selector("#build-panel .stages")
    assert look("building", is_wide=True) == []
    ready.write_text("The disk is full.")
    window.wait_for_selector("#build-panel >> text=The disk is full.")
    assert look("failed") == []
    ready.write_text("")
    window.click("#build")
    window.wait_for_selector("#finished h2")
    assert look("finished", is_wide=True) == []


def test_everyone_can_use_the_days_of_a_feed(window, tmp_path, look):
    (tmp_path / "daily.yaml").write_text(FEED)
    window.clock.set_fixed_time("2026-12-01T12:00:00")
    window.reload()
    window.click("text=Daily")
    window.wait_for_selector("#day-2026-12-29 .board[src]")
    assert look("calendar", is_wide=True) == []
    window.click("#day-2026-12-08")
    window.wait_for_selector("img.print")
    assert look("day") == []
    window.click("#build")
    window.wait_for_selector("#day-2026-12-29 >> text=Made")
    window.click("#day-2026-12-08")
    window.wait_for_selector("#day-panel a[download]")
    assert look("made-day") == []
    window.click("text=More settings")
    window.click("#feed-parts >> text=Week")
    assert look("week") == []


def test_books_are_copied_discarded_and_put_back_by_keys(window, tmp_path):
    press = window.keyboard.press
    for name in ("small", "other"):
        (tmp_path / f"{name}.yaml").write_text(SPEC)
    window.wait_for_selector("[id='spec-other.yaml']")
    menu, more = window.locator("[id='menu-small.yaml']"), window.locator("[id='more-small.yaml']")
    first, second, third = (menu.locator("button").nth(at) for at in range(3))
    more.press("Enter")
    window.expect(first).to_be_focused()
    press("Escape")
    window.expect(more).to_be_focused()
    press("Enter")
    press("Shift+Tab")  # leaves the menu, which closes
    window.expect(menu).to_be_hidden()
    more.press("Enter")
    press("ArrowDown")
    window.expect(second).to_contain_text("Rename the file")
    press("ArrowDown")
    window.expect(third).to_have_text("Duplicate")
    third.press("Enter")
    window.wait_for_selector("[id='spec-small-2.yaml']:focus")
    for _ in range(3):
        window.keyboard.down("Delete")  # the key is held
        window.wait_for_selector("[id='spec-small-2.yaml']", state="detached")
    window.expect(window.locator(".book[id]:focus")).to_have_count(1)
    assert sorted(path.stem for path in tmp_path.glob("*.yaml")) == ["other", "small"]
    press("Control+z")
    window.wait_for_selector("[id='spec-small-2.yaml']:focus")


def test_keys_lead_into_a_gallery_and_out_of_the_pages_in_view(window, spec):
    press = window.keyboard.press
    window.wait_for_selector(".paper svg")
    window.focus("#part-cover")
    press("Enter")
    window.focus("text=Choose another design")
    press("Enter")
    window.wait_for_selector("#tile-design-plain:focus")
    press("ArrowDown")
    below = "(tile) => tile.offsetLeft === document.activeElement.offsetLeft"
    assert window.locator("#tile-design-plain").evaluate(below)
    window.expect(window.locator("#tile-design-plain")).not_to_be_focused()
    press("ArrowUp")
    press("ArrowRight")
    press("Escape")
    window.wait_for_selector("#tile-design-plain:focus")
    press("Escape")
    window.expect(window.locator("text=Choose another design")).to_be_focused()
    window.focus("#part-levels-0")
    press("Enter")
    window.wait_for_selector("#paper-page-8 .spot", state="attached")
    window.focus("#stage")
    while window.evaluate("Boolean(document.activeElement.closest('#stage'))"):
        press("Tab")
        place = window.evaluate("document.activeElement.closest('.paper')?.id")
        assert place in ("paper-page-6", "paper-page-7", None)
    window.expect(window.locator("#turn button").first).to_be_focused()


def test_a_book_is_changed_built_and_saved_by_keyboard_alone(window, tmp_path, ready):
    keys = window.keyboard
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC)

    def reach(selector, key="Tab"):
        window.wait_for_selector(f"{selector}")
        for _ in range(200):
            if window.evaluate("wanted => document.activeElement?.matches(wanted)", selector):
                return
            keys.press(key)
        raise AssertionError(f"{selector} can't be reached")

    reach("[id='spec-small.yaml']")
    keys.press("Enter")
    window.wait_for_selector(".paper svg")
    reach(".skip")
    keys.press("Enter")
    window.expect(window.locator("#panel")).to_be_focused()
    reach("#rail [tabindex='0']", "Shift+Tab")
    reach("#part-levels-0", "ArrowDown")
    keys.press("Enter")
    reach("#key-levels-0-size")
    keys.press("Control+A")
    keys.type("7")
    reach("#graph-levels-0-1")
    written(window)
    for _ in range(3):
        keys.press("ArrowLeft")
        written(window)
    for key in ("Control+z", "Control+Shift+z"):
        keys.press(key)
        window.wait_for_selector("#redo:enabled" if key == "Control+z" else "#redo:disabled")
        window.wait_for_selector("#graph-levels-0-1:focus")
    assert load_spec(spec).levels[0].size[0].rows == 7
    assert parse_yaml(spec.read_text(), "").value["levels"][0]["difficulty"] == "easy-medium"
    keys.press("Shift+F6")
    keys.press("Shift+F6")
    reach("#part-cover", "ArrowUp")
    keys.press("Enter")
    reach("[value=designs]")
    keys.press("Enter")
    reach("#gallery-design [aria-checked=true]")
    reach("#tile-design-river", "ArrowRight")
    keys.press("Enter")
    written(window)
    assert load_spec(spec).cover.design == "river"
    keys.press("Control+B")
    window.wait_for_selector("#build >> text=Stop building")
    keys.press("Escape")
    window.expect(window.locator("#desk")).to_have_attribute("data-pane", "settings")
    keys.press("Control+B")  # shows the build, and doesn't stop it
    window.expect(window.locator("#panel")).to_be_focused()
    window.expect(window.locator("#desk")).to_have_attribute("data-pane", "build")
    window.expect(window.locator("#build")).to_have_text("Stop building")
    reach("#build")
    keys.press("Enter")
    window.wait_for_selector("text=Stopped. What is made is kept")
    ready.touch()
    reach("#build-panel button.chief")
    keys.press("Enter")
    window.wait_for_selector("#finished h2")
    reach("#finished a[download$='interior.pdf']")
    with window.expect_download() as saved:
        keys.press("Enter")
    made = tmp_path / "output" / "small-book" / "interior.pdf"
    assert Path(saved.value.path()).read_bytes() == made.read_bytes()
    keys.press("Escape")
    window.expect(window.locator("#finished")).to_have_count(0)
    assert window.evaluate("document.activeElement !== document.body")


KEYS_SPEC = """\
title: Small book
seed: 7
levels:
  - {name: Easy, size: 5, paths: 4, count: 12}
  - {name: Hard, size: 6, count: 12}
  - {name: Last, size: 6, count: 3}
"""


def focused(window, selector):
    """Wait until an element has the focus."""
    window.expect(window.locator(selector)).to_be_focused()


def test_the_focus_follows_a_user_of_keys_into_a_book_to_what_is_found_undone_and_closed_and_out(
    window, tmp_path
):
    press, spec = window.keyboard.press, tmp_path / "small.yaml"
    spec.write_text(KEYS_SPEC)
    window.focus("[id='spec-small.yaml']")
    press("Enter")
    focused(window, "#part-opening")
    window.wait_for_selector("#paper-page-1 svg")

    def find(words):
        press("Control+k")
        window.fill("#find", words)
        press("Enter")

    find("hard")
    focused(window, "#part-levels-1")
    find("14")  # on another spread
    focused(window, "#stage .spot.chosen[aria-label='Puzzle 14']")
    window.click("#views >> text=Designs")
    find("Puzzle 3")
    focused(window, "#stage[data-view=page] .spot.chosen[aria-label='Puzzle 3']")
    press("Tab")
    press("Tab")
    press("Enter")  # Swap
    window.wait_for_selector("text=Back to the first")
    window.focus("#part-opening")
    press("Enter")
    window.locator("#paper-page-1 .spot[data-text]").first.focus()
    press("End")
    focused(window, "#stage")  # not on a text that is out of view
    press("Home")
    window.focus("#part-levels-2")
    press("Delete")
    window.wait_for_selector("#toast:popover-open >> text=It is removed")
    focused(window, "#part-levels-1")
    press("Control+z")
    focused(window, "#part-levels-2[aria-current]")
    window.expect(window.locator("#toast")).to_be_hidden()
    press("Control+e")
    focused(window, ".yaml")
    press("Escape")
    focused(window, "#part-levels-2")
    window.expect(window.locator("#desk")).to_have_attribute("data-pane", "settings")
    window.set_viewport_size({"width": 640, "height": 400})
    focused(window, "#stage")  # the list of parts is hidden
    window.focus("#change")
    press("Enter")
    press("Escape")
    focused(window, "#change")
    window.focus("#home")
    press("Enter")
    focused(window, "[id='spec-small.yaml']")


def test_the_usual_values_of_a_level_are_one_tab_stop_each(window, spec):
    press = window.keyboard.press
    window.click("#part-levels-0")
    window.wait_for_selector("#graph-levels-0-0")
    window.focus("#panel")
    stops = 0
    while not window.evaluate("document.activeElement.matches('#graph-levels-0-0')"):
        press("Tab")
        stops += 1
        assert stops <= 9
    window.focus("#panel [aria-label='On a page: 1']")
    press("ArrowRight")
    focused(window, "#panel [aria-label='On a page: 2']")
    press("Enter")
    window.wait_for_selector("[aria-label='On a page: 2'][aria-pressed=true]")
    written(window)
    assert load_spec(spec).levels[0].per_page == 2
    window.hover(".field:has(#key-levels-0-per_page)")
    window.click(".field:has(#key-levels-0-per_page) .reset")
    focused(window, "#key-levels-0-per_page")
    written(window)
    assert "per_page" not in spec.read_text()


def test_the_shelf_is_used_by_keys(window, tmp_path):
    press = window.keyboard.press
    for age, name in enumerate(("a", "b")):
        (tmp_path / f"{name}.yaml").write_text(SPEC.replace("Small", name))
        os.utime(tmp_path / f"{name}.yaml", (10**9 - age, 10**9 - age))  # the last changed book is the first
    window.wait_for_selector("[id='spec-b.yaml']")
    press("Control+k")
    focused(window, "#search")
    press("?")
    press("Backspace")
    press("F6")
    focused(window, "[id='spec-a.yaml']")
    press("?")
    keys = window.locator("#keys")
    window.expect(keys).to_contain_text("find a book")
    window.expect(keys.get_by_text("the next problem")).to_be_hidden()
    press("Escape")
    press("ArrowRight")
    focused(window, "[id='spec-b.yaml']")
    press("ArrowLeft")
    press("ArrowDown")
    focused(window, ".guide button")
    press("ArrowUp")
    press("ArrowLeft")
    press("F2")
    window.fill("#new-name", "c")
    press("Enter")
    focused(window, "[id='spec-c.yaml']")
    press("Control+z")
    focused(window, "[id='spec-a.yaml']")
    press("Delete")
    focused(window, "[id='spec-b.yaml']")
    press("F6")
    focused(window, "#toast button")
    press("Enter")
    focused(window, "[id='spec-a.yaml']")
    assert sorted(path.name for path in tmp_path.glob("*.yaml")) == ["a.yaml", "b.yaml"]


def test_the_calendar_shows_the_local_date_and_is_used_by_keys(window, tmp_path):
    press = window.keyboard.press
    (tmp_path / "daily.yaml").write_text(FEED)
    zone = {"timezoneId": "Pacific/Kiritimati"}
    window.context.new_cdp_session(window).send("Emulation.setTimezoneOverride", zone)
    window.clock.set_fixed_time("2027-05-11T22:00:00Z")  # a Wednesday in Kiritimati
    window.click("text=Daily")
    today = window.locator("#day-2027-05-12")
    window.expect(today).to_have_attribute("aria-current", "date")
    window.expect(window.locator("#month")).to_contain_text("May 2027")
    window.expect(today).to_have_attribute("tabindex", "0")
    window.expect(window.locator(".day [tabindex='0']")).to_have_count(1)
    window.expect(window.locator(".weekdays [tabindex='0']")).to_have_count(1)
    today.focus()
    press("End")
    focused(window, "#day-2027-05-31")
    press("Home")
    focused(window, "#day-2027-05-01")
    press("PageDown")
    focused(window, "#day-2027-06-01")
    press("Enter")
    window.click("#panel >> text=No puzzle that day")
    window.wait_for_selector(".day.none #day-2027-06-01")
    press("Control+z")
    window.wait_for_selector(".day.planned #day-2027-06-01")
    window.expect(window.locator("#desk")).to_have_attribute("data-pane", "day")


def test_f8_leads_to_the_message_about_a_misspelled_setting(window, spec):
    press = window.keyboard.press
    window.wait_for_selector(".paper svg")
    spec.write_text(SPEC.replace("size: 6 ", "dificulty: mediun\n    size: 6 "))
    window.wait_for_selector("#part-levels-1.bad")
    press("F8")
    told = "Line 10: there is no setting called “dificulty” here; did you mean difficulty?"
    window.expect(window.locator("#panel .mending")).to_contain_text(told)
    focused(window, ".mending button >> text=Put line 10 right")
    press("Enter")
    window.expect(window.locator("#panel .mending")).to_have_count(0)
    assert "    difficulty: mediun\n" in spec.read_text()
    window.expect(window.locator("#form :focus")).to_have_count(1)  # not lost with the button
    window.expect(window.locator("#key-levels-1-difficulty-error")).to_contain_text("mediun")
    press("F8")
    window.expect(window.locator(":focus")).to_have_value("mediun")
