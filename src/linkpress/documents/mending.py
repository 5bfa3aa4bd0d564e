"""Propose how to correct a mistake in a YAML file, such as a line that begins one space too far to the left.

Small edits are tried on the lines near the reported problem. The edit that leaves the fewest problems is
proposed. If no edit helps, nothing is proposed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from linkpress.documents.problem import Problem

# An edit moves a line by at most this many spaces. A line that is further away is probably there on purpose.
_MOST_SPACES = 3
_KEY = r"\s*(?:- +)?[\w.-]+"
_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class Mending:
    """Edit of one line that solves a problem.

    Args:
        line: the number of the line, from 1.
        why: what is wrong with the line, as a sentence.
        before: the line as it is.
        after: the line as it should be; None to delete it.
        text: the text of the whole file after the edit.
    """

    line: int
    why: str
    before: str
    after: str | None
    text: str


def propose_mending(
    text: str, problem: Problem, count_problems: Callable[[str], int | None]
) -> Mending | None:
    """Return the edit of one line that leaves the fewest problems; None if no small edit helps.

    Args:
        text: the text of the file.
        problem: the problem to solve. Edits are tried near its line.
        count_problems: function that returns how many problems a text has; None if the text can't be read.
    """
    lines = text.split("\n")
    best, fewest = None, count_problems(text)
    for number in _suspects(lines, problem):
        for why, after in _edits(lines, number, problem):
            mended = "\n".join([*lines[: number - 1], *([] if after is None else [after]), *lines[number:]])
            left = count_problems(mended)
            if left is not None and (fewest is None or left < fewest):
                best, fewest = Mending(number, why, lines[number - 1], after, mended), left
    return best


def _suspects(lines: Sequence[str], problem: Problem) -> Iterator[int]:
    """Yield the numbers of the lines that may have caused a problem, the most likely line first."""
    above = (number for number in range(problem.line - 1, 0, -1) if _has_content(lines[number - 1]))
    named = (int(number) for number in re.findall(r"line (\d+)", problem.message))
    numbers = (*named, problem.line, next(above, 0))
    yield from (number for number in dict.fromkeys(numbers) if 0 < number <= len(lines))


def _edits(lines: Sequence[str], number: int, problem: Problem) -> Iterator[tuple[str, str | None]]:
    """Yield possible edits of a line.

    Yields:
        A sentence about the mistake in the line, and the new line. The new line is None if the line should be
        deleted.
    """
    line = lines[number - 1]
    words, comment = _split_comment(line)
    body = line.lstrip(" \t")
    indent = len(line) - len(body)
    for other in dict.fromkeys(_columns_near(lines, number)):
        spaces = abs(indent - other)
        if "\t" in line[:indent]:
            yield f"Line {number} begins with a tab, and spaces are needed.", " " * other + body
        elif 0 < spaces <= _MOST_SPACES:
            count = ("one space", "two spaces", "three spaces")[spaces - 1]
            side = "left" if indent < other else "right"
            yield f"Line {number} begins {count} too far to the {side}.", " " * other + body
    if match := re.fullmatch(r"(\s*)-(\w.*)", line):
        yield f"A space is missing after the hyphen of line {number}.", f"{match[1]}- {match[2]}"
    if match := re.fullmatch(rf"({_KEY}):(\S.*)", line):
        yield f"A space is missing after the colon of line {number}.", f"{match[1]}: {match[2]}"
    if match := re.fullmatch(rf"({_KEY})( +[^\s:].*)?", words):
        yield f"A colon is missing in line {number}.", f"{match[1]}:{match[2] or ''}{comment}"
    for quote in "\"'":
        if words.count(quote) % 2:
            yield f"The quote in line {number} has no end.", f"{words}{quote}{comment}"
    for opening, closing in _CLOSING.items():
        if words.count(opening) > words.count(closing):
            yield f"The bracket {opening} in line {number} has no end.", f"{words}{closing}{comment}"
    if (match := re.fullmatch(rf"({_KEY}: +)([^\"'\[{{].*)", words)) and '"' not in match[2]:
        yield f"The text in line {number} must be in quotes.", f'{match[1]}"{match[2]}"{comment}'
    if number == problem.line and "given twice" in problem.message:
        yield f"Line {number} gives a key a second time.", None
    if number == problem.line and (near := re.search(r"did you mean `([\w.]+)`", problem.message)):
        wrong = str(problem.key[-1]) if problem.key else ""
        if wrong in line:
            why = f"Line {number}: there is no setting called “{wrong}” here. Did you mean “{near[1]}”?"
            yield why, line.replace(wrong, near[1], 1)


def _split_comment(line: str) -> tuple[str, str]:
    """Split a line into its content and its comment. The comment includes the spaces in front of it."""
    match = re.search(r"\s+#.*$|\s+$", line)
    return (line[: match.start()], match[0]) if match else (line, "")


def _columns_near(lines: Sequence[str], number: int) -> Iterator[int]:
    """Yield the columns at which the lines before and after a line begin, and at which their keys begin."""
    above = next(filter(_has_content, reversed(lines[: number - 1])), "")
    below = next(filter(_has_content, lines[number:]), "")
    for line in (above, below):
        match = re.match(r"( *)(- +)?", line)
        if line and match:
            yield len(match[0])
            yield len(match[1])


def _has_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
