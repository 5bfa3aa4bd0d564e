"""Building a book in the studio, the finished book, and the shelf, as a publisher uses them in a browser."""

import hashlib
import json
import re
import statistics
import zipfile
from fractions import Fraction
from pathlib import Path

import pypdfium2 as pdfium
from studio_samples import SPEC, enter, written

from benchmarks.studio import slowness
from linkpress.book.plan import plan_slots
from linkpress.book.spec import load_spec
from linkpress.files import write_file
from linkpress.production.book_puzzles import JOURNAL_FILE
from linkpress.production.journal import saved_records
from linkpress.studio.open_book import search_key


def test_a_level_whose_search_found_nothing_keeps_a_build_from_starting(window, spec, monkeypatch):
    window.wait_for_selector(".paper svg")

    async def find_nothing(session, name):
        book = await session.book(name)
        slot = plan_slots(book.spec)[-1]
        if not book.unmet:
            book.unmet[search_key(slot)] = "No board of this kind turned up."
            session.send_event("reload", file=name)

    monkeypatch.setattr("linkpress.studio.session.Session.make_missing", find_nothing)
    window.fill("#key-subtitle", "Quiet")
    window.press("#key-subtitle", "Tab")
    window.wait_for_selector("#state.bad >> text=Hard can’t be made")
    window.expect(window.locator("#build")).to_have_attribute("aria-disabled", "true")
    window.locator("#build").click(force=True)
    window.wait_for_selector("#part-levels-1[aria-current]")
    window.expect(window.locator("#form")).to_contain_text("No board of this kind turned up.")
    answer = window.evaluate(
        """async () => {
            const { send } = await import("./web/book.mjs");
            return send("build", { file: "small.yaml" }).catch(({ message }) => message);
        }"""
    )
    assert answer == "Level 2 can't be made. Open it in the list of parts, and choose a way on."
    write_file(spec, SPEC.replace("size: 6", "size: 7"))
    window.expect(window.locator("#build")).to_have_attribute("aria-disabled", "false")


def test_the_menu_of_a_book_covers_neither_its_cover_nor_its_words(window, tmp_path):
    square = SPEC.replace("6x9in", "8.5x8.5in").replace("Small book", "A long title of a book for everybody")
    (tmp_path / "small.yaml").write_text(square)
    card, menu = window.locator("[id='spec-small.yaml']"), window.locator("[id='more-small.yaml']")
    card.locator("> img").wait_for()

    def is_apart(words):
        box, other = words.bounding_box(), menu.bounding_box()
        left, below = box["x"] + box["width"] <= other["x"], other["y"] + other["height"] <= box["y"]
        return left or below

    for width in (1280, 390):
        window.set_viewport_size({"width": width, "height": 844})
        assert [is_apart(part) for part in card.locator("> *").all()] == [True] * 3
        menu.click()
        window.expect(window.locator("[id='menu-small.yaml'] button").last).to_be_visible()
        menu.click()


def test_a_book_is_edited_while_it_is_built_in_sight_of_all_views_and_the_next_build_goes_on(
    window, tmp_path, ready
):
    spec, folder = tmp_path / "small.yaml", tmp_path / "output" / "small-book"
    spec.write_text(SPEC.replace("count: 3", "count: 10"))
    window.click("text=Small book")
    window.wait_for_selector(".paper svg")
    window.dblclick("#build")  # the second click must not stop it
    progress, state = re.compile(r"Making puzzles: [1-9]\d* of 12"), window.locator("#state")
    title, icon = re.compile(r"^\d+ of 12 puzzles – Small book"), window.locator("#icon")
    window.expect(state).to_contain_text(progress)
    window.expect(window.locator("#spoken")).to_have_text(re.compile("^(0|25) %$"))
    window.expect(icon).to_have_attribute("href", re.compile("^data:image/svg"))
    window.expect(window.locator("#state img")).to_have_js_property("naturalWidth", 20)
    ways = ("#views >> text=Spread", "#part-cover", "text=Choose another design", "#file", "#part-opening")
    for way in ways:
        window.click(way)
        window.expect(state).to_be_visible()
        window.expect(state).to_contain_text(progress)
        window.expect(window).to_have_title(title)
    window.click("#close-pane")
    enter(window, "#key-subtitle", "Quiet hours")
    window.wait_for_selector(".paper >> text=Quiet hours")
    written(window)
    assert load_spec(spec).subtitle == "Quiet hours"
    window.expect(state).to_contain_text(progress)
    window.click("#home")
    on_shelf = window.locator("[id='spec-small.yaml'] .state")
    window.expect(on_shelf).to_have_text(progress)
    window.expect(state).to_have_text(re.compile(f"Small book – {progress.pattern}"))
    window.expect(on_shelf.locator("img")).to_have_js_property("naturalWidth", 20)
    window.expect(window).to_have_title(title)
    other = window.context.new_page()
    other.goto(window.url)
    other.click("[id='spec-small.yaml']")
    window.expect(other.locator("#state")).to_contain_text(progress)
    other.click("#state button")
    window.expect(other.locator("#build-panel")).to_contain_text(
        "Changes you make now go into the next build"
    )
    other.click("#build")
    window.expect(other.locator("#build-panel")).to_contain_text("Stopped. What is made is kept")
    window.expect(on_shelf).to_have_text("Not built yet")
    window.expect(state).to_have_text("")
    window.expect(icon).to_have_attribute("href", "data:,")
    window.expect(window).to_have_title("linkpress studio")
    kept = [line["board"] for line in saved_records(folder / JOURNAL_FILE)]
    ready.touch()
    other.click("#build")
    window.expect(on_shelf).to_have_text(re.compile("^Built today at"))
    assert kept
    boards = [puzzle["board"] for puzzle in json.loads((folder / "volume.json").read_text())["puzzles"]]
    assert [board for board in kept if board not in boards] == []
    with pdfium.PdfDocument(folder / "interior.pdf") as pdf:
        assert "Quiet hours" in pdf[0].get_textpage().get_text_range()


def test_a_finished_book_gets_the_focus_gives_its_files_and_figures_and_is_remembered(window, tmp_path):
    spec, folder = tmp_path / "small.yaml", tmp_path / "output" / "small-book"
    spec.write_text(
        SPEC.replace("6x9in", "6x9in, printer: kdp-paperback")
        + "notes_pages: 14\nepub: yes\nprice: {USD: 14.99, GBP: 4}\n"
    )
    window.click("text=Small book")
    window.wait_for_selector(".paper svg")
    window.click("#build")
    window.focus("#part-levels-1")  # the rail makes room for the finished book
    window.wait_for_selector("#finished h2 >> text=Your book is ready to print.")
    window.expect(window.locator("#ready")).to_be_focused()
    link = window.locator("#finished a[download$='interior.pdf']")
    window.evaluate(
        """() => addEventListener("dragstart", ({ target, dataTransfer }) => {
            window.dragged = [target.href, dataTransfer.getData("text/uri-list")];
        })"""
    )
    link.hover()
    window.mouse.down()
    window.mouse.move(300, 300, steps=5)
    window.mouse.up()
    address, dragged = window.evaluate("window.dragged")
    assert address == dragged
    made = (folder / "interior.pdf").read_bytes()
    assert window.request.get(dragged).body() == made
    window.click("text=Turn the pages")
    window.expect(window.locator("#finished")).to_be_hidden()
    window.click("#state:has-text('Nothing has changed since') button")
    window.click("#finished summary >> text=more files")
    saved = {}
    for link in window.locator("#finished .files a[download]").all():
        with window.expect_download() as download:
            link.click()
        path = folder / download.value.suggested_filename.removeprefix("small-book-")
        saved[path.name] = _sum(Path(download.value.path()).read_bytes()), _sum(path.read_bytes())
    assert saved.keys() == {path.name for path in folder.iterdir() if path.suffix != ".html"} - {"listing"}
    looks = window.locator("#finished .files a:not([download])").evaluate_all("all => all.map((a) => a.href)")
    shown = [window.request.get(address).body() for address in looks]
    assert [_sum(content) for content in shown] == [told for told, _ in saved.values()]
    with window.expect_download() as download:
        window.click("text=Save everything as one ZIP")
    with zipfile.ZipFile(download.value.path()) as archive:
        saved |= {f"zip/{name}": (_sum(archive.read(name)), saved[name][1]) for name in archive.namelist()}
    assert [name for name, (told, there) in saved.items() if told != there] == []
    assert len(saved) == 2 * len(shown)
    window.click("#finished summary >> text=More countries")
    report = (folder / "report.txt").read_text()
    rows = window.locator("#finished tbody tr").all()
    assert len(rows) == report.count(": print ")
    for row in rows:
        line = re.search(rf"{row.locator('input').get_attribute('id')[6:]}: (print .*)", report)[1]
        price, cells = row.locator("input"), row.locator("td").all_inner_texts()
        assert line.startswith(f"print {_amount(cells[0])} ")
        assert f", least price {_amount(price.get_attribute('placeholder'))} " in line
        if price.input_value():
            assert f"; at {float(_amount(price.input_value())):.2f} " in line
            assert f" {cells[2]}, {_amount(cells[3])} " in line
    price = "[id='price-amazon.com']"
    held = []
    window.route("**/api/change", lambda route: held.append(route))
    late = []
    window.route("**/api/finished?*value=99&*", lambda route: late.append(route))
    with window.expect_request("**/api/finished?*value=99&*"):
        window.fill(price, "99")
    window.fill(price, "9.99")  # shows what is earned before it is written
    earned = window.locator(f"tr:has({price}) strong")
    window.expect(earned).to_have_text("$3.69")
    with window.expect_response("**/api/finished?*value=99&*"):
        late[0].continue_()
    window.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    window.expect(earned).to_have_text("$3.69", timeout=1)
    window.unroute("**/api/change")  # lets a held request go on
    window.press(price, "Tab")
    written(window)
    assert load_spec(spec).price == {"USD": Fraction("9.99"), "GBP": 4}
    window.expect(window.locator("#state")).to_contain_text("Nothing has changed since")
    window.click("text=All other answers")
    window.wait_for_selector("#dialog >> text=Reading direction")
    window.keyboard.press("Escape")
    missing = window.locator("#build-panel .missing p:has-text('No answer about AI')")
    window.expect(missing).not_to_contain_text("listing.")
    missing.locator("button").click()
    window.wait_for_function("() => document.activeElement.id === 'key-listing-ai'")
    window.click("#part-opening")
    enter(window, "#key-title", "Another title")
    written(window)
    window.click("#home")
    window.expect(window.locator("[id='spec-small.yaml'] .state")).to_have_text("Changed since it was built")


def _sum(content):
    return hashlib.sha256(content).hexdigest()


def _amount(words):
    """Return the figure of an amount such as ``$2.30``."""
    return re.sub(r"[^\d.−-]", "", words).replace("−", "-")


def test_a_second_window_follows_each_change_on_the_shelf_within_a_second(window, tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC + "series: {name: Quiet lines}\nvolume: 1\n")
    second, took_s, slow = window.context.new_page(), [], []
    second.goto(window.url)
    window.evaluate("addEventListener('click', () => { window.clicked = Date.now(); }, true)")

    def change(way, shown, *, comes=True):
        for each in (window, second):
            each.evaluate(
                """([id, comes]) => {
                    window.followed = new Promise((done) => {
                        const shelf = document.getElementById("shelf");
                        const own = new MutationObserver(() => {
                            if (Boolean(document.getElementById(`spec-${id}`)) !== comes) return;
                            own.disconnect();
                            done(Date.now());
                        });
                        own.observe(shelf, { childList: true, subtree: true });
                    });
                }""",
                [shown, comes],
            )
        slow.append(slowness())
        if isinstance(way, tuple):
            window.click(f"[id='more-{way[0]}']")
            way = f"[id='menu-{way[0]}'] >> text={way[1]}"
        window.click(way)
        for each in (window, second):
            each.wait_for_selector(f"[id='spec-{shown}']", state="attached" if comes else "detached")
        took_s.append((second.evaluate("followed") - window.evaluate("clicked")) / 1000)
        slow.append(slowness())

    second.wait_for_selector("text=Small book")
    change(("small.yaml", "Next volume"), "small-2.yaml")
    assert load_spec(tmp_path / "small-2.yaml").volume == 2
    change(("small-2.yaml", "Duplicate"), "small-3.yaml")
    window.click("[id='more-small-3.yaml']")
    window.click("[id='menu-small-3.yaml'] >> text=Rename the file")
    window.fill("#new-name", "big")
    change("dialog >> button:text-is('Rename')", "big.yaml")
    change(("big.yaml", "Move to the trash"), "big.yaml", comes=False)
    change("#toast >> text=Undo", "big.yaml")
    assert statistics.median(took_s) <= max(1, statistics.mean(slow)), (took_s, slow)
