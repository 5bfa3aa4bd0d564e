"""Builds the starter book and sets it again, as linkpress ``golden``, in a process of its own.

    python as_golden.py START_METHOD OUT WORDS…

The version stands in ``volume.json`` and, by a hash of that file, on the copyright page, whose
letters decide how the fonts are cut down. So it can't be left out of a hash: it is fixed.
"""

import multiprocessing
import sys
from pathlib import Path

import linkpress.version
from linkpress.resources import resource

if __name__ == "__main__":
    linkpress.version.__version__ = "golden"  # before any module takes it from there
    from linkpress.cli.app import run

    method, out, *words = sys.argv[1:]
    multiprocessing.set_start_method(method)
    code = run(["build", str(resource("config", "starter.yaml")), "-o", out, *words])
    book = Path(out) / "number-link-starter"
    more = ["--set", "screen=yes", "--set", "cover=yes"]
    sys.exit(code or run(["typeset", str(book), "-o", str(Path(out) / "again"), *more]))
