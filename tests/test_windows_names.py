"""What Windows keeps for itself: names of devices, files that are open, and its own numbers of faults."""

import errno
import sys
import time
from pathlib import Path

import pytest

from linkpress.book.spec import BookSpec
from linkpress.cli.streams import is_of_closed_pipe
from linkpress.errors import OutputError
from linkpress.files import check_place, is_device, read_within, remedy, write_whole


@pytest.mark.parametrize("name", ["CON", "aux.yaml", "com1.txt", "LPT9", "COM\u00b2", "con .yaml", "CONOUT$"])
def test_a_device_s_name_is_known_whatever_its_suffix(name):
    assert is_device(name)


@pytest.mark.parametrize("name", ["console", "auxiliary.yaml", "com10.txt", "book-con", "nul-book"])
def test_a_name_that_only_begins_so_is_none(name):
    assert not is_device(name)


def test_on_windows_no_device_is_read_or_written(tmp_path, monkeypatch):
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


def test_a_book_s_id_is_no_device_anywhere():
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
def test_what_to_try_goes_by_windows_own_number(number, advice):
    fault = PermissionError(13, "Permission denied")
    assert remedy(fault, "choose another").startswith("Change the permissions of the file or its folder")
    fault.winerror = number
    assert remedy(fault, "choose another") == advice


@pytest.mark.parametrize(("times", "ends"), [(3, True), (9, False)])
def test_windows_is_given_time_where_another_program_reads_the_file_that_is_replaced(
    times, ends, tmp_path, monkeypatch
):
    """As the studio does while a book is built, and virus scanners do with what is new."""
    pauses = []
    replace = Path.replace

    def replace_when_closed(part, path):
        if len(pauses) < times:
            raise PermissionError(13, "Access is denied", str(path))
        return replace(part, path)

    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(Path, "replace", replace_when_closed)
    monkeypatch.setattr(sys, "platform", "win32")
    if ends:
        write_whole(tmp_path / "book.pdf", "new")
        assert (len(pauses), (tmp_path / "book.pdf").read_text()) == (times, "new")
    else:
        with pytest.raises(OutputError, match=r"book\.pdf can't be written: Access is denied"):
            write_whole(tmp_path / "book.pdf", "new")
        assert 1 < sum(pauses) < 2
    monkeypatch.setattr(sys, "platform", "linux")
    del pauses[:]
    with pytest.raises(OutputError):
        write_whole(tmp_path / "book.pdf", "newer")
    assert not pauses


def test_windows_says_of_a_pipe_without_a_reader_that_an_argument_is_invalid(monkeypatch):
    fault = OSError(errno.EINVAL, "Invalid argument")
    assert not is_of_closed_pipe(fault)
    monkeypatch.setattr(sys, "platform", "win32")
    assert is_of_closed_pipe(fault)
    assert not is_of_closed_pipe(OSError(errno.ENOSPC, "No space left on device"))
