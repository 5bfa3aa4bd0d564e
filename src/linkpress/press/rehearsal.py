"""A rehearsal finds, before a book's first puzzle is made, all that could stand in the way of printing it.

Boards of mere stripes stand for the puzzles, each of the size, solids and pairs that its recipe allows at
the most. With them the book is laid out, its cover composed, and pages of every kind are drawn and judged
as its printer would. All faults are listed at once, in whatever file they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from linkpress.book.design_keys import CoverDesign
from linkpress.book.key_values import MAX_PUZZLES
from linkpress.book.printing_keys import Embed
from linkpress.book.spec import BookSpec, edition_documents
from linkpress.book.volume import COVER_FILE, INTERIOR_FILE, Volume
from linkpress.documents.models import Document
from linkpress.documents.problem import Problem, YamlSource, key_path, problem_lines
from linkpress.documents.shipped_files import THEMES, resolve_name
from linkpress.documents.values import Size
from linkpress.documents.yaml_source import read_yaml
from linkpress.errors import LayoutError, LinkpressError, SpecError, UsageError
from linkpress.layout.frame import FontKey, Page
from linkpress.layout.measure import InkBox, Measure, text_problem
from linkpress.layout.pages import Book, page_problems, try_layout
from linkpress.layout.setting import Edition, OwnPicture, Pictures
from linkpress.layout.theme import NumberStyle, Theme, load_theme, theme_of, theme_problems
from linkpress.preflight.findings import Finding
from linkpress.press.book_looks import (
    LoadedLooks,
    blank_picture,
    cover_picture,
    design_of,
    faces_of,
    least_pixels,
    load_profile,
    measure_of,
    named_pictures,
    title_inks,
)
from linkpress.press.cover.composed_cover import check_photo, compose_cover, cover_faults
from linkpress.press.cover.cover_geometry import measure_cover
from linkpress.press.cover.cover_order import CoverOrder, order_cover
from linkpress.press.stand_in_volume import stand_in_volume
from linkpress.press.typesetting import BUILD_DIGITS, PrintFile, Printing, lay_out_screen
from linkpress.printers.profile import PrinterProfile
from linkpress.render.fonts import SHIPPED, Faces, FontMeasure, own_font
from linkpress.version import __version__
from linkpress.words.language import Words

Looks = TypeVar("Looks")
_BUILD = "0" * BUILD_DIGITS
_ALIKE = ("puzzles", "solutions", "notes", "blank")  # kinds of pages of which a few stand for all
_SHOWN = 2  # of each of these kinds and sections
_NARROW = 0.2  # of its size
_AMPLE = Size(1e6, 1e5)  # flat, and with pixels enough for any place
_ANY_PICTURE = OwnPicture("", b"", _AMPLE, _AMPLE)
_PAGES = 20  # of a book that could not be laid out, for the width of its cover's spine


class Rehearsal(NamedTuple):
    """A rehearsed book can be printed; it is laid out with stand-in boards and blank pictures."""

    spec: BookSpec
    book: Book
    profile: PrinterProfile
    looks: LoadedLooks
    pictures: tuple[OwnPicture, ...] = ()
    editions: Mapping[str, Rehearsal] = MappingProxyType({})

    @property
    def edition_specs(self) -> dict[str, BookSpec]:
        """Return the specs of the other editions, by name."""
        return {name: edition.spec for name, edition in self.editions.items()}


class Rehearsed(NamedTuple):
    """A rehearsal finds problems of the spec and its bases, in no order, and lines on other files."""

    rehearsal: Rehearsal | None
    problems: Sequence[Problem]
    elsewhere: Sequence[str]


def find_problems(document: Document[BookSpec], folder: Path) -> Rehearsed:
    """Find all that stands in the way of printing a book, as ``rehearse`` does, and return it as data."""
    found = _Rehearsing(document, folder).found()
    if found.rehearsal is None:
        return found
    editions, lines = {}, []
    for name, edition in edition_documents(found.rehearsal.spec, folder).items():
        rehearsal, problems, elsewhere = _Rehearsing(edition, folder).found()
        lines += [f"{line} (edition {name})" for line in [*problem_lines(problems), *elsewhere]]
        if rehearsal is not None:
            editions[name] = rehearsal
    if lines:
        return Rehearsed(None, (), lines)
    return found._replace(rehearsal=found.rehearsal._replace(editions=editions))


def rehearse(document: Document[BookSpec], folder: Path) -> Rehearsal:
    """Raise ``SpecError`` with every fault of a book that can't be printed, each at its place."""
    rehearsal, problems, elsewhere = find_problems(document, folder)
    if rehearsal is None:
        raise SpecError("\n".join([*problem_lines(problems), *elsewhere]))
    return rehearsal


class _AnyFont:
    """This font has every letter, all narrower than a book's: what does not fit in it will not fit."""

    def __init__(self, language: str) -> None:
        self.language = language

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        return _NARROW * size_pt * len(text)

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        return InkBox(0.0, 0.0, self.width(text, font, size_pt), _NARROW * size_pt)

    def missing(self, text: str, font: FontKey) -> str:
        return ""


class _Rehearsing:
    """A rehearsal judges one thing after the other and gathers what is wrong.

    For a theme, font or picture that can't be used a stand-in is judged, of which nothing is said that may
    prove wrong once the right one is there. What hangs on anything else that can't be read is left out.
    """

    def __init__(self, document: Document[BookSpec], folder: Path) -> None:
        self._document = document
        self._source = document.model.source if document.model else YamlSource("", {}, {}, {})
        self._folder = folder
        self._problems: list[Problem] = list(document.problems)
        self._elsewhere: list[str] = []  # lines on other files
        self._unjudged: set[str] = set()  # keys of which no more is said

    def found(self) -> Rehearsed:
        spec = self._document.model
        if spec is not None and any(problem.key[:1] == ("words",) for problem in self._document.problems):
            spec = spec.model_copy(update={"words": None})  # judged in the language's own
        rehearsed = None if spec is None else self._judge(spec)
        if self._problems or self._elsewhere:
            rehearsed = None
        return Rehearsed(rehearsed, self._problems, list(dict.fromkeys(self._elsewhere)))

    @contextmanager
    def _gathering(self) -> Iterator[None]:
        try:
            yield
        except SpecError as fault:
            self._elsewhere += str(fault).splitlines()
        except (UsageError, LayoutError) as fault:
            self._add(fault)

    def _add(self, *faults: LinkpressError) -> None:
        faulty = {problem.key for problem in self._document.problems}
        for fault in faults:
            if not fault.key:
                self._elsewhere.append(str(fault))
            elif fault.key not in self._unjudged and key_path(fault.key) not in faulty:
                self._problems.append(self._source.problem_from_error(fault))

    def _judge(self, spec: BookSpec) -> Rehearsal | None:
        readable = self._document.readable
        profile = self._profile(spec) if readable("page.printer", "page.paper") else None
        theme = self._read(theme_of, spec) if readable("theme", "numbers") else None
        design = self._read(design_of, spec) if readable("cover") else None
        faces = self._faces(spec, theme, design) if readable("fonts", "title") else None
        image = self._cover_picture(spec, profile) if readable("page", "cover") else None
        pictures = self._pictures(spec, profile) if readable("page", "front", "back") else {}
        if profile is None or not readable():
            return None
        if theme is None:
            theme = load_theme("classic")
        else:
            self._judge_theme(spec, theme, profile)
            self._unjudged.add("theme")
        measure = self._measure(spec, faces)
        if not isinstance(measure, FontMeasure):
            design = None  # which goes by the height of letters
        printing = Printing(spec, profile, LoadedLooks(theme, faces or SHIPPED, design), __version__)
        try:
            _ = printing.about
        except UsageError as fault:
            self._add(fault)
            return None
        volume = self._stand_ins(spec)
        return None if volume is None else self._judge_print(volume, printing, measure, image, pictures)

    def _stand_ins(self, spec: BookSpec) -> Volume | None:
        """Make boards for a spec that may have faults, but not more than a book can have."""
        if spec.puzzle_count > MAX_PUZZLES:
            return None
        try:
            return stand_in_volume(spec)
        except SpecError:
            if not self._problems:
                raise
            return None  # the boards of a level's file could not be read

    def _profile(self, spec: BookSpec) -> PrinterProfile | None:
        with self._gathering():
            profile = load_profile(spec, self._folder)
            if self._document.readable("page.trim"):
                self._add(*page_problems(profile, spec.page, None))
            profile.paper(spec.page.paper, "page.paper")
            return profile
        return None

    def _read(self, read: Callable[[BookSpec, Path], Looks | None], spec: BookSpec) -> Looks | None:
        with self._gathering():
            return read(spec, self._folder)
        return None

    def _faces(self, spec: BookSpec, theme: Theme | None, design: CoverDesign | None) -> Faces | None:
        before = len(self._problems)
        if spec.fonts is not None:
            for name, file in spec.fonts.files.items():
                with self._gathering():
                    own_font(self._folder / file, f"fonts.{name}", spec.fonts.embed is Embed.FULL)
        if len(self._problems) > before:
            return None
        return faces_of(spec, self._folder, theme, design)

    def _measure(self, spec: BookSpec, faces: Faces | None) -> Measure:
        """Return a measure in the book's fonts, or in a stand-in if they can't be used or lack letters."""
        if faces is not None:
            measure = measure_of(spec, faces)
            self._judge_glyphs(spec, measure)
            if self._can_set(spec.wording(), measure):
                return measure
        self._unjudged.add("page")  # how many pages there are may be another matter in other fonts
        return _AnyFont(spec.wording().language)

    def _cover_picture(self, spec: BookSpec, profile: PrinterProfile | None) -> OwnPicture | None:
        with self._gathering():
            image = cover_picture(spec, self._folder, profile, blank_picture)
            if image is not None and profile is not None:
                geometry = measure_cover(profile, spec.page.trim.size, 0, spec.page.paper, 10.0)
                check_photo(spec.cover.picture_key if spec.cover else "cover", image, geometry, profile)
            return image
        return _ANY_PICTURE

    def _pictures(self, spec: BookSpec, profile: PrinterProfile | None) -> Pictures:
        pictures, least = {}, least_pixels(spec, profile)
        for name, key in named_pictures(spec).items():
            pictures[name] = _ANY_PICTURE
            with self._gathering():
                pictures[name] = blank_picture(key, name, self._folder, least)
        return pictures

    def _judge_theme(self, spec: BookSpec, theme: Theme, profile: PrinterProfile) -> None:
        """Add a problem, in the theme's file or the spec, for what the printer can't print of a theme."""
        name = spec.theme if isinstance(spec.theme, str) else spec.theme.base
        theme_files = (
            [] if name in THEMES.names() else [read_yaml(THEMES.find(resolve_name(name, self._folder)))]
        )
        for fault, keys in theme_problems(theme, profile, spec.page.paper).items():
            paths = [key_path(key) for key in keys]
            places = [(spec.source, ("theme", *path)) for path in paths]
            places += [(source, path) for source in (spec.source, *theme_files) for path in paths]
            if "numbers.palette" in keys and spec.numbers and spec.numbers.style is NumberStyle.DOTS:
                self._problems.append(
                    spec.source.problem(("numbers", "style"), "dots", f"colours, that is: {fault}")
                )
                continue
            source, path = next(
                ((source, path) for source, path in places if path in source.places),
                (spec.source, ("theme",)),
            )
            message = (
                f"the theme {theme.name} can't be printed by {profile.name}: {', '.join(keys)} — {fault}"
            )
            self._problems.append(source.problem(path, "", message))

    def _judge_print(
        self,
        volume: Volume,
        printing: Printing,
        measure: Measure,
        image: OwnPicture | None,
        pictures: Pictures,
    ) -> Rehearsal | None:
        spec, profile, looks = printing.spec, printing.profile, printing.looks
        inks = title_inks(spec, looks, profile)
        edition = Edition(
            spec, volume.numbered, volume.linkpress_version, _BUILD, pictures=pictures, title_inks=inks
        )
        book, problems = try_layout(edition, profile, looks.theme, measure)
        self._add(*problems)
        order = order_cover(volume, book.page_count if book else _PAGES, looks, image)
        if spec.cover is not None:
            order = _with_largest(order, volume)
            self._add(*cover_faults(order, profile, measure))
        if spec.screen is not None:
            with self._gathering():
                lay_out_screen(volume, looks, measure, image, _BUILD, pictures)
        if book is None or self._problems or self._elsewhere:
            return None
        pages = _sample(book)
        self._judge_file(INTERIOR_FILE, printing, printing.interior(book, pages), pages)
        if spec.cover is not None:
            self._judge_file(COVER_FILE, printing, printing.cover(compose_cover(order, profile, measure)))
        return Rehearsal(spec, book, profile, looks, (*pictures.values(), *([image] if image else ())))

    def _judge_glyphs(self, spec: BookSpec, measure: FontMeasure) -> None:
        """Find characters of the spec's short texts that the fonts lack."""
        texts = {"fonts": "0123456789", "title": spec.title, "subtitle": spec.subtitle}
        texts |= {"author": spec.author, "publisher": spec.publisher}
        texts |= {
            f"levels[{place}].{'title' if level.title else 'name'}": level.heading
            for place, level in enumerate(spec.levels)
        }
        for where, text in texts.items():
            if problem := text_problem(text or "", measure):
                self._add(LayoutError(problem, where))
                self._unjudged |= {where, "running head"}  # which shows the same text

    def _can_set(self, words: Words, measure: FontMeasure) -> bool:
        """Tell whether the fonts have the printed words; add one fault for all that they lack."""
        tried = ((key, text_problem(text, measure)) for key, text in words.texts)
        problems = {key: problem for key, problem in tried if problem}
        if problems:
            key, first = next(iter(problems.items()))
            more = f" So it is with {len(problems) - 1} more of its phrases." if len(problems) > 1 else ""
            self._add(LayoutError(f"{words.language}, {key}: {first}{more}", "language"))
        return not problems

    def _judge_file(self, name: str, printing: Printing, file: PrintFile, pages: Sequence[Page] = ()) -> None:
        found: dict[tuple[str, str], Finding] = {}
        for finding in printing.judge(name, file).findings:
            found.setdefault((finding.check, finding.found), finding)  # on whichever page comes first
        for finding in found.values():
            page = f", page {pages[finding.page - 1].number}" if pages and finding.page else ""
            text = f"{finding.found}; allowed: {finding.allowed} ({finding.source})"
            who = printing.profile.name
            self._add(LayoutError(f"{who} would refuse {name}{page}: {text}", "page.printer"))


def _with_largest(order: CoverOrder, volume: Volume) -> CoverOrder:
    """Give a cover that shows a puzzle of its book the largest board that may get its number."""
    if order.keys.puzzle is None or not order.pictures:
        return order
    level = volume.puzzles[order.keys.puzzle - 1].level  # the printed order keeps the levels together
    answers = (record.solution for record in volume.level(level))
    return replace(order, pictures=(max(answers, key=lambda answer: answer.puzzle.grid.size),))


def _sample(book: Book) -> list[Page]:
    """Return whole leaves, so that rectos stay rectos; a few pages stand for all that are alike."""
    shown: Counter[tuple[str, str]] = Counter()
    leaves = set()
    for page in book.pages:
        kind = page.kind, page.section
        shown[kind] += 1
        if page.kind not in _ALIKE or shown[kind] <= _SHOWN:
            leaves.add((page.number - 1) // 2)
    return [page for page in book.pages if (page.number - 1) // 2 in leaves]
