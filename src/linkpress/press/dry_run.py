"""Find everything that would prevent the printing of a book, before its first puzzle is made.

A dry run does all steps of a build, but uses stand-in boards instead of the puzzles. It plans all pages and
composes the cover. It draws some pages of each kind, and checks them as the printer would. So a book that
can't be printed is refused at once, and not after hours of making puzzles. The problems of all files are
listed together. With several jobs, `linkpress build` already makes puzzles during the dry run, and drops them
if there is a problem.

A stand-in board has the size of its recipe, and the largest numbers of solid squares and pairs that the
recipe allows. Its paths are stripes. If a book can be printed with stand-in boards, it can be printed with
its puzzles.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from linkpress.book.key_values import MAX_PUZZLES
from linkpress.book.level import FILE_KEY
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.printing_keys import ArtBoard, CoverDesign, Embed
from linkpress.book.puzzle_record import PuzzleRecord, stand_in
from linkpress.book.spec import BookSpec, edition_documents
from linkpress.book.volume import COVER_FILE, INTERIOR_FILE, Volume, assemble
from linkpress.documents.models import Document
from linkpress.documents.problem import Problem, YamlSource, key_path, problem_lines
from linkpress.documents.shipped_files import THEMES
from linkpress.documents.values import Size
from linkpress.documents.yaml_source import read_yaml
from linkpress.engine.recipe import Recipe
from linkpress.errors import LayoutError, LinkpressError, SpecError, UsageError
from linkpress.files import kept_result
from linkpress.layout.frame import FontKey, Page
from linkpress.layout.pages import Book, page_problems, try_layout
from linkpress.layout.setting import OwnPicture, Pictures
from linkpress.layout.text_flow import InkBox, Measure, text_problem
from linkpress.layout.theme import NumberStyle, Theme, load_theme, theme_of, theme_problems
from linkpress.press.assets import (
    BookAssets,
    load_book_faces,
    load_design,
    load_profile,
    min_pixels,
    picture_keys,
    read_picture,
)
from linkpress.press.book_layout import BUILD_DIGITS, about_book, edition_of, lay_out_screen
from linkpress.press.composed_cover import ComposedCover, check_photo, try_cover
from linkpress.press.cover_content import CoverContent, cover_content, measure_cover
from linkpress.printers import PrinterProfile
from linkpress.puzzle.puzzle import Grid, Pair, Puzzle, Solution
from linkpress.puzzle.puzzle import Path as BoardPath
from linkpress.render.fonts import SHIPPED, Faces, FontMeasure, own_font
from linkpress.render.pdf import About
from linkpress.render.photos import blank_photo, read_photo
from linkpress.version import __version__
from linkpress.words import Words

if TYPE_CHECKING:
    from linkpress.preflight.judged_file import Finding

Loaded = TypeVar("Loaded")
_BUILD = "0" * BUILD_DIGITS
# Width and height of the letters in the font that replaces unusable fonts, as a share of the type size.
_NARROW_EM = 0.2
# If a picture can't be read, the rest of the book is checked as if the picture had this size in pixels. It is
# enough for any place on a page.
_AMPLE = Size(1e6, 1e5)
_ANY_PICTURE = OwnPicture("", b"", _AMPLE, _AMPLE)
# Number of pages to assume for the width of the spine if the book can't be laid out.
_GUESSED_PAGES = 20
# If a puzzle recipe with the method `classic` leaves the numbers of pairs and solid squares open, its boards
# are assumed to have a pair for every 7 squares, and a solid square for every 9. Twelve real boards of 10 ×
# 10 to 25 × 25 had a pair for every 6.8 to 8.3 squares, and a solid square for every 9 to 18.
_SQUARES_PER_PAIR, _SQUARES_PER_SOLID = 7, 9


@dataclass(frozen=True)
class CheckedBook:
    """Book that was checked before its puzzles are made. Nothing was found that prevents printing.

    Args:
        assets: the profile, theme, fonts and pictures of the book.
        layout: the pages. Stand-in boards take the place of the puzzles, and pictures are blank.
        pictures: blank pictures in the sizes of the pictures on the pages and the cover.
        editions: the other editions that the spec asks for. The key is the name of an edition.
        cover_notes: advice on improving the cover.
    """

    assets: BookAssets
    layout: Book
    pictures: tuple[OwnPicture, ...] = ()
    editions: Mapping[str, CheckedBook] = field(default_factory=dict)
    cover_notes: tuple[str, ...] = ()

    @property
    def spec(self) -> BookSpec:
        return self.assets.spec

    @property
    def path(self) -> Path:
        return Path(self.spec.source.file)


class DryRun(NamedTuple):
    """Result of a dry run, the check of a book before its puzzles are made.

    Args:
        book: the checked book; None if there are any problems.
        problems: problems in the spec and in the specs that it is based on, in no particular order.
        elsewhere: a line for each problem in other files.
    """

    book: CheckedBook | None
    problems: Sequence[Problem]
    elsewhere: Sequence[str]

    def checked(self) -> CheckedBook:
        """Return the checked book. If there are problems, raise ``SpecError`` with all of them."""
        if self.book is None:
            raise SpecError("\n".join([*problem_lines(self.problems), *self.elsewhere]))
        return self.book


def dry_run(document: Document[BookSpec]) -> DryRun:
    """Check that a book and its other editions can be printed, before any puzzle is made.

    Args:
        document: the spec as it was read, with the problems found so far.
    """
    result = _Checker(document).run()
    if result.book is None:
        return result
    editions, lines = {}, []
    for name, edition in edition_documents(result.book.spec).items():
        book, problems, elsewhere = _Checker(edition).run()
        lines += [f"{line} (edition {name})" for line in [*problem_lines(problems), *elsewhere]]
        if book is not None:
            editions[name] = book
    if lines:
        return DryRun(None, (), lines)
    return result._replace(book=replace(result.book, editions=editions))


class _AnyFont:
    """Stand-in for fonts that can't be used. It has every letter, each narrower than in any real font.

    So text that doesn't fit in this font doesn't fit in any real font.
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        return _NARROW_EM * size_pt * len(text)

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        return InkBox(0.0, 0.0, self.width(text, font, size_pt), _NARROW_EM * size_pt)

    def missing(self, text: str, font: FontKey) -> str:
        return ""


class _Checker:
    """Check of one edition of a book, which collects all problems.

    A theme, font or picture that can't be used is replaced by a stand-in, so that everything else is still
    checked. Checks are skipped if they depend on the replaced file, or on keys that can't be read.
    """

    def __init__(self, document: Document[BookSpec]) -> None:
        self._document = document
        self._source = document.model.source if document.model else YamlSource("", {}, {}, {})
        self._problems: list[Problem] = list(document.problems)
        self._elsewhere: list[str] = []
        self._ignored_keys: set[str] = set()

    def run(self) -> DryRun:
        spec = self._document.model
        if spec is not None and any(problem.key[:1] == ("words",) for problem in self._document.problems):
            # The value of the spec's key ``words`` has a problem. Remove this key, so that all other keys can
            # still be checked.
            spec = spec.model_copy(update={"words": None})
        book = None if spec is None else self._check(spec)
        if self._problems or self._elsewhere:
            book = None
        return DryRun(book, self._problems, list(dict.fromkeys(self._elsewhere)))

    @contextmanager
    def _collecting(self) -> Iterator[None]:
        try:
            yield
        except SpecError as error:
            self._elsewhere += str(error).splitlines()
        except (UsageError, LayoutError) as error:
            self._add(error)

    def _add(self, *errors: LinkpressError) -> None:
        reported = {problem.key for problem in self._document.problems}
        for error in errors:
            if not error.key:
                self._elsewhere.append(str(error))
            elif error.key not in self._ignored_keys and key_path(error.key) not in reported:
                self._problems.append(self._source.problem_from_error(error))

    def _check(self, spec: BookSpec) -> CheckedBook | None:
        readable = self._document.readable
        profile = self._check_profile(spec) if readable("page.printer", "page.paper") else None
        theme = self._load(theme_of, spec) if readable("theme", "numbers", "levels") else None
        design = self._load(load_design, spec) if readable("cover") else None
        faces = self._check_fonts(spec, theme, design) if readable("fonts", "title") else None
        cover_pictures = (
            self._check_cover_pictures(spec, profile, design) if readable("page", "cover") else {}
        )
        pictures = self._check_pictures(spec, profile) if readable("page", "front", "back") else {}
        if profile is None or not readable():
            return None
        if theme is None:
            theme = load_theme("classic")
        else:
            self._check_theme(spec, theme, profile)
            # The errors about the theme are reported now. Ignore the same errors when the
            # layout finds them again.
            self._ignored_keys.add("theme")
            self._check_colours(spec, theme)
        measure = self._check_letters(spec, faces)
        if not isinstance(measure, FontMeasure):
            # The book's fonts can't be used, so a stand-in font is measured, and the height of the real
            # letters is unknown. A cover design can't be laid out without this height.
            design = None
        assets = BookAssets(spec, profile, theme, design, faces or SHIPPED, measure)
        try:
            about = about_book(assets, __version__)
        except UsageError as error:
            self._add(error)
            return None
        volume = self._stand_in_volume(spec)
        if volume is None:
            return None
        return self._check_print(volume, assets, about, pictures, cover_pictures)

    def _stand_in_volume(self, spec: BookSpec) -> Volume | None:
        if spec.puzzle_count > MAX_PUZZLES:
            return None
        try:
            return stand_in_volume(spec)
        except SpecError:
            if not self._problems:
                raise
            return None  # This level's board file can't be read. The error has been reported already.

    def _check_profile(self, spec: BookSpec) -> PrinterProfile | None:
        with self._collecting():
            profile = load_profile(spec)
            if self._document.readable("page.trim"):
                self._add(*page_problems(profile, spec.page, None))
            profile.paper(spec.page.paper, "page.paper")
            return profile
        return None

    def _load(self, load: Callable[[BookSpec], Loaded | None], spec: BookSpec) -> Loaded | None:
        with self._collecting():
            return load(spec)
        return None

    def _check_fonts(self, spec: BookSpec, theme: Theme | None, design: CoverDesign | None) -> Faces | None:
        before = len(self._problems)
        if spec.fonts is not None:
            for name, file in spec.fonts.files.items():
                with self._collecting():
                    own_font(spec.folder / file, f"fonts.{name}", spec.fonts.embed is Embed.FULL)
        if len(self._problems) > before:
            return None
        return load_book_faces(spec, theme, design)

    def _check_letters(self, spec: BookSpec, faces: Faces | None) -> Measure:
        """Report letters of the book's texts that its fonts lack, and return an object that measures text.

        Usually, the object measures text in the book's fonts. It measures text in a stand-in font instead if
        there are no usable fonts, or if they lack a letter of the phrases that linkpress itself prints.
        """
        words = spec.wording()
        if faces is not None:
            measure = FontMeasure(faces, words.language)
            self._check_short_texts(spec, measure)
            if self._check_words(words, measure):
                return measure
        # The fonts lack characters, so the user will have to choose other fonts. With other fonts, the book
        # may have another number of pages. So don't report problems with the number of pages now.
        self._ignored_keys.add("page")
        return _AnyFont(words.language)

    def _check_cover_pictures(
        self, spec: BookSpec, profile: PrinterProfile | None, design: CoverDesign | None
    ) -> Pictures:
        pictures, pixels = {}, min_pixels(spec, profile)
        for key, name in (spec.cover.pictures if spec.cover else {}).items():
            pictures[key] = _ANY_PICTURE
            with self._collecting():
                # Read the real picture for the front cover, because the colours of spine and back are taken
                # from it. For all other pictures, a white stand-in of the same size is enough.
                read = read_photo if spec.cover and key == spec.cover.picture_key else blank_photo
                picture = read_picture(spec, key, name, pixels, read)
                # Some designs print the picture in a part of the front cover. Its size is only known when the
                # cover is laid out, so the resolution of the picture is not checked here.
                has_place = design is not None and design.art.board is ArtBoard.PICTURE
                if profile is not None and not (has_place and spec.cover and key == spec.cover.picture_key):
                    geometry = measure_cover(profile, spec.page.trim.size, 0, spec.page.paper, 10.0)
                    check_photo(key, picture, geometry, profile)
                pictures[key] = picture
        return pictures

    def _check_pictures(self, spec: BookSpec, profile: PrinterProfile | None) -> Pictures:
        pictures, pixels = {}, min_pixels(spec, profile)
        for name, key in picture_keys(spec).items():
            pictures[name] = _ANY_PICTURE
            with self._collecting():
                pictures[name] = read_picture(spec, key, name, pixels, blank_photo)
        return pictures

    def _check_theme(self, spec: BookSpec, theme: Theme, profile: PrinterProfile) -> None:
        """Report each key of a theme whose value, such as a very light tint, the printer can't print.

        The report names the line of the spec or the theme file that sets the key.
        """
        name = spec.theme if isinstance(spec.theme, str) else spec.theme.base
        theme_files = [] if name in THEMES.names() else [read_yaml(THEMES.find(spec.resolve(name)))]
        for problem, keys in theme_problems(theme, profile, spec.page.paper).items():
            paths = [key_path(key) for key in keys]
            places = [(spec.source, ("theme", *path)) for path in paths]
            places += [(source, path) for source in (spec.source, *theme_files) for path in paths]
            if "numbers.palette" in keys and spec.numbers and spec.numbers.style is NumberStyle.DOTS:
                self._problems.append(
                    spec.source.problem(("numbers", "style"), "dots", f"colours, that is: {problem}")
                )
                continue
            source, path = next(
                ((source, path) for source, path in places if path in source.places),
                (spec.source, ("theme",)),
            )
            message = (
                f"the theme {theme.name} can't be used with {profile.name}: {', '.join(keys)} — {problem}"
            )
            self._problems.append(source.problem(path, "", message))

    def _check_colours(self, spec: BookSpec, theme: Theme) -> None:
        """Report levels whose boards may have more pairs than the palette has colours.

        This concerns boards that show dots without numbers. Boards with a picture are left out, because their
        dots have numbers.
        """
        numbers, most = theme.numbers, len(theme.numbers.palette)
        if not numbers.is_dots or numbers.show_numbers or spec.puzzle_count > MAX_PUZZLES:
            return
        many: dict[str, list[Recipe]] = {}
        # This level's board file can't be read. The error has been reported already.
        with suppress(SpecError):
            for slot in plan_slots(spec):
                recipe = slot.recipe
                if recipe.picture is None and (recipe.pairs is None or recipe.pairs.high > most):
                    many.setdefault(slot.level, []).append(recipe)
        for index, level in enumerate(spec.levels):
            if level.name in many:
                self._problems.append(_too_few_colours(spec, index, many[level.name], most))

    def _check_print(
        self, volume: Volume, assets: BookAssets, about: About, pictures: Pictures, cover_pictures: Pictures
    ) -> CheckedBook | None:
        """Lay out the book and its cover, draw some of the pages, and check them as the printer would."""
        spec = volume.spec
        edition = edition_of(volume, assets, _BUILD, pictures)
        book, problems = try_layout(edition, assets.profile, assets.theme, assets.measure)
        self._add(*problems)
        cover = None
        if spec.cover is not None:
            pages = book.page_count if book else _GUESSED_PAGES
            content = _with_largest_board(cover_content(volume, assets, pages, cover_pictures), volume)
            cover, errors = try_cover(content)
            self._add(*errors)
        if spec.screen is not None:
            with self._collecting():
                lay_out_screen(volume, assets, _BUILD, pictures, cover_pictures)
        if spec.images is not None:
            # Imported late, because few books have images.
            from linkpress.images.image_export import check_book_images

            with self._collecting():
                check_book_images(volume)
        if book is None or self._problems or self._elsewhere:
            return None
        self._judge(book, cover, assets, about)
        blank = (*pictures.values(), *cover_pictures.values())
        return CheckedBook(assets, book, blank, cover_notes=cover.notes if cover else ())

    def _judge(self, book: Book, cover: ComposedCover | None, assets: BookAssets, about: About) -> None:
        """Draw some of the pages and the cover, and report each problem for which a printer would refuse it.

        If equal pages were checked earlier and had no problem, nothing is drawn.
        """
        sample, spec = _sample(book), book.edition.spec
        drawn = sample, cover, book.trim, book.bleeds, book.coloured, assets.faces, about
        # The result of this check is cached under a hash of all data that it depends on. The Pydantic models
        # are hashed as text, because pickling two equal models may give different bytes.
        rules = repr((spec.page, spec.standard, assets.profile))
        key = hashlib.sha256(pickle.dumps((drawn, rules))).hexdigest()

        def is_printable() -> bool | None:
            from linkpress.press.print_files import draw_interior, draw_print_cover, judge

            files = {INTERIOR_FILE: draw_interior(book, assets, about, sample)}
            if cover is not None:
                files[COVER_FILE] = draw_print_cover(cover, assets, about)
            before = len(self._problems)
            for name, report in judge(files, assets.profile).items():
                pages = sample if name == INTERIOR_FILE else []
                self._add_findings(report.findings, name, assets.profile, pages)
            return True if len(self._problems) == before else None

        kept_result("printable", key, is_printable)

    def _check_short_texts(self, spec: BookSpec, measure: FontMeasure) -> None:
        """Report characters of the title and other short texts of the spec that the fonts lack."""
        texts = {"fonts": "0123456789", "title": spec.title, "subtitle": spec.subtitle}
        texts |= {"author": spec.author, "publisher": spec.publisher}
        texts |= {
            f"levels[{index}].{'title' if level.title else 'name'}": spec.headings[level.name]
            for index, level in enumerate(spec.levels)
        }
        for key, text in texts.items():
            if problem := text_problem(text or "", measure):
                self._add(LayoutError(problem, key))
                # A running head has the same text, so the layout will find the same missing character again.
                # Ignore these later errors, so that the problem is reported only once.
                self._ignored_keys |= {key, "running head"}

    def _check_words(self, words: Words, measure: FontMeasure) -> bool:
        """Return whether the fonts have all letters of the printed words.

        Report the first missing letter.
        """
        tried = ((key, text_problem(text, measure)) for key, text in words.texts)
        problems = {key: problem for key, problem in tried if problem}
        if problems:
            key, first = next(iter(problems.items()))
            more = (
                f" The same is true of {len(problems) - 1} more of its phrases." if len(problems) > 1 else ""
            )
            self._add(LayoutError(f"{words.language}, {key}: {first}{more}", "language"))
        return not problems

    def _add_findings(
        self, findings: Iterable[Finding], name: str, profile: PrinterProfile, pages: Sequence[Page]
    ) -> None:
        first: dict[tuple[str, str], Finding] = {}
        for finding in findings:
            # If several pages have the same problem, report it for the first of them only.
            first.setdefault((finding.check, finding.found), finding)
        for finding in first.values():
            page = f", page {pages[finding.page - 1].number}" if pages and finding.page else ""
            text = f"{finding.found}; allowed: {finding.allowed} ({finding.source})"
            self._add(LayoutError(f"{profile.name} would refuse {name}{page}: {text}", "page.printer"))


def _too_few_colours(spec: BookSpec, index: int, recipes: Sequence[Recipe], most: int) -> Problem:
    """Return the problem of a level whose dots may need more colours than the palette has.

    Args:
        spec: the spec of the book.
        index: the index of the level in the spec.
        recipes: those puzzle recipes of the level that allow more pairs than the palette has colours.
        most: the number of colours in the palette.
    """
    largest = max(
        recipes, key=lambda recipe: recipe.pairs.high if recipe.pairs else recipe.rows * recipe.cols
    )
    pairs, sides = largest.pairs, f"{largest.cols} × {largest.rows}"
    others = f"the palette has {most} colors, and dots without numbers need one for each pair"
    if spec.levels[index].file is not None:
        found, advice = f"a board of {sides} has {pairs} pairs", "leave such boards out"
        return spec.source.problem(
            ("levels", index, FILE_KEY), "", f"{found}; {others}. Use `show_numbers: yes`, or {advice}"
        )
    few = f"{max(2, min(pairs.low if pairs else most, most - 2))}-{most}"
    found = f"boards of {sides} may have {pairs.high if pairs else 'any number of'} paths"
    message = f"{found}; {others}. Write `paths: {few}`, make the boards smaller, or use `show_numbers: yes`"
    return spec.source.problem(("levels", index, "paths"), "", message)


def _with_largest_board(content: CoverContent, volume: Volume) -> CoverContent:
    """Use the largest board of a level for a cover that shows one puzzle of the book.

    The spec gives the number of this puzzle, but the puzzles are not made yet. So the size of its board is
    unknown. If the largest board of the same level fits on the cover, every board of this level fits.
    """
    if content.keys.puzzle is None or not content.pictures:
        return content
    # Puzzles are numbered level by level. So the number of the puzzle tells its level before boards are made.
    level = volume.puzzles[content.keys.puzzle - 1].level
    answers = (record.solution for record in volume.level(level))
    return replace(content, pictures=(max(answers, key=lambda answer: answer.puzzle.grid.size),))


def _sample(book: Book) -> list[Page]:
    """Choose the pages to draw: a few pages of each kind that repeats, and all pages of other kinds.

    If one side of a leaf is chosen, the other side is chosen too. So right-hand pages are still right-hand
    pages when the chosen pages are drawn one after another.
    """
    leaves = {index // 2 for index in book.pages.sample}
    return [page for leaf in sorted(leaves) for page in book.pages[2 * leaf : 2 * leaf + 2]]


def stand_in_volume(spec: BookSpec) -> Volume:
    """Return a volume that has a stand-in board in place of each puzzle of a spec.

    Each stand-in board needs at least as much space in print as the real puzzle:

    - It has the maximum number of pairs, so its printed numbers are the widest.
    - It has the maximum number of solid squares, and the ends of each pair are far apart. So the web address
      that contains the board is the longest.
    - It has the highest difficulty, because the text for this difficulty is the longest.
    """
    return assemble(spec, stand_ins(plan_slots(spec)), __version__)


def stand_ins(slots: Iterable[Slot]) -> list[PuzzleRecord]:
    """Return a stand-in for the board of each puzzle, so that a book can be laid out before it has puzzles.

    A stand-in needs at least as much space in print as the real board. ``stand_in_volume`` describes how.

    Args:
        slots: the plans for the puzzles, one for each puzzle of the book.
    """
    # Make equal boards only once, because 5,000 separate boards of 50 × 50 would take 1.5 GB.
    boards = cache(_stripes)

    def board_for(recipe: Recipe) -> Solution:
        return _coloured(boards(recipe.rows, recipe.cols, *_max_counts(recipe)), recipe)

    return [stand_in(slot, board_for(slot.recipe)) for slot in slots]


def _coloured(solution: Solution, recipe: Recipe) -> Solution:
    """Give each pair of a stand-in board a colour if the real puzzle will hide a coloured picture.

    A stand-in board takes the place of a puzzle that is not made yet. The recipe describes the real puzzle.
    If it names a picture, the pairs get the colours of this picture. If it names none, the solution is
    returned unchanged.
    """
    if recipe.picture is None:
        return solution
    puzzle, listed = solution.puzzle, list(recipe.picture.layers)
    count = len(puzzle.pairs)
    colours = tuple(listed[len(listed) * place // count] for place in range(count))
    return replace(solution, puzzle=replace(puzzle, colours=colours))


def _max_counts(recipe: Recipe) -> tuple[int, int]:
    """Return the largest numbers of pairs and of solid squares that a puzzle recipe allows.

    A recipe holds the settings for generating boards. If it doesn't set these numbers, they are estimated
    from the size of the board. As a pair needs at least two squares, the number of pairs is never more than
    half the number of free squares.
    """
    squares = recipe.rows * recipe.cols
    solids = min(recipe.solids.high if recipe.solids else squares // _SQUARES_PER_SOLID, squares - 2)
    pairs = recipe.pairs.high if recipe.pairs else max(recipe.rows, squares // _SQUARES_PER_PAIR)
    return max(1, min(pairs, (squares - solids) // 2)), solids


def _stripes(rows: int, cols: int, pairs: int, solids: int) -> Solution:
    """Return a solved board whose paths are stripes.

    One line winds through the board row by row. It is cut into paths of equal length, and the last squares of
    the board are solid.
    """
    line = [
        row * cols + (col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)
    ]
    free = len(line) - solids
    cuts = [free * index // pairs for index in range(pairs + 1)]
    pieces = [line[start:end] for start, end in pairwise(cuts)]
    paths = tuple(
        BoardPath(number, tuple(piece if piece[0] < piece[-1] else piece[::-1]))
        for number, piece in enumerate(pieces, 1)
    )
    ends = tuple(
        Pair(number, *sorted((piece[0], piece[len(piece) // 2]))) for number, piece in enumerate(pieces, 1)
    )
    return Solution(Puzzle(Grid(rows, cols, frozenset(line[free:])), ends), paths)
