"""Make the puzzles of a whole book, and write the report of its build.

A *replacement* is a different puzzle that the editor wants in place of the puzzle with a certain printed
number. All planned puzzles are made first, then the replacements.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from statistics import median
from types import MappingProxyType

from linkpress.book.key_values import isbn_13
from linkpress.book.level import LevelSpec
from linkpress.book.plan import Slot, plan_slots, replacement_seed, replacement_slots
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec
from linkpress.book.volume import VOLUME_FILE, NumberedPuzzle, Volume, load_volume, printed_order
from linkpress.engine.difficulty import Difficulty, name_of
from linkpress.engine.grade import climb_and_grade
from linkpress.engine.recipe import Grade, Span, counted
from linkpress.errors import LinkpressError
from linkpress.ledger.database import Holder, Kind
from linkpress.production.dispatch import Workers
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.production.slot_search import FinishedSlot, feels

JOURNAL_FILE = ".build.journal"


@dataclass(frozen=True)
class BookPuzzles:
    """The puzzles of a book, both printed and replaced ones.

    The ledger of used puzzles keeps the printed and the replaced ones reserved, so no other book gets them.
    When the book is built again, the same puzzles must be made, including the replaced ones, because the
    printed order of the other puzzles depends on them.

    Args:
        printed: the puzzles to print, in printed order. Replacements are included.
        replaced: maps printed numbers to the puzzles that are not printed, because the editor replaced them.
    """

    printed: tuple[FinishedSlot, ...]
    replaced: Mapping[int, FinishedSlot]

    @property
    def records(self) -> tuple[PuzzleRecord, ...]:
        return tuple(finished.record for finished in self.printed)

    @cached_property
    def places(self) -> dict[str, str]:
        """For each puzzle, the text about its place in the book, to record in the ledger.

        The text is the printed number, such as "3". For a puzzle that was replaced by another one with the
        number 3, the text is "3, replaced". The keys are the fingerprints of the puzzles.
        """
        slots = {str(number): finished for number, finished in enumerate(self.printed, start=1)}
        slots |= {f"{number}, replaced": finished for number, finished in self.replaced.items()}
        return {finished.record.fingerprint: slot for slot, finished in slots.items()}


def plan_book(spec: BookSpec) -> RunPlan:
    """Return the facts about a book that a ``ProductionRun`` needs before it makes the book's puzzles.

    They are the book's id, title and ISBN, the number of its puzzles, and the number of further puzzles that
    the editor has replaced by others.
    """
    holder, replaced = Holder(Kind.VOLUME, spec.book_id), len(spec.replace or ())
    isbn = isbn_13(spec.isbn) if spec.isbn else None
    return RunPlan(holder, spec.title, puzzles=spec.puzzle_count, replaced=replaced, isbn=isbn)


def make_book(spec: BookSpec, run: ProductionRun, workers: Workers | None = None) -> BookPuzzles:
    """Make the puzzles of a book.

    Args:
        spec: the spec of the book.
        run: the run that makes the puzzles. Its plan must come from ``plan_book``.
        workers: settings of the worker processes; None for processes of this machine.
    Raises:
        LinkpressError: the puzzles can't be made. ``ProductionRun.fill`` lists the exact errors.
    """
    with run.at_work(workers):
        return arrange_book(spec, run.fill)


def arrange_book(spec: BookSpec, fill: Callable[[Sequence[Slot]], Sequence[FinishedSlot]]) -> BookPuzzles:
    """Make the puzzles of a book, sort them into printed order, and make the editor's replacements.

    Args:
        spec: the spec of the book.
        fill: function that makes the puzzles for a list of slots, which are the plans for single puzzles. It
            is called first with all planned slots, then with the slots of the replacements.
    """
    slots, replacements = plan_slots(spec), spec.replace or {}
    made = {finished.record.fingerprint: finished for finished in fill(slots)}
    openings = {key: finished.opening for key, finished in made.items()}
    order = vary_openings(printed_order(spec, (finished.record for finished in made.values())), openings)
    printed = {number: made[record.fingerprint] for number, record in enumerate(order, start=1)}
    planned = {number: finished.slot for number, finished in printed.items()}
    others = fill(replacement_slots(planned, replacements, len(slots) + 1)) if replacements else ()
    replaced_by = dict(zip(sorted(replacements), others, strict=True))
    replaced = {number: printed[number] for number in replaced_by}
    return BookPuzzles(tuple({**printed, **replaced_by}.values()), replaced)


def vary_openings(
    puzzles: Iterable[PuzzleRecord], known: Mapping[str, tuple[int, ...] | None] = MappingProxyType({})
) -> list[PuzzleRecord]:
    """Reorder puzzles of the same difficulty, so that neighbours begin with different techniques.

    Only neighbours of the same level, difficulty and size are exchanged, so a level still gets harder step by
    step. In five example books of linkpress, 14 % of the puzzles began with the same techniques as the puzzle
    before them. After this reordering, 5 % did.

    Args:
        puzzles: the puzzles in the order of their levels and difficulties.
        known: for the fingerprints of some puzzles, the codes of the techniques that come first when the
            puzzle is solved. For other puzzles, this function finds them.
    """
    varied: list[PuzzleRecord] = []
    before: tuple[int, ...] | None = None
    for _, run in groupby(puzzles, _exchange_key):
        left = list(run)
        openings = [known.get(record.fingerprint) or _opening(record) for record in left]
        counts = Counter(openings)
        while left:
            # The opening of a puzzle is the list of techniques with which its solve begins. Neighbouring
            # puzzles should have different openings. If more than half of the remaining puzzles have the same
            # opening, it is urgent to use one of them next, unless the puzzle before has this opening too.
            # If they were left for the end, many of them would be neighbours there.
            most = max(counts, key=counts.__getitem__)
            is_urgent = 2 * counts[most] > len(left) and most != before
            fits = (
                place
                for place, opening in enumerate(openings)
                if opening != before and (opening == most or not is_urgent)
            )
            place = next(fits, 0)
            before = openings.pop(place)
            counts[before] -= 1
            varied.append(left.pop(place))
    return varied


def _exchange_key(record: PuzzleRecord) -> tuple[str, int | None, int]:
    """Return the level, the difficulty and the grid's size of a puzzle.

    ``vary_openings`` exchanges two puzzles only if they have the same level, difficulty and size. So the
    puzzles of each level stay in the order of their difficulty.
    """
    return record.level, record.difficulty, record.puzzle.grid.size


def _opening(record: PuzzleRecord) -> tuple[int, ...]:
    """Return the codes of the techniques that come first when a puzzle is solved.

    The result is empty for an ungraded puzzle. Such a puzzle may be a placeholder for a puzzle that is not
    made yet, and have no solution.
    """
    if record.score is None:
        return ()
    return climb_and_grade(record.puzzle, record.rule, Grade.EXPERT, proven=True).opening


def warnings_of(spec: BookSpec, run: ProductionRun, puzzles: BookPuzzles) -> list[str]:
    """Return warnings about other books in the ledger.

    There are two reasons to warn:

    - An earlier book with this id had puzzles that this book doesn't have. The ledger then allows other books
      to use these puzzles, although the earlier book may still be on sale.
    - Another book has puzzles with the same seeds and recipes as this book, so different puzzles had to be
      made for this book. The other book may be an earlier version of this book under another title.
    """
    all_of_them = (*puzzles.printed, *puzzles.replaced.values())
    made_again = [finished.slot for finished in all_of_them if finished.record.attempt]
    warnings = [
        f"{name} in the ledger has {counted(count, 'puzzle')} of the same seed and settings, so this "
        f"book has others instead. If it is the same book under an earlier title, write `id: {name}` and "
        "build again to keep its puzzles."
        for name, count in run.ledger.volumes_of(made_again).items()
    ]
    if count := run.ledger.count_released(puzzles.places):
        plural, they_are = ("s", "they are") if count > 1 else ("", "it is")
        warnings.append(
            f"{spec.book_id} held {count} other puzzle{plural} in the ledger: {they_are} free to be printed "
            "again. If that book is on sale, give this one another `id:` and build both again."
        )
    return warnings


def report_lines(run: ProductionRun, warnings: list[str]) -> list[str]:
    """Return lines for the build report.

    The first lines say how many puzzles came from the journal of an interrupted run, which puzzles were not
    used because they are in use elsewhere, and which ones are still much like another puzzle of the book.
    The warnings follow.
    """
    resumed = [f"journal        resumed {run.resumed} of {run.plan.total}"] * bool(run.resumed)
    return resumed + run.notes + [f"ledger         {warning}" for warning in warnings]


def built_puzzles(folder: Path, release: str | None = None) -> Iterator[FinishedSlot]:
    """Yield the puzzles of a book that was built before, each with its slot.

    A slot is the plan for one puzzle. ``volume.json`` doesn't record how many boards the search examined and
    how many seconds it took, so both numbers are 0 here.

    Args:
        folder: the folder of the book. Nothing is yielded if the folder has no readable book.
        release: a version of linkpress; None for any version. Nothing is yielded if another version built the
            book.
    """
    with contextlib.suppress(LinkpressError):
        saved = load_volume(folder / VOLUME_FILE)
        if release not in (None, saved.linkpress_version):
            return
        slots = {(slot.level, slot.index): slot for slot in plan_slots(saved.spec) if not slot.given}
        for record in saved.puzzles:
            slot = slots.get((record.level, record.index))
            if slot is not None:
                yield FinishedSlot(_slot_of(slot, record), record, 0, 0.0)


def _slot_of(slot: Slot, record: PuzzleRecord) -> Slot:
    """Return the slot for which a puzzle was made. A slot is the plan for one puzzle of the book.

    If the editor had replaced the planned puzzle, the result differs from the planned slot: it has the seed
    of the replacement.

    Args:
        slot: the planned slot at the place of the puzzle in the book.
        record: the puzzle.
    """
    seed = record.seed.rpartition("/")[0]
    count = seed.rpartition(" ")[2]
    is_replacement = count.isdigit() and seed == replacement_seed(slot.seed, int(count))
    return replace(slot, seed=seed) if is_replacement else slot


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """Facts about a build that its report shows in addition to the facts about the book.

    Args:
        produced: the puzzles made by this build; empty if an earlier book was printed again.
        jobs: the number of puzzles that were made at the same time.
        pages: the number of pages of the book's interior.
        stages_s: the seconds of each stage, in the order of the stages.
        notes: further lines for the report.
    """

    produced: Sequence[FinishedSlot]
    jobs: int
    pages: int
    stages_s: Mapping[str, float]
    notes: Sequence[str] = ()


def report_text(volume: Volume, build: BuildSummary, tables: str) -> str:
    """Return the report of a build as plain text. Only its timings differ between equal builds.

    Args:
        tables: the tables of levels and puzzles, as ``report_tables`` returns them.
    """
    return "\n\n".join(("\n".join(_head(volume, build)), "\n".join(_stages(build)), tables))


def report_tables(volume: Volume, produced: Sequence[FinishedSlot]) -> str:
    """Return the tables of levels and puzzles for the report of a build.

    Args:
        produced: the puzzles made by this build, as in ``BuildSummary``.
    """
    return "\n".join((*_levels(volume, produced), "", *_puzzles(volume, produced), ""))


def other_difficulties(volume: Volume, *, listed: bool = False) -> list[str]:
    """Return a message for each level that has puzzles of another difficulty than requested.

    Such puzzles are used if the level has the key ``otherwise: nearest``.

    Args:
        volume: the book.
        listed: True to list the puzzles in the message, False to give the range of their difficulties.
    """
    messages = []
    for level in volume.spec.levels:
        for request, entries in _by_request(volume, level).items():
            others = [entry for entry, is_met in entries if not is_met]
            if others:
                count = f"{len(others)} of {counted(len(entries), 'puzzle')}"
                are_not = f"{'is' if len(others) == 1 else 'are'} not {request} but the nearest found"
                if listed:
                    found = ": " + ", ".join(f"{entry.number} ({feels(entry.record)})" for entry in others)
                else:
                    found = f" (difficulty {_points(others)}). The report lists them."
                messages.append(f"level {level.name}: {count} {are_not}{found}")
    return messages


def _points(entries: Sequence[NumberedPuzzle]) -> str:
    points = [entry.record.difficulty for entry in entries if entry.record.difficulty is not None]
    return str(Span(min(points), max(points))) if points else "unknown"


def _by_request(volume: Volume, level: LevelSpec) -> dict[str, list[tuple[NumberedPuzzle, bool]]]:
    """Group a level's puzzles by the requested difficulty and techniques.

    Returns:
        For each request, the puzzles that were made for it, each with a flag that says whether the puzzle
        meets the request.
    """
    if level.file is not None or not (level.technique or level.difficulty):
        return {}
    recipes = level.recipes(level.count)
    by_request: dict[str, list[tuple[NumberedPuzzle, bool]]] = {recipe.required: [] for recipe in recipes}
    for entry in volume.numbered:
        record = entry.record
        if record.level == level.name:
            recipe = recipes[record.index - 1]
            by_request[recipe.required].append((entry, recipe.accepts(record.technique, record.difficulty)))
    return by_request


def _head(volume: Volume, build: BuildSummary) -> list[str]:
    pages = f"{build.pages} page{'s' * (build.pages != 1)}"
    return [
        volume.spec.title,
        "=" * len(volume.spec.title),
        f"linkpress      {volume.linkpress_version}",
        f"spec SHA-256   {volume.spec_sha256}",
        f"seed           {volume.spec.seed}",
        f"puzzles        {len(volume.puzzles)}, each proven to have one solution",
        f"proofs         {_counted(f'{record.rule.value} by {record.proof}' for record in volume.puzzles)}",
        f"interior       {pages}",
        *build.notes,
        *(f"difficulty     {message}" for message in other_difficulties(volume, listed=True)),
    ]


def _stages(build: BuildSummary) -> list[str]:
    heading = f"Time, {build.jobs} job{'s' * (build.jobs != 1)}"
    lines = [heading, "-" * len(heading)]
    return lines + [f"{stage:<14} {seconds:8.2f} s" for stage, seconds in build.stages_s.items()]


def _levels(volume: Volume, produced: Sequence[FinishedSlot]) -> list[str]:
    lines = ["Levels", "------"]
    for level in volume.spec.levels:
        puzzles = volume.level(level.name)
        lines.append(f"{level.name}: {len(puzzles)} puzzles, {level.unique.value}")
        lines.append(f"  sizes        {_counted(_size(record) for record in puzzles)}")
        lines.append(f"  paths        {_range(len(record.puzzle.pairs) for record in puzzles)}")
        lines.append(f"  solids       {_range(len(record.puzzle.grid.solids) for record in puzzles)}")
        lines.append(f"  difficulty   {_difficulties(puzzles)}")
        lines.append(f"  techniques   {_techniques(puzzles)}")
        for request, entries in _by_request(volume, level).items():
            met = sum(is_met for _, is_met in entries)
            lines.append(f"  asked        {counted(len(entries), 'puzzle')} of {request}; {met} met")
        made = [each for each in produced if each.slot.level == level.name and _is_timed(each)]
        if made:
            seconds = [finished.seconds_s for finished in made]
            lines.append(f"  seconds      median {median(seconds):.3f}, longest {max(seconds):.3f}")
            tries = [finished.tries for finished in made]
            lines.append(f"  boards tried {sum(tries)} in all, at most {max(tries)} for one puzzle")
            lines.append(f"  repeats      {sum(finished.record.attempt for finished in made)} made again")
    return lines


def _is_timed(finished: FinishedSlot) -> bool:
    return finished.tries > 0 or finished.slot.given is not None


def _puzzles(volume: Volume, produced: Sequence[FinishedSlot]) -> list[str]:
    timed = filter(_is_timed, produced)
    seconds = {(finished.slot.level, finished.slot.index): finished.seconds_s for finished in timed}
    headings = "no. level size paths solids difficulty technique fingerprint seconds seed"
    rows = [tuple(headings.split())]
    for number, record in enumerate(volume.puzzles, start=1):
        took, points = seconds.get((record.level, record.index)), record.difficulty
        counts = str(len(record.puzzle.pairs)), str(len(record.puzzle.grid.solids))
        felt = "–" if points is None else str(points), record.technique.label if record.technique else "–"
        made = record.fingerprint, "–" if took is None else f"{took:.3f}", record.seed
        rows.append((str(number), record.level, _size(record), *counts, *felt, *made))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "  ".join([*(f"{{:<{width}}}" for width in widths[:-1]), "{}"])
    return ["Puzzles", "-------", *(line.format(*row) for row in rows)]


def _size(record: PuzzleRecord) -> str:
    return f"{record.puzzle.grid.cols}x{record.puzzle.grid.rows}"


def _range(values: Iterator[int]) -> str:
    numbers = sorted(values)
    return f"{numbers[0]} to {numbers[-1]}, mean {sum(numbers) / len(numbers):.1f}"


def _difficulties(puzzles: Sequence[PuzzleRecord]) -> str:
    points = [record.difficulty for record in puzzles if record.difficulty is not None]
    counts = Counter(map(name_of, points))
    named = [f"{name} {counts[name]}" for name in Difficulty if counts[name]]
    named += [f"unknown {len(puzzles) - len(points)}"] * (len(points) < len(puzzles))
    return ", ".join(named) + (f"; {_range(iter(points))}" if points else "")


def _techniques(puzzles: Sequence[PuzzleRecord]) -> str:
    counts = Counter(record.technique for record in puzzles)
    named = [f"{grade.label} {counts[grade]}" for grade in Grade if counts[grade]]
    return ", ".join(named + [f"unknown {counts[None]}"] * bool(counts[None]))


def _counted(words: Iterator[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(Counter(words).items()))
