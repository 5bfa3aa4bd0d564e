"""File names from a template: a few known fields, nothing else, and never out of the folder."""

from __future__ import annotations

import datetime
import re
import string
from dataclasses import dataclass
from enum import StrEnum

from linkpress.documents.problem import invalid, shown
from linkpress.errors import UsageError
from linkpress.files import is_device
from linkpress.images.image_files import ImageFormat


class ImageKind(StrEnum):
    """The kinds of images, by what they show."""

    PUZZLE = "puzzle"
    SOLUTION = "solution"
    COMBINED = "combined"
    OVERLAY = "overlay"


FIELDS = ("date", "number", "what", "columns", "dpi")

_MAX_LENGTH = 200
_DATE_FORMAT = re.compile(r"(?:%[YymdjGVu]|[-_.])*")
_NUMBER_FORMAT = re.compile(r"0?[1-9]?d?")
_MAX_PART_BYTES = 180  # file systems take 255; the fields grow, and a file in the making has a longer name
_FORBIDDEN = frozenset('<>:"|?*\\')
_SUFFIXES = {suffix for kind in ImageFormat for suffix in (kind.suffix, f".{kind}")}
_SUFFIX = re.compile(f"(?:{'|'.join(map(re.escape, sorted(_SUFFIXES)))})$", re.IGNORECASE)
_EXAMPLE = "LINKS-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png"


@dataclass(frozen=True, slots=True)
class NameFields:
    """The values that a file's name is made of.

    Args:
        date: of the issue; None for undated images.
        columns: None where the width is given in millimetres.
    """

    date: datetime.date | None
    number: int
    what: ImageKind
    columns: int | None
    dpi: int


@dataclass(frozen=True, slots=True)
class Template:
    """A checked template; ``read_template`` makes one."""

    text: str
    fields: frozenset[str]

    def made(self, name: str) -> bool:
        """Tell whether a file may have its name from this template."""
        parts = string.Formatter().parse(_SUFFIX.sub("", self.text))
        pattern = "".join(
            re.escape(text) + ("" if field is None else r"[\w.-]+") for text, field, *_ in parts
        )
        return bool(_SUFFIX.search(name) and re.fullmatch(pattern, _SUFFIX.sub("", name)))

    def name(self, named: NameFields, suffix: str) -> str:
        """A file's name, with forward slashes where it lies in folders.

        Args:
            suffix: of the kind of file, as ``.png``; it takes the place of the template's own.
        Raises:
            UsageError: the template asks for a date or columns, and there are none.
        """
        for field in ("date", "columns"):
            if field in self.fields and getattr(named, field) is None:
                reason = (
                    "the images have no date" if field == "date" else "their width is given without columns"
                )
                raise UsageError(f"the name {self.text!r} uses {{{field}}}, but {reason}. Leave it out.")
        values = {name: getattr(named, name) for name in FIELDS}
        values["what"] = named.what.value
        return (
            _SUFFIX.sub("", self.text).format(**{k: v for k, v in values.items() if k in self.fields})
            + suffix
        )


def read_template(text: str) -> Template:
    """Check a template.

    Args:
        text: a relative path with fields in braces.
    Raises:
        InvalidError: it has other fields, formats that depend on the machine, or leads out of the folder.
    """
    fields = set()
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as fault:
        raise invalid(shown(text), f"not a template: {fault}; as {_EXAMPLE}") from None
    plain = ""
    for literal, field, spec, conversion in parts:
        plain += literal
        if field is None:
            continue
        plain += "x"
        fields.add(field)
        _check_field(text, field, spec or "", conversion)
    _check_path(text, plain)
    if "what" not in fields:
        raise invalid(shown(text), "{what} is needed, or puzzle and solution would have one name")
    return Template(text, frozenset(fields))


def _check_field(text: str, field: str, spec: str, conversion: str | None) -> None:
    if field not in FIELDS:
        allowed = ", ".join(f"{{{name}}}" for name in FIELDS)
        raise invalid(shown(f"{{{field}}}"), f"there is no such field; allowed: {allowed}")
    if conversion:
        raise invalid(shown(f"{{{field}!{conversion}}}"), "no conversion is allowed; leave it out")
    if field == "date":
        if not _DATE_FORMAT.fullmatch(spec):
            raise invalid(shown(spec), "a date's format is made of %Y %y %m %d %j %G %V %u and - _ .")
    elif field == "what":
        if spec:
            raise invalid(shown(spec), "{what} takes no format")
    elif not _NUMBER_FORMAT.fullmatch(spec):
        raise invalid(shown(spec), "a number's format is its digits, as 04")


def _check_path(text: str, plain: str) -> None:
    if not 0 < len(text) <= _MAX_LENGTH:
        raise invalid(f"{len(text)} characters", f"1 to {_MAX_LENGTH} are allowed")
    found = next((letter for letter in plain if letter in _FORBIDDEN or not letter.isprintable()), None)
    if found is not None:
        raise invalid(shown(text), f"the character {found!r} can't stand in a file's name everywhere")
    if plain[0] in "=+-@":
        raise invalid(shown(text), "programs that open tables take what begins with = + - @ for a formula")
    if plain.split("/")[0].lower() == "index.csv":
        raise invalid(shown(text), "index.csv is the feed's own table")
    for part in plain.split("/"):
        if len(part.encode()) > _MAX_PART_BYTES:
            raise invalid(shown(text), f"a file's or folder's name may have {_MAX_PART_BYTES} bytes")
        if part in ("", ".", ".."):
            raise invalid(
                shown(text), "the name must stay inside the output folder: no /, . or .. of its own"
            )
        if part.startswith(".") or part.endswith((".", " ")) or is_device(part):
            raise invalid(shown(text), f"{shown(part)!r} can't be a file's name everywhere")
    if plain.split("/")[-1].lower().startswith("manifest-"):
        raise invalid(shown(text), "names that begin with manifest- are the feed's own")
