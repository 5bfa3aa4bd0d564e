"""Files for the platforms that host the repository: workflows, hooks and the citation."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from linkpress.cli.app import run
from linkpress.resources import resource
from linkpress.version import __version__

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github").rglob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_by_its_hash_and_names_its_release(path):
    yaml.safe_load(path.read_text())
    used = re.findall(r"- uses: *(.*)", path.read_text())
    assert [line for line in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[0-9.]+", line)] == []


def test_the_hook_checks_several_specs(capsys):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    specs = [str(resource("config", name)) for name in ("starter.yaml", "volume-1.yaml")]
    command, *words = hook["entry"].split()
    assert command == "linkpress"
    assert run([*words, *specs]) == 0
    assert "Number Link Starter" in capsys.readouterr().out


def test_the_action_installs_the_checkout_that_it_is_part_of():
    action = ROOT / ".github" / "actions" / "book" / "action.yml"
    steps = yaml.safe_load(action.read_text())["runs"]["steps"]
    (path,) = re.findall(r"\$GITHUB_ACTION_PATH/([./]+)", steps[1]["run"])
    assert (action.parent / path).resolve() == ROOT


def test_the_image_is_built_from_all_files_of_a_wheel():
    kept = re.findall("^!(.*)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert [name for name in kept if not (ROOT / name).exists()] == []
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*wheel["force-include"], "hatch_build.py", "pyproject.toml", "src"} <= {*kept}


def test_the_citation_names_this_version():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == __version__


def test_the_continuous_integration_finds_every_file_with_browser_tests(request):
    (pattern,) = re.findall(r"browser_files=.*grep -rlE '([^']+)'", (ROOT / ".ci" / "run").read_text())
    files = {item.path for item in request.session.items if item.get_closest_marker("browser")}
    assert [path for path in files if not re.search(pattern, path.read_text(encoding="utf-8"))] == []
