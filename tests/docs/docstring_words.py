"""Finds the words in double backticks of docstrings, and whether each names something that is there.

A word may name what its own module defines or uses; any module, class, function or constant of the
package, or a member of one, written ``Class.member`` or ``module.member``; a field or an argument of its
own room or of a module that it imports; a file of the repository; a command, an option, a key, a value or a
file that the code spells out. What is no name at all, such as a sum or a sample of text, is taken as it
is. A constant's name, WITH_CAPITALS, is looked at without backticks, too; for a value, such as
``proof.rule``, its type is asked, ``Proof``.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_QUOTED = re.compile(r"``(.+?)``|\b([A-Z]+_[A-Z_]*[A-Z])\b", re.DOTALL)
_CALLED = re.compile(r"\b(?:kernels?|modules?)((?:(?:,| and| or)? ``\w+``)+)")
_SQUARE = re.compile(r"r\d+c\d+")
_NAME = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*")
_ELSEWHERE = {*dir(builtins), *sys.stdlib_module_names, "cython"}


@dataclass
class Module:
    """What one module defines and uses, by name."""

    name: str
    definitions: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    identifiers: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)
    quoted: list[tuple[int, str]] = field(default_factory=list)
    called_modules: list[tuple[int, str]] = field(default_factory=list)

    @property
    def room(self) -> str:
        """The first folder below the package."""
        return ".".join(self.name.split(".")[1:2])


class Reader(ast.NodeVisitor):
    """Fills a ``Module`` from its source."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.owner: str | None = None

    def visit_Expr(self, node: ast.Expr) -> None:
        """Docstrings, those below assignments too."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for found in _QUOTED.finditer(node.value.value):
                line = node.lineno + node.value.value[: found.start()].count("\n")
                self.module.quoted.append((line, " ".join((found[1] or found[2]).split())))
            for found in _CALLED.finditer(" ".join(node.value.value.split())):
                self.module.called_modules += [
                    (node.lineno, word) for word in re.findall(r"``(\w+)``", found[1])
                ]
        else:
            self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.module.definitions.add(node.name)
        owner, self.owner = self.owner, node.name
        self.generic_visit(node)
        self.owner = owner

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._define(node.name)
        owner, self.owner = self.owner, "" if self.owner is None else self.owner
        self.generic_visit(node)
        self.owner = owner

    def _define(self, name: str) -> None:
        self.module.identifiers.add(name)
        if self.owner is None:
            self.module.definitions.add(name)
        elif self.owner:
            self.module.members |= {name, f"{self.owner}.{name}"}

    def visit_Name(self, node: ast.Name) -> None:
        self.module.identifiers.add(node.id)
        if isinstance(node.ctx, ast.Store):
            self._define(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.module.identifiers.add(node.attr)
        if isinstance(node.ctx, ast.Store) and self.owner:
            self.module.members |= {node.attr, f"{self.owner}.{node.attr}"}
        self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        self.module.identifiers.add(node.arg)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        self.module.identifiers.add(node.arg or "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.module.texts.add(node.value)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.module.imported.add(node.module or "")
        self.module.imported |= {f"{node.module}.{alias.name}" for alias in node.names}
        self.module.identifiers |= {alias.asname or alias.name for alias in node.names}

    def visit_Import(self, node: ast.Import) -> None:
        self.module.identifiers |= {alias.name for alias in node.names}


def read_package(package: Path) -> dict[str, Module]:
    """Every module of a package by its dotted name."""
    modules = {}
    for path in sorted(package.rglob("*.py")):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        modules[name] = Module(name)
        Reader(modules[name]).visit(ast.parse(path.read_text(encoding="utf-8")))
    return modules


class Vocabulary:
    """Everything that a docstring may name."""

    def __init__(self, modules: dict[str, Module], files: set[str], outside: set[str]) -> None:
        self.modules = modules
        self.outside = outside
        self.files = files
        self.names = {part for name in modules for part in name.split(".")}  # of modules and folders
        self.texts: set[str] = set()
        self.definitions: dict[str, set[str]] = {}
        for module in modules.values():
            self.texts |= module.texts
            for name in module.definitions:
                self.definitions.setdefault(name, set()).add(module.name)
        self.qualified = set(modules)
        for module in modules.values():
            dotted = {member for member in module.members if "." in member}
            self.qualified |= {f"{module.name}.{name}" for name in module.definitions | dotted}

    def stale(self) -> Iterator[str]:
        """Each word that names nothing, with its place."""
        for module in self.modules.values():
            for line, quoted in module.quoted:
                if not self.knows(quoted, module):
                    yield f"{module.name}:{line}: {quoted}"

    def knows(self, quoted: str, module: Module) -> bool:
        """Whether a quoted text names something, or is no name."""
        word = quoted.rstrip("/()")
        if not _NAME.fullmatch(word) or len(word) == 1 or _SQUARE.fullmatch(word):
            return True
        if word in self.outside or word in self.texts or word in self.files:
            return True
        if "." in word:
            first = word.split(".")[0]
            ours = first in self.names or first in self.definitions
            return (first in _ELSEWHERE | module.identifiers and not ours) or any(
                f".{name}".endswith((f".{word}", f".{word[0].upper()}{word[1:]}")) for name in self.qualified
            )
        return (
            word in module.identifiers | self.names | _ELSEWHERE
            or word in self.definitions
            or any(word in other.members for other in self._near(module))
        )

    def _near(self, module: Module) -> Iterator[Module]:
        for other in self.modules.values():
            if other.room == module.room or other.name in module.imported:
                yield other

    def misplaced(self) -> Iterator[str]:
        """Each word that a docstring calls a module or a kernel, and that is no module and no function."""
        for module in self.modules.values():
            for line, word in module.called_modules:
                if word not in self.names and word not in self.definitions:
                    yield f"{module.name}:{line}: {word}"
