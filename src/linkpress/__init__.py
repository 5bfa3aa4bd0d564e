"""linkpress: proven, graded Numberlink puzzles, as print-ready books and newspaper images.

A script finds the names that it needs here. They are listed in ``__init__.pyi``, and each is loaded when it
is first used, so that importing linkpress costs nothing.

The package is divided into rooms. A room imports only from the rooms above it in this list, and
``dataclasses``, ``errors``, ``files``, ``resources`` and ``version`` are open to all of them.

- ``documents``   reads YAML files and reports their faults by line; finds shipped files
- ``puzzle``      what a puzzle is: grid, numbers, solution, rules, symmetry, and its notations
- ``engine``      makes, proves, solves and explains puzzles; knows nothing of books
- ``words``       the phrases of each language
- ``book``        the spec of a book, the plan of its slots, the record of a puzzle, the volume
- ``printers``    the profiles of printers: papers, margins, bleed, spine
- ``ledger``      every puzzle that was made, and where it is published
- ``production``  runs that fill slots with puzzles, in processes or on a cluster, and resume
- ``layout``      decides where everything on a page goes, in points; draws nothing
- ``render``      draws what layout decided, as PDF, PNG, TIFF, SVG or EPS
- ``images``      single images of an exact width, with their captions and file names
- ``play``        the page on which puzzles are played in a browser
- ``preflight``   judges any PDF by the profile of a printer
- ``ebook``       a volume as an EPUB
- ``press``       a volume as the files of a book: interior, solutions, screen and cover
- ``verify``      reads a built book back and proves its puzzles again
- ``feeds``       dated puzzles for newspapers: calendar, folder, manifest, web pages
- ``app``         the use cases: build, typeset again, series, pack, play, preview, doctor
- ``studio``      the window in the browser in which books are planned, seen, changed and built
- ``cli``         the commands; the only place that prints or exits
"""

from __future__ import annotations

from linkpress.version import __version__ as __version__


def __getattr__(name: str) -> object:
    """Load a public name, or list them all, from what the stub beside this file says."""
    import re
    from importlib import import_module
    from pathlib import Path

    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    exports = re.findall(r"^from (\S+) import (\w+) as (\w+)$", stub, re.MULTILINE)
    if name == "__all__":
        return [public for _, own, public in exports if own == public and public != "__version__"]
    found = next((export for export in exports if export[2] == name), None)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, own, _ = found
    value = getattr(import_module(module), own)
    if own == name:
        globals()[name] = value
    else:
        import warnings

        message = f"linkpress.{name} is called linkpress.{own} now; the old name goes with 0.4"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
    return value


def __dir__() -> list[str]:
    public: list[str] = __getattr__("__all__")
    return [*public, "__version__"]
