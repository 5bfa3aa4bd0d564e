"""This module tells what a copy costs to print and what is left of its price, by a printer's profile."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, NamedTuple

from pydantic import Field

from linkpress.documents.lengths import Size
from linkpress.documents.problem import invalid, shown
from linkpress.documents.values import Date, Share, ShortName, ValueReader, YesNo, percent_text, written
from linkpress.printers.profile_keys import Line, Pages, PageSize, PrinterKeys

_COST_WORDS = "an amount a copy, as 2.30, with what each page costs if it counts, as 1.00 + 0.012"
_WHOLE_CURRENCIES = ("JPY",)


class PrintCost(NamedTuple):
    """A copy costs a fixed amount, and an amount for each page."""

    fixed: Fraction
    page: Fraction

    def of(self, pages: int) -> Fraction:
        """Return the cost of a book of so many pages."""
        return self.fixed + pages * self.page


def _read_cost(value: object) -> PrintCost:
    text = written(value, _COST_WORDS)
    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,4})?)(?: *\+ *([0-9]{1,4}(?:\.[0-9]{1,6})?))?", text)
    if match is None:
        raise invalid(shown(text), _COST_WORDS)
    return PrintCost(Fraction(match[1]), Fraction(match[2] or 0))


Cost = Annotated[PrintCost, ValueReader(_read_cost, _COST_WORDS, {"type": ["string", "number"]})]
Amount = Annotated[
    Fraction,
    ValueReader(
        lambda value: _read_cost(value).fixed,
        "an amount, as 9.99",
        {"type": ["string", "number"]},
        lambda amount: f"{float(amount):g}",
    ),
]


class CostBand(PrinterKeys):
    """A copy with so many pages on some papers costs what this band says."""

    papers: tuple[ShortName, ...] = Field(min_length=1, description="The papers that it is for.")
    pages: Pages = Field(description="The books that it is for, by their number of pages.")
    regular: Cost = Field(description="What a copy costs.")
    large: Cost | None = Field(
        default=None, description="The same for large trims; as `regular` if left out."
    )


class Market(PrinterKeys):
    """A market is one shop: its currency, what it pays of the price, and what a copy costs there."""

    name: Line = Field(description="The shop.")
    currency: Line = Field(description="Of its prices, as `USD`.")
    royalty: Share = Field(description="The share of the list price, less the print cost, that is paid.")
    step: Amount | None = Field(
        default=None, description="The list price from which on it is paid; below it, `royalty_below`."
    )
    royalty_below: Share | None = Field(default=None, description="The share below `step`.")
    bands: tuple[CostBand, ...] = Field(min_length=1, description="What a copy costs.")

    def share(self, price: Fraction) -> Fraction:
        """Return the share that is paid of a price."""
        low = self.step is not None and self.royalty_below is not None and price < self.step
        return self.royalty_below if low and self.royalty_below else self.royalty

    def least_price(self, cost: Fraction) -> Fraction:
        """Return the lowest list price that pays for the print, in whole cents."""
        unit = Fraction(1, 1 if self.currency in _WHOLE_CURRENCIES else 100)
        for share in (self.royalty_below, self.royalty):
            price = unit * math.ceil(cost / share / unit) if share else Fraction(0)
            if share and self.share(price) == share:
                return price
        return max(price, self.step or price)

    def money(self, amount: Fraction) -> str:
        """Write an amount with the market's currency."""
        return f"{float(amount):.{0 if self.currency in _WHOLE_CURRENCIES else 2}f} {self.currency}"


class Costs(PrinterKeys):
    """A printer's prices were read on one day. They change: put your own in their place."""

    published: Line = Field(alias="source", description="Where the figures come from.")
    date: Date = Field(description="When they were read.")
    unconfirmed: YesNo = Field(
        default=False, description="Whether the printer's own page was not seen that day."
    )
    large_over: PageSize | None = Field(
        default=None, description="Trims that are wider or higher than this are large."
    )
    markets: tuple[Market, ...] = Field(min_length=1, description="The shops.")

    @property
    def source(self) -> str:
        """Return where the figures stand, with their date and whether they are unconfirmed."""
        return f"{self.published}, {self.date.isoformat()}{', unconfirmed' * self.unconfirmed}"

    def lines(self, trim: Size, pages: int, paper: str, prices: Mapping[str, Fraction]) -> Iterator[str]:
        """Yield for each market what a copy costs, the least price, and what the prices asked leave."""
        yield f"by {self.source}; before tax. Put your own figures into `costs:` of a profile of yours"
        rises: list[str] = []
        most = self.large_over
        is_large = most is not None and any(
            side > limit + 0.1 for side, limit in zip(trim, most, strict=True)
        )
        for market in self.markets:
            fitting = (band for band in market.bands if paper in band.papers)
            band = next((band for band in fitting if band.pages.low <= pages <= band.pages.high), None)
            if band is None:
                yield f"{market.name}: no figures for {pages} pages on {paper} paper"
                continue
            cost = band.large if is_large and band.large else band.regular
            facts = self._facts(market, cost.of(pages), prices.get(market.currency))
            yield f"{market.name}: {'; '.join(facts)}"
            if not cost.page:
                rises.append(f"{band.pages.high - pages} pages to spare until the print cost rises")
            else:
                leaf = f"{float(2 * cost.page):.3f} {market.currency}"
                rises.append(f"each leaf of two pages more or less changes the print cost by {leaf}")
        if rises:
            yield rises[0]

    def _facts(self, market: Market, cost: Fraction, price: Fraction | None) -> Iterator[str]:
        least = market.least_price(cost)
        yield f"print {market.money(cost)}, least price {market.money(least)}"
        if price is not None and price < least:
            yield f"{market.money(price)} is below the least price"
            return
        for asked in dict.fromkeys(filter(None, (price, *self._at_step(market, price, least)))):
            left = market.share(asked) * asked - cost
            yield f"at {market.money(asked)} {percent_text(market.share(asked))}, {market.money(left)} a copy"

    def _at_step(self, market: Market, price: Fraction | None, least: Fraction) -> Iterator[Fraction]:
        """Yield the prices on both sides of the step, unless the asked one is above it."""
        if market.step is not None and least <= market.step and (price is None or price < market.step):
            unit = Fraction(1, 1 if market.currency in _WHOLE_CURRENCIES else 100)
            if market.step - unit >= least:
                yield market.step - unit
            yield market.step
