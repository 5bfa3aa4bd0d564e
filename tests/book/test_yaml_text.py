from __future__ import annotations

from pathlib import Path

import pytest

from linkpress.book.yaml_text import MAX_BYTES, read_text
from linkpress.errors import SpecError


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbftitle: \xc3\x9c")
    assert read_text(path) == "title: Ü"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("title: Ü".encode("utf-16"), "UTF-16; save it as UTF-8"),
        ("title: Ü".encode("utf-32"), "UTF-32; save it as UTF-8"),
        ("title: Ü".encode("utf-16-le"), "NUL bytes"),
        ("a: 1\ntitle: Ü".encode("latin-1"), ":2:8 the byte 0xdc is not UTF-8"),
        (b"a: 1\nb: x\x07", ":2:5 the control character U+0007"),
        (b"\xed\xa0\x80", ":1:1 the byte 0xed"),
        (b"a" * (MAX_BYTES + 1), "over 1 MiB"),
    ],
)
def test_what_is_no_plain_utf8_text_is_refused_with_its_place(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        read_text(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_file_of_just_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a" * MAX_BYTES)
    assert len(read_text(path)) == MAX_BYTES


def test_a_folder_and_a_missing_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="this is a folder"):
        read_text(tmp_path)
    with pytest.raises(SpecError, match="no such file"):
        read_text(tmp_path / "none.yaml")
    with pytest.raises(SpecError, match="can't be read"):
        read_text(tmp_path / ("x" * 300))
    with pytest.raises(SpecError, match="can't be read"):
        read_text(Path("a\0b"))
