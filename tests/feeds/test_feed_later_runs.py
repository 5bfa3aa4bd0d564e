"""Runs in a folder where others were before: they go on, are resumed, or are refused."""

import datetime
import itertools
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from news_samples import FEED_TEXT, manifest_of, run_of, sums

from failing_disk import KINDS, SOME_STEPS, FailingDisk, contents, each_failure
from image_files import image_of
from linkpress.cli.app import run
from linkpress.engine.make.generate import generate
from linkpress.errors import OutputError, PuzzleError, SpecError, UsageError
from linkpress.feeds.feed_folder import journal_path
from linkpress.ledger.store import Ledger, Liveness
from linkpress.production.journal import Watcher


def test_a_later_run_continues_the_numbers_and_changes_no_file(make):
    fed = make(4)
    before = sums(fed.folder)
    later = make(4, first=datetime.date(2026, 12, 29))
    after = sums(fed.folder)
    for folder in (before, after):
        folder.pop("index.csv")  # it grows
    assert after.items() >= before.items()
    numbers = [item["number"] for item in manifest_of(later)["items"] if item["what"] == "puzzle"]
    assert numbers == [4, 5, 6, 7]
    marks = [
        item["puzzle"]["fingerprint"]
        for file in fed.folder.glob("*.json")
        for item in json.loads(file.read_text("utf-8"))["items"]
        if item["what"] == "puzzle"
    ]
    assert len(marks) == len(set(marks)) == 7
    # what is printed on the first day, Monday's solution among it
    assert {item["number"] for item in manifest_of(later)["items"] if item["date"] == "2026-12-29"} == {3, 4}


def test_a_puzzle_of_an_earlier_run_is_not_used_again(make):
    """A maker that knows one puzzle for the first attempts of all days."""

    def stubborn(recipe, seed, method, work):
        attempt = int(seed.rpartition("/")[2])
        return generate(recipe, "always the same" if attempt == 0 else seed, method)

    text = FEED_TEXT.replace("saturday: {size: 5, technique: beginner-hard}", "saturday: {size: 6}")
    make(1, text=text, maker=stubborn)
    fed = make(1, text=text, maker=stubborn, first=datetime.date(2026, 12, 26))
    assert manifest_of(fed)["items"][-1]["puzzle"]["seed"] == "/2026-12-26/1"


def test_a_day_can_be_made_again_on_its_own_and_a_run_that_is_done_already_changes_nothing(make):
    fed = make(4)
    before = sums(fed.folder)
    again = make(4)
    assert (again.made, again.untouched, again.files) == (0, 3, ())
    assert sums(fed.folder) == before
    gone = [path for path in fed.files if "20261226" in path.name]
    assert len(gone) == 2
    for path in gone:
        path.unlink()
    again = make(1, first=datetime.date(2026, 12, 26))
    assert (again.made, again.restored, again.manifest) == (0, 2, None)
    assert set(again.files) == set(gone)
    assert sums(fed.folder) == before


def test_a_board_that_was_changed_in_its_manifest_is_refused(make):
    fed = make(1)
    content = json.loads(fed.manifest.read_text("utf-8"))
    for item in content["items"]:
        board = item["puzzle"]["board"]
        item["puzzle"]["board"] = [" ".join(reversed(row.split())) for row in board]
        item.pop("solution", None) if item["what"] == "puzzle" else None
        if "solution" in item:
            item["solution"] = [" ".join(reversed(row.split())) for row in item["solution"]]
    fed.manifest.write_text(json.dumps(content), "utf-8")
    fed.files[0].unlink()
    with pytest.raises(PuzzleError, match="board and url show different puzzles"):
        make(1)


def test_a_changed_image_another_feed_s_folder_and_earlier_days_are_refused(make):
    fed = make(1)
    before = sums(fed.folder)
    with pytest.raises(OutputError, match=r"holds another feed, 'test-feed', not 'other'"):
        make(1, text=FEED_TEXT.replace("test-feed", "other"))
    with pytest.raises(UsageError, match=r"2026-12-24 is before 2026-12-25.*Go on from 2026-12-26"):
        make(2, first=datetime.date(2026, 12, 24))
    assert sums(fed.folder) == before
    fed.files[0].write_bytes(b"retouched")
    with pytest.raises(OutputError, match=r"was changed"):
        make(1)
    assert fed.files[0].read_bytes() == b"retouched"


def test_a_resumed_run_writes_the_same_files(make):
    whole = sums(make(4, out="whole").folder)
    made = []

    def dying(recipe, seed, method, work):
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(seed)
        return generate(recipe, seed, method, graded=True)

    with pytest.raises(KeyboardInterrupt, match=r"2 of 3 puzzles are kept.*--resume"):
        make(4, maker=dying)
    with pytest.raises(OutputError, match=r"--resume"):
        make(4)
    with pytest.raises(OutputError, match=r"interrupted run: test-feed-2026-12-25-2026-12-28"):
        make(2, first=datetime.date(2026, 12, 29))
    made.clear()
    fed = make(4, resume=True, maker=dying)
    assert made == ["7/2026-12-28/0"]
    assert sums(fed.folder) == whole


@pytest.fixture
def running(tmp_path):
    """Another process that makes the first four days in the folder."""
    path = journal_path(tmp_path / "out", "test-feed", run_of(4))
    hold = f"""
from pathlib import Path
from linkpress.files import lock_folder
from linkpress.production.journal import Journal
with lock_folder(Path({str(path.parent)!r})), Journal(Path({str(path)!r}), "test-feed", "1"):
    print("begun", flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "begun\n"
        yield path
        process.communicate("\n")


@pytest.mark.parametrize("again", [run_of(4), run_of(2, datetime.date(2026, 12, 29))])
def test_a_run_in_progress_is_not_called_interrupted(make, running, again):
    with pytest.raises(OutputError, match=r"^another linkpress is at work in"):
        make(again.days, first=again.first)
    assert running.exists()


def test_two_threads_cannot_run_in_one_folder_at_the_same_time(make):
    class Meanwhile(Watcher):
        told = ""

        def stage(self, name):
            if name == "draw":
                with ThreadPoolExecutor(1) as threads, pytest.raises(OutputError) as refused:
                    threads.submit(make, 2, datetime.date(2026, 12, 29)).result()
                self.told = str(refused.value)

    fed = make(4, watcher=(watcher := Meanwhile()))
    assert watcher.told.startswith(f"another linkpress is at work in {fed.folder}.")
    assert not list(fed.folder.glob(".*"))


@pytest.mark.parametrize("left", ["the table", "images", "nobody's files"])
def test_a_folder_without_its_manifests_is_refused(make, left):
    fed = make(1)
    for path in fed.folder.iterdir():
        if path.suffix != ".png" and (left != "the table" or path.name != "index.csv"):
            path.unlink()
    if left == "nobody's files":
        for path in fed.folder.glob("*.png"):
            path.rename(path.with_name("nobody's"))
        assert make(1, first=datetime.date(2026, 12, 28)).made == 1
        return
    before = sums(fed.folder)
    with pytest.raises(OutputError, match=r"no manifest knows its day.*first_number"):
        make(1, first=datetime.date(2026, 12, 28))
    assert sums(fed.folder) == before


def test_a_worker_that_dies_while_it_writes_leaves_no_partial_image(make, tmp_path):
    class Torn(Watcher):
        def drawing(self, days):
            (tmp_path / "out" / ".linkpress-k1ll.part").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(1, watcher=Torn())
    assert [path.suffix for path in (tmp_path / "out").iterdir()] == [".journal"]


def test_the_combined_image_shows_the_last_puzzle_of_the_run_before(make):
    text = FEED_TEXT.replace("dpi: 100}", "dpi: 100, combined: yes}")
    first = make(1, text=text)
    second = make(1, text=text, first=datetime.date(2026, 12, 26))
    drawn = (next(path for path in fed.files if "combined" in path.name) for fed in (first, second))
    heights = [image_of(path).size[1] for path in drawn]
    alone = image_of(first.files[0]).size[1]
    assert heights[0] == alone
    assert heights[1] > 1.5 * alone


def test_a_day_added_before_an_announced_solution_keeps_that_solution(make):
    saturday = datetime.date(2026, 12, 26)  # its solution comes on Monday
    first = make(1, first=saturday)
    text = FEED_TEXT + "  sunday: {size: 6}\n"
    fed = make(1, text=text, first=datetime.date(2026, 12, 27))
    items = [*manifest_of(first)["items"], *manifest_of(fed)["items"]]
    assert [item["number"] for item in items if item["date"] == "2026-12-28"] == [1, 2]
    assert len({item["uri"] for item in items}) == 4
    before = sums(fed.folder)
    for file in fed.folder.glob("*solution*"):
        file.unlink()
    assert make(2, text=text, first=saturday).restored == 2
    assert sums(fed.folder) == before


def test_a_built_book_s_folder_is_refused(make, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "volume.json").write_text("{}")
    with pytest.raises(OutputError, match=r"out holds a built book\. Nothing was written"):
        make(1)
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["volume.json"]


def test_files_that_no_manifest_lists_are_not_overwritten(make, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "L-20261226-0001-solution-1col-100.png").write_bytes(b"mine")
    with pytest.raises(OutputError, match=r"L-20261226-0001-solution-1col-100.png exists already"):
        make(1)
    assert sums(folder).keys() == {"L-20261226-0001-solution-1col-100.png"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("", "no puzzle is made for 2026-12-26, nor for the days between it and 2026-12-28"),
        ("skip: [2026-12-26]\n", "2026-12-25 was announced for 2026-12-26, which has no issue any more"),
    ],
)
def test_skipped_days_and_an_announced_solution_day_without_an_issue_are_reported(make, more, words):
    make(1)
    (note,) = make(1, text=FEED_TEXT + more, first=datetime.date(2026, 12, 28)).notes
    assert words in note
    assert make(1, text=FEED_TEXT + more, first=datetime.date(2026, 12, 29)).notes == ()


def test_file_names_that_differ_only_in_case_collide_with_earlier_ones(make):
    """Some disks hold them for one name."""
    text = FEED_TEXT.replace("{date:%Y%m%d}-{number:04}", "{date:%d}")
    make(1, text=text)
    with pytest.raises(SpecError, match=r"l-25-puzzle-1col-100.png to the puzzle of 2027-01-25 and to L-25"):
        make(1, first=datetime.date(2027, 1, 25), text=text.replace("names: L-", "names: l-"))


def test_an_invalid_manifest_is_refused(make, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "manifest-old.json").write_text("{", encoding="utf-8")
    with pytest.raises(PuzzleError, match=r"manifest-old.json"):
        make(1)


FEED = """
id: full
title: Full
seed: 4
image: {width_mm: 60, dpi: 72, mode: gray}
week:
  monday: {size: 7x5, paths: 4-6}
"""


@pytest.fixture
def feed(tmp_path, monkeypatch):
    """Makes one day in a folder of that name."""
    (tmp_path / "feed.yaml").write_text(FEED)
    monkeypatch.setattr(Liveness, "lives", lambda liveness, age_s: False)  # each run is a process of its own

    def feed(folder, *options):
        words = ["feed", str(tmp_path / "feed.yaml"), "--from", "2026-12-07", "--days", "1", "--jobs", "1"]
        return run([*words, "-o", str(folder / "out"), "--ledger", str(folder / "ledger.sqlite3"), *options])

    return feed


@SOME_STEPS
def test_resuming_after_any_failed_step_gives_the_same_bytes(feed, tmp_path, capfd, every):
    assert feed(tmp_path / "whole") == 0
    whole = contents(tmp_path / "whole")
    assert len(whole) == 5
    steps, resumed = set(), 0
    for failure in each_failure(feed, tmp_path, capfd, whole, every=every):
        steps.add(failure.step)
        if any(name.endswith(".journal") for name in failure.left):
            assert feed(failure.folder) == 5
            assert "--resume" in capfd.readouterr().err
            assert feed(failure.folder, "--resume") == 0
            resumed += 1
        else:
            assert feed(failure.folder) == 0
        assert contents(failure.folder) == whole
        with Ledger(failure.folder / "ledger.sqlite3") as ledger:
            assert [(one.published, one.reserved) for one in ledger.holdings()] == [(1, 0)]
    assert steps == KINDS
    assert resumed >= 16 // every


@SOME_STEPS
def test_resuming_a_replacement_after_any_failed_step_gives_the_same_bytes(feed, tmp_path, capfd, every):
    assert feed(tmp_path / "first") == 0
    spec = tmp_path / "feed.yaml"
    spec.write_text(spec.read_text() + "replace: {2026-12-07: 1}\n")

    def replaced(folder):
        shutil.copytree(tmp_path / "first", folder)
        return feed(folder)

    assert replaced(tmp_path / "whole") == 0
    whole = contents(tmp_path / "whole")
    assert whole != contents(tmp_path / "first")
    resumed = 0
    for at in itertools.count(0, every):
        disk, folder = FailingDisk(at), tmp_path / str(at)
        shutil.copytree(tmp_path / "first", folder)
        with pytest.MonkeyPatch.context() as patch:
            disk.replace(patch)
            feed(folder)
        if disk.failed is None:
            break
        left = contents(folder)
        assert not [name for name in left if name.endswith(".part")]
        cut = any(name.endswith(".journal") for name in left)
        assert feed(folder, *["--resume"] * cut) == 0, capfd.readouterr().err
        assert contents(folder) == whole
        resumed += cut
    assert resumed >= 16 // every
