"""Reads what README and docs show: the fenced blocks of a page, each with the markers that stand above it.

A marker is an HTML comment, which no reader of the page sees:

- ``<!-- file: NAME -->`` saves the block under this name, for the blocks that follow.
- ``<!-- given: NAME … -->`` puts a sample picture or font of this name there first.
- ``<!-- kind: NAME -->`` says what a YAML block is: a key of ``CHECKS``; a book where nothing is said.
- ``<!-- output -->`` says that a text block is what the block before it printed; ``…`` stands for anything.
- ``<!-- fails: CODE -->`` says which exit code a shell block ends with.
- ``<!-- not run: REASON -->`` says why a block can't be run by the tests.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKERS = {"file", "given", "kind", "output", "fails", "not run", "test line", "generated"}
MARKERS |= {"benchmark", "end of benchmark", "by size", "end of by size"}
MARKERS |= {"untouching by size", "end of untouching by size"}

_MARKER = re.compile(r"<!-- ([a-z ]+?)(?:: (.+))? -->")
_FENCE = re.compile(r"^```(\S*)(.*)$")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    language: str
    text: str
    markers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page):
    """The blocks of a page in order, without the directives of Sphinx."""
    lines = iter(enumerate(page.read_text(encoding="utf-8").splitlines(), start=1))
    markers = {}
    for number, line in lines:
        if marker := _MARKER.fullmatch(line):
            assert marker[1] in MARKERS, f"{page}:{number}: no such marker: {marker[1]}"
            markers[marker[1]] = marker[2] or ""
        elif fence := _FENCE.match(line):
            text = "".join(f"{inner}\n" for inner in _inside(lines))
            if not fence[1].startswith("{"):
                yield Block(page, number, fence[1], text, markers)
            markers = {}
        elif line.strip():
            markers = {}


def _inside(lines):
    for _, line in lines:
        if line == "```":
            return
        yield line
    raise AssertionError("a block has no end")
