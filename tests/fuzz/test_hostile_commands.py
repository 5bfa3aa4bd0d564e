"""Whole commands with damaged files: documented exit codes, no partial files, nothing written elsewhere."""

import json
import shutil
import xml.etree.ElementTree as ElementTree

import damage
import pikepdf
import pytest
import sound_samples as samples
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from PIL import Image

from linkpress.book.spec import load_spec
from linkpress.cli.app import run
from linkpress.errors import ExitCode, LinkpressError
from linkpress.feeds.feed_spec import load_feed

DOCUMENTED = frozenset(ExitCode) - {ExitCode.INTERNAL, ExitCode.INTERRUPTED}
WITHOUT_OUTPUT = (ExitCode.USAGE, ExitCode.RECIPE, ExitCode.PUZZLE_FILE, ExitCode.OUTPUT)
OWN_PLACES = ("out/", "new.", "kept.", "ledger.")
# A file's name, its sound contents, words to damage it with, and the commands that read it.
FILES = (
    ("book.yaml", samples.specs, damage.YAML, "build book.yaml -o out --no-ledger --jobs 1"),
    ("feed.yaml", samples.feeds, damage.YAML, "feed feed.yaml --from 2026-12-01 --days 1 -o out --jobs 1"),
    (
        "boards.txt",
        samples.notations,
        damage.BOARDS,
        "solve boards.txt",
        "grade boards.txt",
        "hint boards.txt",
    ),
    ("boards.txt", samples.notations, damage.BOARDS, "export boards.txt -o out --dpi 72 --svg --png"),
    ("book/volume.json", samples.volumes, damage.JSON, "typeset book -o out", "verify book --json"),
    ("book/volume.json", samples.volumes, damage.JSON, "preview book -o out/sheet.png --pages 1-2"),
    ("book/interior.pdf", samples.interiors, damage.PDF, "preflight book/interior.pdf --json", "verify book"),
    ("words.yaml", samples.shipped("languages/en.yaml"), damage.YAML, "init new.yaml --language words.yaml"),
    ("changes.yaml", samples.changes_files, damage.YAML, "typeset book -o out --changes changes.yaml"),
    (
        "theme.yaml",
        samples.shipped("themes/*"),
        damage.YAML,
        "export book -o out --dpi 72 --theme theme.yaml",
    ),
    (
        "grid.yaml",
        samples.shipped("newspapers/*"),
        damage.YAML,
        "export book -o out --dpi 72 --grid grid.yaml",
    ),
    ("export.jsonl", samples.ledger_exports, damage.JSON, "ledger import export.jsonl --ledger new.sqlite3"),
    ("ledger.sqlite3", samples.ledger_files, damage.BOARDS, "ledger forget one --ledger ledger.sqlite3"),
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder in which a command runs, with a sound file of each kind that it may read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "volume.json").write_bytes(samples.volumes()[0])
    (tmp_path / "book" / "interior.pdf").write_bytes(samples.interiors()[0])
    samples.put_own_boards(tmp_path)
    samples.fill_ledger(tmp_path / "kept.sqlite3")
    return tmp_path


@pytest.mark.parametrize("row", FILES, ids=lambda row: row[-1])
def test_a_hostile_file_is_refused_or_used_by_every_command(row, place, capfd):
    name, sound, words, *commands = row

    @settings(
        max_examples=3 * len(commands), suppress_health_check=list(HealthCheck), phases=[Phase.generate]
    )
    @given(damage.texts(sound(), words), st.sampled_from(commands))
    def try_file(content, command):
        (place / name).write_bytes(content)
        assume(is_small(name, place))
        check_run(command.split(), place, capfd)

    try_file()


def is_small(name, folder):
    """Return whether a damaged spec asks for few small boards, which are made soon."""
    try:
        if name == "feed.yaml":
            days = map(load_feed(folder / name).week.day, range(7))
            return all(size.rows * size.cols < 80 for day in days if day for size in day.size)
        levels = load_spec(folder / "book.yaml").levels
    except LinkpressError:
        return True
    return sum(level.count * max(size.rows * size.cols for size in level.size) for level in levels) < 160


def check_run(words, folder, capfd):
    before = files_in(folder)
    shutil.rmtree(folder / "out", ignore_errors=True)
    code = run(words)
    out, err = capfd.readouterr()
    assert code in DOCUMENTED, (words, err)
    assert code == ExitCode.OK or err.strip() or out, words
    assert {name for name in files_in(folder) - before if not name.startswith(OWN_PLACES)} == set(), words
    written = [path for path in folder.glob("out/**/*") if path.is_file()]
    if code in WITHOUT_OUTPUT:
        assert {path.suffix for path in written} <= {".journal"}, words
    for path in written:
        check_whole(path)


def check_whole(path):
    """Open a written file as its reader would."""
    assert ".part" not in path.name
    if path.suffix == ".pdf":
        with pikepdf.open(path) as pdf:
            assert not pdf.get_warnings()
    elif path.suffix == ".json":
        json.loads(path.read_bytes())
    elif path.suffix == ".svg":
        ElementTree.parse(path)
    elif path.suffix == ".png":
        with Image.open(path) as image:
            image.load()


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.glob("**/*") if path.is_file()}
