"""Whole commands on hostile files and words: documented exit codes, nothing half-written, nothing outside."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import fuzz_corpus as corpus
import pikepdf
from PIL import Image

from linkpress.book.spec import load_spec
from linkpress.cli.main import run
from linkpress.errors import ExitCode, LinkpressError
from linkpress.newspaper.feed_spec import load_feed

_ALLOWED = frozenset(ExitCode) - {ExitCode.INTERNAL, ExitCode.INTERRUPTED}
_WITHOUT_OUTPUT = (ExitCode.USAGE, ExitCode.RECIPE, ExitCode.PUZZLE_FILE, ExitCode.OUTPUT)
_MOST_CELLS = 160  # what is made here is small
_NEVER = re.compile(r"-[^-]*o|--(?:out|log|ledger|force)|--count")

_SMALL_FEED = corpus.MANIFEST_FEED.replace("dpi: 72", "dpi: 72, format: [png, svg]")
_KINDS: dict[str, tuple[str, Callable[[], list[bytes]]]] = {
    "spec": ("book.yaml", lambda: [corpus.SMALL_SPEC.encode()] * 3 + [corpus.EVERY_KEY.encode()]),
    "feed": ("feed.yaml", lambda: [_SMALL_FEED.encode()]),
    "boards": (
        "boards.txt",
        lambda: [*corpus.board_texts(), *corpus.urls(), *corpus.drawings(), *corpus.tables()],
    ),
    "volume": ("book/volume.json", corpus.volumes),
    "pdf": ("book/interior.pdf", lambda: corpus.interiors()[:1]),
    "theme": ("theme.yaml", lambda: corpus.shipped("themes")),
    "printer": ("printer.yaml", lambda: corpus.shipped("printers")),
    "grid": ("grid.yaml", lambda: corpus.shipped("newspapers")),
    "export": ("export.jsonl", corpus.ledger_exports),
    "ledger": ("ledger.sqlite3", corpus.ledger_files),
}
_COMMANDS: dict[str, tuple[str, ...]] = {
    "spec": ("check book.yaml", "build book.yaml -o out --no-ledger --jobs 1"),
    "feed": ("feed feed.yaml --from 2026-12-01 --days 1 -o out --no-ledger --jobs 1",),
    "boards": (
        "solve boards.txt --form ascii", "prove boards.txt", "grade boards.txt --steps", "hint boards.txt",
        "export boards.txt -o out --dpi 72 --what puzzle --svg --png", "export boards.txt -o out --dpi 100",
        "ledger find boards.txt --ledger kept.sqlite3",
    ),
    "volume": (
        "typeset book -o out", "verify book", "verify book --json", "export book -o out --dpi 72 --svg",
        "preview book -o out/sheet.png --pages 1-2",
    ),
    "pdf": (
        "preflight book/interior.pdf --printer generic", "preflight book/interior.pdf --printer lulu --json",
        "verify book",
    ),
    "theme": (
        "typeset book -o out --theme theme.yaml", "export book -o out --dpi 72 --theme theme.yaml --pdf",
    ),
    "printer": (
        "typeset book -o out --printer printer.yaml", "preflight book/interior.pdf --printer printer.yaml",
    ),
    "grid": ("export book -o out --dpi 72 --grid grid.yaml --columns 2",),
    "export": ("ledger import export.jsonl --ledger new.sqlite3",),
    "ledger": ("ledger list --ledger ledger.sqlite3", "ledger export --ledger ledger.sqlite3",
               "ledger forget one --ledger ledger.sqlite3", "ledger show a --ledger ledger.sqlite3"),
}  # fmt: skip

WORDS = (
    "solve boards.txt --form table",
    "generate --size 5 --paths 4 --solids 0-2 --method classic --unproven --seed 7 --form compact",
    "generate --size 4x5 --paths 3-4 --method classic --unproven --shortest-path 2 --border-share 90%",
    "export book --dpi 72 --columns 2 --grid broadsheet --what puzzle --mode gray --caption number,size",
    "export book --dpi 72 --width 82.6mm --names x-{number:04}-{what}.png --theme soft --tiff --mode 1bit",
    "typeset book --printer generic --paper white --trim 6x9in --theme bold --standard plain --min-cell-mm 5",
    "typeset book --trim A5 --bleed --single-sided --large-print --solutions-per-page 4 --no-screen",
    "preflight book/interior.pdf --printer kdp-paperback --paper white --trim 6x9in --json",
    "preview book --pages 1-3,5 --columns 3",
    "prove boards.txt --rule filled --budget 100",
    "ledger find boards.txt --json",
    "ledger show 0123456789abcdef --json",
    "ledger forget feed:one",
    "check book.yaml",
    "verify book --json",
)


def file_samples() -> list[bytes]:
    """Sound files of every kind, each below a line that says which."""
    return [kind.encode() + b"\n" + content for kind, (_, samples) in _KINDS.items() for content in samples()]


def word_samples() -> list[bytes]:
    """Commands, words divided by line ends."""
    return [line.replace(" ", "\n").encode() for line in WORDS]


def run_on_file(content: bytes, folder: Path) -> bool:
    """Run a command on a file, the kind of which its first line says."""
    head, _, content = content.partition(b"\n")
    kind = head.decode("ascii", "replace")
    kind = kind if kind in _KINDS else "boards"
    _lay_out(folder)
    (folder / _KINDS[kind][0]).write_bytes(content)
    command = Random(content).choice(_COMMANDS[kind])
    if kind in ("spec", "feed") and not _is_small(kind, folder):
        command = "check book.yaml"
    return _run(command.split(" "), folder)


def run_on_words(content: bytes, folder: Path) -> bool:
    """Run a command of hostile words; where it writes is not theirs to say."""
    words = [word.decode("utf-8", "surrogateescape").replace("\0", "") for word in content.split(b"\n")]
    words = [word for word in words if not _NEVER.match(word)]
    _lay_out(folder)
    (folder / "boards.txt").write_bytes(corpus.board_texts()[0])
    (folder / "book.yaml").write_text(corpus.SMALL_SPEC)
    for command, option in (("export", "out"), ("typeset", "out"), ("preview", "out/sheet.png")):
        if words[:1] == [command]:
            words += ["-o", option]
    if words[:1] == ["ledger"]:
        words += ["--ledger", "kept.sqlite3"]
    return _run(words, folder)


def _lay_out(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (folder / "book").mkdir()
    (folder / "book" / "volume.json").write_bytes(corpus.volumes()[0])
    (folder / "book" / "interior.pdf").write_bytes(corpus.built_files()["interior.pdf"])
    corpus.own_boards(folder)
    corpus.fill_ledger(folder / "kept.sqlite3")


def _is_small(kind: str, folder: Path) -> bool:
    try:
        if kind == "feed":
            week = load_feed(folder / "feed.yaml").week
            return all(
                size.rows * size.cols < 80 for day in map(week.day, range(7)) if day for size in day.size
            )
        levels = load_spec(folder / "book.yaml").levels
    except LinkpressError:
        return True
    return (
        sum(level.count * max(size.rows * size.cols for size in level.size) for level in levels) < _MOST_CELLS
    )


def _run(words: list[str], folder: Path) -> bool:
    before = _files(folder)
    with contextlib.chdir(folder), _streams() as (out, err):
        code = run(words)
        sys.stdout.flush()
    said = err.getvalue()
    if code not in _ALLOWED:
        raise AssertionError(f"{' '.join(words)} ended with {code}:\n{said[-3000:]}")
    if code != ExitCode.OK and not (said.strip() or out.getvalue()):
        raise AssertionError(f"{' '.join(words)} ended with {code} and said nothing")
    strangers = {
        name for name in _files(folder) - before if not name.startswith(("out/", "new.", "kept.", "ledger."))
    }
    if strangers:
        raise AssertionError(f"{' '.join(words)} wrote {strangers}")
    written = [path for path in folder.glob("out/**/*") if path.is_file()]
    if code in _WITHOUT_OUTPUT and [path for path in written if not path.name.endswith(".journal")]:
        raise AssertionError(f"{' '.join(words)} ended with {code} and left {written}")
    for path in written:
        check_whole(path)
    return code == ExitCode.OK


def check_whole(path: Path) -> None:
    """Open a written file as its reader would; raises if it is not whole."""
    if ".part" in path.name:
        raise AssertionError(f"{path} is half a file")
    content = path.read_bytes()
    if path.suffix == ".pdf":
        with pikepdf.open(io.BytesIO(content)) as pdf:
            assert not pdf.get_warnings()
    elif path.suffix == ".json":
        json.loads(content)
    elif path.suffix == ".svg":
        ElementTree.fromstring(content)
    elif path.suffix in (".png", ".tif", ".tiff"):
        with Image.open(io.BytesIO(content)) as image:
            image.load()


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.glob("**/*") if path.is_file()}


class _Text(io.TextIOWrapper):
    """A stream in memory that commands can take for the terminal's."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", errors="backslashreplace", write_through=True)

    def getvalue(self) -> str:
        """What was written."""
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode("utf-8", "replace")


@contextlib.contextmanager
def _streams() -> Iterator[tuple[_Text, _Text]]:
    out, err = _Text(), _Text()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err
