"""Check and build several books together, such as the volumes of a series.

The books are built in the order of their volume numbers, then of their ids. No puzzle of an earlier book is
used again. The content of the files depends only on the specs and the ledger, not on the order in which the
user gives the books.
"""

from __future__ import annotations

import contextlib
import math
import os.path
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from linkpress.app.editions import book_folder, edition_folder
from linkpress.book.key_values import isbn_13
from linkpress.book.spec import NO_CHANGES, BookSpec, RunChanges, read_spec
from linkpress.documents.models import Document
from linkpress.documents.problem import KeyPath, key_path
from linkpress.errors import ClusterError, LinkpressError, Notify, SpecError, UsageError
from linkpress.ledger.database import Holder, Kind, Place
from linkpress.press.dry_run import CheckedBook, dry_run
from linkpress.production.ledger_session import LedgerChoice

if TYPE_CHECKING:
    from linkpress.app.build import BuiltBook
    from linkpress.production.dispatch import Workers


class Outcome(NamedTuple):
    """Built book, or the error that stopped its build."""

    path: Path
    result: BuiltBook | LinkpressError


def check_books(
    paths: Sequence[Path],
    out: Path,
    changes: RunChanges = NO_CHANGES,
    read: Mapping[Path, Document[BookSpec]] = MappingProxyType({}),
) -> list[CheckedBook]:
    """Read several books, and check that each can be printed.

    Two books must not have the same file, id, folder or ISBN.

    Args:
        paths: the files of the specs.
        out: the parent of the books' folders.
        changes: new values for keys of all specs, for this run only.
        read: specs that were read already, by their paths.
    Returns:
        The books in the order in which to build them.
    Raises:
        SpecError: there are problems. The message lists the problems of all books.
    """
    return _SeriesCheck(out, changes, read).result(paths)


class _SeriesCheck:
    """Checker of several books. It collects the problems of all books before it reports them."""

    def __init__(self, out: Path, changes: RunChanges, read: Mapping[Path, Document[BookSpec]]) -> None:
        self._out = out
        self._changes = changes
        # Maps each message about a problem to the books that have the problem. If the message itself names
        # the book, the list is empty.
        self._problems: dict[str, list[Path]] = {}
        self._documents = dict(read)
        # Maps each value that only one book may have, such as an ISBN, to the file, line and column where it
        # was used first in the series.
        self._places: dict[tuple[str, str], str] = {}

    def result(self, paths: Sequence[Path]) -> list[CheckedBook]:
        books = []
        seen: dict[str, Path] = {}
        for path in paths:
            earlier = seen.setdefault(os.path.realpath(path), path)
            if earlier is not path:
                self._problems[f"{path}: this is the same file as {earlier}; give it once"] = []
                continue
            try:
                document = self._documents.get(path) or read_spec(path, changes=self._changes)
                self._documents[path] = document
                self._compare(document)
                book = dry_run(document).checked()
                self._compare_isbns(book)
                books.append(book)
            except SpecError as error:
                for line in str(error).splitlines():
                    self._problems.setdefault(line, []).append(path)
        if self._problems:
            self._replace_problems_of_bases()
            raise SpecError("\n".join(self._lines()))
        return sorted(books, key=_build_order)

    def _compare(self, document: Document[BookSpec]) -> None:
        """Report a problem if the book has the same id or the same folder as an earlier book."""
        spec = document.model
        if spec is None or not document.readable("id", "title", "volume"):
            return
        key: KeyPath = ("id",) if spec.id else ("title",)
        advice = "give each an `id:`, or a title and `volume:`, of its own"
        has_same_id = self._claim(spec, spec.book_id, key, f"has this id too; {advice}")
        if has_same_id or not document.readable("page"):
            return
        # If the printer's profile can't be read, the dry run reports this.
        with contextlib.suppress(UsageError, SpecError):
            folder = str(book_folder(self._out, spec))
            self._claim(spec, folder, key, f"goes to this folder too; {advice}")
            for name in spec.editions or ():
                other = str(edition_folder(Path(folder), name))
                self._claim(spec, other, ("editions", name), f"goes to this folder too; {advice}")

    def _compare_isbns(self, book: CheckedBook) -> None:
        for each in (book, *book.editions.values()):
            for key, isbn in each.spec.isbns.items():
                message = "has this ISBN too; give each edition of each book its own"
                self._claim(each.spec, isbn_13(isbn), key_path(key), message)

    def _claim(self, spec: BookSpec, value: str, key: KeyPath, message: str) -> bool:
        """Record that a book uses a value that only one book may have, such as an ISBN.

        If an earlier book has the same value, report a problem and return True.
        """
        source = spec.source
        problem = source.problem(key, value, "")
        place = f"{problem.file}:{problem.line}:{problem.column}"
        if problem.file != source.file:
            problem, place = source.problem_here(problem), f"{source.file}, by {place},"
        first = self._places.setdefault((message, value), place)
        if first is place:
            return False
        line = str(replace(problem, message=f"{first} {message} {problem.message}".rstrip()))
        self._problems[line] = [Path(source.file)]
        return True

    def _replace_problems_of_bases(self) -> None:
        """Report one problem for each base file that the user gave as if it were a book.

        A base file has keys that several books share. It lacks required keys, so each missing key would
        otherwise be reported as a problem.
        """
        book_of_base = {
            os.path.realpath(base.file): path
            for path, document in [*self._other_valid_specs(), *self._documents.items()]
            if document.model is not None
            for base in document.model.source.bases
        }
        faulty = {path for paths in self._problems.values() for path in paths}
        bases = [p for p in self._documents if p in faulty and os.path.realpath(p) in book_of_base]
        for base in bases:
            del self._documents[base]
            left = {line: [path for path in paths if path != base] for line, paths in self._problems.items()}
            self._problems = {
                line: paths for line, paths in left.items() if paths or not self._problems[line]
            }
            book = book_of_base[os.path.realpath(base)]
            advice = "leave it out" if book in self._documents else "give that"
            self._problems[f"{base}: {book} is based on this file, which is no whole book; {advice}"] = []

    def _other_valid_specs(self) -> Iterator[tuple[Path, Document[BookSpec]]]:
        """Yield the valid specs that are in the same folders as the given files, but were not given."""
        beside = {path for book in self._documents for path in book.parent.glob("*.yaml")}
        for path in sorted(beside - self._documents.keys(), reverse=True):
            with contextlib.suppress(SpecError):
                document = read_spec(path)
                if not document.problems:
                    yield path, document

    def _lines(self) -> Iterator[str]:
        """Yield a line for each problem. The line names the books with the problem, unless all have it."""
        for line, paths in self._problems.items():
            in_all = len(paths) >= max(1, len(self._documents))
            names_book = any(line.startswith(f"{path}:") for path in paths)
            yield f"{line} (for {_joined(paths)})" if paths and not names_book and not in_all else line


def _build_order(book: CheckedBook) -> tuple[float, str]:
    spec = book.spec
    return (math.inf if spec.volume is None else spec.volume, spec.book_id)


def build_books(
    books: Sequence[CheckedBook],
    build_one: Callable[..., BuiltBook],
    open_workers: Callable[[], AbstractContextManager[Workers]],
    ledger: LedgerChoice,
    notify: Notify,
) -> Iterator[Outcome]:
    """Build several books, one after the other. A book that can't be built doesn't stop the others.

    Args:
        books: the books returned by ``check_books``.
        build_one: function that builds one book, with the same arguments as ``app.build.build``.
        open_workers: function that starts the processes that make the puzzles. It is called again if the
            connection to a cluster is lost.
        ledger: the ledger in which to look up and record puzzles. Even if no ledger is used, no puzzle is in
            two of these books.
        notify: function called with a message at the start of each book.
    Yields:
        The result of each book, in order.
    Raises:
        KeyboardInterrupt: the user stopped the build. The message lists the books that are built, and the
            books that are left.
        UsageError: the processes for the first book can't be started.
        ClusterError: the cluster can't be used for the first book.
    """
    in_use: dict[str, Place] = {}
    built: list[Path] = []
    with contextlib.ExitStack() as opened:
        workers: Workers | None = opened.enter_context(open_workers())
        for index, book in enumerate(books):
            notify(f"{book.path}, {index + 1} of {len(books)}")
            choice = replace(ledger, in_use=in_use)
            try:
                workers = workers or opened.enter_context(open_workers())
                result = build_one(book, ledger=choice, workers=workers)
            except KeyboardInterrupt as stop:
                left = [book.path for book in books[index:]]
                raise KeyboardInterrupt(_stopped_message(str(stop), built, left, ledger)) from None
            except LinkpressError as error:
                if isinstance(error, ClusterError):
                    opened.close()
                    workers = None
                yield Outcome(book.path, error)
            else:
                built.append(book.path)
                holder = Holder(Kind.VOLUME, book.spec.book_id)
                in_use |= {
                    fingerprint: Place(holder, number, published=True)
                    for fingerprint, number in result.places.items()
                }
                yield Outcome(book.path, result)


def _stopped_message(message: str, built: Sequence[Path], left: Sequence[Path], ledger: LedgerChoice) -> str:
    if not built:
        return f"{message}. None is built; left: {_joined(left)}"
    is_recorded = ledger.used and not ledger.draft
    rest = "these alone" if is_recorded else "all again, since no ledger knows the puzzles of those built"
    return f"{message}. Built: {_joined(built)}; left: {_joined(left)}. To go on give {rest}"


def _joined(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths))
