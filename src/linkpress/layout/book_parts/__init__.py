"""Parts of a book, such as the contents or the pages of a level, and the base class of all parts.

- ``matter`` has the pages before and after the puzzles: title, copyright, contents, how to play, notes, a
  certificate, checklists, and the publisher's own pages.
- ``tutorial`` has the worked examples that precede the puzzles of a level.
- ``sections`` has the pages of the levels with their puzzles, and the answer pages.
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
    """Pages of a book that belong together, such as all pages of a level.

    Pages refer to each other by page number. Therefore the page counts of all parts must be known before any
    page is composed. A part first counts its pages. It composes them after all pages of the book have
    numbers.

    By default a part has one page, which may be a right-hand or a left-hand page and has no link target.

    Attributes:
        place: the name of the link target on the part's first page, or an empty string.
        recto: whether the part must begin on a right-hand page.
        one_sided: whether the back of each page stays empty.
        count: the number of pages, without the empty backs.
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
        """Return the page number of each link target in the part, by the target's name.

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
            LayoutError: some content doesn't fit its page, or a font lacks a character.
        """


class PageRun:
    """Pages of a part that can be composed independently. Each page is composed when it is first needed.

    Args:
        numbers: the page numbers of the pages.
        compose: a function that composes a page. Its arguments are the index of the page in the part and the
            page number.
        kinds: a value for each page. Pages with the same layout have the same value. None means that every
            page has a different layout.
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
        # The last page of each kind is in the sample because it has the longest page number
        # and puzzle numbers.
        self.sample = sorted({number for alike in by_kind.values() for number in (*alike[:2], alike[-1])})

    def get(self, number: int) -> Page | None:
        """Return the page with the given page number, or None if the part leaves this page blank."""
        return self._compose(self._index_of[number], number) if number in self._index_of else None


def page_run(part: Part, numbers: Sequence[int], index: Index) -> PageRun:
    """Return the pages of a part.

    If the pages depend on each other, all of them are composed immediately.
    """
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
    """Yield pages of running text. If there is a title, it becomes a heading on the first page.

    Args:
        kind: the kind of the pages, such as ``matter``.
        columns: the text of each page, at its position on a right-hand page. For left-hand pages it is
            shifted.
        where: the title's key in the spec, for error messages.
        ornament: a solved board to draw below the last page's text if there is room, or None for no ornament.
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
    """Return the vertical position of the lowest text or drawing in a column of blocks."""
    return min(item.y for block in blocks for item in block)
