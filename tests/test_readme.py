"""What the README says stays true."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from linkpress.book.spec import BookSpec, load_spec
from linkpress.book.theme_keys import Theme
from linkpress.cli.app import app as linkpress_app
from linkpress.cli.main import run
from linkpress.documents.json_schema import document_table
from linkpress.errors import ExitCode
from linkpress.feeds.feed_spec import feed_table
from linkpress.production.dispatch import PATIENCE_S

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def code_blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def command_rows():
    """What the table of commands shows, by command."""
    return {
        words.split()[1]: words
        for words in re.findall(r"^\| `(linkpress [a-z]+.*?)` \|", README, re.MULTILINE)
    }


def test_the_table_of_keys_is_the_models_own():
    table = README.split("<!-- spec table -->\n")[1].split("<!-- end of spec table -->")[0]
    assert table == document_table(BookSpec), "write document_table(BookSpec) there"


def test_the_table_of_the_feed_s_keys_is_the_models_own():
    table = README.split("<!-- feed table -->\n")[1].split("<!-- end of feed table -->")[0]
    assert table == feed_table(), "write linkpress.feeds.feed_spec.feed_table() there"


def test_the_example_spec_is_valid(tmp_path, capfd):
    example = next(block for block in code_blocks("yaml") if block.startswith("title:"))
    path = tmp_path / "example.yaml"
    path.write_text(example, encoding="utf-8")
    assert load_spec(path).puzzle_count == 36
    assert run(["check", str(path)]) == 0
    assert "36 puzzles" in capfd.readouterr().out


def test_the_example_series_can_be_built(tmp_path, capfd):
    files = {
        block.split()[1]: block for block in code_blocks("yaml") if re.match(r"# \S+\.yaml$", block, re.M)
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(["check", *(str(tmp_path / f"vol-{number}.yaml") for number in (1, 2))]) == 0
    out = capfd.readouterr().out
    assert "(number-link-by-the-fire-1)" in out
    assert "32 puzzles" in out


def test_every_exit_code_is_in_the_table():
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert told == {int(code) for code in ExitCode}


def test_every_command_is_in_the_table(capfd):
    app = typer.main.get_command(linkpress_app)
    assert set(command_rows()) == set(app.commands)


@pytest.mark.parametrize("command", ["build", "feed", "doctor"])
def test_the_commands_of_long_runs_have_all_their_options_in_the_table(command):
    told = set(re.findall(r"(?<=[\[ ])--?[a-z-]+", command_rows()[command]))
    options = typer.main.get_command(linkpress_app).commands[command].params
    options = [option for option in options if option.param_type_name == "option"]
    assert told <= {name for option in options for name in option.opts}
    assert [option.opts for option in options if not told.intersection(option.opts)] == []


def test_the_time_after_which_a_hanging_worker_is_given_up_is_the_dispatcher_s_own():
    assert f"one that hangs after {PATIENCE_S / 60:.0f} minutes" in README


def test_the_python_example_runs(tmp_path, monkeypatch):
    example = next(block for block in code_blocks("python") if "import linkpress" in block)
    example = example.replace('"config/', f'"{ROOT}/config/')
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "Verdict.UNIQUE" in done.stdout
    assert (tmp_path / "output" / "number-link-starter" / "interior.pdf").exists()
    assert len(list((tmp_path / "output" / "images").glob("*.png"))) == 48
    assert len(list((tmp_path / "output" / "daily").glob("*.png"))) == 4


def test_the_board_for_hint_gets_the_hint_that_is_told(tmp_path, capfd):
    example = r"^```\n(┌.*?)^```\n\nOf this, `linkpress hint board.txt` says `(.*?)`\.$"
    board, told = re.search(example, README, re.MULTILINE | re.DOTALL).groups()
    path = tmp_path / "board.txt"
    path.write_text(board, encoding="utf-8")
    assert run(["hint", str(path)]) == 0
    assert capfd.readouterr().out == told + "\n"


CODE = r"^```.*?^```$|`[^`\n]*`"
PROSE = re.sub(CODE, "", README, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", PROSE))
def test_every_file_that_is_linked_exists(link):
    assert link.startswith("https://") or (ROOT / link).exists()


def test_the_table_of_a_theme_s_keys_is_the_models_own():
    table = README.split("<!-- theme table -->\n")[1].split("<!-- end of theme table -->")[0]
    assert table == document_table(Theme), "write document_table(Theme) there"
