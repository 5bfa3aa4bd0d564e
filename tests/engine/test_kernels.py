"""How kernels are chosen at import, and what their sources must keep to so that both forms agree."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from checked_arrays import Checked

import linkpress
from linkpress.engine import kernels
from linkpress.errors import ExitCode

PACKAGE = Path(linkpress.__file__).parent
KERNELS = PACKAGE / "engine" / "kernels"
EXTENSIONS = ("_compiled.*so", "_compiled.*pyd")
NOT_COMPILED = {"__init__.py", "glossary.py", "pure_python.py"}

SCRIPT = """
import json
from linkpress.engine import kernels
from linkpress.engine.make.generate import generate
from linkpress.engine.proof import prove
from linkpress.engine.recipe import Method, Recipe, Rule, Span
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.explain.steps import explain_climb

results = []
for method, solids in ((Method.WALK, 3), (Method.CLASSIC, 12)):
    made = generate(Recipe(5, 7, Span(3, 6), Span(0, solids), Rule.FILLED), "small", method)
    proofs = [prove(made.puzzle, rule) for rule in Rule]
    results.append([
        [(path.number, path.cells) for path in made.solution.paths],
        made.attempts, made.grading.score, made.grading.findings,
        [(proof.verdict.value, proof.method, proof.spent) for proof in proofs],
        [
            repr(list(explain_climb(made.puzzle, climb_ladder(position_of(made.puzzle, rule)))))
            for rule, proof in zip(Rule, proofs)
            if proof.verdict.value == "unique"
        ],
    ])
print(json.dumps([kernels.WHY_PLAIN, kernels.Position.__module__, results]))
"""
SOURCE = """
import json
from linkpress.engine import kernels
print(json.dumps([kernels.WHY_PLAIN, kernels.Position.__module__]))
"""
NO_CYTHON = "import sys; sys.modules['cython'] = None\n"
CHECKED = """
import sys
sys.path.insert(0, sys.argv[1])
import checked_arrays, linkpress.engine.kernels
checked_arrays.check_arrays()
"""
OTHER_SOURCES = "the compiled engine was made from other sources than those beside it"
COMPILED, PLAIN = "linkpress.engine.kernels._compiled", "linkpress.engine.kernels.ladder.climb"


def run_script(script=SCRIPT, *words, folder=None, **environment):
    """What a script prints in a new process: which kernels there are, and what they say of small boards."""
    inherited = {key: value for key, value in os.environ.items() if key != "LINKPRESS_KERNELS"}
    if folder is not None:
        environment["PYTHONPATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, "-c", script, *words], env=inherited | environment, cwd=folder, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def plain():
    """What plain Python says."""
    return run_script(LINKPRESS_KERNELS="plain")


@pytest.fixture
def installed(tmp_path):
    """A copy of linkpress, without the compiled engine."""
    ignored = shutil.ignore_patterns("__pycache__", *EXTENSIONS)
    shutil.copytree(PACKAGE, tmp_path / "linkpress", ignore=ignored)
    return tmp_path


@pytest.fixture
def extension():
    """The compiled engine's file."""
    found = [path for pattern in EXTENSIONS for path in KERNELS.glob(pattern)]
    if not found:
        pytest.skip("nothing is compiled here")
    return found[0]


def kernels_of(folder):
    return folder / "linkpress" / "engine" / "kernels"


def test_plain_python_can_be_asked_for(plain):
    assert plain[:2] == ["LINKPRESS_KERNELS asks for plain Python", PLAIN]


@pytest.mark.skipif(bool(kernels.WHY_PLAIN), reason="nothing is compiled here")
def test_compiled_kernels_say_what_plain_python_says(plain):
    assert run_script() == ["", COMPILED, plain[2]]


def test_plain_python_says_the_same_where_cython_is_not_installed(plain):
    assert run_script(NO_CYTHON + SCRIPT, LINKPRESS_KERNELS="plain") == plain


def test_kernels_leave_no_array_and_no_type(plain):
    """C checks neither: an index from the end or a number too large would only say something else."""
    here = str(Path(__file__).parent)
    assert run_script(CHECKED + SCRIPT, here, LINKPRESS_KERNELS="plain") == plain


def test_checked_arrays_refuse_indexes_from_the_end_and_numbers_too_large():
    array = Checked(35, 8)
    array[34] = -128
    assert array[34] == -128
    with pytest.raises(IndexError):
        array[-1]
    with pytest.raises(IndexError):
        array[35] = 1
    with pytest.raises(OverflowError):
        array[0] = 128


def test_a_compiled_engine_is_found_beside_its_sources(installed, extension):
    shutil.copy(extension, kernels_of(installed))
    assert run_script(SOURCE, folder=installed) == ["", COMPILED]


def test_a_missing_engine_is_reported_and_plain_python_works(installed, plain):
    assert run_script(folder=installed) == ["the compiled engine is missing", *plain[1:]]


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("_why_plain.txt", "there is no C compiler", "there is no C compiler"),  # written at installation
        ("_compiled.py", "Position = None\n", OTHER_SOURCES),  # an extension of another version
        ("_compiled.abi3.so", "not machine code\n", "the compiled engine does not fit this Python or"),
    ],
)
def test_an_engine_that_cannot_be_used_is_reported(installed, file, text, why):
    (kernels_of(installed) / file).write_text(text)
    reported, source = run_script(SOURCE, folder=installed)
    assert reported.startswith(why)
    assert source == PLAIN


def test_a_wish_that_does_not_exist_is_a_usage_error():
    environment = {**os.environ, "LINKPRESS_KERNELS": "plian"}
    command = [sys.executable, "-m", "linkpress", "prove", "-"]
    ended = subprocess.run(command, env=environment, input="", capture_output=True, text=True, check=False)
    assert ended.returncode == ExitCode.USAGE
    assert "LINKPRESS_KERNELS=plian: plain is allowed" in ended.stderr


@pytest.mark.parametrize("changed", ["prover/cdcl.py", "glossary.py", "_compiled.pyx"])
def test_an_engine_compiled_from_other_sources_is_reported_and_not_used(installed, extension, changed):
    shutil.copy(extension, kernels_of(installed))
    with (kernels_of(installed) / changed).open("a", encoding="utf-8") as source:
        source.write("# changed since\n")
    assert run_script(SOURCE, folder=installed) == [OTHER_SOURCES, PLAIN]


def test_an_extension_that_is_not_the_one_installed_is_reported_and_not_loaded(installed, extension):
    shutil.copy(extension, kernels_of(installed))
    record = installed / "linkpress-0.2.0.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text(f"linkpress/engine/kernels/{Path(extension).name},sha256=AAAA,470000\n")
    why, source = run_script(SOURCE, folder=installed)
    assert why.endswith("is not the file that was installed")
    assert source == PLAIN


def test_line_ends_make_no_other_sources(installed):
    script = "import json, linkpress.engine.kernels as of; print(json.dumps(of.sources_hash()))"
    assert run_script(script, folder=installed) == kernels.sources_hash()
    for path in kernels_of(installed).rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert run_script(script, folder=installed) == kernels.sources_hash()


UNIT = (KERNELS / "_compiled.pyx").read_text(encoding="utf-8")
COMPILED_PATHS = sorted(path for path in KERNELS.rglob("*.py") if path.name not in NOT_COMPILED)
SOURCES = {path.relative_to(KERNELS).as_posix(): path.read_text(encoding="utf-8") for path in COMPILED_PATHS}
TREES = {name: ast.parse(source) for name, source in SOURCES.items()}
each_module = pytest.mark.parametrize("name", SOURCES)


def definitions(tree):
    """The names that a module's own lines bind: functions, classes and constants."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (name.id for name in node.targets if isinstance(name, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def imports(tree):
    """Module and name of what a module imports."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, alias.name) for alias in node.names)


def functions(tree):
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def states(tree):
    """The classes, which are C structures when they are compiled."""
    return (node for node in tree.body if isinstance(node, ast.ClassDef))


def fields(state):
    return (node for node in state.body if isinstance(node, ast.AnnAssign))


def test_no_two_kernel_modules_define_the_same_name():
    """Compiled, they share one namespace, and that of what they import."""
    names = Counter(name for tree in TREES.values() for name in definitions(tree))
    imported = (found for tree in TREES.values() for found in imports(tree))
    names += Counter({name for module, name in imported if "linkpress" not in module})
    names += Counter(re.findall(r"^(\w+) = ", UNIT, re.MULTILINE))
    assert {name: count for name, count in names.items() if count > 1} == {}


@each_module
def test_every_array_and_part_of_a_state_is_there_from_the_start(name):
    """Compiled, one that is not made would be a pointer to nowhere."""
    arrays = ("Bytes", "Shorts", "Ints", "Floats")
    for state in states(TREES[name]):
        kinds = {ast.unparse(field.target): ast.unparse(field.annotation) for field in fields(state)}
        sized = {ast.unparse(field.target) for field in fields(state) if field.value}
        makers = [node for node in functions(state) if node.name == "__init__"]
        assert {part for part, kind in kinds.items() if kind in arrays} == sized, state.name
        assert not sized or "make_fields(self, locals())" in ast.unparse(makers[0]), state.name
        made = {
            node.attr
            for maker in makers
            for node in ast.walk(maker)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        parts = {part for part, kind in kinds.items() if not re.match(r"(int|bool|float|cython\..*)$", kind)}
        assert parts - sized <= made, state.name
