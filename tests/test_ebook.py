"""The e-book: held to its volume, to its language and, where that is installed, to EPUBCheck."""

import io
import json
import os
import re
import shutil
import subprocess
import zipfile
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from linkpress.book.spec import BookSpec
from linkpress.press.dry_run import stand_in_volume
from linkpress.render.photos import screen_picture
from linkpress.words import LANGUAGES, load_words
from press_samples import Typeset

XHTML, OPF = "{http://www.w3.org/1999/xhtml}", "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
LEVELS = [
    {"name": "Easy & <more>", "count": 3, "size": "5x7", "paths": 5, "solids": 2},
    {"name": "Hard", "count": 2, "size": 8, "paths": 7},
]
OWN_TEXT = '# Head\n\n<b>raw</b> & *so*, [there](https://example.com/?a=1&b=2)\n\n![](own.png "60mm")\n\n'
EVERYTHING = {
    "cover": True, "isbn": "978-1-4028-9462-6", "author": "A. N. Author", "publisher": "The House",
    "volume": 3, "play": {"url": "https://example.com/play.html"}, "series": {"name": "Evenings"},
    "parts": {"tutorial": True, "colophon": "end", "progress": True, "times": True, "certificate": True,
              "about_author": "Ada.\n\n![](own.png '60mm')", "review": True, "more_books": ["A *new* book"]},
    "captions": {"difficulty": "marks", "titles": True},
    "front": [{"title": "First", "text": OWN_TEXT + "| a |\n|--:|\n| 1 |"}], "back": [{"text": "The end"}],
}  # fmt: skip


def volume_of(**keys):
    book = {"title": "Lines & <Numbers>", "seed": 1, "epub": True, "levels": LEVELS, **keys}
    return stand_in_volume(BookSpec.model_validate(book))


def epub_of(volume, folder):
    Image.new("RGB", (900, 600), "red").save(folder / "own.png")
    return Typeset(volume, folder).files["book.epub"]


def files_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A book with all that an e-book can have."""
    volume = volume_of(**EVERYTHING)
    return volume, epub_of(volume, tmp_path_factory.mktemp("whole"))


def pages_of(content):
    return {
        name: ElementTree.fromstring(page)
        for name, page in files_of(content).items()
        if name.endswith(".xhtml")
    }


def test_it_opens_with_its_kind_and_every_link_leads_somewhere(whole):
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


def test_puzzles_and_answers_lead_to_one_another_and_are_described_in_words(whole):
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
            told = re.search(rf"(?:^|[ ]){path.number}: ([A-Z\d–]+)", drawn.attrib["alt"])
            assert told is not None
            places = [[*map(name, path.cells)].index(stop) for stop in told[1].split("–")]
            assert (places[0], places[-1]) == (0, len(path.cells) - 1)
            for begin, end in pairwise(places):  # a run is straight
                (row, col), (to_row, to_col) = map(position, (path.cells[begin], path.cells[end]))
                assert abs(to_row - row) + abs(to_col - col) == end - begin
                assert row == to_row or col == to_col
        assert files[shown.attrib["src"]] != files[drawn.attrib["src"]]


def test_puzzles_are_headed_listed_and_described_with_their_names(whole):
    volume, content = whole
    pages = pages_of(content)
    for one in volume.numbered:
        title, page = f"Puzzle {one.number}: {one.name}", pages[f"puzzle-{one.number}.xhtml"]
        assert page.findtext(f".//{XHTML}h1") == page.findtext(f".//{XHTML}title") == title
        assert page.find(f".//{XHTML}img").attrib["alt"].startswith(f"{one.name}. Puzzle {one.number}, ")
        assert title in {link.text for link in pages["contents.xhtml"].iter(f"{XHTML}a")}


def test_boards_of_dots_without_numbers_are_described_by_their_colours(tmp_path):
    page = {"trim": "6x9in", "paper": "colour"}
    volume = volume_of(theme="plain-dots", page=page, levels=[{"name": "A", "count": 1, "size": 5}])
    shown = pages_of(epub_of(volume, tmp_path))["puzzle-1.xhtml"].find(".//*[@alt]").attrib["alt"]
    pair, *_ = volume.puzzles[0].puzzle.pairs
    name = volume.puzzles[0].puzzle.grid.name
    assert f"blue: {name(pair.first)} {name(pair.second)}" in shown
    assert not re.search(r"\d:", shown)


def test_a_puzzle_with_a_picture_has_the_colours_below_its_board(tmp_path):
    rows = ["RRRRR", "RRRRR", "RRRRR", "....#", "....."]
    level = {"name": "A", "count": 1, "size": 5, "paths": 4, "reveal": rows}
    pages = pages_of(epub_of(volume_of(levels=[level]), tmp_path))
    texts = ["".join(paragraph.itertext()) for paragraph in pages["puzzle-1.xhtml"].iter(f"{XHTML}p")]
    assert texts[:2] == [load_words("en").picture_rule, "red: 1–2 · white: 3–4"]
    assert not any("red: 1" in text for text in pages["solution-1.xhtml"].itertext())


def test_the_contents_list_what_the_printed_book_s_list(whole):
    _, content = whole
    contents = pages_of(content)["contents.xhtml"].find(f".//{XHTML}nav/{XHTML}ol")
    assert contents is not None
    listed = [entry.findtext(f"{XHTML}a") for entry in contents]
    last = ["About the author", "More from Evenings"]
    assert listed == ["First", "How to play", "Easy & <more>", "Hard", "Solutions", *last]
    assert [len(entry.findall(f".//{XHTML}li")) for entry in contents][2:] == [4, 3, 6, 1, 1]


def test_each_level_has_a_worked_example_with_a_caption_for_each_picture(whole):
    pages = pages_of(whole[1])
    for name, title in (("tutorial-1", "Easy & <more>: the only way out"), ("tutorial-2", "Hard: ")):
        page = pages[f"{name}.xhtml"]
        assert page.findtext(f".//{XHTML}h1").startswith(title)
        captions = [caption.text for caption in page.iter(f"{XHTML}figcaption")]
        assert captions == [image.attrib["alt"] for image in page.iter(f"{XHTML}img")]
        assert len(captions) == 6
        assert captions[-1].endswith("Solved!")


def test_own_pages_and_texts_at_the_end_are_pages_of_the_e_book_without_the_printed_book_s_number(whole):
    files = files_of(whole[1])
    assert all(b"9462" not in content for content in files.values())
    assert b"<img" in files["about_author-1.xhtml"]
    assert b"<h1>Did you enjoy this book?</h1>" in files["review-1.xhtml"]
    assert b"<strong>A *new* book</strong>" in files["more_books-1.xhtml"]
    assert not any("certificate" in name or "progress" in name or "times" in name for name in files)
    page = files["front-1.xhtml"].decode()
    assert "<h2>Head</h2>" in page
    assert "&lt;b&gt;raw&lt;/b&gt; &amp; <em>so</em>" in page
    assert re.search(r'<img src="picture-\d+\.png" alt="" style="width: 60mm" />', page)


OWN_PAGES = {
    "<div>\n![](none.png)\n</div>": "&lt;div&gt;\n![](none.png)\n&lt;/div&gt;",
    '![](own.png "6 cm")': "width: 6cm",
    "[a](www.example.com) b": "<p>a (www.example.com) b</p>",
    "[a](<http://b c/>) [d](#e) [f]()": "<p>a (http://b%20c/) d (#e) f</p>",
    "<x-app:foo>": "<p>x-app:foo</p>",
    "<me@example.com>": '<a href="mailto:me@example.com">me@example.com</a>',
    "[a](http://example.com:80/b?c#d)": '<a href="http://example.com:80/b?c#d">a</a>',
    "[a](http://example.com:65535)": '<a href="http://example.com:65535">a</a>',
    "[a](http://example.com:65536)": "<p>a (http://example.com:65536)</p>",
}


def test_own_pages_hold_nothing_that_an_e_book_may_not_and_a_dedication_keeps_its_line_breaks(tmp_path):
    """Raw HTML stays text as in print, and links that lead nowhere show their address."""
    front = [{"text": text} for text in OWN_PAGES]
    front.append({"text": "For Joe,\nwith love", "kind": "dedication"})
    play = {"url": "https://exämple.com/%zz|"}
    files = files_of(epub_of(volume_of(front=front, play=play), tmp_path))
    pages = [files[f"front-{number}.xhtml"].decode() for number in range(1, len(front) + 1)]
    for page, shown in zip(pages, OWN_PAGES.values(), strict=False):
        assert shown in page
    assert re.search(r'<div class="dedication"><p>For Joe,<br ?/>\s*with love</p>', pages[-1])
    assert 'href="https://xn--exmple-cua.com/%25zz%7C#2"' in files["puzzle-2.xhtml"].decode()


def test_library_data_say_what_the_book_is(whole):
    package = ElementTree.fromstring(files_of(whole[1])["package.opf"])
    assert [title.text for title in package.iter(f"{DC}title")] == ["Lines & <Numbers>"]
    assert package.findtext(f".//{DC}creator") == "A. N. Author"
    told = {meta.get("property"): meta.text for meta in package.iter(f"{OPF}meta")}
    assert told["belongs-to-collection"] == "Evenings"
    assert told["group-position"] == "3"
    assert told["dcterms:modified"] == "2000-01-01T00:00:00Z"


@pytest.mark.parametrize("language", LANGUAGES.names())
def test_every_page_says_its_language(language, fonts_for, tmp_path):
    files = files_of(epub_of(volume_of(language=language, fonts=fonts_for(language)), tmp_path))
    for name, content in files.items():
        if name.endswith((".xhtml", ".opf")):
            assert f'xml:lang="{language}"' in content.decode(), name
    assert f"<dc:language>{language}</dc:language>" in files["package.opf"].decode()


@pytest.mark.parametrize("place", ["after-section", "file", "upside-down"])
def test_answers_stand_behind_each_level_or_at_the_back(place, tmp_path):
    package = files_of(epub_of(volume_of(solutions={"place": place}), tmp_path))["package.opf"].decode()
    order = re.findall(r'idref="text-(.*?)"', package)
    assert sorted(name for name in order if "solution-" in name) == [f"solution-{at}" for at in range(1, 6)]
    behind = order.index("solution-3") < order.index("puzzle-4")
    assert behind == (place == "after-section")


def test_the_same_volume_gives_the_same_bytes_and_numbers_in_drawings_are_shapes(whole, tmp_path):
    volume, content = whole
    assert epub_of(volume, tmp_path) == content
    drawings = [each.decode() for name, each in files_of(content).items() if name.endswith(".svg")]
    assert not any("<text" in drawing for drawing in drawings)
    assert sum('aria-label="1"' in drawing for drawing in drawings) >= 10


@pytest.mark.parametrize(
    ("mode", "kind", "suffix"), [("CMYK", "TIFF", ".jpg"), ("RGBA", "WEBP", ".png"), ("RGB", "JPEG", ".jpg")]
)
def test_a_picture_is_one_that_screens_can_show(mode, kind, suffix):
    stream = io.BytesIO()
    Image.new(mode, (3000, 1500)).save(stream, kind)
    content, named = screen_picture(stream.getvalue())
    shown = Image.open(io.BytesIO(content))
    assert (named, shown.size, shown.mode) == (suffix, (2048, 1024), "RGB")


def test_every_part_says_its_role_and_an_answer_s_page_its_own_title(whole):
    pages, roles = pages_of(whole[1]), {"chapter": "doc-chapter", "part": "doc-part", "cover": "doc-cover"}
    for name, page in pages.items():
        for element in page.iter():
            kind = element.get("{http://www.idpf.org/2007/ops}type")
            assert kind not in roles or element.get("role") == roles[kind], name
    for number in range(1, 6):
        page = pages[f"solution-{number}.xhtml"]
        assert page.findtext(f".//{XHTML}title") == page.findtext(f".//{XHTML}h1") == f"Solution {number}"


@pytest.mark.parametrize(
    ("keys", "certifier"),
    [
        ({"author": "An Author", "publisher": "A House", "epub": True}, None),
        ({"author": "An Author", "epub": {"certifier": "An Institute"}}, "An Institute"),
    ],
)
def test_the_package_says_what_it_conforms_to_where_somebody_says_so(keys, certifier, tmp_path):
    package = ElementTree.fromstring(files_of(epub_of(volume_of(**keys), tmp_path))["package.opf"])
    told = {meta.get("property"): meta.text for meta in package.iter(f"{OPF}meta")}
    assert told.get("a11y:certifiedBy") == certifier
    conforms = "EPUB Accessibility 1.1 - WCAG 2.2 Level AA" if certifier else None
    assert told.get("dcterms:conformsTo") == conforms
    assert "solved without seeing it" in told["schema:accessibilitySummary"]


def test_a_large_board_leads_to_a_page_to_zoom_and_that_one_back(tmp_path):
    levels = [{"name": "A", "count": 1, "size": "18x6", "paths": 6}, *LEVELS]
    files = files_of(content := epub_of(volume_of(levels=levels), tmp_path))
    pages = pages_of(content)
    assert {name for name in files if name.startswith("zoomed")} == {
        "zoomed-puzzle-1.xhtml",
        "zoomed-solution-1.xhtml",
    }
    (link,) = (
        link for link in pages["puzzle-1.xhtml"].iter(f"{XHTML}a") if link.find(f"{XHTML}img") is not None
    )
    assert link.get("href") == "zoomed-puzzle-1.xhtml"
    (back,) = pages["zoomed-puzzle-1.xhtml"].iter(f"{XHTML}a")
    assert back.get("href") == "puzzle-1.xhtml"
    place = '<itemref idref="text-zoomed-puzzle-1" linear="no" properties="rendition:layout-pre-paginated"/>'
    assert place in files["package.opf"].decode()


def test_a_kindle_s_e_book_has_pictures_with_text_around_them(tmp_path):
    """What Amazon asks: no SVG, one cover, pictures as large as screens are, and text around them."""
    keys = {**EVERYTHING, "epub": {"kind": "kindle"}}
    keys["levels"] = [*LEVELS, {"name": "Large", "count": 1, "size": 30, "paths": 40}]
    files = files_of(content := epub_of(volume_of(**keys), tmp_path))
    assert not any(name.endswith(".svg") or b"<svg" in page for name, page in files.items())
    assert b'properties="cover-image"' in files["package.opf"]
    assert not any(b'src="cover.png"' in page for page in files.values())
    sizes = {}
    for name, page in pages_of(content).items():
        for image in page.iter(f"{XHTML}img"):
            picture = Image.open(io.BytesIO(files[image.attrib["src"]]))
            sizes[image.attrib["src"]] = picture.size
            if image.get("class") == "board":
                assert image.attrib["alt"]
                assert max(picture.width / 1860, picture.height / 2480) <= 1
                assert len("".join(page.find(f"{XHTML}body").itertext())) > 20, name
    assert sizes["puzzle-1.png"] == (1205, 1680)  # 152 by 212 points in 1264 by 1680 pixels
    assert sizes["puzzle-6.png"] == (1443, 1443)  # 902 points, with 48 pixels for the 30 of a square
    greys = Image.open(io.BytesIO(files["puzzle-1.png"])).convert("RGB").getcolors()
    assert greys is not None
    assert len(greys) <= 16


def test_thai_with_loops_brings_its_font(tmp_path):
    thai = files_of(epub_of(volume_of(language="th", fonts={"thai": "looped"}), tmp_path))
    assert b'font-family: "IBM Plex Sans Thai Looped", sans-serif' in thai["ebook.css"]
    assert thai["IBMPlexSansThaiLooped.ttf"][:4] == b"\0\1\0\0"
    assert b'href="IBMPlexSansThaiLooped-SemiBold.ttf" media-type="font/ttf"' in thai["package.opf"]
    plain = files_of(epub_of(volume_of(language="en", fonts={"thai": "looped"}), tmp_path))
    assert not any(name.endswith(".ttf") for name in plain)


JUDGED: dict[str, dict[str, object]] = {
    "whole": {
        **EVERYTHING,
        "language": "th",
        "fonts": {"thai": "looped"},
        "levels": [*LEVELS, {"name": "A", "count": 1, "size": "18x6", "paths": 6}],
    },
    "kindle": {**EVERYTHING, "epub": {"kind": "kindle"}},
}


@pytest.fixture(params=JUDGED)
def judged(request, tmp_path):
    """The file of an e-book that is to be judged by other programs."""
    file = tmp_path / "book.epub"
    file.write_bytes(epub_of(volume_of(**JUDGED[request.param]), tmp_path))
    return file


EPUBCHECK = shutil.which("epubcheck")


@pytest.mark.skipif(EPUBCHECK is None, reason="EPUBCheck is not installed")
def test_epubcheck_finds_nothing(judged):
    is_jar = zipfile.is_zipfile(EPUBCHECK)  # Debian's is
    # So short a run is over before what these leave out has paid: half of the processor time goes.
    java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar"]
    program = [*java, EPUBCHECK] if is_jar else [EPUBCHECK]
    said = subprocess.run([*program, str(judged)], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.browser
def test_ace_finds_nothing(judged, tmp_path):
    """DAISY's checker of what readers who don't see need: it tries each page in a browser."""
    ace = shutil.which("ace-puppeteer", path=Path(os.environ.get("NODE_PATH", ""), ".bin"))
    browser = shutil.which("chromium")
    if ace is None or browser is None:
        pytest.skip("Ace is not installed where NODE_PATH leads, or there is no Chromium")
    started = tmp_path / "chromium"
    started.write_text(f'#!/bin/sh\nexec {browser} --no-sandbox "$@"\n')
    started.chmod(0o755)
    settings = {**os.environ, "PUPPETEER_EXECUTABLE_PATH": str(started), "HOME": str(tmp_path)}
    patience = ("ACE_TIMEOUT_INITIAL", "ACE_TIMEOUT_EXTENSION")  # in ms; 5 s is its own for a browser's start
    settings |= dict.fromkeys(patience, "600000")
    words = [ace, "--force", "--outdir", str(tmp_path / "report"), str(judged)]
    subprocess.run(words, env=settings, capture_output=True, text=True, check=True)
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    found = [
        fault["earl:result"]["dct:description"]
        for page in report["assertions"]
        for fault in page["assertions"]
    ]
    assert (report["earl:result"]["earl:outcome"], found) == ("pass", [])
