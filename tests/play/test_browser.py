"""The page in a real Chromium, played by mouse, by touch and by keyboard."""

import pytest
from page_of import SUPPOSED, play_page

import boards
from linkpress.engine.prove.proof import prove
from linkpress.engine.recipe import Rule
from linkpress.play.page import fragment_html, page_html
from linkpress.puzzle.notation.link_text import parse_board_rows
from linkpress.puzzle.puzzle import Solution
from node_runs import node_package

WORDS_OF_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BOARD = boards.SOLVED_BOARD
ARROW = {(0, 1): "ArrowRight", (0, -1): "ArrowLeft", (1, 0): "ArrowDown", (-1, 0): "ArrowUp"}


class Played:
    """A page that a test plays on."""

    def __init__(self, page, file) -> None:
        self.page, self.file = page, file
        self.faults: list[str] = []
        self.fingers = None
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))

    def open(self, number: int | None = None):
        self.page.goto(self.file.as_uri() + (f"#{number}" if number else ""))
        self.page.wait_for_selector("[role=gridcell]")
        return self

    def twin(self):
        """The same book in another tab."""
        return Played(self.page.context.new_page(), self.file).open()

    def reload(self) -> None:
        """Load the page anew, with what it has kept: on a busy machine Chromium may hand that on too late."""
        kept = self.page.evaluate("JSON.stringify(localStorage)")
        self.page.add_init_script(f"Object.assign(localStorage, {kept})")
        self.page.reload()

    @property
    def message(self) -> str:
        return self.page.inner_text("[data-part=message-text]")

    @property
    def is_solved(self) -> bool:
        return bool(self.page.evaluate("document.querySelector('.linkpress-player').player.isRight"))

    def edges(self) -> list[int]:
        script = "document.querySelector('.linkpress-player').player.drawing.lines.edges()"
        return list(self.page.evaluate(script))

    def centre(self, cell: int) -> tuple[float, float]:
        box = self.page.locator("[role=gridcell]").nth(cell).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, *cells: int) -> None:
        self.page.mouse.move(*self.centre(cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.centre(cell), steps=3)
        self.page.mouse.up()

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """Send a touch of one finger or more, which Playwright itself can't do."""
        self.fingers = self.fingers or self.page.context.new_cdp_session(self.page)
        named = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self.fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": named})

    def touch_cells(self, kind: str, *cells: int) -> None:
        self.touch(kind, *map(self.centre, cells))

    def click(self, action: str) -> None:
        self.page.click(f"[data-do={action}]:visible")


@pytest.fixture
def played(chromium, tmp_path):
    """Opens a page of these solutions; no script of it may fail."""
    opened = []

    def play(
        *solutions: Solution, context: dict | None = None, html: str | None = None, **settings
    ) -> Played:
        file = tmp_path / "play.html"
        file.write_text(html or page_html(play_page(*solutions, **settings)), encoding="utf-8")
        page = chromium.new_context(viewport={"width": 1000, "height": 800}, **(context or {})).new_page()
        opened.append(Played(page, file))
        return opened[-1].open()

    yield play
    for one in opened:
        one.page.context.close()
        assert one.faults == []


def codes(solution: Solution) -> list[int]:
    cols = solution.puzzle.grid.cols
    return sorted(2 * a + int(b - a == cols) for a, b in solution.edges)


def test_a_whole_puzzle_by_mouse_is_found_right(played):
    game = played(BOARD)
    for path in BOARD.paths:
        assert not game.is_solved
        game.drag(*path.cells)
    assert game.edges() == codes(BOARD)
    assert game.is_solved
    assert game.message.startswith("Solved in 0:")


def test_a_whole_puzzle_by_keyboard_alone(played):
    game = played(BOARD)
    cols = BOARD.puzzle.grid.cols
    game.page.focus("[role=gridcell][tabindex='0']")
    here = 0
    for path in BOARD.paths:
        for target, keys in ((path.cells[0], ""), *((cell, "Shift+") for cell in path.cells[1:])):
            while here != target:
                down, right = target // cols - here // cols, target % cols - here % cols
                step = (down > 0) - (down < 0), (right > 0) - (right < 0)
                step = (step[0], 0) if step[0] else step
                game.page.keyboard.press(keys + ARROW[step])
                here += step[0] * cols + step[1]
    assert game.edges() == codes(BOARD)
    assert game.is_solved


def test_keys_draw_with_the_pen_down_take_back_undo_redo_and_remove(played):
    game = played(BOARD)
    game.page.focus("[role=gridcell][tabindex='0']")
    for keys, edges in (
        ("ArrowDown ArrowRight", []),
        ("Enter ArrowUp ArrowRight", [2, 3]),
        ("Backspace", [3]),
        ("Escape ArrowRight ArrowLeft", [3]),
        ("Control+z", [2, 3]),
        ("Control+y", [3]),
        ("Control+z Control+z Control+z", []),
        ("Control+Shift+z", [3]),
        ("Delete", []),
    ):
        for key in keys.split():
            game.page.keyboard.press(key)
        assert game.edges() == edges, keys


def test_a_whole_puzzle_by_touch(played):
    game = played(BOARD, context={"has_touch": True, "is_mobile": True})
    for path in BOARD.paths:
        game.touch_cells("touchStart", path.cells[0])
        for cell in path.cells[1:]:
            game.touch_cells("touchMove", cell)
        game.touch_cells("touchEnd")
    assert game.edges() == codes(BOARD)
    assert game.is_solved


def test_two_fingers_draw_nothing(played):
    game = played(BOARD, context={"has_touch": True, "is_mobile": True})
    game.touch_cells("touchStart", 8)
    game.touch_cells("touchMove", 1)
    game.touch_cells("touchStart", 1, 5)
    game.touch_cells("touchMove", 2, 6)
    game.touch_cells("touchEnd")
    assert game.edges() == []


def test_two_clicks_draw_a_step_and_a_double_click_removes_the_line(played):
    game = played(BOARD)
    for cell in (8, 1):
        game.page.mouse.click(*game.centre(cell))
    assert game.edges() == [3]
    game.page.wait_for_timeout(400)
    game.page.mouse.dblclick(*game.centre(1))
    assert game.edges() == []


def test_a_drawing_is_there_after_a_reload_with_its_history(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION)
    game.click("next")
    first, second = boards.ARTICLE_SOLUTION.paths[0].cells, boards.ARTICLE_SOLUTION.paths[1].cells
    game.drag(*first)
    game.drag(*second)
    drawn = game.edges()
    game.reload()
    assert game.page.url.endswith("#2")
    assert game.edges() == drawn
    game.click("undo")
    game.click("undo")
    assert game.edges() == []
    game.click("redo")
    game.click("redo")
    assert game.edges() == drawn


def test_the_address_opens_a_puzzle_by_its_number(played):
    game = played()
    game.open(3)
    assert game.page.inner_text("[data-part=number]") == "3"
    assert game.page.title() == "Puzzle 3 – Number Link"


@pytest.mark.parametrize("asked", ["999", "1e1", "0x2", "%3Cb%3E"])
def test_an_address_of_no_puzzle_is_told_so_and_opens_none(played, asked):
    game = played(*[BOARD] * 12, hints=False)
    game.page.goto(f"{game.file.as_uri()}#{asked}")
    game.page.reload()
    assert game.message == f"There is no puzzle {asked} here."
    assert game.page.locator("[role=grid]:visible").count() == 0
    assert game.page.title() == "Number Link"
    game.click("accept")
    game.page.click("[data-number='2']")
    assert game.page.inner_text("[data-part=number]") == "2"
    assert game.page.locator("[role=grid]:visible").count() == 1


def test_back_goes_back_to_the_puzzle_before(played):
    game = played()
    for _ in range(2):
        game.click("next")
    for go, shown in ((game.page.go_back, "2"), (game.page.go_back, "1"), (game.page.go_forward, "2")):
        go()
        game.page.wait_for_function(f"document.title.startsWith('Puzzle {shown} ')")
        assert game.page.inner_text("[data-part=number]") == shown


def test_a_book_opens_where_it_was_left(played):
    game = played()
    game.click("next")
    again = game.twin()
    assert again.page.inner_text("[data-part=number]") == "2"


def test_a_stale_tab_takes_over_what_was_solved_in_another(played):
    game = played(BOARD)
    game.drag(*BOARD.paths[0].cells)
    other = game.twin()
    other.page.bring_to_front()
    for path in BOARD.paths[1:]:
        other.drag(*path.cells)
    assert other.is_solved
    game.page.wait_for_function("document.querySelector('.linkpress-player').player.isRight")
    assert game.edges() == codes(BOARD)
    game.page.goto("about:blank")
    assert other.page.evaluate(
        "Object.values(localStorage).filter(one => one.includes('\"solved\":true')).length"
    )


REFUSALS = [
    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no'); }})",
]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_where_nothing_is_stored_the_page_keeps_it_while_it_is_open_and_says_so(played, refusal):
    game = played(BOARD, boards.ARTICLE_SOLUTION)
    game.page.add_init_script(refusal)
    game.page.reload()
    assert game.page.locator("[data-part=notice]:visible").count() == 0
    game.drag(*BOARD.paths[0].cells)
    drawn = game.edges()
    assert game.page.inner_text("[data-part=notice]").startswith("This browser keeps nothing")
    game.click("next")
    game.click("previous")
    assert game.edges() == drawn != []


def test_check_names_the_broken_rule_and_shows_where(played):
    game = played(BOARD)
    game.drag(8, 15, 22)  # from the 5 down to the other 5: right
    game.drag(29 - 6, 30)  # the 2 down to the other 2: right but not part of the solution
    game.click("check")
    assert "No rule is broken so far." in game.message
    game.drag(12, 19, 20)  # from the 1 down and right to the 3
    game.click("check")
    assert game.message == (
        "A line joins 1 and 3: it must join two matching numbers. At row 2, column 6; row 3, column 7."
    )
    marked = game.page.eval_on_selector_all("[data-mark=wrong]", "all => all.map((one) => one.textContent)")
    assert marked == ["1", "3"]


def test_hints_lead_from_the_first_line_to_the_last(played):
    game = played(BOARD)
    game.click("hint")
    game.page.wait_for_selector("[data-part=accept]:visible")
    assert "One way out each" in game.message
    for _ in range(200):
        game.click("accept")
        if game.is_solved:
            break
        game.click("hint")
        game.page.wait_for_selector("[data-part=accept]:visible")
    assert game.edges() == codes(BOARD)


def test_a_hint_draws_what_follows_from_a_supposition_until_the_next(played):
    proof = prove(SUPPOSED, Rule.STRICT)
    assert proof.solution
    game = played(proof.solution)
    links = game.page.locator(".links path")
    for _ in range(40):
        game.click("hint")
        game.page.wait_for_selector("[data-part=accept]:visible")
        if links.count():
            break
        game.click("accept")
    assert "Closed: if " in game.message
    assert game.page.locator(".links text").all_text_contents()[:2] == ["1", "2"]
    game.click("accept")
    assert not links.count()


def test_a_page_without_hints_or_answers_offers_none(played):
    game = played(BOARD, hints=False)
    assert game.page.locator("[data-do=hint]:visible").count() == 0
    assert game.page.locator("[data-do=answer]:visible").count() == 0


def test_the_answer_is_shown_where_it_is_inside_and_can_be_undone(played):
    game = played(BOARD, answers=True)
    game.page.on("dialog", lambda dialog: dialog.accept())
    game.drag(8, 1, 2)
    before = game.edges()
    game.click("answer")
    assert game.edges() == codes(BOARD)
    game.click("undo")
    assert game.edges() == before


def test_the_board_is_one_tab_stop_and_no_trap(played):
    game = played(BOARD)
    game.page.focus("[role=gridcell][tabindex='0']")
    inside = "document.querySelector('.linkpress-player').shadowRoot.activeElement?.getAttribute('role')"
    game.page.keyboard.press("ArrowRight")
    assert game.page.evaluate(inside) == "gridcell"
    assert game.page.locator("[role=gridcell][tabindex]").count() == 1
    game.page.keyboard.press("Tab")
    assert game.page.evaluate(inside) != "gridcell"
    game.page.keyboard.press("Shift+Tab")
    assert game.page.evaluate(inside) == "gridcell"


def test_a_cell_is_told_in_few_words(played):
    game = played(BOARD)
    game.drag(8, 1, 2)
    labels = [
        game.page.locator("[role=gridcell]").nth(cell).get_attribute("aria-label")
        for cell in (8, 1, 2, 0, 11)
    ]
    assert labels == ["5, up", "line of 5, right down", "line of 5, left", "empty", "solid"]


def test_targets_are_at_least_24_px_and_the_page_holds_at_200_percent(played):
    game = played(BOARD, context=None)
    game.page.set_viewport_size({"width": 500, "height": 400})  # 1000 × 800 at 200 %
    for place in game.page.locator("button:visible, a:visible, [role=gridcell]").all():
        box = place.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    assert game.page.evaluate("document.documentElement.scrollWidth") <= 500


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(played, scheme):
    axe = node_package("axe-core").with_name("axe.min.js").read_text(encoding="utf-8")
    game = played(BOARD, boards.ARTICLE_SOLUTION, answers=True, context={"color_scheme": scheme})
    game.drag(8, 1, 2)
    game.click("hint")
    game.page.wait_for_selector("[data-part=accept]:visible")
    game.page.add_script_tag(content=axe)
    for opened in (None, "index", "settings", "rules"):
        if opened:
            game.click(opened)
        found = game.page.evaluate("tags => axe.run(document, {runOnly: tags})", WORDS_OF_RULES)
        assert [(one["id"], len(one["nodes"])) for one in found["violations"]] == []
        assert len(found["passes"]) > 20
        if opened:
            game.page.keyboard.press("Escape")


def test_dark_and_light_differ_and_can_be_chosen(played):
    root = "document.querySelector('.linkpress-player').shadowRoot"
    paper = f"getComputedStyle({root}.querySelector('.player')).backgroundColor"
    game = played(BOARD, context={"color_scheme": "dark"})
    dark = game.page.evaluate(paper)
    game.click("settings")
    game.page.check("input[value=light]")
    assert game.page.evaluate(paper) == "rgb(255, 255, 255)" != dark
    game.reload()
    assert game.page.evaluate(paper) == "rgb(255, 255, 255)"


def test_the_timer_can_be_hidden_and_stays_so(played):
    game = played(BOARD)
    assert game.page.locator("[data-part=clock]:visible").count() == 1
    game.click("settings")
    game.page.uncheck("input[name=timer]")
    game.reload()
    assert game.page.locator("[data-part=clock]:visible").count() == 0


def test_a_print_is_the_board_without_the_buttons(played):
    game = played(BOARD)
    game.page.emulate_media(media="print", color_scheme="dark")
    assert game.page.locator("button:visible").count() == 0
    assert game.page.locator("[role=grid]:visible").count() == 1
    assert len(game.page.pdf()) > 1000


def large_board(side: int = 50) -> Solution:
    """Two rows a path: along the one and back along the other."""
    numbers = [["."] * side for _ in range(side)]
    for row in range(side):
        numbers[row][0] = str(row // 2 + 1)
    edges = []
    for row in range(0, side, 2):
        for col in range(side - 1):
            edges += [(at * side + col, at * side + col + 1) for at in (row, row + 1)]
        edges.append(((row + 1) * side - 1, (row + 2) * side - 1))
    return Solution.from_edges(parse_board_rows([" ".join(row) for row in numbers]), edges)


CELL_SIZE = "document.querySelector('.linkpress-player').player.view.cellSize"


def test_a_large_board_scrolls_in_its_frame_and_can_be_enlarged(played):
    game = played(large_board(), hints=False)
    before = game.page.evaluate(CELL_SIZE)
    assert before >= 24
    game.click("larger")
    assert game.page.evaluate(CELL_SIZE) > before
    game.click("fit")
    assert game.page.evaluate(CELL_SIZE) == before
    game.drag(0, 1, 2, 3)
    assert game.edges() == [0, 2, 4]
    assert game.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_large_board_is_moved_and_enlarged_by_two_fingers_or_a_button(played):
    game = played(large_board(), hints=False, context={"has_touch": True, "is_mobile": True})
    before = game.page.evaluate(CELL_SIZE)
    for kind, gap in (("touchStart", 40), ("touchMove", 60), ("touchMove", 90), ("touchEnd", 0)):
        game.touch(kind, *([(300 - gap, 300), (300 + gap, 300)] if gap else []))
    assert game.page.evaluate(CELL_SIZE) > before
    assert game.edges() == []
    game.click("pan")
    scroll = "document.querySelector('.linkpress-player').player.view.frame.scrollTop"
    before = game.page.evaluate(scroll)
    for kind, y in (("touchStart", 400), ("touchMove", 350), ("touchMove", 300), ("touchEnd", None)):
        game.touch(kind, *([(300, y)] if y else []))
    assert game.page.evaluate(scroll) > before + 50
    assert game.edges() == []


def test_a_fragment_plays_in_somebody_else_s_page(played):
    own = "<!doctype html><html lang=en><title>Paper</title><style>button{display:none}</style><h1>News</h1>"
    game = played(html=own + fragment_html(play_page(BOARD, hints=False)))
    game.drag(*BOARD.paths[0].cells)
    assert len(game.edges()) == len(BOARD.paths[0].cells) - 1
    assert game.page.locator("[data-do=check]:visible").count() == 1
    assert game.page.title() == "Paper"


def test_what_was_kept_for_another_board_is_left_out(played):
    game = played(BOARD)
    mark = game.page.evaluate("document.querySelector('.linkpress-player').player.puzzle.mark")
    game.page.evaluate(
        "mark => localStorage.setItem('linkpress/book/' + mark, '{\"history\": [[99999]], \"undone\": []}')",
        mark,
    )
    game.reload()
    assert game.edges() == []
