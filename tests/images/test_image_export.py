import dataclasses
import datetime
import io
import os
import re
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import boards
import linkpress
from image_files import image_of
from linkpress.book.printing_keys import DifficultyMark
from linkpress.errors import CheckFailedError, LayoutError, OutputError, PuzzleError, UsageError
from linkpress.files import ImageFormat
from linkpress.images.composition import CaptionSpec, puzzle_caption, solution_caption
from linkpress.images.image_export import ExportOrder, book_images, read_puzzle_source, write_images
from linkpress.images.image_files import FORMATS, ShownPuzzle
from linkpress.images.image_settings import ImageKind, image_settings, read_template, read_width
from linkpress.puzzle.link_text import puzzle_text
from linkpress.words import ENGLISH, words_of

TWO_ANSWERS = "3 3\n1 . .\n. . .\n. . 1\n"
FIVE_PAIRS = "5 3\n1 2 3 4 5\n. . . . .\n1 2 3 4 5\n"
BOTH = (ImageKind.PUZZLE, ImageKind.SOLUTION)


@pytest.fixture
def boards_file(tmp_path):
    path = tmp_path / "my boards.txt"
    path.write_text(puzzle_text(boards.SOLVED_BOARD.puzzle) + puzzle_text(boards.ARTICLE_PUZZLE), "utf-8")
    return path


def order_of(mode="1bit", formats="png", names="{number:02}-{what}", what=BOTH, theme=None, width_mm=39.7):
    settings = image_settings((width_mm, 1), 150, mode, formats, theme)
    return ExportOrder(settings, what, CaptionSpec(solution=False), read_template(names))


def test_each_puzzle_and_each_solution_gets_an_image(boards_file, tmp_path):
    written = []
    files = write_images(read_puzzle_source(boards_file), order_of(), tmp_path / "out", written.append)
    names = ["01-puzzle.png", "01-solution.png", "02-puzzle.png", "02-solution.png"]
    assert [path.name for path in files] == names
    assert list(files) == written
    sizes = {image_of(path).size for path in files}
    assert {width for width, _ in sizes} == {round(39.7 / 25.4 * 150)}


def test_all_formats_can_be_written_at_once(boards_file, tmp_path):
    order = order_of(formats=tuple(ImageFormat), what=(ImageKind.PUZZLE,))
    written = write_images(read_puzzle_source(boards_file), order, tmp_path / "out")
    of_first = {path.suffix: path for path in written if path.stem == "01-puzzle"}
    assert list(of_first) == [facts.suffix for facts in FORMATS.values()]
    tiff = image_of(of_first[".tif"])
    assert (tiff.info["compression"], tiff.info["dpi"]) == ("group4", (150, 150))
    assert tiff.tobytes() == image_of(of_first[".png"]).tobytes()
    assert "Puzzle 1<" in of_first[".svg"].read_text("utf-8")  # text as text
    assert of_first[".pdf"].read_bytes().startswith(b"%PDF-1.")


def test_a_pdf_is_one_page_of_the_image_s_size_with_the_date_of_source_date_epoch(
    boards_file, tmp_path, monkeypatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    order = order_of(formats=(ImageFormat.PDF,), what=(ImageKind.PUZZLE,))
    (first, *_) = write_images(read_puzzle_source(boards_file), order, tmp_path / "out")
    with pikepdf.open(first) as document:
        (page,) = document.pages
        assert float(page.mediabox[2]) == pytest.approx(39.7 / 25.4 * 72, abs=0.25)  # half a pixel
        assert document.docinfo["/Title"] == "my boards 1"
        assert document.docinfo["/CreationDate"] == "D:19700102000000+00'00'"
        assert document.Root.Lang == "en"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "tomorrow")
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
        order_of(formats=(ImageFormat.PDF,))
    assert order_of(formats=(ImageFormat.PNG,)).settings.formats == (ImageFormat.PNG,)


@pytest.mark.parametrize("kind", [ImageFormat.TIFF, ImageFormat.SVG, ImageFormat.PDF])
def test_formats_without_text_chunks_have_keywords(boards_file, tmp_path, kind):
    source = read_puzzle_source(boards_file)
    _, second = write_images(source, order_of(formats=(kind,), what=(ImageKind.PUZZLE,)), tmp_path / "out")
    said = f"number 2, fingerprint {source.puzzles[1].fingerprint}"
    assert said in second.read_bytes().decode("latin-1")


def test_puzzles_from_a_file_are_graded(boards_file):
    first, second = read_puzzle_source(boards_file).puzzles
    assert first.difficulty in range(101)
    assert second.solve() == boards.ARTICLE_SOLUTION


def test_a_board_with_two_solutions_is_refused(tmp_path):
    path = tmp_path / "two.txt"
    path.write_text(TWO_ANSWERS, "utf-8")
    source = read_puzzle_source(path)
    with pytest.raises(CheckFailedError, match=r"two.txt, puzzle 1: it has several solutions.*--what puzzle"):
        write_images(source, order_of(), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert write_images(source, order_of(what=(ImageKind.PUZZLE,)), tmp_path / "out")


@pytest.mark.parametrize(
    ("order", "error"),
    [
        (order_of(width_mm=20), LayoutError),
        (order_of(theme="classic"), LayoutError),
        (order_of(names="{what}"), UsageError),
    ],
)
def test_nothing_is_written_if_one_image_cannot_be_drawn(boards_file, tmp_path, order, error):
    with pytest.raises(error):
        write_images(read_puzzle_source(boards_file), order, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", list(ImageFormat))
def test_only_an_image_of_the_same_puzzle_is_overwritten(tmp_path, kind):
    path, out = tmp_path / "daily.txt", tmp_path / "out"
    path.write_text(puzzle_text(boards.SOLVED_BOARD.puzzle), "utf-8")
    write_images(read_puzzle_source(path), order_of(formats=(kind,)), out)
    files = write_images(read_puzzle_source(path), order_of(formats=(kind,), width_mm=50), out)
    before = [file.read_bytes() for file in files]
    path.write_text(puzzle_text(boards.ARTICLE_PUZZLE), "utf-8")
    with pytest.raises(OutputError, match=r"01-puzzle\S+ exists already \(and 1 more\).*--force"):
        write_images(read_puzzle_source(path), order_of(formats=(kind,)), out)
    assert [file.read_bytes() for file in files] == before
    write_images(read_puzzle_source(path), order_of(formats=(kind,)), out, force=True)
    assert [file.read_bytes() for file in files] != before


PUT = Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.write_text("mine")


@pytest.mark.parametrize("make", PUT)
def test_foreign_files_are_neither_overwritten_nor_waited_for(boards_file, tmp_path, make):
    (tmp_path / "out").mkdir()
    mine = tmp_path / "out" / "02-solution.png"
    make(mine)
    with pytest.raises(OutputError, match=r"02-solution\.png exists already"):
        write_images(read_puzzle_source(boards_file), order_of(), tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == [mine]


def test_a_file_in_the_folder_s_place_is_refused(boards_file, tmp_path):
    (tmp_path / "out").write_text("mine", "utf-8")
    with pytest.raises(OutputError, match="is a file"):
        write_images(read_puzzle_source(boards_file), order_of(), tmp_path / "out")


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\xff", b"3 3\n1 . .\n"])
def test_an_invalid_puzzle_file_is_refused_by_name(tmp_path, content):
    path = tmp_path / "bad.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PuzzleError, match=r"bad\.txt"):
        read_puzzle_source(path)


@pytest.mark.parametrize(
    ("text", "width_mm"), [("82.6mm", 82.6), ("3.25in", 82.55), ("20 cm", 200), ("600mm", 600)]
)
def test_widths_are_lengths_with_a_unit(text, width_mm):
    assert read_width(text) == pytest.approx(width_mm)


def test_a_large_number_or_two_sides_without_a_unit_are_pixels():
    assert read_width("600") == read_width("600x800") == read_width("600px")


@pytest.mark.parametrize("text", ["82.6", "90", "-3mm", "5mm", "2000mm", "wide"])
def test_invalid_widths_are_refused(text):
    with pytest.raises(UsageError, match="width"):
        read_width(text)


def small_book(folder, captions, more=""):
    from linkpress.app.build import build

    spec = folder / "book.yaml"
    spec.write_text(
        "title: Tiny\nauthor: Ann\nyear: 2026\nseed: 4\nlevels:\n  - {name: One, count: 2, size: 5x7}\n"
        f"captions: {captions}\n{more}",
        "utf-8",
    )
    return build(spec, folder / "books", 1)


def test_an_image_of_a_book_has_its_title_and_captions_but_not_its_seed(tmp_path):
    built = small_book(tmp_path, "{difficulty: marks, size: no}")
    files = write_images(
        read_puzzle_source(built.folder), order_of(what=(ImageKind.PUZZLE,)), tmp_path / "out"
    )
    texts = Image.open(io.BytesIO(files[1].read_bytes())).text
    assert (texts["Title"], texts["Copyright"], texts["Author"]) == ("Tiny 2", "© 2026 Ann", "Ann")
    assert built.volume.puzzles[1].seed not in "".join(texts.values())
    assert texts["Fingerprint"] == built.volume.puzzles[1].fingerprint
    caption = book_images(built.volume)[1].caption
    assert (caption.size, caption.difficulty) == (False, DifficultyMark.MARKS)


@pytest.mark.parametrize(
    ("asked", "captions", "names_it"),
    [(None, "{}", False), (None, "{difficulty: number}", True), (["number"], "{difficulty: number}", False)],
)
def test_an_exported_image_names_the_difficulty_only_where_the_book_or_the_command_asks(
    tmp_path, asked, captions, names_it
):
    folder = small_book(tmp_path, captions).folder
    files = linkpress.export_images(folder, tmp_path / "out", width_mm=50, formats="svg", caption=asked)
    for path in files:
        assert ("difficulty" in path.read_text("utf-8").lower()) is names_it


def test_colour_images_of_a_book_have_its_theme_and_speak_of_dots(tmp_path):
    built = small_book(tmp_path, "{}", "theme: plain-dots\npage: {paper: colour}\n")
    files = {
        mode: linkpress.export_images(
            built.folder, tmp_path / mode, width_mm=50, mode=mode, formats="svg", caption=["rules"]
        )[0].read_text("utf-8")
        for mode in ("rgb", "1bit")
    }
    words = words_of(ENGLISH)
    for mode, shown, hidden in (("rgb", words.of_dots, words), ("1bit", words, words.of_dots)):
        text = " ".join(re.findall("<text[^>]*>([^<]*)", files[mode]))
        assert shown.rules_line[:20] in text
        assert hidden.rules_line[:20] not in text


@pytest.fixture
def five_pairs(tmp_path):
    path = tmp_path / "five.txt"
    path.write_text(FIVE_PAIRS)
    return path


def test_a_script_exports_images_in_one_call(five_pairs, tmp_path):
    files = linkpress.export_images(five_pairs, tmp_path / "images", width_mm=50, dpi=100, mode="gray")
    assert [path.name for path in files] == ["five-0001-puzzle.png", "five-0001-solution.png"]
    assert {image_of(path).size[0] for path in files} == {round(50 / 25.4 * 100)}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"names": "{nothing}"}, "names: .*there is no such field"),
        ({"width_mm": 3}, "a width of 3 mm"),
        ({"width_mm": 50, "grid": "nosuch"}, "the width 50 mm — give a width, or a grid and columns"),
        ({"mode": None}, "mode None: 1bit, gray, rgb"),
        ({"formats": ("png", "gif")}, f"formats 'gif': {', '.join(linkpress.ImageFormat)} is allowed"),
        ({"formats": ()}, "formats '': png, tiff"),
        ({"what": ()}, "what '': puzzle, solution, both, overlay is allowed"),
    ],
)
def test_an_invalid_argument_is_a_usage_error(five_pairs, tmp_path, options, words):
    with pytest.raises(UsageError, match=words):
        linkpress.export_images(five_pairs, tmp_path / "images", **options)
    assert not (tmp_path / "images").exists()


def test_words_and_enum_members_give_the_same_images(five_pairs, tmp_path):
    words = {"mode": "rgb", "formats": ["svg", "png"], "what": "solution"}
    members = {
        "mode": linkpress.PixelMode.RGB,
        "formats": [linkpress.ImageFormat.SVG, linkpress.ImageFormat.PNG],
        "what": [linkpress.ImageKind.SOLUTION],
    }
    by_words, by_members = (
        linkpress.export_images(five_pairs, tmp_path / kind, width_mm=50, dpi=100, **options)
        for kind, options in (("words", words), ("members", members))
    )
    assert [(file.name, file.read_bytes()) for file in by_words] == [
        (file.name, file.read_bytes()) for file in by_members
    ]


def test_the_given_theme_is_used(five_pairs, tmp_path):
    def bytes_in(theme):
        out = tmp_path / str(theme)
        (path, _) = linkpress.export_images(five_pairs, out, width_mm=50, dpi=100, mode="gray", theme=theme)
        return path.read_bytes()

    assert bytes_in("newspaper") == bytes_in(None)
    assert bytes_in("bold") != bytes_in("newspaper")


def test_grey_pixels_are_refused_where_colour_alone_tells_pairs_apart():
    with pytest.raises(UsageError, match="plain-dots shows pairs by colour alone"):
        image_settings((60.0, None), 300, "gray", "png", "plain-dots")
    assert image_settings((60.0, None), 300, "rgb", "png", "plain-dots").theme.name == "plain-dots"
    assert image_settings((60.0, None), 300, "gray", "png", "dots").theme.name == "dots"


def test_an_overlay_lies_on_its_puzzle_and_shows_the_answer_s_lines_alone(five_pairs, tmp_path):
    options = {"width_mm": 50, "dpi": 300, "what": ["puzzle", "solution", "overlay"], "caption": ["number"]}
    puzzle, _, overlay = (
        image_of(path) for path in linkpress.export_images(five_pairs, tmp_path / "out", **options)
    )
    assert overlay.size == puzzle.size
    alpha = overlay.getchannel("A")
    cell = puzzle.size[0] / 5
    top = puzzle.size[1] - 3 * cell
    assert alpha.crop((0, 0, puzzle.size[0], int(top) - 9)).getbbox() is None  # the caption's room is empty
    assert alpha.getpixel((int(2.5 * cell), int(top + 1.5 * cell))) == 255  # on the line of 3
    assert alpha.getpixel((int(2 * cell), int(top + 1.5 * cell))) == 0  # on a line of the grid
    for row in (0.5, 2.5):
        assert alpha.getpixel((int(2.5 * cell), int(top + row * cell))) == 0  # on the numbers


def test_a_transparent_png_has_the_same_ink(five_pairs, tmp_path):
    plain, clear = (
        linkpress.export_images(
            five_pairs, tmp_path / str(way), width_mm=50, dpi=300, what="puzzle", transparent=way
        )[0]
        for way in (False, True)
    )
    image = image_of(clear)
    paper = Image.new("LA", image.size, (255, 255))
    flat = Image.alpha_composite(paper.convert("RGBA"), image.convert("RGBA")).convert("1", dither=0)
    assert flat.tobytes() == image_of(plain).tobytes()


def test_boards_can_be_drawn_without_grid_lines(five_pairs, tmp_path):
    def shares(**how):
        (path,) = linkpress.export_images(five_pairs, tmp_path / str(how), width_mm=50, what="puzzle", **how)
        return image_of(path).histogram()[0]

    assert 0 < shares(grid_lines=False, caption=()) < shares(caption=())


def test_both_means_puzzle_and_solution(five_pairs, tmp_path):
    files = linkpress.export_images(five_pairs, tmp_path / "out", width_mm=50, what="both", formats="eps")
    assert [path.name for path in files] == ["five-0001-puzzle.eps", "five-0001-solution.eps"]
    more = linkpress.export_images(
        five_pairs, tmp_path / "out", width_mm=50, what="both,overlay", formats="svg"
    )
    assert [path.name.split("-")[-1] for path in more] == ["puzzle.svg", "solution.svg", "overlay.svg"]


def test_ids_differ_between_svg_images(five_pairs, tmp_path):
    files = linkpress.export_images(five_pairs, tmp_path / "out", width_mm=50, formats="svg", names="{what}")
    ids = [re.findall(r' id="([^"]+)"', path.read_text("utf-8")) for path in files]
    assert all(ids)
    assert len(set(ids[0] + ids[1])) == len(ids[0] + ids[1])
    classes = set(re.findall(r'<g [^>]*class="([^"]+)"', files[1].read_text("utf-8")))
    assert classes == {"caption", "board", "solution answer", "solution grid", "solution numbers"}


def test_a_caption_may_have_the_book_s_title():
    titled = ShownPuzzle(boards.ARTICLE_PUZZLE, 7, None, "", lambda: boards.ARTICLE_SOLUTION, "Links")
    untitled = dataclasses.replace(titled, title="")
    for shown, style, heading in (
        (titled, CaptionSpec(title=True), "Links 7"),
        (titled, CaptionSpec(title=True, number=False), "Links"),
        (titled, CaptionSpec(), "Puzzle 7"),
        (untitled, CaptionSpec(title=True), "Puzzle 7"),
    ):
        assert puzzle_caption(shown, style, words_of(ENGLISH)).heading == heading
    days = (datetime.date(2026, 12, 1), datetime.date(2026, 12, 2))
    assert solution_caption(titled, CaptionSpec(title=True), words_of(ENGLISH), days).details == "Links 7"


def test_only_png_can_have_transparent_paper():
    with pytest.raises(UsageError, match=r"transparent: only png"):
        image_settings((60.0, None), 300, "gray", "svg", None, clear=True)


@pytest.mark.parametrize(("mode", "dpi"), [("1bit", 1200), ("gray", 300), ("rgb", 300)])
def test_the_resolution_follows_the_pixels(mode, dpi):
    assert image_settings((60.0, None), None, mode, "png", None).dpi == dpi
