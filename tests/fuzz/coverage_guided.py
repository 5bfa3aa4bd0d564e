"""One target under atheris, which keeps the inputs that reach new code; needs ``pip install atheris``.

Run: ``python tests/fuzz/coverage_guided.py TARGET [libFuzzer's options]``, as ``-runs=20000`` or
``-max_total_time=300``. Ends at the first input that breaks the reader and keeps it in a file.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import atheris

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

# Kernels are compiled from their bytecode, which must stay as it is.
_READERS = [
    "linkpress.puzzle",
    "linkpress.book",
    "linkpress.newspaper",
    "linkpress.press",
    "linkpress.layout",
]
with atheris.instrument_imports(include=_READERS, enable_loader_override=False):
    from fuzz_targets import TARGETS

from linkpress.errors import LinkpressError  # noqa: E402


def main() -> None:
    """Run until libFuzzer's options say that it is enough."""
    target = next(target for target in TARGETS if target.name == sys.argv[1])
    samples = target.samples()
    spoil = target.spoiler(samples)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "read")
        corpus = Path(name, "samples")
        folder.mkdir()
        corpus.mkdir()
        for number, sample in enumerate(samples):
            (corpus / str(number)).write_bytes(sample)

        def read(content: bytes) -> None:
            try:
                target.read(content, folder)
            except LinkpressError:
                return

        def change(content: bytes, most: int, seed: int) -> bytes:
            try:
                return spoil(Random(seed), content)[:most]
            except (ValueError, LookupError, RecursionError):  # too far gone to be read as JSON or PDF
                return bytes(atheris.Mutate(content, most))

        options = [sys.argv[0], "-timeout=5", "-rss_limit_mb=1024", *sys.argv[2:], str(corpus)]
        atheris.Setup(options, read, custom_mutator=change)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
