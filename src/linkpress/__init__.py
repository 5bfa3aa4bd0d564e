"""linkpress: proven, graded Numberlink puzzles, as print-ready books and newspaper images.

The names that a script needs are here; each is loaded when it is first used, so that importing
linkpress costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from linkpress.book.spec import BookSpec, load_spec
    from linkpress.book.volume import Volume
    from linkpress.book.volume_reading import load_volume
    from linkpress.engine.generate import Made, generate
    from linkpress.engine.grade import Grading, grade_puzzle
    from linkpress.engine.proof import Proof, Verdict, prove
    from linkpress.engine.recipe import Grade, Method, Pattern, Recipe, Rule, Span
    from linkpress.errors import LinkpressError
    from linkpress.newspaper.calendar import Run
    from linkpress.newspaper.drawing import Format
    from linkpress.newspaper.feed import Fed, feed
    from linkpress.newspaper.feed_spec import FeedSpec, load_feed
    from linkpress.newspaper.images import export_images
    from linkpress.newspaper.naming import What
    from linkpress.press.build import Built, build, typeset_again
    from linkpress.puzzle.notation import Form
    from linkpress.puzzle.notation.forms import write_puzzle, write_solution
    from linkpress.puzzle.notation.reading import read_puzzles
    from linkpress.puzzle.puzzle import Puzzle, Solution
    from linkpress.puzzle.symmetry import fingerprint
    from linkpress.render.raster import Mode

_HOMES = {
    "BookSpec": "book.spec",
    "Built": "press.build",
    "Fed": "newspaper.feed",
    "FeedSpec": "newspaper.feed_spec",
    "Form": "puzzle.notation",
    "Format": "newspaper.drawing",
    "Grade": "engine.recipe",
    "Grading": "engine.grade",
    "LedgerChoice": "production.ledger_session",
    "LinkpressError": "errors",
    "Made": "engine.generate",
    "Method": "engine.recipe",
    "Mode": "render.raster",
    "Pattern": "engine.recipe",
    "Proof": "engine.proof",
    "Puzzle": "puzzle.puzzle",
    "Recipe": "engine.recipe",
    "Rule": "engine.recipe",
    "Run": "newspaper.calendar",
    "Solution": "puzzle.puzzle",
    "Span": "engine.recipe",
    "Verdict": "engine.proof",
    "Volume": "book.volume",
    "What": "newspaper.naming",
    "build": "press.build",
    "export_images": "newspaper.images",
    "feed": "newspaper.feed",
    "fingerprint": "puzzle.symmetry",
    "generate": "engine.generate",
    "grade_puzzle": "engine.grade",
    "load_feed": "newspaper.feed_spec",
    "load_spec": "book.spec",
    "load_volume": "book.volume_reading",
    "prove": "engine.proof",
    "read_puzzles": "puzzle.notation.reading",
    "typeset_again": "press.build",
    "write_puzzle": "puzzle.notation.forms",
    "write_solution": "puzzle.notation.forms",
}

__all__ = [
    "BookSpec",
    "Built",
    "Fed",
    "FeedSpec",
    "Form",
    "Format",
    "Grade",
    "Grading",
    "LedgerChoice",
    "LinkpressError",
    "Made",
    "Method",
    "Mode",
    "Pattern",
    "Proof",
    "Puzzle",
    "Recipe",
    "Rule",
    "Run",
    "Solution",
    "Span",
    "Verdict",
    "Volume",
    "What",
    "build",
    "export_images",
    "feed",
    "fingerprint",
    "generate",
    "grade_puzzle",
    "load_feed",
    "load_spec",
    "load_volume",
    "prove",
    "read_puzzles",
    "typeset_again",
    "write_puzzle",
    "write_solution",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
