"""Whole commands on hostile files and words: documented exit codes, nothing half-written, nothing outside."""

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from random import Random

import nasty_values as nasty
import pikepdf
import pytest
import sound_samples as samples
import spoiling
from PIL import Image
from typer.core import TyperGroup
from typer.main import get_command

from linkpress.book.spec import load_spec
from linkpress.cli.app import app, run
from linkpress.errors import ExitCode, LinkpressError
from linkpress.feeds.feed_spec import load_feed

DOCUMENTED = frozenset(ExitCode) - {ExitCode.INTERNAL, ExitCode.INTERRUPTED}
WITHOUT_OUTPUT = (ExitCode.USAGE, ExitCode.RECIPE, ExitCode.PUZZLE_FILE, ExitCode.OUTPUT)
OWN_PLACES = ("out/", "new.", "kept.", "ledger.")
MOST_CELLS = 160  # what is made here is small
OTHER_PLACE = re.compile(r"-[^-]*o|--(?:out|log|ledger|force)|--count")

TEXTS = spoiling.texts(*nasty.BOARDS, *nasty.YAML, *nasty.JSON)
# A file's name, its sound contents, what spoils them, and the commands that read it.
FILES = {
    "book.yaml": (samples.specs, TEXTS, "check book.yaml", "build book.yaml -o out --no-ledger --jobs 1"),
    "feed.yaml": (
        lambda: [samples.SMALL_FEED.encode()], TEXTS,
        "feed feed.yaml --from 2026-12-01 --days 1 -o out --no-ledger --jobs 1",
    ),
    "boards.txt": (
        samples.notations, TEXTS, "solve boards.txt --form ascii", "prove boards.txt",
        "grade boards.txt --steps", "hint boards.txt",
        "export boards.txt -o out --dpi 72 --what puzzle --svg --png",
        "ledger find boards.txt --ledger kept.sqlite3",
    ),
    "book/volume.json": (
        samples.volumes, spoiling.json_values, "typeset book -o out", "verify book --json",
        "export book -o out --dpi 72 --svg", "preview book -o out/sheet.png --pages 1-2",
    ),
    "book/interior.pdf": (
        samples.interiors, spoiling.pdfs, "preflight book/interior.pdf --printer generic",
        "preflight book/interior.pdf --printer lulu --json", "verify book",
    ),
    "words.yaml": (
        samples.words_files, TEXTS, "typeset book -o out --set language=words.yaml",
        "init new.yaml --language words.yaml",
    ),
    "changes.yaml": (
        samples.changes_files, TEXTS, "typeset book -o out --changes changes.yaml",
        "typeset book -o out --changes changes.yaml --set levels[0].per_page=2",
    ),
    "theme.yaml": (
        samples.shipped("themes/*.yaml"), TEXTS, "typeset book -o out --set theme=theme.yaml",
        "export book -o out --dpi 72 --theme theme.yaml --pdf",
    ),
    "printer.yaml": (
        samples.shipped("printers/*.yaml"), TEXTS, "typeset book -o out --set page.printer=printer.yaml",
        "preflight book/interior.pdf --printer printer.yaml",
    ),
    "grid.yaml": (
        samples.shipped("newspapers/*.yaml"), TEXTS,
        "export book -o out --dpi 72 --grid grid.yaml --columns 2",
    ),
    "export.jsonl": (
        samples.ledger_exports, spoiling.json_lines, "ledger import export.jsonl --ledger new.sqlite3",
    ),
    "ledger.sqlite3": (
        samples.ledger_files, TEXTS, "ledger list --ledger ledger.sqlite3",
        "ledger export --ledger ledger.sqlite3", "ledger forget one --ledger ledger.sqlite3",
        "ledger show a --ledger ledger.sqlite3",
    ),
}  # fmt: skip
WORDS = (
    "solve boards.txt --form table",
    "generate --size 5 --paths 4 --solids 0-2 --method classic --unproven --seed 7 --form compact",
    "generate --size 4x5 --paths 3-4 --method classic --unproven --shortest-path 2 --border-share 90%",
    "export book --dpi 72 --columns 2 --grid broadsheet --what puzzle --mode gray --caption number,size",
    "export book --dpi 72 --width 82.6mm --names x-{number:04}-{what}.png --theme soft --tiff --mode 1bit",
    "typeset book --set page.printer=generic --set page.trim=6x9in --set theme=bold --set standard=plain",
    "typeset book --set page.trim=A5 --set page.bleed=yes --set solutions.per_page=4 --set screen=no",
    "preflight book/interior.pdf --printer kdp-paperback --paper white --trim 6x9in --json",
    "preview book --pages 1-3,5 --columns 3", "prove boards.txt --rule filled --budget 100",
    "ledger find boards.txt --json", "ledger show 0123456789abcdef --json", "ledger forget feed:one",
    "check book.yaml", "verify book --json",
)  # fmt: skip
OUTPUTS = {
    "export": ["-o", "out"],
    "typeset": ["-o", "out"],
    "preview": ["-o", "out/sheet.png"],
    "ledger": ["--ledger", "kept.sqlite3"],
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder in which a command runs, with a sound file of each kind that it may want."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "volume.json").write_bytes(samples.volumes()[0])
    (tmp_path / "book" / "interior.pdf").write_bytes(samples.interiors()[0])
    (tmp_path / "boards.txt").write_bytes(samples.board_texts()[0])
    (tmp_path / "book.yaml").write_text(samples.SMALL_SPEC)
    samples.put_own_boards(tmp_path)
    samples.fill_ledger(tmp_path / "kept.sqlite3")
    return tmp_path


def test_every_option_that_is_tried_is_one_of_its_command():
    """With another the command line would be refused, and no file be read."""
    for line in (*WORDS, *(command for _, _, *commands in FILES.values() for command in commands)):
        words, command = line.split(), get_command(app)
        while isinstance(command, TyperGroup):
            command = command.commands[words.pop(0)]
        known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
        assert {word for word in words if word.startswith("-")} <= known, line


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_refused_or_used_by_every_command(name, place, capfd):
    sound, spoiler, *commands = FILES[name]
    spoil = spoiler(sound())
    for number, command in enumerate(commands):
        dice = Random(f"{name}/{number}")
        (place / name).write_bytes(spoil(dice, dice.choice(sound())))
        if is_small(name, place):
            check_run(command.split(), place, capfd)


@pytest.mark.parametrize("number", range(10))
def test_hostile_words_are_refused_or_done(number, place, capfd):
    dice = Random(f"words/{number}")
    command = dice.choice(WORDS).replace(" ", "\n").encode()
    content = spoiling.texts("--json", "-h")([command])(dice, command)
    words = [word.decode("utf-8", "surrogateescape").replace("\0", "") for word in content.split(b"\n")]
    words = [word for word in words if not OTHER_PLACE.match(word)]
    check_run(words + OUTPUTS.get(words[0] if words else "", []), place, capfd)


def is_small(name, folder):
    try:
        if name == "feed.yaml":
            days = map(load_feed(folder / name).week.day, range(7))
            return all(size.rows * size.cols < 80 for day in days if day for size in day.size)
        levels = load_spec(folder / "book.yaml").levels
    except LinkpressError:
        return True
    cells = (level.count * max(size.rows * size.cols for size in level.size) for level in levels)
    return sum(cells) < MOST_CELLS


def check_run(words, folder, capfd):
    before = files_in(folder)
    shutil.rmtree(folder / "out", ignore_errors=True)
    code = run(words)
    out, err = capfd.readouterr()
    assert code in DOCUMENTED, (words, err)
    assert code == ExitCode.OK or (err.strip() or out), words
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
    elif path.suffix in (".png", ".tif", ".tiff"):
        with Image.open(path) as image:
            image.load()


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.glob("**/*") if path.is_file()}
