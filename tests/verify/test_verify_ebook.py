"""An e-book is read back as the PDFs are: each fault in it is a finding with its place."""

import io
import json
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from boards import puzzle_of, record_of
from linkpress.book.volume import assemble
from linkpress.documents.shipped_files import THEMES
from linkpress.press.typesetting import typeset
from linkpress.puzzle.notation.link_text import parse_solution_rows
from linkpress.verify import read_book, verify_folder
from verify_samples import graded, volume_in, with_changes, written

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A book with a cover and a tutorial, four puzzles and their e-book."""
    volume = with_changes(graded(volume_in("classic")), epub=True, cover=True, parts={"tutorial": True})
    return written(volume, tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module", autouse=True)
def pdfs_are_read_once():
    """They are sound, and the same in most of these tests."""
    found = {}

    def read_once(content, phrases):
        return found.get(content) or found.setdefault(content, read_book(content, phrases))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linkpress.verify.verification.read_book", read_once)
        yield


@pytest.fixture
def folder(built, tmp_path):
    return Path(shutil.copytree(built, tmp_path / "book"))


def files_of(folder):
    with zipfile.ZipFile(folder / "book.epub") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def found_in(folder, content):
    """What is found in an e-book alone: the files beside it are sound."""
    (folder / "book.epub").write_bytes(content)
    verification = verify_folder(folder)
    assert {finding.file for finding in verification.findings} <= {"book.epub"}
    return list(verification.findings)


def plant(folder, change):
    files = files_of(folder)
    change(files)
    return [str(finding) for finding in found_in(folder, packed(files))]


def test_a_right_book_passes_and_its_e_book_is_named(built):
    verification = verify_folder(built)
    assert verification.passed, verification.text()
    assert json.loads(verification.as_json())["files"] == ["interior.pdf", "book.epub"]


def test_levels_and_pages_may_be_called_as_puzzles_and_links_are(tmp_path):
    named = {"words": {"puzzle": "No. {number}"}, "front": [{"title": "No. 3", "text": "3 puzzles"}]}
    volume = with_changes(volume_in("classic"), epub=True, **named)
    for title in ("No. 2", "Show the answer", "5 puzzles to begin with", "Solutions from page 9"):
        level = volume.spec.levels[0].model_copy(update={"name": title})
        puzzles = tuple(replace(one, level=title) for one in volume.puzzles)
        spec = volume.spec.model_copy(update={"levels": (level,)})
        assert verify_folder(written(replace(volume, spec=spec, puzzles=puzzles), tmp_path)).passed


def test_a_heading_may_be_a_number_alone_and_a_link_may_leave_the_book(tmp_path):
    front = [{"text": "[More](https://example.org/puzzles)"}]
    volume = with_changes(volume_in("classic"), epub=True, words={"puzzle": "{number}"}, front=front)
    assert verify_folder(written(volume, tmp_path)).passed


def test_contents_that_are_no_page_are_read_too(tmp_path):
    folder = written(with_changes(volume_in("classic"), epub=True, parts={"contents": False}), tmp_path)
    assert verify_folder(folder).passed

    def change(files):
        files["EPUB/contents.xhtml"] = files["EPUB/contents.xhtml"].replace(b"level-1", b"puzzle-1")

    assert plant(folder, change) == ["the link 'Easy' leads to EPUB/puzzle-1.xhtml, which does not say so"]


@pytest.mark.parametrize(
    "words",
    [
        {"how_to_play": "Puzzle 1"},
        {"player": {"answer": "Puzzle 1"}},
        {"player": {"board": "{number}: r{cols}c{rows}", "cell_solid": "solid; not: free"}},
    ],
)
def test_own_words_may_be_those_of_another_place(words, tmp_path):
    verification = verify_folder(
        written(with_changes(volume_in("classic"), epub=True, words=words), tmp_path)
    )
    assert verification.passed, verification.text()


@pytest.mark.parametrize("theme", THEMES.names())
def test_in_every_theme_an_e_book_passes_and_exchanged_answers_are_found(theme, tmp_path):
    folder = written(with_changes(volume_in(theme), epub=True), tmp_path)
    assert verify_folder(folder).passed

    def exchange(files):
        one, other = "EPUB/solution-2.svg", "EPUB/solution-3.svg"
        files[one], files[other] = files[other], files[one]

    found = plant(folder, exchange)
    assert any(text.startswith("puzzle 2, p. ") for text in found)
    assert any(text.startswith("puzzle 3, p. ") for text in found)


ONE_PATH = parse_solution_rows(puzzle_of("3 3\n. . .\n1 # .\n# 1 .\n"), ("1 1 1", "1 # 1", "# 1 1"))


@pytest.mark.parametrize("theme", THEMES.names())
def test_an_answer_of_one_path_passes_also_where_it_is_one_white_area(theme, tmp_path):
    volume = volume_in(theme)
    level = volume.spec.levels[0].model_copy(update={"count": 1})
    spec = volume.spec.model_copy(update={"subtitle": "1 puzzle", "levels": (level,)})
    record = record_of(ONE_PATH, level="Easy", seed=volume.puzzles[0].seed, index=0)
    one = assemble(spec, [record], "0.0")
    verification = verify_folder(written(with_changes(one, epub=True), tmp_path))
    assert verification.passed, verification.text()


# The pages: cover, title, copyright, contents, how to play, tutorial, level, puzzles 8 to 11, solutions,
# answers 13 to 16.
EDITS = [
    (
        "puzzle-1.svg",
        "</svg>",
        '<path d="M0 0h900v900h-900Z" fill="#ffffff"/></svg>',
        "p. 8: EPUB/puzzle-1.svg shows no board",
    ),
    ("puzzle-1.svg", 'label="2"', 'label="3"', "p. 8: EPUB/puzzle-1.svg can't be read: the shape of '2' is"),
    ("puzzle-1.svg", "<path [^>]*/>", "", "puzzle 1, p. 8: e-book and volume differ: r1c4 is empty in the"),
    ("solution-3.svg", "<path [^>]*/>", "", "puzzle 3, p. 15: the answer drawn is wrong"),
    ("package.opf", '<itemref idref="text-puzzle-2"/>', r"\g<0>\g<0>", "puzzle 2, p. 10: a second puzzle"),
    ("package.opf", '<itemref idref="text-puzzle-2"/>', "", "p. 4: the link 'Puzzle 2' leads to"),
    ("package.opf", 'xml:lang="en"', 'xml:lang="de"', "the language is 'de', and the volume's 'en'"),
    ("package.opf", "language>en<", "language>de<", "the language is 'de', and the volume's 'en'"),
    ("contents.xhtml", "level-1", "puzzle-1", "p. 4: the link 'Easy' leads to EPUB/puzzle-1.xhtml, which"),
    ("contents.xhtml", "level-1", "%1b%0a", r"p. 4: the link 'Easy' leads to EPUB/\x1b\n.xhtml, which is no"),
    ("title.xhtml", "4 puzzles", "5 puzzles", "p. 2: the title page says 5 puzzles, and the book has 4"),
    ("level-1.xhtml", "4 puzzles", "3 puzzles", "p. 7: the section says 3 puzzles, and 4 follow"),
    ("puzzle-2.xhtml", "solution-2.x", "solution-9.x", "p. 9: the link 'Show the answer' leads to"),
    ("puzzle-2.xhtml", "solution-2.x", "solution-1.x", "puzzle 2, p. 9: its solution is said to be on p."),
    ("puzzle-2.xhtml", "<a .*?</a>", "", "puzzle 2, p. 9: no link leads to its answer"),
    ("puzzle-2.xhtml", "<h1>Puzzle", "<h1>Rätsel", "p. 9: a board without a number stands among the puzzles"),
    ("puzzle-2.xhtml", "<h1>Puzzle 2", "<h1>Puzzle 7", "puzzle 7, p. 9: the e-book has this puzzle and the"),
    ("puzzle-2.xhtml", "<span>5 × 7", "<span>7 × 5", "puzzle 2, p. 9: it says 7 × 5, and the board is 5 × 7"),
    ("puzzle-2.xhtml", ' lang="en"', ' lang="th"', "p. 9: the language is 'th', and the volume's 'en'"),
    ("puzzle-2.xhtml", 'xml:lang="en"', 'xml:lang="th"', "p. 9: the language is 'th', and the volume's"),
    ("puzzle-1.xhtml", "solid: r1c4", "solid: r1c2", "puzzle 1, p. 8: the drawing and the words for those"),
    ("puzzle-2.xhtml", "(alt=.*?1: r1c)1", r"\g<1>3", "puzzle 2, p. 9: the drawing and the words for those"),
    ("puzzle-2.xhtml", "alt=.Puzzle 2", 'alt="Puzzle 3', "puzzle 2, p. 9: the drawing and the words for"),
    ("puzzle-2.xhtml", "alt=[^/]*", 'alt="A puzzle"', "puzzle 2, p. 9: the drawing and the words for"),
    ("puzzle-2.xhtml", "</h1>", "", "p. 9: EPUB/puzzle-2.xhtml can't be read: mismatched tag"),
    ("puzzle-2.xhtml", "html>", 'html [<!ENTITY a "b">]>', "p. 9: EPUB/puzzle-2.xhtml can't be read: it has"),
    ("solution-2.xhtml", "puzzle-2", "puzzle-1", "puzzle 2, p. 14: the answer says that its puzzle is on p."),
    ("solution-2.xhtml", "<a .*?>(.*)</a>", r"\1", "puzzle 2, p. 14: no link leads to its puzzle"),
    ("solution-1.xhtml", "r1c5–r2c5", "r1c5–r1c4", "puzzle 1, p. 13: the drawing and the words for those"),
    ("how-to-play.xhtml", "r1c5–r5c5–r5", "r4c4–r5c4–r5", "p. 5: the drawing and the words for those who"),
    ("solution-2.xhtml", "–r1c", "–r7c", "puzzle 2, p. 14: the drawing and the words for those"),
    ("puzzle-2.xhtml", "<p>", '<p style="margin-top: -9em">', "p. 9: EPUB/puzzle-2.xhtml has '-9' in a"),
    ("puzzle-2.xhtml", "<p>", '<p hidden="">', "p. 9: EPUB/puzzle-2.xhtml has a hidden <p>"),
    ("puzzle-2.xhtml", "<p>", "<p><video/>", "p. 9: EPUB/puzzle-2.xhtml has <video>, which no page of"),
    ("ebook.css", "img {", "p { position: fixed } img {", "EPUB/ebook.css has 'position:' in a style"),
    ("ebook.css", "img {", "i/**/mg { z-index/**/: 9;", "EPUB/ebook.css has 'z-index :' in a style"),
    ("ebook.css", "100%", "0", "EPUB/ebook.css has 'width: 0' in a style"),
    ("example-solved.svg", "label=.4.", 'label="3"', "p. 5: EPUB/example-solved.svg can't be read: the"),
    ("example-half.svg", "M1 151L", "M9 151L", "p. 5: EPUB/example-half.svg shows no board"),
    ("lesson-8.svg", 'd="M[^M"]*(?=[^>]*round)', 'd="', "p. 6: the tutorial's lines are not those of its"),
    ("puzzle-2.svg", "<path", '<image href="x"/><path', "p. 9: EPUB/puzzle-2.svg can't be read: it has"),
    ("puzzle-2.svg", "<path", '<svg viewBox="0 0 9 9"/><path', "p. 9: EPUB/puzzle-2.svg can't be read: it"),
    ("puzzle-2.svg", "<path", '<path d="M1 1h20v20h-20Z" fill="none" stroke="#000000"/><path',
     "p. 9: EPUB/puzzle-2.svg can't be read: it has an outline that is no board's"),
    ("puzzle-2.svg", 'viewBox="0', 'viewBox="9', "p. 9: EPUB/puzzle-2.svg can't be read: it shows a part"),
    ("puzzle-2.svg", "<path", '<path style="x"', "p. 9: EPUB/puzzle-2.svg can't be read: it has <path> with"),
    ("puzzle-2.svg", r"M1 \d+L", r"\g<0>C", "p. 9: EPUB/puzzle-2.svg can't be read: it has a path that"),
    ("puzzle-2.svg", '"M1 ', '"M-299999924 16h600000000M1 ', "puzzle 2, p. 9: a line of the answer leaves"),
    ("solution-2.svg", r'(<path[^>]*round[^>]*>\s*)+', "", "puzzle 2, p. 14: no line of the answer is"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "said"), EDITS)
def test_a_changed_word_or_stroke_is_found_with_its_place(name, old, new, said, folder):
    def change(files):
        content, count = re.subn(old, new, files[f"EPUB/{name}"].decode(), count=1)
        assert count == 1
        files[f"EPUB/{name}"] = content.encode()

    found = plant(folder, change)
    assert any(text.startswith(said) for text in found), found


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("puzzle-1", ">2<", ">3<", "puzzle 1, p. 8: the number 2 appears 1 time"),
        ("puzzle-1", ">2<", ">two<", "puzzle 1, p. 8: the text 'two' stands on r1c5"),
        ("puzzle-1", "(?s)>2<(.*?)>3<", r">3<\1>2<", "puzzle 1, p. 8: e-book and volume differ: r1c5 is 3"),
        ("example-solved", ">4<", ">3<", "p. 5: the sample is drawn with different numbers"),
        ("puzzle-1", ">2<", ">2<", None),
    ],
)
def test_an_e_book_of_before_0_3_is_read(name, old, new, said, folder):
    shape = r'<path aria-label="(.*?)" transform="translate.(\S+) (\S+). scale.(\S+)." fill="(.*?)" d=".*?"/>'

    def text(found):
        return (
            f'<text x="{found[2]}" y="{found[3]}" font-size="{1000 * float(found[4])}" text-anchor="start" '
            f'fill="{found[5]}">{found[1]}</text>'
        )

    def change(files):
        for drawing in [drawing for drawing in files if drawing.endswith(".svg")]:
            files[drawing] = re.sub(shape, text, files[drawing].decode()).encode()
        for number in range(1, 5):
            page, link = (
                f"EPUB/solution-{number}.xhtml",
                f'<a href="puzzle-{number}.xhtml">Puzzle {number}</a>',
            )
            content = files[page].decode().replace(f"<p>{link}</p>", "")
            files[page] = content.replace(f"<h1>Solution {number}</h1>", f"<h1>{link}</h1>").encode()
            assert f"<h1>{link}".encode() in files[page]
        content, count = re.subn(old, new, files[f"EPUB/{name}.svg"].decode(), count=1)
        assert count == 1
        files[f"EPUB/{name}.svg"] = content.encode()

    found = plant(folder, change)
    assert any(text.startswith(said) for text in found) if said else not found, found


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("puzzle-1.svg", "puzzle-2.svg", "puzzle 2, p. 9: the board of puzzle 1 stands here"),
        ("puzzle-1.svg", "solution-1.svg", "puzzle 1, p. 8: a line of an answer is drawn in the puzzle"),
        (
            "solution-1.svg",
            "solution-2.svg",
            "puzzle 1, p. 13: the answer is drawn on another board than the",
        ),
        ("puzzle-3.xhtml", None, "p. 10: EPUB/puzzle-3.xhtml is not there"),
        ("puzzle-3.xhtml", None, "puzzle 3: the volume has this puzzle and the e-book has not"),
        ("solution-3.xhtml", None, "puzzle 3: no answer to this puzzle is in the e-book"),
        ("solution-3.svg", None, "p. 15: EPUB/solution-3.svg is not there"),
        ("solution-3.svg", None, "puzzle 3, p. 15: no board is drawn here"),
    ],
)
def test_files_exchanged_or_lost_are_found_with_their_places(one, other, said, folder):
    def change(files):
        lost = files.pop(f"EPUB/{one}")
        if other is not None:
            files[f"EPUB/{one}"], files[f"EPUB/{other}"] = files[f"EPUB/{other}"], lost

    found = plant(folder, change)
    assert any(text.startswith(said) for text in found), found


def test_the_pictures_of_an_e_book_for_kindles_are_read_and_an_exchanged_one_is_found(tmp_path):
    folder = written(with_changes(volume_in("classic"), epub={"kind": "kindle"}), tmp_path)
    assert verify_folder(folder).passed

    def change(files):
        picture = Image.open(io.BytesIO(files["EPUB/puzzle-2.png"])).convert("L")
        size = picture.width // 5
        picture.paste(255, (size // 4, size // 4, size, size))  # a number is rubbed out
        stream = io.BytesIO()
        picture.save(stream, "PNG")
        files["EPUB/puzzle-2.png"] = stream.getvalue()

    page = "EPUB/puzzle-2.png can't be read: it is not the picture that is drawn of the volume"
    assert any(page in text for text in plant(folder, change))


def test_a_board_that_leads_to_another_to_zoom_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("linkpress.ebook.chapters._MOST_COLS", 4)
    folder = written(with_changes(volume_in("classic"), epub=True), tmp_path)
    assert verify_folder(folder).passed

    def change(files):
        name = "EPUB/puzzle-1.xhtml"
        files[name] = files[name].replace(b"zoomed-puzzle-1", b"zoomed-puzzle-2")

    (found,) = plant(folder, change)
    assert found == "p. 6: EPUB/zoomed-puzzle-2.xhtml, to which the board leads, shows another"


def test_the_e_book_of_another_volume_is_found(folder, tmp_path):
    other = with_changes(volume_in("classic"), epub=True)
    turned = replace(other, puzzles=other.puzzles[::-1])
    content = typeset(turned, tmp_path).files["book.epub"]
    found = [(finding.puzzle, finding.found) for finding in found_in(folder, content)]
    assert (1, "the board of puzzle 4 stands here") in found


def test_an_e_book_in_another_language_is_told_before_all_else(folder, tmp_path):
    german = with_changes(volume_in("classic"), epub=True, language="de")
    content = typeset(german, tmp_path).files["book.epub"]
    first, *others = found_in(folder, content)
    assert first.found.startswith("the language is 'de', and the volume's 'en'; so is that of ")
    assert others


def with_page(files, content):
    return packed({**files, "EPUB/puzzle-2.xhtml": content})


def two_of_a_name(files):
    return packed({**files, "EPUB/puzzle-1.xhtmk": b""}).replace(b"puzzle-1.xhtmk", b"puzzle-1.xhtml")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda files: b"no zip", "it is no e-book, or not a whole one"),
        (lambda files: packed(files)[:-100], "it is no e-book, or not a whole one"),
        (lambda files: packed({"EPUB/package.opf": b""}), "META-INF/container.xml is not there"),
        (lambda files: packed({**files, "EPUB/package.opf": b"<"}), "ParseError"),
        (
            lambda files: with_page(files, b" " * (9 << 20)),
            "EPUB/puzzle-2.xhtml unpacks to more than it should",
        ),
        (two_of_a_name, "two of its files have one name"),
    ],
)
def test_a_file_that_is_no_e_book_or_asks_for_too_much_is_one_finding(damage, said, folder):
    (fault,) = found_in(folder, damage(files_of(folder)))
    assert str(fault).startswith(f"it can't be read back: {said}")


def test_files_that_are_packed_as_no_e_book_s_may_be_are_not_unpacked(folder):
    (fault,) = found_in(folder, packed(files_of(folder), zipfile.ZIP_BZIP2))
    assert "it is packed as no e-book's file may be" in fault.found


def test_a_byte_changed_in_a_packed_page_is_told_with_the_page(folder):
    content = packed(files_of(folder))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entry = archive.getinfo("EPUB/puzzle-2.xhtml")
    at = entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2
    found = [
        str(one) for one in found_in(folder, content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    ]
    assert any(text.startswith("p. 9: EPUB/puzzle-2.xhtml can't be read: ") for text in found)
