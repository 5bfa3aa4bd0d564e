from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.documents.shipped_files import PRINTERS
from linkpress.documents.values import Size, parse_size
from linkpress.errors import SpecError, UsageError
from linkpress.printers import Bleed, check_line, check_text, check_tint, load_printer
from linkpress.resources import resource

SIX_BY_NINE = Size(432, 648)
LETTER = Size(612, 792)


@pytest.fixture
def kdp():
    return load_printer("kdp-paperback")


@pytest.mark.parametrize("name", PRINTERS.names())
def test_every_shipped_profile_carries_source_and_date(name):
    profile = load_printer(name)
    assert profile.name == name
    assert profile.source.endswith(profile.date.isoformat())
    assert profile.paper().pages.low >= 1


@pytest.mark.parametrize("name", PRINTERS.names())
@given(count=st.integers(1, 900), trim=st.sampled_from(["5x8in", "6x9in", "8.5x11in", "A4"]))
@settings(max_examples=25, deadline=None)
def test_page_count_is_the_least_multiple_that_holds_the_content(name, count, trim):
    profile, size = load_printer(name), parse_size(trim)
    pages, multiple = profile.pages_to_print(count, size), profile.page_multiple(size)
    needed = count + profile.page_count.last_blank
    assert pages % multiple == 0
    assert needed <= pages < needed + multiple


@pytest.mark.parametrize("name", PRINTERS.names())
def test_inside_margin_never_shrinks_as_pages_are_added(name):
    insides = [load_printer(name).margins(pages).inside_pt for pages in range(1, 830)]
    assert insides == sorted(insides)


@pytest.mark.parametrize(
    ("printer", "pages", "inside_in"),
    [
        ("kdp-paperback", 150, 0.375), ("kdp-paperback", 151, 0.5), ("kdp-paperback", 701, 0.875),
        ("lulu", 59, 0.5), ("lulu", 60, 0.625), ("lulu", 601, 1.25),
    ],
)  # fmt: skip
def test_the_gutter_grows_with_the_page_count(printer, pages, inside_in):
    assert load_printer(printer).margins(pages).inside_pt == pytest.approx(72 * inside_in)


def test_kdp_outer_margins_grow_with_bleed(kdp):
    assert kdp.margins(100).top_pt == 18  # 0.25 in
    assert kdp.margins(100, bleed=True).outside_pt == 27  # 0.375 in


@pytest.mark.parametrize("name", ["kdp-paperback", "ingramspark"])
def test_bleed_is_on_all_sides_but_the_spine(name):
    recto, verso = map(load_printer(name).bleed_of, (True, False))
    assert recto == Bleed(left_pt=0, right_pt=9, top_pt=9, bottom_pt=9)
    assert verso == Bleed(left_pt=9, right_pt=0, top_pt=9, bottom_pt=9)
    assert load_printer("lulu").bleed_of(recto=True).left_pt == 9


def test_ingram_adds_blank_pages_up_to_a_multiple():
    ingram = load_printer("ingramspark")
    assert ingram.pages_to_print(96, SIX_BY_NINE) == 102  # 97, then up to a multiple of 6
    assert ingram.pages_to_print(95, SIX_BY_NINE) == 96
    assert ingram.pages_to_print(96, LETTER) == 100


def test_the_spine_s_width_depends_on_paper_and_pages(kdp):
    assert kdp.spine_pt(200) == pytest.approx(200 * 0.002252 * 72)
    assert kdp.spine_pt(200, "cream") == pytest.approx(36)
    assert load_printer("lulu").spine_pt(444) == pytest.approx(72 * 1.06, abs=1e-4)


def test_text_on_the_spine_needs_pages_or_width(kdp):
    assert not kdp.spine_takes_text(78, 12.0)
    assert kdp.spine_takes_text(79, 12.0)
    ingram = load_printer("ingramspark")
    assert not ingram.spine_takes_text(400, 25.0)  # under 0.35 in
    assert ingram.spine_takes_text(400, 25.2)
    assert not load_printer("kdp-hardcover").spine_takes_text(400, 50.0)


@pytest.mark.parametrize(
    ("trim", "pages", "rules"),
    [
        (SIX_BY_NINE, 120, []), (Size(280, 648), 120, ["trim"]), (SIX_BY_NINE, 22, ["pages"]),
        (SIX_BY_NINE, 830, ["pages"]), (SIX_BY_NINE, 121, ["page multiple"]),
    ],
)  # fmt: skip
def test_each_broken_rule_is_reported(kdp, trim, pages, rules):
    assert [problem.key[0] for problem in kdp.check(trim, pages)] == rules


@pytest.mark.parametrize(
    ("check", "finest", "finer"), [(check_line, 0.75, 0.7), (check_text, 7, 6.9), (check_tint, 0.1, 0.09)]
)
def test_details_that_are_too_fine_to_print_are_a_problem(kdp, check, finest, finer):
    assert (len(check(kdp, finest)), len(check(kdp, finer))) == (0, 1)


def test_a_problem_with_a_profile_names_figure_source_and_remedy(kdp):
    text = str(kdp.check(SIX_BY_NINE, 830)[0])
    for part in ("830 pages", "24–828", "KDP Help, 2026-11-20", "another paper or trim"):
        assert part in text


def test_an_unknown_paper_lists_the_known_ones(kdp):
    with pytest.raises(UsageError, match="white, cream, groundwood"):
        kdp.paper("vellum")
    with pytest.raises(UsageError, match=r"Choose one of them, or a printer that has cream paper: .*lulu"):
        load_printer("generic").paper("cream")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("width: 3mm", "width: 3", "unit"),
        ("pages: 1-60", "pages: 1-50", "follow one another"),
        ("outside: 10mm", "outsid: 10mm", "margins.outsid: .*did you mean `outside`"),
        ("source: linkpress\n", "", "source: this key is needed"),
    ],
)
def test_an_invalid_profile_is_reported_with_its_key(tmp_path, old, new, message):
    text = resource("config", "printers", "generic.yaml").read_text("utf-8")
    assert old in text
    own = tmp_path / "own.yaml"
    own.write_text(text.replace(old, new))
    with pytest.raises(SpecError, match=message):
        load_printer(own)


@pytest.mark.parametrize("name", ["kdp-paperback", "kdp-hardcover", "ingramspark", "lulu"])
def test_a4_matches_the_rounded_size_that_a_printer_lists(name):
    """KDP, Ingram and Lulu write A4 as 8.27 × 11.69 in; 210 × 297 mm is 8.268 × 11.693 in."""
    profile = load_printer(name)
    listed = any(str(size) == "8.27 × 11.69 in" for size in profile.trims.sizes)
    assert (not profile.check(parse_size("A4"))) == listed
    assert profile.check(parse_size("8.3x11.69in")) or name == "kdp-paperback"


def test_a_figure_without_a_source_says_so_in_its_message():
    (problem,) = check_line(load_printer("lulu"), 0.5)
    assert "(unconfirmed; check with the printer)" in str(problem)


def lines(trim=SIX_BY_NINE, pages=100, paper="cream", **prices):
    costs = load_printer("kdp-paperback").costs
    exact = {currency: Fraction(price) for currency, price in prices.items()}
    first, *markets, last = costs.lines(trim, pages, paper, exact)
    assert "unconfirmed" in first
    return {"last": last, **dict(line.split(": ", 1) for line in markets if ": " in line)}


def test_a_thin_book_costs_a_fixed_amount():
    report = lines(USD="8.99")
    assert report["amazon.com"] == (  # 0.5 × 8.99 − 2.30, and both sides of the step
        "print 2.30 USD, least price 4.60 USD; at 8.99 USD 50%, 2.19 USD a copy; "
        "at 9.98 USD 50%, 2.69 USD a copy; at 9.99 USD 60%, 3.69 USD a copy"
    )
    assert report["last"] == "8 pages to spare until the print cost rises"
    assert lines(JPY="300")["amazon.co.jp"] == "print 422 JPY, least price 844 JPY"


def test_each_shop_that_refuses_the_price_is_named():
    costs = load_printer("kdp-paperback").costs
    prices = {"USD": Fraction("1.99"), "EUR": Fraction("4.10"), "JPY": Fraction(300)}
    assert list(costs.low_prices(SIX_BY_NINE, 100, "cream", prices)) == [
        "amazon.com will not take a price of 1.99 USD: at least 4.60 USD is needed",
        "amazon.co.jp will not take a price of 300 JPY: at least 844 JPY is needed",
    ]


def test_a_thick_or_large_book_costs_an_amount_per_page():
    assert lines(pages=200, USD="12")["amazon.com"].startswith("print 3.40 USD, least price 6.80 USD")
    large = lines(LETTER, 200)["amazon.com"]
    assert large.startswith("print 4.40 USD, least price 8.80 USD")  # 1 + 0.017 × 200
    assert lines(pages=200)["last"].endswith("changes the print cost by 0.024 USD")


@pytest.mark.parametrize(
    ("cost", "least"),
    [("4.99", "9.98"), ("4.995", "9.99"), ("5.40", "9.99"), ("6", "10")],  # above 9.98 at 60 %
)
def test_the_least_price_pays_for_the_print_on_its_side_of_the_step(cost, least):
    market = load_printer("kdp-paperback").costs.markets[0]
    assert market.least_price(Fraction(cost)) == Fraction(least)


@pytest.mark.parametrize(
    ("trim", "paper", "most"),
    [
        ("8.5x8.5in", "white", 590), ("8.5x8.5in", "cream", 550), ("8.5x8.5in", "premium-colour", 590),
        ("8.27x11.69in", "white", 780), ("8.27x11.69in", "cream", 730), ("8.5x9in", "white", 590),
        ("8.27x11.69in", "premium-colour", 590),
        ("8.25x6in", "white", 800), ("8.25x8.25in", "cream", 750), ("8.25x8.25in", "premium-colour", 800),
        ("8.5x11in", "white", 590), ("8.5x11in", "groundwood", 578), ("8x10in", "white", 828),
        ("6x9in", "cream", 776), ("8.5x11in", "cream", 550),
    ],
)  # fmt: skip
def test_large_trims_have_the_lowest_page_limit_of_all_sources(trim, paper, most):
    assert load_printer("kdp-paperback").page_limits(parse_size(trim), paper) == (24, most)


def test_a_shop_without_known_print_costs_tells_its_shares():
    costs = load_printer("kdp-paperback").costs
    assert list(costs.lines(SIX_BY_NINE, 100, "cream", {}))[-2] == (
        "linkpress doesn't know the print cost of 100 pages on cream paper at "
        "amazon.se (50% of a price below 99.00 SEK, else 60%), "
        "amazon.pl (50% of a price below 40.00 PLN, else 60%). Ask the printer's calculator"
    )


def test_figures_older_than_180_days_are_told_as_stale(kdp):
    assert list(kdp.stale(kdp.date + timedelta(days=180))) == []
    costs = kdp.costs.model_copy(update={"date": kdp.date - timedelta(days=1)})
    (old,) = kdp.model_copy(update={"costs": costs}).stale(kdp.date + timedelta(days=180))
    assert old == "the costs of kdp-paperback are 181 days old. Compare them with the printer's page"
