"""The e-book: held to its volume, to its language and, where that is installed, to EPUBCheck."""

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.press.stand_in_volume import stand_in_volume
from linkpress.press.typesetting import typeset
from linkpress.render.photos import screen_picture
from linkpress.words.languages import LANGUAGES

XHTML, OPF = "{http://www.w3.org/1999/xhtml}", "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
LEVELS = [
    {"name": "Easy & <more>", "count": 3, "size": "5x7", "paths": 5, "solids": 2},
    {"name": "Hard", "count": 2, "size": 8, "paths": 7},
]
OWN_TEXT = '# Head\n\n<b>raw</b> & *so*, [there](https://example.com/?a=1&b=2)\n\n![](own.png "60mm")\n\n'
EVERYTHING = {
    "cover": True,
    "isbn": "978-1-4028-9462-6",
    "author": "A. N. Author",
    "publisher": "The House",
    "volume": 3,
    "play": {"url": "https://example.com/play.html"},
    "series": {"name": "Evenings"},
    "parts": {"tutorial": True, "colophon": "end"},
    "captions": {"grade": "stars"},
    "front": [{"title": "First", "text": OWN_TEXT + "| a |\n|--:|\n| 1 |"}],
    "back": [{"text": "The end"}],
}


def volume_of(**keys: object) -> Volume:
    book = {"title": "Lines & <Numbers>", "seed": 1, "epub": True, "levels": LEVELS, **keys}
    return stand_in_volume(BookSpec.model_validate(book))


def epub_of(volume: Volume, folder: Path) -> bytes:
    Image.new("RGB", (900, 600), "red").save(folder / "own.png")
    return typeset(volume, folder).files["book.epub"]


def files_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Volume, bytes]:
    """A book with all that an e-book can have."""
    volume = volume_of(**EVERYTHING)
    return volume, epub_of(volume, tmp_path_factory.mktemp("whole"))


def pages_of(content: bytes) -> dict[str, ElementTree.Element]:
    return {
        name: ElementTree.fromstring(page)
        for name, page in files_of(content).items()
        if name.endswith(".xhtml")
    }


def test_it_opens_with_its_kind_and_every_link_leads_somewhere(whole: tuple[Volume, bytes]) -> None:
    _, content = whole
    assert content[30:58] == b"mimetypeapplication/epub+zip"  # where programs look for it
    files, pages = files_of(content), pages_of(content)
    package = ElementTree.fromstring(files["package.opf"])
    items = {item.get("href") for item in package.iter(f"{OPF}item")}
    assert items == set(files) - {"mimetype", "container.xml", "package.opf"}
    led = [page.iter() for page in pages.values()]
    targets = {part.get("href") or part.get("src") or "" for parts in led for part in parts} - {""}
    assert {target for target in targets if "://" not in target} <= items
    assert "https://example.com/play.html#5" in targets


def test_puzzles_and_answers_lead_to_one_another_and_are_told_in_words(whole: tuple[Volume, bytes]) -> None:
    volume, content = whole
    pages, files = pages_of(content), files_of(content)
    for one in volume.numbered:
        name, position = one.record.puzzle.grid.name, one.record.puzzle.grid.position
        puzzle, answer = pages[f"puzzle-{one.number}.xhtml"], pages[f"solution-{one.number}.xhtml"]
        assert f"solution-{one.number}.xhtml" in {link.get("href") for link in puzzle.iter(f"{XHTML}a")}
        assert f"puzzle-{one.number}.xhtml" in {link.get("href") for link in answer.iter(f"{XHTML}a")}
        (shown,), (drawn,) = (page.findall(f".//{XHTML}img") for page in (puzzle, answer))
        for pair in one.record.puzzle.pairs:
            assert f"{pair.number}: {name(pair.first)} {name(pair.second)}" in shown.attrib["alt"]
        assert all(name(cell) in shown.attrib["alt"] for cell in one.record.puzzle.grid.solids)
        for path in one.record.solution.paths:
            told = re.search(rf"(?:^|[ ]){path.number}: ([rc\d–]+)", drawn.attrib["alt"])
            assert told is not None
            places = [[*map(name, path.cells)].index(stop) for stop in told[1].split("–")]
            assert (places[0], places[-1]) == (0, len(path.cells) - 1)
            for begin, end in pairwise(places):  # a run is straight
                (row, col), (to_row, to_col) = map(position, (path.cells[begin], path.cells[end]))
                assert abs(to_row - row) + abs(to_col - col) == end - begin
                assert row == to_row or col == to_col
        assert files[shown.attrib["src"]] != files[drawn.attrib["src"]]


def test_the_contents_list_what_the_printed_book_s_list(whole: tuple[Volume, bytes]) -> None:
    _, content = whole
    contents = pages_of(content)["contents.xhtml"].find(f".//{XHTML}nav/{XHTML}ol")
    assert contents is not None
    listed = [entry.findtext(f"{XHTML}a") for entry in contents]
    assert listed[:2] == ["First", "How to play"]
    assert listed[3:] == ["Easy & <more>", "Hard", "Solutions"]
    assert [len(entry.findall(f".//{XHTML}li")) for entry in contents][3:] == [3, 2, 7]  # back and colophon


def test_own_pages_are_text_and_pictures(whole: tuple[Volume, bytes]) -> None:
    page = files_of(whole[1])["front-1.xhtml"].decode()
    assert "<h2>Head</h2>" in page
    assert "&lt;b&gt;raw&lt;/b&gt; &amp; <em>so</em>" in page
    assert re.search(r'<img src="picture-\d+\.png" alt="" style="width: 60mm" />', page)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<div>\n![](none.png)\n</div>", "&lt;div&gt;\n![](none.png)\n&lt;/div&gt;"),
        ('![](own.png "6 cm")', "width: 6cm"),
        ("[a](www.example.com) b", "<p>a (www.example.com) b</p>"),
        ("[a](<http://b c/>) [d](#e) [f]()", "<p>a (http://b%20c/) d (#e) f</p>"),
        ("<x-app:foo>", "<p>x-app:foo</p>"),
        ("<me@example.com>", '<a href="mailto:me@example.com">me@example.com</a>'),
        ("[a](http://example.com:80/b?c#d)", '<a href="http://example.com:80/b?c#d">a</a>'),
        ("[a](http://example.com:65535)", '<a href="http://example.com:65535">a</a>'),
        ("[a](http://example.com:65536)", "<p>a (http://example.com:65536)</p>"),
    ],
)
def test_own_pages_hold_nothing_that_an_e_book_may_not(text: str, shown: str, tmp_path: Path) -> None:
    """Raw HTML stays text as in print, and links that lead nowhere show their address."""
    page = files_of(epub_of(volume_of(front=[{"text": text}]), tmp_path))["front-1.xhtml"].decode()
    assert shown in page


def test_a_link_to_play_is_an_address_whatever_its_letters(tmp_path: Path) -> None:
    play = {"url": "https://exämple.com/%zz|"}
    page = files_of(epub_of(volume_of(play=play), tmp_path))["puzzle-2.xhtml"].decode()
    assert 'href="https://xn--exmple-cua.com/%25zz%7C#2"' in page


def test_the_printed_book_s_number_is_not_the_e_book_s(whole: tuple[Volume, bytes]) -> None:
    assert all(b"9462" not in content for content in files_of(whole[1]).values())


def test_library_data_say_what_the_book_is(whole: tuple[Volume, bytes]) -> None:
    package = ElementTree.fromstring(files_of(whole[1])["package.opf"])
    assert [title.text for title in package.iter(f"{DC}title")] == ["Lines & <Numbers>"]
    assert package.findtext(f".//{DC}creator") == "A. N. Author"
    told = {meta.get("property"): meta.text for meta in package.iter(f"{OPF}meta")}
    assert told["belongs-to-collection"] == "Evenings"
    assert told["group-position"] == "3"
    assert told["dcterms:modified"] == "2000-01-01T00:00:00Z"


@pytest.mark.parametrize("language", LANGUAGES.names())
def test_every_page_says_its_language(
    language: str, fonts_for: Callable[[str], dict[str, str]], tmp_path: Path
) -> None:
    files = files_of(epub_of(volume_of(language=language, fonts=fonts_for(language)), tmp_path))
    for name, content in files.items():
        if name.endswith((".xhtml", ".opf")):
            assert f'xml:lang="{language}"' in content.decode(), name
    assert f"<dc:language>{language}</dc:language>" in files["package.opf"].decode()


@pytest.mark.parametrize("place", ["after-section", "file", "upside-down"])
def test_answers_stand_behind_each_level_or_at_the_back(place: str, tmp_path: Path) -> None:
    package = files_of(epub_of(volume_of(solutions={"place": place}), tmp_path))["package.opf"].decode()
    order = re.findall(r'idref="text-(.*?)"', package)
    assert sorted(name for name in order if "solution-" in name) == [f"solution-{at}" for at in range(1, 6)]
    behind = order.index("solution-3") < order.index("puzzle-4")
    assert behind == (place == "after-section")


def test_the_same_volume_gives_the_same_bytes(whole: tuple[Volume, bytes], tmp_path: Path) -> None:
    volume, content = whole
    assert epub_of(volume, tmp_path) == content


@pytest.mark.parametrize(
    ("mode", "kind", "suffix"), [("CMYK", "TIFF", ".jpg"), ("RGBA", "WEBP", ".png"), ("RGB", "JPEG", ".jpg")]
)
def test_a_picture_is_one_that_screens_can_show(mode: str, kind: str, suffix: str) -> None:
    stream = io.BytesIO()
    Image.new(mode, (3000, 1500)).save(stream, kind)
    content, named = screen_picture(stream.getvalue())
    shown = Image.open(io.BytesIO(content))
    assert (named, shown.size, shown.mode) == (suffix, (2048, 1024), "RGB")


EPUBCHECK = shutil.which("epubcheck")


@pytest.mark.skipif(EPUBCHECK is None, reason="EPUBCheck is not installed")
def test_epubcheck_finds_nothing(whole: tuple[Volume, bytes], tmp_path: Path) -> None:
    file = tmp_path / "book.epub"
    file.write_bytes(whole[1])
    is_jar = zipfile.is_zipfile(EPUBCHECK)  # Debian's is
    program = ["java", "-jar", EPUBCHECK] if is_jar else [EPUBCHECK]
    said = subprocess.run([*program, str(file)], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
