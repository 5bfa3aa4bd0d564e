import shutil
import sqlite3
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement

from linkpress.book.ledger import Holder, Kind, Ledger
from linkpress.engine import kernels
from linkpress.errors import OutputError
from linkpress.newspaper.checkup import check_newspaper
from linkpress.press.checkup import installation, machine, trial
from linkpress.press.checkup.finding import Finding, State, fine, run_checks
from linkpress.press.readback import Fault, Verification
from linkpress.resources import resource


def test_a_check_that_raises_is_broken_and_stops_no_other():
    def raises():
        raise ImportError("no module named segno\nand more")

    def refuses():
        raise OutputError("it can't be written: disk full. Free some space.\nand more")

    first, told, second = run_checks({"a": raises, "c": refuses, "b": lambda: fine("well")})
    assert told == Finding("c", State.BROKEN, "it can't be written: disk full", "Free some space.")
    assert (first.name, first.state) == ("a", State.BROKEN)
    assert first.text == "ImportError: no module named segno"
    assert first.remedy
    assert second == Finding("b", State.FINE, "well")


def test_the_requirements_are_our_own_and_leave_out_the_extras():
    needed = {one.name for one in installation.required_packages()}
    assert {"reportlab", "pydantic", "python-sat"} <= needed
    assert "ruff" not in needed


def test_this_installation_is_fine():
    for check in (installation.check_python, installation.check_packages, installation.check_fonts):
        assert check()[0] is State.FINE
    assert "generic" in installation.check_printers()[1]


def test_a_package_too_old_and_one_missing_are_named(monkeypatch):
    lines = ("reportlab>=999.1", "no-such-package>=1.0", "pillow>=1.0", "python-sat>=1.9.dev9")
    needed = [Requirement(line) for line in lines]
    monkeypatch.setattr(installation, "required_packages", lambda: needed)
    state, text, remedy = installation.check_packages()
    found = distribution("reportlab").version
    assert state is State.BROKEN
    assert text == f"reportlab is {found}, 999.1 or later is needed; no-such-package is missing"
    assert "pip install" in remedy


def test_an_old_python_is_broken(monkeypatch):
    monkeypatch.setattr("platform.python_version", lambda: "3.10.12")
    assert installation.check_python()[0] is State.BROKEN


def test_a_missing_ledger_is_fine_where_it_can_be_made(tmp_path):
    state, text, _ = machine.check_ledger(tmp_path / "new" / "ledger.sqlite3")
    assert state is State.FINE
    assert "none yet" in text
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_is_counted_and_a_damaged_one_is_broken(tmp_path):
    path = tmp_path / "ledger.sqlite3"
    with Ledger(path) as ledger, ledger.begin(Holder(Kind.VOLUME, "first"), ""):
        pass
    assert machine.check_ledger(path) == (State.FINE, f"{path} is sound: 0 puzzles published", "")
    content = path.read_bytes()
    path.write_bytes(content[:-4096] + bytes(4096))
    assert machine.check_ledger(path)[0] is State.BROKEN
    path.write_bytes(b"nonsense" * 100)
    assert machine.check_ledger(path)[0] is State.BROKEN


def test_a_ledger_under_a_file_is_broken(tmp_path):
    (tmp_path / "taken").touch()
    state, _, remedy = machine.check_ledger(tmp_path / "taken" / "ledger.sqlite3")
    assert state is State.BROKEN
    assert "--ledger" in remedy


def test_a_newer_ledger_is_broken(tmp_path):
    path = tmp_path / "ledger.sqlite3"
    with Ledger(path):
        pass
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    state, text, remedy = machine.check_ledger(path)
    assert state is State.BROKEN
    assert "newer linkpress" in text
    assert "Update linkpress" in remedy


def test_folders_that_can_be_written_are_fine_and_others_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert machine.check_folders()[0] is State.FINE
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "file" / "temporary"))
    (tmp_path / "file").touch()
    state, text, _ = machine.check_folders()
    assert state is State.POOR
    assert text == f"can't be written: the temporary folder ({tmp_path / 'file' / 'temporary'})"


def test_a_folder_that_has_gone_is_broken_and_not_the_installation(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    state, text, remedy = machine.check_folders()
    assert (state, text.split(",")[0]) == (State.BROKEN, "this folder has gone")
    assert "another folder" in remedy


@pytest.mark.parametrize(
    ("check", "gone"),
    [
        (installation.check_files, "themes"),
        (check_newspaper, "newspapers"),
        (installation.check_files, "starter.yaml"),
        (installation.check_files, "six-grades.yaml"),
        (check_newspaper, "feed.schema.json"),
        (installation.check_printers, "printers"),
    ],
)
def test_a_part_that_is_missing_is_named_with_what_to_do(tmp_path, monkeypatch, check, gone):
    shutil.copytree(resource("config"), tmp_path / "config", ignore=shutil.ignore_patterns(gone))
    monkeypatch.setattr("linkpress.resources._PACKAGE", tmp_path / "src" / "linkpress")
    (finding,) = run_checks({"part": check})
    assert finding.state is State.BROKEN
    assert finding.text.startswith(f"config/{gone} is not part of this installation")
    assert "pip install --force-reinstall linkpress" in finding.remedy
    monkeypatch.undo()
    assert check()[0] is State.FINE


SHIPPED = sorted(path for path in resource("config").rglob("*") if path.is_file())


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_any_shipped_file_that_is_damaged_is_named_by_one_check(tmp_path, monkeypatch, path):
    """Sound YAML that is no theme, spec, grid or profile, and a schema cut off."""
    config = resource("config")
    shutil.copytree(config, tmp_path / "config")
    damaged = tmp_path / "config" / path.relative_to(config)
    damaged.write_text("{" if path.suffix == ".json" else "nonsense: 1\n")
    monkeypatch.setattr("linkpress.resources._PACKAGE", tmp_path / "src" / "linkpress")
    checks = (installation.check_printers, installation.check_files, check_newspaper)
    findings = run_checks({check.__name__: check for check in checks})
    (finding,) = (one for one in findings if one.state is not State.FINE)
    assert finding.state is State.BROKEN
    assert finding.text.startswith(str(damaged))
    assert finding.remedy == "Reinstall linkpress: pip install --force-reinstall linkpress."


def test_compiled_kernels_are_fine_and_plain_python_is_poor_with_why(monkeypatch):
    monkeypatch.setattr(kernels, "WHY_PLAIN", "")
    assert machine.check_kernels() == (State.FINE, "compiled", "")
    monkeypatch.setattr(kernels, "WHY_PLAIN", "the engine was not compiled")
    state, text, remedy = machine.check_kernels()
    assert (state, remedy) == (State.POOR, kernels.COMPILE_REMEDY)
    assert text.startswith("plain Python")
    assert text.endswith(": the engine was not compiled")
    assert "C compiler" in remedy


def test_cores_are_counted():
    state, text, _ = machine.check_cores()
    assert state is State.FINE
    assert "linkpress" in text


def test_memory_is_the_machines_or_the_containers_if_less(tmp_path, monkeypatch):
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(machine, "_CGROUP_LIMITS", (str(limit),))
    whole = machine.memory_mb()
    limit.write_text("max\n")
    assert machine.memory_mb() == whole
    limit.write_text(f"{512 << 20}\n")
    assert machine.memory_mb() == 512
    state, text, remedy = machine.check_memory()
    assert (state, text) == (State.POOR, "512 MB")
    assert "--jobs 1" in remedy


def test_one_puzzle_is_built_and_read_back_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert trial.check_trial()[0] is State.FINE
    assert list(tmp_path.iterdir()) == []


def test_a_puzzle_that_comes_back_wrong_is_broken(monkeypatch):
    wrong = Verification("folder", ("interior.pdf",), 1, (("interior.pdf", Fault(1, 3, "no answer")),), ())
    monkeypatch.setattr("linkpress.press.readback.verify_folder", lambda folder: wrong)
    state, text, remedy = trial.check_trial()
    assert (state, text) == (State.BROKEN, "a puzzle came back wrong: no answer")
    assert remedy
