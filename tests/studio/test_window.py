"""The studio in a real browser, as somebody uses it who never opened a terminal."""

import io
import itertools
import re
import subprocess
import sys
import zipfile
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image
from studio_samples import (
    FEED,
    ROUGH,
    SPEC,
    choose_difficulty,
    drag,
    enter,
    keep_picture,
    making_puzzles,
    open_book,
    written,
)

from linkpress.book.first_specs import example_texts
from linkpress.book.key_values import EvenMix
from linkpress.book.level import IfMissing
from linkpress.book.spec import load_spec
from linkpress.documents.values import MM_PT
from linkpress.documents.yaml_source import parse_yaml
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import Span
from linkpress.files import LOCK, lock_folder, write_file
from linkpress.press.cover_content import GROUND


def test_a_text_edited_on_a_page_of_an_edition_stays_in_the_edition(window, spec):
    window.wait_for_selector(".paper svg")
    spec.write_text(SPEC + "editions:\n  es: {language: es}\n")
    window.wait_for_selector("#edition-es-page", state="attached")
    window.click("#edition")
    window.click("#edition-es-page")
    window.click("#part-editions")
    window.wait_for_selector("#key-editions-es-title")
    window.click("#part-opening")
    title = window.locator("""#paper-page-1 .spot:not(.whole)[data-key='["editions","es","title"]']""")
    title.dblclick()
    field = window.locator(".in-place")
    window.expect(field).to_have_value("Small book")
    field.fill("Libro")
    field.press("Enter")
    window.expect(window.locator("#key-editions-es-title")).to_have_value("Libro")
    assert "\ntitle: Small book" in "\n" + spec.read_text()
    window.locator("#paper-page-1 .spot.whole").last.dblclick(position={"x": 30, "y": 400})
    window.expect(field).to_have_count(0)


OWN_PAGES = """\
front:
  # The first page.
  - {title: For Lina, text: With love.}
  # The second page.
  - {title: Thanks, text: To all.}
  - {title: Hints, text: Look twice.}
"""


def open_with_own_pages(window, folder):
    """Write a book with pages of the user's own, open it, and return its file."""
    spec = folder / "small.yaml"
    spec.write_text(SPEC + OWN_PAGES)
    window.click("text=Small book")
    window.wait_for_selector(".paper svg")
    return spec


def test_own_pages_are_moved_by_keys_and_by_dragging_with_a_line_where_they_land(window, tmp_path):
    spec = open_with_own_pages(window, tmp_path)
    window.focus("#part-front-1")
    window.keyboard.press("Alt+ArrowDown")
    window.wait_for_selector("#part-front-2:focus[aria-current] >> text=Thanks")
    window.keyboard.press("Alt+ArrowDown")  # there is no place below
    window.keyboard.press("Alt+ArrowUp")
    window.wait_for_selector("#part-front-1:focus[aria-current] >> text=Thanks")
    assert spec.read_text() == SPEC + OWN_PAGES
    window.keyboard.press("Control+z")
    window.wait_for_selector("#part-front-2:focus[aria-current] >> text=Thanks")
    window.keyboard.press("Control+y")
    window.wait_for_selector("#part-front-1:focus[aria-current] >> text=Thanks")
    window.expect(window.locator("#key-front-1-title")).to_have_value("Thanks")
    window.keyboard.press("Delete")
    window.wait_for_selector("#part-front-2", state="detached")
    assert [page.title for page in load_spec(spec).front] == ["For Lina", "Hints"]
    window.keyboard.press("Control+z")
    window.wait_for_selector("#part-front-2")
    written(window)
    assert spec.read_text() == SPEC + OWN_PAGES
    window.wait_for_selector("#part-front-2 img.thumb")
    gap = window.locator(".part.gap")

    def drag_over(start, end, is_below):
        drag(window, start, end, is_dropped=False)
        window.expect(gap).to_have_attribute("id", end[1:])
        window.expect(gap).to_have_class(re.compile("below" if is_below else "gap$"))

    def move_over(part):
        box = window.locator(part).bounding_box()
        for y in (18, 20, 22):  # the browser reports the first move as entering the part
            window.mouse.move(box["x"] + 60, box["y"] + y)

    drag_over("#part-front-0", "#part-front-1", is_below=True)
    move_over("#part-levels-0")  # a page can't go among the levels
    window.expect(gap).to_have_count(0)
    move_over("#part-front-1")
    window.expect(gap).to_have_count(1)
    window.keyboard.press("Escape")
    window.mouse.up()
    window.expect(gap).to_have_count(0)
    assert spec.read_text() == SPEC + OWN_PAGES
    drag_over("#part-front-2", "#part-front-1", is_below=False)
    window.mouse.up()
    window.wait_for_selector("#part-front-1[aria-current] >> text=Hints")
    drag(window, "#part-front-0", "#part-front-1")
    window.wait_for_selector("#part-front-1[aria-current] >> text=For Lina")
    text = spec.read_text()
    assert [page.title for page in load_spec(spec).front] == ["Hints", "For Lina", "Thanks"]
    assert re.search("# The first page.\n *- {title: For Lina", text)
    assert re.search("# The second page.\n *- {title: Thanks", text)


def test_the_end_of_a_build_is_told_to_a_user_who_looks_elsewhere(window, tmp_path, ready):
    window.context.grant_permissions(["notifications"], origin=window.url.partition("/the-key")[0])
    window.add_init_script(
        """window.told = [];
        window.Notification = class { static permission = "default";
            static async requestPermission() { return this.permission = "granted"; }
            constructor(words) { window.told.push(words); } };
        Object.defineProperty(document, "hidden", { get: () => window.isAway === true });"""
    )
    (tmp_path / "small.yaml").write_text(SPEC)
    window.reload()
    window.click("text=Small book")
    window.click("#build")
    window.click("text=Tell me when it is done")
    window.evaluate("window.isAway = true")
    ready.touch()
    window.wait_for_selector("#finished")
    assert window.evaluate("window.told") == ["Small book is ready to print."]


def dispatch_drag(window, kind, x, y, path):
    """Drag a file from outside over the window, or drop it there."""
    session = window.context.new_cdp_session(window)
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    session.send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})


def test_a_picture_is_dropped_on_either_of_two_places_of_the_cover(window, spec, tmp_path):
    path = tmp_path / "art" / "green.png"
    path.parent.mkdir()
    Image.new("RGB", (1900, 2800), "#208020").save(path, dpi=(300, 300))
    window.wait_for_selector(".paper svg")
    window.click("#part-cover")
    cover = window.locator(".paper.cover")
    cover.locator("svg").wait_for()
    box = cover.bounding_box()

    def drag_over(x, y, key):
        for kind in ("dragEnter", "dragOver"):
            dispatch_drag(window, kind, x, y, path)
        window.wait_for_selector(".drops")
        front = window.locator(".drops").bounding_box()
        assert front["x"] > box["x"] + box["width"] / 2  # on the front, and not on the spine
        for step in range(50):
            dispatch_drag(window, "dragOver", x, y + step % 4, path)
            if window.locator(".drop.over").count():
                break
            window.wait_for_timeout(50)
        window.expect(window.locator(".drop.over")).to_have_attribute("data-use", key)

    left = "() => dispatchEvent(new DragEvent('dragleave', { dataTransfer: new DataTransfer() }))"
    for share, key in ((0.25, "image"), (0.75, "front")):
        x, y = box["x"] + box["width"] * 0.75, box["y"] + box["height"] * share
        drag_over(x, y, key)
        keep_picture(window, f"cover-drop-{key}")
        window.evaluate(left)  # as where the pointer leaves the window, or Escape is pressed
        window.wait_for_selector(".drops", state="hidden")
        dispatch_drag(window, "dragCancel", x, y, path)
        drag_over(x, y, key)
        for kind in ("dragOver", "drop"):
            dispatch_drag(window, kind, x, y + 2, path)
        window.wait_for_selector(".paper.cover image", state="attached")
        written(window)
        assert parse_yaml(spec.read_text(), "").value["cover"] == {key: "green.png"}
        assert not window.locator("dialog[open], .drops:visible").count()
        window.click("#undo")
        window.wait_for_selector(".paper.cover image", state="detached")
        written(window)
        assert spec.read_text() == SPEC


def test_all_pages_fill_in_while_a_book_is_built(window, tmp_path):
    many = SPEC.replace("size: 5, paths: 4, count: 3", "size: 14, paths: 14-18, count: 120")
    (tmp_path / "small.yaml").write_text(many)
    window.click("text=Small book")
    window.wait_for_selector(".paper svg")
    first, held = {}, []  # the first picture of each page, and one of the second pictures

    def hold_second(route):
        (number,) = re.findall(r"number=(\d+)", route.request.url)
        if first.setdefault(number, route.request.url) == route.request.url or held:
            route.continue_()
        else:
            held.extend((number, route))

    window.route(re.compile(r"/api/tile\?.*what=page&number=([6-9]|1\d)&"), hold_second)
    window.click("#build")
    window.wait_for_selector("#desk[data-view=all]")
    while not held:  # until the puzzles of a page are made
        window.wait_for_timeout(50)
    number, route = held
    page = window.locator(f".mini[data-number='{number}']")
    assert "pale" in page.get_attribute("class")  # still shows the first picture
    window.expect(window.locator("#build-panel .stages [aria-current=step]")).to_be_visible()
    route.continue_()
    window.expect(page).not_to_have_class(re.compile("pale"))
    keep_picture(window, "building")
    window.click("#build")


def test_papers_are_shown_until_pages_have_come_and_a_part_chosen_meanwhile_with_its_settings(
    window, tmp_path
):
    (tmp_path / "small.yaml").write_text(SPEC)
    held = Held(window, "**/api/pages?*")
    window.click("text=Small book")
    papers = window.locator("#stage .paper:empty")
    window.expect(papers).to_have_count(2)
    box = papers.first.bounding_box()
    assert box["width"] / box["height"] == pytest.approx(6 / 9, abs=0.01)
    held.came()
    window.click("#part-cover")
    window.wait_for_selector("#key-cover-blurb")
    held.let_go()
    window.expect(window.locator(".paper.cover svg")).to_be_visible()
    window.click("#part-opening")
    window.wait_for_selector("#paper-page-1 svg")
    # The answer about the book has the settings of the part that was chosen before.
    late = Held(window, "**/api/book?*", is_asked=True)
    again = {"event": {"event": "reload", "file": "small.yaml"}}
    window.evaluate("(event) => new BroadcastChannel('events').postMessage(event)", again)
    late.came()
    with window.expect_response("**/api/settings?*"):
        window.click("#part-cover")
    late.let_go()
    window.expect(window.locator("#key-cover-boards")).to_be_visible()


def test_the_width_of_the_parts_is_dragged_at_their_edge_or_set_by_keys_and_kept(window, spec):
    window.wait_for_selector("#part-levels-1")
    split = window.locator(".split").first
    split.hover(position={"x": 4, "y": 300})  # waits until nothing moves or covers it
    box = split.bounding_box()
    window.mouse.down()
    window.mouse.move(box["x"] + 54, box["y"] + 300)
    window.mouse.up()
    window.expect(split).to_have_attribute("aria-valuenow", "270")
    window.focus("[data-zone=rail]")
    for _ in range(3):
        window.keyboard.press("ArrowRight")
    width = window.locator("#rail").bounding_box()["width"]
    assert width == 270 + 48
    window.reload()
    window.wait_for_selector("#part-cover")
    assert window.locator("#rail").bounding_box()["width"] == width
    window.locator(".split").last.press("ArrowRight")
    inspector = window.locator("#inspector")
    window.expect(inspector).to_have_css("width", "312px")
    window.click("#file")
    window.expect(inspector).to_have_css("width", "452px")
    window.set_viewport_size({"width": 1000, "height": 800})
    window.expect(window.locator("#rail")).to_have_css("width", "72px")


def test_a_childrens_book_is_built_from_nothing_in_under_25_clicks(window, tmp_path, monkeypatch):
    def short_texts(like, path):
        return {
            file: re.sub(r"count: \d+", "count: 2", text) for file, text in example_texts(like, path).items()
        }

    monkeypatch.setattr("linkpress.studio.spec_files.example_texts", short_texts)
    clicks = ["text=Children’s book", "text=Make this book", "#part-levels-0", "#build"]
    window.wait_for_selector(".shelf img")
    keep_picture(window, "start")
    window.click(clicks[0])
    window.fill("#new-title", "Lines for Lina")
    window.click(clicks[1])
    window.wait_for_selector(".paper svg")
    window.click(clicks[2])
    window.wait_for_selector(".graph")
    window.wait_for_selector(".boards svg")
    window.click(clicks[3])
    window.wait_for_selector("text=Your book is ready to print")
    assert (tmp_path / "output" / "lines-for-lina" / "interior.pdf").stat().st_size > 10_000
    window.wait_for_selector("text=/all \\d+ puzzles have exactly one answer/")
    window.wait_for_selector("#finished table")
    window.wait_for_function("() => document.querySelector('#finished figure img').naturalWidth")
    keep_picture(window, "build")
    window.click("#close-pane")
    window.click("#part-levels-0")
    window.wait_for_selector(".boards svg")
    for number in (6, 7):
        window.wait_for_selector(f"#paper-page-{number} svg")
    keep_picture(window, "level")
    window.click("#show-reason")
    folder = tmp_path / "output" / "lines-for-lina"
    for name in ("interior.pdf", "cover.pdf"):
        with window.expect_download() as download:
            window.click(f"a[download$='{name}']")
        assert Path(download.value.path()).read_bytes() == (folder / name).read_bytes()
    with window.expect_download() as download:
        window.click("text=Save everything as one ZIP")
    window.expect(window.locator(".steps .done")).to_contain_text("Save the PDF files")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.read("volume.json") == (folder / "volume.json").read_bytes()
    row = window.locator("tr:has-text('United States')")
    enter(window, "[id='price-amazon.com']", "14.99")
    written(window)
    window.expect(row.locator("strong")).to_have_text(re.compile(r"^\$\d\.\d\d$"))
    left, report = row.locator("strong").inner_text(), (folder / "report.txt").read_text()
    cost = row.locator("td").first.inner_text()
    assert f"amazon.com: print {cost[1:]} USD, least price" in report
    assert float(left[1:]) == pytest.approx(0.6 * 14.99 - float(cost[1:]), abs=0.01)
    (spec,) = tmp_path.glob("*.yaml")
    written(window)
    assert load_spec(spec).price == {"USD": Fraction("14.99")}
    clicks.append("text=All other answers")
    window.click(clicks[-1])
    window.wait_for_selector("#dialog >> text=Reading direction")
    window.keyboard.press("Escape")
    assert len(clicks) < 25
    window.click("#build")
    window.wait_for_selector("#desk[data-view=all]")  # while it is built again
    window.wait_for_selector("#finished")
    window.click("#home")
    window.wait_for_selector(r"#shelf .state.built >> text=/Built (today at \d\d:\d\d|on )/")


def test_a_book_in_other_words_is_shown_asked_about_and_brought_back(window, tmp_path):
    spec = tmp_path / "small.yaml"
    spec.write_text(ROUGH)
    window.click("text=Quiet paths")
    window.wait_for_selector("#state >> text=Nothing is saved yet")
    window.expect(window.locator("#key-title")).to_have_value("Quiet paths")
    window.click("text=Show what was changed")
    window.wait_for_selector("#reading li >> text=page › Page size: A5")
    keep_picture(window, "reading")
    window.click("#part-levels-0")
    window.click("#key-levels-0 .asks button")
    window.wait_for_selector("#key-levels-0 >> text=It is the share of squares on paths")
    window.expect(window.locator("#key-levels-0-solids")).not_to_have_value("10%")
    assert spec.read_text() == ROUGH
    enter(window, "#key-levels-0-count", "3")
    window.wait_for_selector("#state >> text=Saved in small.yaml")
    assert [level.count for level in load_spec(spec).levels] == [3]
    assert not window.locator(".asks").count()
    for _ in range(2):
        window.click("#undo")
    window.wait_for_selector("#reading", state="detached")
    assert spec.read_text() == ROUGH


def test_a_click_on_a_page_leads_to_its_setting_and_an_answer_among_all_pages_to_its_puzzle(window, spec):
    window.click(".spot[data-key='[\"title\"]']")
    window.wait_for_function("() => document.activeElement.id === 'key-title'")
    window.click("#part-levels-1")
    window.click(".spot[aria-label='Puzzle 4']")
    window.expect(window.locator(".spot.chosen[aria-label='Puzzle 4']")).to_be_focused()
    window.expect(window.locator("#key-levels-1")).to_be_visible()
    keep_picture(window, "selected")
    window.click("#part-cover")
    window.click('.paper.cover .spot[data-key=\'["cover","design"]\']', position={"x": 9, "y": 9})
    window.wait_for_function("() => document.activeElement.id === 'key-cover-design'")
    keep_picture(window, "cover-selected")
    window.click("text=All pages")
    window.wait_for_selector("#strip .pale img[src]")
    window.click("#strip >> text=Solutions")
    window.click(".spot[aria-label='Answer of puzzle 4']")
    window.click("text=Go to puzzle 4")
    window.expect(window.locator(".spot.chosen[aria-label='Puzzle 4']")).to_be_in_viewport()
    pages = window.inner_text("#shown-pages")
    window.click("#views >> text=All pages")
    window.click("#views >> text=Spread")
    window.expect(window.locator("#shown-pages")).to_have_text(pages)
    window.press("#stage", "Home")
    window.set_viewport_size({"width": 640, "height": 400})
    window.expect(window.locator("#shown-pages")).to_contain_text("Page 1 of")


def test_pages_follow_the_level_that_is_edited_and_a_setting_that_two_windows_change_is_asked_about(
    window, spec
):
    window.click("#part-levels-1")
    window.expect(window.locator("#stage .spot[aria-label='Puzzle 4']")).to_be_in_viewport()
    window.wait_for_selector("#part-levels-1 img.thumb")
    window.wait_for_selector("#part-cover img.thumb")
    window.click("#part-levels-0")
    window.expect(window.locator("#stage .spot[aria-label='Puzzle 1']")).to_be_in_viewport()
    other = window.locator("#stage .spot[aria-label='Puzzle 4']")
    window.expect(other).not_to_be_in_viewport(ratio=0.3)
    window.focus("#stage")
    window.keyboard.press("End")
    window.wait_for_selector("#strip .shown[data-number='12']")
    window.keyboard.press("PageUp")
    window.wait_for_selector("#strip .shown[data-number='11']")
    window.keyboard.press("Home")
    window.focus("#key-levels-0-count")
    first = window.locator("#stage .spot[aria-label='Puzzle 1']")
    window.expect(first).to_be_in_viewport()
    write_file(spec, SPEC.replace("count: 2", "count: 40"))
    window.wait_for_selector("#strip [data-number='20']", state="attached")
    window.expect(first).to_be_in_viewport(ratio=1)
    window.click("#part-levels-1")
    for mine, theirs, is_shown in (("4", "9", False), ("5", "8", True)):
        window.fill("#key-levels-1-count", mine)  # and is not left yet
        write_file(spec, SPEC.replace("count: 2", f"count: {theirs}"))
        if is_shown:
            window.wait_for_selector(f"#part-levels-1 >> text={theirs} puzzles")
        window.press("#key-levels-1-count", "Tab")
        window.wait_for_selector(f"text=Another window set this to {theirs} while you chose {mine}.")
        window.click(f"text=Keep {mine}")
        window.expect(window.locator("#key-levels-1-count-error")).to_be_empty()
        written(window)
        assert load_spec(spec).levels[1].count == int(mine)


def test_titles_and_the_text_of_an_added_page_are_edited_on_the_page(window, spec):
    title = window.locator("#paper-page-1 .spot[data-key='[\"title\"]']").last
    title.dblclick()
    window.fill(".in-place", "Greater book")
    window.keyboard.press("Enter")
    window.wait_for_selector(".paper >> text=Greater book")
    window.expect(window.locator("#key-title")).to_have_value("Greater book")
    title.dblclick()
    window.fill(".in-place", "Greater\nbook")
    window.keyboard.press("Enter")
    window.expect(window.locator("textarea#key-title")).to_have_value("Greater\nbook")
    enter(window, "#key-title", "Greater\nbooks")
    window.wait_for_selector(".paper >> text=books")
    title.focus()
    window.keyboard.press("Enter")
    window.fill(".in-place", "Dropped")
    window.keyboard.press("Escape")
    window.wait_for_selector(".in-place", state="detached")
    window.click("#part-levels-0")
    window.locator('.spot[data-key=\'["levels",0,"title"]\']').first.dblclick()
    window.fill(".in-place", "Gentle")
    window.keyboard.press("Enter")
    window.wait_for_selector("#part-levels-0 >> text=Gentle")
    written(window)
    assert "title: Greater|books\n" in spec.read_text()
    book = load_spec(spec)
    assert (book.title, book.levels[0].title, book.levels[0].name) == ("Greater books", "Gentle", "Easy")
    window.click("text=Add a page of your own")
    text = window.locator('.spot[data-key=\'["front",0,"text"]\']')
    text.click()
    window.locator(".in-place").press_sequentially("For")
    window.keyboard.press("Shift+Enter")
    written(window)
    write_file(spec, spec.read_text().replace("count: 3", "count: 4"))  # by another program
    window.wait_for_selector("#part-levels-0 >> text=4")
    window.keyboard.type("Lina")
    window.keyboard.press("Enter")
    window.wait_for_selector(".paper >> text=Lina")
    written(window)
    assert load_spec(spec).front[0].text == "For\nLina"
    text.click()
    window.keyboard.type(" and Tom")
    window.keyboard.press("Escape")  # keeps what is typed
    window.wait_for_selector(".paper >> text=Tom")


def test_places_are_tinted_under_the_pointer_reached_by_tab_and_dragged_to_the_cover(window, spec):
    window.click("#part-levels-1")
    window.wait_for_selector(".spot[aria-label='Puzzle 4']")
    window.hover("#key-levels-1-count")
    tinted = window.locator(".spot.tinted[aria-label='Puzzle 4']")
    window.expect(tinted).to_have_count(1)
    window.hover("#stage")
    window.expect(tinted).to_have_count(0)
    margins = window.locator("#paper-page-9 .spot.whole").first
    margins.focus()
    for name in ("Level 2", "Level 2, name", "Puzzle 4"):
        window.keyboard.press("Tab")
        window.expect(window.locator(":focus")).to_have_attribute("aria-label", name)
    margins.focus()
    window.keyboard.press("Enter")
    window.wait_for_function("() => document.activeElement.closest('#key-page-margins')")
    window.click("#part-levels-1")
    window.wait_for_selector("#stage .spot[aria-label='Puzzle 4']")
    drag(window, "#stage .spot[aria-label='Puzzle 4']", "#part-cover")
    window.wait_for_selector(".paper.cover svg")
    written(window)
    assert parse_yaml(spec.read_text(), "").value["cover"] == {"puzzle": "4"}


def choose_by_keys(window, part, entry):
    """Choose an entry of a part's menu without the mouse."""
    for place in (f"#{part} .more", f"#{part}-menu >> text={entry}"):
        window.focus(place)
        window.keyboard.press("Enter")


def test_a_level_is_renamed_and_removed_in_the_rail_and_moved_by_keys_in_sight_of_its_pages(window, spec):
    window.focus("#part-opening")
    for _ in range(3):
        window.keyboard.press("ArrowDown")
    window.keyboard.press("F2")
    window.wait_for_function("() => document.activeElement.id === 'key-levels-1-title'")
    window.focus("#part-levels-1")
    window.keyboard.press("Delete")
    window.wait_for_selector("#part-levels-1", state="detached")
    assert [level.name for level in load_spec(spec).levels] == ["Easy"]
    window.click("#undo")
    window.wait_for_selector("#part-levels-1")
    assert spec.read_text() == SPEC
    window.click("#part-levels-0")
    choose_by_keys(window, "key-levels-0", "Copy")
    window.wait_for_selector("#inspector-head >> text=Easy 2")
    window.wait_for_function("() => document.activeElement.closest('#key-levels-1')")
    choose_by_keys(window, "key-levels-1", "Move down")
    window.wait_for_selector("#part-levels-2[aria-current] >> text=Easy 2")
    has_focus = "() => Boolean(document.activeElement.closest('#key-levels-2'))"
    assert window.wait_for_function(has_focus).json_value()
    many = SPEC.replace("count: 3}", "count: 4, per_page: 1}").replace(
        "count: 2", "count: 2\n    per_page: 1"
    )
    write_file(spec, many + "parts: {openers: no}\n")
    window.wait_for_selector("#part-levels-0 >> text=4")
    window.wait_for_selector("#part-levels-2", state="detached")
    window.click("#part-levels-1")
    shown = window.locator("#shown-pages")
    window.expect(shown).to_contain_text("Pages 8 and 9 of 12")  # the last of the other level is on page 8
    window.click("#key-levels-1 .more")
    window.click("#key-levels-1-menu >> text=Move up")
    window.expect(shown).to_contain_text("Pages 4 and 5 of 12")
    window.expect(window.locator("#part-levels-0[aria-current]")).to_contain_text("Hard")
    written(window)
    window.click("#key-levels-0 .more")
    window.click("#key-levels-0-menu >> text=Move down")
    window.expect(shown).to_contain_text("Pages 8 and 9 of 12")


def test_an_overtaken_list_of_the_shelf_is_not_shown_and_a_spec_is_dropped_there_and_on_no_open_book(
    window, tmp_path
):
    late = Held(window, "**/api/shelf?*", is_asked=True)
    window.reload()
    late.came()
    (tmp_path / "small.yaml").write_text(SPEC)
    window.wait_for_selector("text=Small book")
    late.let_go()
    window.evaluate("fetch('api/form?kind=book')")  # answered after it
    window.expect(window.locator("text=Small book")).to_have_count(1)
    drop = """(text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "small.yaml"));
        const how = { dataTransfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent("drop", how));
    }"""
    window.evaluate(drop, SPEC.replace("Small", "Dropped"))
    window.click("[id='spec-small-2.yaml'] >> text=Dropped book")
    window.wait_for_selector("#form")
    window.evaluate(drop, SPEC)
    window.wait_for_selector("#toast >> text=Only a JPEG or PNG can be dropped here, on an open book.")
    assert (tmp_path / "small.yaml").read_text() == SPEC
    assert len([*tmp_path.glob("*.yaml")]) == 2


def test_the_selection_is_shown_by_the_rail_the_file_and_the_address(window, spec):
    window.click("#part-levels-0")
    window.wait_for_selector(".spot[aria-label='Puzzle 1']")
    window.click("#file")
    window.click("#part-levels-1")
    line = "() => { const { value, selectionStart } = document.querySelector('textarea'); "
    line += "return value.slice(0, selectionStart).split('\\n').length; }"
    assert window.evaluate(line) == 9
    window.click("[aria-label='Page back']")
    window.click(".spot[aria-label='Puzzle 1']")
    window.expect(window.locator("#part-levels-0")).to_have_attribute("aria-current", "true")
    assert window.evaluate(line) == 8
    window.focus("textarea.yaml")
    window.keyboard.press("Control+End")
    window.expect(window.locator("#part-levels-1")).to_have_attribute("aria-current", "true")
    assert "#/small.yaml/levels/1" in window.url
    window.reload()
    window.wait_for_selector("#key-levels-1")
    window.go_back()
    window.wait_for_selector("#key-levels-0")


def test_the_address_names_the_pages_that_are_shown(window, spec):
    shown = window.locator("#shown-pages")
    window.click("#part-levels-1")
    window.wait_for_url("**/#/small.yaml/levels/1/p8")
    window.click("[aria-label='Page on']")
    window.wait_for_url("**/#/small.yaml/levels/1/p10")
    window.click("#part-levels-0")
    window.wait_for_url("**/#/small.yaml/levels/0/p6")
    window.go_back()
    window.expect(shown).to_contain_text("Pages 10 and 11 of 12")
    window.expect(window.locator("#part-levels-1")).to_have_attribute("aria-current", "true")
    window.reload()
    window.expect(shown).to_contain_text("Pages 10 and 11 of 12")
    window.wait_for_url("**/#/small.yaml/levels/1/p10")
    window.go_forward()
    window.expect(shown).to_have_text("Easy Pages 6 and 7 of 12")
    other = window.context.new_page()
    other.goto(window.url.replace("/p6", "/p10"))
    window.expect(other.locator("#shown-pages")).to_contain_text("Pages 10 and 11 of 12")


def test_undoing_what_another_window_or_program_changed_is_asked_about(window, spec):
    state = window.locator("#state")
    changed = SPEC.replace("count: 2", "count: 3")
    write_file(spec, changed)
    window.wait_for_selector("#part-levels-1 >> text=3 puzzles")
    window.click("#undo")
    window.expect(state).to_contain_text("That was changed elsewhere. Undo it all the same?")
    keep_picture(window, "undo-elsewhere")
    assert spec.read_text() == changed
    build = {"told": "Making puzzles: 41 of 60", "made": 41, "count": 60, "end": None, "panel": ""}
    window.evaluate(
        "(event) => new BroadcastChannel('events').postMessage({ event })",
        {"event": "build", "file": "small.yaml", "turn": 1000, "build": build},
    )
    window.expect(state).to_contain_text("Undo it all the same? · Making puzzles: 41 of 60")
    window.evaluate(
        "(event) => new BroadcastChannel('events').postMessage({ event })",
        {"event": "build", "file": "small.yaml", "turn": 1001, "build": {"end": {"event": "stopped"}}},
    )
    window.click("#part-levels-1")  # whoever goes on doesn't want it
    window.expect(state).to_contain_text("Saved in small.yaml")
    window.click("#undo")
    window.click("#show-reason")
    window.expect(state).to_contain_text("Saved in small.yaml")
    assert spec.read_text() == SPEC
    window.click("#part-opening")
    enter(window, "#key-title", "Mine")
    written(window)
    window.reload()
    window.expect(window.locator("#key-title")).to_have_value("Mine")
    window.expect(window.locator("#undo")).to_have_attribute("title", "Undo: title")
    window.click("#undo")  # a window knows its own changes when it is loaded again
    window.expect(window.locator("#key-title")).to_have_value("Small book")
    assert spec.read_text() == SPEC


def test_when_the_studio_has_ended_texts_are_locked_and_what_is_typed_stays(window, spec):
    say_lost = "(isLost) => new BroadcastChannel('events').postMessage({ isLost })"
    window.wait_for_selector(".paper svg")
    window.click("#file")
    window.evaluate(say_lost, True)
    area = window.locator("textarea.yaml")
    window.expect(area).not_to_be_editable()
    window.evaluate(say_lost, False)
    window.expect(area).to_be_editable()
    window.click("#file")
    window.type("#key-subtitle", "Half")
    window.evaluate(say_lost, True)
    window.click("#part-levels-1")
    window.expect(window.locator("#shown-pages")).to_contain_text("Pages 8 and 9 of 12")
    window.expect(window.locator("#key-subtitle")).to_have_value("Half")
    window.evaluate(say_lost, False)
    window.expect(window.locator("#key-subtitle")).to_have_value("Half")


def test_the_state_says_that_a_file_is_gone_and_the_rail_leads_to_ready_made_pages(window, spec):
    window.wait_for_selector(".paper svg")
    state, away = window.locator("#state"), spec.with_name("away.yaml")
    spec.rename(away)
    window.expect(state).to_contain_text("small.yaml is gone")
    away.rename(spec)
    window.expect(state).to_contain_text("Saved in small.yaml")
    window.wait_for_selector("#part-end")
    write_file(spec, spec.read_text() + "parts: {certificate: yes}\n")
    window.reload()
    window.wait_for_selector("#part-end img.thumb")  # the window may have had the book without this page
    window.click("#part-end")
    window.expect(window.locator("#stage text:has-text('Certificate')")).to_be_in_viewport()


@pytest.mark.usefixtures("no_samples")
def test_an_impossible_level_is_red_at_once_with_ways_out_in_plain_words(window, spec):
    window.click("#part-levels-0")
    window.wait_for_selector("#stage .spot[aria-label='Puzzle 1']")
    choose_difficulty(window, 0, "End", *["Shift+ArrowRight"] * 4)
    window.wait_for_selector("#state.bad >> text=Easy can’t be made")
    window.wait_for_selector("#part-levels-0.bad >> text=can’t be made")
    first = window.locator("#stage .spot[aria-label='Puzzle 1 not made']")
    window.expect(first.locator(".hatch")).to_be_visible()
    window.expect(window.locator("#part-levels-0 .ring")).to_have_text("!")
    window.expect(window.locator(".mini.bad")).not_to_have_count(0)
    window.expect(window.locator("#part-levels-1 .ring")).to_have_text("2")
    ways = window.locator(".ways button")
    window.expect(ways).to_have_count(3)
    assert not [words for words in ways.all_inner_texts() if ":" in words]
    window.click("#part-cover")
    window.expect(window.locator("#build")).to_have_attribute("aria-disabled", "true")
    window.locator("#build").click(force=True)
    ways.first.click()
    window.expect(window.locator("#build")).to_have_attribute("aria-disabled", "false")
    window.wait_for_selector("#state.good >> text=Saved in small.yaml")
    assert load_spec(spec).levels[0].size[0].rows > 6


def drag_end(window, slider, end, to):
    """Press the pointer on an end of a slider, move it to a value, and return a function that lets it go."""
    one = slider.locator(".end").nth(end)
    one.scroll_into_view_if_needed()
    box, least, most = one.bounding_box(), *(float(one.get_attribute(name)) for name in ("min", "max"))

    def at(value):
        return box["x"] + 12 + (box["width"] - 24) * (value - least) / (most - least)

    middle = box["y"] + box["height"] / 2
    window.mouse.move(at(float(one.input_value())), middle)
    window.mouse.down()
    for step in range(1, 6):
        window.mouse.move(at(float(one.input_value())) + step, middle)
    window.mouse.move(at(to), middle)
    return window.mouse.up


def test_pairs_are_tried_by_dragging_and_written_once_when_let_go(window, tmp_path):
    spec = tmp_path / "small.yaml"
    spec.write_text(
        SPEC.replace("size: 6 ", "size: 9 ").replace("paths: 4-5", "paths: 7-9\n    difficulty: hard")
    )
    window.click("text=Small book")
    window.click("#part-levels-1")
    sentence = window.locator("#graph-levels-1 [role=status]")
    window.expect(sentence).to_have_text(re.compile("hard"))
    text, words = spec.read_text(), sentence.inner_text()
    slider, typed = window.locator(".field:has(#key-levels-1-paths) .slider"), "#key-levels-1-paths"
    let_go = drag_end(window, slider, 1, 14)
    window.expect(sentence).not_to_have_text(words)
    high = slider.locator(".end").nth(1)
    window.expect(high).to_have_attribute("aria-valuetext", "14 pairs")
    window.expect(window.locator(f"{typed}-to")).to_have_value("14")
    assert spec.read_text() == text
    let_go()
    written(window)
    assert parse_yaml(spec.read_text(), "").value["levels"][1]["paths"] == "7-14"
    keep_picture(window, "pairs")
    window.click("#undo")
    written(window)
    assert spec.read_text() == text
    window.expect(high).to_have_attribute("aria-valuetext", "9 pairs")
    high.press("Shift+ArrowLeft")
    written(window)
    window.expect(window.locator(typed)).to_have_value("6")
    high.press("ArrowRight")
    written(window)
    window.expect(high).to_be_focused()
    assert parse_yaml(spec.read_text(), "").value["levels"][1]["paths"] == "6-10"
    enter(window, typed, "8")
    window.expect(slider.locator(".end").first).to_have_attribute("aria-valuetext", "8 pairs")
    drag_end(window, window.locator(".field:has(#key-levels-1-solids) .slider"), 1, 4)()
    written(window)
    assert parse_yaml(spec.read_text(), "").value["levels"][1]["solids"] == "0-4"


def test_a_way_out_is_tried_before_it_is_kept(window, spec):
    spec.write_text(SPEC.replace("count: 2", "count: 2\n    difficulty: extreme"))
    window.click("#part-levels-1")
    ways, sentence = window.locator(".ways button"), window.locator("#graph-levels-1 [role=status]")
    window.expect(ways).to_have_count(3)
    ways.last.scroll_into_view_if_needed()
    for picture in ways.locator("img").all():
        window.expect(picture).not_to_have_js_property("naturalWidth", 0)
    wrong, text = sentence.inner_text(), spec.read_text()
    ways.first.hover()
    window.expect(sentence).to_have_text(re.compile("^About 1 board in . comes out extreme."))
    keep_picture(window, "way")
    window.hover("#inspector-head")
    window.expect(sentence).to_have_text(wrong)
    ways.nth(1).focus()
    window.expect(sentence).to_have_text(re.compile("come out medium|comes out medium"))
    window.focus("#key-levels-1-title")
    window.expect(sentence).to_have_text(wrong)
    assert spec.read_text() == text
    ways.nth(1).focus()
    window.keyboard.press("Enter")
    written(window)
    assert parse_yaml(spec.read_text(), "").value["levels"][1]["difficulty"] == "medium"
    window.expect(ways).to_have_count(0)


def test_one_difficulty_is_moved_by_dragging_and_widened_with_shift_and_an_impossible_one_is_coloured(
    window, tmp_path
):
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC.replace("count: 2", "count: 2\n    difficulty: medium"))
    window.click("text=Small book")
    window.click("#part-levels-1")
    slider = window.locator("#graph-levels-1 .slider")
    for to, held, difficulty in ((0, "", "easy"), (1, "", "medium"), (2, "Shift", "medium-hard")):
        if held:
            window.keyboard.down(held)
        drag_end(window, slider, 1, to)()
        if held:
            window.keyboard.up(held)
        written(window)
        assert parse_yaml(spec.read_text(), "").value["levels"][1]["difficulty"] == difficulty
    text = spec.read_text()
    window.click("#part-levels-0")
    taken = window.locator("#graph-levels-0 .row").first.locator(".taken")
    drag_end(window, window.locator("#graph-levels-0 .slider"), 0, 1)
    window.expect(window.locator("#graph-levels-0.bad")).to_be_visible()
    window.expect(taken).to_have_count(4)
    assert spec.read_text() == text


def test_a_key_on_a_slider_asks_once_for_a_forecast_and_a_click_on_its_line_chooses_the_nearest_step(
    window, spec
):
    window.wait_for_selector(".paper svg")
    asked = Counter()
    window.on("request", lambda request: asked.update(re.findall(r"/api/(settings|outlook)\b", request.url)))
    window.click("#part-levels-1")
    sentence = window.locator("#graph-levels-1 [role=status]")
    before = sentence.inner_text()
    assert asked == {"settings": 1}
    window.press("#graph-levels-1-1", "ArrowLeft")
    window.expect(sentence).not_to_have_text(before)
    written(window)
    assert asked == {"settings": 1, "outlook": 1}
    window.click("#undo")
    window.expect(window.locator("#undo")).to_be_disabled()
    window.expect(sentence).to_have_text(before)  # the line is drawn again
    written(window)
    line = window.locator(".graph .slider")
    box = line.bounding_box()
    line.click(position={"x": 0.71 * box["width"], "y": box["height"] / 2}, force=True)
    window.expect(line.locator(".end").first).to_have_attribute("aria-valuetext", "expert")
    written(window)
    assert "difficulty: expert" in spec.read_text()


def test_a_level_shows_other_boards_and_its_head_beside_a_puzzle_whose_bar_keeps_the_focus(window, spec):
    window.click("#part-levels-0")
    window.expect(window.locator(".boards svg")).to_have_count(3)
    first = window.inner_html(".boards")
    window.click("text=Show three others")
    others = "first => { const now = document.querySelector('.boards'); "
    others += "return now.querySelector('svg') && now.innerHTML !== first; }"
    window.wait_for_function(others, arg=first)
    window.click(".spot[aria-label='Puzzle 2']")
    window.wait_for_selector(".spot-bar")
    window.expect(window.locator(".spot[aria-label='Puzzle 2']").first).to_be_focused()
    window.expect(window.locator("#pane-name")).to_be_in_viewport(ratio=1)
    window.expect(window.locator("label[for=key-levels-0-title]")).to_be_in_viewport(ratio=1)
    answer = window.locator(".spot-bar >> text=Answer")
    answer.focus()
    window.evaluate("document.querySelector('.spot-bar').parentNode.drawnKey = 'before'")
    write_file(spec, SPEC.replace("Easy,", "Easier,"))
    window.wait_for_function("() => document.querySelector('.spot-bar').parentNode.drawnKey !== 'before'")
    window.expect(window.locator("#paper-page-5 >> text=Easier").first).to_be_attached()
    window.expect(answer).to_be_focused()


def test_on_a_phone_pages_are_turned_by_swipes_and_the_rest_is_below_them(window, tmp_path):
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC)
    window.set_viewport_size({"width": 390, "height": 844})
    window.click("text=Small book")
    page, second = (window.locator(f"#paper-page-{number}") for number in (1, 2))
    window.expect(page.locator("svg")).to_be_visible()
    assert page.bounding_box()["width"] > 300
    assert second.bounding_box()["x"] < 390  # the neighbour peeks
    finger = window.context.new_cdp_session(window)
    for kind, xs in (("touchStart", [330]), ("touchMove", range(320, 60, -20)), ("touchEnd", [None])):
        for x in xs:
            points = [{"x": x, "y": 300}] if x else []
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    window.wait_for_selector("#strip .shown[data-number='2']")
    for _ in range(50):  # the page slides to the middle
        box = second.bounding_box()
        if abs(box["x"] + box["width"] / 2 - 195) < 3:
            break
        window.wait_for_timeout(100)
    else:
        pytest.fail(f"page 2 is at {box}")
    keep_picture(window, "phone-page")
    small = """() => [...document.querySelectorAll('button, .button, select, summary, input')]
        .filter((one) => one.checkVisibility() && !one.matches('.spot, .mini, [type=file], [type=checkbox]'))
        .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44).map((one) => one.outerHTML)"""
    assert window.evaluate(small) == []
    window.click("#glance .rings >> text=Hard")
    window.expect(window.locator("#glance h2")).to_have_text("Hard")
    window.expect(window.locator("#stage .spot[aria-label='Puzzle 4']")).to_be_in_viewport()
    window.click("#change")
    enter(window, "#key-levels-1-count", "4")
    window.expect(window.locator("#stage .spot[aria-label='Puzzle 4']")).to_be_in_viewport()
    assert window.evaluate(small) == []
    fields = window.locator("#form .field:visible, #form .graph:visible")
    window.expect(fields).to_have_count(3)  # the difficulty, the number of puzzles, and how many on a page
    keep_picture(window, "phone-level")
    page_told, more = window.locator("#sheet-page"), window.locator("#more-settings").bounding_box()
    window.expect(page_told).to_have_text(re.compile(r"Page \d+ of \d+"))
    assert more["y"] + more["height"] <= window.locator("#panel").bounding_box()["y"] + 1
    chief = [one.bounding_box() for one in window.locator("#form :is(.graph, .brief > .tiles)").all()]
    least = window.locator("#sheets").bounding_box()["y"] + 2
    assert max(box["y"] + box["height"] for box in chief) <= least  # all of them in view at once
    number = window.get_attribute("#strip .shown", "data-number")
    window.click("#more-settings")
    window.expect(window.locator("#stage")).not_to_be_visible()
    window.expect(window.locator("#key-levels-1-title")).to_be_visible()
    window.click(".sheet-tool >> text=Done")
    window.expect(window.locator(f"#paper-page-{number}")).to_be_in_viewport(ratio=0.9)
    window.expect(window.locator("#edition")).not_to_be_visible()  # the book has no other edition
    window.click("#sheets >> text=Parts")
    window.click("#part-cover")
    window.expect(window.locator(".paper.cover svg")).to_be_visible()
    window.click("#sheets >> text=File")
    assert window.locator("textarea.yaml").bounding_box()["height"] > 500
    assert window.evaluate("document.documentElement.scrollWidth") == 390
    written(window)
    assert load_spec(spec).levels[1].count == 4


# Pairs of texts and values of one field that cover each other, and those that the window cuts off.
CROSSING = """() => [...document.querySelectorAll('#panel .field, #panel .graph')].flatMap((field) => {
    const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT), boxes = [];
    for (let text; (text = texts.nextNode());) {
        const range = new Range(), is = text.parentElement;
        range.selectNodeContents(text);
        if (text.data.trim() && is.checkVisibility({ opacityProperty: true }) && !is.closest('select'))
            boxes.push(...[...range.getClientRects()].map((box) => [text.data, box]));
    }
    for (const one of field.querySelectorAll('input, select, textarea'))
        if (one.checkVisibility() && !one.matches('[type=range], [type=file], [type=checkbox]'))
            boxes.push([one.id, one.getBoundingClientRect()]);
    return boxes.flatMap(([name, box], index) => boxes.slice(index + 1)
        .filter(([, other]) => Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1
            && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 2)
        .map(([other]) => `${name} | ${other}`).concat(box.right > innerWidth ? [`${name} is cut off`] : []));
})"""


def test_no_texts_of_a_field_cover_each_other_under_a_finger(window, spec):
    window.wait_for_selector("#part-levels-1")
    phone = window.context.browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    try:
        page = phone.new_page()
        page.goto(f"{window.url.partition('#')[0]}#/small.yaml/levels/1")
        page.tap("#change")
        page.wait_for_selector("#form .graph .row")
        assert page.evaluate(CROSSING) == []
        page.tap("#more-settings")
        window.expect(page.locator("#form .reset:visible")).to_have_count(2)  # the size and the pairs
        assert page.evaluate(CROSSING) == []
        page.evaluate("() => document.querySelector('#all-settings').open = true")
        assert page.evaluate(CROSSING) == []
        # What is to be done gets a line of its own below the title.
        head, title = page.locator("header").bounding_box(), page.locator("#title")
        spec.write_text(SPEC.replace("paths: 4-5", "paths: ["))
        page.wait_for_selector("#state.bad")
        assert title.evaluate("title => title.scrollWidth <= title.clientWidth")
        assert page.locator("header").bounding_box()["height"] > head["height"]
    finally:
        phone.close()


def test_the_form_and_the_file_show_each_others_changes_and_a_click_puts_the_cursor_there(window, spec):
    enter(window, "#key-title", "Greater book")
    window.wait_for_selector(".paper >> text=Greater book")
    assert spec.read_text() == SPEC.replace("Small book ", "Greater book ")
    # Written in one piece: the studio might otherwise see the emptied file as one more change.
    write_file(spec, spec.read_text().replace("Greater book", "Greatest book"))
    window.wait_for_selector(".paper >> text=Greatest book")
    window.expect(window.locator("#key-title")).to_have_value("Greatest book")
    window.click("#undo")
    window.click("#show-reason")  # yes, although the file was changed elsewhere
    window.wait_for_selector(".paper >> text=Greater book")
    window.click("#undo")
    window.wait_for_selector(".paper >> text=Small book")
    assert spec.read_text() == SPEC
    window.click("#file")
    # Playwright refuses to click a place where something else lies above the text.
    window.click("textarea.yaml", position={"x": 60, "y": 14})
    window.keyboard.press("Home")
    window.keyboard.type("# My book\n")
    window.wait_for_selector(".paper >> text=Small book")
    written(window)
    window.expect(window.locator("#undo")).to_be_enabled()
    assert spec.read_text() == f"# My book\n{SPEC}"


def test_an_unreadable_file_leaves_the_fields_filled_and_locked(window, spec):
    window.wait_for_selector(".paper >> text=Small book")
    write_file(spec, SPEC.replace("levels:", "levels"))
    window.wait_for_selector("#state >> text=of the file can’t be read")
    window.expect(window.locator("#key-title")).to_have_value("Small book")
    window.wait_for_selector("#form[inert]")
    keep_picture(window, "unreadable")
    window.wait_for_selector("#state >> text=Line 6 of the file can’t be read")
    window.expect(window.locator("#build")).to_have_attribute("aria-disabled", "true")
    window.locator("#build").click(force=True)
    window.expect(window.locator("#mending .chief")).to_be_focused()
    window.expect(window.locator("#lines .bad")).to_have_text("levels")
    window.expect(window.locator("#mending pre")).to_have_text("− levels+ levels:")
    window.expect(window.locator("#note")).to_contain_text("This is your book as it was at")
    keep_picture(window, "mending")
    window.click("#note >> text=What changed since?")
    window.expect(window.locator("#dialog .changes")).to_have_text("Line 6 is different:− levels:+ levels")
    keep_picture(window, "changed")
    window.keyboard.press("Escape")
    window.click("text=Go back to the file of")
    window.wait_for_selector("#state >> text=Saved in small.yaml")
    window.expect(window.locator("#mending")).to_be_empty()
    window.expect(window.locator("#note")).to_be_empty()
    assert spec.read_text() == SPEC
    write_file(spec, SPEC.replace("page: {trim: 6x9in}", "page: {trim: 6x9in"))
    window.click("text=Put line 4 right")
    window.expect(window.locator("textarea.yaml")).to_have_value(SPEC)
    assert spec.read_text() == SPEC
    window.wait_for_selector("#state >> text=Saved in small.yaml")
    window.click("#file")
    window.click("#part-levels-1")
    window.wait_for_selector("#key-levels-1-paths-slider-0")
    write_file(spec, SPEC.replace("levels:", "levels"))
    window.wait_for_selector("#state >> text=of the file can’t be read")
    window.expect(window.locator("#key-levels-1-paths")).to_have_value("4")
    window.wait_for_selector("#form[inert]")


def test_a_refused_value_stays_with_the_reason_and_a_colour_that_is_not_set_is_the_books(window, spec):
    window.click("#part-whole")
    typed_instead(window, "#key-page-trim")
    enter(window, "#key-page-trim-other", "large")
    window.wait_for_selector("#key-page-trim-error >> text=a page size is written")
    assert window.input_value("#key-page-trim-other") == "large"
    assert spec.read_text() == SPEC
    window.select_option("#key-page-paper", label="Other …")
    enter(window, "#key-page-paper-other", "glossy")
    window.wait_for_selector("#key-page-paper-error >> text=generic has no paper 'glossy'")
    window.expect(window.locator("#key-page-paper")).to_have_attribute("aria-invalid", "true")
    enter(window, "#key-page-paper", "colour")
    window.expect(window.locator("#key-page-paper-error")).to_be_empty()
    window.expect(window.locator("#key-page-paper")).not_to_have_attribute("aria-invalid", "true")
    window.click("#part-cover")
    swatch = window.locator(".ink:has(#key-cover-background) [type=color]")
    window.expect(swatch).to_have_value(GROUND.hex)
    window.click("#all-settings > summary")
    enter(window, "#key-cover-background", "K60")
    window.expect(swatch).to_have_value("#666666")


def test_the_desk_fits_a_laptop_names_places_and_resets_and_keeps_colours_and_fields_in_sight(window, spec):
    window.wait_for_selector("#stage .spot", state="attached")
    names = window.eval_on_selector_all("#form .reset", "all => all.map((one) => one.ariaLabel)")
    assert len(names) > 2
    assert len({*names}) == len(names)
    assert not window.locator(".spot[draggable=null]").count()
    window.emulate_media(forced_colors="active", color_scheme="dark")
    window.wait_for_selector(".paper svg")
    colour = "(one) => getComputedStyle(one).backgroundColor"
    assert window.locator(".paper").first.evaluate(colour) == "rgb(255, 255, 255)"
    chosen, other = (f"#part-{name}" for name in ("opening", "cover"))
    assert window.locator(chosen).evaluate(colour) != window.locator(other).evaluate(colour)
    assert window.locator(".mini.shown").evaluate(colour) != window.locator(".mini").last.evaluate(colour)
    sides = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    for part in ("whole", "cover", "levels-0"):
        window.click(f"#part-{part}")
        assert window.evaluate(sides) == [1280, 800]
    window.wait_for_selector("#part-levels-1 img.thumb")
    parts = window.locator(".part").count()
    window.expect(window.locator(".part :is(img, svg).thumb")).to_have_count(parts)
    window.click("#part-levels-1")
    for name in ("Puzzle 4", "Level 2, name", "Page numbers"):
        window.wait_for_selector(f"#stage .spot[aria-label='{name}']", state="attached")
    names = window.eval_on_selector_all(".spot", "spots => spots.map((spot) => spot.ariaLabel)")
    assert not [name for name in names if "›" in name or "_" in name]
    window.set_viewport_size({"width": 1280, "height": 400})
    window.click("#part-whole")
    window.wait_for_selector("#key-isbn")
    for way in ("Tab", "click"):
        window.evaluate("document.getElementById('panel').scrollTop = 0")
        if way == "Tab":
            window.focus("#key-isbn")
        else:
            field = window.locator("#key-publisher")
            field.evaluate("(one) => one.scrollIntoView({ block: 'end' })")
            field.click()
        uncovered = window.wait_for_function(
            """() => {
                const focused = document.activeElement, field = focused.closest(".field");
                const words = field.querySelector(".meaning").getBoundingClientRect();
                const { top, bottom } = focused.getBoundingClientRect();
                return words.bottom <= top || bottom <= words.top;
            }"""
        )
        assert uncovered.json_value() is True


def open_first_puzzle(window, *, is_made):
    """Open a small book, perhaps wait until it is made, and open its first puzzle by the keyboard."""
    window.click("text=Small book")
    window.wait_for_selector(".paper svg")
    window.click("#part-levels-0")
    if is_made:
        window.expect(window.locator(".spot[aria-label='Puzzle 1']:not(.waiting)")).to_be_visible()
    window.focus("[aria-label='Puzzle 1']")
    window.keyboard.press("Enter")
    window.wait_for_selector(".spot-bar")
    window.keyboard.press("Tab")
    window.keyboard.press("Enter")


def typed_instead(window, key):
    """Choose to type something in the place of a list; the place comes when what is being written is."""
    if window.locator(f"details > {key}").is_hidden():
        window.click(f"{key}-others > summary")
    window.select_option(key, label="Other …")
    window.wait_for_selector(f"{key}-other:focus")


class Held:
    """The next request of an address, or its answer where it ``is_asked``, kept until it is let go."""

    def __init__(self, window, address, *, is_asked=False):
        self._window, self._is_asked = window, is_asked
        self._kept, self._is_free = [], True
        window.route(address, self._keep)

    def _keep(self, route):
        if not self._is_free:
            route.fallback()
        else:
            self._is_free = False  # before the fetch, during which another request may come
            self._kept.append((route, route.fetch() if self._is_asked else None))

    def came(self):
        """Wait for it; what waits is the page, since only then requests are heard of."""
        while not self._kept:
            self._window.wait_for_timeout(20)
        return self._kept[0]

    def let_go(self):
        route, answer = self.came()
        if answer:
            route.fulfill(response=answer)
        else:
            route.continue_()


def test_overlapping_changes_are_all_written_and_shown(window, tmp_path):
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC)
    late = Held(window, "**/api/book?*")
    window.dblclick("text=Small book")
    late.let_go()
    window.click("#part-levels-1")
    window.click("#all-settings > summary")
    held = Held(window, "**/api/change")
    window.select_option("#key-levels-1-difficulty", "easy")
    window.select_option("#key-levels-1-difficulty-to", "medium")
    enter(window, "#key-levels-1-size", "7")
    enter(window, "#key-levels-1-count", "many")
    window.fill("#key-levels-1-name", "Half typ")
    held.let_go()
    window.wait_for_selector("#key-levels-1-count-error >> text=many")
    assert window.input_value("#key-levels-1-count") == "many"
    assert window.input_value("#key-levels-1-difficulty-to") == "medium"
    assert window.evaluate("document.activeElement.value") == "Half typ"
    assert load_spec(spec).levels[1].difficulty == EvenMix((Difficulty.EASY, Difficulty.MEDIUM))
    window.click("#part-whole")
    written(window)
    assert [level.name for level in load_spec(spec).levels] == ["Easy", "Half typ"]
    window.click("#part-levels-1")
    assert window.input_value("#key-levels-1-count") == "many"
    assert window.input_value("#key-levels-1-size") == "7"


def test_text_typed_instead_of_a_list_choice_stays(window, spec):
    page = window.locator("#paper-page-1")
    window.expect(page).to_be_visible()
    before = page.bounding_box()["height"]
    window.click("#part-whole")
    written(window)
    typed_instead(window, "#key-page-trim")
    window.keyboard.type("7x")
    write_file(spec, SPEC.replace("seed: 7", "seed: 8"))
    window.wait_for_selector("#toast >> text=another program", state="attached")  # seen for 6 s
    written(window)
    window.keyboard.type("9in")
    window.keyboard.press("Tab")
    written(window)
    assert "trim: 7x9in" in spec.read_text()
    window.wait_for_function(
        "before => document.querySelector('#paper-page-1').offsetHeight < before", arg=before
    )
    assert window.input_value("#key-seed") == "8"


def test_typing_continues_while_the_text_is_written(window, tmp_path):
    for name in ("small", "other"):
        (tmp_path / f"{name}.yaml").write_text(SPEC.replace("Small", name.title()))
    window.wait_for_selector("text=Small book")
    late = Held(window, "**/api/book?file=small.yaml*")
    window.click("text=Small book")
    window.click("text=Other book")
    late.let_go()
    window.wait_for_selector("#title >> text=Other book")
    window.click("#file")
    held = Held(window, "**/api/text")
    window.fill("textarea.yaml", "# one\n" + SPEC)
    window.wait_for_selector("body.writing")
    window.fill("textarea.yaml", "# two\n" + SPEC)
    window.click("#file")
    held.let_go()
    written(window)
    assert (tmp_path / "other.yaml").read_text() == "# two\n" + SPEC
    assert not window.locator("#dialog").is_visible()
    assert (tmp_path / "small.yaml").read_text() == SPEC


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_book_changed_while_it_is_loading_is_shown_as_changed(window, tmp_path, is_heard):
    """The change is heard before the older book has come, or was told before the window listened."""
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC)
    late = Held(window, "**/api/book?*", is_asked=True)
    events = Held(window, "**/api/events")
    window.reload()
    window.evaluate(
        """() => {
            window.channel = new BroadcastChannel("events");
            channel.onmessage = ({ data }) => { if (data.event) window[data.event.event] = true; };
        }"""
    )
    if is_heard:
        events.let_go()
        window.wait_for_function("() => window.hello")
    window.click("text=Small book")
    turn = late.came()[1].json()["turn"]
    write_file(spec, SPEC.replace("seed: 7", "seed: 8"))
    window.evaluate(
        """async (turn) => {
            for (let now; !(now?.turn > turn && now.values.seed === "8");)
                now = await (await fetch("api/book?file=small.yaml")).json();
        }""",
        turn,
    )
    if not is_heard:
        events.let_go()
    window.wait_for_function("() => window.changed" if is_heard else "() => window.hello")
    late.let_go()
    window.click("#part-whole")
    window.expect(window.locator("#key-seed")).to_have_value("8")


def test_typing_continues_while_the_form_is_redrawn_also_in_an_opened_group(window, spec):
    window.fill("#key-subtitle", "Subtle")
    write_file(spec, SPEC.replace("seed: 7", "author: Ada\nseed: 8"))
    window.expect(window.locator("#key-author")).to_have_value("Ada")
    window.expect(window.locator("#key-subtitle")).to_have_value("Subtle")
    window.press("#key-subtitle", "Tab")
    window.wait_for_selector(".paper >> text=Subtle")
    assert (load_spec(spec).seed, load_spec(spec).subtitle) == (8, "Subtle")
    window.click("#part-whole")
    window.click("#all-settings > summary")
    window.click("#key-page-margins > summary")
    window.click("#key-page-margins-inside")
    window.keyboard.type("2")
    window.evaluate("document.getElementById('key-page-margins-inside').dataset.drawn = 'before'")
    write_file(spec, spec.read_text().replace("seed: 8", "seed: 9"))
    window.wait_for_selector("#key-page-margins-inside:not([data-drawn])")
    window.keyboard.type("0")
    window.keyboard.press("Tab")
    window.wait_for_selector(".field:not(.usual) #key-page-margins-inside")
    written(window)
    assert load_spec(spec).page.margins.inside == pytest.approx(20 * MM_PT)


def test_ranges_have_two_ends_lengths_a_unit_and_names_are_chosen(window, spec):
    window.click("#part-levels-1")
    window.click("#all-settings > summary")
    window.select_option("#key-levels-1-difficulty", "easy")
    window.select_option("#key-levels-1-difficulty-to", "medium")
    enter(window, "#key-levels-1-paths", "5")
    window.click("#part-whole")
    window.click("#all-settings > summary")
    window.click("#key-page-margins > summary")
    enter(window, "#key-page-margins-inside", "wide")
    window.wait_for_selector("#key-page-margins-inside-error >> text=wide")
    assert window.evaluate("document.activeElement.id") == "key-page-margins-inside-unit"
    enter(window, "#key-page-margins-inside", "20")
    window.select_option("#key-page-printer", label="Lulu")
    window.click("#part-cover")
    window.click("#all-settings > summary")
    window.select_option("#key-cover-design", "river")
    written(window)
    window.wait_for_selector(".paper.cover svg")
    levels = load_spec(spec).levels[1]
    assert (levels.paths, levels.difficulty) == (Span(5, 5), EvenMix((Difficulty.EASY, Difficulty.MEDIUM)))
    assert load_spec(spec).page.margins.inside == pytest.approx(20 * MM_PT)


def test_the_shelf_shows_covers_in_their_shape_and_the_next_board_of_a_feed_with_its_parts_in_full(
    window, tmp_path
):
    (tmp_path / "daily.yaml").write_text(FEED)
    (tmp_path / "small.yaml").write_text(SPEC.replace("6x9in", "8.5x8.5in"))
    front = window.locator("[id='spec-small.yaml'] > img")
    front.wait_for()
    box, card = front.bounding_box(), window.locator("[id='spec-small.yaml']").bounding_box()
    assert abs(box["width"] - box["height"]) < 1
    assert card["x"] <= box["x"]
    assert box["x"] + box["width"] <= card["x"] + card["width"]
    window.expect(window.locator("[id='spec-daily.yaml'] > img")).to_be_visible()
    window.click("text=Daily")
    window.wait_for_selector(".day")
    window.set_viewport_size({"width": 390, "height": 844})
    window.click("#sheets >> text=Parts")
    names = window.locator(".part .name:visible")
    assert names.count() == 4 + 7
    assert names.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


def test_books_are_renamed_copied_and_discarded_on_the_shelf_of_all_windows(window, tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC)
    second = window.context.new_page()
    second.goto(window.url)

    def choose(path, word, *, shown, hidden=""):
        window.click(f"[id='more-{path}']")
        window.click(f"[id='menu-{path}'] >> text={word}")
        for page in (window, second):
            page.locator(f"[id='spec-{shown}']").wait_for(timeout=3000)
            if hidden:
                page.locator(f"[id='spec-{hidden}']").wait_for(state="detached", timeout=3000)

    second.wait_for_selector("text=Small book")
    choose("small.yaml", "Duplicate", shown="small-2.yaml")
    seed = load_spec(tmp_path / "small-2.yaml").seed
    window.expect(window.locator("#toast")).to_contain_text("It has the same puzzles as the first.")
    window.click("text=Use new puzzles")
    window.expect(window.locator("#toast")).to_be_hidden()
    assert seed == load_spec(tmp_path / "small.yaml").seed != load_spec(tmp_path / "small-2.yaml").seed
    window.fill("#search", "book 2")
    window.expect(window.locator("[id='spec-small.yaml']")).not_to_be_visible()
    window.expect(window.locator("[id='spec-small-2.yaml']")).to_be_visible()
    window.fill("#search", "")
    window.expect(window.locator("[id='spec-small.yaml']")).to_be_visible()
    choose("small-2.yaml", "Rename the file", shown="small-2.yaml")
    window.expect(window.locator("#new-name")).to_be_focused()
    window.expect(window.locator("#new-title-other")).to_be_hidden()
    enter(window, "#new-name", "small")
    window.click("dialog >> button:text-is('Rename')")
    window.wait_for_selector("dialog >> text=small.yaml exists already; choose another name.")
    window.fill("#new-name", "big")
    window.check("#new-title-too")
    window.expect(window.locator("#dialog #new-title")).to_have_value("Small book 2")
    window.fill("#dialog #new-title", "Big book")
    window.press("#dialog #new-title", "Enter")
    window.expect(window.locator("[id='spec-big.yaml']")).to_be_focused()
    second.wait_for_selector("[id='spec-big.yaml'] >> text=Big book")
    assert not window.locator("[id='spec-small-2.yaml'], dialog[open]").count()
    choose("big.yaml", "Move to the trash", shown="small.yaml", hidden="big.yaml")
    window.expect(window.locator("#toast")).to_contain_text("Moved to the trash.")
    window.click("#toast >> text=Undo")
    second.wait_for_selector("[id='spec-big.yaml']")
    choose("big.yaml", "Move to the trash", shown="small.yaml", hidden="big.yaml")
    second.click("text=Put back big.yaml")
    window.wait_for_selector("[id='spec-big.yaml']")
    window.wait_for_selector("text=In the trash", state="detached")
    assert load_spec(tmp_path / "big.yaml").title == "Big book"


def test_a_picture_is_chosen_from_the_folder_or_uploaded(window, tmp_path):
    folder, spec = tmp_path / "mine", tmp_path / "mine" / "small.yaml"
    (folder / "art").mkdir(parents=True)
    spec.write_text(SPEC)
    Image.new("RGB", (1900, 2800), "#208020").save(folder / "art" / "green.png", dpi=(300, 300))
    window.click("text=Small book")
    window.click("#part-cover")
    window.select_option("select#key-cover-image", "art/green.png")  # a list once the pages have come
    window.wait_for_selector(".paper.cover image", state="attached")
    Image.new("RGB", (1900, 2800), "#2020a0").save(tmp_path / "blue.jpg", dpi=(300, 300))
    window.set_input_files(".picture:has(#key-cover-image) [type=file]", tmp_path / "blue.jpg")
    window.expect(window.locator("#key-cover-image")).to_have_value("blue.jpg")
    written(window)
    assert "image: blue.jpg" in spec.read_text()
    assert (folder / "blue.jpg").read_bytes() == (tmp_path / "blue.jpg").read_bytes()
    first = (folder / "blue.jpg").read_bytes()
    Image.new("RGB", (1900, 2800), "#a02020").save(tmp_path / "blue.jpg", dpi=(300, 300))
    for word, kept, saved in (("Keep both", first, "blue-2.jpg"), ("Replace", b"", "blue.jpg")):
        window.set_input_files(".picture:has(#key-cover-image) [type=file]", tmp_path / "blue.jpg")
        window.wait_for_selector("dialog >> text=Another picture has that name. Replace it, or keep both?")
        window.click(f"dialog >> button:text-is('{word}')")
        window.expect(window.locator("#key-cover-image")).to_have_value(saved)
        written(window)
        assert (folder / "blue.jpg").read_bytes() == kept or not kept
        assert (folder / saved).read_bytes() == (tmp_path / "blue.jpg").read_bytes()


def test_a_picture_dropped_anywhere_is_asked_about_and_replaces_the_design(window, tmp_path):
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC.replace("cover: yes", "cover: {design: river, palette: 2}"))
    window.click("text=Small book")
    window.wait_for_selector(".paper svg")
    picture = io.BytesIO()
    Image.new("RGB", (1900, 2800), "#208020").save(picture, "PNG", dpi=(300, 300))
    dropped = """([place, bytes]) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "green.png", { type: "image/png" }));
        const names = { dataTransfer: data, bubbles: true, cancelable: true };
        return !document.querySelector(place).dispatchEvent(new DragEvent("drop", names));
    }"""
    window.wait_for_url(re.compile("/p1$"))  # the address follows after a pause
    address = window.url
    for place in (".paper", "#stage", "header", "#panel", "#rail"):
        assert window.evaluate(dropped, [place, [*picture.getvalue()]])
        window.wait_for_selector("dialog >> text=What is green.png for?")
        window.keyboard.press("Escape")
        assert window.url == address
    assert window.evaluate(dropped, ["#rail", [*picture.getvalue()]])
    window.wait_for_selector("dialog >> text=What is green.png for?")
    keep_picture(window, "dropped")
    window.click("dialog >> text=Finished front, title and all")
    window.wait_for_selector(".paper.cover image", state="attached")
    assert parse_yaml(spec.read_text(), "").value["cover"] == {"front": "green.png"}
    window.click("#all-settings > summary")
    window.select_option("#key-cover-design", "river")
    window.wait_for_selector("#key-cover-design-error:has-text('leave')")
    keep_picture(window, "contrary")
    window.click("text=Use this and leave out: front >> visible=true")
    window.expect(window.locator(".contrary:visible")).to_have_count(0)
    written(window)
    assert parse_yaml(spec.read_text(), "").value["cover"] == {"design": "river"}


@making_puzzles
def test_a_puzzle_is_swapped_and_swapped_back_by_keyboard(window, tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC)
    ask = "() => fetch('api/puzzle?file=small.yaml&number=1').then((answer) => answer.json())"
    open_first_puzzle(window, is_made=True)
    window.wait_for_selector("#drawn-answer svg")
    first = window.evaluate(ask)["fingerprint"]
    assert window.locator("#dialog dd").last.inner_text() == first
    window.keyboard.press("Escape")
    window.focus(".spot-bar >> text=Swap")
    window.keyboard.press("Enter")
    window.wait_for_selector(".spot-bar >> text=Back to the first")
    window.expect(window.locator("#state")).to_have_text("Saved in small.yaml")
    assert window.evaluate(ask)["fingerprint"] != first
    bar, play = window.locator(".spot-bar .tools"), window.locator(".spot-bar >> text=Play")
    for _ in range(5):
        window.click("#tools [aria-label=Larger]")
    window.locator(".spot.chosen").evaluate(
        "(spot) => document.querySelector('#stage').scrollBy(0, spot.getBoundingClientRect().top)"
    )
    window.expect(bar).to_be_in_viewport(ratio=1)
    keep_picture(window, "bar-scrolled")
    window.click("text=Fit")
    window.set_viewport_size({"width": 390, "height": 800})
    window.evaluate("document.querySelector('#paper-page-6').scrollIntoView()")
    window.expect(play).to_be_in_viewport(ratio=1)
    window.expect(bar).to_be_in_viewport(ratio=1)
    keep_picture(window, "bar-phone")
    window.focus(".spot-bar >> text=Back to the first")
    window.keyboard.press("Enter")
    window.wait_for_selector(".spot-bar >> text=Back to the first", state="detached")
    window.expect(window.locator(".spot-bar >> text=Swap")).to_be_focused()
    window.expect(window.locator("#state")).to_have_text("Saved in small.yaml")
    assert window.evaluate(ask)["fingerprint"] == first
    assert (tmp_path / "small.yaml").read_text() == SPEC


def test_answers_write_a_spanish_book_with_its_levels_in_spanish(window, tmp_path):
    window.click(".guide .chief")
    window.select_option("#guide-reader", "everyone")
    window.select_option("#guide-language", label="Spanish")
    window.select_option("#guide-hardness", label="Hard from early on")
    window.fill("#new-title", "Líneas para Lina")
    window.click("text=Make this book")
    window.wait_for_selector(".paper >> text=Líneas para Lina")
    window.click("#part-levels-0")
    window.wait_for_selector(".paper >> text=Medio")
    assert (
        list(Difficulty)
        == window.locator("#key-levels-0-difficulty option:not([value=''])").all_text_contents()
    )
    enter(window, "#key-levels-0-title", "Primeros pasos")
    window.wait_for_selector(".paper >> text=Primeros pasos")
    text = (tmp_path / "lineas-para-lina.yaml").read_text()
    assert re.search(r"language: es +# of all words", text)
    assert "title: Primeros pasos" in text


def open_december(window, tmp_path, spec=FEED):
    """Open a feed on the first of December 2026."""
    path = tmp_path / "daily.yaml"
    path.write_text(spec)
    window.clock.set_fixed_time("2026-12-01T12:00:00")
    window.reload()
    window.click("text=Daily")
    window.wait_for_selector("#day-2026-12-29 .board[src]")
    return path


def test_a_day_of_a_feed_is_swapped_and_left_out_by_keyboard(window, tmp_path):
    spec = open_december(window, tmp_path)
    first = window.get_attribute("#day-2026-12-08 .board", "src")
    window.focus("#day-2026-12-01")
    window.keyboard.press("ArrowUp")  # the calendar turns to the month of the day a week before
    window.wait_for_selector("#day-2026-11-24:focus")
    window.keyboard.press("ArrowDown")
    window.wait_for_selector("#day-2026-12-01:focus")
    window.keyboard.press("ArrowDown")
    window.keyboard.press("Enter")
    window.wait_for_selector("#inspector-head >> text=Tuesday, December 8")
    window.wait_for_selector("img.print")
    swap = window.locator("#day-panel button:has-text('Swap for another')")
    swap.press("Enter")
    window.wait_for_selector("#day-2026-12-08 >> text=Swapped")
    window.expect(swap).to_be_focused()
    window.wait_for_selector("#day-2026-12-08 .board[src]")
    assert window.get_attribute("#day-2026-12-08 .board", "src") != first
    assert "2026-12-08: 1" in spec.read_text().replace('"', "")
    window.keyboard.press("Escape")
    window.wait_for_selector("#day-2026-12-08:focus")
    window.set_viewport_size({"width": 640, "height": 400})
    window.keyboard.press("Enter")
    window.expect(window.locator("#day-2026-12-08")).to_be_in_viewport(ratio=0.9)
    window.press("#done", "Enter")
    window.wait_for_selector("#day-2026-12-08:focus")
    window.set_viewport_size({"width": 1280, "height": 800})
    window.click("#undo")
    window.wait_for_selector("#day-2026-12-08 >> text=Planned")
    assert spec.read_text() == FEED
    window.click("#day-2026-12-07")
    for way in ("text=Give this day a puzzle", "#day-2026-12-07 >> text=Add one"):
        window.click("text=No puzzle that day")
        window.wait_for_selector("#day-2026-12-07 >> text=No puzzle")
        window.click(way)
        window.wait_for_selector("#day-2026-12-07 >> text=Planned")
    assert spec.read_text() == FEED
    window.click(".weekdays >> text=Monday")
    window.wait_for_selector("#key-week-monday-size")
    window.expect(window.locator("#head-monday")).to_have_attribute("aria-current", "true")
    window.click("text=More settings")
    window.click("#feed-parts >> text=Week")
    window.expect(window.locator("#key-week > fieldset")).to_have_count(7)


def test_no_day_of_a_month_overlaps_another_and_its_panel_is_seen_whole(window, tmp_path):
    open_december(window, tmp_path, FEED + "replace: {2026-12-07: 1}\n")
    boxes = """() => [...document.querySelectorAll('.day')].filter((day) => day.offsetWidth).map((day) => {
        const { left, top, right, bottom } = day.getBoundingClientRect();
        const inner = [...day.querySelectorAll('.board, strong')].every((one) => {
            const box = one.getBoundingClientRect();
            return box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
        });
        return [left, top, right, bottom, inner];
    })"""
    for width in (390, 640, 1024, 1280, 1920):  # 640 is 1280 at 200 %
        window.set_viewport_size({"width": width, "height": 400 if width == 640 else 800})
        days = window.evaluate(boxes)
        assert len(days) >= 31, width
        assert all(inner for *_, inner in days), width
        apart = (
            one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
            for one, two in itertools.combinations(days, 2)
        )  # fmt: skip
        assert all(apart), width
        assert min(right - left for left, _, right, *_ in days) > (140 if width == 390 else 60), width
        assert window.evaluate("document.documentElement.scrollWidth") == width
        window.click("#day-2026-12-08")
        window.wait_for_function("() => document.querySelector('img.print')?.naturalWidth")
        box, panel = window.locator("img.print").bounding_box(), window.locator("#panel").bounding_box()
        assert panel["x"] + panel["width"] <= width
        assert panel["x"] <= box["x"] < box["x"] + box["width"] <= panel["x"] + panel["width"], width
        if width == 1280:
            assert box["y"] + box["height"] <= 800
        keep_picture(window, f"calendar-{width}")
        window.keyboard.press("Escape")
        window.wait_for_selector("#day-2026-12-08:focus")


def test_images_and_pages_of_made_days_are_seen_and_saved_byte_for_byte(window, tmp_path, serve):
    out = tmp_path / "output" / "daily"
    address = serve(out)
    web = f"web: {{url: {address}/web}}\n"
    spec = FEED.replace("dpi: 300", "dpi: 300, format: [png, tiff]") + web
    open_december(window, tmp_path, spec)
    assert window.inner_text("#build") == "Make December 1 to 29"
    window.click("#build")
    window.wait_for_selector("#day-2026-12-29 >> text=Made")
    assert window.inner_text("#days-made") == "9 of 9 made"
    window.expect(window.locator("#build")).to_have_text("Make January 4 to 26")  # and not "all is made"
    window.wait_for_selector("#state >> text=Made up to December 29. Saved in daily.yaml")
    window.click("#day-2026-12-08")
    for tab in ("Puzzle", "Solution"):
        window.click(f"#day-panel button:text-is('{tab}')")
        window.wait_for_function("() => document.querySelector('img.print')?.naturalWidth")
        for link in window.locator("#day-panel a[download]").all():
            with window.expect_download() as saved:
                link.click()
            made = out / saved.value.suggested_filename
            assert Path(saved.value.path()).read_bytes() == made.read_bytes()
    window.click("#day-panel >> text=Web page")
    code = window.inner_text("#embed")
    spec_file = tmp_path / "daily.yaml"
    window.click("text=Swap for another")
    window.wait_for_selector("#day-2026-12-08 >> text=Swapped")
    window.wait_for_selector("#day-panel >> text=Its files can be saved when the day is made.")
    assert not window.locator("#day-panel >> text=Web page").count()  # it is that of the other puzzle
    window.click("#undo")
    window.wait_for_selector("#day-panel >> text=Web page")
    assert spec_file.read_text() == spec
    paper = window.context.new_page()
    paper.set_content(f"<p>An article.</p>{code}")
    paper.frame_locator("iframe").locator("[role=gridcell]").first.wait_for()
    assert "/2026-12-08/" in code
    window.click("#home")
    window.wait_for_selector("[id='spec-daily.yaml'] >> text=Made up to December 29")


@making_puzzles
def test_an_answer_is_requested_again_if_an_older_request_overtook_its_own(window, tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC)
    window.route(
        "**/api/puzzle?*", lambda route: route.fulfill(json={"html": '<div id="drawn-answer"></div>'})
    )
    empty = [""]
    window.route(
        "**/api/drawing?*what=answer*",
        lambda route: route.fulfill(
            body=empty.pop() if empty else '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        ),
    )
    open_first_puzzle(window, is_made=False)
    window.expect(window.locator("#drawn-answer svg")).to_be_visible()


def test_a_puzzle_that_arrives_after_its_book_was_closed_is_not_shown(window, tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC)
    late = Held(window, "**/api/puzzle?*")
    open_first_puzzle(window, is_made=False)
    route, _ = late.came()
    window.click("#home")
    with window.expect_event("requestfinished", lambda request: "/api/puzzle" in request.url):
        route.fulfill(json={"html": "<p>Late</p>"})
    window.evaluate("() => new Promise((next) => setTimeout(next))")
    assert not window.locator("#dialog").is_visible()


def test_only_pages_near_the_visible_ones_are_drawn(window, tmp_path):
    (tmp_path / "long.yaml").write_text(SPEC.replace("count: 3", "count: 60, per_page: 1"))
    window.click("text=Small book")
    window.wait_for_selector("#stage [data-number='1'] svg")
    last = window.locator("#stage [data-number]").last.get_attribute("data-number")
    window.locator("#strip [data-number]").last.click()
    window.wait_for_selector(f"#stage [data-number='{last}'] svg")
    window.wait_for_selector("#stage [data-number='1']:empty", state="attached")
    assert window.locator("#stage svg").count() < 12
    window.wait_for_selector(f"#strip .shown[data-number='{last}']")
    window.click("#all-settings > summary")
    enter(window, "#key-year", "2030")
    written(window)
    assert window.locator("#shown-pages").inner_text().endswith(f" {last} of {last}")


def test_a_page_is_requested_again_if_an_older_request_overtook_its_own(window, tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC)
    looks = []  # only the first is answered, since each answer redraws all pages
    window.route("**/api/pages?*", lambda route: looks.append(route) or (looks[1:] or route.continue_()))
    window.route("**/api/drawing?*number=1&place=*", lambda route: route.fulfill(body=""), times=2)
    window.click("text=Small book")
    window.expect(window.locator("#stage [data-number='1'] svg")).to_be_visible()


# A job of the studio whose build begins when a file is there, so that it can't end before it is stopped.
def test_zones_problems_file_and_anything_else_are_reached_by_keys(window, spec):
    window.wait_for_selector("#stage svg")
    press, focused = window.keyboard.press, "document.activeElement.closest('header, nav, section').id"
    window.focus("#part-opening")
    zones = []
    for key in ("F6", "F6", "F6", "F6", "Shift+F6"):
        press(key)
        zones.append(window.evaluate(focused))
    window.set_viewport_size({"width": 640, "height": 400})
    for _ in range(3):
        press("F6")
        zones.append(window.evaluate(focused))
    window.set_viewport_size({"width": 1280, "height": 800})
    assert zones == ["right", "inspector", "", "rail", "", "right", "glance", "sheets"]
    press("Control+e")
    window.wait_for_selector("textarea.yaml:focus")
    press("Control+e")
    window.wait_for_selector("#panel:focus #form")
    press("Control+k")
    window.keyboard.type("gutter")
    press("Enter")
    window.wait_for_selector("#found >> text=Nothing has this name")
    window.fill("#find", "levels.1.per_page")
    press("Enter")
    window.wait_for_function("() => document.activeElement.id === 'key-levels-1-per_page'")
    press("Control+k")
    window.keyboard.type("4")
    press("Enter")
    window.expect(window.locator(".spot.chosen[aria-label='Puzzle 4']")).to_be_in_viewport()
    window.focus("#stage")
    press("?")
    window.wait_for_selector("dialog >> text=Shift + F6")
    press("Escape")
    write_file(spec, SPEC.replace("count: 2", "count: none"))
    window.wait_for_selector("#state >> text=One problem")
    press("F8")
    window.wait_for_function("() => document.activeElement.id === 'key-levels-1-count'")
    window.click("[aria-label=Keys]")
    window.expect(window.locator("#keys")).to_be_visible()


def test_a_failed_build_names_fields_and_no_keys(window, spec):
    write_file(spec, SPEC.replace("count: 2", "count: none"))
    window.wait_for_selector("#state >> text=One problem")
    window.click("#build")
    problem = window.locator("#build-panel .problems button")
    window.expect(problem.locator("strong")).to_have_text("Level 2, Puzzles")
    assert "levels[1].count" not in window.inner_text("#build-panel")
    problem.click()
    window.wait_for_function("() => document.activeElement.id === 'key-levels-1-count'")
    write_file(
        spec, SPEC + "  - {name: None, technique: fiendish, effort: 0.1, size: 5, paths: 4, count: 1}\n"
    )
    window.wait_for_selector("#part-levels-2")
    window.click("#build")
    window.wait_for_selector("#build-panel h2 >> text=The book was not built.")
    window.expect(window.locator("#build-panel .error")).to_contain_text("puzzle 1 of level None")
    assert not re.search(r"\w: \d", window.inner_text("#build-panel .error"))
    window.wait_for_selector("#state.bad")
    write_file(spec, SPEC)
    window.wait_for_selector("#state.good >> text=Saved in small.yaml")


@making_puzzles
def test_a_level_that_cannot_be_made_is_reported_while_the_rest_is_made(window, tmp_path):
    spec, hopeless = tmp_path / "small.yaml", "technique: fiendish, effort: 0.1, count: 2}\n"
    many = "size: 14, paths: 14-18, count: 120"
    spec.write_text(
        SPEC.replace("size: 5, paths: 4, count: 3", many) + "  - {name: None, size: 5, paths: 4, " + hopeless
    )
    window.click("text=Small book")
    window.click("#build")
    window.wait_for_selector("#build-panel [role=alert] >> text=puzzle 1 of level None")
    window.click("#build")
    window.wait_for_selector("text=Stopped. What is made is kept")
    window.click("#state:has-text('None can') button")
    window.click("#key-levels-2 .ways button:has-text('that turn up')")
    window.wait_for_selector("#state >> text=Saved in small.yaml")
    assert load_spec(spec).levels[2].otherwise is IfMissing.NEAREST


def test_undo_by_key_or_menu_in_a_field_drops_what_is_typed_and_then_undoes_the_file(window, spec):
    enter(window, "#key-title", "Greater book")
    window.wait_for_selector("body:not(.writing)")
    window.type("#key-subtitle", "Sub")
    window.keyboard.press("Control+z")
    assert window.input_value("#key-subtitle") == ""
    assert window.input_value("#key-title") == "Greater book"
    window.click("#part-whole")
    typed_instead(window, "#key-page-trim")
    enter(window, "#key-page-trim-other", "large")
    window.wait_for_selector("#key-page-trim-error >> text=a page size is written")
    window.press("#key-page-trim-other", "Control+z")
    window.expect(window.locator("#key-page-trim")).to_have_value("6x9in")
    window.keyboard.press("Control+z")
    window.expect(window.locator("#key-title")).to_have_value("Small book")
    window.wait_for_function("() => document.activeElement.id === 'key-title'")
    assert spec.read_text() == SPEC
    assert window.get_attribute("#redo", "title") == "Redo: title"
    window.keyboard.press("Control+Shift+z")
    window.expect(window.locator("#key-title")).to_have_value("Greater book")
    window.click("#file")
    window.type("textarea.yaml", "# mine")
    window.keyboard.press("Control+z")
    assert "# mine" not in window.input_value("textarea.yaml")
    window.keyboard.press("Control+z")
    window.expect(window.locator("textarea.yaml")).to_have_value(SPEC)
    window.click("#file")
    window.click("#part-opening")
    enter(window, "#key-subtitle", "Quiet")
    written(window)
    assert load_spec(spec).subtitle == "Quiet"
    undo = """(field) => !field.dispatchEvent(
        new InputEvent("beforeinput", { inputType: "historyUndo", bubbles: true, cancelable: true })
    )"""
    assert window.locator("#key-subtitle").evaluate(undo)
    window.expect(window.locator("#key-subtitle")).to_have_value("")
    assert spec.read_text() == SPEC


def test_a_change_draws_only_the_small_pages_in_view_again(window, spec):
    write_file(spec, SPEC.replace("count: 2", "count: 300"))
    window.click("#views >> text=All pages")
    window.wait_for_selector("#strip :nth-child(180) img", state="attached")
    for number in range(1, 181, 10):
        window.evaluate(f"document.querySelector('#strip :nth-child({number}) img').scrollIntoView()")
        window.wait_for_function(
            "(number) => document.querySelector(`#strip :nth-child(${number}) img`).naturalWidth", arg=number
        )
    drawn = []
    window.on("request", lambda request: drawn.append(request.url) if "/tile?" in request.url else None)
    first = window.locator("#strip :first-child > img")
    before = first.get_attribute("src")
    enter(window, "#key-title", "Greater book")
    first.scroll_into_view_if_needed()
    window.expect(first).not_to_have_attribute("src", before)
    window.wait_for_function("() => document.querySelector('#strip img').complete")
    assert 0 < len({url for url in drawn if "what=page" in url}) < 130


def test_lines_that_two_windows_change_are_asked_about_and_no_other_is_lost(window, spec):
    window.click("#file")
    held = Held(window, "**/api/events")  # so that the change of the file isn't heard of before
    window.reload()
    window.click("#file")
    write_file(spec, SPEC.replace("seed: 7", "seed: 8").replace("count: 2", "count: 3"))
    mine = SPEC.replace("seed: 7", "seed: 9") + "author: Me\n"
    window.fill("textarea.yaml", mine)
    lines = window.locator("#mending pre")
    window.expect(lines).to_have_text(["seed: 9", "seed: 8"])
    window.expect(window.locator("#state")).to_contain_text("Changed in another window too.")
    keep_picture(window, "conflict")
    window.press("textarea.yaml", "Control+End")
    window.keyboard.type("year: 2030")  # the text can be edited while the question stands
    window.click("#part-levels-1")
    window.click("#file")  # and isn't lost if the file is left
    window.click("#show-reason")
    window.expect(lines).to_have_text(["seed: 9", "seed: 8"])
    window.expect(window.locator("textarea.yaml")).to_have_value(mine + "year: 2030")
    window.click("text=Keep mine")
    written(window)
    merged = mine.replace("count: 2", "count: 3") + "year: 2030"
    window.expect(window.locator("textarea.yaml")).to_have_value(merged)
    window.expect(window.locator("#mending")).to_be_empty()
    assert spec.read_text() == merged
    held.let_go()


def test_the_text_is_coloured_and_marks_the_selection_and_wrong_lines(window, spec):
    text = SPEC.replace("cover: yes", "cover:\n  blurb: |\n    Note: it's # text.")
    text = text.replace("Small book", "'It''s'") + "subtitle: " + "Wide " * 35 + "\n"
    write_file(spec, text)
    window.click("#file")
    rows, area = window.locator("#lines > div"), window.locator("textarea.yaml")
    window.expect(rows).to_have_text(text.split("\n"))
    found = {
        kind: window.locator(f"#lines .{kind}").all_inner_texts() for kind in ("key", "number", "quoted")
    }
    assert found["key"][:6] == ["title", "seed", "page", "trim", "cover", "blurb"]
    assert found["number"] == ["7", "6x9in", "5", "4", "3", "6", "4-5", "2"]
    assert found["quoted"] == ["'It''s'", "    Note: it's # text."]
    window.click("#part-levels-1")
    own = window.locator("#lines > .own")
    window.expect(own).to_have_text(
        ["  - name: Hard", "    size: 6       # squares", "    paths: 4-5", "    count: 2"]
    )
    keep_picture(window, "file")
    heights = "() => [...document.querySelectorAll('.editor > *')].map((one) => one.scrollHeight)"
    for width, height in ((1280, 800), (640, 400), (390, 844)):  # 640 is 1280 at 200 %
        window.set_viewport_size({"width": width, "height": height})
        if width < 900:
            window.click("#sheets >> text=File")
        window.wait_for_timeout(100)
        layer, typed = window.evaluate(heights)
        assert layer == typed > 300
    window.set_viewport_size({"width": 1280, "height": 400})
    area.evaluate("(one) => { one.scrollTop = 60; }")
    window.wait_for_function("() => document.querySelector('#lines').scrollTop === 60")
    window.press("textarea.yaml", "Control+End")
    window.keyboard.type("year: 1 # now")
    window.expect(rows.last.locator("span").first).to_have_text("year")
    window.press("textarea.yaml", "Control+z")
    write_file(spec, text.replace("count: 2", "count: none"))
    window.expect(window.locator("#lines > .bad")).to_have_text("    count: none")


def test_typing_after_redo_is_no_conflict(window, spec):
    window.click("#file")
    window.fill("textarea.yaml", SPEC.replace("seed: 7", "seed: 8"))
    window.press("textarea.yaml", "Control+z")
    with window.expect_response("**/api/text"):
        window.fill("textarea.yaml", SPEC.replace("seed: 7", "seed: 9"))
    written(window)
    window.press("textarea.yaml", "Control+z")
    window.expect(window.locator("textarea.yaml")).to_have_value(SPEC)
    held = Held(window, "**/api/redo")
    window.press("textarea.yaml", "Control+Shift+z")
    window.keyboard.type("seed: ")  # on the line that the redone step changes
    held.let_go()
    window.expect(window.locator("textarea.yaml")).to_have_value(SPEC.replace("seed: 7", "seed: 9"))
    window.keyboard.type("# mine")
    window.wait_for_function("() => !document.querySelector('textarea').readOnly")
    window.click("#file")
    written(window)
    assert not window.locator("#dialog").is_visible()


def test_two_windows_on_one_book_see_each_others_changes_and_build(window, spec):
    window.wait_for_selector(".paper svg")
    other = window.context.new_page()
    other.goto(window.url)
    other.wait_for_selector("#key-title")
    enter(window, "#key-title", "Greater book")
    other.wait_for_selector(".paper >> text=Greater book")
    # The form may be updated after the pages.
    window.expect(other.locator("#key-title")).to_have_value("Greater book")
    text = SPEC.replace("Small", "Greater")
    spec.unlink()
    enter(window, "#key-author", "Nobody")
    window.wait_for_selector("#key-author-error >> text=no such book")
    window.press("#key-author", "Control+z")
    for now, told in ((text.replace("cover:", "covr:"), "One problem"), (text, "Saved in")):
        write_file(spec, now)
        for shown in (window, other):
            window.expect(shown.locator("#state")).to_contain_text(told)
    other.click("#build")
    window.click("#state:has-text('Nothing has changed since') button")
    window.wait_for_selector("text=Your book is ready to print")
    other.reload()
    other.click("#state:has-text('Nothing has changed since') button")
    other.wait_for_selector("text=Your book is ready to print")
    write_file(spec, text + "price: {USD: 9.99}\n")  # printed nowhere
    other.reload()
    other.click("#state:has-text('Nothing has changed since') button")


def test_changes_are_on_the_disk_when_the_studio_is_killed(chromium, tmp_path):
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC)
    command = [sys.executable, "-m", "linkpress", "studio", str(tmp_path), "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as studio:
        window = chromium.new_context().new_page()
        window.goto(next(line for line in studio.stderr if line.startswith("http")).strip())
        window.click("text=Small book")
        window.click("#file")
        window.fill("textarea.yaml", SPEC.replace("Small book", "Half typ"))
        window.wait_for_selector(".paper >> text=Half typ")
        studio.kill()
    assert spec.read_text() == SPEC.replace("Small book", "Half typ")
    window.wait_for_selector("text=The studio has ended")
    window.context.close()


def test_a_build_by_a_command_is_shown_without_moving_the_layout(window, spec, tmp_path):
    window.set_viewport_size({"width": 1600, "height": 800})
    window.wait_for_selector(".paper svg")
    window.wait_for_selector("#state >> text=Making 5 puzzles for the pages")
    places = "() => ['#rail', '#panel', '#views', '#stage', '#build', '#key-title'].map((one) => "
    places += "{ const { x, y, width, height } = document.querySelector(one).getBoundingClientRect(); "
    places += "return [one, x, y, width, height]; })"
    before = window.evaluate(places)
    folder = tmp_path / "output" / "small-book"
    with lock_folder(folder):
        (folder / LOCK).touch()  # a build does this when it has locked the folder
        window.expect(window.locator("#state")).to_contain_text("Another program is building this book")
        assert window.evaluate(places) == before
    window.expect(window.locator("#state")).to_contain_text("Saved in small.yaml")
    enter(window, "#key-title", "Other book")
    window.wait_for_selector(".paper >> text=Other book")
    assert window.evaluate(places) == before


def test_a_spanish_edition_is_added_and_built_with_its_book(window, spec, tmp_path):
    window.click("#part-editions")
    window.click("#key-editions > .tools >> text=Spanish")
    hint = window.locator("#key-editions-es-levels-0-title")
    window.expect(hint).to_have_attribute("placeholder", "Easy")
    pale = (
        "each => [getComputedStyle(each, '::placeholder'), getComputedStyle(each)].map(({ color }) => color)"
    )
    assert len({*hint.evaluate(pale)}) == 2
    for key, title in (("title", "Libro"), ("levels-0-title", "Suave"), ("levels-1-title", "Duro")):
        enter(window, f"#key-editions-es-{key}", title)
    written(window)
    window.click("#build")
    window.wait_for_selector(".finished h3:text-is('Spanish edition') + .files >> text=Save")
    folder = tmp_path / "output" / "small-book-es"
    with pdfium.PdfDocument(folder / "interior.pdf") as pdf:
        words = "\n".join(page.get_textpage().get_text_range() for page in pdf)
    assert "Suave" in words
    assert "Easy" not in words


def test_media_and_editions_are_chosen_in_the_bar_and_untranslated_texts_are_named(window, tmp_path):
    spec = tmp_path / "small.yaml"
    spec.write_text(SPEC + "epub: {}\nplay: {}\nscreen: {}\neditions:\n  es: {language: es, title: Libro}\n")
    window.click("text=Small book")
    window.wait_for_selector(".paper >> text=Small book")
    window.expect(window.locator("#edition")).to_have_text("English, 4 more")
    window.click("#edition")
    window.wait_for_selector("#edition-es-page img")
    button, menu = (window.locator(each).bounding_box()["x"] for each in ("#edition", "#editions"))
    assert menu == pytest.approx(button, abs=1)
    window.expect(window.locator("#edition-es-page .warned")).to_have_text("2 texts are still in English")
    keep_picture(window, "editions")
    window.click("#edition-es-page")
    window.expect(window.locator("#edition")).to_have_text("Spanish, 4 more")
    window.wait_for_selector(".paper >> text=Libro")
    window.click('.spot[data-key=\'["editions","es","title"]\']')
    window.wait_for_function("() => document.activeElement.id === 'key-editions-es-title'")
    enter(window, "#key-editions-es-levels-0-title", "Suave")
    enter(window, "#key-editions-es-levels-1-title", "Duro")
    window.wait_for_selector("#key-editions-es .asks", state="detached")
    window.click("#edition")
    window.click("#edition--screen")
    window.wait_for_selector(".paper.screen svg")
    medium = window.locator("#medium")
    window.expect(medium).to_have_value("screen")
    window.expect(medium.locator("option")).to_have_text(
        ["Printed book", "Tablet", "E-book", "Page to play on"]
    )
    for each, shown in (("page", ".paper.page svg"), ("epub", "iframe"), ("play", "iframe")):
        medium.select_option(each)
        window.wait_for_selector(shown)
    window.frame_locator("iframe").locator("text=Small book").first.wait_for()


def test_an_edition_says_whose_words_its_settings_have_and_names_untranslated_texts_in_their_language(
    window, tmp_path
):
    open_book(window, tmp_path, SPEC + "editions: {es: {language: es, title: Libro}}\n", "Small book")
    window.click("#edition")
    window.click("#edition-es-page")
    window.click("#part-opening")
    window.expect(window.locator("#told")).to_contain_text("These are the words of the English book.")
    window.click("#told >> text=Editions")
    window.wait_for_function("() => document.activeElement.id === 'key-editions-es-title'")
    window.expect(window.locator("#told")).to_be_hidden()
    window.click("#key-editions-es .asks >> text=titles of the levels")
    window.wait_for_selector("#key-editions-es-levels-0-title")
    window.click("#part-editions")
    window.wait_for_selector("#key-editions-es .asks:has-text('still has English words')")
    window.click("#part-whole")
    window.select_option("#key-language", label="German")
    window.click("#part-editions")
    window.expect(window.locator("#key-editions-es .asks")).to_contain_text("still has German words")


def test_an_edition_of_any_name_says_what_it_lacks_before_its_pages_have_come(window, tmp_path):
    editions = "editions: {constructor: {language: es, title: Libro}}\n"  # a property of every object
    for name in ("small", "other"):
        (tmp_path / f"{name}.yaml").write_text(SPEC.replace("Small", name.title()) + editions)
    window.click("text=Small book")
    window.click("#part-editions")
    window.wait_for_selector("#key-editions-constructor .asks")
    assert window.locator("#key-editions-constructor > legend").text_content() == "constructor"
    held = Held(window, "**/api/pages?*")
    window.click("#home")
    window.click("text=Other book")
    held.came()
    window.click("#part-editions")
    asks = window.locator("#key-editions-constructor .asks")
    window.expect(asks).to_contain_text("still has English words")
    held.let_go()
