import pytest

from linkpress.documents.lengths import Size, parse_length, parse_size


def test_lengths_and_sizes_are_read_with_their_units() -> None:
    assert parse_length("0.375in") == 27
    assert parse_length("25.4 mm") == 72
    assert parse_size("6x9in") == Size(432, 648)
    assert parse_size("A4").same_as(Size(595.28, 841.89))
    assert parse_size("Letter") == Size(612, 792)


@pytest.mark.parametrize("text", ["6", "6 9in", "in", "-1in", "1e3in", "६in", "9" * 40 + "in"])
def test_what_is_no_length_says_how_one_is_written(text: str) -> None:
    with pytest.raises(ValueError, match=r"0\.375in"):
        parse_length(text)


@pytest.mark.parametrize("text", ["8.5x11", "8.5inx11mm", "A9", "6x9in x"])
def test_what_is_no_page_size_says_how_one_is_written(text: str) -> None:
    with pytest.raises(ValueError, match="is not a page size: write width x height and a unit"):
        parse_size(text)
