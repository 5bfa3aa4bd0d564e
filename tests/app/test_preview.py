import pytest

from linkpress.app.preview import read_pages
from linkpress.errors import UsageError


@pytest.mark.parametrize(
    ("text", "pages"), [("2", [2]), ("1-3", [1, 2, 3]), ("4,1-2", [4, 1, 2]), ("3-99", [3, 4, 5])]
)
def test_page_ranges_are_read_in_their_order(text, pages):
    assert read_pages(text, 5) == pages


@pytest.mark.parametrize("text", ["", "0", "3-1", "x", "1-", "7"])
def test_page_ranges_that_mean_nothing_are_refused(text):
    with pytest.raises(UsageError, match="--pages"):
        read_pages(text, 5)
