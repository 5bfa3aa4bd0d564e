"""Imports follow the order of the rooms in the package docstring, and never form a circle."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import linkpress

PACKAGE = Path(linkpress.__file__).parent
ROOMS = re.findall(r"^- ``(\w+)``", linkpress.__doc__, re.MULTILINE)
KERNELS = "linkpress.engine.kernels"
OPEN = ["errors", "files", "resources", "version"]
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}


# Parsing all modules takes two seconds, which each process that runs some of these tests would need.
IMPORT = re.compile(r"^ *(?:from (\S+) )?import (?:\(([^)]*)\)|(.*))", re.MULTILINE)


@cache
def imports_of(module):
    """Return the modules of linkpress that a module imports, at its top or inside a function."""
    found = set()
    for origin, several, one in IMPORT.findall(MODULES[module].read_text(encoding="utf-8")):
        assert not origin.startswith("."), f"{module}: relative import"
        for name in re.findall(r"[\w.]+", re.sub(r" as \w+|#.*", "", several or one)):
            full = f"{origin}.{name}" if origin else name
            found.add(full if full in MODULES else full.rpartition(".")[0])
    return found & MODULES.keys() - {module}


def room_of(module):
    return module.split(".")[1] if "." in module else ""


def test_the_map_of_the_package_has_every_room():
    assert sorted(ROOMS) == sorted({room_of(module) for module in MODULES} - {"", "__main__", *OPEN})


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_below(room):
    allowed = {*OPEN, *ROOMS[: ROOMS.index(room) + 1]}
    for module in MODULES:
        if room_of(module) == room:
            assert {room_of(other) for other in imports_of(module)} <= allowed, module


def test_open_modules_import_no_room():
    for module in OPEN:
        assert {room_of(one) for one in imports_of(f"linkpress.{module}")} <= set(OPEN)


def test_no_imports_go_in_a_circle():
    """Remove modules that import nothing, or that nothing imports, until no module is left."""
    left = {module: imports_of(module) for module in MODULES}
    while True:
        imported = set().union(*left.values())
        inside = {one: left[one] & left.keys() for one in left if one in imported and left[one] & left.keys()}
        if inside.keys() == left.keys():
            break
        left = inside
    assert sorted(left) == []


def test_a_package_s_docstring_names_its_modules():
    unnamed = []
    for package, path in MODULES.items():
        if path.name == "__init__.py" and package != "linkpress" and not package.startswith(KERNELS):
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
            inside = {one for one in MODULES if one.rpartition(".")[0] == package}
            unnamed += [one for one in inside if not re.search(f"``{one.rpartition('.')[2]}/?``", text)]
    assert sorted(unnamed) == []
