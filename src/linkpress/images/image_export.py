"""Read puzzles, and write undated images: puzzles, solutions, and answers to lay over a puzzle.

The command line reads its options and calls ``write_images``. Scripts call ``export_images``, which takes
plain values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from linkpress.book.level import shipped_shapes
from linkpress.book.printing_keys import DifficultyMark, ImagesSpec
from linkpress.book.spec import slug
from linkpress.book.volume import VOLUME_FILE, Volume, load_volume, volume_file
from linkpress.documents.problem import InvalidError
from linkpress.documents.values import PixelMode
from linkpress.engine.recipe import Rule, counted
from linkpress.errors import CheckFailedError, LayoutError, OutputError, PuzzleError, UsageError
from linkpress.files import (
    ImageFormat,
    is_foreign,
    lock_folder,
    read_input,
    remove_temporary_files,
    write_file,
)
from linkpress.images.composition import CaptionSpec, captioned_panel, compose, read_parts
from linkpress.images.image_files import (
    FORMATS,
    ImageToWrite,
    Particulars,
    PixelFrame,
    ShownPuzzle,
    check_drawable,
    shown_puzzle,
    shows_puzzle,
)
from linkpress.images.image_settings import (
    ImageKind,
    ImageSettings,
    NameFields,
    Template,
    image_settings,
    image_width,
    read_template,
    read_words,
)
from linkpress.layout.boards import BoardPart
from linkpress.layout.theme import Theme, theme_of
from linkpress.puzzle.notation.notations import MAX_PUZZLE_FILE_BYTES, read_file, read_puzzles
from linkpress.puzzle.puzzle import Grid, Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint
from linkpress.render.fonts import FontMeasure, load_faces
from linkpress.words.language import ENGLISH, Words, words_of

Paths = Mapping[tuple[int, ImageKind, ImageFormat], Path]
"""Paths of image files, by the puzzle's number, what the image shows, and the format."""

MOST_IMAGE_BYTES = 256 << 20  # limit for a file that is checked before it is replaced
_MAX_SIZE = f"{MAX_PUZZLE_FILE_BYTES >> 20} MiB"
_SOURCE_ADVICE = f"Give a built book's folder, its {VOLUME_FILE} or a puzzle file of {_MAX_SIZE} or less."
_BOTH = (ImageKind.PUZZLE, ImageKind.SOLUTION)
_WHAT_ALLOWED = (*_BOTH, "both", ImageKind.OVERLAY)


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """Puzzles to draw, from a book or a puzzle file.

    Args:
        name: a short name for file names.
        title: the book's title; empty for a puzzle file.
        author: the author; may be empty.
        copyright: the copyright line; may be empty.
        puzzles: the puzzles.
        words: the phrases for captions.
        measure: measures the size of text in linkpress's fonts.
        caption: the parts of each caption. An export can choose other parts.
        shapes: the grids of boards in shapes, such as a heart. Their solid squares have a style of their own.
        images: the book's key ``images``; None if the book has no such key, and for a puzzle file.
        theme: the book's theme; None for a puzzle file.
    """

    name: str
    title: str
    author: str
    copyright: str
    puzzles: tuple[ShownPuzzle, ...]
    words: Words
    measure: FontMeasure
    caption: CaptionSpec
    shapes: frozenset[Grid] = frozenset()
    images: ImagesSpec | None = None
    theme: Theme | None = None

    def particulars(self, shown: ShownPuzzle, what: ImageKind, caption: CaptionSpec) -> Particulars:
        """Return the metadata of an image of a puzzle. It names the difficulty if the caption does."""
        return Particulars(
            title=f"{self.title or self.name} {shown.number}",
            shown=shown,
            author=self.author,
            copyright=self.copyright,
            what=what,
            language=self.words.language,
            names_difficulty=caption.difficulty is not DifficultyMark.NONE,
        )

    def chosen(self, numbers: str) -> PuzzleSource:
        """Return the source with only some of its puzzles.

        Args:
            numbers: printed numbers and ranges of them, such as ``17`` or ``1-10,17``.
        Raises:
            UsageError: the text is malformed, or no puzzle has one of the numbers.
        """
        known = {shown.number: shown for shown in self.puzzles}
        wanted: set[int] = set()
        for part in numbers.split(","):
            match = re.fullmatch(r" *([0-9]{1,6})(?: *[-–] *([0-9]{1,6}))? *", part)
            low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
            if low > high:
                raise UsageError(f"--number {numbers}: numbers and ranges, as 17 or 1-10,17, are allowed.")
            if low not in known or high not in known:
                first, last = min(known), max(known)
                raise UsageError(f"--number {numbers}: the puzzles have the numbers {first} to {last}.")
            wanted.update(range(low, high + 1))
        return replace(self, puzzles=tuple(shown for number, shown in known.items() if number in wanted))


def read_puzzle_source(path: Path, spec_folder: Path | None = None) -> PuzzleSource:
    """Read puzzles from a built book's folder, a ``volume.json``, or a puzzle file in any notation.

    Args:
        path: the folder or file.
        spec_folder: the folder from which relative paths in a book's spec start; None for the book's folder.
    Raises:
        PuzzleError: the file can't be read, is malformed, or has no puzzle.
        UsageError: a font that a book's spec names can't be used.
    """
    file = volume_file(path)
    if file is None:
        return _file_source(path)
    return volume_source(load_volume(file, spec_folder=spec_folder))


def volume_source(volume: Volume) -> PuzzleSource:
    """Return the puzzles of a book, with the book's words and fonts for their captions.

    Raises:
        UsageError: a font of the book can't be used.
    """
    spec, words = volume.spec, volume.spec.wording()
    rights = spec.copyright or (f"© {spec.year} {spec.author}" if spec.year and spec.author else "")
    return PuzzleSource(
        name=spec.book_id,
        title=spec.title,
        author=spec.author or "",
        copyright=rights,
        puzzles=tuple(shown_puzzle(puzzle.record, puzzle.number, spec.title) for puzzle in volume.numbered),
        words=words,
        measure=FontMeasure(load_faces(spec.fonts, spec.folder), words.language),
        caption=CaptionSpec(size=spec.captions.size, difficulty=spec.captions.difficulty, solution=False),
        shapes=frozenset(shape for level in spec.levels for shape in level.shapes),
        images=spec.images,
        theme=theme_of(spec),
    )


def _file_source(file: Path) -> PuzzleSource:
    from linkpress.engine.prove.proof import strictest_rule

    content = read_input(file, MAX_PUZZLE_FILE_BYTES, PuzzleError, _SOURCE_ADVICE)
    puzzles = read_file(content, str(file), read_puzzles)
    rules = [strictest_rule(puzzle)[0] for puzzle in puzzles]
    numbered = enumerate(zip(puzzles, rules, strict=True), 1)
    shown = tuple(_graded_puzzle(puzzle, rule, number, file) for number, (puzzle, rule) in numbered)
    words, caption = words_of(ENGLISH, rules=rules), CaptionSpec(solution=False)
    return PuzzleSource(file.stem, "", "", "", shown, words, FontMeasure(), caption, shipped_shapes())


def _graded_puzzle(puzzle: Puzzle, rule: Rule, number: int, file: Path) -> ShownPuzzle:
    """Grade a puzzle from a file. The puzzle is solved only when its solution is drawn."""
    from linkpress.engine.grade import grade_puzzle

    grading = grade_puzzle(puzzle, rule)
    solve = cache(lambda: grading.solution or only_solution(puzzle, f"{file}, puzzle {number}", rule))
    return ShownPuzzle(puzzle, number, grading.difficulty, fingerprint(puzzle), solve)


def only_solution(puzzle: Puzzle, where: str, rule: Rule) -> Solution:
    """Return the only solution of a puzzle.

    Args:
        puzzle: the puzzle.
        where: the place of the puzzle, for messages.
        rule: the uniqueness rule.
    Raises:
        CheckFailedError: the puzzle has no solution or several, or the proof gave up.
    """
    from linkpress.engine.prove.proof import Verdict, no_solution_words, prove

    proof = prove(puzzle, rule)
    if proof.verdict is Verdict.UNIQUE and proof.solution is not None:
        return proof.solution
    reason = {
        Verdict.NONE: f"it has {no_solution_words(proof)}",
        Verdict.MULTIPLE: "it has several solutions",
        Verdict.GAVE_UP: "the proof ran out of its budget",
    }[proof.verdict]
    raise CheckFailedError(
        f"{where}: {reason}, so no solution can be drawn. Repair the board, or export it with --what puzzle."
    )


@dataclass(frozen=True)
class ExportOrder:
    """What to export, and how.

    Args:
        settings: how images are made.
        what: what the images show. Combined images are refused, because they need two dates.
        caption: the parts of the captions.
        names: the template of file names.
        parts: the parts of the boards to draw.
    """

    settings: ImageSettings
    what: tuple[ImageKind, ...]
    caption: CaptionSpec
    names: Template
    parts: frozenset[BoardPart] = frozenset(BoardPart)

    def __post_init__(self) -> None:
        if ImageKind.COMBINED in self.what:
            raise UsageError(
                "what combined: a combined image needs two dates, which only feeds have. Choose puzzle, "
                "solution, both or overlay."
            )


def order_images(
    source: PuzzleSource,
    settings: ImageSettings,
    what: str | Iterable[str],
    caption: Iterable[str] | None = None,
    names: str | None = None,
    *,
    grid_lines: bool = True,
) -> ExportOrder:
    """Make an ``ExportOrder`` from plain values.

    Args:
        source: the puzzles, and the name to use in file names if ``names`` gives none.
        settings: how images are made.
        what: what the images show, as names of ``ImageKind``; ``"both"`` for puzzle and solution.
        caption: the parts of the captions; None for those of the source.
        names: the template of file names. If None, a file name has the source's name, the puzzle's number and
            what the image shows.
        grid_lines: whether to draw the boards' grid lines and outlines.
    Raises:
        UsageError: a value is not allowed.
    """
    try:
        template = read_template(f"{slug(source.name)}-{{number:04}}-{{what}}" if names is None else names)
    except InvalidError as error:
        raise UsageError(f"names: {error}.") from None
    parts = frozenset(BoardPart) - (frozenset() if grid_lines else {BoardPart.GRID})
    if isinstance(what, str):
        what = what.replace("both", ",".join(_BOTH))
    kinds = read_words(what, ImageKind, "what", _WHAT_ALLOWED)
    words = source.caption if caption is None else read_parts(caption)
    return ExportOrder(settings, kinds, words, template, parts)


def write_images(
    source: PuzzleSource,
    order: ExportOrder,
    out: Path,
    on_done: Callable[[Path], object] = lambda path: None,
    *,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the images of a book or puzzle file. Earlier images of the same puzzles are replaced.

    Args:
        source: the puzzles.
        order: what to export, and how.
        out: the folder for the images.
        on_done: a function that is called with the path of each written file.
        force: whether to replace any other files with the same names.
    Returns:
        The paths of the images.
    Raises:
        LayoutError: a board is too large for the width, or the theme has tints, which 1-bit pixels can't
            show. Nothing is written then.
        UsageError: two images would have the same name.
        CheckFailedError: a solution is to be drawn, and a board doesn't have exactly one.
        OutputError: a file can't be written; or another file has its name, and ``force`` is not set. Nothing
            is written in the second case.
    """
    paths = check_export(source, order, out, force=force)
    for _, _, drawing in _drawings(source, order):  # check all images before writing the first
        check_drawable(drawing, order.settings.formats, order.settings.mode)
    with lock_folder(out):
        remove_temporary_files(paths.values())
        for path, content in drawn_files(source, order, paths):
            write_file(path, content)
            on_done(path)
    return tuple(paths.values())


def check_export(source: PuzzleSource, order: ExportOrder, out: Path, *, force: bool = False) -> Paths:
    """Check that images can be written to a folder, and return their paths.

    Nothing is drawn or written. Arguments and errors are those of ``write_images``.
    """
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file; give a folder with -o.")
    paths = _paths(source, order, out)
    if not force:
        _check_free(source, paths)
    return paths


def drawn_files(source: PuzzleSource, order: ExportOrder, paths: Paths) -> Iterator[tuple[Path, bytes]]:
    """Yield the path and content of each image file; errors are those of ``write_images``."""
    settings = order.settings
    for shown, what, drawing in _drawings(source, order):
        image = ImageToWrite(
            drawing=drawing,
            particulars=source.particulars(shown, what, order.caption),
            mode=settings.mode,
            dpi=settings.dpi,
            faces=source.measure.faces,
            clear=settings.clear or what is ImageKind.OVERLAY,
        )
        for image_format in settings.formats:
            yield paths[shown.number, what, image_format], FORMATS[image_format].write(image)


def _paths(source: PuzzleSource, order: ExportOrder, out: Path) -> Paths:
    paths: dict[tuple[int, ImageKind, ImageFormat], Path] = {}
    number_of_name: dict[str, int] = {}
    settings = order.settings
    for shown in source.puzzles:
        for what in order.what:
            for image_format in settings.formats:
                values = NameFields(None, shown.number, what, settings.columns, settings.dpi)
                name = order.names.name(values, FORMATS[image_format].suffix)
                if name.casefold() in number_of_name:
                    raise UsageError(
                        f"the puzzles {number_of_name[name.casefold()]} and {shown.number} would both be "
                        f"written to {name}. Put {{number}} into the name {order.names.text!r}."
                    )
                number_of_name[name.casefold()] = shown.number
                paths[shown.number, what, image_format] = out / name
    return paths


def _check_free(source: PuzzleSource, paths: Paths) -> None:
    """Raise ``OutputError`` if a path has a file other than an image of the same puzzle."""
    fingerprints = {shown.number: shown.fingerprint for shown in source.puzzles}
    others = [
        path
        for (number, _, _), path in paths.items()
        if is_foreign(path, MOST_IMAGE_BYTES, partial(shows_puzzle, fingerprint=fingerprints[number]))
    ]
    if others:
        more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
        raise OutputError(
            f"{others[0]} exists already{more}, and shows another puzzle or is no image by linkpress. "
            "Nothing was written: choose another folder with -o, or replace the files with --force."
        )


def _drawings(
    source: PuzzleSource, order: ExportOrder
) -> Iterator[tuple[ShownPuzzle, ImageKind, PixelFrame]]:
    """Yield each puzzle, what its image shows, and the composed image."""
    theme = order.settings.theme.with_shapes(source.shapes)
    settings = replace(order.settings, measure=source.measure, theme=theme)
    of_numbers, of_dots = source.words, source.words.of_dots
    for shown in source.puzzles:
        words = of_numbers if theme.numbers.shows(shown.puzzle) else of_dots
        for what in order.what:
            _, panel = captioned_panel(shown, order.caption, words, solved=what is ImageKind.SOLUTION)
            panel = replace(panel, parts=order.parts)
            if what is ImageKind.OVERLAY:
                panel = replace(
                    panel, solution=shown.solve(), parts=frozenset({BoardPart.ANSWER}), overlay=True
                )
            yield shown, what, compose(panel, settings)


def book_images(volume: Volume) -> tuple[PuzzleSource, ExportOrder]:
    """Return a book's puzzles, and the export order that the book's ``images`` key describes."""
    keys = volume.spec.images or ImagesSpec.of_defaults()
    source, width = volume_source(volume), (keys.width, None)
    settings = image_settings(width, keys.dpi, keys.mode, keys.format, None, book_theme=source.theme)
    return source, order_images(source, settings, keys.what.value)


def check_book_images(volume: Volume) -> None:
    """Check that images of a book's boards can be drawn.

    Args:
        volume: the puzzles, or stand-ins of the same sizes. Only one board of each size is drawn.
    Raises:
        LayoutError: a board or its caption doesn't fit. The error names the key ``images``.
    """
    try:
        source, order = book_images(volume)
        sizes = {(shown.puzzle.grid.rows, shown.puzzle.grid.cols): shown for shown in source.puzzles}
        for _, _, drawing in _drawings(replace(source, puzzles=tuple(sizes.values())), order):
            check_drawable(drawing, order.settings.formats, order.settings.mode)
    except (LayoutError, UsageError) as error:
        raise LayoutError(error.message, "images") from None


def write_book_images(volume: Volume, out: Path) -> str:
    """Write the images that a book's ``images`` key asks for, and delete outdated images from the folder.

    Returns:
        A line that says how many images there are, and where.
    """
    source, order = book_images(volume)
    written = write_images(source, order, out, force=True)
    for path in set(out.iterdir()) - set(written):
        if order.names.matches(path.name):
            path.unlink()
    width_mm = order.settings.canvas.mm(order.settings.canvas.width_px)
    return f"{counted(len(written), 'image')}, {width_mm:.1f} mm wide at {order.settings.dpi} dpi, in {out}"


def export_images(
    source: Path | str,
    out: Path | str,
    *,
    columns: int | None = None,
    grid: str | None = None,
    width_mm: float | None = None,
    dpi: int | None = None,
    mode: PixelMode | str = PixelMode.ONE_BIT,
    formats: str | Iterable[str] = (ImageFormat.PNG,),
    what: str | Iterable[str] = _BOTH,
    theme: str | None = None,
    caption: Sequence[str] | None = None,
    names: str | None = None,
    grid_lines: bool = True,
    transparent: bool = False,
    spec_folder: Path | None = None,
    force: bool = False,
) -> tuple[Path, ...]:
    """Draw each puzzle and each solution as an image of an exact width, as ``linkpress export`` does.

    Args:
        source: a built book's folder, its ``volume.json``, or a puzzle file.
        out: the folder for the images.
        columns: the width in columns of the grid; 2 if neither this nor a width is given.
        grid: a column grid's name or path; ``broadsheet`` if None.
        width_mm: the width in millimetres, instead of columns and grid.
        dpi: the resolution, 72 to 2400; None for the mode's default.
        mode: the kind of pixels: ``"1bit"``, ``"gray"`` or ``"rgb"``.
        formats: the formats of the files, such as ``"png"`` or ``["png", "svg"]``.
        what: what the images show: ``"puzzle"``, ``"solution"``, ``"overlay"`` (the answer's lines alone) or
            ``"both"`` (puzzle and solution).
        theme: a theme's name or path; None for the mode's default. With the mode ``"rgb"``, images of a book
            have the book's theme by default.
        caption: the parts of the caption: title, number, size, difficulty (a number) or marks, rules,
            solution. An empty list means no caption. None means the parts that the book's spec asks for, or
            number and size for puzzles from a puzzle file.
        names: the template of file names; None to make it from the source's name.
        grid_lines: whether to draw the boards' grid lines and outlines.
        transparent: whether the paper of PNG files is transparent.
        spec_folder: the folder from which relative paths in a book's spec start; None for the book's folder.
        force: whether to replace any other files with the same names.
    Returns:
        The paths of the images.
    Raises:
        PuzzleError: the source can't be read.
        UsageError: a value is not allowed, a width is given twice, or two images would have the same name.
        LayoutError, CheckFailedError, OutputError: as for ``write_images``.
    """
    puzzles, width = read_puzzle_source(Path(source), spec_folder), image_width(width_mm, columns, grid)
    settings = image_settings(width, dpi, mode, formats, theme, clear=transparent, book_theme=puzzles.theme)
    order = order_images(puzzles, settings, what, caption, names, grid_lines=grid_lines)
    return write_images(puzzles, order, Path(out), force=force)
