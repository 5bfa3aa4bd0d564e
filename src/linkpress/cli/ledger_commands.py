"""The commands of ``linkpress ledger`` say what was published where."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkpress.cli.options import AsJson, LedgerFile, path_option
from linkpress.cli.streams import read_bytes, read_puzzle_file, say, shown_name, write, write_json
from linkpress.errors import ExitCode, PuzzleError, UsageError

if TYPE_CHECKING:
    from linkpress.ledger.address import LedgerAddress
    from linkpress.ledger.entries import Holder, LedgerEntry, Place
    from linkpress.ledger.store import Ledger
    from linkpress.puzzle.puzzle import Puzzle

MAX_EXPORT_BYTES = 1 << 30  # a million puzzles of 10 × 10 are 574 MB
_EXPORT_ADVICE = (
    "Give what 'linkpress ledger export' wrote; of a larger one parts, each with its first line and a last "
    "line that counts its own puzzles."
)

ledger = typer.Typer(
    name="ledger",
    help="Look up and change what the ledger holds.",
    no_args_is_help=True,
    add_completion=False,
)


@ledger.command("list")
def list_holders(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """List the volumes and feeds and how many puzzles each holds."""
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
        write("\t".join(map(_plain, facts)) + "\n")
    if not holdings:
        say(f"the ledger {opened.address} is empty")


@ledger.command()
def find(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Puzzles in any notation, a built book's folder or volume.json; - is standard input.",
        ),
    ],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Say for each puzzle of a file where it is held, however turned, mirrored or renumbered."""
    from linkpress.puzzle.symmetry import fingerprint as fingerprint_of

    puzzles = _puzzles(file)
    with _opened(ledger) as opened:
        found = [(fingerprint, opened.find(fingerprint)) for fingerprint in map(fingerprint_of, puzzles)]
    if as_json:
        rows = [
            {"fingerprint": fingerprint, "place": record and _place_json(record.place)}
            for fingerprint, record in found
        ]
        write_json({"puzzles": rows})
        return
    for fingerprint, record in found:
        write(f"{fingerprint}\t{_plain(_place_words(record.place)) if record else 'new'}\n")


@ledger.command()
def show(
    fingerprint: Annotated[str, typer.Argument(help="A puzzle's fingerprint, or its first digits.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Show one puzzle and all that is known of it."""
    with _opened(ledger) as opened:
        records = opened.find_prefix(fingerprint.lower())
    if len(records) > 1:
        raise UsageError(f"several puzzles start with {fingerprint}: give more of its 16 digits.")
    if not records:
        raise UsageError(
            f"the ledger {opened.address} holds no puzzle {fingerprint}; 'linkpress ledger find' looks "
            "puzzles up by their boards."
        )
    record = records[0]
    if as_json:
        write_json(_record_json(record))
        return
    for name, fact in _facts(record):
        write(f"{name + ':':<13}{_plain(fact)}\n")
    board = "\n".join(map(_plain, record.board.split("\n")))
    write(f"\n{record.cols} {record.rows}\n{board}\n")


@ledger.command("export")
def export_all(
    output: Annotated[Path | None, path_option("-o", help="The file to write; else standard output.")] = None,
    ledger: LedgerFile = None,
) -> None:
    """Write the whole ledger as JSON lines."""
    from linkpress.files import write_file
    from linkpress.ledger.exchange import export_ledger

    with _opened(ledger) as opened:
        if output is not None:
            write_file(output, "".join(export_ledger(opened)))
            return
        for line in export_ledger(opened):
            write(line)


@ledger.command("import")
def import_all(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What export wrote; - is standard input.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Take over another ledger's puzzles; those held elsewhere are left out and make the exit code 1."""
    from linkpress.ledger.exchange import import_ledger

    lines = _export_lines(file)
    with _opened(ledger, writable=True) as opened:
        imported = import_ledger(opened, lines, shown_name(file))
        places = {record: opened.find(record.fingerprint) for record in imported.left_out}
    if not imported.counted:
        say(
            f"{shown_name(file)} was exported by an earlier linkpress, which didn't count its puzzles: "
            "whether it is whole can't be known"
        )
    count, shared = imported.puzzles, imported.shared_isbns
    if as_json:
        left_out = [
            {"from": _record_json(record), "held_in": known and _place_json(known.place)}
            for record, known in places.items()
        ]
        isbns = [{"isbn": isbn, "volumes": [holder.name for holder in shared[isbn]]} for isbn in shared]
        write_json({"puzzles": count, "left_out": left_out, "shared_isbns": isbns})
    else:
        for record, known in places.items():
            held = f", is held in {_plain(str(known.place))}" if known else ""
            say(f"left out: {record.fingerprint}, of {record.place}{held}")
        for isbn, holders in shared.items():
            names = _plain(", ".join(holder.name for holder in holders))
            say(
                f"the ISBN {isbn} is that of several volumes: {names}. No build of them goes through until "
                "each has one of its own, or is forgotten"
            )
        say(f"{count - len(places)} of {count} puzzles are in the ledger {opened.address}")
    raise typer.Exit(ExitCode.CHECK_FAILED if places else ExitCode.OK)


@ledger.command()
def forget(
    name: Annotated[str, typer.Argument(metavar="VOLUME", help="Its id, as listed; feed:ID for a feed.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Take a volume or feed out of the ledger, so that its puzzles can be used again."""
    with _opened(ledger) as opened:  # so that a ledger that is missing is not made
        holder = _named(opened, name)
    with _opened(ledger, writable=True) as opened:
        count = opened.forget(holder)
    if as_json:
        write_json({**_holder_json(holder), "forgotten": count})
    else:
        say(f"{holder} is forgotten: {count} puzzles are free again")


def _opened(address: LedgerAddress | None, *, writable: bool = False) -> Ledger:
    from linkpress.ledger.address import ledger_address
    from linkpress.ledger.store import Ledger

    return Ledger(ledger_address(address), writable=writable, notify=say)


def _puzzles(name: str) -> list[Puzzle]:
    from linkpress.book.volume import load_volume, volume_file

    volume = None if name == "-" else volume_file(Path(name))
    return (
        read_puzzle_file(name)
        if volume is None
        else [record.puzzle for record in load_volume(volume).puzzles]
    )


def _export_lines(name: str) -> list[str]:
    content = read_bytes(name, MAX_EXPORT_BYTES, _EXPORT_ADVICE)
    try:
        return content.decode("utf-8").split("\n")
    except UnicodeDecodeError as fault:
        raise PuzzleError(f"{shown_name(name)} can't be read: {fault}. {_EXPORT_ADVICE}") from fault


def _named(ledger: Ledger, name: str) -> Holder:
    known = [holding.holder for holding in ledger.holdings()]
    exact = [holder for holder in known if f"{holder.kind}:{holder.name}" == name]
    named = exact or [holder for holder in known if holder.name == name]
    if len(named) > 1:
        raise UsageError(f"{name} is a volume and a feed: say volume:{name} or feed:{name}.")
    if not named:
        raise UsageError(
            f"the ledger {ledger.address} holds no {name}; 'linkpress ledger list' shows what it holds."
        )
    return named[0]


def _facts(record: LedgerEntry) -> Iterable[tuple[str, str]]:
    yield "fingerprint", record.fingerprint
    yield "place", _place_words(record.place)
    yield "made", record.made
    yield "size", f"{record.cols} × {record.rows}, {record.pairs} pairs, {record.solids} solids"
    yield "proof", f"{record.rule}, by {record.proof}"
    yield "grade", "none" if record.grade is None else f"{record.grade}, score {record.score}"
    yield "recipe", record.recipe
    yield "seed", f"{record.seed}, attempt {record.attempt}"


def _plain(text: str) -> str:
    """Return a text of the ledger as it may go to a terminal, however it came there."""
    from linkpress.documents.problem import printable

    return printable(text, sys.maxsize)


def _place_words(place: Place) -> str:
    return f"{'published' if place.published else 'reserved'} in {place}"


def _holder_json(holder: Holder) -> dict[str, str]:
    return {"kind": holder.kind.value, "id": holder.name}


def _place_json(place: Place) -> dict[str, Any]:
    return {**_holder_json(place.holder), "slot": place.slot, "published": place.published}


def _record_json(record: LedgerEntry) -> dict[str, Any]:
    counts = ("rows", "cols", "pairs", "solids")
    facts = ("rule", "proof", "grade", "score", "recipe", "seed", "attempt")
    return {
        **{key: getattr(record, key) for key in ("fingerprint", *counts)},
        "board": record.board.split("\n"),
        **{key: getattr(record, key) for key in facts},
        "place": _place_json(record.place),
        "made": record.made,
    }
