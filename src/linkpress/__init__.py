"""linkpress: proven, graded Numberlink puzzles, as print-ready books and newspaper images.

The names that a script needs are here; each is loaded when it is first used, so that importing
linkpress costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from linkpress.app.build import Built as Built
    from linkpress.app.build import build as build
    from linkpress.app.build import typeset_again as typeset_again
    from linkpress.app.play import play_again as play_again
    from linkpress.book.ledger.address import ServerAddress as ServerAddress
    from linkpress.book.spec import BookSpec as BookSpec
    from linkpress.book.spec import load_spec as load_spec
    from linkpress.book.volume import Volume as Volume
    from linkpress.book.volume import load_volume as load_volume
    from linkpress.engine.generate import Made as Made
    from linkpress.engine.generate import generate as generate
    from linkpress.engine.grade import Grading as Grading
    from linkpress.engine.grade import grade_puzzle as grade_puzzle
    from linkpress.engine.proof import Proof as Proof
    from linkpress.engine.proof import Verdict as Verdict
    from linkpress.engine.proof import prove as prove
    from linkpress.engine.recipe import Grade as Grade
    from linkpress.engine.recipe import Method as Method
    from linkpress.engine.recipe import NumberPattern as NumberPattern
    from linkpress.engine.recipe import Pattern as Pattern
    from linkpress.engine.recipe import Recipe as Recipe
    from linkpress.engine.recipe import Rule as Rule
    from linkpress.engine.recipe import Span as Span
    from linkpress.errors import LinkpressError as LinkpressError
    from linkpress.newspaper.calendar import Run as Run
    from linkpress.newspaper.export import export_images as export_images
    from linkpress.newspaper.feed import Fed as Fed
    from linkpress.newspaper.feed import feed as feed
    from linkpress.newspaper.feed_spec import FeedSpec as FeedSpec
    from linkpress.newspaper.feed_spec import load_feed as load_feed
    from linkpress.newspaper.image_files import Format as Format
    from linkpress.newspaper.naming import What as What
    from linkpress.production.ledger_session import LedgerChoice as LedgerChoice
    from linkpress.puzzle.notation import Form as Form
    from linkpress.puzzle.notation.forms import write_puzzle as write_puzzle
    from linkpress.puzzle.notation.forms import write_solution as write_solution
    from linkpress.puzzle.notation.reading import read_puzzles as read_puzzles
    from linkpress.puzzle.puzzle import Puzzle as Puzzle
    from linkpress.puzzle.puzzle import Solution as Solution
    from linkpress.puzzle.symmetry import fingerprint as fingerprint
    from linkpress.render.raster import Mode as Mode

_NAMES = {
    "app.build": "Built build typeset_again",
    "app.play": "play_again",
    "book.ledger.address": "ServerAddress",
    "book.spec": "BookSpec load_spec",
    "book.volume": "Volume load_volume",
    "engine.generate": "Made generate",
    "engine.grade": "Grading grade_puzzle",
    "engine.proof": "Proof Verdict prove",
    "engine.recipe": "Grade Method NumberPattern Pattern Recipe Rule Span",
    "errors": "LinkpressError",
    "newspaper.calendar": "Run",
    "newspaper.image_files": "Format",
    "newspaper.export": "export_images",
    "newspaper.feed": "Fed feed",
    "newspaper.feed_spec": "FeedSpec load_feed",
    "newspaper.naming": "What",
    "production.ledger_session": "LedgerChoice",
    "puzzle.notation": "Form",
    "puzzle.notation.forms": "write_puzzle write_solution",
    "puzzle.notation.reading": "read_puzzles",
    "puzzle.puzzle": "Puzzle Solution",
    "puzzle.symmetry": "fingerprint",
    "render.raster": "Mode",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
