"""What a reader needs to know for the puzzles of a level, for openers of printed books and e-books.

A level has one word for its difficulty, and that is its name. An opener adds no second one. It names the
techniques that are new in the level, and teaches the easiest of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.techniques import TECHNIQUES
from linkpress.layout.text_flow import Text
from linkpress.words.language import Words

# The most techniques that an opener names: the hardest ones. Nobody reads a longer list. The first level may
# name more, because it needs all of them at once.
_MOST_NAMED, _MOST_AT_FIRST = 4, 6

Level = Sequence[NumberedPuzzle]


def level_words(words: Words, earlier: Sequence[Level], level: Level) -> list[Text]:
    """Return the words about the techniques of a level; empty if its puzzles were not graded.

    Args:
        words: the phrases of the book's language.
        earlier: the puzzles of each earlier level.
        level: the puzzles of the level, from easy to hard.
    """
    if not any(puzzle.record.findings for puzzle in level):
        return []
    known = {name for puzzles in earlier for name in _needed(puzzles)}
    new = [name for name in _needed(level) if name not in known]
    at_once = {*_needed(level[: -(-2 * len(level) // 3)])}
    first, late = ([name for name in new if (name in at_once) is begins] for begins in (True, False))
    said = []
    if first:
        # Only a whole list may claim to be all that is needed.
        is_whole = not earlier and len(first) <= _MOST_AT_FIRST
        named = first if is_whole else first[-_MOST_NAMED:]
        template = words.level.first if is_whole else words.level.new
        said.append(Text(_named(words, template, named), strong=True))
        said.append(Text(f"  {words.techniques[named[0]].lesson}"))
    elif not late:
        said.append(Text(words.say(words.level.same, what=_progress(words, earlier, level)), strong=True))
    if late:
        text = _named(words, words.level.goes_to, late[-_MOST_NAMED:])
        said.append(Text(f"  {text}") if said else Text(text, strong=True))
    if any(_goes_beyond(puzzle) for puzzle in level):
        said.append(Text(f"  {words.level.beyond}"))
    return said


def _needed(puzzles: Level) -> Iterator[str]:
    """Yield the names of the techniques that some of the puzzles need, the easiest first."""
    found = {name for puzzle in puzzles for name in puzzle.record.findings}
    yield from (technique.name for technique in TECHNIQUES if technique.name in found)


def _goes_beyond(puzzle: NumberedPuzzle) -> bool:
    """Return whether the techniques alone don't solve a puzzle. A search then counts as one more finding."""
    names = {technique.name for technique in TECHNIQUES}
    return puzzle.record.technique is None or not puzzle.record.findings.keys() <= names


def _named(words: Words, template: str, techniques: Sequence[str]) -> str:
    names = [words.techniques[name].name for name in techniques]
    said = words.say(template, tricks=words.listed(names))
    return said.replace("?.", "?").replace("？。", "？")


def _progress(words: Words, earlier: Sequence[Level], level: Level) -> str:
    """Say in which way a level without new techniques goes on: larger boards, longer lines or practice."""
    before = [puzzle for puzzles in earlier for puzzle in puzzles]
    if mean_area(level) > max(map(mean_area, earlier), default=0):
        return words.level.bigger
    return words.level.longer if _path_length(level) > _path_length(before) else words.level.more


def mean_area(puzzles: Level) -> float:
    """Return the mean number of squares of the puzzles' boards."""
    return fmean(puzzle.record.puzzle.grid.size for puzzle in puzzles)


def _path_length(puzzles: Level) -> float:
    boards = [puzzle.record.puzzle for puzzle in puzzles]
    return fmean(len(board.grid.free_cells) / len(board.pairs) for board in boards)
