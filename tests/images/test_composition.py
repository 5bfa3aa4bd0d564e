"""Images are made into pixels again and looked at where the arithmetic says."""

import datetime
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from linkpress.book.printing_keys import DifficultyMark
from linkpress.documents.inks import PICTURE_INKS
from linkpress.documents.problem import InvalidError
from linkpress.documents.shipped_files import COLUMN_GRIDS
from linkpress.documents.values import PixelMode
from linkpress.errors import LayoutError, SpecError, UsageError
from linkpress.images.composition import (
    MIN_TEXT_PT,
    Caption,
    CaptionSpec,
    Panel,
    captioned_panel,
    compose,
    compose_pair,
    fit_board,
    fitted_theme,
    puzzle_caption,
    read_parts,
    solution_caption,
)
from linkpress.images.image_files import shown_puzzle
from linkpress.images.image_settings import (
    ImageKind,
    ImageSettings,
    NameFields,
    canvas_of,
    image_settings,
    load_grid,
    read_template,
)
from linkpress.layout.boards import marks_row, marks_width, set_numeral
from linkpress.layout.frame import Frame, Placed, Polyline, Rects, TextRun, grey
from linkpress.layout.theme import load_theme
from linkpress.render.fonts import FontMeasure
from linkpress.render.raster import rasterise
from linkpress.words import load_words

ENGLISH = load_words("en")

SOLVED = boards.SOLVED_BOARD
BARE = Panel(SOLVED.puzzle)


def style_of(width_mm=82.6, dpi=600, theme="lineart", min_cell_mm=3.5):
    """How figures are drawn."""
    return ImageSettings(width_mm, None, dpi, PixelMode.ONE_BIT, (), load_theme(theme), min_cell_mm)


def captioned(solution=SOLVED, solved=False):
    shown = shown_puzzle(boards.record_of(solution, difficulty=34), 12)
    caption, _ = captioned_panel(shown, CaptionSpec(rules=True), ENGLISH)
    return Panel(solution.puzzle, solution if solved else None, caption)


def pixels_of(panel, style, mode=PixelMode.ONE_BIT):
    drawing = compose(panel, style)
    image = rasterise(drawing.frame, drawing.size_px, mode)
    return np.array(image.convert("L"))


def texts_of(frame):
    found = []
    for item in frame.items:
        if isinstance(item, Placed):
            found += texts_of(item.frame)
        elif isinstance(item, TextRun):
            found.append(item)
    return found


@pytest.mark.parametrize("mode", list(PixelMode))
@pytest.mark.parametrize(("width_mm", "dpi"), [(39.7, 170), (82.6, 600), (82.6, 72), (61.3, 1199)])
def test_every_grid_line_has_one_weight_on_whole_pixels(width_mm, dpi, mode):
    style = style_of(width_mm, dpi)
    fit = fit_board(5, 7, style.canvas, style.theme)
    pixels = pixels_of(BARE, style, mode)
    assert pixels.shape == (fit.height_px, style.canvas.width_px)
    left = (style.canvas.width_px - fit.width_px) // 2
    wanted = np.full(style.canvas.width_px, 255)
    wanted[left : left + fit.outline_px] = 0
    wanted[left + fit.width_px - fit.outline_px : left + fit.width_px] = 0
    for at in range(1, 7):
        middle = 2 * left + fit.outline_px + 2 * at * fit.cell_px  # in half pixels
        start = (middle - fit.line_px) // 2
        wanted[start : start + fit.line_px] = 0
    row = pixels[fit.outline_px + 1]  # just inside the outline, above every number
    assert (row == wanted).all()


@pytest.mark.parametrize("mode", [PixelMode.ONE_BIT, PixelMode.GRAY])
@pytest.mark.parametrize(("width_mm", "dpi"), [(39.7, 170), (82.6, 600)])
def test_numbers_are_read_back_by_comparing_with_each_number_drawn_alone(width_mm, dpi, mode):
    style = style_of(width_mm, dpi, "newspaper")
    board = boards.ARTICLE_PUZZLE
    fit = fit_board(7, 7, style.canvas, style.theme)
    pixels = pixels_of(Panel(board), style, mode).astype(int)
    theme = fitted_theme(style.theme, fit, style.canvas)
    cell_pt = style.canvas.pt(fit.cell_px)
    drawn_alone = {}
    for number in range(1, 13):
        run = set_numeral(number, cell_pt, theme, style.measure, MIN_TEXT_PT)
        run = replace(run, x=run.x + cell_pt / 2, y=run.y + cell_pt / 2)
        image = rasterise(Frame(cell_pt, cell_pt, (run,)), (fit.cell_px, fit.cell_px), mode)
        drawn_alone[number] = np.array(image.convert("L")).astype(int)
    left = (style.canvas.width_px - fit.width_px) // 2 + fit.outline_px // 2
    rim = fit.outline_px
    read = {}
    for cell in board.grid.free_cells:
        row, col = board.grid.position(cell)
        x, y = left + col * fit.cell_px, fit.outline_px // 2 + row * fit.cell_px
        square = pixels[y : y + fit.cell_px, x : x + fit.cell_px][rim:-rim, rim:-rim]
        if (square == 255).all():
            continue
        unlike = {
            number: np.abs(square - alone[rim:-rim, rim:-rim]).mean() for number, alone in drawn_alone.items()
        }
        read[cell] = min(unlike, key=unlike.__getitem__)
    assert read == dict(board.number_at)


def test_one_bit_has_no_specks():
    """Every black pixel of a captioned image touches another."""
    black = np.pad(pixels_of(captioned(solved=True), style_of(39.7, 600)) == 0, 1)
    height, width = black.shape[0] - 2, black.shape[1] - 2
    touched = np.zeros((height, width), bool)
    for down, right in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)):
        touched |= black[down : down + height, right : right + width]
    assert (black[1:-1, 1:-1] & ~touched).sum() == 0


@pytest.mark.parametrize(
    ("style", "words"),
    [
        (style_of(20.0), "7 × 5 in 20.0 mm at 600 dpi.*2.8 mm.*25.3 mm wide or more"),
        (style_of(29.0, 72), "12 pixels"),
        (style_of(82.6, min_cell_mm=12), "12.0 mm"),
    ],
)
def test_squares_too_small_to_read_are_refused_with_a_width_that_is_enough(style, words):
    with pytest.raises(LayoutError, match=words):
        compose(BARE, style)
    compose(BARE, style_of(25.3))


def test_all_words_of_a_caption_are_set_inside_the_board_s_width():
    style = style_of(39.7)
    runs = texts_of(compose(captioned(), style).frame)
    said = " ".join(run.text for run in runs)
    for words in ("Puzzle 12", "7 × 5", "Solution tomorrow", "exactly once"):
        assert words in said
    fit = fit_board(5, 7, style.canvas, style.theme)
    assert all(run.x + run.width_pt <= style.canvas.pt(fit.width_px) + 1e-6 for run in runs)


def test_marks_above_letters_stay_inside_the_image():
    words = Caption(heading="ที่นี่ น้ำ ปั๊ม", details="", rules="ที่นี่ " * 30, note="", marks=None)
    style = style_of(82.6, 600)
    pixels = pixels_of(Panel(SOLVED.puzzle, None, words), replace(style, measure=FontMeasure(language="th")))
    assert (pixels[0] == 255).all()
    assert (pixels[: pixels.shape[0] // 20] == 0).any()


def test_marks_are_a_row_of_dots():
    marks = marks_row(4, 0.0, 0.0, 8.0)
    assert len(marks.centres) == 4
    assert marks.centres[-1][0] + marks.radius_pt == pytest.approx(marks_width(4, 8.0))


@pytest.mark.parametrize(("width_mm", "is_small"), [(82.6, True), (39.7, False)])
def test_the_earlier_solution_is_small_and_below_the_puzzle_if_there_is_room(width_mm, is_small):
    style = style_of(width_mm)
    today, earlier = captioned(), captioned(boards.ARTICLE_SOLUTION, solved=True)
    alone, whole = compose(today, style).size_px[1], compose(earlier, style).size_px[1]
    width, height = compose_pair(today, earlier, style).size_px
    assert width == style.canvas.width_px
    assert alone < height < alone + 0.7 * whole if is_small else height > alone + whole
    assert compose_pair(today, None, style).size_px == compose(today, style).size_px  # on the first day


def test_a_caption_that_the_fonts_cannot_set_is_refused():
    with pytest.raises(LayoutError, match="caption"):
        compose(Panel(SOLVED.puzzle, None, Caption("★ 12")), style_of())


OWN_GRID = "name: own\nsource: the desk\ndate: 2026-11-20\ngutter_mm: 4\nwidths_mm: [{widths}]\n"


@pytest.mark.parametrize("name", COLUMN_GRIDS.names())
def test_every_shipped_grid_is_of_even_columns_with_source_and_date(name):
    grid = load_grid(name)
    assert grid.source
    assert grid.date.year >= 2026
    one = grid.widths_mm[0]
    for columns, width in enumerate(grid.widths_mm, 1):
        assert width == pytest.approx(columns * one + (columns - 1) * grid.gutter_mm, abs=0.3)


def test_a_grid_is_shipped_or_read_from_the_user_s_file_where_widths_must_grow(tmp_path):
    assert load_grid("broadsheet").width_mm(2) == 82.6
    file = tmp_path / "own.yaml"
    file.write_text(OWN_GRID.format(widths="50, 104"), encoding="utf-8")
    assert load_grid(str(file)).width_mm(2) == 104
    file.write_text(OWN_GRID.format(widths="50, 54"), encoding="utf-8")
    with pytest.raises(SpecError, match=r"own.yaml:5:\d+ widths_mm\[1\]: 54"):
        load_grid(str(file))


@pytest.mark.parametrize(("name", "columns"), [("broadsheet", 7), ("broadsheet", 0), ("no-such-grid", 1)])
def test_an_unknown_grid_or_column_is_refused_with_the_known_ones(name, columns):
    with pytest.raises(UsageError, match=r"broadsheet"):
        load_grid(name).width_mm(columns)


@pytest.mark.parametrize(
    ("width_mm", "dpi", "pixels"), [(82.6, 600, 1951), (39.7, 170, 266), (254, 2400, 24000), (125.4, 72, 355)]
)
def test_the_width_is_rounded_from_millimetres_and_dpi(width_mm, dpi, pixels):
    assert canvas_of(width_mm, dpi).width_px == pixels == round(width_mm / 25.4 * dpi)


@pytest.mark.parametrize("dpi", [71, 2401, 0])
def test_resolutions_outside_72_to_2400_are_refused(dpi):
    with pytest.raises(UsageError, match="72 to 2400"):
        canvas_of(82.6, dpi)


@given(
    width_mm=st.floats(30, 300),
    dpi=st.integers(72, 2400),
    sides=st.tuples(st.integers(3, 50), st.integers(3, 50)),
    theme=st.sampled_from(["lineart", "classic", "bold", "newspaper"]),
)
def test_lines_centred_on_the_squares_borders_end_on_pixels(width_mm, dpi, sides, theme):
    canvas = canvas_of(width_mm, dpi)
    fit = fit_board(*sides, canvas, load_theme(theme))
    assert (fit.outline_px - fit.line_px) % 2 == 0
    assert fit.outline_px > fit.line_px >= 1
    assert 0 <= canvas.width_px - fit.width_px < sides[1] or fit.cell_px == 0
    assert (fit.width_px, fit.height_px) == tuple(
        fit.outline_px + fit.cell_px * side for side in reversed(sides)
    )
    inset_px = fitted_theme(load_theme(theme), fit, canvas).solids.inset_pt * dpi / 72
    assert inset_px == pytest.approx(round(inset_px))


EXHIBIT = shown_puzzle(boards.record_of(difficulty=34), 1234)
TUESDAY = datetime.date(2026, 12, 1)
EVERYTHING = CaptionSpec(difficulty=DifficultyMark.NUMBER, rules=True)


def days(later):
    return TUESDAY, TUESDAY + datetime.timedelta(days=later)


def test_a_caption_shows_the_difficulty_as_a_number_or_marks_or_not_at_all():
    caption = puzzle_caption(EXHIBIT, EVERYTHING, ENGLISH, days(1))
    assert (caption.heading, caption.details) == ("Puzzle 1,234", "7 × 5 · Difficulty 34")
    assert "blocks" in caption.rules
    caption = puzzle_caption(EXHIBIT, CaptionSpec(difficulty=DifficultyMark.MARKS), ENGLISH)
    assert (caption.marks, caption.details) == (3, "7 × 5")
    assert puzzle_caption(EXHIBIT, CaptionSpec(), ENGLISH).marks is None
    shown = shown_puzzle(boards.record_of(), 5)
    assert puzzle_caption(shown, EVERYTHING, ENGLISH).details == "7 × 5"
    assert puzzle_caption(shown, CaptionSpec(difficulty=DifficultyMark.MARKS), ENGLISH).marks is None


@pytest.mark.parametrize(
    ("later", "note", "heading"),
    [
        (1, "Solution tomorrow", "Yesterday’s solution"),
        (3, "Solution on Friday", "Tuesday’s solution"),
        (9, "Solution on December\u00a010", "Solution for December\u00a01"),
    ],
)
def test_days_are_named_as_far_as_they_are_away(later, note, heading):
    assert puzzle_caption(EXHIBIT, EVERYTHING, ENGLISH, days(later)).note == note
    solution = solution_caption(EXHIBIT, EVERYTHING, ENGLISH, days(later))
    assert (solution.heading, solution.details) == (heading, "Puzzle 1,234")


def test_an_undated_solution_shows_its_number():
    assert solution_caption(EXHIBIT, EVERYTHING, ENGLISH) == Caption("Solution 1,234")


def test_parts_are_read_from_a_list():
    style = read_parts(["number", " marks", "rules"])
    assert style == CaptionSpec(size=False, difficulty=DifficultyMark.MARKS, rules=True, solution=False)
    assert not read_parts([]).in_image


@pytest.mark.parametrize("parts", [["colour"], ["difficulty", "marks"]])
def test_unknown_or_conflicting_caption_parts_are_refused(parts):
    with pytest.raises(UsageError, match="caption"):
        read_parts(parts)


DAY = NameFields(datetime.date(2026, 12, 1), 7, ImageKind.PUZZLE, 2, 600)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "LINKS-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png",
            "LINKS-20261201-0007-puzzle-2col-600.tif",
        ),
        ("{number}-{what}", "7-puzzle.tif"),
        ("{date:%Y}/{date:%m}/{number}-{what}", "2026/12/7-puzzle.tif"),
    ],
)
def test_a_name_has_the_fields_of_its_template_and_the_suffix_of_the_format(text, name):
    assert read_template(text).name(DAY, ".tif") == name


@pytest.mark.parametrize(
    "text",
    [
        "/{what}", "../{what}", "a/../../{what}", "a\\{what}", "./{what}", "C:{what}", ".{what}", "a//{what}",
        "{what}|", "con/{what}", "manifest-{what}", "{number}", "{what.__class__}", "{what[0]}", "{what!r}",
        "{0}-{what}", "{}-{what}", "{title}-{what}", "{what:>99}", "{number:{dpi}}-{what}",
        "{number:99999}-{what}", "{date:%c}-{what}", "{date:%A}-{what}", "{date:%Y/%m}-{what}", "{what",
        "{what}" + "x" * 200, "{what}/" + "\U0001f600" * 50, "{what}\ud800", "={what}", "-{what}",
        "@{what}/{number}", "index.csv/{what}-{number}", "{what}\u202egnp.", "{what}\u2028", "{what}\ufeff",
        "{what}\0",
    ],
)  # fmt: skip
def test_an_invalid_template_is_refused(text):
    with pytest.raises(InvalidError):
        read_template(text)


def test_a_field_without_a_value_is_refused():
    undated = NameFields(None, 7, ImageKind.PUZZLE, None, 600)
    for text in ("{date:%Y}-{what}", "{columns}-{what}"):
        with pytest.raises(UsageError, match="Leave it out"):
            read_template(text).name(undated, ".png")


def test_a_picture_has_its_key_as_a_caption_and_its_solution_the_tints_that_the_pixels_have():
    colours = ("white", *["light_blue"] * (len(SOLVED.paths) - 1))
    shown = shown_puzzle(
        boards.record_of(replace(SOLVED, puzzle=replace(SOLVED.puzzle, colours=colours))), 12
    )
    caption = puzzle_caption(shown, CaptionSpec(), ENGLISH)
    assert caption.rules.startswith(
        f"{ENGLISH.picture_rule} white:\N{NO-BREAK SPACE}1 · light\N{NO-BREAK SPACE}blue"
    )

    def inks_of(mode):
        settings = image_settings((80.0, None), None, mode, "png", None)
        _, panel = captioned_panel(shown, CaptionSpec(), ENGLISH, solved=True)
        items = [item for placed in compose(panel, settings).frame.items for item in all_items(placed)]
        return {item.ink for item in items if isinstance(item, Rects)}, any(
            isinstance(item, Polyline) and not item.closed for item in items
        )

    assert inks_of("rgb") == ({PICTURE_INKS["light_blue"]}, False)
    assert inks_of("gray") == ({grey(0.18)}, False)
    assert inks_of("1bit") == (set(), True)


def all_items(item):
    return (
        [inner for each in item.frame.items for inner in all_items(each)]
        if isinstance(item, Placed)
        else [item]
    )
