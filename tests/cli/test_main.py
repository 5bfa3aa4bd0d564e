"""What every command answers to a wrong command line."""

import errno

import pytest

from linkpress.cli.main import run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["build", "s.yaml", "--jobs", "0"], "greater than or equal to 1. Try 'linkpress build --help'."),
        (["build"], "Missing argument 'SPEC...'. Try 'linkpress build --help'."),
        (["build", "s.yaml", "--nope"], "No such option: --nope. Try 'linkpress build --help'."),
        (["generate", "--method", "x"], "'--method': 'x' is not one of 'walk', 'quick', 'classic'. Try "),
        (["ledger"], "linkpress: Missing command. Try 'linkpress ledger --help'."),
        (["nope"], "No such command 'nope'. Try 'linkpress --help'."),
    ],
)
def test_a_wrong_command_line_is_answered_in_sentences_and_with_where_to_look(words, said, capfd):
    assert run(words) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert said in line


def test_an_interruption_before_the_command_runs_is_told_too(monkeypatch, capfd):
    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.core.TyperGroup.make_context", stop)
    assert run(["schema"]) == 130
    assert capfd.readouterr() == ("", "linkpress: interrupted\n")


@pytest.fixture
def raising(monkeypatch):
    """A command that raises what it is given."""

    def prepare(fault):
        def app(**options):
            raise fault

        monkeypatch.setattr("linkpress.cli.app.app", app)

    return prepare


@pytest.mark.parametrize(
    "fault",
    [KeyError("x"), OSError("of the engine"), ChildProcessError(errno.ECHILD, "No child processes")],
    ids=["KeyError", "OSError", "ECHILD"],
)
def test_a_fault_of_linkpress_itself_is_called_so_with_what_to_report(raising, fault, capfd):
    raising(fault)
    assert run(["schema"]) == 70
    *trace, said = capfd.readouterr().err.splitlines()
    assert trace[0].startswith("Traceback")
    assert type(fault).__name__ in trace[-1]
    assert said.startswith("linkpress: this is a fault of linkpress itself")
    assert "report it" in said


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (OSError(errno.EACCES, "Permission denied", "a.txt"), 5, "a.txt: Permission denied. Change the perm"),
        (OSError(errno.ENOSPC, "No space left on device"), 5, "standard output: No space left on device. "),
        (MemoryError(), 6, "memory ran out. "),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
    ids=["a path", "stdout", "memory", "Ctrl-C"],
)
def test_a_fault_of_the_machine_is_a_sentence(raising, fault, code, said, capfd):
    raising(fault)
    assert run(["schema"]) == code
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"linkpress: {said}")
