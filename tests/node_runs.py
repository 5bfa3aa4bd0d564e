"""Runs the player's modules in node."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import linkpress

WEB = Path(linkpress.__file__).parent / "play" / "web"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def run_node(script, data=None):
    """What a module prints; it finds the modules under test in WEB and its data on standard input."""
    assert NODE is not None
    environment = {**os.environ, "WEB": WEB.as_uri()}
    done = subprocess.run(
        [NODE, str(script)], input=json.dumps(data).encode(), env=environment, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return done.stdout.decode()


def node_package(name):
    """Where an npm package lies; the test is skipped where it is not installed."""
    if NODE is None:
        pytest.skip("node is not installed")
    found = subprocess.run([NODE, "-p", f"require.resolve('{name}')"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"the npm package {name} is not installed where NODE_PATH leads")
    return Path(found.stdout.decode().strip())
