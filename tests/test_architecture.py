"""The house keeps its shape: imports go down the list of rooms, and never in a circle."""

import ast
import re
from collections import Counter, defaultdict
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


@cache
def tree_of(module):
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def imports_of(module):
    """The modules of the house that a module imports, wherever the import stands."""
    found = set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name if name in MODULES else name.rpartition(".")[0] for name in names}
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
    """Modules at either end of the imports are taken away until none is left."""
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
            text = ast.get_docstring(tree_of(package))
            inside = {one for one in MODULES if one.rpartition(".")[0] == package}
            unnamed += [one for one in inside if not re.search(f"``{one.rpartition('.')[2]}/?``", text)]
    assert sorted(unnamed) == []


def test_no_two_public_classes_have_one_name():
    places = defaultdict(list)
    for module in MODULES:
        for node in tree_of(module).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    shared = {name: modules for name, modules in places.items() if len(modules) > 1}
    assert shared == {}


def test_no_two_modules_share_a_name():
    names = Counter(path.name for path in MODULES.values() if not path.name.startswith("__"))
    assert [name for name, count in names.items() if count > 1] == []


def test_no_module_is_longer_than_the_house_allows():
    lines = {module: len(path.read_text().splitlines()) for module, path in MODULES.items()}
    assert {module: count for module, count in lines.items() if count > 500} == {}


def test_no_function_is_longer_than_the_house_allows():
    long = {}
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno + 1 > 60:
                long[f"{module}:{node.name}"] = node.end_lineno - node.lineno + 1
    assert long == {}


def test_hardly_a_function_takes_more_than_seven_parameters():
    many = set()
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.FunctionDef):
                taken = [*node.args.args, *node.args.kwonlyargs]
                if len(taken) - (taken[:1] != [] and taken[0].arg == "self") > 7:
                    many.add(f"{module}:{node.name}")
    assert len(many) <= 5, sorted(many)
