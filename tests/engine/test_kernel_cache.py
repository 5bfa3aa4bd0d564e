"""Caches that are full, torn or out of reach cost time and nothing else."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linkpress.engine import kernel_cache

# One small kernel instead of all of them, and no process beside this one.
SCRIPT = """
import resource, sys
from linkpress.engine.kernels import compile as c
from linkpress.engine.kernels.dice import below
from linkpress.engine.kernel_cache import kernel_folder, kernels_are_kept
c.pkgutil.iter_modules = lambda path: []
c._cores = lambda: 1
if "full" in sys.argv:
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
print(c.warm_kernels(), kernels_are_kept(), kernel_folder())
"""


def warm(*words, **environment):
    """What a new process says: whether it compiled, whether that is kept, where."""
    run = [sys.executable, "-c", SCRIPT, *words]
    environment = {"PATH": os.environ["PATH"]} | environment
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    compiled, kept, folder = done.stdout.strip().split(" ", 2)
    return compiled == "True", kept == "True", folder


def files_in(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


@pytest.mark.skipif(sys.platform == "win32", reason="limits as in POSIX")
def test_a_full_disk_and_entries_that_a_crash_left_torn_cost_a_compilation_and_no_more(tmp_path):
    folder = str(tmp_path)
    assert warm("full", NUMBA_CACHE_DIR=folder) == (True, False, folder)
    assert files_in(folder) == []
    assert warm(NUMBA_CACHE_DIR=folder) == (True, True, folder)
    for kind, content in ((".nbi", b""), (".nbc", b"\x80\x05torn")):
        for path in files_in(folder):
            if path.suffix == kind:
                path.write_bytes(content)
        assert warm(NUMBA_CACHE_DIR=folder) == (True, True, folder)
    assert warm(NUMBA_CACHE_DIR=folder) == (False, True, folder)


@pytest.fixture
def only(monkeypatch, tmp_path):
    """No other folder than those that a test makes."""
    monkeypatch.setattr(kernel_cache, "_BESIDE_KERNELS", tmp_path / "file" / "beside")
    (tmp_path / "file").touch()
    monkeypatch.setattr(kernel_cache.config, "CACHE_DIR", "")
    monkeypatch.setattr(kernel_cache.platformdirs, "user_cache_path", lambda *_, **__: Path("~/.cache/x"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return kernel_cache.kernel_folder.__wrapped__


def test_a_folder_that_cannot_be_made_is_passed_over_for_the_users(only, monkeypatch, tmp_path):
    monkeypatch.setattr(kernel_cache.config, "CACHE_DIR", str(tmp_path / "file" / "chosen"))
    monkeypatch.setattr(kernel_cache.platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "users")
    assert only() == tmp_path / "users" / "kernels"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners as in POSIX")
def test_without_a_home_kernels_are_kept_in_a_temporary_folder_of_the_users_alone(only, tmp_path):
    folder = only()
    assert folder == tmp_path / f"linkpress-{os.getuid()}"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not (tmp_path / "~").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners as in POSIX")
def test_a_temporary_folder_that_others_may_write_to_is_not_used(only, tmp_path):
    (tmp_path / f"linkpress-{os.getuid()}").mkdir()
    (tmp_path / f"linkpress-{os.getuid()}").chmod(0o777)
    assert only() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners as in POSIX")
def test_a_link_to_elsewhere_is_not_used(only, tmp_path):
    (tmp_path / "elsewhere").mkdir(0o700)
    (tmp_path / f"linkpress-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    assert only() is None


def test_without_any_temporary_folder_nothing_is_kept(only, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert only() is None
