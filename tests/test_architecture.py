"""The house keeps its shape: imports go down the list of rooms only."""

import ast
from pathlib import Path

import pytest

import linkpress

PACKAGE = Path(linkpress.__file__).parent
ROOMS = ["puzzle", "engine", "book", "production", "layout", "render", "press", "newspaper", "cli"]
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported_rooms(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    parts = [name.split(".") for name in names if name.startswith("linkpress.")]
    return {part[1] for part in parts if part[1] in ROOMS}


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_only_rooms_below(room):
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    for path in MODULES:
        if path.relative_to(PACKAGE).parts[0] == room:
            assert imported_rooms(path) <= allowed, path


def test_open_modules_import_no_room():
    for name in ("errors.py", "files.py", "resources.py"):
        assert not imported_rooms(PACKAGE / name)


def test_no_module_is_longer_than_the_house_allows():
    assert {str(p): n for p in MODULES if (n := len(p.read_text().splitlines())) > 500} == {}


def test_no_function_is_longer_than_the_house_allows():
    long = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno + 1 > 60:
                long[f"{path.name}:{node.name}"] = node.end_lineno - node.lineno + 1
    assert long == {}
