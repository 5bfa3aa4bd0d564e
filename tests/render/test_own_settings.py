"""Nothing of the user's home or environment has a say in a drawing."""

import os
import subprocess
import sys

import pytest

from linkpress.layout.frame import Frame
from linkpress.render.pdf import About, draw_frame

SCRIPT = (
    "from linkpress.render.fonts import FontMeasure; from reportlab import rl_config; import os;"
    "print(rl_config.useA85, rl_config.canvas_baseColor, os.environ.get('RL_useA85'))"
)


def printed(home, **more):
    environment = {**os.environ, "HOME": str(home), **more}
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


def test_variables_of_the_environment_set_nothing_and_stay(tmp_path):
    assert printed(tmp_path, RL_useA85="0", RL_canvas_baseColor="red", RL_xmlParser="none") == "1 None 0\n"


@pytest.mark.parametrize("epoch", ["1700000000", "tomorrow", "99999999999999999"])
def test_a_drawing_has_the_date_that_it_is_given_alone(epoch, monkeypatch):
    plain = draw_frame(Frame(50, 70, ()), About("Lines"))
    assert b"/CreationDate (D:20000101000000+00'00')" in plain
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert draw_frame(Frame(50, 70, ()), About("Lines")) == plain
    assert os.environ["SOURCE_DATE_EPOCH"] == epoch
