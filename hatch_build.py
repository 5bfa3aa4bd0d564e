"""Compiles the kernels when linkpress is built or installed.

hatchling's own way to run code at build time. The kernels' modules are plain Python. ``write_unit`` appends
them to ``_compiled.pyx`` in a form of C's; Cython makes one C file of it, and setuptools
compiles that for Python's stable interface, so that one wheel serves every Python from 3.11 up.

Where no C compiler is found, the build asks pip for the ``ziglang`` package, which holds one. Where
compiling fails the kernels stay plain Python: linkpress works, about a hundred times slower, and its
commands say so and why. Where pip can't get ziglang it stops; LINKPRESS_BUILD=plain does without.

Environment:
    LINKPRESS_BUILD: ``compiled`` fails where the kernels can't be compiled, ``plain`` leaves them as
        they are; without it they are compiled if possible.
    CC, CFLAGS, LDFLAGS: as setuptools reads them.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from enum import IntEnum
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = Path("src", "linkpress", "engine", "kernels")
UNIT = "_compiled.pyx"
# Modules of the kernels that are not compiled.
PLAIN = {"__init__.py", "glossary.py", "pure_python.py"}
# Where the unit is written as Cython reads it.
WRITTEN = Path("build", "kernels")
# Why the kernels were not compiled, for ``linkpress.engine.kernels`` to say; not there when they were.
REASON = KERNELS / "_why_plain.txt"
ZIGLANG = (
    "ziglang>=0.13; (sys_platform == 'linux' or sys_platform == 'darwin') and "
    "(platform_machine == 'x86_64' or platform_machine == 'aarch64' or platform_machine == 'arm64')"
)
C_TYPES = {"int": "cython.int", "bool": "cython.bint", "float": "cython.double", "None": "cython.void"}
ITEM_BYTES = {"Bytes": 1, "Shorts": 2, "Ints": 4, "Floats": 8}
# No multiplication and addition in one: it would round differently, and order edges so.
C_FLAGS = [] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"]
# The oldest Python whose stable interface is used; pyproject's requires-python says the same.
ABI, ABI_VERSION = "cp311", "0x030B0000"


class CompileKernels(BuildHookInterface):
    """Puts the compiled kernels beside their sources, and into the wheel."""

    def dependencies(self) -> list[str]:
        """Return what the build needs on this machine beyond pyproject's list."""
        return [] if _wanted() == "plain" or _has_compiler() else [ZIGLANG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is put together; ``version`` is ``editable`` or ``standard``."""
        root = Path(self.root)
        extension, reason = None, "LINKPRESS_BUILD=plain asked for that when linkpress was installed"
        if _wanted() != "plain":
            try:
                extension = compile_kernels(root)
            except (Exception, SystemExit) as fault:  # setuptools exits where a compiler fails
                if _wanted() == "compiled":
                    raise
                reason = f"it could not be compiled when linkpress was installed: {fault}"
        (root / REASON).unlink(missing_ok=True)
        if extension is None:
            self.app.display_error(
                f"linkpress: the engine stays plain Python, a hundred times slower: {reason}"
            )
            for stale in (root / KERNELS).iterdir():
                if stale.suffix in (".so", ".pyd"):
                    stale.unlink()
            (root / REASON).write_text(reason, encoding="utf-8")
            build_data["artifacts"].append(f"/{REASON.as_posix()}")
            return
        build_data["pure_python"] = False
        if _has_stable_interface():
            build_data["tag"] = f"{ABI}-abi3-{_platform_tag()}"
        else:
            build_data["infer_tag"] = True
        build_data["artifacts"].append(f"/{extension.as_posix()}")


def compile_kernels(root: Path) -> Path:
    """Compile what has changed since the last time.

    Returns:
        The extension's path below ``root``.
    Raises:
        RuntimeError: there is no C compiler, or Python has no headers.
    """
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    _check_tools()
    before = Path.cwd()
    os.chdir(root)
    try:
        sources = kernel_sources(root)
        write_unit(root)
        extension = Extension(
            "linkpress.engine.kernels._compiled",
            [(WRITTEN / UNIT).as_posix()],
            define_macros=[
                ("LINKPRESS_SOURCES", f"0x{sources_hash(root)}ULL"),
                *([("Py_LIMITED_API", ABI_VERSION)] if _has_stable_interface() else []),
            ],
            depends=[*(path.as_posix() for path in sources), "hatch_build.py"],
            py_limited_api=_has_stable_interface(),
            extra_compile_args=C_FLAGS,
        )
        # Times of files say nothing after a copy, so that what was compiled last is written down.
        last, now = Path("build", "compiled-sources"), sources_hash(root)
        changed = not last.exists() or last.read_text(encoding="ascii") != now
        modules = cythonize(
            [extension], build_dir="build/cython", language_level=3, quiet=True, force=changed
        )
        command = build_ext(Distribution({"name": "linkpress", "ext_modules": modules}))
        command.build_lib, command.build_temp, command.force = "src", "build/objects", changed
        command.ensure_finalized()
        command.run()
        last.write_text(now, encoding="ascii")
        return Path("src", command.get_ext_filename(extension.name))
    finally:
        os.chdir(before)


def write_unit(root: Path) -> None:
    """Write the kernels' modules as Cython is to read them, each line in its place, and what includes them.

    Their imports of each other are left out, since compiled they share one namespace. Classes are marked as
    C's, and functions declared so that they need no lock and raise nothing, but for those marked
    ``for_python``. Members of the glossary's enumerations become numbers, which is all that C knows of them.
    ``int``, ``bool`` and ``float`` become C's where they are the type of an argument, a field, a variable, a
    module's constant or what a kernel returns. What a class says of its arrays moves to where its
    ``__init__`` makes them.
    """
    codes = _glossary_codes(root / KERNELS / "glossary.py")
    member = re.compile(rf"\b({'|'.join(map(re.escape, codes))})\b")
    unit = (root / KERNELS / UNIT).read_text(encoding="utf-8")
    for path in compiled_modules(root):
        written = path.relative_to(root / KERNELS).with_suffix(".pxi")
        text = _in_c_words(path.read_text(encoding="utf-8"))
        _write(root, written, member.sub(lambda found: str(codes[found[0]]), text))
        unit += f'include "{written.as_posix()}"\n'
    _write(root, Path(UNIT), unit)


def compiled_modules(root: Path) -> list[Path]:
    """Return the kernels' modules that are compiled, each after those that it imports."""
    package, imports = ".".join((*KERNELS.parts[1:], "")), {}
    for path in kernel_sources(root):
        nodes = ast.parse(path.read_text(encoding="utf-8")).body if path.suffix == ".py" else []
        names = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        within = [name.removeprefix(package).replace(".", "/") for name in names if name.startswith(package)]
        imports[path] = [root / KERNELS / f"{name}.py" for name in within]
    ordered = TopologicalSorter(imports).static_order()
    return [path for path in ordered if path.suffix == ".py" and path.name not in PLAIN]


def _write(root: Path, written: Path, text: str) -> None:
    """Write a part of the unit, unless it stands there: else all is compiled anew."""
    target = root / WRITTEN / written
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def _glossary_codes(path: Path) -> dict[str, int]:
    """Return the members of all enumerations, as ``EdgeState.DRAWN``, with their values."""
    spec = importlib.util.spec_from_file_location("glossary", path)
    assert spec is not None
    assert spec.loader is not None
    glossary = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(glossary)
    kinds = [kind for kind in vars(glossary).values() if isinstance(kind, type) and issubclass(kind, IntEnum)]
    return {f"{kind.__name__}.{member.name}": member.value for kind in kinds for member in kind}


def _in_c_words(text: str) -> str:
    """Return a module with C's types, and with empty lines in place of its imports from linkpress."""
    tree, lines = ast.parse(text), text.splitlines(keepends=True)
    places = {(node.lineno, node.col_offset, node.end_col_offset) for node in _c_types(tree)}
    for number, begin, end in sorted(places, reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:begin] + C_TYPES[line[begin:end]] + line[end:]
    for node in tree.body:
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("linkpress"):
            lines[first:last] = ["\n"] * (last - first)
        elif isinstance(node, ast.ClassDef):
            lines[first - 1] = "@cython.cclass\n"
            _make_fields(node, lines)
        elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
            _declare(node, lines)
        elif isinstance(node, ast.FunctionDef) and "for_python" in map(ast.unparse, node.decorator_list):
            lines[first - 1] = "\n"
        elif isinstance(node, ast.AnnAssign) and node.value:
            kind, value = C_TYPES[ast.unparse(node.annotation)], ast.unparse(node.value)
            lines[first] = f"{ast.unparse(node.target)} = cython.declare({kind}, {value})\n"
    return "".join(lines)


def _declare(kernel: ast.FunctionDef, lines: list[str]) -> None:
    """Write a function's first lines as C's, on one line."""
    first, last = kernel.lineno - 1, kernel.body[0].lineno - 1
    (written,) = ast.parse("".join([*lines[first:last], " pass"])).body
    assert isinstance(written, ast.FunctionDef)
    kinds = [f"{ast.unparse(arg.annotation)} {arg.arg}" for arg in written.args.args if arg.annotation]
    returned = ast.unparse(written.returns or ast.Name("void"))
    returned = re.sub(r"tuple\[(.*)\]", r"(\1)", returned)
    line = f"cdef {returned} {kernel.name}({', '.join(kinds)}) noexcept nogil:\n"
    lines[first:last] = [line, *["\n"] * (last - first - 1)]


def _make_fields(state: ast.ClassDef, lines: list[str]) -> None:
    """Take each array's size away from its field, and make the arrays where ``make_fields`` is called."""
    made = []
    for field in state.body:
        if isinstance(field, ast.AnnAssign) and isinstance(field.value, ast.Call):
            name, kind, count = map(ast.unparse, (field.target, field.annotation, field.value.args[0]))
            line, begin, end = field.lineno - 1, field.annotation.end_col_offset, field.value.end_col_offset
            lines[line] = lines[line][:begin] + lines[line][end:]
            zeros = ast.unparse(field.value.func) == "items"
            block = f"block_of(self, {ast.literal_eval(count)}, {ITEM_BYTES[kind]}, {zeros})"
            made.append(f"self.{name} = cython.cast({kind}, {block})")
    for node in ast.walk(state):
        if isinstance(node, ast.Expr) and ast.unparse(node.value) == "make_fields(self, locals())":
            lines[node.lineno - 1] = " " * node.col_offset + ("; ".join(made) or "pass") + "\n"


def _c_types(tree: ast.Module) -> Iterator[ast.expr]:
    """Return the names of types that are C's in the unit."""
    for node in ast.walk(tree):
        annotation = node.annotation if isinstance(node, ast.arg | ast.AnnAssign) else None
        if isinstance(node, ast.FunctionDef) and node in tree.body and not node.decorator_list:
            annotation = node.returns
        for part in ast.walk(annotation) if annotation else ():
            if isinstance(part, ast.expr) and ast.unparse(part) in C_TYPES:
                yield part


def kernel_sources(root: Path) -> list[Path]:
    """Return the files that the extension is made of, in order."""
    folder = root / KERNELS
    return sorted([*folder.rglob("*.py"), folder / UNIT])


def sources_hash(root: Path) -> str:
    """Sixteen hexadecimal digits over the kernels' sources; ``linkpress.engine.kernels`` compares them."""
    digest = hashlib.sha256()
    for path in kernel_sources(root):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def _wanted() -> str:
    wanted = os.environ.get("LINKPRESS_BUILD", "")
    if wanted not in ("", "compiled", "plain"):
        raise ValueError(f"LINKPRESS_BUILD={wanted}: compiled or plain is allowed, or leave it out")
    return wanted


def _has_compiler() -> bool:
    """Whether setuptools will find a C compiler; on Windows it looks for Visual Studio by itself."""
    words = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    return sys.platform == "win32" or shutil.which(words[0]) is not None


def _has_stable_interface() -> bool:
    """Whether this Python has the interface that all later ones keep; free-threaded ones have none."""
    return not sysconfig.get_config_var("Py_GIL_DISABLED")


def _check_tools() -> None:
    """Find a C compiler, ziglang's where there is no other, and Python's headers.

    Raises:
        RuntimeError: one is missing.
    """
    headers = Path(sysconfig.get_path("include"), "Python.h")
    if not headers.exists():
        raise RuntimeError(f"Python's headers are missing ({headers}); Debian has them in python3-dev")
    if _has_compiler():
        return
    if importlib.util.find_spec("ziglang") is None:
        raise RuntimeError("there is no C compiler, nor the ziglang package, which holds one")
    os.environ["CC"] = f"{shlex.quote(sys.executable)} -m ziglang cc"
    os.environ["LDSHARED"] = f"{os.environ['CC']} -shared"


def _platform_tag() -> str:
    """Return the platform's part of a wheel's name, as ``linux_x86_64``."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
