"""ReportLab's settings in the user's home have no say in a book."""

import os
import subprocess
import sys

import pytest

SCRIPT = (
    "from linkpress.render.fonts import FontMeasure; from reportlab import rl_config; print(rl_config.useA85)"
)


def printed(home):
    environment = {**os.environ, "HOME": str(home)}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("name", [".reportlab_mods", ".reportlab_settings"])
def test_files_in_the_users_home_are_not_run(name, tmp_path):
    plain = printed(tmp_path)
    (tmp_path / name).write_text("useA85 = 77\nimport reportlab.rl_settings as s; s.useA85 = 77\n")
    assert printed(tmp_path) == plain


def test_a_home_that_is_no_folder_is_no_matter(tmp_path):
    (tmp_path / "file").write_text("")
    assert printed(tmp_path / "file")
