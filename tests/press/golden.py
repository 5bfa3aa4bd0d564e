"""The starter book's content as hashes, and how they are recorded: ``python tests/press/golden.py``.

Hashed is what ``as_golden`` builds. Of ``volume.json`` it is the file, and once more its boards and
solutions alone, in their order. Of a PDF it is the content, since deflated bytes differ between
builds of zlib, and the order of objects between writers: from the trailer's Root and Info every
object that is reached, breadth first, keys in order, references as the numbers in which objects
were first met, streams decoded and without Length, Filter and DecodeParms. The trailer's ID, a hash
of the deflated file, is left out.
"""

import hashlib
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pikepdf

RECORD = Path(__file__).with_name("golden.txt")
VOLUME = "number-link-starter/volume.json"
PDFS = ("number-link-starter/interior.pdf", "again/screen.pdf", "again/cover.pdf")
_PACKING = ("/Length", "/Filter", "/DecodeParms")


class _Content:
    """A PDF's objects, numbered as they are met."""

    def __init__(self):
        self._numbers = {}
        self._met = []

    def parts(self, pdf):
        yield from (self._text(pdf.trailer[key]) for key in ("/Root", "/Info"))
        for met in self._met:  # grows meanwhile
            if isinstance(met, pikepdf.Stream):
                content = met.read_bytes()
                yield self._dictionary(met) + b"%d\n" % len(content) + content
            else:
                yield self._direct(met)

    def _text(self, thing):
        if isinstance(thing, pikepdf.Object) and thing.is_indirect:
            if thing.objgen not in self._numbers:
                self._numbers[thing.objgen] = len(self._met)
                self._met.append(thing)
            return b"%d R" % self._numbers[thing.objgen]
        return self._direct(thing)

    def _direct(self, thing):
        if isinstance(thing, pikepdf.Dictionary):
            return self._dictionary(thing)
        if isinstance(thing, pikepdf.Array):
            return b"[" + b" ".join(map(self._text, thing)) + b"]"
        if isinstance(thing, pikepdf.Object):  # a name or a string
            return thing.unparse()
        return str(thing).encode()

    def _dictionary(self, thing):
        entries = (
            key.encode() + b" " + self._text(thing[key]) for key in sorted(set(thing.keys()) - set(_PACKING))
        )
        return b"<<" + b"\n".join(entries) + b">>"


def pdf_hash(content):
    """The SHA-256 of what a PDF holds, however it is packed."""
    digest = hashlib.sha256()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        for part in _Content().parts(pdf):
            digest.update(part + b"\n")
    return digest.hexdigest()


def boards_hash(volume):
    """The SHA-256 of a volume's boards and solutions, a row a line."""
    puzzles = json.loads(volume)["puzzles"]
    rows = [row for puzzle in puzzles for row in (*puzzle["board"], *puzzle["solution"])]
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def golden_hashes(out):
    """The hashes of what ``as_golden`` wrote to a folder."""
    volume = (out / VOLUME).read_bytes()
    return {
        "boards": boards_hash(volume),
        VOLUME: hashlib.sha256(volume).hexdigest(),
        **{name: pdf_hash((out / name).read_bytes()) for name in PDFS},
    }


def recorded():
    """The hashes on record."""
    lines = (line for line in RECORD.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {name: value for value, name in (line.split() for line in lines)}


def record():
    """Build, and put the hashes on record under the comment that stands there; tells what changed."""
    before = recorded()
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, str(Path(__file__).with_name("as_golden.py")), "spawn", folder]
        subprocess.run([*words, "--jobs", "1", "--no-ledger"], check=True, stdout=subprocess.DEVNULL)
        found = golden_hashes(Path(folder))
    comment = [line for line in RECORD.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines = [*comment, *(f"{value}  {name}" for name, value in found.items())]
    RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, value in found.items():
        print(f"{name}: {'as it was' if value == before.get(name) else 'changed'}")


if __name__ == "__main__":
    record()
