"""export and feed, run as a user runs them but in this process."""

import json

import pytest

import boards
from image_files import image_of
from linkpress.cli.app import run
from linkpress.puzzle.link_text import puzzle_text

FEED = """\
id: daily
title: Links
seed: 3
names: "{number:03}-{what}"
image: {columns: 1, dpi: 100}
week:
  monday: {size: 5}
  tuesday: {size: 5x6}
"""


@pytest.fixture
def boards_file(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(puzzle_text(boards.SOLVED_BOARD.puzzle), "utf-8")
    return str(path)


@pytest.fixture
def feed_file(tmp_path):
    path = tmp_path / "feed.yaml"
    path.write_text(FEED, "utf-8")
    return str(path)


def test_export_prints_each_file_and_the_exact_width(boards_file, tmp_path, streams):
    out = tmp_path / "images"
    arguments = ["export", boards_file, "-o", str(out), "--png", "--columns", "2", "--grid", "broadsheet"]
    printed, said = streams([*arguments, "--dpi", "170", "--mode", "gray", "--caption", "number,marks,rules"])
    assert printed.splitlines() == [str(out / f"boards-0001-{what}.png") for what in ("puzzle", "solution")]
    assert "553 pixels" in said
    assert image_of(out / "boards-0001-puzzle.png").size[0] == 553  # 82.6 / 25.4 × 170


def test_export_without_options_is_a_1_bit_png_of_two_columns_at_1200_dpi(boards_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["export", boards_file, "--what", "puzzle"]) == 0
    image = image_of(tmp_path / "output" / "boards-images" / "boards-0001-puzzle.png")
    assert (image.size[0], image.mode) == (3902, "1")


def test_export_of_a_book_takes_what_is_not_given_from_its_images(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keys = "seed: 1\nparts: {openers: no}\nimages: {width: 40mm, dpi: 150, mode: gray, what: puzzle}"
    (tmp_path / "book.yaml").write_text(
        f"title: A\n{keys}\nlevels: [{{name: A, count: 1, size: 5}}]\n", "utf-8"
    )
    assert run(["export", "book.yaml", "-o", "few", "--names", "day-{number}-{what}"]) == 0
    assert [path.name for path in (tmp_path / "few").iterdir()] == ["day-1-puzzle.png"]
    image = image_of(tmp_path / "few" / "day-1-puzzle.png")
    assert (image.size[0], image.mode) == (236, "L")


def test_export_for_the_web_has_a_width_in_pixels(boards_file, tmp_path):
    out = tmp_path / "images"
    assert run(["export", boards_file, "-o", str(out), "--width", "600px", "--transparent"]) == 0
    image = image_of(out / "boards-0001-puzzle.png")
    assert (image.size[0], image.mode) == (600, "RGBA")
    assert image.info["dpi"] == pytest.approx((96, 96), abs=0.02)


def test_export_reads_a_width_in_pixels_at_the_given_resolution(boards_file, tmp_path):
    # At 96 dpi, 3000 pixels would be wider than allowed.
    out = tmp_path / "images"
    options = ["--number", "1", "--what", "puzzle", "--width", "3000px", "--dpi", "300"]
    assert run(["export", boards_file, "-o", str(out), *options]) == 0
    assert image_of(out / "boards-0001-puzzle.png").size[0] == 3000


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--width", "20px"], 2, "20 to 600 mm"), (["--width", "80mm", "--columns", "2"], 2, "not both"),
        (["--width", "21mm"], 2, "is the least at which"), (["--what", "combined"], 2, "only feeds have"),
        (["--tiff", "--mode", "gray"], 2, "tiff holds 1bit only"), (["--columns", "9"], 2, "1 to 6"),
        (["--names", "../{what}"], 2, "inside the output folder"),
        (["--names", "{date:%Y}-{what}"], 2, "have no date"),
    ],
)  # fmt: skip
def test_export_refuses_in_one_line_and_writes_nothing(boards_file, tmp_path, streams, options, code, words):
    out = tmp_path / "images"
    printed, said = streams(["export", boards_file, "-o", str(out), *options], code)
    assert words in said
    assert printed == ""
    assert not out.exists()


def test_feed_writes_images_and_a_manifest_and_continues_later(feed_file, tmp_path, streams):
    out = tmp_path / "daily"
    command = ["feed", feed_file, "-o", str(out), "--jobs", "1"]
    printed, said = streams([*command, "--from", "2026-11-30", "--days", "2"])
    assert [line.rpartition("/")[2] for line in printed.splitlines()] == [
        "001-puzzle.png", "001-solution.png", "002-puzzle.png", "002-solution.png",
        "manifest-2026-11-30-2026-12-01.json", "manifest-2026-11-30-2026-12-01.csv", "index.csv",
    ]  # fmt: skip
    assert "2 new days" in said
    assert "1 new day, 1 made earlier" in streams([*command, "--from", "2026-12-01", "--days", "7"]).err
    manifest = json.loads((out / "manifest-2026-12-01-2026-12-07.json").read_text("utf-8"))
    assert [item["number"] for item in manifest["items"] if item["what"] == "puzzle"] == [2, 3]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--from", "2026-02-30"], "a date between 1900 and 2999"),
        (["--from", "2026-12-01", "--days", "0"], "1 to 3660"),
        (["--from", "2026-12-02", "--days", "3"], "has an issue"),
        (["--from", "2026-12-01", "--no-ledger", "--ledger", "x.sqlite3"], "--no-ledger"),
    ],
)
def test_feed_refuses_and_writes_nothing(feed_file, tmp_path, streams, options, words):
    out = tmp_path / "daily"
    assert words in streams(["feed", feed_file, "-o", str(out), *options], 2).err
    assert not out.exists()


@pytest.mark.parametrize(
    ("given", "missing", "folder"),
    [([], "--from and -o are", "output/daily"), (["-o", "mine"], "--from is", "mine")],
)
def test_feed_names_all_missing_options_at_once(given, missing, folder, streams):
    said = streams(["feed", "my.yaml", *given], 2).err
    assert said.startswith(f"linkpress: {missing} missing. A feed needs a first day and a folder. Example:")
    assert said.endswith(f"linkpress feed my.yaml --from 2026-12-01 --days 7 -o {folder}\n")


def test_the_feed_from_init_can_be_made_unchanged(tmp_path, monkeypatch, streams):
    monkeypatch.chdir(tmp_path)
    assert (
        "then: linkpress feed feed.yaml --from 2026-12-01 --days 7 -o "
        in streams(["init", "--feed", "feed.yaml"]).err
    )
    first = (tmp_path / "feed.yaml").read_text("utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=feed.schema.json"
    assert run(["feed", "feed.yaml", "--from", "2026-12-07", "-o", "daily", "--jobs", "1"]) == 0
    assert len(list((tmp_path / "daily").glob("*.png"))) == 2
    assert run(["init", "--feed", "feed.yaml"]) == 5
    assert run(["init", "--feed", "--force"]) == 0


def test_check_prints_a_feed_s_week_and_warns_of_a_guessable_seed(feed_file, tmp_path, streams):
    out, err = streams(["check", feed_file])
    assert "\nmonday: 1 puzzle; 5 x 5, 3 to 4 paths, 0 solids; feels " in out
    assert "can be guessed" in err
    streams(["init", "--feed", str(tmp_path / "own.yaml")])
    out, err = streams(["check", str(tmp_path / "own.yaml")])
    assert out.count("\n") == 9
    assert err == ""


def test_feed_reports_each_puzzle_only_with_verbose_or_log(feed_file, tmp_path, streams):
    out, log = tmp_path / "daily", tmp_path / "log"
    command = ["feed", feed_file, "-o", str(out), "--jobs", "1", "--no-ledger", "--from"]
    assert "made: slot 1" not in streams([*command, "2026-11-30"]).err
    said = streams([*command, "2026-12-01", "-v", "--log", str(log)]).err
    assert "made: slot 2, date 2026-12-01, attempt 0, boards_tried " in said
    assert [json.loads(line)["event"] for line in log.read_text().splitlines()] == ["begun", "made", "done"]
    assert run([*command, "2026-12-02", "--log", str(tmp_path)]) == 5


def test_a_feed_tells_what_it_read_otherwise_than_written(tmp_path, streams):
    path = tmp_path / "feed.yaml"
    path.write_text(FEED.replace("title: Links", "titulo: Links"), "utf-8")
    told = streams(["check", str(path)]).out.splitlines()[1]
    assert "is read as `title: Links`" in told
    order = ["feed", str(path), "--from", "2026-11-30", "-o", str(tmp_path / "out"), "-j", "1", "--no-ledger"]
    assert told in streams(order).err
