"""linkpress: proven, graded Numberlink puzzles, as print-ready books and newspaper images.

The names that a script needs are here; each is loaded when it is first used, so that importing
linkpress costs nothing.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

from linkpress.version import __version__ as __version__

if TYPE_CHECKING:
    from linkpress.app.build import BuiltBook as BuiltBook
    from linkpress.app.build import build as build
    from linkpress.app.build import typeset_again as typeset_again
    from linkpress.app.play import play_again as play_again
    from linkpress.book.spec import BookSpec as BookSpec
    from linkpress.book.spec import load_spec as load_spec
    from linkpress.book.volume import Volume as Volume
    from linkpress.book.volume import load_volume as load_volume
    from linkpress.engine.make.generate import MadePuzzle as MadePuzzle
    from linkpress.engine.make.generate import generate as generate
    from linkpress.engine.prove.proof import Proof as Proof
    from linkpress.engine.prove.proof import Verdict as Verdict
    from linkpress.engine.prove.proof import prove as prove
    from linkpress.engine.recipe import Grade as Grade
    from linkpress.engine.recipe import Method as Method
    from linkpress.engine.recipe import NumberPattern as NumberPattern
    from linkpress.engine.recipe import Pattern as Pattern
    from linkpress.engine.recipe import Recipe as Recipe
    from linkpress.engine.recipe import Rule as Rule
    from linkpress.engine.recipe import Span as Span
    from linkpress.engine.solve.grade import Grading as Grading
    from linkpress.engine.solve.grade import grade_puzzle as grade_puzzle
    from linkpress.errors import LinkpressError as LinkpressError
    from linkpress.feeds.calendar import FeedDates as FeedDates
    from linkpress.feeds.feed_run import FeedResult as FeedResult
    from linkpress.feeds.feed_run import feed as feed
    from linkpress.feeds.feed_spec import FeedSpec as FeedSpec
    from linkpress.feeds.feed_spec import load_feed as load_feed
    from linkpress.images.image_export import export_images as export_images
    from linkpress.images.image_files import ImageFormat as ImageFormat
    from linkpress.images.naming import ImageKind as ImageKind
    from linkpress.ledger.address import ServerAddress as ServerAddress
    from linkpress.production.ledger_session import LedgerChoice as LedgerChoice
    from linkpress.puzzle.notation import Notation as Notation
    from linkpress.puzzle.notation.notations import write_puzzle as write_puzzle
    from linkpress.puzzle.notation.notations import write_solution as write_solution
    from linkpress.puzzle.notation.reading import read_puzzles as read_puzzles
    from linkpress.puzzle.puzzle import Puzzle as Puzzle
    from linkpress.puzzle.puzzle import Solution as Solution
    from linkpress.puzzle.symmetry import fingerprint as fingerprint
    from linkpress.render.raster import PixelMode as PixelMode

_NAMES = {
    "app.build": "BuiltBook build typeset_again",
    "app.play": "play_again",
    "ledger.address": "ServerAddress",
    "book.spec": "BookSpec load_spec",
    "book.volume": "Volume load_volume",
    "engine.make.generate": "MadePuzzle generate",
    "engine.solve.grade": "Grading grade_puzzle",
    "engine.prove.proof": "Proof Verdict prove",
    "engine.recipe": "Grade Method NumberPattern Pattern Recipe Rule Span",
    "errors": "LinkpressError",
    "feeds.calendar": "FeedDates",
    "images.image_files": "ImageFormat",
    "images.image_export": "export_images",
    "feeds.feed_run": "FeedResult feed",
    "feeds.feed_spec": "FeedSpec load_feed",
    "images.naming": "ImageKind",
    "production.ledger_session": "LedgerChoice",
    "puzzle.notation": "Notation",
    "puzzle.notation.notations": "write_puzzle write_solution",
    "puzzle.notation.reading": "read_puzzles",
    "puzzle.puzzle": "Puzzle Solution",
    "puzzle.symmetry": "fingerprint",
    "render.raster": "PixelMode",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

_RENAMED = {
    "Built": "BuiltBook",
    "Fed": "FeedResult",
    "Form": "Notation",
    "Format": "ImageFormat",
    "Made": "MadePuzzle",
    "Mode": "PixelMode",
    "Run": "FeedDates",
    "What": "ImageKind",
}
"""The names of 0.2.0, for one release more, and what they are called now."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name in _RENAMED:
        warnings.warn(f"linkpress.{name} is called {_RENAMED[name]} now", DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
