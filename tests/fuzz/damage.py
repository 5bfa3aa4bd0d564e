"""Hypothesis strategies that damage sound inputs: texts, JSON values, journals and PDFs."""

import copy
import io
import json
import zlib
from functools import reduce

import pikepdf
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Stream

MAX_BYTES = 96 * 1024  # a damaged input is cut to this length

NUMBERS = (
    "0", "-0", "-1", "1", "3", "51", "62", "255", "65536", "2147483648", "9223372036854775808", "9" * 5000,
    "-0.5", "1e308", "1e400", "NaN", ".inf", "0x10", "1_000", "5.", ".5", "101%", "1/3", "5-3", "3–5", "--",
    "0x0", "7 x 9", "5mm", "12:30", "2026-02-30", "0000-00-00", "٣", "²", "½",
)  # fmt: skip
LETTERS = (
    "\0", "\x07", "\x1b[31m", "\x7f", "\x85", "\xad", "a" + "\u0301" * 60, "\u05d0\u05d1", "\u0e01\u0e33",
    "\u200d", "\u2028", "\u202e", "\ufeff", "\ufffe", "\ue000", "\U0001f600", "\U0010ffff", "ß", "ﬁ", "☆",
    "\r", "\n\n", "\t", "\u3000",
)  # fmt: skip
WORDS = (
    "", "null", "~", "true", "auto", "__class__", "NUL", "../../etc/passwd", "/", "/dev/zero", "C:\\x",
    "file:///etc/passwd", "$(id)", "%s%s%n", "{}", "{what.__class__}", "{number:9999}", "{{", "<b>",
    "<![CDATA[x]]>", "&amp;", "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;", "\\)",
    ") Tj ET", "endstream endobj", "</S/JavaScript>>", "'", '"', "***", "---", "```", "[x](y)", "=SUM(A1)",
    '"; DROP TABLE puzzles; --', "a" * 201, "word " * 300,
)  # fmt: skip
YAML = (
    "&a", "*a", "&a [*a]", "<<: *a", "!!python/object/apply:os.system", "!!binary aGk=", "!x", "? ", ": ",
    "- ", "[", "{}", "[" * 3000, "{a: " * 40, "- " * 1500, "|", ">", "%YAML 9.9", "---", "...", '"\\ud800"',
    "null: null", "? [a, b] : c", "x: &x\n  - *x", "\n  ", "size", "difficulty", "from", "printer", "levels",
)  # fmt: skip
JSON = ("{", "[", ",", '"\\ud800"', '"\\u0000"', "NaN", "1e999", "[" * 5000, '{"a":' * 900, "01", "/*x*/")
BOARDS = (
    ".", "#", "1", "62", "10000", "A", ";", "7 7", "50 50", "51 3", "7 7 7", "┌", "│", "─", "┼", "╵", "·",
    "███", "| X |", "||", "Table to be solved:", "https://puzz.link/p?numlin/", "m+numlin/", "pzprv3/", "g",
    "-10", "+fff", "%", "$",
)  # fmt: skip
PDF = (
    "endobj", "stream", "xref", "startxref", "<<", "]", "(\\", "<zz>", "999999999 0 R", "/Kids", "/Length",
    "/LZWDecode", "/JBIG2Decode", "/Encrypt", "q " * 600, "Q", "cm", "re", "f", "BT", "Tj", "Do", "BI", "EI",
    "1e38 0 0 1e38 0 0 cm", "0 0 0 0 0 0 cm", "99999999999999999999 w", "[1e-9] 0 d", "99 Tr", "nan", "--5",
)  # fmt: skip
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from((*WORDS, *BOARDS, "\ud800")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=4,
)
_PDF_KEYS = (
    "/Type", "/Kids", "/Parent", "/Count", "/MediaBox", "/TrimBox", "/Rotate", "/Contents", "/Resources",
    "/Font", "/XObject", "/ColorSpace", "/Filter", "/Matrix", "/BBox", "/Widths", "/W", "/ToUnicode",
    "/Encoding", "/DescendantFonts", "/FontFile2", "/Annots", "/Metadata", "/OutputIntents", "/SMask",
    "/CharProcs", "/UserUnit", "/OpenAction", "/Width", "/LW",
)  # fmt: skip
_PDF_NUMBERS = (0, 1, -1, 1000, 2**31 - 1, 2**53, 0.5, -0.001, 3.4e38)


@st.composite
def texts(draw, samples, words):
    """A sample with up to six slices replaced by other bytes, words, or many copies of the slice."""
    content = draw(st.sampled_from(samples))
    words = st.sampled_from((*words, *NUMBERS, *LETTERS, *WORDS)).map(lambda word: word.encode())
    for _ in range(draw(st.sampled_from((1, 1, 2, 3, 6)))):
        at = draw(st.integers(0, len(content)))
        end = at + draw(st.sampled_from((0, 1, 1, 2, 5, 20, 100, 1000)))
        part = content[at:end]
        other = draw(st.sampled_from(samples))[at:end]
        repeated = part * draw(st.sampled_from((2, 30, 1000)))
        new = draw(st.sampled_from((b"", other, repeated)) | st.binary(max_size=5) | words | words)
        content = (content[:at] + new + content[end:])[:MAX_BYTES]
    encoding = draw(st.sampled_from(("utf-16", "cp037", *[None] * 30)))
    return content.decode("utf-8", "replace").encode(encoding, "replace") if encoding else content


@st.composite
def json_values(draw, samples, lines=False):
    """A JSON sample, as a text or with up to three values replaced, removed or nested deeply.

    With ``lines`` a sample has one value a line.
    """
    if draw(st.booleans()):
        return draw(texts(samples, JSON))
    sample = draw(st.sampled_from(samples))
    document = [[json.loads(line) for line in sample.splitlines()] if lines else json.loads(sample)]
    for _ in range(draw(st.integers(1, 3))):
        _damage_value(draw, document)
    values = document[0] if lines and isinstance(document[0], list) else document
    return b"\n".join(json.dumps(value).encode() for value in values)


def _damage_value(draw, document):
    parent, key = document, 0
    while isinstance(parent[key], (list, dict)) and parent[key] and draw(st.integers(0, 9)):
        parent = parent[key]
        key = draw(st.sampled_from(list(parent) if isinstance(parent, dict) else range(len(parent))))
    change = draw(st.sampled_from(("delete", "nest", "copy", "replace")))
    if change == "delete" and parent is not document:
        del parent[key]
    elif change == "nest":
        for _ in range(draw(st.sampled_from((2, 13, 200)))):
            parent[key] = [parent[key]]
    elif change == "copy":
        siblings = list(parent.values()) if isinstance(parent, dict) else parent
        parent[key] = copy.deepcopy(draw(st.sampled_from(siblings)))
    else:
        parent[key] = draw(_VALUES)


@st.composite
def journals(draw, samples):
    """A journal with damaged lines whose check sums are correct."""
    head, *lines = [line.partition(b" ")[2] for line in draw(st.sampled_from(samples)).splitlines()]
    damaged = draw(json_values([b"\n".join(lines)], lines=True)).split(b"\n")
    return b"".join(b"%08x %s\n" % (zlib.crc32(line), line) for line in (head, *damaged))


@st.composite
def pdfs(draw, samples):
    """A PDF with damaged bytes near one place, or with damaged content streams or entries of its objects."""
    sample = draw(st.sampled_from(samples))
    if draw(st.booleans()):
        # One time in three the last part, which has the table of objects.
        at = draw(st.sampled_from((0, len(sample) // 2, max(0, len(sample) - 1500))))
        return sample[:at] + draw(texts([sample[at : at + 1500]], PDF)) + sample[at + 1500 :]
    with pikepdf.open(io.BytesIO(sample)) as pdf:
        objects = [entry for entry in pdf.objects if isinstance(entry, (Dictionary, Stream, Array))]
        try:
            for _ in range(draw(st.sampled_from((1, 1, 2, 4)))):
                _damage_object(draw, pdf, objects)
            pdf.save(written := io.BytesIO(), compress_streams=False, static_id=True)
        except (pikepdf.PdfError, ValueError, TypeError, LookupError, RuntimeError):
            return sample[: len(sample) // 2]  # the damaged objects can't be written
    return written.getvalue()


def _damage_object(draw, pdf, objects):
    target = draw(st.sampled_from(objects))
    if isinstance(target, Stream) and draw(st.booleans()):
        target.write(draw(texts([target.read_bytes()[:40_000]], PDF)))
        return
    endless = pdf.make_indirect(Array([1]))
    endless.append(endless)
    deep = reduce(lambda inner, _: Array([inner]), range(90), Array([]))
    names, words = (
        st.sampled_from(_PDF_KEYS).map(Name),
        st.sampled_from((*WORDS, *LETTERS)).map(pikepdf.String),
    )
    others = st.sampled_from((*_PDF_NUMBERS, None, True, endless, deep))
    value = draw(st.sampled_from(objects) | names | words | others)
    if isinstance(target, Array):
        target.append(value)
    elif (key := draw(st.sampled_from((*_PDF_KEYS, *map(str, target.keys()))))) != "/Length":
        target[key] = value
