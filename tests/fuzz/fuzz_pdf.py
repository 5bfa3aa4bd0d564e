"""Seeded changes to a PDF's objects and to its content as it is when unpacked."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

import nasty_values as nasty
import pikepdf
from fuzz_mutation import Mutation
from pikepdf import Array, Dictionary, Name, Pdf, Stream

_KEYS = (
    "/Type", "/Subtype", "/Kids", "/Parent", "/Count", "/MediaBox", "/TrimBox", "/BleedBox", "/CropBox",
    "/Rotate", "/Contents", "/Resources", "/Font", "/XObject", "/ExtGState", "/ColorSpace", "/Pattern",
    "/Shading", "/Filter", "/DecodeParms", "/Length", "/Matrix", "/BBox", "/Widths", "/FirstChar", "/W",
    "/DW", "/ToUnicode", "/Encoding", "/DescendantFonts", "/FontDescriptor", "/FontFile2", "/CapHeight",
    "/Annots", "/Outlines", "/Info", "/Metadata", "/OutputIntents", "/SMask", "/Group", "/CharProcs",
    "/Differences", "/FontMatrix", "/UserUnit", "/Names", "/Title", "/CreationDate", "/Trapped",
    "/GTS_PDFXVersion", "/A", "/AA", "/OpenAction", "/Width", "/Height", "/LW", "/D", "/CA",
)  # fmt: skip
_KINDS = (
    "/Pages",
    "/Page",
    "/Form",
    "/Image",
    "/Type3",
    "/Type0",
    "/TrueType",
    "/Type1",
    "/JavaScript",
    "/None",
)


class PdfMutation:
    """Spoils PDFs: half of them in their raw bytes, half in their objects.

    Args:
        samples: sound files.
    """

    def __init__(self, samples: list[bytes]) -> None:
        self._raw = Mutation(nasty.PDF, samples)
        self._content = Mutation(
            nasty.PDF, [b"q 1 0 0 1 9 9 cm 0 0 9 9 re f Q\n", b"BT /F1 9 Tf (a) Tj ET\n"]
        )

    def spoil(self, dice: Random, sample: bytes) -> bytes:
        """The file after some changes."""
        if dice.random() < 0.4:
            return self._spoil_bytes(dice, sample)
        try:
            return self._spoil_objects(dice, sample)
        except (
            pikepdf.PdfError,
            ValueError,
            TypeError,
            LookupError,
            OverflowError,
            RuntimeError,
        ):
            return self._spoil_bytes(dice, sample)  # it can't be saved, or nothing is left to change

    def _spoil_bytes(self, dice: Random, sample: bytes) -> bytes:
        """Changes somewhere in the file; often in its last part, where the table of objects stands."""
        if dice.random() < 0.3:
            at = max(0, len(sample) - dice.choice((300, 1500, 6000)))
            return sample[:at] + self._raw.spoil(dice, sample[at:])
        at = dice.randrange(len(sample))
        end = min(len(sample), at + dice.choice((50, 500, 4000)))
        return sample[:at] + self._raw.spoil(dice, sample[at:end]) + sample[end:]

    def _spoil_objects(self, dice: Random, sample: bytes) -> bytes:
        written = io.BytesIO()
        with pikepdf.open(io.BytesIO(sample)) as pdf:
            objects = [one for one in pdf.objects if isinstance(one, (Dictionary, Stream, Array))]
            for _ in range(dice.choice((1, 1, 2, 4, 10))):
                change: Callable[[Random, Pdf, list[pikepdf.Object]], None] = dice.choice(
                    (
                        self._content_of,
                        self._content_of,
                        self._entry_of,
                        self._entry_of,
                        self._entry_of,
                        self._page_of,
                    )
                )
                change(dice, pdf, objects)
            pdf.save(
                written,
                compress_streams=dice.random() < 0.5,
                object_stream_mode=dice.choice(tuple(pikepdf.ObjectStreamMode)),
                stream_decode_level=pikepdf.StreamDecodeLevel.none,
                static_id=True,
            )
        content = written.getvalue()
        return self._spoil_bytes(dice, content) if dice.random() < 0.1 else content

    def _content_of(self, dice: Random, pdf: Pdf, objects: list[pikepdf.Object]) -> None:
        """What a page, a form or a map of characters says is changed and put back."""
        streams = [one for one in objects if isinstance(one, Stream) and "/Length1" not in one]
        stream = dice.choice(streams)
        stream.write(self._content.spoil(dice, stream.read_bytes()[:40_000]))

    def _entry_of(self, dice: Random, pdf: Pdf, objects: list[pikepdf.Object]) -> None:
        """An entry of a dictionary or array goes, comes or is something else."""
        holder = dice.choice(objects)
        for _ in range(dice.randrange(4)):
            below = [one for one in _values(holder) if isinstance(one, (Dictionary, Array, Stream))]
            holder = dice.choice(below) if below else holder
        if isinstance(holder, Array):
            at = dice.randrange(len(holder)) if len(holder) else 0
            kind = dice.randrange(3)
            if kind == 0 or not len(holder):
                holder.append(self._thing(dice, pdf, objects))
            elif kind == 1:
                del holder[at]
            else:
                holder[at] = self._thing(dice, pdf, objects)
            return
        keys = [str(key) for key in holder.keys()]  # noqa: SIM118
        key = dice.choice(keys) if keys and dice.random() < 0.7 else dice.choice(_KEYS)
        if dice.random() < 0.2 and key in keys and key != "/Length":
            del holder[key]
        elif key != "/Length":
            holder[key] = self._thing(dice, pdf, objects)

    def _page_of(self, dice: Random, pdf: Pdf, objects: list[pikepdf.Object]) -> None:
        page = dice.choice(list(pdf.pages))
        page.obj[dice.choice(_KEYS)] = self._thing(dice, pdf, objects)

    def _thing(self, dice: Random, pdf: Pdf, objects: list[pikepdf.Object]) -> object:
        """Any PDF object: a number out of range, a name, a text, a holder, one that is there already."""
        kind = dice.randrange(11)
        if kind < 2:
            return dice.choice(objects)
        if kind == 2:
            return dice.choice((0, 1, -1, 2, 72, 1000, 2**31 - 1, -(2**31), 2**53, 0.5, -0.001, 1e9, 3.4e38))
        if kind == 3:
            return Name(
                dice.choice((*_KEYS, *_KINDS, "/DeviceRGB", "/Identity-H", "/FlateDecode", "/LZWDecode"))
            )
        if kind == 4:
            return pikepdf.String(dice.choice((*nasty.WORDS, *nasty.LETTERS))[:300])
        if kind == 5:
            return Array([dice.choice((0, 1, -9, 612, 1e7, Name("/X"))) for _ in range(dice.randrange(9))])
        if kind == 6:
            return Dictionary({dice.choice(_KEYS): dice.choice((1, Name("/Y"), Array([])))})
        if kind == 7:
            return Stream(
                pdf, dice.choice((b"", b"q " * 50, b"BT (x) Tj ET", b"begincmap", dice.randbytes(80)))
            )
        if kind == 8:
            return dice.choice((None, True, False))
        if kind == 9:
            holder = pdf.make_indirect(Array([1]))
            holder.append(holder)
            return holder
        deep: object = Array([])
        for _ in range(dice.choice((3, 30, 90))):
            deep = Array([deep]) if dice.random() < 0.5 else Dictionary({"/Kids": deep})
        return deep


def _values(holder: pikepdf.Object) -> list[object]:
    if isinstance(holder, Array):
        return list(holder)
    return [holder.get(str(key)) for key in holder.keys()]  # noqa: SIM118
