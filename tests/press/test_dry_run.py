"""Broken books, and the problems that are reported before a puzzle is made."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from linkpress.app.build import build
from linkpress.book.spec import load_spec, read_spec
from linkpress.errors import SpecError
from linkpress.layout.page_draft import PageDraft
from linkpress.press import print_files
from linkpress.press.dry_run import dry_run, stand_in_volume
from linkpress.resources import resource

HEAD = "title: Link\nseed: 1\npage: {printer: generic, trim: 6x9in}\n"
KDP = "title: Link\nseed: 1\npage:\n  printer: kdp-paperback\n"
LEVELS = "levels:\n  - {name: A, count: 24, size: 7, paths: 5}\n"
GENERIC = resource("config", "printers", "generic.yaml").read_text("utf-8")
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"


def picture(width, height):
    written = io.BytesIO()
    Image.new("L", (width, height), 200).save(written, "PNG")
    return written.getvalue()


def broken_book(spec, *lines, files=()):
    """The files of a broken book by name, and patterns for the beginning of each reported line, in order."""
    return {"book.yaml": spec, **dict(files)}, lines


BROKEN = {
    "spec, theme's file, printer's file, font and cover at once": broken_book(
        "title: Link\nseed: 1\npage: {printer: own.yaml}\ntheme: mine.yaml\nfonts: {regular: a.otf}\n"
        "cover: {image: front.png}\nlevels:\n  - {name: A, count: 2, size: 7, paths: 40}\n",
        r"book.yaml:5:18 fonts.regular: a.otf has PostScript outlines",
        r"book.yaml:6:16 cover.image: front.png can't be read: No such file",
        r"book.yaml:8:41 levels\[0\].paths: 40 — .*at most 16 paths fit",
        r"own.yaml:2:1 title: this key is needed",
        r"own.yaml:3:1 titel: there is no such key; did you mean `title`",
        r"mine.yaml:2:18 grid.inner_pt: thin — a number",
        r"mine.yaml:3:1 acent: there is no such key; did you mean `accent`",
        files={
            "mine.yaml": "name: mine\ngrid: {inner_pt: thin}\nacent: K50\n",
            "own.yaml": GENERIC.replace("title:", "titel:", 1),
            "a.otf": b"OTTO",
        },
    ),
    "mixes that are not of the level's count, beside a page that is too small": broken_book(
        "title: Link\nseed: 1\npage: {trim: A5, min_cell_mm: 40}\nlevels:\n"
        "  - {name: A, count: 3, size: 7, difficulty: {easy: 2}}\n"
        "  - {name: B, count: 1, size: 7, difficulty: {easy: 1, hard: 1}}\n",
        r"book.yaml:5:.*A.* squares of",
        r"book.yaml:5:.* levels\[0\].difficulty: 2 in all — let the counts of the mix add up to 3 puzzles",
        r"book.yaml:6:.* squares of",
        r"book.yaml:6:.* levels\[1\].difficulty: 2 in all — let the counts of the mix add up to 1 puzzle",
    ),
    "a title that can't be printed, with a theme that has letters of its own for titles": broken_book(
        'title: "\\a"\nseed: 1\ntheme: bold\n' + LEVELS,
        r"book.yaml:1:8 title: .* the character U\+0007 can't be printed",
    ),
    "a theme that is not there and a key that is none": broken_book(
        "title: Link\nseed: 1\ntheme: clasic\nworkers: 4\n" + LEVELS,
        r"book.yaml:3:8 theme: clasic — there is no such theme",
        r"book.yaml:4:1 workers: there is no such key",
    ),
    "a theme's file too fine for the printer": broken_book(
        HEAD + "theme: fine.yaml\n" + LEVELS,
        r"fine.yaml:3:13 grid.inner_pt: the theme fine can't be used with generic: grid.inner_pt, "
        r"solutions.grid_pt — line: 0.3 pt; allowed: 0.5 pt or more",
        r"fine.yaml:4:10 rule_pt: .*line: 0.4 pt",
        files={"fine.yaml": "name: fine\ngrid:\n  inner_pt: 0.3\nrule_pt: 0.4\n"},
    ),
    "numbers that nobody sees": broken_book(
        HEAD + "theme: {base: classic, numbers: {ink: '#ffffff'}}\n" + LEVELS,
        r"book.yaml:4:39 theme.numbers.ink: .*in #FFFFFF on paper in K0 have 1.0.*K45 would do",
    ),
    "an accent in the colour of the cover": broken_book(
        HEAD + "cover: {background: '#0B6E4F', accent: '#0B6E50'}\n" + LEVELS,
        r"book.yaml:4:40 cover.accent: the accent in #0B6E50 can't be told from .* #0B6E4F: .* 10 or more",
    ),
    "the cover of a series in the colour of the accent": broken_book(
        HEAD + "cover: yes\nseries: {name: Mine, colours: ['#E69F00', '#0B6E4F']}\n" + LEVELS,
        r"book.yaml:4:\d+ cover: the accent in #E69F00 can't be told from the background in #E69F00",
    ),
    "a cover's design on a ground that hides its art": broken_book(
        HEAD + "cover: {design: river, background: '#F4A259'}\n" + LEVELS,
        r"book.yaml:4:\d+ cover.background: the art in .* can't be told from the background in #F4A259",
    ),
    "a background too light for a printer that takes RGB": broken_book(
        HEAD.replace("generic", "lulu") + "cover: {background: '#F4F4F0'}\n" + LEVELS.replace("24", "60"),
        r"book.yaml:4:21 cover.background: the background in #F4F4F0 is a tint of 5.9%; lulu allows 10%",
    ),
    "a series with a colour too light for the printer's inks": broken_book(
        HEAD + "cover: yes\nseries: {name: Mine, colours: [[0, 4, 3, 0], '#0B6E4F']}\n" + LEVELS,
        r"book.yaml:5:\d+ series.colours: the background in .* is a tint of 4.0%; generic allows",
    ),
    "an accent too light for the printer": broken_book(
        HEAD + "cover: {background: '#0B6E4F', accent: '#FAFAF8'}\n" + LEVELS,
        r"book.yaml:4:40 cover.accent: the accent in #FAFAF8 is a tint of 2.0%; generic allows 5% or more",
    ),
    "a design of one's own whose grid nobody sees": broken_book(
        HEAD + "cover: {design: own.yaml}\n" + LEVELS,
        r"book.yaml:4:\d+ cover.design: the art in #14407B can't be told from the background in #14407A",
        files={
            "own.yaml": "name: own\npalettes:\n"
            "  - {ground: '#14407A', words: '#FFFFFF', lines: ['#FFB347'], faint: '#14407B'}\n"
        },
    ),
    "a theme of the spec's own too fine, and a cover's puzzle that there is not": broken_book(
        HEAD + "theme:\n  base: classic\n  rule_pt: 0.3\ncover: {puzzle: 99}\n" + LEVELS,
        r"book.yaml:6:12 theme.rule_pt: .*0.5 pt or more",
        r"book.yaml:7:17 cover.puzzle: 99 — the book has 24",
    ),
    "phrases that are none, beside squares too small": broken_book(
        HEAD + "words: {solution_on: Answer, contens: X}\nlevels:\n"
        "  - {name: A, count: 24, size: 20, paths: 30, per_page: 9}\n",
        r"book.yaml:4:22 words.solution_on: Answer — \{page\} must stand here once",
        r"book.yaml:4:39 words.contens: there is no such key; did you mean `contents`",
        r"book.yaml:6:\d+ levels\[0\]: puzzle 1 .*squares of",
    ),
    "colour on black-ink paper": broken_book(
        KDP + "  trim: 6x9in\nnumbers:\n  style: dots\n" + LEVELS.replace("24", "60"),
        r"book.yaml:[0-9:]+ numbers.style: dots — colours, that is: ink: colours on white paper",
    ),
    "dots without numbers that need more colours than there are": broken_book(
        HEAD.replace("6x9in", "6x9in, paper: colour")
        + "numbers: {style: dots, show_numbers: no}\nlevels:\n  - {name: A, count: 2, size: 6}\n"
        "  - {name: B, count: 2, size: 10}\n  - {name: C, count: 2, size: 9, method: classic}\n"
        "  - {name: D, count: 2, size: 9, paths: 9-13}\n",
        r"book.yaml:7:5 levels\[1\].paths: boards of 10 × 10 may have 15 paths; .* `paths: 10-12`",
        r"book.yaml:8:5 levels\[2\].paths: boards of 9 × 9 may have any number of paths",
        r"book.yaml:9:41 levels\[3\].paths: boards of 9 × 9 may have 13 paths; .* `paths: 9-12`",
    ),
    "paper and trim": broken_book(
        KDP + "  trim: 100x100mm\n  paper: vellum\n" + LEVELS,
        r"book.yaml:5:9 page.trim: kdp-paperback can't print this book. trim: 3.937 × 3.937 in; allowed",
        r"book.yaml:6:10 page.paper: kdp-paperback has no paper 'vellum': .* Choose one of them",
    ),
    "too few pages": broken_book(
        KDP + "  trim: 6x9in\nlevels:\n  - {name: A, count: 2, size: 7}\n",
        r"book.yaml:4:3 page: kdp-paperback .*pages: 8 pages; allowed: 24–828 pages",
    ),
    "squares of two levels and of an answer": broken_book(
        HEAD + "levels:\n  - {name: A, count: 24, size: 30, paths: 50-90, per_page: 4}\n"
        "  - {name: B, count: 24, size: 40, per_page: 2}\n",
        r"book.yaml:1:1 solutions: the answer to puzzle 25 .*least type of 6 pt",
        r"book.yaml:5:5 levels\[0\]: puzzle 1 .* 2.0 mm at 4 a page .*page.min_cell_mm",
        r"book.yaml:6:5 levels\[1\]: puzzle 25 .* 2.1 mm at 2 a page",
    ),
    "codes of boards with solids": broken_book(
        HEAD + "qr: {}\nlevels:\n  - {name: A, count: 24, size: 7, paths: 5, solids: 0-3}\n",
        r"book.yaml:4:5 qr.text: puzzle 1 has solid squares and puzz.link knows none",
    ),
    "codes of boards whose addresses may become too long": broken_book(
        HEAD + "qr: {}\nlevels:\n  - {name: A, count: 24, size: 20, paths: 30-60}\n",
        r"book.yaml:4:5 qr.text: [34].. characters; a code holds 1 to 300",
    ),
    "two fonts": broken_book(
        HEAD + "fonts:\n  regular: no.ttf\n  italic: text.ttf\n" + LEVELS,
        r"book.yaml:5:12 fonts.regular: no.ttf can't be read",
        r"book.yaml:6:11 fonts.italic: text.ttf can't be used as a TrueType font",
        files={"text.ttf": b"not a font"},
    ),
    "two pictures and a font that can't be used, and what is wrong whatever they are": broken_book(
        HEAD.replace("6x9in", "6x9in, bleed: yes, background: {image: leaf.png}")
        + "subtitle: 数独\nlanguage: ja\nfonts: {fallback: ja.otf}\n"
        + "front:\n  - text: '![](one.png)'\n  - text: '![](one.png)'\n  - text: '![](two.png)'\n"
        + "cover: {image: front.png}\n"
        + "levels:\n  - {name: A, count: 24, size: 30, paths: 50-90, per_page: 4}\n",
        r"book.yaml:3:71 page.background.image: leaf.png is too small to print sharply",
        r"book.yaml:6:19 fonts.fallback: ja.otf has PostScript outlines",
        r"book.yaml:8:11 front\[0\].text: one.png can't be read",
        r"book.yaml:10:11 front\[2\].text: two.png is none of JPEG",
        r"book.yaml:11:16 cover.image: front.png can't be read",
        r"book.yaml:13:5 levels\[0\]: puzzle 1 .* 2.0 mm at 4 a page",
        files={"ja.otf": b"OTTO", "two.png": b"no picture", "leaf.png": picture(300, 400)},
    ),
    "fonts without the letters of the language, reported once, beside squares too small": broken_book(
        HEAD + "language: ja\nlevels:\n  - {name: A, count: 24, size: 30, paths: 50-90, per_page: 4}\n",
        r"book.yaml:4:11 language: ja, \w+: the fonts .* no glyph for .* The same is true of \d+ more",
        r"book.yaml:6:5 levels\[0\]: puzzle 1 ",
    ),
    "characters without a glyph on several pages": broken_book(
        "title: Link ♞\nsubtitle: 数独\nseed: 1\nfront:\n  - {text: 'A ♞ knight'}\n" + LEVELS,
        r"book.yaml:1:8 title: the fonts have no glyph for '♞'",
        r"book.yaml:2:11 subtitle: .*'数'",
        r"book.yaml:5:12 front\[0\]\.text: .*'♞'",
    ),
    "a character without a glyph in a level's name, which stands in running heads, too": broken_book(
        HEAD + "levels:\n  - {name: A♞, count: 2, size: 5}\n", r"book.yaml:5:12 levels\[0\].name: .*'♞'"
    ),
    "the cover's words, boards and picture": broken_book(
        HEAD.replace("Link", LONG) + "cover:\n  blurb: " + "many long words " * 74 + "\n  boards: 3\n"
        "  image: front.png\nlevels:\n  - {name: A, count: 24, size: 24, paths: 30}\n",
        r"book.yaml:1:8 title: .*doesn't fit the cover in 5 lines",
        r"book.yaml:6:11 cover.boards: 3 on the back would have numbers of",
        r"book.yaml:7:10 cover.image: front.png is too small to print sharply",
        files={"front.png": picture(300, 400)},
    ),
    "a cover's puzzle that may be too large": broken_book(
        HEAD.replace("6x9in", "6x9in, min_cell_mm: 4") + "cover: {puzzle: 1}\n"
        "levels:\n  - {name: A, count: 24, size: [7, 28]}\n",
        r"book.yaml:4:17 cover.puzzle: on the front the numbers of 28 × 28",
    ),
    "a cover for which the printer has a template of its own": broken_book(
        HEAD.replace("generic", "kdp-hardcover") + "cover: {}\n" + LEVELS.replace("24", "120"),
        r"book.yaml:4:8 cover: kdp-hardcover gives the size of this cover only in its own template",
    ),
    "a spine of a width that nobody tells": broken_book(
        HEAD.replace("generic", "ingramspark") + "cover: {}\n" + LEVELS,
        r"book.yaml:4:8 cover.spine_mm: ingramspark publishes no page thickness",
    ),
    "what only a preflight sees": broken_book(
        HEAD.replace("generic", "own.yaml").replace("6x9in", "6x9in, paper: colour")
        + "theme: {base: classic, accent: [20, 20, 20, 100]}\n"
        + LEVELS,
        r"book.yaml:3:17 page.printer: own would refuse interior.pdf, page 1: the black CMYK 0.2 0.2 0.2 1",
        files={
            "own.yaml": GENERIC.replace("name: generic", "name: own").replace("[encryption]", "[rich-black]")
        },
    ),
    "squares beside captions that may need two lines": broken_book(
        HEAD.replace("6x9in", "6x9in, min_cell_mm: 4.2")
        + "captions: {difficulty: number}\nlevels:\n  - {name: A, count: 24, size: 12, per_page: 5}\n",
        r"book.yaml:6:5 levels\[0\]: puzzle 1 .*at 5 a page .*asks for 4.2 mm",
    ),
    "answers at a foot that is too narrow": broken_book(
        HEAD.replace("6x9in", "5x8in")
        + "solutions:\n  place: upside-down\nlevels:\n  - {name: A, count: 24, size: 34}\n",
        r"book.yaml:5:10 solutions.place: a legible answer of level 'A' is",
    ),
    "a page for screens that is too small": broken_book(
        HEAD + "screen: {trim: 80x80mm}\nlevels:\n  - {name: A, count: 24, size: 20, paths: 30}\n",
        r"book.yaml:4:9 screen: .*puzzle 1 .*set screen.trim",
    ),
}


@pytest.fixture
def broken(tmp_path, monkeypatch, request):
    """The spec of that name, with its files, in the current folder; the lines that are to be said."""
    monkeypatch.chdir(tmp_path)
    files, lines = BROKEN[request.param]
    for name, content in files.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return lines


@pytest.mark.parametrize("broken", BROKEN, indirect=True)
def test_all_problems_of_a_broken_book_are_reported_at_once_with_their_places(broken):
    with pytest.raises(SpecError) as error:
        dry_run(read_spec(Path("book.yaml"))).checked()
    for pattern, line in zip(broken, str(error.value).splitlines(), strict=True):
        assert re.match(pattern, line)


@pytest.mark.parametrize("broken", ["too few pages"], indirect=True)
def test_a_build_that_is_refused_makes_no_puzzle_and_no_folder(broken):
    with pytest.raises(SpecError, match=broken[0]):
        build("book.yaml", "out")
    assert [path.name for path in Path().iterdir()] == ["book.yaml"]


def test_a_wrong_date_in_the_environment_is_reported(tmp_path, monkeypatch):
    (tmp_path / "book.yaml").write_text(HEAD + LEVELS)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(SpecError, match=r"^SOURCE_DATE_EPOCH='soon' is not a date"):
        dry_run(read_spec(tmp_path / "book.yaml")).checked()


@pytest.mark.parametrize("printer", ["lulu", "ingramspark", "generic"])
def test_accents_on_headings_and_running_heads_stay_inside_the_margin(printer, tmp_path):
    document = tmp_path / "book.yaml"
    document.write_text(
        f"title: Ñandú\nlanguage: es\nseed: 1\npage: {{printer: {printer}, trim: A5}}\n"
        "front: [{title: Último, text: Ángulo}]\nlevels:\n"
        "  - {name: Ágil, count: 48, size: 5, paths: 3-5, per_page: 1}\n"
    )
    assert dry_run(read_spec(document)).checked().layout.pages[2].section == "Índice"


@pytest.mark.parametrize("side", [100, 110])
def test_thai_letters_are_seen_where_words_that_are_copied_stand_for_them(side, tmp_path):
    """PDFium spreads such words evenly over a part of their line, so that letters come to lie on paper."""
    document = tmp_path / "book.yaml"
    document.write_text(
        f"title: A\nauthor: Ada\nlanguage: th\nseed: 1\npage: {{trim: {side}x{side}mm}}\n"
        "levels: [{name: A, count: 1, size: 6}]\n"
    )
    assert dry_run(read_spec(document)).checked().assets.profile.name == "generic"


def test_stand_ins_of_one_size_are_one_board(tmp_path):
    """A spec of two lines can ask for 5,000 boards of 50 × 50; each for itself they would take 1.5 GB."""
    levels = "levels:\n  - {name: A, count: 30, size: [5, 5x7], paths: 4}\n"
    document = tmp_path / "book.yaml"
    document.write_text(HEAD + levels)
    volume = stand_in_volume(load_spec(document))
    assert len({puzzle.fingerprint for puzzle in volume.puzzles}) == 30
    assert len({id(puzzle.solution) for puzzle in volume.puzzles}) == 2


def test_pages_that_were_found_printable_are_drawn_again_only_if_they_change(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKPRESS_CACHE", str(tmp_path / "cache"))
    drawn, document = [], tmp_path / "book.yaml"
    real = print_files.draw_interior
    monkeypatch.setattr(print_files, "draw_interior", lambda *given: drawn.append(given) or real(*given))
    for title in ("A", "A", "Another"):
        document.write_text(f"title: {title}\nlevels: [{{name: A, count: 1, size: 6}}]\n")
        assert dry_run(read_spec(document)).book
    assert len(drawn) == 2


def test_a_check_composes_few_of_the_pages_that_look_alike(tmp_path, monkeypatch):
    composed, page = [], PageDraft.page
    monkeypatch.setattr(
        PageDraft, "page", lambda draft, *about: composed.append(draft.number) or page(draft, *about)
    )
    spec = tmp_path / "long.yaml"
    spec.write_text("title: Long\nseed: 1\nlevels: [{name: A, count: 300, size: 5, per_page: 1}]\n")
    book = dry_run(read_spec(spec)).checked().layout
    assert book.page_count > 300
    assert len(composed) < 30
    assert book.index["puzzle-300"] in composed  # the page with the longest numbers
