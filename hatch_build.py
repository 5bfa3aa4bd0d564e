"""Compile the kernels, the fast inner modules of the puzzle engine, when linkpress is built or installed.

hatchling calls this file as a build hook. The kernel modules are plain Python. ``write_unit`` translates them
to Cython and appends them to ``_compiled.pyx``. Cython translates this file into one C file, and setuptools
compiles the C file. It uses Python's stable interface (abi3), so one wheel works with every Python from 3.11
on.

If there is no C compiler, the build asks pip for the ``ziglang`` package, which contains a C compiler. If pip
can't get this package, the build stops. Setting LINKPRESS_BUILD=plain avoids that. If compiling fails, the
kernels stay plain Python. linkpress then works about a hundred times slower, and its commands report this
with the reason.

Environment:
    LINKPRESS_BUILD: with ``compiled``, the build fails if the kernels can't be compiled. With ``plain``, the
        kernels are not compiled. By default they are compiled if possible.
    LINKPRESS_ADDRESS: the web address of the repository, for the links in the package's metadata. It is set
        only when a release is built, because any other copy of the sources may have another address.
    CC, CFLAGS, LDFLAGS: the C compiler and its options, as for any package that setuptools builds.
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
from hatchling.metadata.plugin.interface import MetadataHookInterface

KERNELS = Path("src", "linkpress", "engine", "kernels")
UNIT = "_compiled.pyx"
# Kernel modules that are not compiled.
PLAIN = {"__init__.py", "glossary.py", "pure_python.py"}
# The folder for the translated modules.
WRITTEN = Path("build", "kernels")
# A text file with the reason why the kernels were not compiled. ``linkpress.engine.kernels`` reads it.
REASON = KERNELS / "_why_plain.txt"
ZIGLANG = (
    "ziglang>=0.13; (sys_platform == 'linux' or sys_platform == 'darwin') and "
    "(platform_machine == 'x86_64' or platform_machine == 'aarch64' or platform_machine == 'arm64')"
)
C_TYPES = {"int": "cython.int", "bool": "cython.bint", "float": "cython.double", "None": "cython.void"}
ITEM_BYTES = {"Bytes": 1, "Shorts": 2, "Ints": 4, "Floats": 8}
# Forbid fused multiply-add instructions. They round differently, so the search for solutions would decide the
# edges of a board in another order.
C_FLAGS = [] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"]
# The oldest supported version of Python. It must be the same as ``requires-python`` in ``pyproject.toml``.
ABI, ABI_VERSION = "cp311", "0x030B0000"


class AddressOfRepository(MetadataHookInterface):
    """Metadata hook that adds the links to the repository, if its address is known."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the links that a package index shows on the page of the package."""
        if address := os.environ.get("LINKPRESS_ADDRESS"):
            at_release = f"blob/v{metadata['version']}"
            metadata["urls"] = {
                "Source": address,
                "Documentation": f"{address}/{at_release}/docs/index.md",
                "Changelog": f"{address}/{at_release}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }


class CompileKernels(BuildHookInterface):
    """Build hook that compiles the kernels and adds them to the wheel."""

    def dependencies(self) -> list[str]:
        """Return the packages that the build needs in addition to those listed in ``pyproject.toml``."""
        return [] if _build_mode() == "plain" or _has_compiler() else [ZIGLANG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernels before hatchling assembles the wheel."""
        root = Path(self.root)
        extension, reason = None, "LINKPRESS_BUILD=plain asked for that when linkpress was installed"
        if _build_mode() != "plain":
            try:
                extension = compile_kernels(root)
            except (Exception, SystemExit) as error:  # setuptools raises SystemExit if the compiler fails.
                if _build_mode() == "compiled":
                    raise
                reason = f"it could not be compiled when linkpress was installed: {error}"
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
    """Compile the kernels, if their sources have changed since the last time.

    Returns:
        The path of the compiled extension, relative to ``root``.
    Raises:
        RuntimeError: there is no C compiler, or Python has no headers.
    """
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    _check_tools()
    previous = Path.cwd()
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
        # The modification times of copied files are unreliable. So a file keeps the hash of the sources that
        # were compiled last.
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
        os.chdir(previous)


def write_unit(root: Path) -> None:
    """Translate the kernel modules to Cython, and write a Cython file that includes all of them.

    Line numbers stay the same. The modules are changed as follows:

    - Imports between kernel modules are removed, because the compiled modules share one namespace.
    - Classes become C classes.
    - Functions become C functions that run without Python's global lock and raise no exceptions. Functions
      marked with ``for_python`` stay Python functions. Functions marked with ``cython.inline`` become inline
      functions of C.
    - ``int``, ``bool`` and ``float`` in annotations become C types.
    - Members of the enumerations in ``glossary.py`` become numbers.
    - The sizes of arrays move from the fields of a class to its ``__init__``, which creates the arrays.
    """
    codes = _glossary_codes(root / KERNELS / "glossary.py")
    member = re.compile(rf"\b({'|'.join(map(re.escape, codes))})\b")
    unit = (root / KERNELS / UNIT).read_text(encoding="utf-8")
    for path in compiled_modules(root):
        written = path.relative_to(root / KERNELS).with_suffix(".pxi")
        text = _translated(path.read_text(encoding="utf-8"))
        _write(root, written, member.sub(lambda match: str(codes[match[0]]), text))
        unit += f'include "{written.as_posix()}"\n'
    _write(root, Path(UNIT), unit)


def compiled_modules(root: Path) -> list[Path]:
    """Return the kernel modules to compile, each after the modules that it imports."""
    package, imports = ".".join((*KERNELS.parts[1:], "")), {}
    for path in kernel_sources(root):
        nodes = ast.parse(path.read_text(encoding="utf-8")).body if path.suffix == ".py" else []
        names = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        within = [name.removeprefix(package).replace(".", "/") for name in names if name.startswith(package)]
        imports[path] = [root / KERNELS / f"{name}.py" for name in within]
    ordered = TopologicalSorter(imports).static_order()
    return [path for path in ordered if path.suffix == ".py" and path.name not in PLAIN]


def _write(root: Path, written: Path, text: str) -> None:
    """Write a file if its content changes. An unchanged file keeps its time, so it is not compiled again."""
    target = root / WRITTEN / written
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def _glossary_codes(path: Path) -> dict[str, int]:
    """Return the value of each member of the enumerations in ``glossary.py``, such as ``EdgeState.DRAWN``.

    Args:
        path: the path of ``glossary.py``.
    """
    spec = importlib.util.spec_from_file_location("glossary", path)
    assert spec is not None
    assert spec.loader is not None
    glossary = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(glossary)
    kinds = [kind for kind in vars(glossary).values() if isinstance(kind, type) and issubclass(kind, IntEnum)]
    return {f"{kind.__name__}.{member.name}": member.value for kind in kinds for member in kind}


def _translated(text: str) -> str:
    """Return the source of a module, translated to Cython.

    Removed lines are left empty, so that line numbers stay the same.
    """
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
        elif isinstance(node, ast.FunctionDef) and _runs_in_c(node):
            _declare(node, lines)
        elif isinstance(node, ast.FunctionDef) and "for_python" in map(ast.unparse, node.decorator_list):
            lines[first - 1] = "\n"
        elif isinstance(node, ast.AnnAssign) and node.value:
            name, kind, value = map(ast.unparse, (node.target, node.annotation, node.value))
            # The C compiler knows the value of a member of an enumeration, but not that of a variable.
            declared = "enum:" if kind == "int" else C_TYPES[kind]
            lines[first] = f"cdef {declared} {name} = {value}\n"
    return "".join(lines)


def _runs_in_c(kernel: ast.FunctionDef) -> bool:
    """Return whether a function becomes a C function that runs without Python's global lock."""
    return all(ast.unparse(decorator) == "cython.inline" for decorator in kernel.decorator_list)


def _declare(kernel: ast.FunctionDef, lines: list[str]) -> None:
    """Replace a function's signature by a C declaration. It is written on one line."""
    first, last = kernel.lineno - 1, kernel.body[0].lineno - 1
    (written,) = ast.parse("".join([*lines[first:last], " pass"])).body
    assert isinstance(written, ast.FunctionDef)
    kinds = [f"{ast.unparse(arg.annotation)} {arg.arg}" for arg in written.args.args if arg.annotation]
    returned = ast.unparse(written.returns or ast.Name("void"))
    returned = re.sub(r"tuple\[(.*)\]", r"(\1)", returned)
    line = f"cdef {returned} {kernel.name}({', '.join(kinds)}) noexcept nogil:\n"
    if kernel.decorator_list:
        lines[first - 1], line = "\n", line.replace("cdef", "cdef inline", 1)
    lines[first:last] = [line, *["\n"] * (last - first - 1)]


def _make_fields(state: ast.ClassDef, lines: list[str]) -> None:
    """Move the sizes of arrays from the fields of a class to its call of ``make_fields``."""
    made = []
    for field in state.body:
        if isinstance(field, ast.AnnAssign) and isinstance(field.value, ast.Call):
            name, kind, count = map(ast.unparse, (field.target, field.annotation, field.value.args[0]))
            first, last = field.lineno - 1, (field.end_lineno or field.lineno) - 1
            rest = lines[last][field.value.end_col_offset :]
            lines[first] = lines[first][: field.annotation.end_col_offset] + rest
            lines[first + 1 : last + 1] = ["\n"] * (last - first)
            zeros = ast.unparse(field.value.func) == "items"
            block = f"block_of(self, {ast.literal_eval(count)}, {ITEM_BYTES[kind]}, {zeros})"
            made.append(f"self.{name} = cython.cast({kind}, {block})")
    for node in ast.walk(state):
        if isinstance(node, ast.Expr) and ast.unparse(node.value) == "make_fields(self, locals())":
            lines[node.lineno - 1] = " " * node.col_offset + ("; ".join(made) or "pass") + "\n"


def _c_types(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the type names in annotations that must become C types."""
    for node in ast.walk(tree):
        annotation = node.annotation if isinstance(node, ast.arg | ast.AnnAssign) else None
        if isinstance(node, ast.FunctionDef) and node in tree.body and _runs_in_c(node):
            annotation = node.returns
        for part in ast.walk(annotation) if annotation else ():
            if isinstance(part, ast.expr) and ast.unparse(part) in C_TYPES:
                yield part


def kernel_sources(root: Path) -> list[Path]:
    """Return the source files of the extension, sorted."""
    folder = root / KERNELS
    return sorted([*folder.rglob("*.py"), folder / UNIT])


def sources_hash(root: Path) -> str:
    """Return a hash of the kernel sources.

    The compiled kernels contain this hash. When ``linkpress.engine.kernels`` is imported, it compares the
    two, to find out whether the compiled kernels are up to date.
    """
    digest = hashlib.sha256()
    for path in kernel_sources(root):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def _build_mode() -> str:
    mode = os.environ.get("LINKPRESS_BUILD", "")
    if mode not in ("", "compiled", "plain"):
        raise ValueError(f"LINKPRESS_BUILD={mode}: compiled or plain is allowed, or leave it out")
    return mode


def _has_compiler() -> bool:
    """Return whether setuptools will find a C compiler.

    On Windows, True is returned, because setuptools finds Visual Studio by itself.
    """
    words = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    return sys.platform == "win32" or shutil.which(words[0]) is not None


def _has_stable_interface() -> bool:
    """Return whether this Python has the stable C interface (abi3). Free-threaded builds don't have it."""
    return not sysconfig.get_config_var("Py_GIL_DISABLED")


def _check_tools() -> None:
    """Check for Python's headers and a C compiler. If there is no other compiler, select that of ziglang.

    Raises:
        RuntimeError: the headers or a compiler are missing.
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
    """Return the platform tag of a wheel, such as ``linux_x86_64``."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
