"""This module makes dataclasses as Python's module of that name does, in a third of the time.

Until 3.12 that one compiles up to six methods of each class, each by itself: 1.5 ms a class, of which a
book's check loads 120. Here ``__init__`` alone is compiled, and the others go through a list of the fields.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["asdict", "dataclass", "field", "fields", "is_dataclass", "replace"]

_MADE = type("Factory", (), {"__repr__": lambda self: "<factory>"})()  # what is left out is made

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, slots=False, kw_only=False):
        """Make a class a dataclass, as Python's own decorator does with these arguments."""
        gather = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)

        def made(own):
            return _with_methods(gather(own), frozen, eq, slots)

        return made if cls is None else made(cls)


def _with_methods(cls: Any, frozen: bool, eq: bool, slots: bool) -> Any:
    """Give a class whose fields are gathered the methods that it does not have by itself."""
    own, kept = vars(cls), fields(cls)
    names = [part.name for part in kept if part.compare]
    several = attrgetter(*names) if len(names) > 1 else None

    def values(self: object) -> object:
        return several(self) if several else tuple(getattr(self, name) for name in names)

    def shown(self: object) -> str:
        parts = (f"{part.name}={getattr(self, part.name)!r}" for part in kept if part.repr)
        return f"{type(self).__qualname__}({', '.join(parts)})"

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    def state(self: object) -> list[object]:
        return [getattr(self, part.name) for part in kept]

    def restore(self: object, state: list[object]) -> None:
        for part, value in zip(kept, state, strict=True):
            object.__setattr__(self, part.name, value)

    if "__init__" not in own:
        cls.__init__ = _initializer(cls, kept, frozen)
    if "__repr__" not in own:
        cls.__repr__ = shown
    if eq and "__eq__" not in own:
        cls.__eq__ = equal
    if eq and own.get("__hash__") is None:
        cls.__hash__ = hashed if frozen else None
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refuse_to_set, _refuse_to_delete
    if frozen and slots:  # or pickles set the fields one by one
        cls.__getstate__, cls.__setstate__ = state, restore
    return cls


def _initializer(cls: type, kept: tuple[dataclasses.Field[Any], ...], frozen: bool) -> Callable[..., None]:
    """Compile ``__init__``; defaults and what makes them are known to it by the names of their fields."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MADE": _MADE}
    given: list[str] = []
    by_name: list[str] = []
    lines: list[str] = []
    for part in kept:
        name, value, default = part.name, part.name, ""
        if part.default_factory is not MISSING:
            known[f"_{name}"], default = part.default_factory, "=_MADE"
            value = f"_{name}() if {name} is _MADE else {name}"
        elif part.default is not MISSING:
            known[f"_{name}"], default = part.default, f"=_{name}"
        if part.init:
            (by_name if part.kw_only else given).append(name + default)
            lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    header = ", ".join(["self", *given, *(["*", *by_name] if by_name else [])])
    body = "; ".join(lines or ["pass"])
    text = f"def make({', '.join(known)}):\n def __init__({header}): {body}\n return __init__"
    found: dict[str, Any] = {}
    exec(text, vars(sys.modules[cls.__module__]), found)
    init: Callable[..., None] = found["make"](**known)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {part.name: part.type for part in kept if part.init} | {"return": None}
    return init


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
