import contextlib
import io
import shutil
import sqlite3
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest

from linkpress.app import doctor
from linkpress.app.doctor import CheckState, Result
from linkpress.engine import kernels
from linkpress.errors import OutputError, notify_nobody
from linkpress.ledger.address import ServerAddress
from linkpress.ledger.database import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.preflight.judged_file import Finding
from linkpress.resources import resource
from linkpress.verify.verification import Verification


def result_of(check, *args):
    """Run the check as ``linkpress doctor`` does."""
    return doctor.run_check("part", lambda: check(*args))


def check_ledger(address):
    return doctor.run_check("ledger", lambda: doctor.check_ledger(address, notify_nobody), "Try --ledger.")


def test_a_check_that_raises_is_broken_with_the_advice_of_its_error():
    def raise_import_error():
        raise ImportError("no module named segno\nand more")

    def raise_output_error():
        raise OutputError("it can't be written: disk full. Free some space.\nand more")

    broken = partial(Result, CheckState.BROKEN, name="a")
    assert doctor.run_check("a", raise_output_error) == broken(
        "it can't be written: disk full", "Free some space."
    )
    text = "ImportError: no module named segno"
    assert doctor.run_check("a", raise_import_error, "Reinstall it.") == broken(text, "Reinstall it.")
    assert doctor.run_check("a", lambda: Result(CheckState.FINE, "well")).name == "a"


def test_a_package_that_is_too_old_or_missing_is_named(monkeypatch):
    lines = ["reportlab>=999.1", "no-such-package>=1.0", "pillow>=1.0,<999", 'ruff>=999; extra == "dev"']
    monkeypatch.setattr(doctor, "requires", lambda name: lines)
    result = doctor.check_packages()
    found = f"reportlab is {version('reportlab')}, 999.1 or later is needed; no-such-package is missing"
    assert (result.state, result.text) == (CheckState.BROKEN, found)
    assert "pip install" in result.remedy


def test_a_missing_ledger_is_fine_if_it_can_be_created(tmp_path):
    result = check_ledger(tmp_path / "new" / "ledger.sqlite3")
    assert result.state is CheckState.FINE
    assert "none yet" in result.text
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    under = check_ledger(tmp_path / "file" / "ledger.sqlite3")
    assert under.state is CheckState.BROKEN
    assert "--ledger" in under.remedy


def test_a_ledger_is_counted_and_a_newer_or_damaged_one_is_broken(tmp_path):
    path = tmp_path / "ledger.sqlite3"
    with Ledger(path) as ledger, ledger.begin(Holder(Kind.VOLUME, "first"), ""):
        pass
    assert check_ledger(path) == Result(
        CheckState.FINE, f"{path} is sound: 0 puzzles published", name="ledger"
    )
    content = path.read_bytes()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    newer = check_ledger(path)
    assert newer.state is CheckState.BROKEN
    assert "newer linkpress" in newer.text
    assert "--ledger" in newer.remedy
    for damaged in (content[:-4096] + bytes(4096), b"nonsense" * 100):
        path.write_bytes(damaged)
        assert check_ledger(path).state is CheckState.BROKEN


def test_a_wrong_address_does_not_lead_to_advice_to_reinstall():
    pytest.importorskip("psycopg")
    result = check_ledger(ServerAddress("postgresql://house@host/house?no_such=1"))
    assert result.state is CheckState.BROKEN
    assert result.remedy == "Try --ledger."


def test_folders_that_can_not_be_written_or_have_gone_are_named_with_what_to_do(tmp_path, monkeypatch):
    current, under_a_file = tmp_path / "gone", tmp_path / "file" / "temporary"
    current.mkdir()
    monkeypatch.chdir(current)
    assert doctor.check_folders().state is CheckState.FINE
    (tmp_path / "file").touch()
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(under_a_file))
    poor = doctor.check_folders()
    assert poor.state is CheckState.POOR
    assert poor.text == f"can't be written: the temporary folder ({under_a_file})"
    current.rmdir()
    assert result_of(doctor.check_folders).state is CheckState.BROKEN


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_can_not_be_written(monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: io.FileIO("/dev/full", "w"))
    assert doctor.check_folders().text.startswith("can't be written: this folder")


@pytest.mark.parametrize("gone", ["themes", "starter.yaml"])
def test_a_missing_part_is_named_with_what_to_do(tmp_path, monkeypatch, gone):
    shutil.copytree(resource("config"), tmp_path / "config", ignore=shutil.ignore_patterns(gone))
    (tmp_path / "fonts").symlink_to(resource("fonts"))
    monkeypatch.setattr("linkpress.resources._PACKAGE", tmp_path / "src" / "linkpress")
    finding = result_of(doctor.check_files)
    assert finding.state is CheckState.BROKEN
    assert finding.text.startswith(f"config/{gone} is missing from the installation")
    assert "pip install --force-reinstall linkpress" in finding.remedy


CONFIG = resource("config")
# A file of each kind: book and feed at the top, and one file of each folder.
SHIPPED = [CONFIG / "starter.yaml", CONFIG / "feed-daily.yaml"]
SHIPPED += [max(folder.glob("*.yaml")) for folder in {path.parent for path in CONFIG.glob("*/*.yaml")}]


def test_a_damaged_file_of_each_shipped_kind_is_named(tmp_path, monkeypatch):
    config = tmp_path / "config"
    shutil.copytree(CONFIG, config)
    for path in {*config.glob("languages/*.yaml")} - {config / path.relative_to(CONFIG) for path in SHIPPED}:
        if path.stem != "en":  # each takes a tenth of a second, and one is damaged
            path.unlink()
    (tmp_path / "fonts").symlink_to(resource("fonts"))
    monkeypatch.setattr("linkpress.resources._PACKAGE", tmp_path / "src" / "linkpress")
    for path in SHIPPED:
        damaged = config / path.relative_to(CONFIG)
        damaged.write_text("nonsense: [1\n")
        finding = result_of(doctor.check_files)
        assert finding.text.startswith(str(damaged))
        assert finding.remedy == "Reinstall linkpress: pip install --force-reinstall linkpress."
        shutil.copy(path, damaged)


def test_compiled_kernels_are_fine_and_plain_python_is_poor_with_why(monkeypatch):
    monkeypatch.setattr(kernels, "WHY_PLAIN", "")
    assert doctor.check_kernels() == Result(CheckState.FINE, "compiled")
    monkeypatch.setattr(kernels, "WHY_PLAIN", "the engine was not compiled")
    result = doctor.check_kernels()
    assert (result.state, result.remedy) == (CheckState.POOR, kernels.COMPILE_REMEDY)
    assert result.text.endswith(": the engine was not compiled")


def test_one_puzzle_is_built_and_read_back_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert doctor.check_trial().state is CheckState.FINE
    assert list(tmp_path.iterdir()) == []


def test_a_puzzle_that_comes_back_wrong_is_broken(monkeypatch):
    finding = Finding("no answer", page=3, puzzle=1, file="interior.pdf")
    wrong = Verification("folder", ("interior.pdf",), 1, (finding,), ())
    monkeypatch.setattr("linkpress.verify.verification.verify_folder", lambda folder: wrong)
    result = doctor.check_trial()
    assert (result.state, result.text) == (CheckState.BROKEN, "a puzzle came back wrong: no answer")
    assert result.remedy
