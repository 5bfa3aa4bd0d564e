"""Text about solving techniques on the opening page of a level, in printed books and e-books.

The text is printed if the spec has ``parts.techniques: yes``. A level is a section of the book. Its opening
page lists the techniques that no earlier level needed, and explains the easiest of them. It does not say how
hard the level is, because the level's name already does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
        The sentences of the paragraph. Empty if the level needs no new technique, or if none is known.
    """
    if not any(puzzle.record.findings for puzzle in level):
        return []
    known = {name for puzzles in earlier for name in _needed(puzzles)}
    new = [name for name in _needed(level) if name not in known]
    sentences = []
    if new:
        listed = new[-_MOST_NAMED:] if earlier else new[-_MOST_AT_FIRST:]
        names = words.listed([words.techniques[name].name for name in listed])
        template = words.level.new if earlier else words.level.first
        sentences += [words.say(template, tricks=names), words.techniques[listed[0]].lesson]
    if any(_goes_beyond(puzzle) for puzzle in level):
        sentences.append(words.level.beyond)
    return [
        Text(f"{words.sentence_gap * bool(index)}{text}", strong=index == 0)
        for index, text in enumerate(sentences)
    ]


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
