"""The studio's acceptance tests: what somebody can rely on in each part of the window."""

import json
import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from studio_samples import SPEC, drag, enter, making_puzzles, written

from linkpress.book.spec import load_spec
from linkpress.files import write_file
from linkpress.press.composed_cover import compose_cover
from linkpress.press.cover_content import cover_content
from linkpress.resources import resource
from linkpress.studio.open_book import OpenBook

GARDEN = """\
title: Secret Garden
seed: 7
page: {trim: 6x9in}
parts: {tutorial: yes}
front: [{title: For Lina, text: With love.}, {title: Hints, text: Look twice.}]
levels:
  # Short ones to begin with.
  - {name: Warm-up, size: 5, paths: 4, count: 20, per_page: 2}
  - {name: Gentle, size: 6, paths: 5, count: 4, per_page: 4}
  # Before lunch.
  - name: Tricky
    size: 6     # squares
    paths: 5
    count: 12
    per_page: 2
"""


def open_book(window, folder, text, title):
    """Write a book, open it in the window, and return its file."""
    spec = folder / "small.yaml"
    spec.write_text(text)
    window.click(f"text={title}")
    window.wait_for_selector(".paper svg")
    return spec


@pytest.mark.parametrize("width", [1280, 390])
def test_a_puzzle_a_part_the_file_and_a_setting_select_each_other(window, tmp_path, width):
    window.set_viewport_size({"width": width, "height": 844})
    is_phone = width == 390
    open_book(window, tmp_path, GARDEN, "Secret Garden")
    window.click("#strip [data-number='28']")
    window.click("#stage .spot[aria-label='Puzzle 35']")
    window.expect(window.locator("#paper-page-28 .spot.chosen[aria-label='Puzzle 35']")).to_be_in_viewport()
    if is_phone:
        window.expect(window.locator("#glance h2")).to_have_text("Tricky")
        window.click("#sheets >> text=File")
    else:
        window.expect(window.locator("#part-levels-2")).to_have_attribute("aria-current", "true")
        window.expect(window.locator("#pane-name")).to_have_text("Tricky")
        window.click("#file")
    window.expect(window.locator("#lines > .own")).to_have_text(GARDEN.splitlines()[10:])
    window.click("#sheets >> text=Page" if is_phone else "#file")
    window.click("#glance .rings >> text=Warm-up" if is_phone else "#part-levels-0")
    if is_phone:
        window.click("#change")
    window.locator("#paper-page-25").scroll_into_view_if_needed()
    window.expect(window.locator("#paper-page-9")).not_to_be_in_viewport()
    window.focus(".field:has(#key-levels-0-per_page) [aria-pressed=true]")
    window.expect(window.locator("#paper-page-9")).to_be_in_viewport(ratio=0.5)


def examples():
    """The example books: the files that name the schema of a book."""
    for path in [*sorted(Path("config/books").rglob("*.yaml")), *sorted(Path("config").glob("*.yaml"))]:
        if "spec.schema.json" in path.read_text(encoding="utf-8").partition("\n")[0]:
            yield path


@cache
def areas_of_examples():
    """Find one area for each key and kind of page in the example books.

    Returns:
        Maps each key, with ``*`` for the index of an entry, and the kind of the page to the file of a book,
        the number of the page, the index of the area among those of the page, and its key.
    """
    found = {}
    for path in examples():
        view = OpenBook(path, Path("nowhere")).view()
        pages = [("page", number, page.regions) for number, page in enumerate(view.plan.pages, 1)]
        if view.spec.screen:
            pages += [("screen", number, page.regions) for number, page in enumerate(view.screen_pages, 1)]
        if view.spec.cover:
            content = cover_content(
                view.volume, view.assets, len(view.plan.pages), view.assets.cover_pictures
            )
            pages.append(("cover", 0, compose_cover(content).regions))
        for what, number, regions in pages:
            for index, region in enumerate(regions):
                kind = tuple("*" if isinstance(step, int) else step for step in region.key)
                found.setdefault((kind, what), (path, number, index, region.key))
    return found


def in_schema(schema, key, definitions):
    """Whether a key, with ``*`` for the index of an entry, is a property of a JSON schema."""
    if "$ref" in schema:
        return in_schema(definitions[schema["$ref"].rpartition("/")[2]], key, definitions)
    if any(in_schema(one, key, definitions) for one in schema.get("anyOf", ())):
        return True
    if not key:
        return "anyOf" not in schema
    inner = schema.get("items") if key[0] == "*" else schema.get("properties", {}).get(key[0])
    return bool(inner) and in_schema(inner, key[1:], definitions)


def test_each_area_of_each_page_of_the_example_books_has_a_key_of_the_schema():
    schema = json.loads(resource("config", "spec.schema.json").read_text(encoding="utf-8"))
    found = {key for key, _ in areas_of_examples()}
    assert {("levels", "*"), ("isbn",), ("cover", "design"), ("parts", "certificate"), ("volume",)} <= found
    assert {key for key in found if not in_schema(schema, key, schema["$defs"])} == set()
    assert not in_schema(schema, ("levels", "*", "pages"), schema["$defs"])


EXPOSED = """(spot) => {
    const { left, top, width, height } = spot.getBoundingClientRect();
    for (let step = 0; step < 1600; step += 1) {
        const at = [left + width * (step % 40 + 0.5) / 40, top + height * (Math.floor(step / 40) + 0.5) / 40];
        if (document.elementFromPoint(...at) === spot) return at;
    }
}"""
FOCUSED = """async (key) => {
    const above = key.map((_, length) => `key-${key.slice(0, key.length - length).join("-")}`);
    for (let turn = 0; turn < 400; turn += 1) {
        const one = document.activeElement;
        const own = above.map((id) => document.getElementById(id)).find(Boolean);
        const isThere = own?.contains(one) || (own && own.closest(".field") === one.closest(".field"));
        if (isThere && one.matches("#form :enabled") && !one.closest("[inert]")) return true;
        await new Promise((next) => setTimeout(next, 25));
    }
    return false;
}"""


def test_a_click_on_any_kind_of_area_leads_to_a_control_of_its_key_or_of_one_above(window, tmp_path):
    shutil.copytree("config/books", tmp_path, dirs_exist_ok=True)
    missed, opened = [], None
    for (_, what), (path, number, index, key) in areas_of_examples().items():
        if path != opened:
            window.goto(f"{window.url.partition('#')[0]}#/{path.relative_to('config/books')}")
            opened = path
        if what == "page":
            window.click("#views >> text=Pages")
            window.click(f"#strip [data-number='{number}']")
        elif what == "cover":
            window.click("#views >> text=Cover")
        else:
            window.select_option("#medium", "screen")
            window.locator(f"#paper-screen-{number}").scroll_into_view_if_needed()
        window.focus("#stage")
        spot = window.locator(f"#paper-{what}-{number}-{index}")
        at = spot.evaluate(EXPOSED)
        window.mouse.click(*at)
        shown = [*key[:2], "title"] if key[2:] == ("name",) else key
        if not window.evaluate(FOCUSED, shown):
            missed.append((key, what))
    assert missed == []


LEVELS = """\
title: Small book
seed: 7
levels:
  - {name: One, size: 5, paths: 4, count: 1}
  # The second.
  - {name: Two, size: 5, paths: 4, count: 1}
  - {name: Three, size: 5, paths: 4, count: 1}   # and a third
  # The last.
  - name: Four
    size: 5     # squares
    paths: 4
    count: 1
"""


@making_puzzles
def test_levels_that_are_renamed_or_moved_keep_their_puzzles_and_comments(window, tmp_path):
    spec = open_book(window, tmp_path, LEVELS, "Small book")
    window.expect(window.locator("#state")).to_have_text("Saved in small.yaml")

    def fingerprints():
        written(window)
        return window.evaluate(
            """() => Promise.all([1, 2, 3, 4].map(async (number) => {
                const answer = await fetch(`api/puzzle?file=small.yaml&number=${number}`);
                return (await answer.json()).fingerprint;
            }))"""
        )

    one, two, three, four = fingerprints()
    assert len({one, two, three, four}) == 4
    window.click("#part-levels-1")
    enter(window, "#key-levels-1-title", "Gentle")
    window.wait_for_selector("#part-levels-1 >> text=Gentle")
    assert fingerprints() == [one, two, three, four]
    drag(window, "#part-levels-3", "#part-levels-1", at=0.2)
    window.wait_for_selector("#part-levels-1[aria-current] >> text=Four")
    assert fingerprints() == [one, four, two, three]
    window.focus("#part-levels-3")
    window.keyboard.press("Alt+ArrowUp")
    window.wait_for_selector("#part-levels-2:focus[aria-current] >> text=Three")
    assert fingerprints() == [one, four, three, two]
    window.set_viewport_size({"width": 390, "height": 844})
    window.click("#change")
    window.click("#more-settings")
    window.click("#key-levels-2 >> text=Move up")
    window.wait_for_selector("#key-levels-1")
    assert fingerprints() == [one, three, four, two]
    assert [level.name for level in load_spec(spec).levels] == ["One", "Three", "Four", "Two"]
    text = re.sub(r"^.*?count: 1}\n", "", spec.read_text(), flags=re.DOTALL)
    moved = "  - {name: Three, size: 5, paths: 4, count: 1}   # and a third\n  # The last.\n  - name: Four\n"
    moved += "    size: 5     # squares\n    paths: 4\n    count: 1\n  # The second.\n"
    assert text.startswith(moved)


# Mistakes after which a file can't be read: what stands in the spec, what stands there instead, and the cause
# that is told. Where the studio can put a line right, the cause names this line.
MISTAKES = (
    ("levels:", "levels", "A colon is missing in line 6."),
    ("trim: 6x9in}", "trim: 6x9in", "The bracket { in line 4 has no end."),
    ("title: Small", "title: 'Small", "The quote in line 2 has no end."),
    ("seed: 7", "seed: [7", "The bracket [ in line 3 has no end."),
    ("    size: 6", "   size: 6", "Line 10 begins one space too far to the left."),
    ("    count: 2", "\tcount: 2", "Line 12 begins with a tab, and spaces are needed."),
    ("- name: Hard", "-name: Hard", "A space is missing after the hyphen of line 9."),
    ("seed: 7", "seed 7", "A colon is missing in line 3."),
    ("cover: yes", "cover: yes: no", 'put it in quotes: cover: "yes: no"'),
    ("seed: 7", "seed: {7", "the { of line 3 has no end"),
    ("paths: 4-5", "paths: *none", 'put it in quotes: paths: "*none"'),
    ("count: 2", "count: @2", 'put it in quotes: count: "@2"'),
)


def test_a_file_that_is_broken_outside_the_window_keeps_its_book_in_sight(
    window, spec, tmp_path, monkeypatch
):
    monkeypatch.setattr("linkpress.studio.session._POLL_S", 0.05)
    window.wait_for_selector(".paper >> text=Small book")
    shown = """() => [
        document.querySelector("#rail").innerText, document.querySelector(".paper svg").innerHTML,
        ...["title", "subtitle", "author"].map((key) => document.getElementById(`key-${key}`).value),
    ]"""
    before, told = window.evaluate(shown), window.locator("#state.bad >> text=of the file can’t be read")
    for right, wrong, cause in MISTAKES:
        write_file(spec, SPEC.replace(right, wrong))
        told.wait_for()
        window.wait_for_selector("#form[inert]")
        assert window.evaluate(shown) == before
        line = re.search(r"Line (\d+) of", told.inner_text())[1]
        window.click("#show-reason")
        window.expect(window.locator("#mending")).to_contain_text(cause)
        assert window.locator("#lines > .bad").count() == 1
        way = f"Put line {line} right" if f"ine {line}" in cause else "Go back to the file of"
        window.click(f"#mending >> text={way}")
        told.wait_for(state="detached")
        assert load_spec(spec).levels[1].count == 2
        window.click("#file")
    window.wait_for_selector("#state.good >> text=Saved in small.yaml")
    earlier = tmp_path / "earlier.yaml"
    earlier.write_text(SPEC.replace("Small", "Earlier"))
    OpenBook(earlier, tmp_path / "output").file.state()  # as a studio did that has ended
    for path in (spec, earlier):
        write_file(path, path.read_text().replace("levels:", "levels"))
    told.wait_for()
    window.click("#home")
    for name in ("Small", "Earlier"):
        card = window.locator(f"[id='spec-{name.lower()}.yaml']")
        window.expect(card).to_contain_text(f"{name} book")
        window.expect(card.locator(".front svg")).to_be_visible()
    card.click()
    window.wait_for_selector("#form[inert]")
    window.expect(window.locator("#key-title")).to_have_value("Earlier book")
    window.wait_for_selector(".paper >> text=Earlier")
    window.click("#part-cover")
    window.expect(window.locator(".paper.cover svg")).to_be_visible()
