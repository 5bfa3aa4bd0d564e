"""The studio's acceptance tests: what somebody can rely on in each part of the window."""

import json
import shutil
from functools import cache
from pathlib import Path

import pytest

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
