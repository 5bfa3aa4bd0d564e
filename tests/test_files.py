import errno
import multiprocessing
import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from linkpress.book.spec import BookSpec
from linkpress.cli.streams import is_of_closed_pipe
from linkpress.errors import InstallationError, OutputError
from linkpress.files import (
    Batch,
    TooLargeError,
    check_place,
    hold_folder,
    is_device,
    read_within,
    remedy,
    sweep_parts,
    write_whole,
)
from linkpress.resources import resource


def test_a_file_appears_with_its_content_and_nothing_beside_it(tmp_path):
    write_whole(tmp_path / "new" / "a.txt", "é\n")
    assert (tmp_path / "new" / "a.txt").read_bytes() == "é\n".encode()
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["a.txt"]


def test_a_file_is_synced_whole_before_it_takes_the_place_of_the_old_one(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    target.write_text("old")
    synced = []

    def look(handle):
        synced.append((os.pread(handle, 99, 0), target.read_text()))

    monkeypatch.setattr(os, "fsync", look)
    write_whole(target, "new")
    assert synced == [(b"new", "old")]


def test_a_file_where_a_folder_should_be_is_an_output_error(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(OutputError, match="taken"):
        write_whole(tmp_path / "taken" / "a.txt", b"")


def test_a_written_file_gets_the_permissions_that_the_umask_gives(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a.txt", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_a_file_that_was_closed_to_others_stays_so(tmp_path):
    (tmp_path / "a.txt").touch(0o600)
    write_whole(tmp_path / "a.txt", "new")
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o600


def test_a_file_is_read_up_to_its_limit_and_not_beyond(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"12345")
    assert read_within(path, 5) == b"12345"
    with pytest.raises(TooLargeError):
        read_within(path, 4)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no /dev/zero")
def test_a_device_without_an_end_is_too_large():
    with pytest.raises(TooLargeError) as told:
        read_within(Path("/dev/zero"), 3 << 20)
    assert told.value.strerror == "it is larger than 3 MiB"


def test_a_name_that_no_file_can_have_is_a_file_that_cannot_be_read():
    with pytest.raises(OSError, match="null") as told:
        read_within(Path("a\0b"), 5)
    assert told.value.strerror


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "Free some space, or choose another place."),
        (errno.EACCES, "Change the permissions of the file or its folder, or choose another place."),
        (errno.EROFS, "The disk is mounted read-only: choose another place."),
        (errno.ENAMETOOLONG, "Shorten the name, or choose another place."),
        (errno.ESTALE, "The network drive is gone: connect it again, or choose another place."),
        (errno.EMLINK, "Check what is blocking that path, or choose another place."),
    ],
)
def test_a_failed_write_leaves_the_old_file_and_advice_that_fits(tmp_path, monkeypatch, number, advice):
    def refuse(handle):
        raise OSError(number, os.strerror(number))

    (tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OutputError) as refusal:
        write_whole(tmp_path / "a.txt", "new")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
    assert str(refusal.value).endswith(f"{os.strerror(number)}. Nothing was changed there. {advice}")


def test_a_folder_in_the_files_place_is_said_to_be_one(tmp_path):
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(OutputError, match=r"Is a directory.*A folder has that name: move it away"):
        write_whole(tmp_path / "a.txt", "new")


def test_a_place_is_looked_at_and_left_as_it_was(tmp_path):
    check_place(tmp_path / "new" / "folder" / "a.png")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="Part of its path is no folder, but a file"):
        check_place(tmp_path / "file" / "a.png")
    with pytest.raises(OutputError, match="A folder has that name"):
        check_place(tmp_path)


def test_parts_of_a_run_that_was_ended_by_force_are_swept_and_nothing_else(tmp_path):
    for name in (".linkpress-x1.part", ".other.part", "a.png", ".linkpress-x1.part.txt"):
        (tmp_path / name).touch()
    sweep_parts([tmp_path / "a.png", tmp_path / "none" / "c.png"])
    assert {path.name for path in tmp_path.iterdir()} == {".other.part", "a.png", ".linkpress-x1.part.txt"}


def test_a_folder_that_is_held_is_closed_to_threads_and_processes_and_leaves_nothing_behind(tmp_path):
    folder = tmp_path / "out" / "book"
    attempt = f"""
from pathlib import Path
from linkpress.files import hold_folder
from linkpress.errors import OutputError
try:
    with hold_folder(Path({str(folder)!r})):
        print("held")
except OutputError as fault:
    print(fault)
"""

    def in_another_process():
        return subprocess.run([sys.executable, "-c", attempt], capture_output=True, text=True).stdout

    def in_another_thread():
        with pytest.raises(OutputError) as refused, hold_folder(folder):
            pass
        return str(refused.value)

    with ThreadPoolExecutor(1) as threads, hold_folder(folder):
        for told in (in_another_process(), threads.submit(in_another_thread).result()):
            assert told.startswith(f"another linkpress is at work in {folder}.")
        worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(3600,))
        worker.start()
    try:
        assert list(tmp_path.iterdir()) == []
        assert in_another_process() == "held\n"  # though a worker that was forked then still lives
    finally:
        worker.kill()


def test_a_run_that_was_killed_neither_keeps_its_folder_nor_leaves_its_parts(tmp_path):
    dying = f"""
import os, signal
from pathlib import Path
from linkpress.files import Batch, hold_folder
with hold_folder(Path({str(tmp_path)!r})), Batch() as batch:
    batch.write(Path({str(tmp_path)!r}, "a"), b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", dying])
    assert len(list(tmp_path.iterdir())) == 2
    with hold_folder(tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [".linkpress.lock"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_where_the_file_system_has_no_locks_a_folder_is_held_by_a_file(tmp_path, monkeypatch, number):
    def refuse(handle, how):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    told = r"at work .* If none is there any more, .* delete .*\.linkpress\.lock\.held then"
    with hold_folder(tmp_path), pytest.raises(OutputError, match=told), hold_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_folders_are_taken_back_when_one_of_them_cannot_be_made(tmp_path, monkeypatch):
    real = os.mkdir

    def full(folder, *mode):
        if Path(folder) == tmp_path / "out" / "book" and (tmp_path / "out").exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        real(folder, *mode)

    monkeypatch.setattr(os, "mkdir", full)
    with pytest.raises(OutputError, match="No space left on device"), hold_folder(tmp_path / "out" / "book"):
        write_whole(tmp_path / "out" / "book" / "a", b"")
    assert list(tmp_path.iterdir()) == []


def refusing(name):
    """A rename that a file of this name withstands, as one that is mounted does."""
    real = os.replace

    def replace(part, path):
        if Path(path).name == name:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        real(part, path)

    return replace


def write_three(folder):
    with Batch() as batch:
        for name in ("a", "b", "c"):
            batch.write(folder / name, "new")
        batch.place()


def test_files_that_belong_together_are_all_written_before_one_is_replaced(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("old")
    (tmp_path / "c").mkdir()
    with pytest.raises(OutputError, match="Nothing was changed there"):
        write_three(tmp_path)
    assert [(tmp_path / name).read_text() for name in ("a", "b")] == ["old", "old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]
    (tmp_path / "c").rmdir()
    write_three(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys("abc", "new")


def test_what_took_its_place_before_one_that_does_not_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "replace", refusing("b"))
    with pytest.raises(OutputError) as told:
        write_three(tmp_path)
    assert "a took the place of what stood there before, and b, c did not" in str(told.value)
    assert "Nothing was changed" not in str(told.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_what_is_not_shipped_is_said_to_be_missing():
    with pytest.raises(InstallationError, match="config/none is not part of this installation"):
        resource("config", "none")


def test_a_device_s_name_is_known_whatever_its_suffix_and_one_that_only_begins_so_is_none():
    names = ["CON", "aux.yaml", "com1.txt", "LPT9", "COM\u00b2", "con .yaml", "CONOUT$"]
    assert [name for name in names if not is_device(name)] == []
    others = ["console", "auxiliary.yaml", "com10.txt", "book-con", "nul-book"]
    assert [name for name in others if is_device(name)] == []


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
