"""A book's run fills its slots, then those of the replacements that an editor wants; and reports."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from linkpress.book.key_values import isbn_13
from linkpress.book.level import LevelSpec
from linkpress.book.plan import Slot, plan_slots, replacement_seed, replacement_slots
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec
from linkpress.book.volume import VOLUME_FILE, NumberedPuzzle, Volume, load_volume, printed_order
from linkpress.engine.recipe import MOST_STARS, Grade, counted
from linkpress.errors import LinkpressError
from linkpress.ledger.entries import Holder, Kind
from linkpress.production.dispatch import Workers
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.production.slot_search import FinishedSlot

JOURNAL_FILE = ".build.journal"


@dataclass(frozen=True)
class BookPuzzles:
    """A book is made of these puzzles.

    A puzzle that another replaces stays with the volume, since the order of all others depends on it.

    Args:
        printed: in printed order, replacements in the places of those that they stand for.
        replaced: those that others stand for, by printed number.
    """

    printed: tuple[FinishedSlot, ...]
    replaced: Mapping[int, FinishedSlot]

    @property
    def records(self) -> tuple[PuzzleRecord, ...]:
        """Return the printed puzzles."""
        return tuple(finished.record for finished in self.printed)

    @property
    def places(self) -> dict[str, str]:
        """Return the place under which the ledger holds each puzzle, by its fingerprint."""
        replaced = {f"{number}, replaced": finished for number, finished in self.replaced.items()}
        numbered = {str(number): finished for number, finished in enumerate(self.printed, start=1)} | replaced
        return {finished.record.fingerprint: place for place, finished in numbered.items()}


def plan_book(spec: BookSpec) -> RunPlan:
    """Return the plan of a book's run."""
    holder = Holder(Kind.VOLUME, spec.book_id)
    isbn = isbn_13(spec.isbn) if spec.isbn else None
    return RunPlan(holder, spec.title, spec.puzzle_count, len(spec.replace or ()), isbn=isbn)


def make_book(spec: BookSpec, run: ProductionRun, workers: Workers | None = None) -> BookPuzzles:
    """Make the puzzles of a book in the run that ``plan_book`` plans; raise as ``ProductionRun.fill``."""
    with run.at_work(workers):
        return arrange_book(spec, run.fill)


def arrange_book(spec: BookSpec, fill: Callable[[Sequence[Slot]], Sequence[FinishedSlot]]) -> BookPuzzles:
    """Put the puzzles of a book in printed order, with replacements in the places of what they replace."""
    slots, wanted = plan_slots(spec), spec.replace or {}
    made = {finished.record.fingerprint: finished for finished in fill(slots)}
    order = printed_order(spec, (finished.record for finished in made.values()))
    printed = {number: made[record.fingerprint] for number, record in enumerate(order, start=1)}
    planned = {number: finished.slot for number, finished in printed.items()}
    again = fill(replacement_slots(planned, wanted, len(slots) + 1))
    instead = dict(zip(sorted(wanted), again, strict=True))
    replaced = {number: printed[number] for number in instead}
    return BookPuzzles(tuple({**printed, **instead}.values()), replaced)


def warnings_of(spec: BookSpec, run: ProductionRun, puzzles: BookPuzzles) -> list[str]:
    """Warn whoever builds the book that it takes the place of one that may be on sale."""
    count = run.ledger.count_released(puzzles.places)
    if not count:
        return []
    plural, they_are = ("s", "they are") if count > 1 else ("", "it is")
    return [
        f"{spec.book_id} held {count} other puzzle{plural} in the ledger: {they_are} free to be printed "
        "again. If that book is on sale, give this one another `id:` and build both again."
    ]


def report_lines(run: ProductionRun, warnings: list[str]) -> list[str]:
    """Write for the report what was resumed, what was passed over and why, and the warnings."""
    resumed = [f"journal        resumed {run.resumed} of {run.plan.total}"] * bool(run.resumed)
    return resumed + run.notes + [f"ledger         {warning}" for warning in warnings]


def built_puzzles(folder: Path, release: str | None = None) -> Iterator[FinishedSlot]:
    """Read the puzzles of the book in a folder, each with the slot that it was made for.

    How long they took and how many boards were tried is not known any more: both are 0.

    Args:
        folder: of one book; nothing is read where there is none, or none that can be read.
        release: the version of linkpress that made them; None takes those of any version.
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
    """Return the slot that a saved puzzle was made for: its level's own, or that of a replacement."""
    seed = record.seed.rpartition("/")[0]
    which = seed.rpartition(" ")[2]
    is_replacement = which.isdigit() and seed == replacement_seed(slot.seed, int(which))
    return replace(slot, seed=seed) if is_replacement else slot


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """A summary tells what a build did beyond the volume that it left.

    Args:
        produced: each slot's puzzle; empty when a saved volume was typeset.
        jobs: how many puzzles were made at a time.
        stages_s: seconds for each stage, by its name, in order.
        notes: further lines, such as files written or what was resumed.
    """

    produced: Sequence[FinishedSlot]
    jobs: int
    pages: int
    stages_s: Mapping[str, float]
    notes: Sequence[str] = ()


def report_text(volume: Volume, build: BuildSummary) -> str:
    """Write the report of a build as plain text; its timings make each run's differ."""
    parts = [_head(volume, build), _stages(build), _levels(volume, build), _puzzles(volume, build)]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def other_grades(volume: Volume) -> list[str]:
    """List each level's puzzles that are not as it asks, as ``otherwise: nearest`` allows."""
    messages = []
    for level in volume.spec.levels:
        for asked, entries in _orders(volume, level).items():
            others = [entry for entry, is_met in entries if not is_met]
            if others:
                listed = ", ".join(f"{entry.number} ({_judgement(entry.record)})" for entry in others)
                count = f"{len(others)} of {counted(len(entries), 'puzzle')}"
                not_so = f"{'is' if len(others) == 1 else 'are'} not {asked}"
                messages.append(f"level {level.name}: {count} {not_so} but the nearest found: {listed}")
    return messages


def _orders(volume: Volume, level: LevelSpec) -> dict[str, list[tuple[NumberedPuzzle, bool]]]:
    """Return what a level asks for, in words, with the puzzles for it and whether each meets the order."""
    if level.file is not None or not (level.grade or level.stars):
        return {}
    recipes = level.recipes(level.count)
    orders: dict[str, list[tuple[NumberedPuzzle, bool]]] = {recipe.difficulty: [] for recipe in recipes}
    for entry in volume.numbered:
        record = entry.record
        if record.level == level.name:
            recipe = recipes[record.index - 1]
            orders[recipe.difficulty].append((entry, recipe.accepts(record.grade, record.stars)))
    return orders


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
        *(f"grades         {message}" for message in other_grades(volume)),
    ]


def _stages(build: BuildSummary) -> list[str]:
    heading = f"Time, {build.jobs} job{'s' * (build.jobs != 1)}"
    lines = [heading, "-" * len(heading)]
    return lines + [f"{stage:<14} {seconds:8.2f} s" for stage, seconds in build.stages_s.items()]


def _levels(volume: Volume, build: BuildSummary) -> list[str]:
    lines = ["Levels", "------"]
    for level in volume.spec.levels:
        puzzles = volume.level(level.name)
        lines.append(f"{level.name}: {len(puzzles)} puzzles, {level.unique.value}")
        lines.append(f"  sizes        {_counted(_size(record) for record in puzzles)}")
        lines.append(f"  paths        {_range(len(record.puzzle.pairs) for record in puzzles)}")
        lines.append(f"  solids       {_range(len(record.puzzle.grid.solids) for record in puzzles)}")
        lines.append(f"  grades       {_grades(puzzles)}")
        lines.append(f"  stars        {_stars(puzzles)}")
        for asked, entries in _orders(volume, level).items():
            met = sum(is_met for _, is_met in entries)
            lines.append(f"  asked        {counted(len(entries), 'puzzle')} of {asked}; {met} met")
        made = [made for made in build.produced if made.slot.level == level.name and _is_timed(made)]
        if made:
            seconds = [finished.seconds_s for finished in made]
            lines.append(f"  seconds      median {median(seconds):.3f}, longest {max(seconds):.3f}")
            tries = [finished.tries for finished in made]
            lines.append(f"  boards tried {sum(tries)} in all, at most {max(tries)} for one puzzle")
            lines.append(f"  repeats      {sum(finished.record.attempt for finished in made)} made again")
    return lines


def _is_timed(finished: FinishedSlot) -> bool:
    """Tell whether it is known how a puzzle was made; it is not of one taken over from an earlier book."""
    return finished.tries > 0 or finished.slot.given is not None


def _puzzles(volume: Volume, build: BuildSummary) -> list[str]:
    timed = filter(_is_timed, build.produced)
    seconds = {(finished.slot.level, finished.slot.index): finished.seconds_s for finished in timed}
    rows = [("no.", "level", "size", "paths", "solids", "grade", "score", "fingerprint", "seconds", "seed")]
    for number, record in enumerate(volume.puzzles, start=1):
        took = seconds.get((record.level, record.index))
        rows.append(
            (
                str(number),
                record.level,
                _size(record),
                str(len(record.puzzle.pairs)),
                str(len(record.puzzle.grid.solids)),
                _grade(record),
                "–" if record.score is None else str(record.score),
                record.fingerprint,
                "–" if took is None else f"{took:.3f}",
                record.seed,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    table = [
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]
    return ["Puzzles", "-------", *table]


def _judgement(record: PuzzleRecord) -> str:
    return _grade(record) if record.stars is None else f"{_grade(record)}, {counted(record.stars, 'star')}"


def _grade(record: PuzzleRecord) -> str:
    return record.grade.label if record.grade else "–"


def _size(record: PuzzleRecord) -> str:
    return f"{record.puzzle.grid.cols}x{record.puzzle.grid.rows}"


def _range(values: Iterator[int]) -> str:
    numbers = sorted(values)
    return f"{numbers[0]} to {numbers[-1]}, mean {sum(numbers) / len(numbers):.1f}"


def _grades(puzzles: Sequence[PuzzleRecord]) -> str:
    counts = Counter(record.grade for record in puzzles)
    named = [f"{grade.label} {counts[grade]}" for grade in Grade if counts[grade]]
    return ", ".join(named + [f"ungraded {counts[None]}"] * bool(counts[None]))


def _stars(puzzles: Sequence[PuzzleRecord]) -> str:
    counts = Counter(record.stars for record in puzzles)
    named = [f"{stars} {counts[stars]}" for stars in range(1, MOST_STARS + 1) if counts[stars]]
    return ", ".join(named + [f"unknown {counts[None]}"] * bool(counts[None]))


def _counted(words: Iterator[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(Counter(words).items()))
