"""Edits of a page that change what a reader sees, and hardly what a program reads."""

import pikepdf
import pypdfium2 as pdfium
from pikepdf import Array, Dictionary, Name, Operator
from PIL import ImageChops

DIGITS, GRID, OUTLINE = b"BT\n", b"0.75 w 0 J 0 j\n", b"2 w 0 J 0 j\n"


def page_of_boards(pdf):
    """The first page with digits on a grid."""
    return next(page for page in pdf.pages if GRID in page.Contents.read_bytes())


def rewrite_page(pdf, old, new):
    page = page_of_boards(pdf)
    content = page.Contents.read_bytes()
    at = content.index(old, content.index(GRID))
    page.Contents = pdf.make_stream(content[:at] + new + content[at + len(old) :])


def replacing(old, new):
    return lambda pdf: rewrite_page(pdf, old, new)


def in_space(*space):
    """The digits in a colour space whose inks are none of the press."""

    def change(pdf):
        function = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([1]), C1=Array([0]), N=1)
        spaces = Dictionary(Nil=Array([*space, Name.DeviceGray, function]))
        page = page_of_boards(pdf).obj
        page.Resources["/ColorSpace"] = spaces
        rewrite_page(pdf, DIGITS, DIGITS + b"/Nil cs 1 scn\n")

    return change


def type_3_square(pdf):
    glyph = pdf.make_stream(b"1000 0 0 0 1000 1000 d1 0 0 1000 1000 re f")
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 1000, 1000]),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]), CharProcs=Dictionary(a=glyph),
        FirstChar=97, LastChar=97,
        Encoding=Dictionary(Differences=Array([97, Name.a])), Widths=Array([1000]), Resources=Dictionary(),
    )  # fmt: skip
    page_of_boards(pdf).Resources.Font["/T3"] = pdf.make_indirect(font)
    rewrite_page(pdf, DIGITS, b"BT /T3 30 Tf 100 300 Td (a) Tj ET\n" + DIGITS)


def fonts(pdf):
    return list(page_of_boards(pdf).Resources.Font.values())


def swap_outlines(pdf):
    """Exchange the outlines of two glyphs of the digits' font."""
    for font in fonts(pdf):
        stream = font.FontDescriptor.FontFile2
        data = bytearray(stream.read_bytes())
        tables = {
            bytes(data[at : at + 4]): int.from_bytes(data[at + 8 : at + 12], "big")
            for at in range(12, 12 + 16 * int.from_bytes(data[4:6], "big"), 16)
        }
        glyphs = tables[b"glyf"]
        data[glyphs + 200 : glyphs + 260] = data[glyphs + 200 : glyphs + 260][::-1]
        stream.write(bytes(data))


def re_encode(pdf):
    for font in fonts(pdf):
        font.Encoding = Dictionary(Differences=Array([1, Name.three, Name.two, Name.one]))


def widget(pdf):
    look = pdf.make_stream(b"0 g 0 0 30 30 re f")
    look["/Subtype"], look["/BBox"] = Name.Form, Array([0, 0, 30, 30])
    note = Dictionary(Subtype=Name.Widget, Rect=Array([100, 300, 130, 330]), F=4, AP=Dictionary(N=look))
    page_of_boards(pdf).obj.Annots = Array([pdf.make_indirect(note)])


def upright(key, value):
    def change(pdf):
        page_of_boards(pdf).obj[key] = value

    return change


NONE = Name("/None")
EDITS = {
    "white digits": replacing(DIGITS, DIGITS + b"1 g\n"),
    "digits 1 % wide": replacing(DIGITS, DIGITS + b"1 Tz\n"),
    "a white outline": replacing(OUTLINE, OUTLINE + b"1 G\n"),
    "digits in Separation None": in_space(Name.Separation, NONE),
    "digits in DeviceN None": in_space(Name.DeviceN, Array([NONE])),
    "a square of a capped dot": replacing(DIGITS, b"q 2 J 30 w 0 G 100 300 m 100 300.01 l S Q\n" + DIGITS),
    "a square of a Type 3 glyph": type_3_square,
    "a grid of dashes too far apart": replacing(GRID, GRID + b"[0.01 900] 450 d\n"),
    "outlines of glyphs exchanged": swap_outlines,
    "a font encoded otherwise": re_encode,
    "a form field over a board": widget,
    "a page rotated": upright("/Rotate", 180),
    "a page enlarged": upright("/UserUnit", 2),
    "a line less": replacing(b" l\n", b" m\n"),
}


_MOVED = ("re", "m", "l", "c", "Td", "Tm", "cm")
_COLOURS = ("g", "rg", "k", "G", "RG", "K")
_SIZES = ("w", "Tf", "Tz", "Tc", "d")
_PAINTED = ("Tj", "TJ", "S", "s", "f", "f*", "b", "B", "Do", "W")


def edit_at_random(pdf, page, rng):
    """Change one operator of a page: its text, place, colour or size, or leave it out."""
    operators = pikepdf.parse_content_stream(page)
    known = (*_MOVED, *_COLOURS, *_SIZES, *_PAINTED)
    at = rng.choice([at for at, each in enumerate(operators) if str(each.operator) in known])
    operands, name = list(operators[at].operands), str(operators[at].operator)
    if name == "Tj" and rng.random() < 0.7:
        text = bytearray(bytes(operands[0]))
        text[rng.randrange(len(text))] = rng.choice(b"0123456789")
        operands[0] = pikepdf.String(bytes(text))
    elif name in _PAINTED:
        operands, name = ([pikepdf.String("")], "Tj") if "T" in name else ([], "n")
    elif name == "d":
        operands = [Array([1, 900]), 450]
    else:
        place = rng.randrange(len(operands) - (name == "Tf")) + (name == "Tf")
        operands[place] = rng.random() if name in _COLOURS else float(operands[place]) + rng.uniform(5, 60)
    operators[at] = (operands, Operator(name))
    page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(operators))


def seen_difference(content, other, number):
    """How many pixels of a page look clearly different at 50 dpi."""
    with pdfium.PdfDocument(content) as first, pdfium.PdfDocument(other) as second:
        drawn = [
            book[number].render(scale=50 / 72, grayscale=True).to_pil().convert("L")
            for book in (first, second)
        ]
    return sum(ImageChops.difference(*drawn).histogram()[91:])
