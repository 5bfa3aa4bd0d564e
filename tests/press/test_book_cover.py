import dataclasses
import io

import pikepdf
import pytest
from PIL import Image

from linkpress.book.key_values import Title, Trim
from linkpress.book.printing_keys import BackSpec, CoverColours, CoverSpec, PageSpec, SeriesSpec, Standard
from linkpress.book.spec import BookSpec
from linkpress.documents.inks import ink_of_hex
from linkpress.documents.models import Document, read_values
from linkpress.documents.problem import InvalidError
from linkpress.documents.values import Size
from linkpress.engine.proof import prove
from linkpress.engine.recipe import Rule
from linkpress.errors import SpecError
from linkpress.layout.boards import worked_example
from linkpress.layout.frame import BLACK, PAPER, Discs, Photo, Placed, Rects, TextRun, grey
from linkpress.layout.setting import OwnPicture
from linkpress.layout.theme import load_theme
from linkpress.preflight import Requirements, preflight
from linkpress.preflight.pdf_drawing import DrawnText
from linkpress.preflight.pdf_file import PdfReader
from linkpress.press.composed_cover import barcode_items, compose_cover, draw_cover
from linkpress.press.cover_content import (
    ACCENT,
    CoverContent,
    cover_sizes,
    measure_cover,
    template_pdf,
    template_png,
)
from linkpress.press.dry_run import dry_run, stand_in_volume
from linkpress.press.print_files import finish_print
from linkpress.printers import CaseRules, load_printer
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About, ColourMode
from linkpress.words import load_words
from press_samples import BOARDS, INFO

ENGLISH = load_words("en")

KDP, GENERIC = load_printer("kdp-paperback"), load_printer("generic")
MEASURE = FontMeasure()
SIX_BY_NINE = Size(432, 648)
BOARD = BOARDS[0]
PICTURE = prove(BOARD, Rule.STRICT).solution
assert PICTURE is not None
SPEC = BookSpec.model_validate(
    {
        "title": "Number Link", "subtitle": "4 puzzles", "author": "A. Setter", "publisher": "Corner Press",
        "isbn": "978-3-16-148410-0", "seed": 1, "levels": [{"name": "Easy", "count": 4, "size": 7}],
        "page": {"trim": "6x9in"}, "cover": {"blurb": "Join the numbers."},
    },
)  # fmt: skip
CONTENT = CoverContent(
    spec=SPEC, profile=KDP, measure=MEASURE, rules=ENGLISH.rules_line, pictures=(PICTURE,),
    example=worked_example(solids=True), pages=200, theme=load_theme("classic"), words=ENGLISH,
)  # fmt: skip


def ordered(**changes):
    return dataclasses.replace(CONTENT, **changes)


def titled(**changes):
    return ordered(spec=SPEC.model_copy(update=changes))


def covered(**keys):
    """The spec with other keys of the cover, which may break its limits."""
    return SPEC.model_copy(update={"cover": CoverSpec.model_construct(**keys)})


def composed(content=CONTENT):
    return compose_cover(content)


def of_kind(cover, kind):
    return [item for item in cover.frame.items if isinstance(item, kind)]


def texts(cover):
    return [item.text for item in of_kind(cover, TextRun)]


def test_cover_is_two_pages_and_a_spine_wide_with_bleed_all_round_and_the_barcode_at_the_foot_of_the_back():
    """KDP: 2 × 6 in + 200 × 0.002252 in, 0.125 in of bleed; 2 × 1.2 in, 0.25 in from spine and trim."""
    geometry = measure_cover(KDP, SIX_BY_NINE, 200)
    spine = 200 * 0.002252 * 72
    assert geometry.trim.width_pt == pytest.approx(864 + spine)
    assert geometry.whole.width == pytest.approx(864 + spine + 18)
    assert geometry.whole.height == 648 + 18
    assert geometry.front.x == pytest.approx(432 + spine)
    area = geometry.barcode
    assert (area.right, area.y) == (432 - 18, 18)
    assert (area.width, area.height) == pytest.approx((144, 86.4))


def test_cover_says_title_author_blurb_and_levels_and_its_front_shows_a_real_puzzle_of_the_book():
    shown = {"Number", "4 puzzles", "A. Setter", "Corner Press", "Join the numbers.", "Easy · 4 puzzles"}
    cover = composed()
    joined = " ".join(texts(cover))
    assert [words for words in shown if words not in joined] == []
    board = placed(cover)
    assert sorted(texts(board)) == sorted(str(n) for pair in BOARD.pairs for n in (pair.number, pair.number))
    assert board.x > cover.geometry.front.x


def large_boards(**keys):
    """Of 30 × 30: their numbers come to less than 6 pt on a front of 6 × 9 in."""
    level = {"name": "Large", "count": 2, "size": 30, "paths": "95-130"}
    page = {"printer": "generic", "trim": "6x9in"}
    return BookSpec.model_validate({"title": "Large", "seed": 1, "page": page, "levels": [level], **keys})


LARGE = stand_in_volume(large_boards()).puzzles[0].solution


def placed(cover, name="cover-puzzle"):
    (found,) = [item for item in of_kind(cover, Placed) if item.name == name]
    return found


def spine_words(cover):
    return texts(placed(cover, "spine"))


def numbers_shown(cover):
    return len(texts(placed(cover)))


def test_front_shows_the_first_of_the_smallest_boards():
    small = worked_example(solids=False)
    assert numbers_shown(composed(ordered(pictures=(LARGE, PICTURE)))) == 2 * len(BOARD.pairs)
    assert numbers_shown(composed(ordered(pictures=(PICTURE, small)))) == 2 * len(small.puzzle.pairs)


def test_where_no_number_of_the_book_is_large_enough_the_front_shows_the_example_and_passes():
    cover = compose_cover(ordered(pictures=(LARGE,), profile=GENERIC))
    assert numbers_shown(cover) == 2 * len(CONTENT.example.puzzle.pairs)
    report = preflight(
        draw_cover(cover, About()), GENERIC, Requirements(trim=cover.geometry.trim, cover=True)
    )
    assert report.passed, report.text()


def test_the_safety_grows_with_the_page_and_is_never_less_than_the_least():
    widths = {Size(288, 432): 27.0, SIX_BY_NINE: 32.4, Size(612, 792): 45.9}  # 0.075 of the width from 360 on
    safeties = {trim: measure_cover(load_printer("generic"), trim, 200).safety_pt for trim in widths}
    assert safeties == pytest.approx(widths)


def test_barcode_area_stays_white_without_an_isbn():
    cover = composed(titled(isbn=None))
    code = cover.geometry.barcode
    white = [box for item in of_kind(cover, Rects) if item.ink == PAPER for box in item.boxes]
    assert (code.x, code.y, code.width, code.height) in white
    assert not any("ISBN" in text for text in texts(cover))


def test_bars_spell_the_isbn():
    """EAN-13 read back from the bars: 95 modules between the guards, by the standard's own tables."""
    area = measure_cover(KDP, SIX_BY_NINE, 200).barcode
    drawn = barcode_items("978-3-16-148410-0", "ISBN", area, MEASURE)
    bars = sorted(box for item in drawn if isinstance(item, Rects) for box in item.boxes)
    left, right = bars[0][0], bars[-1][0] + bars[-1][2]
    module = (right - left) / 95
    middles = [left + (at + 0.5) * module for at in range(95)]
    modules = "".join(str(int(any(x < m < x + w for x, _, w, _ in bars))) for m in middles)
    assert read_ean13(modules) == "9783161484100"
    assert left - area.x >= 9 * module  # quiet zones
    assert area.right - right >= 7 * module


def read_ean13(modules):
    """ISO/IEC 15420: code sets A, B and C; the first digit is the order of A and B."""
    a = [f"{code:07b}" for code in (13, 25, 19, 61, 35, 49, 47, 59, 55, 11)]
    c = ["".join("10"[int(bit)] for bit in code) for code in a]
    b = [code[::-1] for code in c]
    firsts = [
        f"{order:06b}".translate({48: "A", 49: "B"}) for order in (0, 11, 13, 14, 19, 25, 28, 21, 22, 26)
    ]
    assert modules[:3] == modules[-3:] == "101"
    assert modules[45:50] == "01010"
    left = [modules[3 + 7 * at : 10 + 7 * at] for at in range(6)]
    right = [modules[50 + 7 * at : 57 + 7 * at] for at in range(6)]
    sets = "".join("A" if code in a else "B" for code in left)
    digits = [a.index(code) if code in a else b.index(code) for code in left]
    return str(firsts.index(sets)) + "".join(map(str, digits + [c.index(code) for code in right]))


@pytest.mark.parametrize("trim", [Size(360, 576), Size(612, 792), Size(594, 432), Size(595.28, 841.89)])
def test_cover_passes_its_preflight_at_every_trim(trim):
    cut = Trim(*(side * 25.4 / 72 for side in trim), "")
    cover = composed(titled(page=PageSpec().model_copy(update={"trim": cut})))
    drawn = draw_cover(cover, About(title="Number Link"))
    finished = finish_print(drawn, About("N"), Standard.PDFX1A)
    report = preflight(
        finished, KDP, Requirements(trim=cover.geometry.trim, cover=True, standard=Standard.PDFX1A)
    )
    assert report.passed, report.text()
    assert ": 1 page for Amazon KDP" in report.text()


@pytest.mark.parametrize(("spine", "begins_at"), [("top-down", 3), ("bottom-up", 1)])
def test_a_spine_begins_at_its_head_or_foot_and_the_file_is_the_same_each_time(spine, begins_at):
    """KDP: 4.5 pt clear of the folds."""
    cover = composed(titled(cover=CoverSpec(spine=spine)))
    drawn = draw_cover(cover, About())
    assert drawn == draw_cover(cover, About())
    clear, over = cover.geometry.spine_words, cover.geometry.bleed_pt
    assert clear.x - cover.geometry.spine.x == pytest.approx(4.5)
    with PdfReader(drawn) as reader:
        items = reader.read(reader.pages[0]).objects
    words = [item for item in items if isinstance(item, DrawnText) and item.text == "Number Link"]
    (title,) = (item for item in words if item.box[2] - item.box[0] < item.box[3] - item.box[1])
    assert title.start[1] == pytest.approx(title.box[begins_at], abs=2)
    if spine == "bottom-up":
        assert title.box[1] == pytest.approx(clear.y + over, abs=2)
    assert clear.x + over - 0.01 <= title.box[0]
    assert title.box[2] <= clear.right + over + 0.01


def spine_of(**changes):
    return placed(composed(titled(**changes)), "spine")


@pytest.mark.parametrize(
    ("language", "spine", "turned"),
    [("en", None, 90), ("nl", None, 90), ("de", None, 270), ("fr", None, 270), ("en", "bottom-up", 270),
     ("es", "top-down", 90), ("en", "upright", 0), ("ja", None, 90)],
)  # fmt: skip
def test_a_spine_reads_as_the_language_has_it_unless_the_spec_says_otherwise(language, spine, turned):
    keys = CoverSpec(spine=spine) if spine else CoverSpec()
    item = spine_of(language=language, cover=keys)  # a Latin title reads downwards in Japan, too
    assert item.turned == turned


def test_the_spine_has_the_number_of_the_volume_after_the_title():
    title, volume, author = spine_of(volume=7).frame.items
    assert (title.text, volume.text, author.text) == ("Number Link", "7", "A. Setter")
    assert title.x + title.width_pt < volume.x < author.x


def test_upright_letters_stand_in_a_column_and_dashes_lie_along_it():
    cover = composed(titled(title=Title("Links—Go"), volume=2, cover=CoverSpec(spine="upright")))
    item = placed(cover, "spine")
    letters = [part for part in item.frame.items if isinstance(part, TextRun)]
    assert "".join(part.text for part in letters) == "LinksGo2A.Setter"
    feet = [part.y for part in letters]
    assert feet == sorted(feet, reverse=True)
    letter, space = (feet[index] - feet[index + 1] for index in (-2, -7))  # "er", and "." before "S"
    assert space == pytest.approx(2 * letter)
    middles = {round(part.x + part.width_pt / 2, 2) for part in letters}
    assert len(middles) == 1
    (dash,) = [part for part in item.frame.items if isinstance(part, Placed)]
    assert dash.turned == 90
    report = preflight(
        finish_print(draw_cover(cover, INFO), INFO, Standard.PDFX1A),
        KDP,
        Requirements(trim=cover.geometry.trim, cover=True, standard=Standard.PDFX1A),
    )
    assert report.passed, report.text()


def photo(width, height):
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (200, 40, 90)).save(buffer, "JPEG")
    return buffer.getvalue()


def test_a_cover_has_its_own_colours_before_those_of_series_and_theme():
    series = SeriesSpec(name="Evenings", colours=["K100", "K20", "#0B6E4F"])
    assert titled(series=series, volume=2).ground == grey(0.2)
    assert titled(series=series, volume=4).ground == grey(1.0)  # in turn
    own = CoverSpec(background="#6B2D5C", accent="K50")
    assert titled(series=series, volume=2, cover=own).ground == ink_of_hex("#6B2D5C")
    assert (titled(cover=own).accent, CONTENT.accent) == (grey(0.5), ACCENT)
    bold = load_theme("bold")
    themed = bold.model_copy(update={"cover": CoverColours(background="K70")})
    assert ordered(theme=themed).ground == grey(0.7)


def test_words_are_black_on_a_light_cover_and_white_on_a_dark_one():
    light = composed(titled(cover=CoverSpec(background="K10")))
    inks = {item.text: item.ink for item in of_kind(light, TextRun)}
    assert inks["A. Setter"] == BLACK
    assert {item.ink for item in of_kind(composed(), TextRun)} >= {PAPER}


def test_a_volume_of_a_series_names_it_and_shows_its_number_in_a_disc():
    cover = composed(titled(series=SeriesSpec(name="Evenings"), volume=7, cover=CoverSpec(badge="volume")))
    assert {"Evenings", "VOLUME", "7"} <= set(texts(cover))
    rim, disc = of_kind(cover, Discs)
    live = cover.geometry.live(cover.geometry.front)
    assert rim.radius_pt > disc.radius_pt
    assert disc.centres[0][0] == pytest.approx(live.right - disc.radius_pt)


def test_a_badge_needs_a_number():
    with pytest.raises(InvalidError, match="give the book a volume"):
        read_values({**SPEC.document(), "cover": {"badge": "volume"}}, BookSpec)


def test_words_of_the_back_are_switched_off_and_replaced_and_the_blurb_is_set_as_markdown():
    back = BackSpec(count=False, levels="From easy to hard.", promise=False)
    blurb = "Of **all**\n\n- the one\n- the other"
    found = texts(composed(titled(cover=CoverSpec(back=back, blurb=blurb))))
    assert {"all", "–", "the one", "the other"} <= {text.strip() for text in found}
    shown = " ".join(found)
    assert "From easy to hard." in shown
    assert ENGLISH.promise not in shown
    assert "Easy 4" not in shown


def test_boards_on_the_back_stand_on_white_above_the_barcode():
    cover = composed(ordered(samples=(PICTURE.puzzle, PICTURE.puzzle), spec=covered(boards=2)))
    code = cover.geometry.barcode
    boards = [item for item in of_kind(cover, Placed) if item.x < cover.geometry.spine.x]
    assert len(boards) == 2
    assert all(board.y > code.top for board in boards)
    white = [item for item in of_kind(cover, Rects) if item.ink == PAPER]
    assert len(white) == 4  # the barcode's, the front's, the two


def test_a_picture_covers_the_front_with_its_bleed_and_words_get_a_shade():
    """6.125 × 9.25 in at 300 dpi."""
    own = OwnPicture("front.jpg", photo(1838, 2775), Size(1838, 2775), Size(1838, 2775))
    cover = composed(ordered(image=own, spec=covered(image="front.jpg")))
    (picture,) = of_kind(cover, Photo)
    front = cover.geometry.front
    assert picture.box == pytest.approx((front.x, -9, 432 + 9, 648 + 18))
    assert 0 < picture.shade.share < 1
    for mode, kind in ((ColourMode.CMYK, "/DeviceCMYK"), (ColourMode.SRGB, "/DeviceRGB")):
        with pikepdf.open(io.BytesIO(draw_cover(cover, INFO, mode))) as pdf:
            streams = (thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream))
            (image,) = [stream for stream in streams if "/Width" in stream]
            assert image.ColorSpace == kind
            assert "/SMask" not in image


@pytest.mark.parametrize(("accent", "is_fine"), [("#FFFFF0", True), ("#28283C", False)])
def test_a_colour_is_compared_with_the_picture_before_a_puzzle_is_made(accent, is_fine, tmp_path):
    Image.new("RGB", (2000, 2900), (38, 38, 58)).save(tmp_path / "front.png")
    spec = covered(image="front.png", accent=ink_of_hex(accent)).in_folder(tmp_path)
    assert (dry_run(Document(spec)).problems == []) is is_fine


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (
            photo(1200, 1848),
            r"too small to print sharply on the front .*: 1200 dots wide, 12\d\d are needed\.",
        ),
        (b"GIF89a", "front.jpg is none of JPEG, PNG"),
        (photo(1838, 2775)[:900], "front.jpg is damaged"),
    ],
)
def test_a_picture_that_does_not_do_is_refused_before_a_puzzle_is_made(image, message, tmp_path):
    (tmp_path / "front.jpg").write_bytes(image)
    with pytest.raises(SpecError, match=rf"cover\.image: .*{message}"):
        dry_run(Document(covered(image="front.jpg").in_folder(tmp_path))).checked()


@pytest.mark.parametrize(
    ("size", "keys", "notes"),
    [
        ((1838, 2775), {}, ""),
        ((1700, 2567), {}, "front.png is printed at 277 dpi on the cover, and 300 are advised"),
        ((1838, 1900), {"design": "window"}, ""),  # it fills about half of the front
    ],
)
def test_a_cover_s_picture_below_the_advised_resolution_is_printed_with_a_note(size, keys, notes, tmp_path):
    Image.new("RGB", size, (38, 38, 58)).save(tmp_path / "front.png")
    page = PageSpec.model_validate({"trim": "6x9in", "printer": "kdp-paperback"})
    book = covered(image="front.png", **keys).model_copy(update={"page": page, "notes_pages": 20})
    found = dry_run(Document(book.in_folder(tmp_path))).checked().cover_notes
    assert [note.partition(":")[0] for note in found] == notes.splitlines()


def test_finished_art_is_the_whole_front():
    own = OwnPicture("art.jpg", photo(1838, 2775), Size(1838, 2775), Size(1838, 2775))
    cover = composed(ordered(image=own, spec=covered(front="art.jpg")))
    (picture,) = of_kind(cover, Photo)
    assert picture.shade is None
    front = cover.geometry.front
    assert not [item for item in of_kind(cover, TextRun) if item.x > front.x]
    with pytest.raises(InvalidError, match="`front` is the whole front"):
        read_values({"front": "art.jpg", "puzzle": 1}, CoverSpec)


def test_a_title_is_smaller_rather_than_broken_badly():
    cover = composed(ordered(spec=covered().model_copy(update={"title": "The Big Book of Number Link"})))
    assert texts(cover)[:2] == ["The Big Book", "of Number Link"]


def test_the_spine_breaks_as_the_author_wants_where_it_is_wide_enough():
    spec = covered(spine_mm=30).model_copy(update={"title": Title("The Big Book|of Links")})
    cover = composed(ordered(spec=spec, pages=200))
    assert spine_words(cover)[:2] == ["The Big Book", "of Links"]


def test_sizes_and_template_of_a_cover_are_given_in_pixels():
    """6.125 + 0.5 + 6.125 in by 9.25 in, at 300 dpi."""
    geometry = measure_cover(KDP, SIX_BY_NINE, 200, spine_pt=36)
    assert cover_sizes(geometry).endswith("(12.750 × 9.250 in, 3825 × 2775 px)")
    assert Image.open(io.BytesIO(template_png(geometry, FontMeasure()))).size == (3825, 2775)
    with pikepdf.open(io.BytesIO(template_pdf(geometry, FontMeasure()))) as pdf:
        assert [float(side) for side in pdf.pages[0].trimbox] == [9, 9, 9 + 900, 9 + 648]


def test_a_hardcover_has_the_measurements_of_its_template():
    measured = read_values({"wrap": "45pt", "hinge": "28pt", "wider": "9pt", "higher": "18pt"}, CaseRules)
    cover = KDP.cover.model_copy(update={"case": measured})
    case = KDP.model_copy(update={"cover": cover})
    geometry = measure_cover(case, SIX_BY_NINE, 200, spine_pt=60)
    assert geometry.whole.width == 2 * 45 + 2 * (432 + 9) + 60
    assert geometry.whole.height == 2 * 45 + 648 + 18
    assert geometry.live(geometry.front).x == 432 + 9 + 60 + 28 + geometry.safety_pt
    assert geometry.barcode.right == 432 + 9 - 28 - KDP.cover.barcode_clear_pt
    assert spine_words(compose_cover(ordered(profile=case)))
