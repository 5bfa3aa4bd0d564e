"""A small text file of a user's: found, of a sane size, UTF-8, without control characters."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import NoReturn

from linkpress.book.problem import Problem, fail
from linkpress.files import TooLargeError, read_within

MAX_BYTES = 1024 * 1024

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, a byte order mark left out.

    Raises:
        SpecError: it can't be opened, is over 1 MiB, or isn't plain UTF-8 text; says where.
    """
    content = _read_bytes(path)
    for mark, name in _WIDE_MARKS:
        if content.startswith(mark):
            _refuse(path, f"the file is {name}; save it as UTF-8")
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\0" in content:
        _refuse(path, "the file holds NUL bytes: it is not a text, or UTF-16; save it as UTF-8")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as fault:
        before = content[: fault.start].decode("utf-8")
        _refuse(path, f"the byte 0x{content[fault.start]:02x} is not UTF-8; save the file as UTF-8", before)
    found = _FORBIDDEN.search(text)
    if found:
        _refuse(path, f"the control character U+{ord(found[0]):04X} is not allowed", text[: found.start()])
    return text


def _read_bytes(path: Path) -> bytes:
    try:
        return read_within(path, MAX_BYTES)
    except IsADirectoryError:
        _refuse(path, "this is a folder; a YAML file is needed")
    except FileNotFoundError:
        _refuse(path, "there is no such file; `linkpress init` writes one to start from")
    except TooLargeError:
        _refuse(path, "the file is over 1 MiB; a spec is a few kilobytes")
    except OSError as fault:
        _refuse(path, f"the file can't be read: {fault.strerror}")


def _refuse(path: Path, message: str, before: str | None = None) -> NoReturn:
    """Fail at the end of the text ``before`` the fault, or for the file as a whole."""
    line = column = 0
    if before is not None:
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
    fail(Problem(str(path), line, column, "", "", message))
