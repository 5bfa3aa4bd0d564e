"""Several books are built as volumes of a series: checked together, and without a puzzle in common.

They are built by volume number, then by id, in whatever order they are given: each book takes no puzzle
that one before it has, so that its bytes follow from the specs and the ledger alone.
"""

from __future__ import annotations

import contextlib
import math
import os.path
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from linkpress.app.editions import book_folder, edition_folder
from linkpress.book.key_values import isbn_13
from linkpress.book.spec import BookSpec, read_spec
from linkpress.documents.models import Document
from linkpress.documents.problem import KeyPath, key_path
from linkpress.errors import ClusterError, LinkpressError, Notify, SpecError, UsageError
from linkpress.ledger.entries import Holder, Kind, Place
from linkpress.press.rehearsal import Rehearsal, rehearse
from linkpress.production.ledger_session import LedgerChoice

if TYPE_CHECKING:
    from linkpress.app.build import BuiltBook
    from linkpress.production.dispatch import Workers


class SeriesBook(NamedTuple):
    """This is one book of several, which can be printed."""

    path: Path
    rehearsal: Rehearsal


class Outcome(NamedTuple):
    """An outcome says that one book of several was built, or what kept it from being built."""

    path: Path
    result: BuiltBook | LinkpressError


def rehearse_books(paths: Sequence[Path], out: Path) -> list[SeriesBook]:
    """Read and rehearse several books, and return them in the order in which they are built.

    Raises:
        SpecError: lists every fault of all of them; two are one file, or share an id, a folder or an
            ISBN.
    """
    return _Rehearsing(out).result(paths)


class _Rehearsing:
    """This reads one book after the other, and gathers the lines of their faults."""

    def __init__(self, out: Path) -> None:
        self._out = out
        # Each line with the books that have it; with none where it names them itself.
        self._faults: dict[str, list[Path]] = {}
        self._read: dict[Path, Document[BookSpec]] = {}
        self._owners: dict[tuple[str, str], str] = {}  # where that stands which only one book may have

    def result(self, paths: Sequence[Path]) -> list[SeriesBook]:
        books = []
        seen: dict[str, Path] = {}
        for path in paths:
            earlier = seen.setdefault(os.path.realpath(path), path)
            if earlier is not path:
                self._faults[f"{path}: this is the same file as {earlier}; give it once"] = []
                continue
            try:
                self._read[path] = document = read_spec(path)
                self._compare(document, path)
                rehearsal = rehearse(document, path.parent)
                self._compare_isbns(rehearsal)
                books.append(SeriesBook(path, rehearsal))
            except SpecError as fault:
                for line in str(fault).splitlines():
                    self._faults.setdefault(line, []).append(path)
        if self._faults:
            self._leave_out_bases()
            raise SpecError("\n".join(self._lines()))
        return sorted(books, key=lambda book: _turn(book.rehearsal.spec))

    def _compare(self, document: Document[BookSpec], path: Path) -> None:
        """Note as a fault the id or a folder that an earlier book has, too."""
        spec = document.model
        if spec is None:
            return
        if document.readable("id", "title", "volume"):
            key: KeyPath = ("id",) if spec.id else ("title",)
            advice = "give each an `id:`, or a title and `volume:`, of its own"
            twins = self._claim(spec, spec.book_id, key, f"has this id too; {advice}")
            if not twins and document.readable("page"):
                with contextlib.suppress(UsageError, SpecError):  # of a profile, which the rehearsal tells
                    folder = str(book_folder(self._out, spec, path.parent))
                    self._claim(spec, folder, key, f"goes to this folder too; {advice}")
                    for name in spec.editions or ():
                        other = str(edition_folder(Path(folder), name))
                        self._claim(spec, other, ("editions", name), f"goes to this folder too; {advice}")

    def _compare_isbns(self, rehearsal: Rehearsal) -> None:
        for each in (rehearsal, *rehearsal.editions.values()):
            for key, isbn in each.spec.isbns.items():
                fault = "has this ISBN too; give each edition of each book its own"
                self._claim(each.spec, isbn_13(isbn), key_path(key), fault)

    def _claim(self, spec: BookSpec, value: str, key: KeyPath, fault: str) -> bool:
        """Note a value that only one book may have, and tell whether another has it, which is a fault."""
        source = spec.source
        problem = source.problem(key, value, "")
        place = f"{problem.file}:{problem.line}:{problem.column}"
        if problem.file != source.file:
            problem, place = source.problem_here(problem), f"{source.file}, by {place},"
        first = self._owners.setdefault((fault, value), place)
        if first is place:
            return False
        line = str(replace(problem, message=f"{first} {fault} {problem.message}".rstrip()))
        self._faults[line] = [Path(source.file)]
        return True

    def _leave_out_bases(self) -> None:
        """Say of a base that was given as a book only that, and not which keys it lacks."""
        by_base = {
            os.path.realpath(base.file): path
            for path, document in [*self._right_books_beside(), *self._read.items()]
            if document.model is not None
            for base in document.model.source.bases
        }
        faulty = {path for paths in self._faults.values() for path in paths}
        for path in [read for read in self._read if read in faulty and os.path.realpath(read) in by_base]:
            del self._read[path]
            left = {line: [other for other in paths if other != path] for line, paths in self._faults.items()}
            self._faults = {line: paths for line, paths in left.items() if paths or not self._faults[line]}
            volume = by_base[os.path.realpath(path)]
            advice = "leave it out" if volume in self._read else "give that"
            self._faults[f"{path}: {volume} stands upon this file, which is no whole book; {advice}"] = []

    def _right_books_beside(self) -> Iterator[tuple[Path, Document[BookSpec]]]:
        """Yield the specs without faults that lie beside those given, each with its document."""
        beside = {path for book in self._read for path in book.parent.glob("*.yaml")}
        for path in sorted(beside - self._read.keys(), reverse=True):
            with contextlib.suppress(SpecError):
                document = read_spec(path)
                if not document.problems:
                    yield path, document

    def _lines(self) -> Iterator[str]:
        """Yield each fault once; a fault in a file that several books read names these books."""
        for line, paths in self._faults.items():
            of_all = len(paths) >= max(1, len(self._read))
            own = any(line.startswith(f"{path}:") for path in paths)
            yield f"{line} (for {_joined(paths)})" if paths and not own and not of_all else line


def _turn(spec: BookSpec) -> tuple[float, str]:
    return (math.inf if spec.volume is None else spec.volume, spec.book_id)


def build_books(
    books: Sequence[SeriesBook],
    build_one: Callable[..., BuiltBook],
    open_workers: Callable[[], AbstractContextManager[Workers]],
    ledger: LedgerChoice,
    notify: Notify,
) -> Iterator[Outcome]:
    """Build several books, one after the other; one that can't be built keeps none of the others from it.

    Args:
        build_one: builds each, with the arguments of ``app.build.build``.
        open_workers: opens those that make the puzzles of all; anew where a cluster is lost.
        ledger: as for a single book; without one no puzzle is in two of these books all the same.
        notify: takes a line that says which book is begun.
    Yields:
        What became of each, in order.
    Raises:
        KeyboardInterrupt: as it came, with what is built and what is left.
        UsageError, ClusterError: there are no workers for the first book.
    """
    taken: dict[str, Place] = {}
    built: list[Path] = []
    with contextlib.ExitStack() as opened:
        workers: Workers | None = opened.enter_context(open_workers())
        for index, (path, rehearsal) in enumerate(books):
            notify(f"{path}, {index + 1} of {len(books)}")
            choice = replace(ledger, taken=taken)
            try:
                workers = workers or opened.enter_context(open_workers())
                result = build_one(path, ledger=choice, rehearsal=rehearsal, workers=workers)
            except KeyboardInterrupt as stop:
                left = [book.path for book in books[index:]]
                raise KeyboardInterrupt(_stopped_message(str(stop), built, left, ledger)) from None
            except LinkpressError as fault:
                if isinstance(fault, ClusterError):
                    opened.close()
                    workers = None
                yield Outcome(path, fault)
            else:
                built.append(path)
                holder = Holder(Kind.VOLUME, rehearsal.spec.book_id)
                taken |= {
                    fingerprint: Place(holder, number, published=True)
                    for fingerprint, number in result.places.items()
                }
                yield Outcome(path, result)


def _stopped_message(message: str, built: Sequence[Path], left: Sequence[Path], ledger: LedgerChoice) -> str:
    if not built:
        return f"{message}. None is built; left: {_joined(left)}"
    recorded = ledger.asked and not ledger.draft
    go_on = "these alone" if recorded else "all again, since no ledger knows the puzzles of those built"
    return f"{message}. Built: {_joined(built)}; left: {_joined(left)}. To go on give {go_on}"


def _joined(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths))
