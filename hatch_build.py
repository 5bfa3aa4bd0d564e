"""Compiles the kernels when linkpress is built or installed.

hatchling's own way to run code at build time. ``_compiled.pyx`` includes the kernels' modules, which
stay plain Python; Cython makes one C file of it and setuptools compiles that for Python's stable
interface, so that one wheel serves every Python from 3.11 up.

Where no C compiler is found, the build asks pip for the ``ziglang`` package, which holds one. Where
that fails too the kernels stay plain Python: linkpress works, about a hundred times slower, and says so.

Environment:
    LINKPRESS_BUILD: ``compiled`` fails where the kernels can't be compiled, ``plain`` leaves them as
        they are; without it they are compiled if possible.
    CC, CFLAGS, LDFLAGS: as setuptools reads them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = Path("src", "linkpress", "engine", "kernels")
UNIT = KERNELS / "_compiled.pyx"
# The oldest Python whose stable interface is used; pyproject's requires-python says the same.
ABI, ABI_VERSION = "cp311", "0x030B0000"


class CompileKernels(BuildHookInterface):
    """Puts the compiled kernels beside their sources, and into the wheel."""

    def dependencies(self) -> list[str]:
        """What the build needs on this machine beyond pyproject's list."""
        return [] if _wanted() == "plain" or _has_compiler() else ["ziglang>=0.13"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is put together; ``version`` is ``editable`` or ``standard``."""
        extension = None
        if _wanted() != "plain":
            try:
                extension = compile_kernels(Path(self.root))
            except (Exception, SystemExit) as fault:  # setuptools exits where a compiler fails
                if _wanted() == "compiled":
                    raise
                self.app.display_error(
                    f"linkpress: the kernels could not be compiled and stay plain Python, about a hundred "
                    f"times slower: {fault}"
                )
        if extension is None:
            for stale in (Path(self.root) / KERNELS).iterdir():
                if stale.suffix in (".so", ".pyd"):
                    stale.unlink()
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
    """
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    if not _has_compiler():
        _use_ziglang()
    before = Path.cwd()
    os.chdir(root)
    try:
        sources = kernel_sources(root)
        extension = Extension(
            "linkpress.engine.kernels._compiled",
            [UNIT.as_posix()],
            define_macros=[
                ("LINKPRESS_SOURCES", f"0x{sources_hash(root)}ULL"),
                *([("Py_LIMITED_API", ABI_VERSION)] if _has_stable_interface() else []),
            ],
            depends=[*(path.as_posix() for path in sources), "hatch_build.py"],
            py_limited_api=_has_stable_interface(),
            # No multiplication and addition in one: it would round differently, and order edges so.
            extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"],
        )
        modules = cythonize([extension], build_dir="build/cython", language_level=3, quiet=True)
        command = build_ext(Distribution({"name": "linkpress", "ext_modules": modules}))
        command.build_lib, command.build_temp = "src", "build/objects"
        command.ensure_finalized()
        command.run()
        return Path("src", command.get_ext_filename(extension.name))
    finally:
        os.chdir(before)


def kernel_sources(root: Path) -> list[Path]:
    """The files that the extension is made of, in order."""
    folder = root / KERNELS
    return sorted([*folder.rglob("*.py"), folder / UNIT.name])


def sources_hash(root: Path) -> str:
    """Sixteen hexadecimal digits over the kernels' sources; ``linkpress.engine.kernels`` compares them."""
    digest = hashlib.sha256()
    for path in kernel_sources(root):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def _wanted() -> str:
    return os.environ.get("LINKPRESS_BUILD", "")


def _has_compiler() -> bool:
    """Whether setuptools will find a C compiler; on Windows it looks for Visual Studio by itself."""
    words = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    return sys.platform == "win32" or shutil.which(words[0]) is not None


def _has_stable_interface() -> bool:
    """Whether this Python has the interface that all later ones keep; free-threaded ones have none."""
    return not sysconfig.get_config_var("Py_GIL_DISABLED")


def _use_ziglang() -> None:
    os.environ["CC"] = f"{sys.executable} -m ziglang cc"
    os.environ["LDSHARED"] = f"{os.environ['CC']} -shared"


def _platform_tag() -> str:
    """The platform's part of a wheel's name, as ``linux_x86_64``."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
