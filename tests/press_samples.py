"""What the press tests share: the sound book's figures, boards, and a way to break a book."""

import io
from collections.abc import Callable
from functools import cached_property

import pikepdf

from linkpress.press.assets import load_assets
from linkpress.press.book_layout import lay_out
from linkpress.press.print_files import draw, judge
from linkpress.puzzle.notations import read_puzzles
from linkpress.render.pdf import About

INFO = About("Number Link", "A. Setter", creator="linkpress test")
WIDTH_PT, HEIGHT_PT, PAGES = 432, 648, 24
BOARDS = read_puzzles("""
. . 1 # 2
. 3 . 2 .
. 1 . . .
4 . . . .
. . 4 5 .
. 5 . . .
. . . 3 #

1 # . . .
. 2 . # 2
. . . . .
. 3 . 4 .
. 4 . 5 .
. . 3 . .
5 . . . 1

. . . . .
. 1 . . 2
. # 3 . 1
. 2 . . #
. . 4 . .
. 5 . 5 .
4 3 . . .

1 . . 1 2
. . . . .
2 . . . #
. . # . 3
. 4 5 . 5
. . . . 4
. . . . 3
""")
"""Seven rows, five columns; each has one drawing, even where squares may stay empty."""


class Typeset:
    """A volume laid out. It is drawn and judged only if a test asks for that: each takes half a second.

    Args:
        volume: the puzzles.
        folder: the folder with the files that the volume's spec names.
    """

    def __init__(self, volume, folder):
        self.volume, self.assets = volume, load_assets(volume.spec.in_folder(folder))
        self.book = lay_out(volume, self.assets)

    @cached_property
    def _drawn(self):
        return draw(self.volume, self.book, self.assets)

    @property
    def files(self):
        return {name: file.content for name, file in self._drawn.items()}

    @cached_property
    def reports(self):
        return judge(self._drawn, self.assets.profile)


Change = Callable[[pikepdf.Pdf], None]


def changed(book, change, **save):
    """The book with a change made to it, saved as it was but for ``save``."""
    options = {"force_version": "1.3", "object_stream_mode": pikepdf.ObjectStreamMode.disable, **save}
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(book)) as pdf:
        change(pdf)
        pdf.save(written, **options)
    return written.getvalue()
