"""What a book says about itself: counts of puzzles, page numbers, contents, where solutions begin."""

from __future__ import annotations

from collections.abc import Iterator

from linkpress.press.findings import Finding
from linkpress.press.verify.book import BookRead, PageRead, PrintedLine
from linkpress.press.verify.captions import Phrases

_SAME_LINE_PT = 1.0


def reference_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Every count and page number in the book that is not so.

    Args:
        book: as read.
        phrases: of its language.
    """
    yield from _title_findings(book, phrases)
    yield from _section_findings(book, phrases)
    yield from _folio_findings(book)
    yield from _contents_findings(book, phrases)


def _title_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    for page in book.pages[:1]:
        counts = [count for line in page.lines if (count := phrases.count_in(line.text)) is not None]
        if counts and max(counts) != len(book.puzzles):
            said = f"the title page says {max(counts)} puzzles"
            yield Finding(f"{said}, and the book has {len(book.puzzles)}", page=page.number)


def _section_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Each opener against the puzzles that follow it: how many, and where their answers begin."""
    answer_pages = {entry.caption.number: entry.board.page for entry in book.answers}
    for opener, following in _sections(book, phrases):
        stated = _stated(opener, phrases)
        found = [entry for page in following for entry in page.puzzles]
        if stated != len(found):
            yield Finding(f"the section says {stated} puzzles, and {len(found)} follow", page=opener.number)
        said = next((p for line in opener.lines if (p := phrases.solutions_page(line.text))), None)
        begins = answer_pages.get(found[0].caption.number)
        if said is not None and begins is not None and said != begins:
            text = f"the section says that its solutions begin on p. {said}; they begin on p. {begins}"
            yield Finding(text, page=opener.number)


def _sections(book: BookRead, phrases: Phrases) -> Iterator[tuple[PageRead, list[PageRead]]]:
    """Pages that state a number of puzzles, each with the puzzle pages up to the next such page."""
    opener: PageRead | None = None
    following: list[PageRead] = []
    for page in book.pages[1:]:
        if page.puzzles:
            following.append(page)
        elif _stated(page, phrases) is not None:
            if opener is not None and following:
                yield opener, following
            opener, following = page, []
    if opener is not None and following:
        yield opener, following


def _stated(page: PageRead, phrases: Phrases) -> int | None:
    return next((n for line in page.lines if (n := phrases.count_in(line.text, at_start=True))), None)


def _folio_findings(book: BookRead) -> Iterator[Finding]:
    """On pages with boards the lowest line is the page number, if it is a number alone."""
    for page in book.pages:
        lowest = min(page.lines, key=lambda line: line.y, default=None)
        if lowest is None or not (page.puzzles or page.answers) or not lowest.is_number:
            continue
        if int(lowest.text) != page.number:
            yield Finding(f"the page number printed is {lowest.text}", page=page.number)


def _contents_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Each entry of the contents against the words on the page that it names."""
    for page in book.pages:
        if not any(line.text == phrases.contents for line in page.lines):
            continue
        for label, said in _entries(page):
            words = book.pages[said - 1].words if 0 < said <= len(book.pages) else ""
            if label.casefold() not in words.casefold():
                yield Finding(f"the contents put {label!r} on p. {said}, where it is not", page=page.number)


def _entries(page: PageRead) -> Iterator[tuple[str, int]]:
    for number in (line for line in page.lines if line.is_number):
        beside = [
            line for line in page.lines if line is not number and abs(line.y - number.y) < _SAME_LINE_PT
        ]
        label: PrintedLine | None = min(beside, key=lambda line: line.x, default=None)
        if label is not None and label.x < number.x:
            yield label.text, int(number.text)
