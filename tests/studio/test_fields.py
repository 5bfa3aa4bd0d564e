"""Fields of the studio in a real browser: typing, refused values, undo."""

import random
import re

import pytest
from studio_samples import SPEC, choose_difficulty, written

from linkpress.book.spec import load_spec
from linkpress.files import write_file


def in_file(window, spec, text):
    """Wait until the file has a text, without leaving the field."""
    while text not in spec.read_text():
        window.wait_for_timeout(20)


CARET = "[document.activeElement.id, document.activeElement.selectionStart]"


def test_what_is_typed_in_a_field_or_the_bar_is_on_the_page_and_undone_in_one_step(window, spec):
    window.wait_for_selector(".paper svg")
    window.focus("#key-title")
    window.keyboard.press("Home")
    window.keyboard.type("My ")
    window.wait_for_selector("#paper-page-1 svg >> text=My Small book")
    window.keyboard.type("own ")
    in_file(window, spec, "title: My own Small book   # its name")
    assert window.evaluate(CARET) == ["key-title", 7]
    window.keyboard.press("End")
    window.keyboard.type("s ")  # a space at the end is not written, and stays while typing goes on
    in_file(window, spec, "title: My own Small books   # its name")
    window.expect(window.locator("#key-title")).to_have_value("My own Small books ")
    window.keyboard.press("Control+z")
    window.expect(window.locator("#key-title")).to_have_value("Small book")
    assert spec.read_text() == SPEC
    window.keyboard.press("Control+Shift+z")
    window.expect(window.locator("#key-title")).to_have_value("My own Small books")
    window.keyboard.press("Enter")
    window.focus("#key-subtitle")
    window.focus("#key-title")  # another focus, so another step
    window.keyboard.press("End")
    window.keyboard.type("helf")
    in_file(window, spec, "Small bookshelf")
    window.click("#undo")
    window.expect(window.locator("#key-title")).to_have_value("My own Small books")
    window.click("#undo")
    window.expect(window.locator("#title")).to_have_text("Small book")
    written(window)
    title = window.locator("#title")
    title.click()
    window.keyboard.press("Control+a")
    window.keyboard.type("Dropped")
    window.keyboard.press("Escape")
    window.expect(title).to_have_text("Small book")
    window.expect(window.locator("#rail [aria-current]")).to_be_focused()
    title.click()
    window.keyboard.press("End")
    window.keyboard.type("s")
    window.keyboard.press("Control+z")  # drops what is typed
    window.expect(title).to_have_text("Small book")
    window.keyboard.press("End")
    window.keyboard.type("let?")  # elsewhere, this key opens the list of keys
    window.keyboard.press("Enter")
    window.wait_for_selector("#paper-page-1 svg >> text=Small booklet?")
    assert spec.read_text() == SPEC.replace("Small book ", "Small booklet? ")
    title.fill("")
    window.keyboard.press("Enter")  # a book needs a title
    window.expect(title).to_have_text("Small booklet?")


def test_a_refused_value_is_named_in_the_state_and_typing_goes_on_also_when_the_file_changes(window, spec):
    state, field, error = (
        window.locator(f"#{name}") for name in ("state", "key-levels-1-size", "key-levels-1-size-error")
    )
    window.click("#part-levels-1")
    field.fill("x8")
    window.expect(error).not_to_be_empty()
    window.expect(state).to_contain_text("Board size of Hard is not saved")
    window.keyboard.press("Home")
    window.keyboard.type("?")
    window.expect(error).to_contain_text("?x8")
    assert window.evaluate(CARET) == ["key-levels-1-size", 1]
    window.keyboard.press("Enter")
    window.click("#part-cover")
    window.expect(state).to_contain_text("Board size of Hard is not saved")
    assert spec.read_text() == SPEC
    window.click("#show-reason")
    window.expect(field).to_be_focused()
    window.expect(field).to_have_value("?x8")
    field.fill("7x8")
    window.expect(state).to_contain_text("Saved in small.yaml")
    window.expect(error).to_be_empty()
    assert load_spec(spec).levels[1].size[0].rows > 6
    field.fill("")
    field.fill("x")
    window.expect(state).to_contain_text("is not saved")
    window.keyboard.press("Control+z")
    window.expect(field).to_have_value("7x8")
    window.expect(state).to_contain_text("Saved in small.yaml")
    field.fill("x8")
    window.expect(error).not_to_be_empty()
    field.evaluate("one => { one.value = '6x8'; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    write_file(spec, SPEC.replace("size: 6 ", "size: 9 "))
    window.wait_for_selector("text=Another window set this to 9 while you chose 6x8.")
    window.expect(field).to_have_value("6x8")


def change_by_slider(window):
    window.click("#part-levels-1")
    choose_difficulty(window, 1, "ArrowLeft", "ArrowLeft", "ArrowLeft")


def change_by_buttons(window):
    window.click("#part-levels-1")
    for count in ("3", "4", "5"):
        window.click("[aria-label='Puzzles: one more']")
        window.expect(window.locator("#key-levels-1-count")).to_have_value(count)


def change_colour(window):
    window.click("#part-cover")
    window.click("#all-settings > summary")
    window.click(
        "#key-cover-accent-more" if window.locator("#key-cover-accent-more").count() else "#key-cover-accent"
    )
    swatch = window.locator('[data-path=\'["cover", "accent"]\'] [type=color]')
    for ink in ("#112233", "#445566"):
        swatch.fill(ink)
        window.expect(window.locator("#key-cover-accent")).to_have_value(ink)


def test_changes_of_one_setting_are_one_step_and_clicks_count_while_the_first_is_written(window, spec):
    window.wait_for_selector(".paper svg")
    for change in (change_by_slider, change_by_buttons, change_colour):
        change(window)
        written(window)
        assert spec.read_text() != SPEC, change
        window.click("#undo")
        window.expect(window.locator("#undo")).to_be_disabled()
        assert spec.read_text() == SPEC, change
    held = []
    window.route("**/api/change", lambda route: held.append(route))
    window.click("#part-levels-1")
    plus, count = window.locator(".stepper button").last, window.locator("#key-levels-1-count")
    for shown in "345":
        plus.click()
        window.expect(count).to_have_value(shown)
    assert len(held) == 1
    window.unroute("**/api/change")  # lets the first one go on
    written(window)
    window.expect(count).to_have_value("5")
    assert load_spec(spec).levels[1].count == 5
    window.click("#undo")
    window.expect(count).to_have_value("2")
    assert spec.read_text() == SPEC


def test_escape_and_a_second_click_lead_one_level_out(window, spec):
    chosen = window.locator("#rail [aria-current]")
    window.click("#part-levels-1")
    window.click(".spot[aria-label='Puzzle 4']")
    window.expect(window.locator(".spot.chosen")).to_have_attribute("aria-label", "Puzzle 4")
    window.focus(".spot.chosen")
    window.keyboard.press("Escape")  # from the puzzle to the level
    window.expect(window.locator("#stage")).to_be_focused()
    window.expect(window.locator(".spot-bar")).to_have_count(0)
    window.expect(chosen).to_contain_text("Hard")
    window.focus("#key-levels-1-count")
    window.keyboard.press("Escape")  # from a field to its part
    window.expect(chosen).to_be_focused()
    window.expect(chosen).to_contain_text("Hard")
    window.keyboard.press("Escape")
    window.expect(chosen).to_contain_text("Whole book")
    window.expect(chosen).to_be_focused()
    window.wait_for_selector("#key-isbn")
    window.keyboard.press("?")
    window.keyboard.press("Escape")  # closes the list of keys only
    window.expect(window.locator("#keys")).to_be_hidden()
    window.click("#part-solutions")
    empty = window.locator("#stage .spot.whole[aria-label]:visible").last
    empty.scroll_into_view_if_needed()
    for told in ("Solutions", "Whole book"):
        empty.click(position={"x": 12, "y": 12})
        window.expect(chosen).to_contain_text(told)


def test_a_look_is_tried_by_arrow_keys_and_a_field_becomes_a_list_while_it_is_typed_in(window, spec):
    window.click("#part-looks")
    own, page = window.locator("#gallery-theme [aria-checked=true]"), window.locator("#form img.print")
    window.wait_for_function("() => document.querySelector('#form img.print').naturalWidth")
    before = page.get_attribute("src")
    own.focus()
    window.keyboard.press("ArrowRight")
    window.expect(page).to_have_attribute("src", re.compile("what=look.*name="))
    window.wait_for_function("() => document.querySelector('#form img.print').naturalWidth")
    window.keyboard.press("Escape")
    window.expect(page).to_have_attribute("src", before)
    window.expect(own).to_be_focused()
    assert spec.read_text() == SPEC
    window.focus("#tile-theme-bold")
    window.keyboard.press("Enter")
    window.expect(own).to_have_id("tile-theme-bold")
    written(window)
    assert load_spec(spec).theme == "bold"
    window.keyboard.press("Control+z")
    window.expect(own).to_have_id("tile-theme-classic")
    assert spec.read_text() == SPEC
    write_file(spec, SPEC.replace("6x9in", "7x9in"))
    window.click("#part-whole")
    window.expect(window.locator("input#key-page-trim")).to_have_value("7x9in")
    window.focus("#key-page-trim")
    window.keyboard.press("Control+a")
    window.keyboard.type("6x9in")
    window.expect(window.locator("select#key-page-trim")).to_have_value("6x9in")
    written(window)
    assert spec.read_text() == SPEC
    window.click("#undo")
    window.expect(window.locator("input#key-page-trim")).to_have_value("7x9in")


# Names of fields whose text is neither the file's value, nor being typed, nor marked as refused.
PARTED = """async () => {
    const { book, selection } = await import("./web/book.mjs"), { file } = book, { part } = selection;
    const answer = await fetch(`api/settings?${new URLSearchParams({ file, part })}`);
    const drawn = new DOMParser().parseFromString((await answer.json()).form, "text/html");
    const controls = ":is(input:not([type=color], [type=file]), select, textarea)[id]";
    return [...drawn.querySelectorAll(`.field[data-path] ${controls}`)].filter((one) => {
        const name = one.type === "checkbox" ? "checked" : "value", shown = document.getElementById(one.id);
        const field = shown?.closest(".field"), isTyped = field?.contains(document.activeElement);
        return !isTyped && !field?.querySelector("[aria-invalid]") && shown?.[name] !== one[name];
    }).map((one) => one.id);
}"""
TYPED = ("7", "5", "4-6", "x", "A", "12 mm", "no", "#336699", "8, 9")


def use(window, control, rng):
    """Change the value of a control of any kind, as a user by keys does."""
    kind = control.get_attribute("type") if control.evaluate("(one) => one.tagName") == "INPUT" else ""
    control.focus()
    if kind == "checkbox":
        control.press("Space")
    elif kind == "range":
        for _ in range(rng.randint(1, 3)):
            control.press(rng.choice(("ArrowLeft", "ArrowRight", "Shift+ArrowRight")))
    elif kind == "color":
        control.fill(rng.choice(("#112233", "#aa0000")))
    elif control.evaluate("(one) => one.tagName") == "SELECT":
        control.select_option(index=rng.randrange(control.locator("option").count()))
    else:
        control.press(rng.choice(("Control+a", "End", "Home")))
        window.keyboard.type(rng.choice(TYPED))
        if (pause := rng.choice(("", "Enter", "rest"))) == "Enter":  # in a list, Enter opens it
            control.press(pause)
        elif pause:
            window.wait_for_timeout(700)


@pytest.mark.parametrize("runs", [1, pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])])
def test_undo_at_random_moments_never_parts_the_fields_from_the_file(window, spec, runs):
    """A field of any kind has the file's value, unless somebody is typing in it or its value was refused."""
    window.wait_for_selector(".paper svg")
    controls = window.locator("#form .field[data-path] :is(input:not([type=file]), select, textarea):visible")
    undo, shown = window.locator("#undo"), ("opening", "whole", "levels-1", "cover", "looks")

    def check(seed):
        for _ in range(100):
            written(window)
            if not (parted := window.evaluate(PARTED)):
                return
            window.wait_for_timeout(50)
        raise AssertionError((seed, parted))

    for seed in range(runs):
        rng = random.Random(seed)
        window.click(f"#part-{shown[seed % len(shown) - 3]}")
        window.wait_for_function("() => document.querySelectorAll('#form .field').length")
        window.evaluate(
            "() => { for (const one of document.querySelectorAll('#form details')) one.open = true; }"
        )
        for _ in range(4):
            use(window, controls.nth(rng.randrange(controls.count())), rng)
            if key := rng.choice(("", "", "Tab", "Control+z", "Control+z", "Control+Shift+z")):
                window.keyboard.press(key)
            check(seed)
        for _ in range(100):
            written(window)
            if undo.is_disabled():
                break
            window.keyboard.press("Control+z")
        assert (seed, spec.read_text()) == (seed, SPEC)
        window.evaluate("document.activeElement.blur()")
        check(seed)
