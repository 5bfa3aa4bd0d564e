"""Text about solving techniques on the opening page of a level, in printed books and e-books.

The text is printed if the spec has ``parts.techniques: yes``. A level is a section of the book. Its opening
page lists the techniques that no earlier level needed, and explains the easiest of them. It does not say how
hard the level is, because the level's name already does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.ladder import TECHNIQUES
from linkpress.layout.text_flow import Text
from linkpress.words.language import Words

# A level's opener lists at most this many new techniques, because nobody reads a longer list. The easiest
# ones are left out. In the first level every technique is new, so its list may be longer.
_MOST_NAMED, _MOST_AT_FIRST = 4, 6

Level = Sequence[NumberedPuzzle]


def level_words(words: Words, earlier: Sequence[Level], level: Level) -> list[Text]:
    """Write the paragraph about solving techniques for the opening page of a level.

    Args:
        words: the phrases of the book's language.
        earlier: the puzzles of each earlier level.
        level: the puzzles of this level, from easy to hard.
    Returns:
        The sentences of the paragraph. Empty if it is not known which techniques the puzzles need.
    """
    if not any(puzzle.record.findings for puzzle in level):
        return []
    known = {name for puzzles in earlier for name in _needed(puzzles)}
    new = [name for name in _needed(level) if name not in known]
    # Techniques that only the last third of the level needs are announced separately.
    needed_early = {*_needed(level[: -(-2 * len(level) // 3)])}
    early = [name for name in new if name in needed_early] or new
    late = [name for name in new if name not in early]
    sentences = []
    if early:
        listed = early[-_MOST_NAMED:] if earlier else early[-_MOST_AT_FIRST:]
        sentences.append(_named(words, words.level.new if earlier else words.level.first, listed))
        sentences.append(words.techniques[listed[0]].lesson)
    else:
        sentences.append(words.say(words.level.same, what=_progress(words, earlier, level)))
    if late:
        sentences.append(_named(words, words.level.goes_to, late[-_MOST_NAMED:]))
    if any(_goes_beyond(puzzle) for puzzle in level):
        sentences.append(words.level.beyond)
    first, *others = sentences
    return [Text(first, strong=True), *(Text(f"{words.sentence_gap}{text}") for text in others)]


def _needed(puzzles: Level) -> Iterator[str]:
    """Yield the name of each technique that at least one of the puzzles needs, the easiest first."""
    needed = {name for puzzle in puzzles for name in puzzle.record.findings}
    yield from (technique.name for technique in TECHNIQUES if technique.name in needed)


def _goes_beyond(puzzle: NumberedPuzzle) -> bool:
    """Return whether a puzzle can't be solved with linkpress's techniques alone.

    The record of such a puzzle either has no hardest technique, or its ``findings`` have a key that is not
    the name of a technique.
    """
    names = {technique.name for technique in TECHNIQUES}
    return puzzle.record.technique is None or not puzzle.record.findings.keys() <= names


def _named(words: Words, template: str, techniques: Sequence[str]) -> str:
    return words.say(template, tricks=words.listed([words.techniques[name].name for name in techniques]))


def _progress(words: Words, earlier: Sequence[Level], level: Level) -> str:
    """Return a phrase for how a level without new techniques differs from the levels before it.

    The phrase says that it has larger boards, longer lines, or only more practice.
    """
    earlier_puzzles = [puzzle for puzzles in earlier for puzzle in puzzles]
    if mean_area(level) > max(map(mean_area, earlier), default=0):
        return words.level.bigger
    return words.level.longer if _path_length(level) > _path_length(earlier_puzzles) else words.level.more


def mean_area(puzzles: Level) -> float:
    return fmean(puzzle.record.puzzle.grid.size for puzzle in puzzles)


def _path_length(puzzles: Level) -> float:
    boards = [puzzle.record.puzzle for puzzle in puzzles]
    return fmean(len(board.grid.free_cells) / len(board.pairs) for board in boards)
