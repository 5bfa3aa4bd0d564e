"""All public names of ``import linkpress``.

Type checkers read this list. ``__init__.py`` reads it too, to find the module of a name that is used.
"""

from linkpress.app.build import BuiltBook as BuiltBook
from linkpress.app.build import build as build
from linkpress.app.build import play_again as play_again
from linkpress.app.build import typeset_again as typeset_again
from linkpress.book.level import load_mask as load_mask
from linkpress.book.spec import BookSpec as BookSpec
from linkpress.book.spec import load_spec as load_spec
from linkpress.book.volume import Volume as Volume
from linkpress.book.volume import load_volume as load_volume
from linkpress.documents.values import PixelMode as PixelMode
from linkpress.engine.grade import Grading as Grading
from linkpress.engine.grade import grade_puzzle as grade_puzzle
from linkpress.engine.make.generate import MadePuzzle as MadePuzzle
from linkpress.engine.make.generate import generate as generate
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
from linkpress.feeds.feed_run import FeedResult as FeedResult
from linkpress.feeds.feed_run import feed as feed
from linkpress.feeds.feed_spec import FeedDates as FeedDates
from linkpress.feeds.feed_spec import FeedSpec as FeedSpec
from linkpress.feeds.feed_spec import load_feed as load_feed
from linkpress.files import ImageFormat as ImageFormat
from linkpress.images.image_export import export_images as export_images
from linkpress.images.image_settings import ImageKind as ImageKind
from linkpress.ledger.address import ServerAddress as ServerAddress
from linkpress.production.ledger_session import LedgerChoice as LedgerChoice
from linkpress.puzzle.notations import Notation as Notation
from linkpress.puzzle.notations import read_puzzles as read_puzzles
from linkpress.puzzle.notations import write_puzzle as write_puzzle
from linkpress.puzzle.notations import write_solution as write_solution
from linkpress.puzzle.puzzle import Puzzle as Puzzle
from linkpress.puzzle.puzzle import Solution as Solution
from linkpress.puzzle.symmetry import fingerprint as fingerprint
from linkpress.version import __version__ as __version__

__all__: list[str]
