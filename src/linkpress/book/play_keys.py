"""The keys of a book spec about the player, its page in the browser."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from linkpress.config.models import Keys
from linkpress.config.problem import invalid, shown
from linkpress.config.values import LeftOut, Reads, YesNo, written

_ADDRESS_WORDS = "a web address as `https://example.com/play.html`"
_LONGEST = 200  # a code of 20 mm still holds it with a puzzle's number behind it


def _read_address(value: object) -> str:
    text = written(value, _ADDRESS_WORDS)
    if not re.fullmatch(r"https?://[^\s/?#<>\"'\\]+[^\s#<>\"'\\]*", text, re.ASCII | re.IGNORECASE):
        message = f"{_ADDRESS_WORDS} is allowed: with https://, without blanks and #, which is added"
        raise invalid(shown(text), message)
    if len(text) > _LONGEST:
        raise invalid(f"{len(text)} characters", f"at most {_LONGEST} are allowed")
    return text


Address = Annotated[
    str,
    Reads(
        _read_address,
        _ADDRESS_WORDS,
        {"type": "string", "format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^#]+$"},
    ),
]


class PlaySpec(Keys):
    """The page in the browser, made when this key is given."""

    url: Annotated[
        Address | None,
        LeftOut("codes lead to puzz.link"),
        Field(description="Where `play.html` will lie; QR codes lead there, to each puzzle by its number."),
    ] = None
    answers: Annotated[YesNo, Field(description="Whether the page holds the answers.")] = False
    hints: Annotated[
        YesNo, Field(description="Whether it holds each puzzle's steps, given away one at a time.")
    ] = True
