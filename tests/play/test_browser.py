"""The page in a real Chromium, played by mouse, by touch and by keyboard."""

import dataclasses
import re
from dataclasses import replace
from pathlib import Path

import pytest
from page_of import SUPPOSED, play_page, with_colours

import boards
from linkpress.documents.inks import PICTURE_INKS
from linkpress.engine.proof import prove
from linkpress.engine.recipe import Rule
from linkpress.play.page import fragment_html, page_html, progress_key
from linkpress.puzzle.link_text import parse_board_rows
from linkpress.puzzle.puzzle import Path as BoardPath
from linkpress.puzzle.puzzle import Solution
from linkpress.words import load_words
from node_runs import node_package

WORDS_OF_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BOARD = boards.SOLVED_BOARD
PLAYER = "document.querySelector('.linkpress-player').player"
ARROW = {(0, 1): "ArrowRight", (0, -1): "ArrowLeft", (1, 0): "ArrowDown", (-1, 0): "ArrowUp"}


class Played:
    """A page that a test plays on."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        self.errors = []
        self.fingers = None
        page.on("pageerror", self._heard)

    def _heard(self, error):
        """Keep an error, unless it is that Firefox may not load an icon, which the page doesn't have."""
        if "favicon.ico" not in str(error):
            self.errors.append(str(error))

    def open(self, number=None):
        self.page.goto(self.address + (f"#{number}" if number else ""))
        return self.started()

    def started(self):
        """Wait until the player has started, which is after its fonts were loaded.

        Handlers of mouse, touch and keys have run when an action returns. A test must wait for other things:
        for hints, for sizes in the next frame, and for progress that another tab has stored.
        """
        self.page.wait_for_function("() => document.querySelector('.linkpress-player')?.player !== undefined")
        return self.drawn()

    def drawn(self):
        """Wait until the next frame is drawn, when the board fits its new size."""
        frame = "new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))"
        self.page.evaluate(f"() => {frame}.then(() => undefined)")
        return self

    def resize(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(f"() => innerWidth === {width} && innerHeight === {height}")
        self.drawn()

    def open_in_another_tab(self):
        """Open the same book in another tab."""
        return Played(self.page.context.new_page(), self.address).open()

    def reload(self):
        """Reload the page."""
        self.page.reload()
        return self.started()

    def becomes(self, what):
        """Wait until a JavaScript expression is true."""
        self.page.wait_for_function(f"() => {what}")

    def shows(self, part, text):
        """Wait until a part of the page has a text."""
        self.page.locator(f"[data-part={part}]", has_text=re.compile(f"^{text}$")).wait_for()

    @property
    def message(self):
        return self.page.inner_text("[data-part=message-text]")

    @property
    def is_solved(self):
        return bool(self.page.evaluate(f"{PLAYER}.isRight"))

    def edges(self):
        script = f"{PLAYER}.drawing.lines.edges()"
        return list(self.page.evaluate(script))

    def centre(self, cell):
        box = self.page.locator("[role=gridcell]").nth(cell).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, *cells):
        self.page.mouse.move(*self.centre(cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.centre(cell), steps=3)
        self.page.mouse.up()

    def touch(self, kind, *points):
        """Send a touch of one finger or more, which Playwright itself can't do."""
        if self.page.context.browser.browser_type.name != "chromium":
            pytest.skip("only Chromium can be touched by a program")
        self.fingers = self.fingers or self.page.context.new_cdp_session(self.page)
        named = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self.fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": named})

    def touch_cells(self, kind, *cells):
        self.touch(kind, *map(self.centre, cells))

    def click(self, action):
        self.page.click(f"[data-do={action}]:visible")

    def hint(self):
        """Click the hint button, and wait for the hint's first stage."""
        self.click("hint")
        self.shows("hint", "Tell me why")

    def count(self, part):
        """Return how many visible elements match a selector."""
        return int(self.page.locator(f"{part}:visible").count())

    def solve(self, solution=BOARD):
        for path in solution.paths:
            self.drag(*path.cells)


@pytest.fixture
def played(chromium, serve, tmp_path):
    """Return a function that opens a page of some solutions. No script of the page may fail.

    The page comes from a server. For 5 of 100 pages opened from the disk, Chromium 156 lost the storage at a
    reload. This happened for none of 250 pages from a server.
    """
    opened, address = [], serve(tmp_path)

    def play(*solutions, context=None, html=None, **settings):
        file = tmp_path / "play.html"
        file.write_text(html or page_html(play_page(*solutions, **settings)), encoding="utf-8")
        # The page's content security policy would forbid Playwright to wait for expressions.
        given = {"viewport": {"width": 1000, "height": 800}, "bypass_csp": True, **(context or {})}
        page = chromium.new_context(**given).new_page()
        opened.append(Played(page, f"{address}/{file.name}"))
        return opened[-1].open()

    yield play
    for one in opened:
        one.page.context.close()
        assert one.errors == []


def codes(solution):
    cols = solution.puzzle.grid.cols
    return sorted(2 * a + int(b - a == cols) for a, b in solution.edges)


def test_a_whole_puzzle_is_solved_by_mouse(played):
    game = played(BOARD)
    for path in BOARD.paths:
        assert not game.is_solved
        game.drag(*path.cells)
    assert game.edges() == codes(BOARD)
    assert game.is_solved
    assert re.match(r"Solved in \d+:\d\d", game.message)


def test_a_whole_puzzle_is_solved_by_keyboard(played):
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


def test_keys_draw_remove_undo_and_redo(played):
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


def test_a_whole_puzzle_is_solved_by_touch(played):
    game = played(BOARD, context={"has_touch": True, "is_mobile": True})
    for path in BOARD.paths:
        game.touch_cells("touchStart", path.cells[0])
        for cell in path.cells[1:]:
            game.touch_cells("touchMove", cell)
        game.touch_cells("touchEnd")
    game.becomes(f"{PLAYER}.isRight")
    assert game.edges() == codes(BOARD)


def test_two_fingers_draw_nothing(played):
    game = played(BOARD, context={"has_touch": True, "is_mobile": True})
    game.touch_cells("touchStart", 8)
    game.touch_cells("touchMove", 1)
    game.touch_cells("touchStart", 1, 5)
    game.touch_cells("touchMove", 2, 6)
    game.touch_cells("touchEnd")
    game.becomes(f"!{PLAYER}.pointers.touches.size")
    assert game.edges() == []


# Both taps in one script, so that a busy machine can't separate them, and long after the previous click.
DOUBLE_TAP = """([clientX, clientY]) => {
    const { grid } = document.querySelector('.linkpress-player').player.view, now = performance.now();
    grid.setPointerCapture = () => {}; // there is no real finger to capture
    ["pointerdown", "pointerup", "pointerdown", "pointerup"].forEach((type, at) => {
        const event = new PointerEvent(type, { pointerId: 1, clientX, clientY });
        Object.defineProperty(event, "timeStamp", { value: now + 9000 + 50 * at });
        grid.dispatchEvent(event);
    });
}"""


def test_two_clicks_draw_a_step_and_a_double_click_removes_the_line(played):
    game = played(BOARD)
    for cell in (8, 1):
        game.page.mouse.click(*game.centre(cell))
    assert game.edges() == [3]
    game.page.evaluate(DOUBLE_TAP, game.centre(1))
    assert game.edges() == []


def test_a_drawing_and_its_history_survive_a_reload(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION)
    game.click("next")
    first, second = boards.ARTICLE_SOLUTION.paths[0].cells, boards.ARTICLE_SOLUTION.paths[1].cells
    game.drag(*first)
    game.drag(*second)
    drawn = game.edges()
    game.reload()
    assert game.page.url.endswith("#2")
    assert game.edges() == drawn
    assert game.count("[data-do=trial]") == 1  # no trial was begun
    game.click("undo")
    game.click("undo")
    assert game.edges() == []
    game.click("redo")
    game.click("redo")
    assert game.edges() == drawn


def test_an_address_of_no_puzzle_shows_a_message(played):
    game = played(*[BOARD] * 12, hints=False)
    for asked in ("999", "1e1", "0x2", "%3Cb%3E"):
        game.page.goto(f"{game.address}#{asked}")
        game.page.reload()
        game.started()
        assert game.message == f"There is no puzzle {asked} on this page."
        assert game.count("[role=grid]") == 0
        assert game.page.title() == "Number Link"
        game.click("accept")
        game.page.click("[data-number='2']")
        assert game.page.inner_text("[data-part=number]") == "2"
        assert game.count("[role=grid]") == 1


def test_the_address_back_and_another_tab_open_a_puzzle_by_its_number(played):
    game = played()
    for _ in range(2):
        game.click("next")
    again = game.open_in_another_tab()
    again.shows("number", "3")
    for go, shown in ((game.page.go_back, "2"), (game.page.go_back, "1"), (game.page.go_forward, "2")):
        go()
        game.shows("number", shown)
        assert game.page.title() == f"Puzzle {shown} – Number Link"
    again.open(2)
    again.shows("number", "2")


def test_a_tab_takes_over_the_solution_of_another_tab(played):
    game = played(BOARD)
    game.drag(*BOARD.paths[0].cells)
    other = game.open_in_another_tab()
    other.page.bring_to_front()
    for path in BOARD.paths[1:]:
        other.drag(*path.cells)
    assert other.is_solved
    game.becomes(f"{PLAYER}.isRight")
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
def test_without_storage_progress_lasts_while_the_page_is_open(played, refusal):
    game = played(BOARD, boards.ARTICLE_SOLUTION)
    game.page.add_init_script(refusal)
    game.page.reload()
    game.started()
    assert game.count("[data-part=notice]") == 0
    game.drag(*BOARD.paths[0].cells)
    drawn = game.edges()
    assert game.page.inner_text("[data-part=notice]").startswith("Your browser can’t save")
    game.click("next")
    game.click("previous")
    assert game.edges() == drawn != []


def test_check_names_the_broken_rule_and_shows_where(played):
    game = played(BOARD)
    game.drag(8, 15, 22)  # from the 5 down to the other 5: right
    game.drag(29 - 6, 30)  # the 2 down to the other 2: right but not part of the solution
    game.click("check")
    assert "So far, so good." in game.message
    game.drag(12, 19, 20)  # from the 1 down and right to the 3
    game.click("check")
    assert game.message == ("This line joins 1 and 3. Lines may only join matching numbers. At F2, G3.")
    marked = game.page.eval_on_selector_all("[data-mark=wrong]", "all => all.map((one) => one.textContent)")
    assert marked == ["1", "3"]
    names = game.page.eval_on_selector_all("[data-mark=wrong]", "all => all.map((one) => one.dataset.name)")
    assert names == ["F2", "G3"]


def test_a_hint_says_where_to_look_then_why_and_then_draws_it(played):
    game = played(BOARD)
    game.hint()
    assert game.message == "Across the grid: count the ways out of each square."
    assert game.count("[data-mark=named]") > 1
    assert game.edges() == []
    game.click("hint")
    assert game.message.startswith("Draw piece by piece: each time, there’s only one way to go.")
    marks = game.page.locator(".links text").all_text_contents()
    assert marks == [str(number) for number in range(1, len(marks) + 1)]
    assert len(marks) > 1
    assert game.count("[data-mark=hint]") > 1
    assert game.edges() == []
    game.shows("hint", "Draw it")
    game.click("hint")
    assert game.message == "There it goes."
    assert game.edges()
    assert set(game.edges()) < set(codes(BOARD))
    game.shows("hint", "Hint")


VISIBLE = (
    f"{PLAYER}.part('message-text').firstChild?.textContent ?? ''"  # without the text for screen readers
)


def hints_to_the_end(game):
    """Yield the visible text of each stage of the hints that solve the whole puzzle."""
    game.hint()
    for _ in range(400):
        yield game.page.evaluate(VISIBLE)
        game.page.evaluate(f"{PLAYER}.hint()")
        if game.is_solved:
            return


def test_a_hint_shows_the_consequences_of_a_supposition_and_sets_a_cross(played):
    proof = prove(SUPPOSED, Rule.STRICT)
    assert proof.solution
    game = played(proof.solution)
    links = game.page.locator(".links path")
    assert any(re.match(r"\w+ (can’t|must) go \w+, or ", text) for text in hints_to_the_end(game))
    assert links.count() > 1
    assert game.page.locator(".links text").all_text_contents()[:2] == ["1", "2"]
    before = game.page.evaluate(f"{PLAYER}.drawing.crosses.size"), len(game.edges())
    game.click("hint")
    assert (game.page.evaluate(f"{PLAYER}.drawing.crosses.size"), len(game.edges())) != before
    assert not links.count()


def test_pairs_and_squares_are_counted_while_a_line_is_drawn(played):
    game = played(BOARD)
    pairs, size = len(BOARD.paths), len(BOARD.puzzle.grid.free_cells)
    path = BOARD.paths[0].cells
    game.page.mouse.move(*game.centre(path[0]))
    game.page.mouse.down()
    game.page.mouse.move(*game.centre(path[1]), steps=3)
    assert game.page.inner_text("[data-part=count]") == f"0 of {pairs} pairs · 2 of {size} squares"
    game.page.mouse.up()
    game.click("undo")
    game.drag(*path)
    assert game.page.inner_text("[data-part=count]").startswith(f"1 of {pairs} pairs")


def test_a_solved_board_says_so_after_a_reload_and_after_coming_back(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION)
    game.solve()
    solved = game.message
    assert solved.startswith("Solved in ")

    def says_so():
        return (game.message, game.count("[data-do=share]"), game.count("[data-part=accept]"))

    game.reload()
    assert says_so() == (solved, 1, 1)
    game.click("next")
    assert game.message == ""
    game.click("previous")
    assert says_so() == (solved, 1, 1)
    game.page.evaluate("void (navigator.share = async () => {})")
    game.click("share")
    assert says_so()[1:] == (1, 1)


def test_a_phone_has_one_row_of_named_icons_at_its_lower_edge(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION, answers=True)
    game.resize(390, 844)
    boxes = [one.bounding_box() for one in game.page.locator("[data-part=buttons] > button:visible").all()]
    assert len({box["y"] for box in boxes}) == 1
    assert all(min(box["width"], box["height"]) >= 44 for box in boxes)
    assert 844 - 20 < boxes[0]["y"] + boxes[0]["height"] <= 844
    assert game.page.locator("[data-do=undo] svg").is_visible()
    assert game.page.inner_text("[data-do=undo]") == "Undo"
    assert not game.page.evaluate("document.documentElement.scrollHeight > innerHeight")


def test_a_solved_board_is_celebrated_by_waves_and_by_tones_if_they_are_switched_on(played):
    game = played(BOARD, BOARD, boards.ARTICLE_SOLUTION)
    spy = "class extends AudioContext { constructor() { super(); window.heard = true; } }"
    game.page.evaluate(f"void (window.AudioContext = {spy})")
    waves = game.page.locator(".waves path")
    game.solve()
    assert waves.count() == len(BOARD.paths)
    waves.first.wait_for(state="detached")
    assert not game.page.evaluate("window.heard")
    game.click("settings")
    game.page.check("input[name=chime]")
    game.page.keyboard.press("Escape")
    game.page.emulate_media(reduced_motion="reduce")
    game.click("clear")
    game.solve()
    assert game.page.evaluate("window.heard")
    assert waves.count() == 0


def test_days_in_a_row_are_counted_for_all_books(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION)
    game.page.clock.install(time="2026-11-28T12:00:00")
    for day, told in (("28", ""), ("29", " 2 days in a row."), ("30", " 3 days in a row.")):
        game.page.clock.set_system_time(f"2026-11-{day}T12:00:00")
        if told:
            game.click("clear")
        game.solve()
        assert re.fullmatch(rf"Solved in \d+:\d\d!{told}", game.message)
    game.page.clock.set_system_time("2026-12-02T12:00:00")
    game.reload()
    assert game.message.endswith("!")


def test_dots_are_called_by_their_colours(played):
    game = played(BOARD, theme="plain-dots", words=load_words("en").of_dots)
    first = min(BOARD.puzzle.number_at)
    names = game.page.evaluate(f"{PLAYER}.content.colours.theme")
    label = game.page.locator("[role=gridcell]").nth(first).get_attribute("aria-label")
    colour = names[game.page.evaluate(f"{PLAYER}.view.inks.get({BOARD.puzzle.number_at[first]})")]
    assert label.startswith(f"{colour}, ")
    game.drag(12, 19, 20)  # from one colour to another
    game.click("check")
    assert re.match(r"This line joins [a-z ]+ and [a-z ]+\. Lines", game.message)
    game.click("undo")
    for text in hints_to_the_end(game):
        assert not re.search(r"(?<![A-Z])\b\d", text), text
        assert len(text.split()) <= 15, text
    assert game.edges() == codes(BOARD)


@pytest.mark.parametrize("theme", ["classic", "plain-dots"])
def test_a_picture_appears_when_its_puzzle_is_solved(played, theme):
    colours = ["white", "red", *["light_blue"] * (len(BOARD.paths) - 2)]
    game = played(with_colours(BOARD, colours), theme=theme)
    assert "white: 1 · red: 2 · light\N{NO-BREAK SPACE}blue:" in game.page.inner_text(
        "[data-part=key]"
    ).replace(":\N{NO-BREAK SPACE}", ": ")
    label = game.page.locator("[role=gridcell]").nth(min(BOARD.puzzle.number_at)).get_attribute("aria-label")
    assert re.match(r"\d", label)
    game.solve()
    fills = game.page.locator(".picture rect").evaluate_all(
        "squares => squares.map(s => s.getAttribute('fill'))"
    )
    inks = {path.number: PICTURE_INKS[colour].hex for path, colour in zip(BOARD.paths, colours, strict=True)}
    number_of = BOARD.number_of
    assert fills == [inks[number_of[cell]] if cell in number_of else "none" for cell in range(len(fills))]
    game.click("undo")
    assert game.page.locator(".picture rect").count() == 0


def test_the_answer_is_shown_and_can_be_undone(played):
    game = played(BOARD, answers=True)
    game.page.on("dialog", lambda dialog: dialog.accept())
    game.drag(4, 11, 12, 13)
    x, y = game.centre(0)
    game.page.mouse.click(x + 30, y, button="right")  # a cross where the answer has a line
    before = game.edges()
    game.click("answer")
    assert game.page.evaluate(f"{PLAYER}.drawing.crosses.size") == 0
    assert game.edges() == codes(BOARD)
    assert game.page.locator(".lines path").count() == len(BOARD.paths)
    game.click("undo")
    assert game.page.locator(".lines path").count() == 1
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


def test_a_cell_has_a_short_label_for_screen_readers(played):
    game = played(BOARD)
    game.drag(8, 1, 2)
    labels = [
        game.page.locator("[role=gridcell]").nth(cell).get_attribute("aria-label")
        for cell in (8, 1, 2, 0, 11)
    ]
    assert labels == [
        "5, up, B2",
        "line of 5, right down, B1",
        "line of 5, left, C1",
        "empty, A1",
        "block, E2",
    ]


def test_targets_are_at_least_24_px_and_the_page_holds_at_200_percent(played):
    game = played(BOARD, context=None)
    game.resize(500, 400)  # 1000 × 800 at 200 %
    for place in game.page.locator("button:visible, a:visible, [role=gridcell]").all():
        box = place.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    assert game.page.evaluate("document.documentElement.scrollWidth") <= 500


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(played, scheme):
    axe = node_package("axe-core").with_name("axe.min.js").read_text(encoding="utf-8")
    game = played(BOARD, boards.ARTICLE_SOLUTION, answers=True, context={"color_scheme": scheme})
    game.drag(8, 1, 2)
    game.hint()
    game.page.add_script_tag(content=axe)
    for opened in (None, "index", "settings", "rules"):
        if opened:
            game.click(opened)
        found = game.page.evaluate("tags => axe.run(document, {runOnly: tags})", WORDS_OF_RULES)
        assert [(one["id"], len(one["nodes"])) for one in found["violations"]] == []
        assert len(found["passes"]) > 20
        if opened:
            game.page.keyboard.press("Escape")


def large_board(side=50):
    """Two rows a path: along the one and back along the other; an odd last row is one of its own."""
    numbers = [["."] * side for _ in range(side)]
    for row in range(side):
        numbers[row][0] = str(row // 2 + 1)
    edges = []
    if side % 2:
        numbers[-1][-1] = numbers[-1][0]
        edges += [(at, at + 1) for at in range(side * (side - 1), side * side - 1)]
    for row in range(0, side - 1, 2):
        for col in range(side - 1):
            edges += [(at * side + col, at * side + col + 1) for at in (row, row + 1)]
        edges.append(((row + 1) * side - 1, (row + 2) * side - 1))
    return Solution.from_edges(parse_board_rows([" ".join(row) for row in numbers]), edges)


CELL_SIZE = f"{PLAYER}.view.cellSize"


def test_a_large_board_scrolls_in_its_frame_and_can_be_zoomed(played):
    game = played(large_board(), hints=False)
    before = game.page.evaluate(CELL_SIZE)
    assert before >= 24
    game.click("larger")
    assert game.page.evaluate(CELL_SIZE) > before
    game.click("fit")
    assert 16 <= game.page.evaluate(CELL_SIZE) < before
    game.drag(0, 1, 2, 3)
    assert game.edges() == [0, 2, 4]
    assert game.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_two_fingers_or_a_button_move_and_zoom_a_large_board(played):
    game = played(large_board(), hints=False, context={"has_touch": True, "is_mobile": True})
    before = game.page.evaluate(CELL_SIZE)
    for kind, gap in (("touchStart", 40), ("touchMove", 60), ("touchMove", 90), ("touchEnd", 0)):
        game.touch(kind, *([(300 - gap, 300), (300 + gap, 300)] if gap else []))
    game.becomes(f"{CELL_SIZE} > {before}")
    assert game.edges() == []
    game.click("pan")
    scroll = f"{PLAYER}.view.frame.scrollTop"
    before = game.page.evaluate(scroll)
    for kind, y in (("touchStart", 400), ("touchMove", 350), ("touchMove", 300), ("touchEnd", None)):
        game.touch(kind, *([(300, y)] if y else []))
    game.becomes(f"{scroll} > {before + 50}")
    assert game.edges() == []


def stop_clock(game):
    """Load the page anew; its time goes on only where a test lets it."""
    game.page.clock.install(time=0)
    game.page.reload()
    game.started()
    game.page.clock.pause_at(100_000_000)  # seconds, which no machine needs to come here


def test_a_drag_at_the_edge_scrolls_the_board_steadily(played, chromium):
    game = played(large_board(), hints=False)
    stop_clock(game)
    box = game.page.locator("[data-part=frame]").bounding_box()
    x, y = game.centre(20)[0], box["y"] + box["height"] - 6
    game.page.mouse.move(x, y - 60)
    game.page.mouse.down()
    game.page.mouse.move(x, y - 30)
    assert not game.page.evaluate(f"{PLAYER}.pointers.scrolling")  # no frame is asked for without need
    game.page.mouse.move(x, y, steps=4)
    drawn = len(game.edges())
    for move in range(12):
        game.page.mouse.move(x + move % 2, y)
    assert len(game.edges()) == drawn
    game.page.clock.run_for(1500)
    assert len(game.edges()) >= drawn + 5
    game.page.mouse.up()


SCROLLS = f"{PLAYER}.scrolls()"


def test_15_by_15_fits_a_phone_in_portrait_and_landscape(played):
    game = played(large_board(15), hints=False, context={"has_touch": True, "is_mobile": True})
    for width, height in ((390, 844), (844, 390)):
        game.resize(width, height)
        assert not game.page.evaluate(SCROLLS)
        assert game.page.evaluate(CELL_SIZE) >= 24
        assert game.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tools, board = (game.page.locator(f"[data-part={part}]").bounding_box() for part in ("tools", "grid"))
    assert tools["x"] > board["x"] + board["width"]


def test_the_whole_board_can_be_shown_with_smaller_squares(played):
    game = played(large_board(20), hints=False)
    game.resize(390, 844)
    assert game.page.evaluate(SCROLLS)
    game.click("fit")
    assert not game.page.evaluate(SCROLLS)
    assert 16 <= game.page.evaluate(CELL_SIZE) < 24
    game.click("larger")
    game.click("larger")
    assert game.page.evaluate(SCROLLS)


def test_a_small_board_in_a_small_frame_has_zoom_buttons(played):
    game = played(BOARD)
    game.resize(160, 700)
    assert game.page.evaluate(SCROLLS)
    game.click("fit")
    assert not game.page.evaluate(SCROLLS)


def test_a_long_hint_does_not_change_the_size_of_the_board(played):
    game = played(boards.ARTICLE_SOLUTION, context={"viewport": {"width": 500, "height": 700}})
    before = game.page.evaluate(CELL_SIZE)
    game.hint()
    game.page.evaluate(f"{PLAYER}.refit()")
    assert game.page.evaluate(CELL_SIZE) == before


@pytest.mark.parametrize(("width", "height"), [(667, 375), (320, 568)])
def test_a_message_is_visible_on_a_small_phone(played, width, height):
    game = played(BOARD, boards.ARTICLE_SOLUTION, answers=True)
    game.resize(width, height)
    game.page.evaluate(f"{PLAYER}.hint()")
    game.shows("hint", "Tell me why")
    game.page.evaluate(f"{PLAYER}.hint()")
    box = game.page.locator("[data-part=message]").bounding_box()
    assert game.page.evaluate("scrollY") == 0
    assert box["y"] + box["height"] <= height


def test_a_click_beside_a_dialog_closes_it(played):
    game = played()
    for name in ("index", "settings", "rules"):
        game.click(name)
        dialog = game.page.locator(f"dialog[data-part={name}]")
        box = dialog.bounding_box()
        game.page.mouse.click(box["x"] + 5, box["y"] + 5)
        assert dialog.is_visible()
        assert game.count(".example svg") == (name == "rules")
        game.page.mouse.click(box["x"] - 5, box["y"] + 5)
        assert not dialog.is_visible()


def test_the_rules_are_those_of_a_board_with_or_without_blocks(played):
    line = BoardPath(1, (0, 1, 2, 5, 4, 3, 6, 7, 8))
    whole = Solution(boards.puzzle_of("3 3\n1 . .\n. . .\n. . 1\n"), (line,))
    game, english = played(BOARD, whole, hints=False), load_words("en")
    assert game.count("[data-do=hint]") == game.count("[data-do=answer]") == 0
    for number, rules in ((1, english.rules_solids), (2, english.rules)):
        game.open(number)
        game.click("rules")
        assert game.page.locator("[data-part^=rules-]:visible li").all_inner_texts() == [*rules]
        game.click("close")


def test_the_page_of_a_day_has_no_puzzle_after_its_own(played):
    page = play_page(BOARD, boards.ARTICLE_SOLUTION, archive="archive.html")
    game = played(html=page_html(replace(page, puzzles=page.puzzles[::-1])))
    assert game.page.inner_text("[data-part=number]") == "2"
    assert game.page.get_attribute("[data-do=next]", "aria-disabled") == "true"
    game.click("previous")
    assert game.page.inner_text("[data-part=number]") == "1"


def test_a_finished_line_stays_when_it_is_traced_from_its_number(played):
    game = played(BOARD)
    game.solve()
    assert game.count("[data-do=pause]") == 0  # there is nothing left to pause
    path = BOARD.paths[0].cells
    game.drag(*path)
    game.drag(*reversed(path))
    assert game.is_solved
    game.click("undo")
    assert game.count("[data-do=pause]") == 1
    game.drag(*BOARD.paths[-1].cells[:-1])
    before = len(game.edges())
    game.drag(*reversed(BOARD.paths[-1].cells[:-1]))
    assert len(game.edges()) < before  # an unfinished line is still erased so


def test_a_solved_puzzle_offers_the_next_unsolved_and_to_share_the_time(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION, BOARD)
    game.page.evaluate("void (navigator.share = (told) => (window.shared = told.text))")
    game.page.evaluate(f"{PLAYER}.progress.seconds = 65")
    primary = game.page.locator("main button.strong:visible")
    assert (game.count("[data-do=share]"), primary.all_inner_texts()) == (0, ["Hint"])
    game.solve()
    assert primary.all_inner_texts() == ["Next puzzle"]
    game.click("share")
    shared = game.page.evaluate("shared").removesuffix(f" {game.address}")
    assert re.fullmatch(r"Number Link, Puzzle 1: Solved in [1-9]\d*:\d\d!", shared)
    game.click("accept")
    assert game.page.inner_text("[data-part=number]") == "2"


def test_a_named_puzzle_says_its_name_wherever_its_number_is_said(played):
    page = play_page(BOARD, boards.ARTICLE_SOLUTION)
    puzzles = [dataclasses.replace(page.puzzles[0], name="Mind the gap"), *page.puzzles[1:]]
    game = played(html=page_html(dataclasses.replace(page, puzzles=puzzles)))
    assert game.page.title() == "Puzzle 1: Mind the gap – Number Link"
    assert game.page.text_content("[data-part=number-words]") == "Puzzle 1: Mind the gap"
    assert game.page.inner_text("[data-part=facts]").startswith("Mind the gap · Gentle · ")
    game.click("index")
    assert "Mind the gap" in game.page.text_content("[data-do=go][data-number='1']")
    game.page.keyboard.press("Escape")
    game.click("next")
    assert game.page.text_content("[data-part=number-words]") == "Puzzle 2"


def test_the_result_counts_hints_and_not_a_shown_answer(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION, answers=True)
    for _ in range(2):
        game.hint()
        game.click("hint")  # the reason, which counts no further hint
        game.click("check")
    game.solve()
    assert game.message.endswith("2 hints used.")
    game.click("next")
    game.page.on("dialog", lambda dialog: dialog.accept())
    game.click("answer")
    game.click("check")
    assert game.message.startswith("Here’s the solution.")
    game.click("index")
    told = [button.inner_text() for button in game.page.locator("[data-do=go]").all()]
    assert re.search(r"✓ \d+:\d\d", told[0])
    assert "—" in told[1]
    assert game.page.inner_text("[data-part=progress]") == "1 of 2 solved"


def test_the_list_shows_the_difficulty_saves_times_as_a_table_and_opens_the_next_unsolved(played):
    game = played(BOARD, boards.ARTICLE_SOLUTION)
    game.page.evaluate(f"{PLAYER}.progress.seconds = 65")
    game.solve()
    game.click("index")
    told = game.page.locator("[data-do=go]").nth(1).inner_text().split()
    assert told[:2] == ["2", "●●●●"]
    with game.page.expect_download() as saved:
        game.click("export")
    head, first, second = Path(saved.value.path()).read_text("utf-8-sig").splitlines()
    assert saved.value.suggested_filename == "book.csv"
    assert head == "number,puzzle,columns,rows,pairs,difficulty,state,seconds,hints"
    board = boards.ARTICLE_SOLUTION.puzzle
    mark = progress_key(boards.record_of(boards.ARTICLE_SOLUTION).fingerprint)
    size = f"{board.grid.cols},{board.grid.rows},{len(board.number_at) // 2}"
    assert re.fullmatch(r"1,\w+,\d+,\d+,\d+,45,solved,\d+,0", first)
    assert second == f"2,{mark},{size},45,,,"
    note = game.page.locator("[data-do=export]").get_attribute("aria-describedby")
    assert "until you send it" in game.page.locator(f"#{note}").inner_text()
    game.click("unsolved")
    assert game.page.inner_text("[data-part=number]") == "2"


def test_crosses_are_set_by_right_click_by_a_long_press_and_by_keys(played):
    game = played(BOARD, context={"has_touch": True})
    crosses = f"[...{PLAYER}.drawing.crosses]"
    x, y = game.centre(14)
    game.page.mouse.click(x + 30, y, button="right")
    assert game.page.evaluate(crosses) == [2 * 14]
    assert (
        game.page.locator("[role=gridcell]").nth(14).get_attribute("aria-label")
        == "empty, crossed out: right, A3"
    )
    game.touch("touchStart", (x, y + 30))
    game.becomes(f"{PLAYER}.drawing.crosses.size === 2")
    game.touch("touchEnd")
    assert game.page.evaluate(crosses) == [2 * 14, 2 * 14 + 1]
    game.page.keyboard.press("x")
    assert game.message == "Press an arrow key to place the cross."
    game.page.keyboard.press("ArrowDown")
    assert game.page.evaluate(crosses) == [2 * 14]
    assert game.edges() == []
    game.reload()
    assert game.page.evaluate(crosses) == [2 * 14]


def test_a_trial_is_kept_or_undone_as_a_whole(played):
    game = played(BOARD)
    game.drag(8, 1, 2)
    kept = game.edges()
    game.click("trial")
    game.drag(29, 28, 21)
    game.drag(12, 19, 20)
    game.reload()
    assert len(game.edges()) > len(kept)
    game.click("trial_back")
    assert game.edges() == kept
    game.click("trial")
    game.drag(29, 28, 21)
    game.click("trial_keep")
    assert len(game.edges()) == len(kept) + 2
    assert game.count("[data-do=trial]") == 1


def test_the_clock_stops_in_dialogs_and_pauses_and_restarts_with_clear(played):
    game = played(BOARD)
    stop_clock(game)
    time = game.page.locator("[data-part=time]")
    game.drag(8, 1, 2)
    game.page.clock.run_for(3000)
    before = time.inner_text()
    assert before != "0:00"
    for stop, go in (("rules", "close"), ("pause", "accept")):
        game.click(stop)
        game.page.clock.run_for(5000)
        assert game.count("[role=gridcell]") == (0 if stop == "pause" else 35)
        game.click(go)
        assert time.inner_text() == before
    game.click("clear")
    assert time.inner_text() == "0:00"
    game.click("undo")
    assert time.inner_text() == before


def test_mistakes_are_shown_while_drawing_and_a_joined_pair_vibrates_as_the_settings_say(played):
    game = played(BOARD)
    game.page.evaluate("window.felt = []; void (navigator.vibrate = (pattern) => felt.push(pattern))")
    game.drag(*BOARD.paths[0].cells)
    game.drag(12, 19, 20)  # from the 1 to the 3
    assert (game.message, game.page.evaluate("felt")) == ("", [12])
    game.click("undo")
    game.click("settings")
    game.page.check("input[name=checking]")
    game.page.uncheck("input[name=vibration]")
    game.page.keyboard.press("Escape")
    game.drag(12, 19, 20)
    assert game.message.startswith("This line joins 1 and 3")
    game.click("undo")
    game.drag(*BOARD.paths[1].cells)
    assert game.page.evaluate("felt") == [12]


def test_settings_are_kept_and_taken_over_by_another_tab(played):
    game = played(BOARD, context={"color_scheme": "dark"})
    game.drag(*BOARD.paths[0].cells)
    line = game.page.locator(".lines path").first
    width_of = "parseFloat(getComputedStyle(one).strokeWidth.replace('calc(', ''))"
    style = f"one => [getComputedStyle(one).stroke, {width_of}]"
    ink, width = line.evaluate(style)
    assert game.count("[data-part=clock]") == 1
    game.click("settings")
    game.page.uncheck("input[name=timer]")
    game.page.check("input[value=strong]")
    game.page.check("input[value=thick]")
    root = "document.querySelector('.linkpress-player').shadowRoot"
    paper = f"getComputedStyle({root}.querySelector('.player'))"
    dark = game.page.evaluate(f"{paper}.backgroundColor")
    game.page.check("input[value=light]")
    assert game.page.evaluate(f"{paper}.backgroundColor") == "rgb(255, 255, 255)" != dark
    game.reload()
    strong, thick = line.evaluate(style)
    assert game.count("[data-part=clock]") == 0
    assert strong != ink
    assert thick > width
    assert game.page.evaluate(f"{paper}.backgroundColor") == "rgb(255, 255, 255)"
    other = game.open_in_another_tab()
    other.click("settings")
    other.page.check("input[value=dark]")
    game.becomes("document.documentElement.dataset.dark === 'true'")
    assert game.page.locator("input[value=dark]").is_checked()


def test_a_dark_page_is_printed_on_white_without_its_buttons(played):
    game = played(BOARD)
    game.click("settings")
    game.page.check("input[value=dark]")
    game.page.emulate_media(media="print", color_scheme="dark")
    assert (game.count("button"), game.count("[role=grid]")) == (0, 1)
    assert len(game.page.pdf()) > 1000
    root = "document.querySelector('.linkpress-player').shadowRoot"
    for part in ("grid", "player"):
        style = f"getComputedStyle({root}.querySelector('[data-part={part}]')).backgroundColor"
        assert game.page.evaluate(style) == "rgb(255, 255, 255)"


@pytest.mark.parametrize("theme", ["classic", "dots"])
def test_lines_and_numbers_are_visible_with_forced_colours(played, theme):
    game = played(BOARD, theme=theme, context={"forced_colors": "active"})
    game.drag(*BOARD.paths[0].cells)
    root = "document.querySelector('.linkpress-player').shadowRoot"
    stroke = f"getComputedStyle({root}.querySelector('.lines path')).stroke"
    text = f"getComputedStyle({root}.querySelector('.number b'))"
    assert game.page.evaluate(stroke) == game.page.evaluate(f"{text}.color")
    assert float(game.page.evaluate(f"{text}.fontSize").removesuffix("px")) > 10


@pytest.mark.parametrize("pairs", [12, 13])
def test_dots_show_numbers_only_if_there_are_more_pairs_than_colours(played, pairs):
    row = " ".join(map(str, range(1, pairs + 1)))
    lines = (BoardPath(col + 1, (col, col + pairs, col + 2 * pairs)) for col in range(pairs))
    board = Solution(boards.puzzle_of(f"{pairs} 3\n{row}\n{'. ' * pairs}\n{row}\n"), tuple(lines))
    game = played(board, theme="plain-dots", hints=False)
    size = game.page.locator(".number b").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert (size > 0) == (pairs > 12)


@pytest.mark.parametrize("theme", ["classic", "bold", "soft", "dots"])
def test_numbers_are_centred_in_their_squares(played, theme):
    game = played(BOARD, theme=theme)
    game.drag(*BOARD.paths[0].cells)
    middle_of_text = """all => all.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const [text, cell] = [range, one.parentElement].map((part) => part.getBoundingClientRect());
        return [text.left + text.width / 2 - cell.left - cell.width / 2,
                text.top + text.height / 2 - cell.top - cell.height / 2];
    })"""
    offsets = game.page.locator(".number b").evaluate_all(middle_of_text)
    assert len(offsets) == 10
    assert all(max(map(abs, offset)) < 2 for offset in offsets)


STRANGE = "<style>html{font-size:62.5%}body{direction:rtl;line-height:3}button{display:none}"
STRANGE += "div{font:8px serif;color:red}</style>"


def test_styles_of_the_outer_page_do_not_reach_a_fragment(played):
    html = "<!doctype html><html lang=ar dir=rtl><title>Paper</title>" + STRANGE
    game = played(html=html + fragment_html(play_page(BOARD, hints=False)))
    button = game.page.locator("[data-do=check]").evaluate("one => getComputedStyle(one).fontSize")
    assert (button, game.count("[data-do=check]"), game.page.title()) == ("16px", 1, "Paper")
    game.drag(*BOARD.paths[0].cells)
    assert len(game.edges()) == len(BOARD.paths[0].cells) - 1
    assert game.centre(0)[0] < game.centre(1)[0]
    assert (
        game.page.locator("[data-part=player]").evaluate("one => getComputedStyle(one).lineHeight")
        == "23.2px"
    )


@pytest.mark.parametrize("is_page", [True, False])
def test_the_player_runs_under_its_own_content_security_policy(played, is_page):
    fragment = fragment_html(play_page(BOARD, hints=False))
    policy = re.search("Content-Security-Policy: (.*) -->", fragment)[1]
    meta = f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {policy}">'
    host = f"<!doctype html><html lang=en>{meta}<title>Paper</title>{fragment}"
    game = played(BOARD, hints=False, html=None if is_page else host, context={"bypass_csp": False})
    refused = []
    game.page.on("console", lambda line: refused.append(line.text))
    game.page.reload()
    game.started()
    game.drag(*BOARD.paths[0].cells)
    assert len(game.edges()) == len(BOARD.paths[0].cells) - 1
    assert refused == []


@pytest.mark.parametrize("policy", ["", "default-src 'none'"])
def test_without_scripts_a_sentence_and_the_board_are_shown(chromium, tmp_path, policy):
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    fragment = fragment_html(play_page(BOARD, hints=False))
    file = tmp_path / "host.html"
    file.write_text(f"<!doctype html><html lang=en>{meta}<title>Paper</title>{fragment}", encoding="utf-8")
    page = chromium.new_context(java_script_enabled=bool(policy)).new_page()
    page.goto(file.as_uri())
    page.get_by_text("This page needs JavaScript").wait_for()
    assert page.get_by_role("img", name="Puzzle 1").is_visible()
    assert page.locator("button:visible").count() == 0
    if not policy:  # the policy forbids styles too
        page.emulate_media(media="print")
        assert page.get_by_role("img", name="Puzzle 1").bounding_box()["width"] > 450
    page.context.close()


def test_picture_and_footer_are_hidden_while_the_player_starts(played):
    game = played(BOARD)
    game.page.add_init_script("FontFace.prototype.load = () => new Promise(() => {})")
    game.page.reload()
    shown = """() => ["still", "still ~ footer"].map((part) => {
        const one = document.querySelector(".linkpress-player").shadowRoot.querySelector(`.${part}`);
        const [wait] = one.getAnimations();
        return [0, 999, 1000].map((time) => {
            wait.currentTime = time;
            return getComputedStyle(one).display;
        });
    })"""
    assert game.page.evaluate(shown) == [["none", "none", "block"]] * 2


def test_a_page_in_an_iframe_sends_its_height_and_fits_300_px(played, tmp_path):
    (tmp_path / "own.html").write_text(page_html(play_page(BOARD, hints=False)), encoding="utf-8")
    listen = (
        "addEventListener('message', ({data}) => "
        "{ if (data.linkpress === 'book') document.querySelector('iframe').height = data.height; });"
    )
    frame = "<iframe src=own.html width=300></iframe>"
    html = f"<!doctype html><title>Paper</title><script>{listen}</script>{frame}"
    file = tmp_path / "host.html"
    file.write_text(html, encoding="utf-8")
    page = played(BOARD).page
    page.goto(file.as_uri())
    page.wait_for_function("document.querySelector('iframe').height > 300")
    inside = page.frames[1]
    fits = "document.documentElement.scrollHeight <= innerHeight"
    fits += " && document.documentElement.scrollWidth <= innerWidth"
    assert inside.wait_for_function(f"() => {fits} && !{SCROLLS}").json_value()


def test_no_phrase_is_parsed_as_html(played):
    words, trap = load_words("en"), ' "><img alt=trap>'
    phrases = {key: text + trap for key, text in words.player if isinstance(text, str)}
    page = play_page(BOARD, boards.ARTICLE_SOLUTION, answers=True, title=trap, subtitle=trap, credit=trap)
    puzzles = [replace(one, section=trap) for one in page.puzzles]
    words = words.model_copy(update={"player": words.player.model_copy(update=phrases)})
    game = played(html=page_html(replace(page, words=words, puzzles=puzzles)))
    assert game.page.locator("[role=gridcell]").first.get_attribute("aria-label") == f"empty{trap}, A1"
    game.drag(8, 1, 2)
    for action in ("check", "hint", "trial", "index"):
        game.click(action)
        game.page.get_by_text("<img alt=trap>").filter(visible=True).first.wait_for()
    assert game.page.locator("img").count() == 0


def test_progress_of_another_board_is_ignored(played):
    game = played(BOARD)
    mark = game.page.evaluate(f"{PLAYER}.puzzle.mark")
    game.page.evaluate(
        "mark => localStorage.setItem('linkpress/book/' + mark, '{\"history\": [[99999]], \"undone\": []}')",
        mark,
    )
    game.reload()
    assert game.edges() == []
