"""An open book has its problems, its puzzles as far as they are made, and its pages as drawings.

The first spread comes within a second of the command: whatever it does not need is imported where it is used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from linkpress.app.editions import book_folder
from linkpress.book.grade_odds import odds_table
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec, read_spec
from linkpress.book.volume import Volume, volume_of
from linkpress.errors import LinkpressError, PuzzleError, UsageError
from linkpress.files import is_locked
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import FontKey, Frame
from linkpress.layout.pages import PagePlan, plan_pages
from linkpress.layout.theme import words_for
from linkpress.press.assets import BookAssets, load_assets
from linkpress.press.dry_run import stand_ins
from linkpress.press.print_files import edition_of
from linkpress.production.book_puzzles import JOURNAL_FILE, arrange_book, built_puzzles
from linkpress.production.forecast import level_outlooks
from linkpress.production.journal import saved_records
from linkpress.production.slot_search import FinishedSlot, read_journal_line
from linkpress.puzzle.puzzle import Puzzle
from linkpress.render.fonts import OwnFont, family_of
from linkpress.render.svg import draw_svg
from linkpress.studio.facts import level_facts, search_of
from linkpress.studio.shelf import pictures_beside
from linkpress.studio.spec_file import SpecFile, problem_facts
from linkpress.version import __version__

_CELL_PT = 24.0


@dataclass(frozen=True)
class BookView:
    """A view shows a book as it looks now; its pages are composed when they are looked at.

    Args:
        volume: its puzzles; stand-ins have the places of those that are not made yet.
        waiting: numbers of the puzzles that are not made yet.
        assets: what the book is printed with.
        plan: which page everything is on.
    """

    volume: Volume
    waiting: frozenset[int]
    assets: BookAssets
    plan: PagePlan

    @property
    def spec(self) -> BookSpec:
        """Return the spec that it was made from."""
        return self.volume.spec

    def facts(self) -> dict[str, Any]:
        """Return what the page must know before it asks for a drawing: lengths in points, places by page."""
        trim, margins, bleed = (
            self.plan.setting.trim,
            self.plan.setting.margins,
            self.assets.profile.bleed_of(True),
        )
        return {
            "count": self.plan.page_count,
            "width": trim.width_pt,
            "height": trim.height_pt,
            "bleed": [bleed.left_pt, bleed.right_pt, bleed.top_pt, bleed.bottom_pt]
            if self.spec.page.bleed
            else [0.0, 0.0, 0.0, 0.0],
            "margins": [margins.inside_pt, margins.outside_pt, margins.top_pt, margins.bottom_pt],
            "places": dict(self.plan.index),
            "levels": [level.name for level in self.spec.levels],
            "waiting": sorted(self.waiting),
            "fonts": [
                {"family": family_of(font), "weight": weight, "digest": font.digest}
                for weight, font in self.own_fonts()
            ],
            "offers": {
                "paper": [paper.name for paper in self.assets.profile.papers],
                "ink": [ink.hex for ink in self.assets.theme.numbers.palette],
            },
            "pictures": pictures_beside(self.assets.folder),
            "cover": self.spec.cover is not None,
            "screen": len(self.screen_pages) if self.spec.screen is not None else 0,
        }

    def page_svg(self, number: int) -> str:
        """Draw a page of the interior; raise ``UsageError`` or ``LayoutError`` if it can't be."""
        if not 1 <= number <= self.plan.page_count:
            raise UsageError(f"the book has {self.plan.page_count} pages")
        return self._svg(self.plan.page(number).frame)

    def screen_svg(self, number: int) -> str:
        """Draw a page of the edition for tablets, as ``page_svg`` does."""
        if not 1 <= number <= len(self.screen_pages):
            raise UsageError(f"the tablet edition has {len(self.screen_pages)} pages")
        return self._svg(self.screen_pages[number - 1])

    def cover_svg(self) -> str:
        """Draw the cover as it lies flat; raise as a build does if it can't be composed."""
        from linkpress.press.cover.composed_cover import compose_cover
        from linkpress.press.cover.cover_content import cover_content

        pages, image = self.plan.page_count, self.assets.cover_picture
        return self._svg(compose_cover(cover_content(self.volume, self.assets, pages, image)).frame)

    @cached_property
    def screen_pages(self) -> tuple[Frame, ...]:
        """Return the pages of the edition for tablets."""
        from linkpress.press.print_files import lay_out_screen

        assets = self.assets
        book = lay_out_screen(self.volume, assets, "", assets.pictures, assets.cover_picture)
        return tuple(page.frame for page in book.pages)

    def puzzle(self, number: int) -> PuzzleRecord:
        """Return a puzzle by its printed number; raise ``UsageError`` if there is none, or none made yet."""
        if not 1 <= number <= len(self.volume.puzzles):
            raise UsageError(f"the book has {len(self.volume.puzzles)} puzzles")
        if number in self.waiting:
            raise UsageError(f"puzzle {number} is not made yet")
        return self.volume.puzzles[number - 1]

    def own_fonts(self) -> list[tuple[str, OwnFont]]:
        """Return the fonts of the book's own, each with the weight that it stands for."""
        weights = {FontKey.REGULAR: "400", FontKey.SEMIBOLD: "600", FontKey.ITALIC: "400"}
        files = self.assets.faces.files
        return [
            (weights[key], font)
            for key in weights
            for font in files.get(key, ())
            if isinstance(font, OwnFont)
        ]

    def play_html(self, number: int) -> str:
        """Write a page on which a puzzle is played, with hints and its answer; raise as ``puzzle`` does."""
        from linkpress.play.hint_data import steps_of
        from linkpress.play.page import PlayedPuzzle, PlayPage, page_html

        record = self.puzzle(number)
        hints = tuple(steps_of(record.puzzle, record.rule, record.grade))
        played = PlayedPuzzle(number, record, self.spec.headings[record.level], with_answer=True, hints=hints)
        words = words_for(self.spec, self.assets.theme, [record.puzzle])
        title, theme = self.spec.title, self.assets.theme
        return page_html(PlayPage(f"{self.spec.book_id}-studio", title, words, theme, [played]))

    def board_svg(self, record: PuzzleRecord, *, answer: bool) -> str:
        """Draw a puzzle's board as the book has it."""
        solution = record.solution if answer else None
        return self._svg(
            board_frame(record.puzzle, solution, _CELL_PT, self.assets.theme, self.assets.measure)
        )

    def steps_svg(self, record: PuzzleRecord) -> str:
        """Draw a puzzle's solve, step by step, in the book's language."""
        from linkpress.app.puzzles import grade_puzzles, pictures_svg

        graded = next(iter(grade_puzzles([record.puzzle], with_steps=True)))
        return pictures_svg([(record.puzzle, graded[2])], self.spec.wording(), self.assets.faces)

    def _svg(self, frame: Frame) -> str:
        return draw_svg(frame, faces=self.assets.faces, language=self.assets.measure.language)


class OpenBook:
    """A book is open in the studio.

    Attributes:
        unmet: why no puzzle was found, by the searches that failed.
    Raises:
        OutputError: the file can't be read.
    """

    def __init__(self, path: Path, out: Path) -> None:
        self.file = SpecFile(path, BookSpec, read_spec)
        self.unmet: dict[str, str] = {}
        self._out = out
        self._lines: dict[str, dict[str, Any]] = {}  # of a journal, by the keys of slots
        self._made: dict[str, FinishedSlot] = {}  # read from them or from the built book, likewise
        self._taken = 0  # puzzles, of which one may have come in the place of another
        self._arranged: tuple[object, tuple[PuzzleRecord, ...], frozenset[int]] | None = None
        self._view: BookView | None = None
        self._view_of: tuple[str, int] | None = None
        self._is_loaded = False

    @property
    def spec(self) -> BookSpec | None:
        """Return what the text says now; None while it has faults."""
        return self.file.spec

    @property
    def folder(self) -> Path | None:
        """Return the folder that it is built in; None while the text has faults."""
        return None if self.spec is None else book_folder(self._out, self.spec, self.file.path.parent)

    def take_from_others(self) -> tuple[int, bool]:
        """Take over what another program made of the book: how many, and whether it goes on."""
        known, folder = self._taken, self.folder
        if folder is None:
            return 0, False
        for line in saved_records(folder / JOURNAL_FILE):
            self.take(dict(line))
        working = is_locked(folder)
        if not working:
            self._load_built()
        return self._taken - known, working

    def take(self, line: dict[str, Any]) -> None:
        """Take over a puzzle that was made, as a journal has it."""
        key = str(line["key"])
        if self._lines.get(key) != line:
            self._lines[key] = line
            self._made.pop(key, None)
            self._taken += 1

    def look_again(self) -> None:
        """Draw the book anew when it is asked for next, since a picture's file has changed."""
        self._view_of = None

    def judge(self) -> Callable[[], dict[str, Any]]:
        """Return a function that judges the text as it is now, while later changes go on."""
        document, spec, folder = self.file.document, self.spec, self.file.path.parent
        unmet = dict(self.unmet)

        def judged() -> dict[str, Any]:
            from linkpress.press.dry_run import dry_run

            checked, table = dry_run(document, folder), odds_table()
            problems = problem_facts(checked.problems)
            problems += [{"key": [], "message": line, "line": 0, "column": 0} for line in checked.elsewhere]
            outlook = []
            for index, level in enumerate(level_outlooks(plan_slots(spec), table) if spec else ()):
                outlook.append(level_facts(level, table, unmet))
                if spec and (why := outlook[-1]["unmet"]):
                    problems += problem_facts([spec.source.problem(("levels", index), "", why)])
            return {"problems": problems, "outlook": outlook}

        return judged

    def slot_keys(self) -> tuple[str, ...]:
        """Return what the book's puzzles depend on; nothing while the text has faults."""
        if self.spec is None:
            return ()
        replaced = (f"{number}: {which}" for number, which in (self.spec.replace or {}).items())
        return (self.spec.book_id, *(search_of(slot) for slot in plan_slots(self.spec)), *replaced)

    def view(self) -> BookView:
        """Return the book as it looks, or as it did before it had faults; raise if it never did."""
        if not self._is_loaded:
            self._load_built()
        spec, state = self.spec, (self.file.text, self._taken)
        if spec is not None and state != self._view_of:
            with contextlib.suppress(LinkpressError) if self._view else contextlib.nullcontext():
                self._view, self._view_of = self._make_view(spec), state
        if self._view is None:
            raise UsageError("the book has faults, and no page can be shown before they are mended")
        return self._view

    def _make_view(self, spec: BookSpec) -> BookView:
        folder = self.file.path.parent
        volume, missing = self._volume(spec)
        assets = load_assets(spec, folder)
        plan = plan_pages(edition_of(volume, assets), assets.profile, assets.theme, assets.measure)
        return BookView(volume, missing, assets, plan)

    def _volume(self, spec: BookSpec) -> tuple[Volume, frozenset[int]]:
        """Return the book's puzzles, and the numbers of those that are not made yet."""
        order = plan_slots(spec), spec.replace, self._taken
        if self._arranged is None or self._arranged[0] != order:
            waiting: set[str] = set()
            puzzles = arrange_book(spec, lambda slots: self._fill(spec, slots, waiting))
            missing = frozenset(
                number for number, record in enumerate(puzzles.records, 1) if record.fingerprint in waiting
            )
            self._arranged = order, puzzles.records, missing
        _, records, missing = self._arranged
        return volume_of(spec, records, __version__), missing

    def _fill(self, spec: BookSpec, slots: Sequence[Slot], waiting: set[str]) -> list[FinishedSlot]:
        """Return the puzzles of slots as far as they are made, and stand-ins for the rest."""
        found = {finished.slot.number: finished for finished in self._different(slots)}
        missing = [slot for slot in slots if slot.number not in found]
        for slot, record in zip(missing, stand_ins(missing, spec.wording().grades), strict=True):
            waiting.add(record.fingerprint)
            found[slot.number] = FinishedSlot(slot, record, 0, 0.0)
        return [found[slot.number] for slot in slots]

    def _different(self, slots: Sequence[Slot]) -> Iterator[FinishedSlot]:
        seen = set()
        for slot in slots:
            with contextlib.suppress(PuzzleError):
                finished = self._finished(slot)
                if finished and finished.record.fingerprint not in seen:
                    seen.add(finished.record.fingerprint)
                    yield finished

    def _finished(self, slot: Slot) -> FinishedSlot | None:
        key = slot.key
        known, line = self._made.get(key), self._lines.get(key)
        if known and known.slot != slot:
            known = None if line else replace(known, slot=slot)
        if not known and line:
            known = read_journal_line(slot, line)
        if known:
            self._made[key] = known
        return known

    def _load_built(self) -> None:
        """Take over the puzzles of the book that was built from an earlier text."""
        if self.folder is None:
            return
        self._is_loaded = True
        built = list(built_puzzles(self.folder))
        for finished in built:
            self._made.setdefault(finished.slot.key, finished)
        self._taken += bool(built)


def sample_svg(puzzle: Puzzle, assets: BookAssets) -> str:
    """Draw a board that is not in the book as the book would have it."""
    frame = board_frame(puzzle, None, _CELL_PT, assets.theme, assets.measure)
    return draw_svg(frame, faces=assets.faces)
