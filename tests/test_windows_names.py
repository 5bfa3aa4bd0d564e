"""What Windows keeps for itself: names of devices, files that are open, and its own numbers of faults."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from linkpress.book.spec import BookSpec
from linkpress.errors import OutputError
from linkpress.files import check_place, is_device, read_within, remedy, write_whole


@pytest.mark.parametrize("name", ["CON", "aux.yaml", "com1.txt", "LPT9", "COM\u00b2", "con .yaml", "CONOUT$"])
def test_a_device_s_name_is_known_whatever_its_suffix(name: str) -> None:
    assert is_device(name)


@pytest.mark.parametrize("name", ["console", "auxiliary.yaml", "com10.txt", "book-con", "nul-book"])
def test_a_name_that_only_begins_so_is_none(name: str) -> None:
    assert not is_device(name)


def test_on_windows_no_device_is_read_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "aux.yaml"
    path.write_bytes(b"here it is a file")
    monkeypatch.setattr(sys, "platform", "win32")
    for write in (lambda: check_place(path), lambda: write_whole(path, "lost")):
        with pytest.raises(OutputError, match="Windows keeps the name aux"):
            write()
    with pytest.raises(OSError, match="for a device"):
        read_within(path, 100)
    monkeypatch.undo()
    assert read_within(path, 100) == b"here it is a file"


def test_a_book_s_id_is_no_device_anywhere() -> None:
    book = {"title": "T", "seed": 1, "levels": [{"name": "A", "count": 1, "size": 5}]}
    with pytest.raises(ValueError, match="Windows keeps this name for a device"):
        BookSpec.model_validate({**book, "id": "aux"})
    assert BookSpec.model_validate({**book, "title": "Aux"}).book_id == "book-aux"


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (5, "Close every program in which the file is open, or choose another"),
        (32, "Close every program in which the file is open, or choose another"),
        (206, "A folder above it has gone, or its path has over 259 letters: choose another"),
        (123, "Windows allows no such name: choose another"),
    ],
)
def test_what_to_try_goes_by_windows_own_number(number: int, advice: str) -> None:
    fault = PermissionError(13, "Permission denied")
    assert remedy(fault, "choose another").startswith("Change the permissions of the file or its folder")
    fault.winerror = number  # type: ignore[attr-defined]
    assert remedy(fault, "choose another") == advice
