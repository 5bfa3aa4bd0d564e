"""Building a book in the studio, the finished book, and the shelf, as a publisher uses them in a browser."""

import pytest
from studio_samples import SPEC

from linkpress.book.plan import plan_slots
from linkpress.files import write_file
from linkpress.studio.open_book import search_key


@pytest.mark.parametrize("makes_puzzles", [True])
def test_a_level_whose_search_found_nothing_keeps_a_build_from_starting(window, spec, monkeypatch):
    window.wait_for_selector(".paper svg")

    async def find_nothing(session, name):
        book = await session.book(name)
        slot = plan_slots(book.spec)[-1]
        if not book.unmet:
            book.unmet[search_key(slot)] = "No board of this kind turned up."
            session.send_event("unmet", file=name, level=slot.level)

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
    card, menu = window.locator("[id='spec-small.yaml']"), window.locator("[id='menu-small.yaml'] summary")
    card.locator("svg").wait_for()

    def is_apart(words):
        box, other = words.bounding_box(), menu.bounding_box()
        return box["x"] + box["width"] <= other["x"] or box["y"] + box["height"] <= other["y"]

    for width in (1280, 390):
        window.set_viewport_size({"width": width, "height": 844})
        assert [is_apart(part) for part in card.locator("> *").all()] == [True] * 4
        menu.click()
        window.expect(window.locator("[id='menu-small.yaml'] button").last).to_be_visible()
        menu.click()
