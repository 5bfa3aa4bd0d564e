import pytest

from linkpress.documents.json_text import MAX_VALUES, parse_json


def test_what_was_written_is_read_back():
    assert parse_json('{"a": [1, 0.5, null, "ü"]}'.encode()) == {"a": [1, 0.5, None, "ü"]}


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"NaN", b"\xff", b'"\\ud800"', b"[" * 300 + b"]" * 300, b"[" + b"," * MAX_VALUES],
    ids=["nothing", "half", "NaN", "bytes", "surrogate", "deep", "long"],
)
def test_what_cannot_be_written_again_or_is_too_much_is_refused(content):
    with pytest.raises(ValueError):  # noqa: PT011 - each says what it found in its own words
        parse_json(content)


def test_a_key_given_twice_is_named():
    with pytest.raises(ValueError, match='"a" is given twice'):
        parse_json(b'{"b": {"a": 1, "a": 2}}')
