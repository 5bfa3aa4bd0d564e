"""linkpress's dataclasses behave as Python's."""

import dataclasses
import inspect
import pickle
from typing import ClassVar

import pytest

from linkpress.dataclasses import asdict, dataclass, field


class Plain:
    """Its fields have a value, a made value, and none; one is kept out of what is shown and compared."""

    SHARED: ClassVar[int] = 1
    first: int
    second: str = "b"
    third: list[int] = field(default_factory=list)
    fourth: int = field(default=4, repr=False, compare=False)


class Ready:
    """It finishes itself, and shows itself in its own way."""

    name: str
    sign: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sign", self.name[0])

    def __repr__(self) -> str:
        return "ready"


class Single:
    """It has one field."""

    only: tuple[int, ...]


class Empty:
    """It has none."""


WAYS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "kw_only": True},
]
GIVEN = [
    (Plain, {"first": 1}),
    (Plain, {"first": 1, "third": [2], "fourth": 5}),
    (Ready, {"name": "abc"}),
    (Single, {"only": (1,)}),
    (Empty, {}),
]


def outcome(call, *arguments):
    """Return what a call does, or what it raises, without what Python's slots add to it."""
    try:
        return call(*arguments)
    except (TypeError, AttributeError) as fault:
        return type(fault), str(fault)


def what_is_seen(cls, given):
    one, same = cls(**given), cls(**given)
    taken_up = pickle.loads(pickle.dumps(one))
    yield str(inspect.signature(cls)), cls.__match_args__, cls.__hash__ is None, hasattr(one, "__dict__")
    yield asdict(one), asdict(taken_up), outcome(cls, 1, 2, 3, 4, 5)
    yield one == same, one == "other", cls.__eq__(one, "other")
    if one == same:
        yield repr(one), outcome(hash, one)
    for name in given:
        yield outcome(setattr, one, name, 1), outcome(delattr, one, name), hasattr(one, name)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize(("template", "given"), GIVEN)
def test_classes_are_made_as_python_makes_them(template, given, way, monkeypatch):
    members = {name: part for name, part in vars(template).items() if not name.endswith(("dict__", "ref__"))}
    seen = []
    for maker in (dataclasses.dataclass, dataclass):
        cls = maker(**way)(type(template.__name__, (), dict(members)))
        monkeypatch.setitem(globals(), template.__name__, cls)  # for the pickle
        seen.append(list(what_is_seen(cls, given)))
    assert seen[1] == seen[0]
