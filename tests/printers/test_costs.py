"""Print costs, least prices and royalties, by a profile's figures."""

from fractions import Fraction

import pytest

from linkpress.documents.lengths import parse_size
from linkpress.printers.profile import load_printer

REGULAR, LARGE = parse_size("6x9in"), parse_size("8.5x11in")


def lines(trim=REGULAR, pages=100, paper="cream", **prices: str) -> dict[str, str]:
    costs = load_printer("kdp-paperback").costs
    given = {currency: Fraction(price) for currency, price in prices.items()}
    found = list(costs.lines(trim, pages, paper, given))
    assert "unconfirmed" in found[0]
    return {"last": found[-1], **dict(line.split(": ", 1) for line in found[1:-1])}


def test_a_thin_book_costs_the_fixed_amount_and_tells_the_pages_to_spare() -> None:
    found = lines(USD="8.99")
    assert found["amazon.com"] == (  # 0.5 × 8.99 − 2.30, and both sides of the step
        "print 2.30 USD, least price 4.60 USD; at 8.99 USD 50%, 2.19 USD a copy; "
        "at 9.98 USD 50%, 2.69 USD a copy; at 9.99 USD 60%, 3.69 USD a copy"
    )
    assert found["last"] == "8 pages to spare until the print cost rises"


def test_a_thick_or_large_book_costs_by_its_pages() -> None:
    assert lines(pages=200, USD="12")["amazon.com"].startswith("print 3.40 USD, least price 6.80 USD")
    assert lines(LARGE, 200)["amazon.com"].startswith(
        "print 4.40 USD, least price 8.80 USD"
    )  # 1 + 0.017 × 200
    assert lines(pages=200)["last"].endswith("changes the print cost by 0.024 USD")


@pytest.mark.parametrize(
    ("cost", "least"),
    [("4.99", "9.98"), ("4.995", "9.99"), ("5.40", "9.99"), ("6", "10")],  # above 9.98 at 60 %
)
def test_the_least_price_pays_for_the_print_on_its_side_of_the_step(cost: str, least: str) -> None:
    market = load_printer("kdp-paperback").costs.markets[0]
    assert market.least_price(Fraction(cost)) == Fraction(least)


def test_a_price_below_the_least_and_a_paper_without_figures_are_told() -> None:
    assert "300 JPY is below the least price" in lines(JPY="300")["amazon.co.jp"]
    assert lines(paper="premium-colour")["amazon.de"] == "no figures for 100 pages on premium-colour paper"


def test_page_limits_that_other_copies_have_lower_are_told() -> None:
    profile = load_printer("kdp-paperback")
    assert profile.page_doubts(parse_size("8.5x8.5in")) == [
        "828 pages at 8.5 × 8.5 in are doubtful: 590 by a copy of January 2026"
    ]
    assert profile.page_doubts(REGULAR) == []
