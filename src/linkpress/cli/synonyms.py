"""Other words that people type for commands and options, and the words that linkpress has for them.

``translate`` rewrites a command line such as ``linkpress make --spec book.yaml --threads 4`` before Typer
reads it. All other words are in the tables ``COMMANDS``, ``OF_BOOKS`` and ``OPTIONS``. They are not part of
the help. A line on standard error names the command that is run instead. What can't be done is refused, and
the message says which command does it.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linkpress.cli.options import exists
from linkpress.errors import Notify, UsageError
from linkpress.files import is_file, is_folder

# For each command of linkpress, possibly with options: the other names for it.
COMMANDS = {
    "build": "make, run, compile, create, produce, render, book, make book, build book, generate book, "
    "create book, book build, book make, build all, make all",
    "build --set images=no": "pdf, make pdf, build pdf, export pdf, generate pdf",
    "check": "book check, book validate, validate, lint, plan, info, stats, inspect, test",
    "init": "book new, book init, new, start, scaffold, starter, quickstart, sample, new book",
    "init --feed": "new feed",
    "generate": "gen, puzzles, make puzzles, generate puzzles",
    "generate --form ascii": "show, puzzle, print, display, generate puzzle, show puzzle",
    "export": "images, image, export images, export image, build images",
    "export --png": "png, pngs, export png, export pngs, build png",
    "export --svg": "svg, export svg",
    "export --tiff": "tiff, export tiff",
    "export --eps": "eps, export eps",
    "typeset --set solutions.place=file --copy solutions": "solutions, solution, answers, answer-key, "
    "export solutions, build solutions",
    "build --set epub=yes": "epub, ebook, kindle, export epub, build epub",
    "preview": "view, page, pages, thumbnails",
    "preview --pages cover": "cover, preview cover",
    "studio": "open, wizard, gui, ui, edit, serve, web",
    "feed": "daily, newspaper",
    "list": "ls",
    "list difficulties": "difficulties, list-difficulties, difficulty, levels, list-levels, list levels, "
    "show difficulties",
    "list printers": "printers, list-printers, show printers",
    "list themes": "themes, list-themes, show themes",
    "list languages": "languages, list-languages, show languages",
    "list books": "examples, templates, list-examples, list examples, list templates",
    "--version": "version, -V",
    "doctor": "self-test, selftest, diagnose, doctor check",
}

# The command that is meant instead if the first argument is a book's YAML file.
OF_BOOKS = {
    "check": "difficulties, list-difficulties, levels, list-levels, verify, grade, prove",
    "build": "generate, gen, puzzles, print",
    "preview": "show, display",
    "typeset --set solutions.place=file --copy solutions": "solve",
}


# Commands that linkpress does not have, with what can be done instead.
REFUSED_COMMANDS = {
    "upgrade, update, self-update": "the tool that installed linkpress also upgrades it, as: pip install "
    "--upgrade linkpress",
    "clean, clear, reset, purge": "a book's files are in its folder in output, which you can delete. The "
    "ledger remembers its puzzles; see: linkpress ledger --help",
    "publish, upload, submit": "you upload the files of the book to your printer yourself; for the texts of "
    "the form: linkpress listing SPEC",
}


@dataclass(frozen=True)
class Option:
    """A row of the table of options.

    Args:
        commands: the commands for which the row applies.
        names: other names of the option. A name that ends with ``=`` takes a value too.
        words: what is put in its place. With ``{}``, the option takes a value. ``{percent}`` is the value as
            a percentage, ``{cols}`` and ``{rows}`` are the sides of a board, and ``{formats}`` and
            ``{images}`` are the options for a list of formats. Words that begin with ``=`` replace the
            command.
        note: what else the user should know; said before the command is run.
        is_refused: whether the command is not run; the note says why.
    """

    commands: str
    names: str
    words: str
    note: str = ""
    is_refused: bool = False


_BOOK = "build check"
_FILES = "build check preview export typeset play pack listing verify feed studio"
_NO_LEVELS = (
    "the book's levels say how its boards are. Change them in the YAML file; or make a booklet without one: "
    "linkpress generate --size 9x9 --paths 7 --count 20 -o booklet.pdf"
)
OPTIONS = (
    # files and folders
    Option(
        _FILES,
        "--spec --config --conf -c -i --input --input-file --infile --yaml --file --book --source",
        "{}",
    ),
    Option(
        "build export preview typeset play pack listing feed studio generate",
        "--output --output-dir --outdir --out-dir --output-folder --outfile --out-file --output-file "
        "--output-path --dest --destination --dir --folder -O",
        "--out {}",
    ),
    Option("build export typeset", "-d", "--out {}"),
    Option("build check", "--all", "*.yaml"),
    Option("init", "-o --out --output --outfile --output-file --file --spec --name", "{}"),
    Option("build export init pack play", "--overwrite --replace --clobber --yes -y -f", "--force"),
    # how it is run
    Option(
        "build feed",
        "--threads --workers --processes --procs --parallel --cores --cpus --num-workers",
        "--jobs {}",
    ),
    Option("build", "--dry-run --dryrun --dry --check --plan --validate --simulate --no-write", "=check"),
    Option("build generate feed", "-vv --debug --progress --chatty", "--verbose"),
    Option(
        "check preview export typeset play pack listing verify init solve prove grade hint",
        "--verbose -v -vv --debug",
        "",
        "this command has no more to say, so --verbose changes nothing",
    ),
    Option(
        "check preview export typeset pack listing verify init generate",
        "--jobs= -j= --threads= --workers=",
        "",
        "this command does not work in several processes, so the number of jobs changes nothing",
    ),
    Option(
        "check preview typeset verify generate", "--force -f --overwrite", "", "--force is not needed here"
    ),
    Option(
        f"{_FILES} init generate",
        "--quiet -q --silent --no-progress",
        "",
        "messages go to standard error; `2> messages.txt` after the command keeps them off the screen",
    ),
    Option(
        f"{_FILES} init generate", "--no-color --no-colour", "", "set NO_COLOR=1 for output without colours"
    ),
    # what a book is
    Option(
        _BOOK,
        "--number --num --num-puzzles --number-of-puzzles --puzzle-count --total-puzzles --puzzles --total "
        "--amount",
        "--count {}",
    ),
    Option(_BOOK, "--level --hardness --diff", "--difficulty {}"),
    Option(_BOOK, "--size --paths --solids --pairs --path-count --solid-ratio --grid", "", _NO_LEVELS, True),
    Option(
        "build",
        "--pages --page",
        "",
        "build makes the whole book. For an image of some pages: linkpress preview SPEC --pages 1-3",
        True,
    ),
    Option(
        "typeset",
        "--puzzle --number",
        "",
        "for the solution of a single puzzle: linkpress export SPEC --number 5 --what solution",
        True,
    ),
    Option(f"{_BOOK} typeset init", "--lang --language --locale -l", "--set language={}"),
    Option(
        f"{_BOOK} typeset init",
        "--page-size --pagesize --trim --trim-size --paper-size --paper --page-format",
        "--set page.trim={}",
    ),
    Option(f"{_BOOK} typeset init", "--printer", "--set page.printer={}"),
    Option(f"{_BOOK} typeset", "--large-print", "--set page.large_print=yes"),
    *(
        Option(f"{_BOOK} typeset init", f"--{key}", f"--set {key}={{}}")
        for key in ("title", "subtitle", "author", "publisher", "isbn", "theme", "volume")
    ),
    Option(
        "build typeset",
        "--no-solutions --without-solutions --no-answers --skip-solutions",
        "--set solutions.place=file",
        "the interior has no solutions; they are in a file of their own, solutions.pdf",
    ),
    Option(
        "build typeset",
        "--with-solutions --solutions --include-solutions --answers",
        "--set solutions.place=back",
    ),
    Option("build typeset", "--epub --ebook", "--set epub=yes"),
    Option("build typeset", "--cover --with-cover", "--set cover=yes"),
    Option("build typeset", "--no-cover --interior-only", "--set cover=no"),
    Option("build", "--html --play", "--set play=yes"),
    Option("build", "--format --formats --output-format --type", "{formats}"),
    Option("build", "--png --pngs --images --with-images --with-png", "--set images=yes"),
    Option("build", "--svg", "--set images.format=svg"),
    Option("build", "--pdf --pdf-only --only-pdf --no-images --no-png --no-pngs", "--set images=no"),
    Option("build", "--dpi --resolution", "--set images.dpi={}"),
    Option(
        "build",
        "--png-only --only-png --images-only --only-images --no-pdf",
        "--set images=yes",
        "the images are made from the finished book, so its PDF is made too",
    ),
    # pages and images
    Option("preview", "--page -p", "--pages {}"),
    Option(
        "preview",
        "--puzzle --number",
        "",
        "preview shows pages. For an image of a single puzzle: linkpress export SPEC --number 17",
        True,
    ),
    Option("preview", "--open --show", "", "no program is opened; the name of the image is printed"),
    Option("export", "--puzzle --puzzles --numbers --only --id --index --pick -n", "--number {}"),
    Option("export", "--format --formats --type --output-format -f", "{images}"),
    Option("export", "--grayscale --greyscale --gray --grey", "--mode gray"),
    Option("export", "--black-and-white --bw --mono --1bit", "--mode 1bit"),
    Option("export", "--color --colour --rgb", "--mode rgb"),
    Option("export", "--with-solutions --solutions --answers --both --all", "--what both"),
    Option("export", "--no-solutions --without-solutions --puzzles-only --only-puzzles", "--what puzzle"),
    Option("export", "--solutions-only --only-solutions --answers-only", "--what solution"),
    Option("export", "--no-caption --no-captions --without-caption", "--caption none"),
    Option("export", "--resolution", "--dpi {}"),
    Option("export", "--size", "--width {}"),
    Option(
        "export",
        "--seed= --count= --difficulty=",
        "",
        "export draws the puzzles of the book as its file is. Give this option to linkpress build, with "
        "--set images=yes for the images.",
        True,
    ),
    # single puzzles
    Option("generate", "--grid --grid-size --board --board-size --dimensions --dim -s", "--size {}"),
    Option("generate", "--width --cols --columns -w", "{cols}"),
    Option("generate", "--height --rows", "{rows}"),
    Option("generate", "--level --hardness --diff -d", "--difficulty {}"),
    Option("generate", "--path-count --num-paths --pairs --numbers -p", "--paths {}"),
    Option(
        "generate", "--solid-ratio --solids-ratio --solid --solid-percent --solid-share", "--solids {percent}"
    ),
    Option("generate", "--number --num --num-puzzles --puzzles --amount", "--count {}"),
    Option("generate", "--format --notation --output-format", "--form {}"),
    Option("generate", "--ascii --text", "--form ascii"),
    Option("generate", "--with-solution --solutions --with-solutions --show-solution --answer", "--solution"),
    # feeds
    Option("feed", "--start --start-date --date --since --begin", "--from {}"),
    Option("feed", "--count -n --number", "--days {}"),
    # new specs
    Option("init", "--count -n --puzzles --number --num", "--from {}"),
    Option(
        "init", "--interactive --wizard --ask -i", "", "for questions and answers: linkpress studio", True
    ),
    Option("init", "--example --template --copy", "--like {}"),
)

# Arguments that stand for an option: for each command, the option by the pattern of the argument.
ARGUMENTS = {
    "generate": {
        "--count": re.compile(r"[0-9]+"),
        "--out": re.compile(r".+\.(pdf|txt)"),
        "--difficulty": re.compile(r"(easy|medium|hard|expert|extreme)(-(medium|hard|expert|extreme))?"),
    },
    "export": {
        "--number": re.compile(r"[0-9]+([-,][0-9]+)*"),
        "--out": re.compile(r".*/"),
        "--{}": re.compile("png|svg|tiff|eps"),
    },
    "build": {"--out": re.compile(r".+\.pdf")},
    "typeset": {"--out": re.compile(r".+\.pdf")},
    "preview": {
        "--pages": re.compile(r"[0-9]+([-,][0-9]+)*|cover|front|designs|template"),
        "--out": re.compile(r".+\.png"),
    },
}

_OTHER_COMMANDS = {name: words for words, names in COMMANDS.items() for name in names.split(", ")}
_HELP_WORDS = ("help", "--help", "-h", "-help", "-?", "/?", "usage", "man", "commands")
_OTHER_OF_BOOKS = {name: words for words, names in OF_BOOKS.items() for name in names.split(", ")}
# Commands that take a book's file, and use the one in the current folder if none is given.
_WANT_A_BOOK = ["build", "check", "preview", "export", "typeset", "play", "pack", "listing", "verify"]
# Commands whose option --set changes keys of the spec.
_TAKE_KEYS = ("build", "check", "init", "typeset")
_SUFFIXES = (".yaml", ".yml")
_IMAGE_FORMATS = ("png", "tiff", "svg", "pdf", "eps")
_FORMAT_WORDS = {"pdf": "", "epub": "epub=yes", "kindle": "epub.kind=kindle", "html": "play=yes"}

OptionsOf = Callable[[str], Mapping[str, bool] | None]


def translate(
    words: Sequence[str], commands: Collection[str], options_of: OptionsOf, notify: Notify
) -> list[str]:
    """Return a command line in linkpress's own words.

    Args:
        words: the words after ``linkpress``.
        commands: the names of all commands.
        options_of: returns the options of a command, each with whether it takes a value; None if the command
            has commands of its own.
        notify: takes a line about what is run instead, or about a file that was not named.
    Raises:
        UsageError: a word is known, but linkpress can't do what it says. The message says what can be done.
    """
    if words[0] in _HELP_WORDS:
        words = [*words[1:], "--help"]
    elif words[-1] == "help" and len(words) == 2:
        words = [words[0], "--help"]
    command, rest = _command_and_rest(list(words), commands, options_of)
    if not command or command == "--version":
        return [command, *rest] if command else list(words)
    if command not in commands:
        for names, advice in REFUSED_COMMANDS.items():
            if command in names.split(", "):
                raise UsageError(f"There is no linkpress {command}: {advice}")
        near = difflib.get_close_matches(command, [*commands, *_OTHER_COMMANDS], 1, 0.8)
        own = _OTHER_COMMANDS.get(near[0]) if near else None
        if own:  # Typer suggests the names of its own commands
            raise UsageError(
                f"No such command '{command}'. Did you mean '{near[0]}', which is linkpress {own}?"
            )
        return [command, *rest]
    translation = _Translation(command, options_of)
    translation.read(rest)
    result = translation.words()
    if translation.command in _WANT_A_BOOK and not translation.arguments and "--help" not in result:
        result += _book_here(translation.command, notify)
    notes = dict.fromkeys(translation.notes)
    if result != list(words) and sorted(result) != sorted(words):
        notify(f"linkpress: running linkpress {shlex.join(result)}")
    for note in notes:
        notify(f"linkpress: {note}")
    return result


def _command_and_rest(
    words: list[str], commands: Collection[str], options_of: OptionsOf
) -> tuple[str, list[str]]:
    """Find the command in a command line, in which options may be in front of it.

    Returns:
        The command and the words that follow it, with the options moved behind it. An empty command means
        that the words are left to Typer.
    """
    options: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] not in _OTHER_COMMANDS:
        if rest[0] in ("-h", "--help", "--version", "--"):
            return "", []
        name, equals, _ = rest[0].partition("=")
        takes_value = not equals and _takes_value("build", name, options_of("build") or {})
        options += rest[: 1 + takes_value]
        del rest[: 1 + takes_value]
    if not rest:
        return ("build", options) if options else ("", [])
    if len(rest) > 1 and (own := _OTHER_COMMANDS.get(f"{rest[0]} {rest[1]}")) and not is_file(Path(rest[1])):
        return _split(own, [*options, *rest[2:]])
    word, following = rest[0], [*options, *rest[1:]]
    if (word.endswith(_SUFFIXES) or is_folder(Path(word))) and word not in commands:
        if len(rest) > 1 and rest[1] in (*commands, *_OTHER_COMMANDS):  # the command behind the file
            return _command_and_rest([rest[1], *options, word, *rest[2:]], commands, options_of)
        return "build", [*options, *rest]
    own = _OTHER_COMMANDS.get(word) or _OTHER_COMMANDS.get(word.replace("-", " ").replace("_", " "), word)
    if own not in commands and not _OTHER_COMMANDS.get(word) and is_file(Path(f"{word}.yaml")):
        return "build", [*options, f"{word}.yaml", *rest[1:]]
    of_books = _OTHER_OF_BOOKS.get(word)
    if word == "create" and following[:1] and not following[0].startswith("-"):
        own = own if is_file(Path(following[0])) else "init"  # a book that does not exist yet
    if of_books:
        parsed = _Translation(own.split()[0], options_of)
        parsed.read(following)
        if parsed.arguments and parsed.arguments[0].endswith(_SUFFIXES):
            own = of_books
    return _split(own, following)


def _split(own: str, following: list[str]) -> tuple[str, list[str]]:
    command, *more = own.split()
    return command, [*more, *following]


def _book_here(command: str, notify: Notify) -> list[str]:
    """Return the book's file in the current folder: ``book.yaml``, or else the only YAML file."""
    files = sorted(path for path in Path().glob("*") if path.suffix in _SUFFIXES and is_file(path))
    if Path("book.yaml") in files:
        files = [Path("book.yaml")]
    if len(files) > 1:
        names = ", ".join(map(str, files[:6])) + (" …" if len(files) > 6 else "")
        raise UsageError(f"{command}: give the book's YAML file. Here are {names}")
    return [str(file) for file in files]


class _Translation:
    """Translation of the words after a command, which collects arguments, options and notes."""

    def __init__(self, command: str, options_of: OptionsOf) -> None:
        self.command = command
        self.arguments: list[str] = []
        self.notes: list[str] = []
        self._options_of = options_of
        self._options = options_of(command)
        self._words: list[str] = []
        self._sides: dict[str, str] = {}

    def words(self) -> list[str]:
        size = "x".join(self._sides[side] for side in ("cols", "rows") if side in self._sides)
        return [self.command, *self._words, *(["--size", size] if size else [])]

    def read(self, rest: Sequence[str]) -> None:
        """Translate the words after the command."""
        if self._options is None:
            self._words += rest
            self.arguments += rest
            return
        queue = list(rest)
        while queue:
            word = queue.pop(0)
            if word == "--":
                self.arguments += queue
                self._words += [word, *queue]
                return
            if word.startswith("-") and word != "-":
                self._read_option(word, queue)
                continue
            self._read_argument(word)

    def _read_argument(self, word: str) -> None:
        patterns = ARGUMENTS.get(self.command, {})
        option = next((name for name, pattern in patterns.items() if pattern.fullmatch(word)), "")
        if option == "--{}":
            self._words.append(f"--{word}")
        elif option and not is_folder(Path(word)):
            self._words += [option, word]
        else:
            if self.command in _WANT_A_BOOK and not exists(Path(word)) and is_file(Path(f"{word}.yaml")):
                word = f"{word}.yaml"
            self.arguments.append(word)
            self._words.append(word)

    def _read_option(self, word: str, queue: list[str]) -> None:
        name, value = self._name_and_value(word)
        options = self._options or {}
        row = None if name in options else _row(self.command, name)
        if name == "-f" and queue[:1] and set(_parts(queue[0])) <= {*_IMAGE_FORMATS, *_FORMAT_WORDS}:
            row = _row(self.command, "--format")
        if row is None and name not in options:
            row = self._row_of_key(name, value or next(iter(queue), ""))
        if row is None:
            self._words.append(word if name == word.partition("=")[0] or name not in options else name)
            if name in options and self._words[-1] == name and value is not None:
                self._words.append(value)
            elif options.get(name) and value is None and queue:
                self._words.append(queue.pop(0))
            return
        if _row_takes_value(row, name) and value is None:
            if not queue:
                self._words.append(word)  # Typer says that the option is unknown
                return
            value = queue.pop(0)
        if row.is_refused:
            raise UsageError(f"{name}: {row.note}")
        if row.note:
            self.notes.append(row.note)
        if row.words.startswith("="):
            self._change_command(row.words[1:], queue)
        else:
            self._put(row.words, value or "")

    def _row_of_key(self, name: str, value: str) -> Option | None:
        """Return a row for an option with the name of a key of the spec, such as ``--solutions-per-page``."""
        if self.command not in _TAKE_KEYS or not name.startswith("--") or value[:1] in ("", "-"):
            return None
        from linkpress.documents.other_names import name_table

        key = name[2:].replace("-", "_")
        is_known = any(True for _ in name_table().targets(key, [""]))
        return Option(self.command, name, f"--set {key}={{}}") if is_known else None

    def _name_and_value(self, word: str) -> tuple[str, str | None]:
        """Split a word into the option's name, in its usual spelling, and the value in the same word."""
        name, equals, value = word.partition("=")
        long = f"--{name.lstrip('-').replace('_', '-')}"
        if len(name) > 2 and (long in (self._options or {}) or _row(self.command, long)):
            return long, value if equals else None
        if not name.startswith("--") and len(word) > 2:
            short = word[:2]
            if _takes_value(self.command, short, self._options or {}):
                return short, word[2:].removeprefix("=")
        return name, value if equals else None

    def _change_command(self, command: str, queue: list[str]) -> None:
        """Begin again with another command, and leave out options that only the old command has."""
        old, words = self._options or {}, self._words
        self.command, self._options = command, self._options_of(command)
        self._words, self.arguments = [], []
        queue[:] = [*words, *queue]
        for index in reversed(range(len(queue))):
            name = queue[index].partition("=")[0]
            if name in old and name not in (self._options or {}) and not _row(command, name):
                self.notes.append(f"{name} changes nothing for linkpress {command}")
                del queue[index : index + 1 + (old[name] and "=" not in queue[index])]

    def _put(self, words: str, value: str) -> None:
        if words in ("{cols}", "{rows}"):
            self._sides[words[1:-1]] = value
        elif words in ("{}", "*.yaml"):
            self.arguments.append(value or words)
            self._words.append(value or words)
        elif words == "{formats}":
            self._words += _book_formats(value)
        elif words == "{images}":
            self._words += map(_image_flag, _parts(value))
        else:
            values = (
                word.replace("{percent}", _percent(value)).replace("{}", value) for word in words.split()
            )
            self._words += values


def _row(command: str, name: str) -> Option | None:
    return next(
        (
            row
            for row in OPTIONS
            if command in row.commands.split() and name in row.names.replace("=", "").split()
        ),
        None,
    )


def _row_takes_value(row: Option, name: str) -> bool:
    return "{" in row.words or f"{name}=" in row.names.split()


def _takes_value(command: str, name: str, options: Mapping[str, bool]) -> bool:
    row = _row(command, name)
    return options[name] if name in options else row is not None and _row_takes_value(row, name)


def _parts(value: str) -> Iterator[str]:
    return (part for part in re.split(r"[,+ ]+", value.lower()) if part)


def _image_flag(part: str) -> str:
    """Return the option of ``export`` for a format; raise ``UsageError`` if images can't have it."""
    if part not in _IMAGE_FORMATS:
        raise UsageError(f"--format {part}: images can be {', '.join(_IMAGE_FORMATS)}.")
    return f"--{part}"


def _book_formats(value: str) -> Iterator[str]:
    """Yield the options with which ``build`` makes files in these formats."""
    images = []
    for part in _parts(value):
        if part not in _FORMAT_WORDS:
            images.append(part)
        elif _FORMAT_WORDS[part]:
            yield from ("--set", _FORMAT_WORDS[part])
    if images:
        yield from (
            "--set",
            f"images.format=[{', '.join(images)}]" if images[1:] else f"images.format={images[0]}",
        )


def _percent(value: str) -> str:
    """Write a share such as 0.05 or 0,05 as a percentage; leave anything else as it is."""
    if re.fullmatch(r"0?[.,][0-9]+", value):
        return f"{100 * float(value.replace(',', '.')):g}%"
    return value
