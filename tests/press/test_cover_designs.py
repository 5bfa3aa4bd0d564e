"""Designed covers: the words' rules, the art as a real board, series, own files, and what is refused."""

import dataclasses
import itertools
import math
import re

import pytest
from PIL import Image

from linkpress.book.key_values import Title
from linkpress.book.level import load_mask
from linkpress.book.printing_keys import CoverDesign
from linkpress.book.spec import BookSpec
from linkpress.documents.inks import BLACK, contrast
from linkpress.documents.models import Document, load_named, read_values
from linkpress.documents.problem import InvalidError
from linkpress.documents.shipped_files import COVERS
from linkpress.documents.values import MM_PT
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import LayoutError, SpecError
from linkpress.layout.frame import PAPER, Discs, FontKey, Lines, Photo, Placed, Polyline, Rects, TextRun
from linkpress.preflight import Requirements, preflight
from linkpress.press.assets import load_assets, title_inks
from linkpress.press.book_layout import lay_out
from linkpress.press.composed_cover import LEAST_LETTER, MOST_LINES, compose_cover, draw_cover, front_image
from linkpress.press.cover_art import block_letters, letter_solids, made_board, nest
from linkpress.press.cover_content import cover_content
from linkpress.press.dry_run import dry_run, stand_in_volume
from linkpress.press.print_files import finish_print
from linkpress.printers import load_printer
from linkpress.render.fonts import ShippedFont
from press_samples import INFO

TITLES = {
    "en": "Evening Links",
    "es": "El gran libro de los enlaces numéricos",
    "th": "ลากเส้นเชื่อมเลข ฉบับยามเย็น",
}
TRIMS = ("5x8in", "6x9in", "8.5x11in")
KDP = load_printer("kdp-paperback")
PAGES = 220


PICTURE_DESIGNS = ("window", "poster")
SKY, SEA = (200, 220, 240), (20, 60, 90)


@pytest.fixture(scope="module", autouse=True)
def art(tmp_path_factory):
    """A picture of sky and sea, large enough for a front of 8.5 × 11 in, in the folder of all specs."""
    folder = tmp_path_factory.mktemp("art")
    picture = Image.new("RGB", (2700, 3450), SEA)
    picture.paste(SKY, (0, 0, 2700, 1500))
    picture.save(folder / "art.png")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FOLDERS, "art", folder)
        yield folder


FOLDERS = {}


def spec(design, **keys):
    if design in PICTURE_DESIGNS:
        keys["cover"] = {"design": design, "image": "art.png", **keys.get("cover", {})}
    document = {
        "title": TITLES["en"], "author": "A. Setter", "isbn": "978-3-16-148410-0", "seed": 7,
        "levels": [{"name": "Easy", "count": 60, "size": "5x7"}],
        "page": {"trim": "6x9in"}, "cover": {"design": design},
    }  # fmt: skip
    return read_values({**document, **keys}, BookSpec).in_folder(FOLDERS["art"])


def assets_of(book):
    return load_assets(book)


def composed(book, assets=None):
    assets = assets or assets_of(book)
    content = cover_content(stand_in_volume(book), assets, PAGES, assets.cover_pictures)
    return compose_cover(dataclasses.replace(content, profile=KDP))


def front_texts(cover):
    front = cover.geometry.front.x
    return [item for item in cover.frame.items if isinstance(item, TextRun) and item.x > front]


# Each design once with each title and each trim; all of them together take a minute.
_FEW = [
    (name, TRIMS[(place + turn) % 3], tag)
    for place, name in enumerate(COVERS.names())
    for turn, tag in enumerate(TITLES)
    if (place + turn) % 3 == 0
]
_ALL = itertools.product(COVERS.names(), TRIMS, TITLES)


@pytest.mark.parametrize(
    ("design", "trim", "tag"),
    [*_FEW, *(pytest.param(*way, marks=pytest.mark.soak) for way in _ALL if way not in _FEW)],
)
def test_a_design_keeps_the_rules_of_covers(design, trim, tag):
    book = spec(design, title=TITLES[tag], language=tag, page={"trim": trim})
    assets = assets_of(book)
    cover = composed(book, assets)
    drawn = finish_print(draw_cover(cover, INFO, faces=assets.faces), INFO, KDP.standard_of(None, True))
    report = preflight(drawn, KDP, Requirements(None, cover.geometry.trim, None, None, cover=True))
    assert report.passed, report.text()
    measure, geometry = assets.measure, cover.geometry
    title = [
        run for run in front_texts(cover) if run.font is FontKey.DISPLAY and run.text.strip(" 0123456789")
    ]
    assert 2 <= len(title) <= MOST_LINES
    highest = book.title if tag == "th" else "H"  # Thai has no capitals
    letter = measure.ink(highest, FontKey.DISPLAY, title[0].size_pt).top
    assert letter >= LEAST_LETTER * geometry.front.height * 0.999
    words = [run for run in cover.frame.items if isinstance(run, TextRun)]
    for run in (run for run in words if run.text.strip("0123456789")):
        box = measure.ink(run.text, run.font, run.size_pt)
        panel = geometry.front if run.x >= geometry.front.x else geometry.back
        room = (run.x + box.left - panel.x, panel.right - run.x - box.right, run.y + box.bottom)
        assert min(*room, geometry.trim.height_pt - run.y - box.top) >= 6 * MM_PT


def lines_of(items):
    return [item for item in items if isinstance(item, Polyline)]


@pytest.mark.parametrize("name", COVERS.names())
def test_no_shipped_palette_has_inks_that_a_printer_refuses(name):
    """Tints too light for Lulu's RGB, and IngramSpark: words in a black of several inks."""
    for number, palette in enumerate(load_named(name, COVERS, CoverDesign).palettes, 1):
        inks = [palette.ground, palette.field, palette.words, palette.title, palette.faint, *palette.lines]
        tints = [1 - min(ink.rgb) for ink in inks if ink]
        assert [tint for tint in tints if 0 < tint < load_printer("lulu").limits.tint] == []
        book = spec(name, cover={"design": name, "palette": number}, page={"paper": "colour"})
        titled = title_inks(book, assets_of(book).design, load_printer("generic"))
        assert [ink for ink in (palette.words, palette.title, *titled) if ink and ink.is_rich_black] == []


def test_the_river_s_lines_flow_round_all_words_and_the_barcode():
    cover = composed(spec("river", cover={"design": "river", "boards": 1, "blurb": "Join the numbers. " * 9}))
    code = cover.geometry.barcode
    boxes = [
        (run.x, run.y - 0.2 * run.size_pt, run.x + run.width_pt, run.y + 0.7 * run.size_pt)
        for run in cover.frame.items
        if isinstance(run, TextRun)
    ]
    boxes.append((code.x, code.y, code.right, code.top))
    lines = lines_of(cover.frame.items)
    assert {line.points[0][0] > cover.geometry.front.x for line in lines} == {True, False}
    for line in lines:
        for (x0, y0), (x1, y1) in itertools.pairwise(line.points):
            half = line.width_pt / 2
            (left, right), (foot, top) = sorted((x0, x1)), sorted((y0, y1))
            left, right, foot, top = left - half, right + half, foot - half, top + half
            assert not any(left < b[2] and b[0] < right and foot < b[3] and b[1] < top for b in boxes)


@pytest.mark.parametrize(
    "solution",
    [
        nest(7),
        made_board(9, 12, frozenset({14, 15, 16, 26, 27, 28, 106}), 9, "a"),
        made_board(10, 14, letter_solids(block_letters("60"), 10, 14), 6, "a"),
    ],
    ids=["nest", "field", "figures"],
)
def test_the_art_is_a_puzzle_with_one_solution(solution):
    proof = prove(solution.puzzle, Rule.STRICT)
    assert proof.verdict is Verdict.UNIQUE
    assert proof.solution.edges == solution.edges
    assert solution.fills


def test_a_board_keeps_the_solids_it_was_given_and_fills_what_is_too_small_for_a_line():
    """The corner square A1 is cut off by two solids: no line fits in it."""
    cut = frozenset({1, 12, 40, 41, 52, 53})
    assert made_board(9, 12, cut, 8, "b").puzzle.grid.solids == cut | {0}


def test_the_art_of_the_initial_has_the_letter_that_is_asked_for():
    count, letter = (
        composed(spec("initial", cover={"design": "initial", **keys})).frame.items
        for keys in ({}, {"initial": "k"})
    )
    lines = [[point for line in lines_of(items) for point in line.points] for items in (count, letter)]
    assert lines[0] != lines[1]
    wide, high = (max(axis) - min(axis) for axis in zip(*lines[1], strict=True))
    mask = load_mask("letter-k")
    assert (wide / (mask.cols - 1)) == pytest.approx(high / (mask.rows - 1))  # squares, from centre to centre


@pytest.mark.parametrize(
    ("cover", "message"),
    [
        ({"design": "river", "initial": "B"}, "river has no letters; choose `design: initial`"),
        (
            {"design": "initial", "initial": "Ä"},
            "Ä — one to three letters from A to Z, or a number up to 9999",
        ),
        ({"initial": "B"}, "only a cover with a `design` has art in the shape of letters"),
        ({"palette": 2}, "only a cover with a `design` has palettes"),
        *(
            ({"design": "river", key: value}, "`design` is the whole front")
            for key, value in (("front", "a.png"), ("puzzle", 1), ("accent", "K50"))
        ),
        ({"design": "river", "image": "art.png"}, "the design river has no place for a picture"),
        ({"design": "window"}, "the design window shows a picture of yours"),
    ],
)
def test_keys_that_do_not_go_with_the_design_are_refused(cover, message):
    with pytest.raises((InvalidError, SpecError), match=re.escape(message)):
        dry_run(Document(spec("river", cover=cover))).checked()


def test_a_title_without_capitals_breaks_by_sense_where_its_highest_letter_is_high_enough():
    """In letters whose H had a fourteenth, the first word of these would be torn from its adjective."""
    cover = composed(spec("river", title="หนังสือเล่มใหญ่เชื่อมตัวเลข", language="th"))
    assert [run.text for run in front_texts(cover)][:2] == ["หนังสือเล่มใหญ่", "เชื่อมตัวเลข"]


def test_a_design_keeps_its_author_s_lines_in_smaller_letters():
    title = Title("The Big Book|of Number Link")
    own, other = (composed(spec("river", title=text)) for text in (title, "The Big Book of Number Link"))
    texts = [
        [run.text for run in front_texts(cover) if run.font is FontKey.DISPLAY] for cover in (own, other)
    ]
    assert texts == [["The Big Book", "of Number Link"], ["The Big", "Book", "of Number", "Link"]]


def test_the_front_for_shops_is_the_printed_one():
    book = spec("river")
    assets = assets_of(book)
    cover = composed(book, assets)
    front = cover.geometry.front
    picture = front_image(cover, 432, assets.faces)  # as many pixels as points
    assert picture.size == (432, 648)
    seen = [
        (picture.getpixel((int(x - front.x), int(front.height - y))), line.ink)
        for line in lines_of(cover.frame.items)
        for x, y in line.points
        if front.x < x < front.right and 0 < y < front.height
    ]
    assert len(seen) > 100
    assert all(pixel == pytest.approx([255 * part for part in ink.rgb], abs=1) for pixel, ink in seen)


def boards_on_back(cover):
    return sum(item.name.startswith("cover-sample") for item in cover.frame.items if isinstance(item, Placed))


def test_a_back_without_art_shows_two_puzzles_where_they_fit():
    long = "Join the numbers. " * 60
    shown = [
        boards_on_back(composed(spec(design, cover={"design": design, **keys})))
        for design, keys in (("nest", {}), ("nest", {"boards": 0}), ("nest", {"blurb": long}), ("river", {}))
    ]
    assert shown == [2, 0, 0, 0]


def test_a_large_print_book_s_back_has_nothing_smaller_than_16_pt():
    page = {"trim": "8.5x11in", "large_print": True}
    cover = composed(spec("bold", page=page, publisher="Your Press", isbn=None))
    back = cover.geometry.back.right
    sizes = [run.size_pt for run in cover.frame.items if isinstance(run, TextRun) and run.x < back]
    assert len(sizes) > 4
    assert min(sizes) >= 16


def test_the_same_book_has_the_same_cover_and_another_seed_another_one():
    once, again, other = (composed(spec("river", seed=seed)).frame for seed in (7, 7, 8))
    assert once == again
    assert lines_of(once.items) != lines_of(other.items)


def uncoloured(cover):
    bare = (
        dataclasses.replace(item, ink=None) if hasattr(item, "ink") else item for item in cover.frame.items
    )
    return [item for item in bare if not isinstance(item, (TextRun, Placed))]  # the spine has the number


def test_a_series_turns_the_palette_and_keeps_the_composition():
    first, second, own = (
        composed(spec("river", volume=volume, series={"name": "Evenings"}, cover={"design": "river", **keys}))
        for volume, keys in ((1, {}), (2, {}), (1, {"palette": 2}))
    )
    assert uncoloured(first) == uncoloured(second)
    inks = [[line.ink for line in lines_of(cover.frame.items)] for cover in (first, second, own)]
    assert inks[0] != inks[1] == inks[2]


def test_a_title_is_wholly_in_the_design_s_face_or_wholly_in_the_book_s_own():
    latin, mixed = (assets_of(spec("river", title=title)) for title in ("Evening", "Evening ลิงก์"))
    assert latin.faces.files[FontKey.DISPLAY] == (ShippedFont.BRICOLAGE,)
    assert mixed.faces.files[FontKey.DISPLAY] == mixed.faces.files[FontKey.SEMIBOLD]


OWN = "name: own\nart: {board: inside, side: 5, grid: 0.03, figure: 0.5}\n"
PALETTE = '{ground: "#FFFFFF", words: "#000000", lines: ["#0072B2"]}'


def test_a_design_of_one_s_own_works_as_a_shipped_one(tmp_path):
    (tmp_path / "own.yaml").write_text(f"{OWN}palettes: [{PALETTE}]\n")
    book = spec("own.yaml")
    assets = load_assets(book.in_folder(tmp_path))
    assert assets.design is not None
    line = lines_of(composed(book, assets).frame.items)[0]
    assert math.dist(line.points[0], line.points[1]) == pytest.approx(line.width_pt / 0.5)


@pytest.mark.parametrize(
    ("palette", "message"),
    [
        ('{ground: "#FFFFFF", words: "#BBBBBB", lines: [K100]}', r"own\.yaml:3:\d+ palettes\[0\]\.words: "),
        ("{ground: [100, 100, 100, 0], words: K0, lines: [K50]}", r"palettes\[0\]\.ground: 300% of ink"),
        ("{ground: K0, field: K10, words: K100, lines: [K50]}", r"palettes\[0\]\.field: only art with"),
    ],
)
def test_a_design_that_breaks_the_rules_is_refused_in_its_file(tmp_path, palette, message):
    (tmp_path / "own.yaml").write_text(f"{OWN}palettes: [{palette}]\n")
    with pytest.raises(SpecError, match=message):
        dry_run(Document(spec("own.yaml").in_folder(tmp_path))).checked()


@pytest.mark.parametrize("name", PICTURE_DESIGNS)
def test_a_design_shows_the_picture_up_to_the_bleed_and_continues_its_colour_on_the_back(name):
    cover = composed(spec(name))
    ground = cover.frame.items[0]
    assert ground.ink.rgb == pytest.approx([part / 255 for part in SEA], abs=0.02)
    (photo,) = [item for item in cover.frame.items if isinstance(item, Photo)]
    x, y, width, height = photo.box
    whole, front = cover.geometry.whole, cover.geometry.front
    assert (x, x + width) == pytest.approx((front.x, whole.right))
    assert y + height == pytest.approx(whole.top)
    title = [run for run in front_texts(cover) if run.where == "title"]
    covered = all(y < run.y for run in title)
    assert covered is (name == "poster")
    if covered:  # the words of a poster are on a panel
        panel = [item for item in cover.frame.items if isinstance(item, Rects) and item.ink == ground.ink][-1]
        left, foot, wide, high = panel.boxes[0]
        assert all(left < run.x and run.x + run.width_pt < left + wide for run in title)
        assert all(foot < run.y < foot + high for run in title)
    other = composed(spec(name, cover={"palette": 2})).frame.items[0]
    assert other.ink == load_named(name, COVERS, CoverDesign).in_palette(2).palettes[0].ground


def test_a_picture_of_the_back_fills_it_and_its_words_are_on_panels():
    book = spec("river", publisher="A Press", cover={"back_art": "art.png", "front": "art.png"})
    cover = composed(book)
    _, back = [item for item in cover.frame.items if isinstance(item, Photo)]
    whole, spine = cover.geometry.whole, cover.geometry.spine
    assert back.box == pytest.approx((whole.x, whole.y, spine.x - whole.x, whole.height))
    ground = cover.frame.items[0].ink
    filled = [item for item in cover.frame.items[1:] if isinstance(item, Rects) and item.ink == ground]
    panels = [box for item in filled for box in item.boxes]
    runs = [run for run in cover.frame.items if isinstance(run, TextRun) and run.x < spine.x]
    for run in (run for run in runs if run.where):
        assert any(x < run.x and run.x + run.width_pt < x + w and y < run.y < y + h for x, y, w, h in panels)
    problems = dry_run(Document(spec("river", cover={"back_art": "missing.png"}))).problems
    assert [problem.key for problem in problems] == [("cover", "back_art")]


def test_the_grid_on_the_back_is_one_band_from_the_trim_to_the_front():
    cover = composed(spec("blueprint"))
    (grid,) = [item for item in cover.frame.items if isinstance(item, Lines)]
    level = {round(y, 3): [] for _, y, _, y2 in grid.segments if y == y2}
    for x, y, x2, y2 in grid.segments:
        if y == y2 and x2 <= cover.geometry.spine.x:
            level[round(y, 3)] += [x, x2]
    ends = {(round(min(xs)), round(max(xs))) for xs in level.values() if xs}
    assert len(ends) == 1


def test_the_eyes_of_the_cat_are_discs_in_its_filled_face():
    cover = composed(spec("cat"))
    eyes = [item for item in cover.frame.items if isinstance(item, Discs) and not item.ring]
    assert len(eyes) == 3
    palette = load_named("cat", COVERS, CoverDesign).in_palette(1).palettes[0]
    (face,) = [item for item in cover.frame.items if isinstance(item, Rects) and item.ink == palette.fill]
    for x, y in (eye.centres[0] for eye in eyes):
        assert any(a <= x <= a + w and b <= y <= b + h for a, b, w, h in face.boxes)


def test_the_initial_is_filled_and_wider_than_the_words():
    cover = composed(spec("initial"))
    palette = load_named("initial", COVERS, CoverDesign).in_palette(1).palettes[0]
    (shape,) = [item for item in cover.frame.items if isinstance(item, Rects) and item.ink == palette.fill]
    left, right = min(box[0] for box in shape.boxes), max(box[0] + box[2] for box in shape.boxes)
    live = cover.geometry.live(cover.geometry.front)
    assert left < live.x
    assert live.right < right < cover.geometry.front.right - 9


def test_the_quiet_design_holds_a_white_page():
    for palette in load_named("quiet", COVERS, CoverDesign).palettes:
        assert contrast(palette.ground.rgb, PAPER.rgb) >= 3


def badge_of(cover):
    """The disc of the badge, and its lines of text."""
    disc = [item for item in cover.frame.items if isinstance(item, Discs)][-1]
    texts = [run for run in front_texts(cover) if run.where == "cover.badge"]
    return disc, texts


@pytest.mark.parametrize("name", COVERS.names())
@pytest.mark.parametrize(
    ("badge", "lines"),
    [("Ages 5–8", ["AGES", "5–8"]), ("puzzles", ["60", "PUZZLES"]), ("volume", ["VOLUME", "3"])],
)
def test_every_design_has_a_badge_whose_words_are_inside_it_and_that_hides_no_words(name, badge, lines):
    if badge != "volume" and name not in ("roads", "bold"):
        return  # the other designs are tried with one badge, to save time
    cover = composed(spec(name, volume=3, cover={"design": name, "badge": badge}))
    disc, runs = badge_of(cover)
    assert [run.text for run in runs] == lines
    (x, y), live = disc.centres[0], cover.geometry.live(cover.geometry.front)
    assert live.x <= x - disc.radius_pt
    assert x + disc.radius_pt <= live.right + 0.01
    assert live.y <= y - disc.radius_pt + 0.01
    for run in runs:
        assert run.x + run.width_pt / 2 == pytest.approx(x)
        assert math.hypot(run.width_pt / 2, run.y - y) < disc.radius_pt
    for run in (run for run in front_texts(cover) if run not in runs and run.text.strip("0123456789")):
        beside = run.x + run.width_pt < x - disc.radius_pt
        assert beside or run.y > y + disc.radius_pt or run.y + 0.7 * run.size_pt < y - disc.radius_pt


def test_the_lines_of_roads_leave_the_badge_free():
    cover = composed(spec("roads", cover={"design": "roads", "badge": "Large print"}))
    disc, _ = badge_of(cover)
    (x, y), free = disc.centres[0], disc.radius_pt
    assert all(
        math.hypot(a - x, b - y) > free for line in lines_of(cover.frame.items) for a, b in line.points
    )


def test_words_too_long_for_a_badge_are_refused():
    cover = {"design": "river", "badge": "Unbelievablyinterminably easy!"}
    with pytest.raises(LayoutError, match="too long for the badge"):
        composed(spec("river", page={"trim": "4x6in"}, cover=cover))


@pytest.mark.parametrize("name", COVERS.names())
def test_the_subtitle_is_at_least_a_third_of_the_title(name):
    runs = front_texts(composed(spec(name, subtitle="Sixty small boards")))
    size = {run.where: run.size_pt for run in runs if run.where}
    assert size["subtitle"] >= size["title"] / 3 * 0.999


@pytest.mark.parametrize("name", COVERS.names())
def test_a_long_title_is_set_smaller_with_a_note(name):
    for title in ("The Giant Book of Number Link Puzzles for Adults", "Zahlenverbindungsrätselsammlung"):
        cover = composed(spec(name, title=title))
        assert len(cover.notes) <= 1
        assert all("a fourteenth of the front" in note for note in cover.notes)
    assert cover.notes


def test_a_title_that_is_small_anyway_is_set_a_little_smaller_to_break_better():
    book = spec("nest", title="The Giant Book of Number Link Puzzles for Adults", page={"trim": "6x9in"})
    lines = [run.text for run in front_texts(composed(book)) if run.where == "title"]
    assert lines == ["The Giant Book", "of Number", "Link Puzzles", "for Adults"]


def title_page_inks(paper):
    book = spec("nest", page={"printer": "kdp-paperback", "paper": paper, "trim": "6x9in"})
    made = lay_out(stand_in_volume(book), assets_of(book))
    page = next(page for page in made.pages if page.kind == "title")
    return {item.ink for item in page.frame.items if isinstance(item, (TextRun, Polyline))}


def test_the_title_page_has_the_cover_s_colours_where_the_interior_has_colour():
    palette = load_named("nest", COVERS, CoverDesign).in_palette(1).palettes[0]
    assert title_page_inks("premium-colour") == {palette.words, *palette.lines, BLACK}
    assert title_page_inks("white") == {BLACK}


def test_thai_titles_have_loops_where_the_design_is_for_children():
    faces = [assets_of(spec(name, title=TITLES["th"])).faces for name in ("roads", "river")]
    looped, plain = ShippedFont.PLEX_THAI_LOOPED_SEMIBOLD, ShippedFont.PLEX_THAI_SEMIBOLD
    assert [looped in face.files[FontKey.DISPLAY] for face in faces] == [True, False]
    assert all(plain in face.files[FontKey.SEMIBOLD] for face in faces)
