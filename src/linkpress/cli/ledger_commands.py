"""The commands of ``linkpress ledger``, which look up and change the published puzzles."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from linkpress.cli.options import (
    AsJson,
    HelpCommand,
    HelpGroup,
    LedgerFile,
    path_option,
    read_bytes,
    read_puzzle_file,
    shown_name,
)
from linkpress.cli.process import say, write, write_json
from linkpress.errors import ExitCode, PuzzleError, UsageError

if TYPE_CHECKING:
    from linkpress.ledger.address import LedgerAddress
    from linkpress.ledger.database import Holder, LedgerEntry, Place
    from linkpress.ledger.store import Ledger
    from linkpress.puzzle.puzzle import Puzzle

# Maximum size of a file for ``ledger import``. A million puzzles of 10 × 10 squares take 574 MB.
MAX_EXPORT_BYTES = 1 << 30
_EXPORT_ADVICE = (
    "Give a file that 'linkpress ledger export' wrote. Split a larger one into parts, each with the first "
    "line of the whole and a last line with the number of its own puzzles."
)

ledger = typer.Typer(
    name="ledger",
    cls=HelpGroup,
    help="Look up and change the ledger, which records every published puzzle.\n\n"
    "Example: linkpress ledger list",
    no_args_is_help=True,
    add_completion=False,
)
_command = partial(ledger.command, cls=HelpCommand)


@_command("list")
def list_holders(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """List the books and feeds in the ledger, with their numbers of puzzles.

    Example: linkpress ledger list
    """
    with _opened(ledger) as opened:
        holdings = opened.holdings()
    if as_json:
        rows = [
            {
                **_holder_json(holding.holder),
                "title": holding.title,
                "published": holding.published,
                "reserved": holding.reserved,
                "last_made": holding.last_made,
                "isbn": holding.isbn,
            }
            for holding in holdings
        ]
        write_json({"ledger": str(opened.address), "holders": rows})
        return
    for holding in holdings:
        counts = f"{holding.published} published, {holding.reserved} reserved"
        facts = (str(holding.holder), counts, holding.last_made, holding.title)
        write("\t".join(map(_printable, facts)) + "\n")
    if not holdings:
        say(f"the ledger {opened.address} is empty")


@_command()
def find(
    file: Annotated[
        str,
        Argument(metavar="FILE", help="Puzzles, a built book's folder or volume.json; - for standard input."),
    ],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Print where each puzzle of a file is published already.

    A puzzle is found even if it was turned, mirrored or renumbered.

    Example: linkpress ledger find puzzles.txt
    """
    from linkpress.puzzle.symmetry import fingerprint as fingerprint_of

    puzzles = _read_puzzles(file)
    with _opened(ledger) as opened:
        entries = [(fingerprint, opened.find(fingerprint)) for fingerprint in map(fingerprint_of, puzzles)]
    if as_json:
        rows = [
            {"fingerprint": fingerprint, "place": entry and _place_json(entry.place)}
            for fingerprint, entry in entries
        ]
        write_json({"puzzles": rows})
        return
    for fingerprint, entry in entries:
        write(f"{fingerprint}\t{_printable(_place_text(entry.place)) if entry else 'new'}\n")


@_command()
def show(
    fingerprint: Annotated[str, Argument(help="A puzzle's fingerprint, or its first digits.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Print everything that the ledger records about one puzzle.

    Example: linkpress ledger show 3f2a
    """
    with _opened(ledger) as opened:
        entries = opened.find_prefix(fingerprint.lower())
    if len(entries) > 1:
        raise UsageError(f"several fingerprints begin with {fingerprint}. Give more of the 16 digits.")
    if not entries:
        raise UsageError(
            f"the ledger {opened.address} has no puzzle {fingerprint}. 'linkpress ledger find' finds puzzles "
            "by their boards."
        )
    entry = entries[0]
    if as_json:
        write_json(_entry_json(entry))
        return
    for name, fact in _facts(entry):
        write(f"{name + ':':<13}{_printable(fact)}\n")
    board = "\n".join(map(_printable, entry.board.split("\n")))
    write(f"\n{entry.cols} {entry.rows}\n{board}\n")


@_command("export")
def export_all(
    output: Annotated[
        Path | None, path_option("-o", help="The file to write. Default: standard output.")
    ] = None,
    ledger: LedgerFile = None,
) -> None:
    """Write the whole ledger as JSON lines, to copy it or to add it to another ledger.

    Example: linkpress ledger export -o ledger.jsonl
    """
    from linkpress.files import lock_folder, write_file
    from linkpress.ledger.store import export_ledger

    with _opened(ledger) as opened:
        if output is not None:
            # Locking the folder also removes temporary files that an earlier export left when it was killed.
            with lock_folder(output.parent):
                write_file(output, "".join(export_ledger(opened)))
            return
        for line in export_ledger(opened):
            write(line)


@_command("import")
def import_all(
    file: Annotated[str, Argument(metavar="FILE", help="A file from 'ledger export'; - for standard input.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Add the puzzles of another ledger.

    A puzzle that this ledger already has for another book or feed is left out, and the exit code is 1.

    Example: linkpress ledger import ledger.jsonl
    """
    from linkpress.ledger.store import import_ledger

    lines = _read_export(file)
    with _opened(ledger, writable=True) as opened:
        imported = import_ledger(opened, lines, shown_name(file))
        holders = {entry: opened.find(entry.fingerprint) for entry in imported.left_out}
    count, shared = imported.puzzles, imported.shared_isbns
    if as_json:
        left_out = [
            {"from": _entry_json(entry), "held_in": known and _place_json(known.place)}
            for entry, known in holders.items()
        ]
        isbns = [{"isbn": isbn, "volumes": [holder.name for holder in shared[isbn]]} for isbn in shared]
        write_json({"puzzles": count, "left_out": left_out, "shared_isbns": isbns})
    else:
        for entry, known in holders.items():
            held = f": it is already in {_printable(str(known.place))}" if known else ""
            say(f"left out: {entry.fingerprint} of {entry.place}{held}")
        for isbn, volumes in shared.items():
            names = _printable(", ".join(holder.name for holder in volumes))
            say(
                f"several books have the ISBN {isbn}: {names}. To build one of them, give it another ISBN or "
                "remove the others with 'linkpress ledger forget'"
            )
        say(f"{count - len(holders)} of {count} puzzles are in the ledger {opened.address}")
    raise typer.Exit(ExitCode.CHECK_FAILED if holders else ExitCode.OK)


@_command()
def forget(
    name: Annotated[str, Argument(metavar="VOLUME", help="The id of a book, as listed; feed:ID for a feed.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Remove a book or feed from the ledger, so that its puzzles can be published again.

    Example: linkpress ledger forget my-book
    """
    # Open the ledger read-only first, because opening it for writing would create a missing ledger.
    with _opened(ledger) as opened:
        holder = _find_holder(opened, name)
    with _opened(ledger, writable=True) as opened:
        count = opened.forget(holder)
    if as_json:
        write_json({**_holder_json(holder), "forgotten": count})
    else:
        say(f"{holder} was removed from the ledger: its {count} puzzles can be used again")


def _opened(address: LedgerAddress | None, *, writable: bool = False) -> Ledger:
    from linkpress.ledger.address import ledger_address
    from linkpress.ledger.store import Ledger

    return Ledger(ledger_address(address), writable=writable, notify=say)


def _read_puzzles(name: str) -> list[Puzzle]:
    from linkpress.book.volume import load_volume, volume_file

    volume = None if name == "-" else volume_file(Path(name))
    if volume is None:
        return read_puzzle_file(name)
    return [record.puzzle for record in load_volume(volume).puzzles]


def _read_export(name: str) -> list[str]:
    content = read_bytes(name, MAX_EXPORT_BYTES, _EXPORT_ADVICE)
    try:
        return content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise PuzzleError(f"{shown_name(name)} can't be read: {error}. {_EXPORT_ADVICE}") from error


def _find_holder(ledger: Ledger, name: str) -> Holder:
    """Find a book or feed by its name, such as ``my-book``, ``volume:my-book`` or ``feed:daily``."""
    holders = [holding.holder for holding in ledger.holdings()]
    exact = [holder for holder in holders if f"{holder.kind}:{holder.name}" == name]
    matches = exact or [holder for holder in holders if holder.name == name]
    if len(matches) > 1:
        raise UsageError(f"{name} is both a book and a feed. Give volume:{name} or feed:{name}.")
    if not matches:
        raise UsageError(
            f"the ledger {ledger.address} has no book or feed {name}. 'linkpress ledger list' lists them all."
        )
    return matches[0]


def _facts(entry: LedgerEntry) -> Iterator[tuple[str, str]]:
    yield "fingerprint", entry.fingerprint
    yield "place", _place_text(entry.place)
    yield "made", entry.made
    yield "size", f"{entry.cols} × {entry.rows}, {entry.pairs} pairs, {entry.solids} solids"
    yield "proof", f"{entry.rule}, by {entry.proof}"
    from linkpress.engine.difficulty import difficulty_of

    if entry.score is not None:
        yield "difficulty", f"{difficulty_of(entry.score)}, score {entry.score}"
    yield "technique", entry.technique or "none"
    yield "recipe", entry.recipe
    yield "seed", f"{entry.seed}, attempt {entry.attempt}"


def _printable(text: str) -> str:
    """Replace control characters by visible codes, so that texts of the ledger can't control the terminal."""
    from linkpress.documents.problem import printable

    return printable(text, sys.maxsize)


def _place_text(place: Place) -> str:
    return f"{'published' if place.published else 'reserved'} in {place}"


def _holder_json(holder: Holder) -> dict[str, str]:
    return {"kind": holder.kind.value, "id": holder.name}


def _place_json(place: Place) -> dict[str, Any]:
    return {**_holder_json(place.holder), "slot": place.slot, "published": place.published}


def _entry_json(entry: LedgerEntry) -> dict[str, Any]:
    sizes = ("fingerprint", "rows", "cols", "pairs", "solids")
    facts = ("rule", "proof", "technique", "score", "recipe", "seed", "attempt")
    return {
        **{key: getattr(entry, key) for key in sizes},
        "board": entry.board.split("\n"),
        **{key: getattr(entry, key) for key in facts},
        "place": _place_json(entry.place),
        "made": entry.made,
    }
