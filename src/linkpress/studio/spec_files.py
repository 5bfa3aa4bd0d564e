"""Spec files in the studio: an open file with undo, the list of a folder's files, and new files.

This module also has the fields that the forms of a book and of a feed show.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import io
import json
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from linkpress.app.editions import book_folder, volume_head
from linkpress.book.first_specs import GuidedAnswers, example_books, example_texts, guided_text, init_text
from linkpress.book.key_values import MAX_SEED, Title
from linkpress.book.mixes import MIX_KEYS, expand_mix, expand_week
from linkpress.book.plain_spec import plain_spec
from linkpress.book.spec import BookSpec, read_spec, read_spec_source, slug
from linkpress.book.volume import COVER_FILE, INTERIOR_FILE, VOLUME_FILE
from linkpress.documents.models import Document, Spec, SpecModel, default_words, fields_at, model_of
from linkpress.documents.problem import KeyPath, Problem, YamlSource, value_at
from linkpress.documents.yaml_edit import EditError, Mending, propose_mending, with_order, with_value, without
from linkpress.documents.yaml_source import MAX_BYTES, parse_yaml, read_yaml
from linkpress.errors import LinkpressError, OutputError, SpecError, UsageError
from linkpress.files import YAML_SUFFIXES, parse_json, read_limited, reason, write_file, write_files
from linkpress.production.ledger_session import USUAL_LEDGER, has_published
from linkpress.render.photos import NoPictureError, size_of_photo
from linkpress.studio.html_parts import label_of, say, words

NEWSPAPER = "newspaper"  # name of the example feed in the list of example books
TRASH = ".trash"
PICTURES = (".jpeg", ".jpg", ".png")
_PICTURE_HEADS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
_MAX_PICTURES = 200
_SPEC_PATTERNS = ("*.yaml", "*.yml", "*/*.yaml", "*/*.yml")
_MAX_UNDO_STEPS = 500
# Two changes of a key are undone in one step only if the pause between them is shorter than this.
_LONGEST_PAUSE = timedelta(seconds=10)

# Keys that choose and change one of the ready-made designs of a book's cover.
_DESIGN = ("design", "palette", "initial")
_SHADED = (("cover", "design"), ("cover", "palette"))
# Keys of a cover for the book's own colours, which are used in place of a design's colours. So choosing a
# design or palette removes them.
OWN_COLOURS = ("background", "accent")

# Keys of a book's cover that exclude each other. Each key is mapped to the keys that can't be set
# together with it.
_CONTRARY = {
    "design": ("front", "puzzle"),
    "front": (*_DESIGN, "image", "puzzle", "badge"),
    "image": ("front",),
    "puzzle": (*_DESIGN, "front"),
    "badge": ("front",),
    "accent": _DESIGN,
}
# Lines of a text that two people have changed differently. Each pair has the lines of one person, and the
# lines of the other person for the same place.
Clashes = Sequence[tuple[str, str]]
AnySpec = TypeVar("AnySpec", bound=Spec)


class RefusedError(Exception):
    """A change is refused, and nothing was written.

    The message gives the reason, in the words of ``linkpress check``.
    """


class ConflictError(Exception):
    """A change is refused, because somebody else has changed the same lines or the same file.

    Args:
        clashes: for each place in the file, the user's lines and the lines that somebody else has written.
        change: the refused change of a key; None for other conflicts.
    """

    def __init__(self, clashes: Clashes = (), change: Change | None = None) -> None:
        super().__init__()
        self.clashes, self.change = clashes, change


@dataclass(frozen=True)
class Change:
    """Edit of a spec file.

    Args:
        kind: the kind of edit:

            - ``set``: give a key a value.
            - ``unset``: remove a key.
            - ``merge``: set several keys of a mapping.
            - ``replace``: set several keys of a mapping, and remove the keys that contradict them.
            - ``copy``: copy an entry of a list, and insert the copy after it.
            - ``add``: add an entry at the end of a list.
            - ``order``: sort or remove the entries of a list.
        path: the key or entry to edit. For ``merge`` and ``replace``, the mapping. For ``add`` and ``order``,
            the list.
        value: the new value. For ``merge`` and ``replace``, a mapping from each key to its new value, or to
            None to remove the key. For ``add``, the new entry, or None for a copy of the last one. For
            ``order``, the old indexes of the entries in their new order.
    """

    kind: str
    path: KeyPath
    value: Any = None

    def __post_init__(self) -> None:
        if any(isinstance(step, bool) or not isinstance(step, str | int) for step in self.path):
            raise RefusedError("A path has texts for keys, and numbers for entries of lists.")
        if any(isinstance(step, int) and step < 0 for step in self.path):
            raise RefusedError("The entries of a list are counted from 0: none is before the first.")


@dataclass(frozen=True)
class Editor:
    """The window or program that changes a spec file.

    Args:
        window: the identifier of the studio's window; empty for another program, and None for the studio
            itself.
        part: the part of the book that was selected in the window.
        focus: number of the field in the window that had the focus; None if the change was made elsewhere.
            All changes of a key during one focus are undone in one step.
    """

    window: str | None = ""
    part: str = ""
    focus: int | None = None


@dataclass(frozen=True)
class Step:
    """Change of a spec file that can be undone or redone.

    Args:
        text: the text of the file that undoing or redoing brings back.
        path: the key that was changed; empty if the user has edited the text.
        path_after: the path of the same key after undoing or redoing. It differs from ``path`` if an entry of
            a list was moved.
        editor: who made the change.
        time: the time of the last change that belongs to the step.
        is_open: whether the next change may still become part of the step.
    """

    text: str
    path: KeyPath
    path_after: KeyPath
    editor: Editor
    time: datetime
    is_open: bool = True

    def includes(self, path: KeyPath, editor: Editor, now: datetime) -> bool:
        """Return whether a change belongs to this step, so that both are undone together.

        The change must be to the same key and come from the same field, which must have kept the focus. After
        a pause of ten seconds, a change begins a new step.
        """
        is_same = (path, editor) == (self.path, self.editor) and editor.focus is not None
        return is_same and self.is_open and now - self.time < _LONGEST_PAUSE


def good_file(path: Path, out: Path) -> Path:
    """Return the path of the saved copy of a spec's last version without problems.

    The copy is inside ``out``, the folder of built books.
    """
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()
    return out / ".studio" / f"{path.stem}-{digest[:12]}.yaml"


def built_file(path: Path, out: Path) -> Path:
    """Return the path of the JSON file in which the studio records how the last build of a spec ended."""
    return good_file(path, out).with_suffix(".built")


def keep_build(path: Path, out: Path, end: Mapping[str, Any], values: Mapping[str, Any] | None) -> None:
    """Save how a build ended, so that the finished book can be shown after a restart of the studio.

    Args:
        path: the book's spec file.
        out: the folder of built books.
        end: the last report of the job that built the book.
        values: the values of the spec that can change a printed file.
    Raises:
        OSError: the report can't be saved.
    """
    kept = {"end": end, "values": values, "files": _built_stamps(end)}
    built_file(path, out).write_text(json.dumps(kept), encoding="utf-8")


def kept_build(path: Path, out: Path) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the result of a book's last build, which ``keep_build`` has saved.

    Returns:
        The last report of the build, and the values of the spec that was built. None if there is no saved
        result, or if a file of the build has been removed or written again since.
    """
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        kept = parse_json(built_file(path, out).read_bytes())
        if kept["files"] == _built_stamps(kept["end"]):
            return kept["end"], kept["values"]
    return None


def _built_stamps(end: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the modification time (in nanoseconds) and the size of each file of a finished build.

    Raises:
        OSError: a file is missing.
    """
    paths = (Path(book["folder"], file) for book in (end, *end["editions"]) for file in book["files"])
    return {str(path): [path.stat().st_mtime_ns, path.stat().st_size] for path in paths}


def built_folder(path: Path, out: Path, spec: BookSpec) -> Path:
    """Return the folder of a book's last build, or of its next build if the book was never built.

    The name of the folder depends on the title and the printer. If they have changed since the last build,
    the next build will have another folder.
    """
    folder = book_folder(out, spec)
    if not (folder / INTERIOR_FILE).is_file():
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return Path(parse_json(built_file(path, out).read_bytes())["end"]["folder"])
    return folder


def _printed_values(book: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a spec that can change a printed file: all but ``price``."""
    return {key: value for key, value in book.items() if key != "price"}


_OTHER_PROGRAM = Editor()


class SpecFile(Generic[AnySpec]):
    """Spec file that is open in the studio, with its undo history.

    Args:
        path: the file.
        model: the class of the spec.
        read: function that reads a text as a spec of this class, as if it were the content of the file at the
            path. It raises ``SpecError`` if the text is not YAML.
        good_file: the saved copy of the last version without problems, for use after a restart.
        follow_up: function that gets the text after a change, before it is written. It returns the text with
            further changes that must be made in the same step.
    Raises:
        OutputError: the file can't be read.
    """

    def __init__(
        self,
        path: Path,
        model: type[AnySpec],
        read: Callable[[Path, str], Document[AnySpec]],
        good_file: Path,
        follow_up: Callable[[str], str] = str,
    ) -> None:
        self.path = path
        self._follow_up = follow_up
        self._good_file = good_file
        # Cache for the last result of ``mending_facts``: the version of the text for which it was computed,
        # and the result. The version is -1 if nothing was computed yet.
        self._mending: tuple[int, dict[str, Any] | None] = (-1, None)
        self.version = 0
        self._model = model
        self._read_spec = read
        self._document: Document[AnySpec] | None = None
        self._document_version = -1
        # Facts about the last text that could be read: the values of its keys, and for each key its lines
        # and its path.
        self._values: dict[str, Any] = {}
        self._lines: list[list[str | int]] = []

        self._undo: list[Step] = []
        self._redo: list[Step] = []
        self.text, self._byte_order_mark = self._read()
        self._text_on_disk = self.text
        # Facts for the browser about a text that ``show_plain`` has set; None if it was not called.
        self._reading: dict[str, Any] | None = None

    @property
    def document(self) -> Document[AnySpec]:
        """The spec in the current text of the file, with its problems.

        If the text is not YAML, this is the only problem.
        """
        if self._document is None or self._document_version != self.version:
            self._document, self._document_version = self._parse(self.text), self.version
        return self._document

    @property
    def spec(self) -> AnySpec | None:
        return None if self.document.problems else self.document.model

    @property
    def unreadable_line(self) -> int | None:
        """Number of the line because of which the text can't be read; None if the text can be read."""
        if self.document.model:
            return None
        # The YAML parser may notice a mistake only on the line after it. If linkpress knows how to repair the
        # mistake, it also knows the right line, so return that line.
        mending = self.mending_facts()
        return mending["line"] if mending else self.document.problems[0].line

    @property
    def blocker(self) -> dict[str, Any] | None:
        """The first problem that prevents a build, as JSON data; None if nothing prevents it.

        A build is prevented if the text can't be read, or if the boards of a level can't have the required
        difficulty.
        """
        problems = problem_facts(self.document.problems)
        if (line := self.unreadable_line) is not None:
            if mending := self.mending_facts():
                problems[0]["message"] = f"{mending['why']} {mending['place']}".strip()
            return problems[0] | {"line": line}
        stuck = (is_impossible(self.document, problem) for problem in self.document.problems)
        return next((facts for facts, is_stuck in zip(problems, stuck, strict=True) if is_stuck), None)

    @property
    def is_saved(self) -> bool:
        return self.text == self._text_on_disk

    def printed_values(self) -> dict[str, Any] | None:
        """Return the values that can change a printed file; None if there are problems."""
        spec = self.spec
        if spec is None:
            return None
        return _printed_values(spec.document() if isinstance(spec, BookSpec) else spec.source.value)

    def state(self) -> dict[str, Any]:
        """Return the current text of the spec file, the values of its keys and its problems, as JSON data.

        If the text can't be read, the values are taken from the last text that could be read. ``undo`` and
        ``redo`` describe the change that would be undone or redone next, or are null if there is none.
        ``lines`` lists the keys in the order of the file, each with the numbers of its lines.
        """
        document, good = self.document, None
        if document.model and not document.problems and self.is_saved:
            self._keep_good()
        if shown := document.model or (not self._values and self.good_document().model):
            self._values = shown.source.value
            self._lines = _lines_of(shown.source)
        if not document.model:
            with contextlib.suppress(OSError):
                when = datetime.fromtimestamp(self._good_file.stat().st_mtime)
                day = "" if when.date() == datetime.now().date() else f" on {when.day} {when:%B}"
                good = {"time": f"{when:%H:%M}{day}", "text": self.good_text()}
        problems, line, blocker = problem_facts(document.problems), self.unreadable_line, self.blocker
        if line is not None and blocker:
            problems[0] = blocker
        return {
            "good": good,
            "mending": self.mending_facts(),
            "text": self.text,
            "version": self.version,
            "title": Title(str(self._values.get("title") or self.path.stem)),
            "values": self._values,
            "lines": self._lines,
            "unreadable": line,
            "blocker": blocker,
            "undo": self._facts(self._undo),
            "redo": self._facts(self._redo),
            "problems": problems,
            "saved": self.is_saved,
            "reading": self._reading if self._undo else None,
        }

    def good_text(self) -> str:
        """Return the spec's last text that had no problems. Raises ``OSError`` if there is none."""
        return read_limited(self._good_file, MAX_BYTES).decode("utf-8")

    def good_document(self) -> Document[AnySpec]:
        """Return the last version of the spec without problems, or an empty document if there is none."""
        with contextlib.suppress(OSError):
            return self._parse(self.good_text())
        return Document(None, [])

    def _keep_good(self) -> None:
        # Saving the copy may fail, for example in a read-only folder. The studio also works without the
        # copy. Don't wait until the copy is on the disk (fsync), because this would take as long as the rest
        # of a change.
        with contextlib.suppress(OSError):
            if not self._good_file.is_file() or self._good_file.read_text(encoding="utf-8") != self.text:
                self._good_file.parent.mkdir(parents=True, exist_ok=True)
                self._good_file.write_text(self.text, encoding="utf-8", newline="")

    def mending_facts(self) -> dict[str, Any] | None:
        """Return, as JSON data, an edit that would solve the first problem; None if no such edit is known."""
        if self._mending[0] != self.version:
            found = next((problem for problem in self.document.problems if problem.line), None)
            mending = propose_mending(self.text, found, self._problems_of) if found else None
            facts = {**vars(mending), "place": self._place_words(mending)} if mending else None
            self._mending = self.version, facts
        return self._mending[1]

    def _place_words(self, mending: Mending) -> str:
        """Return a sentence that says to which key a wrongly indented line belongs.

        The sentence explains the edit that would repair the file. If this edit changes more than the
        indentation of a line, the result is empty.
        """
        model = self._parse(mending.text).model
        if model is None or mending.before.strip() != (mending.after or "").strip():
            return ""
        keys = [(int(line), tuple(path)) for line, _, *path in _lines_of(model.source)]
        own = min((path for line, path in keys if line == mending.line), key=len, default=(0,))
        beside = {line: path[-1] for line, path in keys if path[:-1] == own[:-1] and line != mending.line}
        if not beside or not isinstance(own[-1], str):
            return ""
        line = min(beside, key=lambda each: (each > mending.line, abs(each - mending.line)))
        words = say("lineUpAbove" if line < mending.line else "lineUpBelow", other=beside[line])
        match own[:-1]:
            case ("levels", int(index)):
                name = model.source.value["levels"][index].get("name") or index + 1
                return say("lineOfLevel", level=name, place=words)
            case (*_, owner):
                return say("lineOfKey", owner=owner, place=words)
        return f"{words[0].upper()}{words[1:]}"

    def _problems_of(self, text: str) -> Sequence[Problem] | None:
        document = self._parse(text)
        return document.problems if document.model else None

    def show_plain(self, text: str, reading: dict[str, Any]) -> None:
        """Show a text in which the user's own words for keys are replaced by linkpress's names of the keys.

        The file is not written now, but the user's next change writes the shown text to it. ``undo`` brings
        back the text of the file.

        Args:
            text: the text to show.
            reading: facts for the browser about the differences between the shown text and the file.
        """
        self._reading = reading
        if not self.is_saved:
            self.text = self._undo.pop().text
        self._accept(text, editor=Editor(None))

    def refresh(self) -> bool:
        """Read the file again. Return whether another program has changed it.

        Raises:
            OutputError: the file can't be read.
        """
        text, self._byte_order_mark = self._read()
        was, self._text_on_disk = self._text_on_disk, text
        if text in (was, self.text):
            return False
        self._accept(text)
        self._reading = None
        return True

    def change(self, change: Change, editor: Editor = _OTHER_PROGRAM, **known: Any) -> None:
        """Make one change, and write the file.

        Args:
            change: the change.
            editor: who makes the change.
            known: the argument ``was``, which may be left out. It is the value of the key that the user saw
                before the change, or None if the key was not set. If ``was`` is left out, the change is made
                even if somebody else has changed the key meanwhile.
        Raises:
            ConflictError: somebody else has given the key another value since the user saw it. Nothing is
                written.
            RefusedError: the change is wrong, or would cause a new problem. Nothing is written.
            OutputError: the file can't be read or written.
        """
        self.refresh()
        if known and self.document.model:
            value = value_at(self.document.model.source.value, change.path)
            if value not in (known["was"], change.value):
                raise ConflictError([(_shown(value), _shown(change.value))], change)
        text = self._edited(change)
        document = self._parse(text)
        self._refuse_new_problems(document, change.path)
        before, now = _places(change)
        self.write(text, now, editor, before)
        self._document, self._document_version = document, self.version

    def document_after(self, change: Change) -> Document[AnySpec]:
        """Return the content that the file would have after a change. Nothing is written.

        If the change gives puzzles other numbers, the numbers in keys such as ``replace`` are not corrected.
        This object isn't changed, so the method may be called while another thread uses the object.

        Raises:
            RefusedError: the change is wrong.
        """
        try:
            return self._parse(_edited(self._model, self.text, change))
        except (EditError, SpecError) as error:
            raise RefusedError(str(error)) from None

    def _edited(self, change: Change) -> str:
        try:
            return self._follow_up(_edited(self._model, self.text, change))
        except (EditError, SpecError) as error:
            raise RefusedError(str(error)) from None

    def replace_text(self, text: str, base: str, keep: str = "", editor: Editor = _OTHER_PROGRAM) -> None:
        """Write a new text of the whole file, even if it has problems.

        Changes that others have made to the file meanwhile are kept.

        Args:
            text: the new text.
            base: the text that the file had when the user began to edit it.
            keep: what to write if the user and somebody else have changed the same lines. ``mine`` writes
                the user's lines, ``theirs`` writes the lines of the other person. If it is empty, an error
                is raised.
            editor: who makes the change.
        Raises:
            ConflictError: the user and somebody else have changed the same lines, and ``keep`` is empty.
                Nothing is written.
            OutputError: the file can't be read or written.
        """
        self.refresh()
        sides = (self.text, text) if keep == "theirs" else (text, self.text)
        merged, clashes = merge(base, *sides)
        if clashes and not keep:
            raise ConflictError(clashes)
        self.write(merged, editor=editor)

    def write(
        self, text: str, path: KeyPath = (), editor: Editor = _OTHER_PROGRAM, before: KeyPath | None = None
    ) -> None:
        """Write a new text of the spec file, and keep the old text for ``undo``.

        Args:
            text: the new text.
            path: the key that was changed; empty if the user has edited the text.
            editor: who makes the change.
            before: the path that the key had before the change, if an entry of a list was moved.
        Raises:
            RefusedError: the text is too long.
            OutputError: the file can't be written.
        """
        if len(self._byte_order_mark) + len(text.encode()) > MAX_BYTES:
            raise RefusedError(f"a spec may have up to {MAX_BYTES >> 20} MiB; make the text shorter")
        self._save(text)
        if text != self.text:
            self._accept(text, path, editor, before)

    def undo(self, window: str | None = None) -> dict[str, Any]:
        """Undo the last change.

        Args:
            window: the window that asks. If another window or another program made the change, the change is
                not undone, so that the window can ask its user. With None, any change is undone.
        Returns:
            Facts as JSON data: ``step``, the last change, and ``isDone``, whether it was undone.
        """
        self.refresh()
        if window is not None and self._undo and self._undo[-1].editor.window not in (window, None):
            return {"step": self._facts(self._undo), "isDone": False}
        return self._step(self._undo, self._redo)

    def redo(self) -> dict[str, Any]:
        """Repeat the change that was last undone. Return facts about it, as ``undo`` does."""
        self.refresh()
        return self._step(self._redo, self._undo)

    def _step(self, source: list[Step], target: list[Step]) -> dict[str, Any]:
        facts = self._facts(source)
        if facts:
            self._save(source[-1].text)
            step = source.pop()
            back = replace(step, text=self.text, path=step.path_after, path_after=step.path, is_open=False)
            target.append(back)
            facts["path"] = list(back.path)
            self.text = step.text
            self.version += 1
        return {"step": facts, "isDone": bool(facts)}

    def _facts(self, steps: Sequence[Step]) -> dict[str, Any] | None:
        """Return facts about the last change in a list as JSON data; None if the list is empty.

        The facts are the label of the change, its key, its time, and who made it: a window of the studio,
        the studio itself or another program.

        Args:
            steps: the changes that can be undone, or those that can be redone.
        """
        if not steps:
            return None
        step = steps[-1]
        facts = {"label": _step_label(step.path, self._values), "path": list(step.path)}
        return {**facts, "time": f"{step.time:%H:%M}", **vars(step.editor)}

    def _accept(
        self, text: str, path: KeyPath = (), editor: Editor = _OTHER_PROGRAM, before: KeyPath | None = None
    ) -> None:
        step = Step(self.text, path, path if before is None else before, editor, datetime.now())
        if self._undo and self._undo[-1].includes(path, editor, step.time):
            step = replace(step, text=self._undo.pop().text)
        if step.text != text:
            self._undo.append(step)
        del self._undo[:-_MAX_UNDO_STEPS]
        self._redo.clear()
        self.text = text
        self.version += 1

    def _refuse_new_problems(self, document: Document[AnySpec], path: KeyPath) -> None:
        before = {(problem.key, problem.text) for problem in self.document.problems}
        new = [
            problem
            for problem in document.problems
            if (problem.key, problem.text) not in before and not is_impossible(document, problem)
        ]
        if new:
            at_path = [problem for problem in new if problem.key[: len(path)] == path]
            raise RefusedError("; ".join(problem.text for problem in at_path or new))

    def _parse(self, text: str) -> Document[AnySpec]:
        try:
            return self._read_spec(self.path, text)
        except SpecError as error:
            problems = [problem for problem in error.problems if isinstance(problem, Problem)]
            return Document(None, problems or [Problem("", str(error), (), str(self.path))])

    def _read(self) -> tuple[str, bytes]:
        """Return the file's text and its byte order mark. The mark is empty if there is none."""
        try:
            content = read_limited(self.path, MAX_BYTES)
            mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
            return content[len(mark) :].decode("utf-8"), mark
        except UnicodeDecodeError:
            raise OutputError(f"{self.path} is not UTF-8; save it as UTF-8.") from None
        except OSError as error:
            raise OutputError(f"{self.path} can't be read: {reason(error)}.") from None

    def _save(self, text: str) -> None:
        if text == self._text_on_disk:
            return
        if not os.access(self.path, os.W_OK):
            raise OutputError(f"{self.path} is read-only; change its permissions to edit it here.")
        write_file(self.path, self._byte_order_mark + text.encode("utf-8"))
        self._text_on_disk = text


def _places(change: Change) -> tuple[KeyPath, KeyPath]:
    """Return the key path of the changed key before the change, and its key path after the change.

    The two paths differ if an entry of a list is moved.
    """
    order = change.value if change.kind == "order" else ()
    moved = [index for index, old in enumerate(order) if old != index]
    if not moved:
        return change.path, change.path
    first, last = (*change.path, moved[0]), (*change.path, moved[-1])
    return (last, first) if order[moved[0]] == moved[-1] else (first, last)


def _step_label(path: KeyPath, values: Mapping[str, Any]) -> str:
    """Return a label that tells the user which key a change has set, such as "Squares of Tricky"."""
    if not path:
        return say("panes.file")
    label = label_of(str(path[-1]))
    match path:
        case ("levels", int(index), *inner):
            levels = values.get("levels")
            level = levels[index] if isinstance(levels, list) and index < len(levels) else {}
            name = str(level.get("title") or level.get("name") or say("level", number=index + 1))
            return say("stepOf", what=label, of=name) if inner else name
        case (*_, int(index)):
            return f"{label_of(str(path[-2])) if len(path) > 1 else ''} {index + 1}".strip()
    return label


def _lines_of(source: YamlSource) -> list[list[str | int]]:
    """Return the lines and the path of each key, in the order of the file.

    Only keys whose paths have up to three steps are returned. The keys of a difficulty level have such paths,
    for example ``levels``, 0, ``size``. More deeply nested keys are left out.

    Returns:
        For each key, its first line, the line after its last line, and the steps of its path. Empty lines and
        comments at the end are not counted.
    """
    lines = (source.text or "").split("\n")
    places = {**source.places, **source.key_places}
    keys = sorted(
        (
            (place.line, path)
            for path, place in places.items()
            if place.file == source.file and 0 < len(path) <= 3
        ),
        key=lambda each: each[0],
    )
    found: list[list[str | int]] = []
    for index, (line, path) in enumerate(keys, 1):
        others = (at for at, other in islice(keys, index, None) if at > line and other[: len(path)] != path)
        end = next(others, len(lines) + 1)
        while end > line + 1 and not lines[end - 2].partition("#")[0].strip():
            end -= 1
        found.append([line, end, *path])
    return found


def merge(base: str, mine: str, theirs: str) -> tuple[str, Clashes]:
    """Merge two changed versions of the same text, line by line.

    Args:
        base: the text before both changes.
        mine: the first changed version. If both versions change the same lines, the merged text has the lines
            of this version.
        theirs: the second changed version.
    Returns:
        The merged text, and the conflicts. A conflict is a place where the versions differ in the same lines.
        It has the lines of ``mine`` and the lines of ``theirs``.
    """
    lines = base.splitlines(keepends=True)
    edits = sorted(
        (start, end, side, new[first:last])
        for side, new in enumerate(text.splitlines(keepends=True) for text in (mine, theirs))
        for tag, start, end, first, last in SequenceMatcher(None, lines, new, False).get_opcodes()
        if tag != "equal"
    )
    merged, clashes, at = [], [], 0
    while edits:
        low, high, *_ = edits[0]
        group = []
        while edits and (edits[0][0] < high or edits[0][:2] == (low, low)):
            group.append(edits.pop(0))
            high = max(high, group[-1][1])
        own, other = ("".join(_with_edits(lines[low:high], low, group, side)) for side in (0, 1))
        sides = {side for _, _, side, _ in group}
        if len(sides) == 2 and own != other:
            clashes.append((own, other))
        merged += [*lines[at:low], other if sides == {1} else own]
        at = high
    return "".join([*merged, *lines[at:]]), clashes


def _with_edits(
    lines: list[str], low: int, edits: Iterable[tuple[int, int, int, list[str]]], side: int
) -> Iterator[str]:
    """Apply the edits of one version of a text to some lines of the old text. Yield the resulting lines.

    This is used to merge two changed versions of the old text. An edit replaces some lines of it.

    Args:
        lines: the lines of the old text.
        low: the index of the first of these lines in the whole old text.
        edits: the edits of both versions. Each has the index of the first line that it replaces, the index
            after the last such line, the number of its version (0 or 1), and the new lines.
        side: the number of the version whose edits are applied: 0 or 1.
    """
    at = low
    for start, end, whose, new in edits:
        if whose == side:
            yield from (*lines[at - low : start - low], *new)
            at = end
    yield from lines[at - low :]


def is_impossible(document: Document[Any], problem: Problem) -> bool:
    """Return whether a problem says that the boards of a level can't have the required difficulty.

    The studio saves a spec even if it has such a problem, and shows at once which changes would solve the
    problem.
    """
    match problem.key:
        case ("levels", int(index), "difficulty"):
            levels = getattr(document.model, "levels", ())
            return index < len(levels) and levels[index].difficulty is not None
    return False


_NO_KEY = "there is no such key"  # the start of messages about an unknown key


def problem_facts(problems: Iterable[Problem | str]) -> list[dict[str, Any]]:
    """Return problems as JSON data: the key, message and line of each problem.

    If only the message of a problem is given, as a text, the key is empty and the line is 0.
    """
    known = (each if isinstance(each, Problem) else Problem("", each) for each in problems)
    return [
        {"key": list(each.key), "message": _with_shown_names(each.text, each.key), "line": each.line}
        for each in known
    ]


def _with_shown_names(text: str, key: KeyPath) -> str:
    """Replace the names of keys and values in a message by the names that the window shows.

    For example, the design ``nest`` of a cover is called "Rainbow" as in the gallery, and an unknown key is
    called a setting.
    """
    if key and text.startswith(_NO_KEY):
        return (
            f"there is no setting called “{key[-1]}” here{text.removeprefix(_NO_KEY).removeprefix(' here')}"
        )
    if "the design " not in text:
        return text
    names = words()["designs"]
    return re.sub(
        r"(?<=the design )([\w-]+)|`([\w-]+)`", lambda found: names.get(found[1] or found[2], found[0]), text
    )


def _shown(value: Any) -> str:
    """Return the value of a key as text to show to the user; empty if the key has no value."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _edited(model: type[SpecModel], text: str, change: Change) -> str:
    text = _with_written_out(model, text, change.path)
    match change.kind:
        case "set":
            keys = list(fields_at(model, change.path[:-1]))
            text = with_value(_with_base(model, text, change.path), change.path, change.value, keys)
            return _without_own_colours(model, text, change.path)
        case "merge":
            for key, value in dict(change.value).items():
                kind = "unset" if value is None else "set"
                text = _edited(model, text, Change(kind, (*change.path, key), value))
            return text
        case "replace":
            values = parse_yaml(text, "").value
            given = {key: value for key, value in dict(change.value).items() if value is not None}
            contrary = [other for key in given for other in contrary_keys(values, (*change.path, key))]
            both = {**dict.fromkeys(contrary), **change.value}
            return _edited(model, text, Change("merge", change.path, both))
        case "unset":
            return _without_own_colours(model, without_key(model, text, change.path), change.path)
        case "order":
            return with_order(text, change.path, change.value)
        case "copy":
            return _with_copy(text, change.path)
        case "add":
            return _with_added(text, change.path, change.value)
    raise EditError(f"{change.kind}: there is no such change")


def without_key(model: type[SpecModel], text: str, path: KeyPath) -> str:
    """Remove a key.

    If the only key inside ``cover`` is removed, write ``cover: yes``, because without the key ``cover``, the
    book would have no cover. The same is done for other groups that a book has only if the spec asks for
    them.
    """
    text = without(text, path)
    if len(path) < 2 or not text.strip() or path[0] in parse_yaml(text, "").value:
        return text
    field = fields_at(model)[str(path[0])]
    is_off_by_default = model_of(field) is not None and default_words(field) == "no"
    return with_value(text, path[:1], "yes", list(fields_at(model))) if is_off_by_default else text


def _without_own_colours(model: type[SpecModel], text: str, path: KeyPath) -> str:
    """Remove the cover's own colours if ``path`` is the key of its design or palette."""
    cover = parse_yaml(text, "").value.get("cover") if path in _SHADED else None
    for key in OWN_COLOURS:
        if isinstance(cover, Mapping) and key in cover:
            text = without_key(model, text, ("cover", key))
    return text


def contrary_keys(values: Mapping[str, Any], path: KeyPath) -> list[str]:
    """Return the keys of the cover that the spec sets but that can't be set together with a given key.

    Args:
        values: the values of the spec.
        path: the path of the given key.
    """
    cover = values.get("cover")
    if path[0] != "cover" or len(path) != 2 or not isinstance(cover, Mapping):
        return []
    return [key for key in _CONTRARY.get(str(path[1]), ()) if key in cover]


def _with_added(text: str, path: KeyPath, value: Any) -> str:
    """Add ``value`` as the last entry of a list. If ``value`` is None, add a copy of the last entry."""
    entries = value_at(parse_yaml(text, "").value, path)
    if not isinstance(entries, list) or not entries:
        return with_value(text, path, [value])
    text = _with_copy(text, (*path, len(entries) - 1))
    return text if value is None else with_value(text, (*path, len(entries)), value)


def _with_copy(text: str, path: KeyPath) -> str:
    """Copy an entry of a list, and insert the copy after it.

    A copy of "Easy" is named "Easy 2", "Easy 3" etc.
    """
    entries: Any = parse_yaml(text, "").value
    for step in path[:-1]:
        entries = entries[step]
    index = int(path[-1])
    text = with_order(text, path[:-1], [*range(index + 1), *range(index, len(entries))])
    if not isinstance(entries[index], Mapping) or "name" not in entries[index]:
        return text
    names, stem = {entry.get("name") for entry in entries}, re.sub(r" \d+$", "", entries[index]["name"])
    new_name = next(name for name in (f"{stem} {number}" for number in count(2)) if name not in names)
    return with_value(text, (*path[:-1], index + 1, "name"), new_name)


def _with_base(model: type[SpecModel], text: str, path: KeyPath) -> str:
    """Prepare the text of a spec, so that the caller can set a new key in it. Return the text.

    In two cases, the key can't be set yet, and the text is changed. Otherwise, the text is returned
    unchanged.

    - The key belongs to a mapping, but the spec has only a name in its place, such as ``theme: bold``. This
      name is turned into a mapping: ``theme: {base: bold}``.
    - The key belongs to a level in an edition, but the edition's list of levels is too short. Empty entries
      are added until the list has an entry for this level.
    """
    if len(path) < 2 or not text.strip():
        return text
    values = parse_yaml(text, "").value
    match path:
        case ("editions", edition, "levels", int(index), *_):
            entries = values["editions"][edition].get("levels") or []
            if index >= len(entries):
                return with_value(text, path[:3], [*entries, *({} for _ in range(len(entries), index + 1))])
    name = values.get(str(path[0]))
    if isinstance(name, str) and "base" in fields_at(model, path[:1]) and path[1] != "base":
        return with_value(text, (path[0],), {"base": name})
    return text


def _with_written_out(model: type[SpecModel], text: str, path: KeyPath) -> str:
    """Prepare the text of a spec for changing one of its difficulty levels or weekdays.

    Instead of single levels or weekdays, a spec may have the key ``mix``, which says only how many puzzles
    of each difficulty are wanted. In this case, replace ``mix`` and the keys that belong to it by the levels
    or weekdays that linkpress generates from them.

    Returns:
        The new text. It is unchanged if ``path`` leads to no level or weekday, or if the spec has no key
        ``mix``.
    """
    recipes = next(key for key in ("levels", "week") if key in fields_at(model))
    if path[:1] != (recipes,) or not text.strip():
        return text
    source = parse_yaml(text, "")
    if source.value.get(recipes) is not None or not source.value.keys() & {*MIX_KEYS}:
        return text
    expanded, _ = expand_mix(source) if recipes == "levels" else expand_week(source)
    text = with_value(text, (recipes,), expanded.value.get(recipes), list(fields_at(model)))
    for key in source.value.keys() & {*MIX_KEYS}:
        text = without(text, (key,))
    return text


# Functions that list, create, copy, rename and discard spec files, and the class for an entry of the list


@dataclass(frozen=True)
class ListedSpec:
    """Entry in the list of a folder's books and feeds.

    Args:
        path: the file's path relative to the folder.
        kind: ``book`` or ``feed``.
        title: the title, or the file's name if the spec can't be read.
        state: the state of a book: ``new`` (not built yet), ``built``, ``changed`` (since it was built),
            ``invalid``, or ``rough`` (``linkpress fix`` may solve its problems). For a feed, ``feed``.
        cover: the modification time of the built book's cover in nanoseconds; empty without a cover.
        is_volume: whether the book is a numbered volume of a series.
        when: for a built book, the time of its build, such as "today at 14:42". For a feed, its last day that
            is made, such as "December 14". For a file that can't be read, the line of its error. Otherwise
            empty.
        problem: the first problem of a book whose file can be read, as in ``problem_facts``, or None.
        version: the modification time of the spec in nanoseconds.
    """

    path: str
    kind: str
    title: str
    state: str
    cover: str
    is_volume: bool = False
    when: str = ""
    problem: Mapping[str, Any] | None = None
    version: int = 0


def spec_paths(folder: Path) -> set[Path]:
    return {path for pattern in _SPEC_PATTERNS for path in folder.glob(pattern)}


def list_specs(folder: Path, out: Path) -> Iterator[ListedSpec]:
    """Find the specs in a folder and its direct subfolders.

    The folders of built books are skipped. A spec is left out if other specs are based on it.
    """
    listed: list[tuple[Path, ListedSpec]] = []
    bases: set[Path] = set()
    for path in sorted(spec_paths(folder)):
        # Skip a path that can't be read, or that is a link to itself.
        with contextlib.suppress(LinkpressError, OSError, UnicodeError, RuntimeError):
            path.name.encode()  # This raises UnicodeEncodeError if the name can't be written as UTF-8.
            place = path.resolve()
            is_inside = place.is_relative_to(folder.resolve()) and not place.is_relative_to(out.resolve())
            is_inside &= path.relative_to(folder).parts[0] != TRASH
            if is_inside and path.is_file():
                version = path.stat().st_mtime_ns
                found = _listed(path, folder, out, bases)
                listed += ((place, replace(spec, version=version)) for spec in found)
    return (spec for place, spec in listed if place not in bases)


def _listed(path: Path, folder: Path, out: Path, bases: set[Path]) -> Iterator[ListedSpec]:
    """If a file is a spec, yield its entry for the list of specs.

    Add the paths of the specs that it is based on to ``bases``.
    """
    name = path.relative_to(folder).as_posix()
    try:
        document = read_spec(path)
        source = document.model.source if document.model else read_yaml(path)
    except SpecError as error:
        line = next((str(each.line) for each in error.problems if isinstance(each, Problem)), "")
        # The file is not valid YAML. List it if it looks like a spec, so that the user can correct it.
        text = read_limited(path, MAX_BYTES).decode("utf-8", "replace")
        if re.search(r"^\W*(title|levels|puzzles|mix|week)\b", text, re.MULTILINE):
            good = good_file(path, out)
            if good.is_file():
                with contextlib.suppress(LinkpressError):
                    kept = read_spec(path, good.read_text(encoding="utf-8"))
                    cover = built_cover(path, out, kept)
                    time_ns = str(cover.stat().st_mtime_ns) if cover else ""
                    yield ListedSpec(name, "book", kept.checked().title, "invalid", time_ns, when=line)
                    return
            named = re.search(r"""^title: *["']?(.*?)["']? *(#.*)?$""", text, re.MULTILINE)
            title = Title((named and named[1]) or path.stem)
            yield ListedSpec(name, "book", title, "invalid", "", when=line)
        return
    keys, title = source.value, Title(str(source.value.get("title") or path.stem))
    bases |= {Path(base.file).resolve() for base in source.bases}
    if "levels" in keys:
        cover = built_cover(path, out, document)
        cover_time_ns = str(cover.stat().st_mtime_ns) if cover else ""
        state, when = build_state(path, out, document)
        if state == "invalid" and plain_spec(read_yaml(path), BookSpec).notes:
            state = "rough"
        problem = next(iter(problem_facts(document.problems[:1])), None)
        yield ListedSpec(name, "book", title, state, cover_time_ns, "volume" in keys, when, problem)
    elif "week" in keys:
        until = _made_until(out, str(keys.get("id", "")))
        yield ListedSpec(name, "feed", title, "feed", "", when=until)


def _made_until(out: Path, feed: str) -> str:
    from linkpress.feeds.feed_folder import read_folder

    with contextlib.suppress(LinkpressError, OSError):
        last = read_folder(out / feed, feed).last_day if feed else None
        return f"{last:%B} {last.day}" if last else ""
    return ""


def build_state(path: Path, out: Path, document: Document[BookSpec]) -> tuple[str, str]:
    """Return the state of a book, as in ``ListedSpec``, and the time of its last build."""
    spec = document.model
    if spec is None or document.problems:
        return "invalid", ""
    with contextlib.suppress(LinkpressError, OSError, ValueError, KeyError, AttributeError):
        folder = built_folder(path, out, spec)
        if (folder / INTERIOR_FILE).is_file():
            built = volume_head(folder / VOLUME_FILE)
            # The build is current if the text of the spec is the same as when it was built. If the text
            # differs, compare the values of the keys that can change a printed file. The values alone can't
            # decide: another version of linkpress may have stored the same values in another form.
            is_current = built["spec_sha256"] == spec.sha256 or (
                _printed_values(built["book"]) == _printed_values(spec.document())
            )
            when = time_words((folder / INTERIOR_FILE).stat().st_mtime)
            return ("built" if is_current else "changed"), when
    return "new", ""


def time_words(time_s: float) -> str:
    """Return a past time, in seconds since 1970, as words: "today at 14:42", or else "on November 3"."""
    time, today = datetime.fromtimestamp(time_s), datetime.now().date()
    days = {today: "today", today - timedelta(days=1): "yesterday"}
    day = days.get(time.date())
    return f"{day} at {time:%H:%M}" if day else f"on {time:%B} {time.day}"


def built_cover(path: Path, out: Path, document: Document[BookSpec]) -> Path | None:
    """Return the path of a built book's cover; None if there is no cover.

    Args:
        path: the book's spec file.
        out: the folder of built books.
        document: the content of the spec file.
    """
    with contextlib.suppress(LinkpressError, OSError):
        # If the spec has problems, take its last version without problems.
        if document.problems:
            document = read_spec(path, good_file(path, out).read_text(encoding="utf-8"))
        if document.model is not None and not document.problems:
            cover = built_folder(path, out, document.model) / COVER_FILE
            return cover if cover.is_file() else None
    return None


def create_spec(folder: Path, like: str, title: str, answers: GuidedAnswers | None = None) -> Path:
    """Write the spec of a new book or feed.

    Args:
        folder: the folder to write to.
        like: the example book to start from, or ``NEWSPAPER`` for a feed. Not used with ``answers``.
        title: the title of the new book or feed.
        answers: the user's answers to the questions of the form for a new book; None to start from an
            example.
    Returns:
        The path of the new file. For a series, the path of the first volume.
    Raises:
        UsageError: the title is empty, or there is no such example.
        OutputError: the new file exists already, or can't be written.
    """
    if not title.strip():
        raise UsageError("a title is needed")
    name = slug(title)
    path = folder / f"{name}.yaml"
    if answers is not None:
        texts = {path: guided_text(title, answers)}
    elif like == NEWSPAPER:
        text = with_value(init_text(str(path), feed=True), ("title",), title.strip())
        texts = {path: with_value(text, ("id",), name)}
    elif len(example_books().get(like, ())) > 1:
        texts = example_texts(like, folder / name)
    else:
        texts = {
            file: with_value(text, ("title",), title.strip())
            for file, text in example_texts(like, path).items()
        }
    for file in texts:
        if file.exists():
            raise OutputError(f"{file.name} exists already; choose another title.")
    write_files(texts)
    return next(file for file, text in texts.items() if re.search(r"^seed:", text, re.MULTILINE))


def add_spec(folder: Path, name: str, text: str) -> Path:
    """Write a spec into a folder, after the user has dropped its file on the window.

    Return the path of the new file.

    Args:
        folder: the folder to write to.
        name: the file name of the spec. If a file has this name, a number is added.
        text: the text of the spec.
    Raises:
        UsageError: a spec can't have this name, or the text is neither a book nor a feed.
        OutputError: the file can't be written.
    """
    path = (folder / name).with_suffix(Path(name).suffix.lower())
    if Path(name).name != name or path.suffix not in YAML_SUFFIXES:
        raise UsageError(f"{name}: only a file that ends in .yaml can be dropped here.")
    target = _free_path(path)
    write_file(target, text)
    try:
        is_listed = any(_listed(target, folder, folder, set()))
    except LinkpressError:
        is_listed = False
    if not is_listed:
        target.unlink()
        raise UsageError(f"{name}: this is neither a book with levels nor a newspaper feed with a week.")
    return target


def _free_path(path: Path) -> Path:
    """Return a path at which there is no file.

    If there is a file at the given path, a number is added to the name, as in ``book-2.yaml``. It is the
    first number with which the path is free.
    """
    others = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(place for place in chain([path], others) if not place.exists())


def copy_spec(path: Path, kind: str) -> Path:
    """Write a copy of a spec beside it, without its ISBNs and its ``id``.

    Args:
        path: the spec.
        kind: ``copy`` for the same puzzles, ``new`` for new puzzles, or ``volume`` for the next volume of the
            series with new puzzles. A volume keeps the title; the other copies get a number after it.
    Returns:
        The path of the copy, which ends in the first free number.
    Raises:
        UsageError: the spec has problems; or ``kind`` is ``volume``, and the spec is not a volume of a
            series.
        OutputError: the copy can't be written.
    """
    values = read_spec_source(path).value
    title = str(values.get("title", path.stem)).strip()
    text = read_limited(path, MAX_BYTES).decode("utf-8-sig")
    volume = str(values.get("volume", ""))
    if kind == "volume" and not volume.isdecimal():
        raise UsageError(
            "This book has no volume number, so a next volume can't be made: open the book, and enter its "
            "volume number in “All settings” of “Whole book”."
        )
    stem = re.sub(r"[-_ ]*\d+$", "", path.stem) or path.stem
    first = int(volume) + 1 if kind == "volume" else 2
    paths = ((number, path.with_name(f"{stem}-{number}{path.suffix}")) for number in count(first))
    number, target = next((number, target) for number, target in paths if not target.exists())
    keys = parse_yaml(text, str(path)).value
    for key in keys.keys() & {"id", "isbn"}:
        text = without(text, (key,))
    editions = keys["editions"] if isinstance(keys.get("editions"), dict) else {}
    for name, edition in editions.items():
        if isinstance(edition, dict) and "isbn" in edition:
            text = without(text, ("editions", name, "isbn"))
    if kind == "volume":
        text = with_value(text, ("volume",), str(first))
    else:
        text = with_value(text, ("title",), f"{title} {number}")
    if kind != "copy":
        text = with_value(text, ("seed",), str(secrets.randbelow(10**12)))
    elif "seed" not in values:  # Without a seed, the puzzles depend on the title, which has changed.
        text = with_value(text, ("seed",), title[:MAX_SEED].strip())
    write_file(target, text)
    return target


def reseed_spec(path: Path) -> Path:
    """Write a new seed into a spec, which gives it new puzzles. Return its path."""
    text = read_limited(path, MAX_BYTES).decode("utf-8-sig")
    write_file(path, with_value(text, ("seed",), str(secrets.randbelow(10**12))))
    return path


def spec_title(path: Path) -> str:
    """Return the title of a spec; empty if the file can't be read."""
    try:
        return str(read_spec_source(path).value.get("title", ""))
    except LinkpressError:
        return ""


def with_kept_puzzles(before: BookSpec, out: Path, text: str) -> str:
    """Return the text of a spec with another title, changed so that the book keeps its puzzles.

    If the spec has no key ``seed``, the puzzles depend on the title, so ``seed`` is added. If the spec has no
    key ``id``, the ledger and the book's folder identify the book by its title. After a change of the title,
    the puzzles of an earlier build would count as puzzles of another book, and the next build would have to
    make others. So ``id`` is added if the book was built or published before.

    Args:
        before: the spec before the change of its title.
        out: the folder of built books.
        text: the text after the change.
    """
    if "seed" not in before.model_fields_set:
        text = with_value(text, ("seed",), str(before.seed))
    if before.id is None:
        is_built = (book_folder(out, before) / INTERIOR_FILE).is_file()
        with contextlib.suppress(LinkpressError):
            if is_built or has_published(before, USUAL_LEDGER):
                return with_value(text, ("id",), before.book_id)
    return text


def rename_spec(path: Path, out: Path, name: str, title: str = "") -> Path:
    """Give a spec another file name, in the same folder. Return its new path.

    Args:
        path: the spec.
        out: the folder of built books.
        name: the new file name, with or without its suffix.
        title: the new title; empty to keep the title. The puzzles stay the same.
    Raises:
        UsageError: another file has this name, or it can't be the name of a file.
        OutputError: the new title can't be written.
    """
    stem = name.strip().removesuffix(path.suffix)
    if not re.fullmatch(r"\w[\w .,()-]*", stem):
        raise UsageError(f"{name}: a file can't have this name. Use letters, digits and spaces.")
    target = path.with_name(stem + path.suffix)
    if target != path and target.exists():
        raise UsageError(f"{target.name} exists already; choose another name.")
    if title := title.strip():
        text = with_value(read_limited(path, MAX_BYTES).decode("utf-8-sig"), ("title",), title)
        if spec := read_spec(path).model:
            text = with_kept_puzzles(spec, out, text)
        write_file(path, text)
    path.rename(target)
    return target


def discard_spec(folder: Path, path: Path) -> Path:
    """Move a spec to the folder ``.trash`` of the studio's folder. Return its new path.

    If a file of the same name is there, the spec gets a number at the end of its name.
    """
    target = _free_path(folder / TRASH / path.relative_to(folder))
    target.parent.mkdir(parents=True, exist_ok=True)
    return path.replace(target)


def restore_spec(folder: Path, name: str) -> None:
    """Move a spec back from the trash.

    Args:
        folder: the studio's folder.
        name: the path of the spec, as ``list_trash`` returns it.
    Raises:
        UsageError: there is no such spec in the trash, or another file has its name.
    """
    if name not in list_trash(folder):
        raise UsageError(f"{name} is not in the trash.")
    if (folder / name).exists():
        raise UsageError(f"There is another {name}. Rename that one first.")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / TRASH / name).rename(folder / name)


def list_trash(folder: Path) -> list[str]:
    """Return the specs in the trash, as paths relative to the studio's folder."""
    return sorted(path.relative_to(folder / TRASH).as_posix() for path in spec_paths(folder / TRASH))


def list_pictures(folder: Path) -> list[str]:
    """Return up to 200 pictures in a folder and its direct subfolders, as paths relative to the folder."""
    paths = (path.relative_to(folder) for pattern in ("*", "*/*") for path in folder.glob(pattern))
    names = (path.as_posix() for path in paths if path.suffix.lower() in PICTURES)
    found: list[str] = []
    # An error means that a folder was deleted or moved while it was being read.
    with contextlib.suppress(OSError):
        found.extend(islice((name for name in names if not name.startswith(".")), _MAX_PICTURES))
    return sorted(found)


def save_picture(folder: Path, name: str, content: bytes, keep: str = "") -> str:
    """Write an uploaded picture into a book's folder. Return its file name.

    Args:
        folder: the folder of the book's spec.
        name: the file name of the picture.
        content: the bytes of the picture.
        keep: which pictures to keep if another one has this name: ``new`` replaces the other, and ``both``
            adds a number to the name. An empty text keeps the other, and raises an error.
    Raises:
        UsageError: the picture is not a JPEG or PNG, or its name is not allowed.
        ConflictError: another picture has this name, and ``keep`` is empty.
        OutputError: the file can't be written.
    """
    path = folder / name
    if path.name != name or not name.isprintable() or name[0] == ".":
        raise UsageError(
            f"{name}: rename the picture. Its name may have no slash, no invisible letter, no dot in front."
        )
    if path.suffix.lower() not in PICTURES:
        raise UsageError(f"{name}: the name of a picture must end in .jpg, .jpeg or .png")
    try:
        if not content.startswith(_PICTURE_HEADS):
            raise NoPictureError("is neither a JPEG nor a PNG")
        size_of_photo(io.BytesIO(content))
    except NoPictureError as error:
        raise UsageError(f"{name} {error}. Save it as JPEG or PNG.") from None
    if path.exists() and path.read_bytes() != content:
        if keep not in ("new", "both"):
            raise ConflictError
        path = _free_path(path) if keep == "both" else path
    write_file(path, content)
    return path.name
