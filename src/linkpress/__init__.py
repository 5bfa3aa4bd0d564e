"""linkpress: proven, graded Numberlink puzzles, as print-ready books and newspaper images.

Scripts import the public names from here. They are listed in ``__init__.pyi``. Each is loaded when it is
first used, so that ``import linkpress`` is quick.

The package is divided into subpackages, called rooms. A room imports only from the rooms above it in this
list. Every room may import the modules ``errors``, ``files``, ``resources`` and ``version``.

- ``documents``   reads YAML files, reports each problem with its line, and finds files shipped with linkpress
- ``puzzle``      the puzzle itself: grid, numbers, solution, rules, symmetry, and its notations
- ``engine``      makes, proves, solves and explains puzzles; knows nothing of books
- ``words``       the printed phrases of each language
- ``book``        a book as data: its spec (the YAML file), a plan of its puzzles, its finished puzzles
- ``printers``    requirements of printing companies: papers, margins, bleed, spine
- ``ledger``      a record of every published puzzle, and of the book or feed that has it
- ``production``  makes the puzzles of a book or feed, in processes or on a cluster; continues stopped runs
- ``layout``      decides where everything on a page goes, in points; draws nothing
- ``render``      draws finished layouts of pages and boards as PDF, PNG, TIFF, SVG or EPS
- ``images``      makes single images of an exact width, with their captions and file names
- ``play``        makes the web page on which puzzles are played in a browser
- ``preflight``   checks any PDF against the requirements of a printer
- ``ebook``       writes the puzzles of a book as an EPUB
- ``press``       writes the PDFs of a book: interior, solutions, screen edition and cover
- ``verify``      reads a built book back and proves its puzzles again
- ``feeds``       dated puzzles for newspapers: calendar, folder, manifest, web pages
- ``app``         the use cases, such as building, previewing and selling a book
- ``studio``      the web page on which users plan, preview, change and build books
- ``cli``         the commands; only this room prints or ends the process
"""

from __future__ import annotations

from linkpress.version import __version__ as __version__

# Maps public names to other names that people guess. The error message about such a name gives the right one.
_GUESSES = {
    "build": "make make_book build_book create_book Book render",
    "load_spec": "load load_book read_book read_spec open_book",
    "grade_puzzle": "grade rate difficulty",
    "generate": "make_puzzle create_puzzle puzzles",
    "prove": "solve is_unique verify check count_solutions",
    "feed": "newspaper make_feed build_feed daily",
    "export_images": "export render_png save_png",
    "read_puzzles": "parse read_puzzle load_puzzle",
    "write_puzzle": "to_text format_puzzle print_puzzle",
}


def __getattr__(name: str) -> object:
    """Import and return a public object; for ``__all__``, return the list of all public names."""
    import re
    from importlib import import_module
    from pathlib import Path

    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    lines = re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)
    modules = {public: module for module, public in lines if public != "__version__"}
    if name == "__all__":
        return list(modules)
    if name not in modules:
        meant = next((public for public, guesses in _GUESSES.items() if name in guesses.split()), "")
        advice = f". Use linkpress.{meant}; help(linkpress.{meant}) describes it" if meant else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{advice}")
    value = globals()[name] = getattr(import_module(modules[name]), name)
    return value


def __dir__() -> list[str]:
    public: list[str] = __getattr__("__all__")
    return [*public, "__version__"]
