"""The keys of a feed about its pages for the browser."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from linkpress.config.models import Keys
from linkpress.config.values import YesNo


class WebSpec(Keys):
    """A page to play on for each day, made when this key is given."""

    hints: Annotated[
        YesNo,
        Field(description="Whether a day's page gives hints, which tell the solution before its day."),
    ] = False
    earlier: Annotated[
        YesNo,
        Field(description="Whether it has the earlier issue's puzzle too, with its answer and hints."),
    ] = True
