"""Seeded changes to bytes, JSON values and PDF objects: the same dice spoil a sample in the same way."""

import copy
import io
import json
import re
import zlib

import nasty_values as nasty
import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

MAX_BYTES = 96 * 1024  # a spoilt input grows no further
_TOKEN = re.compile(rb"[A-Za-z_]+|-?[0-9][0-9.]*|[\xc0-\xff][\x80-\xbf]+|[^\sA-Za-z0-9]")
_BRACKETS = ((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b"- ", b""), (b"<<", b">>"))
_ENCODINGS = ("utf-16", "utf-16-be", "utf-32", "latin-1", "utf-8-sig", "cp037")
_EVERYWHERE = (*nasty.NUMBERS, *nasty.LETTERS, *nasty.WORDS)
_JSON_VALUES = (
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**300, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", " ",
    [], {}, [[]], [None], [1], {"": ""}, {"a": None}, ["."], ["1 1"], "\ud800", "a\udfffb", "\0", "\n",
    "x" * 3000,
)  # fmt: skip


def texts(*words):
    """What spoils texts, with these words and what breaks any reader."""

    def prepare(samples):
        own, others = ([word.encode() for word in some] for some in (words or ("x",), _EVERYWHERE))

        def spoil(dice, content):
            for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
                word = dice.choice(own if dice.random() < 0.5 else others)
                change = dice.choice((_token, _token, _token, _slice, _slice, _slice, _line, _flip, _encode))
                content = change(dice, content, word, samples)[:MAX_BYTES]
            return content

        return spoil

    return prepare


def _ends(dice, content):
    start = dice.randrange(len(content) + 1)
    return start, min(len(content), start + dice.choice((1, 1, 2, 5, 20, 100, 1000)))


def _slice(dice, content, word, samples):
    """A part gives way to nothing, noise, a word, itself again and again or nested, another sample's part."""
    at, end = _ends(dice, content)
    part, other = content[at:end], dice.choice(samples)
    left, right = dice.choice(_BRACKETS)
    depth = dice.choice((3, 13, 200, 2000))
    put = dice.choice(
        (
            b"",
            dice.randbytes(dice.randrange(1, 6)),
            word,
            part + word,
            part * dice.choice((2, 2, 3, 30, 1000)),
            left * depth + part + right * depth,
            slice_of(dice, other),
        )
    )
    return content[:at] + put + (b"" if dice.random() < 0.1 else content[end:])


def slice_of(dice, content):
    at, end = _ends(dice, content)
    return content[at:end]


def _token(dice, content, word, samples):
    """A token gives way to a nasty word or number, or two change places: the shape stays."""
    found = list(_TOKEN.finditer(content))
    if len(found) < 2:
        return content + word
    one, two = sorted(dice.sample(found, 2), key=lambda match: match.start())
    if dice.random() < 0.4:
        middle = content[one.end() : two.start()]
        return content[: one.start()] + two[0] + middle + one[0] + content[two.end() :]
    if one[0][-1:].isdigit() and dice.random() < 0.6:
        word = dice.choice(nasty.NUMBERS).encode()
    return content[: one.start()] + word + content[one.end() :]


def _line(dice, content, word, samples):
    lines = content.splitlines(keepends=True) or [b""]
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[at : at + 1] = dice.choice(
        ([], [lines[at]] * 2, [lines[other]], [b" " * dice.randrange(1, 5) + lines[at]])
    )
    return b"".join(lines)


def _flip(dice, content, word, samples):
    spoilt = bytearray(content or b" ")
    for _ in range(dice.choice((1, 1, 2, 8))):
        spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(8)
    return bytes(spoilt)


def _encode(dice, content, word, samples):
    return content.decode("utf-8", "replace").encode(dice.choice(_ENCODINGS), "replace")


def json_values(samples):
    """What spoils JSON: two in five as text, the rest as values."""
    plain = texts(*nasty.JSON)(samples)

    def spoil(dice, sample):
        if dice.random() < 0.4:
            return plain(dice, sample)
        return _written(_spoilt_value(dice, json.loads(sample)))

    return spoil


def json_lines(samples):
    """As ``json_values``, of one value a line."""
    plain = texts(*nasty.JSON)(samples)

    def spoil(dice, sample):
        if dice.random() < 0.4:
            return plain(dice, sample)
        spoilt = _spoilt_value(dice, [json.loads(line) for line in sample.splitlines()])
        return b"\n".join(map(_written, spoilt if isinstance(spoilt, list) else [spoilt]))

    return spoil


def journal_lines(samples):
    """What spoils journals: their check sums hold although what they guard does not."""
    plain = texts(*nasty.JSON)(samples)

    def spoil(dice, sample):
        if dice.random() < 0.3:
            return plain(dice, sample)
        head, *lines = [line.partition(b" ")[2] for line in sample.splitlines()]
        if dice.random() < 0.7:
            lines = [_written(_spoilt_value(dice, json.loads(line))) for line in lines]
        else:
            lines = [plain(dice, line).replace(b"\n", b" ") for line in lines]
        return b"".join(b"%08x %s\n" % (zlib.crc32(line), line) for line in (head, *lines))

    return spoil


def _written(value):
    try:
        return json.dumps(value).encode()
    except (RecursionError, ValueError):  # too deep, or it holds itself
        return b'{"a":' * 3000


def _spoilt_value(dice, content):
    """A JSON value of which one to three parts are gone, doubled, nested or of another kind."""
    whole = [content]
    for _ in range(dice.choice((1, 1, 2, 3))):
        holder, key = _place(dice, whole)
        word = dice.choice((*_EVERYWHERE, *nasty.BOARDS, "\ud800"))
        kind = dice.randrange(6)
        if kind == 0 and holder is not whole:
            del holder[key]
        elif kind == 1:
            other, at = _place(dice, whole)
            try:
                holder[key] = copy.deepcopy(other[at])
            except RecursionError:
                holder[key] = 0
        elif kind == 2 and isinstance(holder, dict):
            holder[word] = holder.pop(key)
        elif kind == 3 and isinstance(holder[key], str):
            at = dice.randrange(len(holder[key]) + 1)
            holder[key] = holder[key][:at] + word + holder[key][at + dice.choice((0, 0, 1, 3)) :]
        elif kind == 4:
            for _ in range(dice.choice((2, 11, 13, 100, 400, 900))):
                holder[key] = [holder[key]] if dice.random() < 0.5 else {"a": holder[key]}
        else:
            holder[key] = dice.choice((*_JSON_VALUES, word))
    return whole[0]


def _place(dice, whole):
    """Some list or object inside, and one of its keys; deeper ones as likely as shallow ones."""
    holder, key = whole, 0
    while isinstance(holder[key], (list, dict)) and holder[key] and dice.random() < 0.9:
        holder = holder[key]
        key = dice.choice(list(holder)) if isinstance(holder, dict) else dice.randrange(len(holder))
    return holder, key


_PDF_KEYS = (
    "/Type", "/Subtype", "/Kids", "/Parent", "/Count", "/MediaBox", "/TrimBox", "/BleedBox", "/CropBox",
    "/Rotate", "/Contents", "/Resources", "/Font", "/XObject", "/ExtGState", "/ColorSpace", "/Pattern",
    "/Shading", "/Filter", "/DecodeParms", "/Matrix", "/BBox", "/Widths", "/FirstChar", "/W", "/DW",
    "/ToUnicode", "/Encoding", "/DescendantFonts", "/FontDescriptor", "/FontFile2", "/CapHeight", "/Annots",
    "/Outlines", "/Info", "/Metadata", "/OutputIntents", "/SMask", "/Group", "/CharProcs", "/Differences",
    "/FontMatrix", "/UserUnit", "/Names", "/Title", "/CreationDate", "/Trapped", "/GTS_PDFXVersion", "/A",
    "/AA", "/OpenAction", "/Width", "/Height", "/LW", "/D", "/CA",
)  # fmt: skip
_PDF_NAMES = (
    *_PDF_KEYS, "/Pages", "/Page", "/Form", "/Image", "/Type3", "/Type0", "/TrueType", "/Type1",
    "/JavaScript", "/None", "/DeviceRGB", "/Identity-H", "/FlateDecode", "/LZWDecode",
)  # fmt: skip
_PDF_NUMBERS = (0, 1, -1, 2, 72, 1000, 2**31 - 1, -(2**31), 2**53, 0.5, -0.001, 1e9, 3.4e38)
_PDF_FAULTS = (pikepdf.PdfError, ValueError, TypeError, LookupError, OverflowError, RuntimeError)


def pdfs(samples):
    """What spoils PDFs: two in five in some bytes, the rest in their objects and unpacked content."""
    raw = texts(*nasty.PDF)(samples)
    content = texts(*nasty.PDF)([b"q 1 0 0 1 9 9 cm 0 0 9 9 re f Q\n", b"BT /F1 9 Tf (a) Tj ET\n"])

    def spoil(dice, sample):
        try:
            if dice.random() < 0.6:
                return _with_objects_spoilt(dice, sample, content)
        except _PDF_FAULTS:
            pass  # it can't be saved, or nothing is left to change
        # Often in the last part, where the table of objects stands.
        last = dice.choice((300, 1500, 6000))
        at = max(0, len(sample) - last) if dice.random() < 0.3 else dice.randrange(len(sample))
        end = at + last
        return sample[:at] + raw(dice, sample[at:end]) + sample[end:]

    return spoil


def _with_objects_spoilt(dice, sample, spoil_content):
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(sample)) as pdf:
        objects = [one for one in pdf.objects if isinstance(one, (Dictionary, Stream, Array))]
        for _ in range(dice.choice((1, 1, 2, 4, 10))):
            kind = dice.randrange(6)
            if kind < 2:
                stream = dice.choice([one for one in objects if isinstance(one, Stream)])
                stream.write(spoil_content(dice, stream.read_bytes()[:40_000]))
            elif kind == 2:
                dice.choice(list(pdf.pages)).obj[dice.choice(_PDF_KEYS)] = _thing(dice, pdf, objects)
            else:
                _change_entry(dice, pdf, objects)
        mode = dice.choice(tuple(pikepdf.ObjectStreamMode))
        pdf.save(written, compress_streams=dice.random() < 0.5, object_stream_mode=mode, static_id=True)
    return written.getvalue()


def _change_entry(dice, pdf, objects):
    """An entry of a dictionary or array, at some depth, goes, comes or is something else."""
    holder = dice.choice(objects)
    for _ in range(dice.randrange(4)):
        inner = holder if isinstance(holder, Array) else [holder[str(key)] for key in holder.keys()]  # noqa: SIM118
        below = [one for one in inner if isinstance(one, (Dictionary, Array, Stream))]
        holder = dice.choice(below or [holder])
    if isinstance(holder, Array):
        if not len(holder) or dice.random() < 0.3:
            holder.append(_thing(dice, pdf, objects))
            return
        key = dice.randrange(len(holder))
    else:
        key = dice.choice((*map(str, holder.keys()), dice.choice(_PDF_KEYS)))
    if key == "/Length":
        return
    holder[key] = _thing(dice, pdf, objects)
    if dice.random() < 0.2:
        del holder[key]


def _thing(dice, pdf, objects):
    """Any PDF object: a number out of range, a name, a text, a holder, one that is there already."""
    deep = Array([])
    for _ in range(dice.choice((0, 3, 30, 90))):
        deep = Array([deep]) if dice.random() < 0.5 else Dictionary({"/Kids": deep})
    endless = pdf.make_indirect(Array([1]))
    endless.append(endless)
    return dice.choice(
        (
            dice.choice(objects),
            dice.choice(_PDF_NUMBERS),
            Name(dice.choice(_PDF_NAMES)),
            pikepdf.String(dice.choice((*nasty.WORDS, *nasty.LETTERS))[:300]),
            Array([dice.choice((0, 1, -9, 612, 1e7, Name("/X"))) for _ in range(dice.randrange(9))]),
            dice.choice((None, True, False)),
            endless,
            deep,
        )
    )
