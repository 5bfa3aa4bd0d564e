"""A folder with one small book, and the studio's server for tests."""

import pytest
from starlette.testclient import TestClient
from studio_samples import SPEC

from linkpress.studio.server import studio_app
from linkpress.studio.session import Session


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC, encoding="utf-8")
    return tmp_path


@pytest.fixture
def client(folder):
    """A window of the studio, which knows the token."""
    app = studio_app(Session(folder, folder / "output"), "the-token", "the-key")
    with TestClient(app, base_url="http://127.0.0.1:8000/the-key/") as opened:
        yield opened
