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

from linkpress.cli.process import is_broken_pipe
from linkpress.errors import InstallationError, OutputError
from linkpress.files import (
    MAX_JSON_VALUES,
    FileTransaction,
    TooLargeError,
    check_writable,
    is_device,
    kept_result,
    lock_folder,
    parse_json,
    read_limited,
    remedy,
    remove_temporary_files,
    write_file,
)
from linkpress.resources import resource


def test_a_file_is_synced_whole_before_it_takes_the_place_of_the_old_one(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    target.write_text("old")
    synced = []

    def fsync(handle):
        synced.append((os.pread(handle, 99, 0), target.read_text()))

    monkeypatch.setattr(os, "fsync", fsync)
    write_file(target, "new")
    assert synced == [(b"new", "old")]
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.txt", "new")]


def test_a_file_or_folder_in_the_way_is_an_output_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file"):
        write_file(tmp_path / "file" / "a.txt", b"")
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(OutputError, match=r"Is a directory.*A folder has that name: move it away"):
        write_file(tmp_path / "a.txt", "new")


def test_a_new_file_gets_the_permissions_that_the_umask_gives_and_an_old_one_keeps_its_own(tmp_path):
    (tmp_path / "old.txt").touch(0o600)
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new.txt", b"")
        write_file(tmp_path / "old.txt", "new")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"new.txt": 0o640, "old.txt": 0o600}


def test_a_file_is_read_up_to_its_limit_and_not_beyond(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"12345")
    assert read_limited(path, 5) == b"12345"
    with pytest.raises(TooLargeError):
        read_limited(path, 4)
    with pytest.raises(OSError, match="null") as error:
        read_limited(Path("a\0b"), 5)
    assert error.value.strerror


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no /dev/zero")
def test_an_endless_device_is_too_large():
    with pytest.raises(TooLargeError, match="larger than 3 MiB"):
        read_limited(Path("/dev/zero"), 3 << 20)


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "Free some space"),
        (errno.EACCES, "Change the permissions"),
        (errno.ESTALE, "The network drive is gone"),
        (errno.EMLINK, "Check what is blocking that path"),
    ],
)
def test_a_failed_write_leaves_the_old_file_and_gives_advice(tmp_path, monkeypatch, number, advice):
    def fail(handle):
        raise OSError(number, os.strerror(number))

    (tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match=f"Nothing was changed there. {advice}.*choose another place"):
        write_file(tmp_path / "a.txt", "new")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_checking_a_path_creates_nothing(tmp_path):
    check_writable(tmp_path / "new" / "folder" / "a.png")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="A part of its path is a file"):
        check_writable(tmp_path / "file" / "a.png")
    with pytest.raises(OutputError, match="A folder has that name"):
        check_writable(tmp_path)


def test_only_temporary_files_are_removed(tmp_path):
    for name in (".linkpress-x1.part", ".other.part", "a.png", ".linkpress-x1.part.txt"):
        (tmp_path / name).touch()
    remove_temporary_files([tmp_path / "a.png", tmp_path / "none" / "c.png"])
    assert {path.name for path in tmp_path.iterdir()} == {".other.part", "a.png", ".linkpress-x1.part.txt"}


def test_a_locked_folder_is_closed_to_threads_and_processes_and_leaves_nothing_behind(tmp_path):
    folder = tmp_path / "out" / "book"
    attempt = f"""
from pathlib import Path
from linkpress.files import lock_folder
from linkpress.errors import OutputError
try:
    with lock_folder(Path({str(folder)!r})):
        print("locked")
except OutputError as error:
    print(error)
"""

    def in_another_process():
        return subprocess.run([sys.executable, "-c", attempt], capture_output=True, text=True).stdout

    def in_another_thread():
        with pytest.raises(OutputError) as error, lock_folder(folder):
            pass
        return str(error.value)

    with ThreadPoolExecutor(1) as threads, lock_folder(folder):
        for message in (in_another_process(), threads.submit(in_another_thread).result()):
            assert message.startswith(f"another linkpress is at work in {folder}.")
        worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(3600,))
        worker.start()
    try:
        assert list(tmp_path.iterdir()) == []
        assert in_another_process() == "locked\n"  # although a forked worker is still alive
    finally:
        worker.kill()


def test_a_killed_run_leaves_neither_a_lock_nor_temporary_files(tmp_path):
    killed = f"""
import os, signal
from pathlib import Path
from linkpress.files import FileTransaction, lock_folder
with lock_folder(Path({str(tmp_path)!r})), FileTransaction() as transaction:
    transaction.write(Path({str(tmp_path)!r}, "a"), b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", killed])
    assert len(list(tmp_path.iterdir())) == 2
    with lock_folder(tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [".linkpress.lock"]
    assert list(tmp_path.iterdir()) == []


def test_without_file_locks_the_existence_of_a_file_is_the_lock(tmp_path, monkeypatch):
    def flock(handle, operation):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", flock)
    advice = r"at work .* an earlier one was killed: delete .*\.linkpress\.lock\.held then"
    with lock_folder(tmp_path), pytest.raises(OutputError, match=advice), lock_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_new_folders_are_removed_if_one_of_them_cannot_be_created(tmp_path, monkeypatch):
    real = os.mkdir

    def full(folder, *mode):
        if Path(folder) == tmp_path / "out" / "book" and (tmp_path / "out").exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        real(folder, *mode)

    monkeypatch.setattr(os, "mkdir", full)
    with pytest.raises(OutputError, match="No space left on device"), lock_folder(tmp_path / "out" / "book"):
        write_file(tmp_path / "out" / "book" / "a", b"")
    assert list(tmp_path.iterdir()) == []


def write_three(folder):
    with FileTransaction() as transaction:
        for name in ("a", "b", "c"):
            transaction.write(folder / name, "new")
        transaction.commit()


def test_all_files_of_a_transaction_are_written_before_the_first_is_replaced(tmp_path):
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


def test_a_failed_transaction_lists_the_files_that_were_replaced(tmp_path, monkeypatch):
    real = os.replace

    def replace(temporary, path):
        if Path(path).name == "b":
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        real(temporary, path)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(OutputError, match="there, a took the place of the old files, and b, c did not"):
        write_three(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_missing_resource_is_reported():
    with pytest.raises(InstallationError, match="config/none is missing from the installation"):
        resource("config", "none")


def test_windows_device_names_are_known_with_any_suffix():
    names = ["CON", "aux.yaml", "com1.txt", "LPT9", "COM\u00b2", "con .yaml", "CONOUT$"]
    assert [name for name in names if not is_device(name)] == []
    others = ["console", "auxiliary.yaml", "com10.txt", "book-con", "nul-book"]
    assert [name for name in others if is_device(name)] == []


def test_on_windows_no_device_is_read_or_written(tmp_path, monkeypatch):
    path = tmp_path / "aux.yaml"
    path.write_bytes(b"a file elsewhere")
    monkeypatch.setattr(sys, "platform", "win32")
    for write in (lambda: check_writable(path), lambda: write_file(path, "lost")):
        with pytest.raises(OutputError, match="Windows keeps the name aux"):
            write()
    with pytest.raises(OSError, match="for a device"):
        read_limited(path, 100)
    monkeypatch.undo()
    assert read_limited(path, 100) == b"a file elsewhere"


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (32, "Close every program in which the file is open, or choose another"),
        (206, "A folder above it is missing, or its path is over 259 letters: choose another"),
    ],
)
def test_windows_error_numbers_have_their_own_advice(number, advice):
    error = PermissionError(13, "Permission denied")
    assert remedy(error, "choose another").startswith("Change the permissions of the file or its folder")
    error.winerror = number
    assert remedy(error, "choose another") == advice


@pytest.mark.parametrize(("times", "succeeds"), [(3, True), (9, False)])
def test_on_windows_replacing_an_open_file_is_tried_again(times, succeeds, tmp_path, monkeypatch):
    pauses = []
    real = Path.replace

    def replace(temporary, path):
        if len(pauses) < times:
            raise PermissionError(13, "Access is denied", str(path))
        return real(temporary, path)

    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(sys, "platform", "win32")
    if succeeds:
        write_file(tmp_path / "book.pdf", "new")
        assert (len(pauses), (tmp_path / "book.pdf").read_text()) == (times, "new")
    else:
        with pytest.raises(OutputError, match=r"book\.pdf can't be written: Access is denied"):
            write_file(tmp_path / "book.pdf", "new")
        assert 1 < sum(pauses) < 2
    monkeypatch.setattr(sys, "platform", "linux")
    del pauses[:]
    with pytest.raises(OutputError):
        write_file(tmp_path / "book.pdf", "newer")
    assert not pauses


def test_on_windows_a_closed_pipe_is_an_invalid_argument(monkeypatch):
    error = OSError(errno.EINVAL, "Invalid argument")
    assert not is_broken_pipe(error)
    monkeypatch.setattr(sys, "platform", "win32")
    assert is_broken_pipe(error)
    assert not is_broken_pipe(OSError(errno.ENOSPC, "No space left on device"))


def test_a_kept_result_is_computed_once_for_each_key(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKPRESS_CACHE", str(tmp_path))
    computed = []

    def kept(key, result):
        return kept_result("figures", key, lambda: computed.append(key) or result)

    assert [kept("a", [1, "x"]), kept("a", [2])] == [[1, "x"]] * 2
    assert [kept("b", None), kept("b", 3)] == [None, 3]
    assert computed == ["a", "b", "b"]
    (tmp_path / "figures.json").write_text("[broken")
    assert kept("a", 4) == 4


def test_a_result_is_computed_if_the_cache_can_t_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LINKPRESS_CACHE", str(tmp_path / "file"))
    assert kept_result("figures", "a", lambda: 1) == 1
    assert kept_result("figures", "a", lambda: 2) == 2


def without_home(*_, **__):
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("cache_folder", [without_home, lambda *_, **__: "~/.cache/linkpress"])
def test_nothing_is_kept_for_a_user_without_a_home_folder(tmp_path, monkeypatch, cache_folder):
    monkeypatch.delenv("LINKPRESS_CACHE", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", cache_folder)
    monkeypatch.chdir(tmp_path)
    assert [kept_result("figures", "a", lambda: 1), kept_result("figures", "a", lambda: 2)] == [1, 2]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"NaN", b"\xff", b'"\\ud800"', b"[" * 300 + b"]" * 300, b"[" + b"," * MAX_JSON_VALUES],
    ids=["nothing", "half", "NaN", "bytes", "surrogate", "deep", "long"],
)
def test_invalid_or_huge_json_is_refused(content):
    with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
        parse_json(content)


def test_a_duplicate_key_in_json_is_named():
    with pytest.raises(ValueError, match='"a" is given twice'):
        parse_json(b'{"b": {"a": 1, "a": 2}}')
