"""What every command answers to a wrong command line."""

import pytest

from linkpress.cli.main import run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["build", "s.yaml", "--jobs", "0"], "greater than or equal to 1. Try 'linkpress build --help'."),
        (["build"], "Missing argument 'SPEC'. Try 'linkpress build --help'."),
        (["build", "s.yaml", "--nope"], "No such option: --nope. Try 'linkpress build --help'."),
        (["generate", "--method", "x"], "'--method': 'x' is not one of 'walk', 'classic'. Try "),
        (["ledger"], "linkpress: Missing command. Try 'linkpress ledger --help'."),
        (["nope"], "No such command 'nope'. Try 'linkpress --help'."),
    ],
)
def test_a_wrong_command_line_is_answered_in_sentences_and_with_where_to_look(words, said, capfd):
    assert run(words) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert said in line
