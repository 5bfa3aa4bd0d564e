"""Parts of a book, such as the contents or a level, and the base class of all parts.

- ``matter``    title page, copyright page, contents, the publisher's own pages, pages for notes
- ``howto``     how to play: the rules, a worked example, where to begin
- ``tutorial``  a worked example before the puzzles of each level
- ``back_pages`` ready-made pages at the end: texts, a certificate, lists of the puzzles to fill in
- ``sections``  levels with their openers and puzzles, and the answers
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from linkpress.layout.frame import Page
from linkpress.layout.page_draft import Index, PageDraft, page_heading, put_ornament
from linkpress.layout.setting import Setting
from linkpress.layout.text_flow import Columns, Movable, shifted
from linkpress.puzzle.puzzle import Solution


@dataclass(frozen=True)
class Part(ABC):
    """Pages of a book that belong together, such as a level with its opener.

    The page count of every part must be known before any page is composed, because pages refer to each other
    by number. So a part first counts its pages, and composes them when all pages have their numbers.

    By default a part is one page, on a recto or a verso, without a link target.

    ``place`` is the name of the link target on the part's first page; it may be empty. ``recto`` says whether
    the part must begin on a right-hand page. ``one_sided`` says whether the back of each page is left empty.
    ``count`` is the number of pages without these empty backs.
    """

    place = ""

    setting: Setting

    @property
    def recto(self) -> bool:
        return False

    @property
    def one_sided(self) -> bool:
        return False

    @property
    def count(self) -> int:
        return 1

    def places(self, numbers: Sequence[int]) -> Index:
        """Return the page number of each link target in the part.

        Args:
            numbers: the page numbers of the part's pages.
        """
        return {self.place: numbers[0]} if self.place else {}

    @abstractmethod
    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page] | PageRun:
        """Compose the part's pages.

        Args:
            numbers: the page numbers of the part's pages.
            index: the page number of every link target in the book.
        Raises:
            LayoutError: something doesn't fit its page, or a glyph is missing.
        """


class PageRun:
    """Pages of a part that can be composed independently; each is composed when it is first needed.

    Args:
        numbers: the page numbers.
        compose: takes the index of a page in the part and its page number, and returns the page.
        kinds: a value for each page. Pages that look alike have the same value. If None, every page looks
            different.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        compose: Callable[[int, int], Page],
        kinds: Iterable[Hashable] | None = None,
    ) -> None:
        self._index_of = {number: index for index, number in enumerate(numbers)}
        self._compose = cache(compose)
        by_kind = defaultdict[Hashable, list[int]](list)
        for number, kind in zip(numbers, numbers if kinds is None else kinds, strict=True):
            by_kind[kind].append(number)
        # The last page of a kind has the longest page number and puzzle numbers.
        self.sample = sorted({number for alike in by_kind.values() for number in (*alike[:2], alike[-1])})

    def get(self, number: int) -> Page | None:
        """Return the page that has a given page number; None if the part leaves that page blank."""
        return self._compose(self._index_of[number], number) if number in self._index_of else None


def page_run(part: Part, numbers: Sequence[int], index: Index) -> PageRun:
    """Return the pages of a part. If they depend on each other, all of them are composed now."""
    pages = part.compose(numbers, index)
    if isinstance(pages, PageRun):
        return pages
    by_number = {page.number: page for page in pages}
    return PageRun(list(by_number), lambda _, number: by_number[number])


def text_pages(
    part: Part,
    kind: str,
    title: str,
    columns: Columns,
    numbers: Sequence[int],
    where: str = "text",
    ornament: Solution | None = None,
) -> Iterator[Page]:
    """Yield pages of running text, with a heading on the first page if there is a title.

    Args:
        columns: the text of each page, placed as on a right-hand page. On a left-hand page, it is moved.
        where: the title's key in the spec, for errors.
        ornament: a solved board to draw below the last page's text, if there is room; None for no ornament.
    """
    setting = part.setting
    for index, (number, items) in enumerate(zip(numbers, columns, strict=True)):
        draft = PageDraft(setting, number)
        if index == 0:
            draft.target(part.place, draft.live.top, title or None)
            if title:
                page_heading(draft, title, where=where)
        draft.furnish(head=title if index else "")
        dx = draft.live.x - PageDraft(setting, 1).live.x
        for block in items:
            draft.add(shifted(item, dx, 0.0) for item in block)
        if ornament is not None and index == len(columns) - 1:
            put_ornament(draft, ornament, top=lowest_of(items), foot=draft.content.y)
        yield draft.page(kind, title, where.removesuffix(".title") if kind == "matter" else "")


def lowest_of(blocks: Iterable[Iterable[Movable]]) -> float:
    """Return the height of the lowest text or drawing in a column of blocks."""
    return min(item.y for block in blocks for item in block)
