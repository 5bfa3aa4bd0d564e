"""What breaks readers: numbers, letters, words and markup that somebody's parser once fell over."""

NUMBERS = (
    "0", "-0", "-1", "1", "2", "3", "50", "51", "61", "62", "255", "256", "9999", "10000", "65536",
    "2147483647", "2147483648", "-2147483649", "4294967296", "9223372036854775808", "1" * 30, "9" * 400,
    "9" * 5000, "0.1", "-0.5", "1e9", "1e308", "1e400", "-1e400", "1e-400", "NaN", "nan", "Infinity", "-inf",
    ".inf", ".nan", "0x10", "0o17", "0b1", "1_000", "+5", "5.", ".5", "5%", "101%", "0.05%", "-5%", "5 %",
    "1/3", "5-3", "3-5", "3–5", "5-", "-", "--", "5x7", "0x0", "7 x 9", "1e5x1e5", "5mm", "5in", "12:30",
    "2026-02-30", "0000-00-00", "9999-12-31", "02-29", "٣", "５", "²", "Ⅷ", "½", "1\u00a0000",
)  # fmt: skip

LETTERS = (
    "\0", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b[31m", "\x1f", "\x7f", "\x80", "\x85", "\xa0", "\xad",
    "\u0300", "e\u0301", "a" + "\u0301" * 60, "\u05d0\u05d1", "\u0627\u0644", "\u0e01\u0e33",
    "\u0e1b\u0e35\u0e48", "\u200b", "\u200d", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202e",
    "\u2066", "\u2069", "\u2060", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\ue000", "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\U000e0001", "\U0010ffff",
    "\u4e2d\u6587", "ß", "ﬁ", "İ", "ſ", "Å", "①", "☆", "·", "–", "\r", "\r\n", "\n", "\n\n", "\t", " ",
    "\u3000",
)  # fmt: skip

WORDS = (
    "", "null", "~", "true", "false", "yes", "no", "on", "off", "auto", "none", "default", "__class__",
    "__proto__", "constructor", "con", "NUL", "aux.png", "../../etc/passwd", "..", "../..", "/", "//",
    "/etc/passwd", "/dev/null", "/dev/zero", "/proc/self/mem", "~", "~root", "C:\\Windows\\x",
    "\\\\host\\share", "file:///etc/passwd", "$HOME", "$(id)", "`id`", "; rm x", "| cat", "%s%s%n", "%(x)s",
    "{}", "{0}", "{what.__class__}", "{number:9999}", "{date!r}", "{{", "}}", "{number", "<b>", "</dict>",
    "<!-- -->", "<![CDATA[x]]>", "&amp;", "&lt;x", "&#0;", "]]>", "<?xml version='1.0'?>",
    "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;", "(", ")", "((", "\\(", "\\", "\\)",
    ") Tj ET", ">>", "<<", "endobj", "endstream endobj", "/JS (app.alert(1))", "<</S/JavaScript>>",
    "<FEFF0041>", "'", '"', "''", '""', "’", "*", "**", "***", "___", "# ", "---", "...", "```", "[x](y)",
    "![x](y)", "- - - -", "1. 1. 1.", "> > > >", "=SUM(A1)", "+1", "@x", "' OR 1=1 --",
    '"; DROP TABLE puzzles; --', "a" * 61, "a" * 201, "word " * 300, "x" * 5000, "\U0001f600" * 200,
)  # fmt: skip

YAML = (
    "&a", "*a", "&a *a", "&a [*a]", "&a {x: *a}", "<<: *a", "<<: [*a, *a]", "<<",
    "!!python/object/apply:os.system", "!!binary aGk=", "!!set {a, b}", "!!int '5'", "!x", "!", "? ", ": ",
    "- ", "-", ",", "[", "]", "{", "}", "[]", "{}", "[[[[[[[[[[[[[[]]]]]]]]]]]]]]", "[" * 3000, "{" * 3000,
    "{a: " * 40, "- " * 1500, "? " * 1500, "|", ">", "|-", "|9", "%YAML 9.9", "%TAG ! x", "---", "--- ",
    "...", "\t", "#", "@", "`", "'", '"', '"\\ud800"', '"\\x00"', '"\\U00110000"', '"\\', "&a [a, a, a, a]",
    "[*a, *a, *a, *a]", "2026-11-20", "2026-11-20T00:00:00Z", "=", "0o7", "1:30:00", "null: null",
    "? [a, b] : c", "? {a: b}", "x: &x\n  - *x",
)  # fmt: skip

JSON = (
    "{", "}", "[", "]", ",", ":", '"', "\\", '"\\ud800"', '"\\u0000"', "NaN", "Infinity", "-Infinity",
    "1e999", "null", "true", "[" * 900, "[" * 5000, '{"a":' * 900, "[[]]", "{}", '{"": ""}', "-", "01", "1.",
    "/*x*/", "//",
)  # fmt: skip

BOARDS = (
    ".", "#", "1", "2", "62", "10000", "0", "-1", "A", "z", ";", "; x", "7 7", "3 3", "50 50", "51 3", "2 2",
    "7 7 7", "┌", "└", "│", "─", "├", "┼", "┤", "┬", "┴", "┐", "┘", "╵", "╴", "╶", "╷", "·", "█", "███",
    "| X |", "|", "||", "|   |", "| 4 |", "Table to be solved:", "The solution to the above table:",
    "https://puzz.link/p?numlin/", "numlin/5/5/", "?numlin_edit/", "m+numlin/", "pzprv3/", "g", "z", "-10",
    "-0", "+fff", "=fff", "%fff", "-ff", "%", "=", "*", "$",
)  # fmt: skip

XML = (
    "<", ">", "</", "/>", "&", "&amp;", "&#0;", "&#55296;", "&nbsp;", "<!--", "-->", "<![CDATA[", "]]>",
    "<!DOCTYPE html [", '<!ENTITY a "b">', '<!DOCTYPE a SYSTEM "/etc/passwd">', "<?xml version='1.1'?>",
    'encoding="UTF-16"', "xmlns=", 'xmlns:a="b"', "xml:lang", 'lang=""', "<svg>", "</svg>", "<use/>",
    "viewBox=", "d=", "M", "L", "h", "v", "Z", "M1 1", "h-1e9", "#000000", "#fff", "none", "transform=",
    "href=", "src=", "alt=", "../", "http://[", "%zz", "?", "#", "<h1>", "</h1>", "<a>", "</a>", "<body>",
    "r1c1", "r0c0", "r999999999c9", "; ", ": ", "–", "idref=", "id=", "properties=", "full-path=",
)  # fmt: skip

PDF = (
    "obj", "endobj", "stream", "endstream", "xref", "trailer", "startxref", "%%EOF", "<<", ">>", "[", "]",
    "(", ")", "1 0 R", "0 0 R", "-1 0 R", "999999999 0 R", "1 65536 R", "/Kids", "/Parent", "/Length",
    "/Filter", "/FlateDecode", "/LZWDecode", "/DCTDecode", "/JBIG2Decode", "/ASCII85Decode", "/Encrypt",
    "/Type", "/Page", "/Pages", "/Count", "/Contents", "/Resources", "q", "Q", "cm", "re", "f", "S", "BT",
    "ET", "Tf", "Tj", "TJ", "Do", "gs", "sh", "BI", "ID", "EI", "d0", "d1", "scn", "cs", "/Pattern", "W n",
    "1e38 0 0 1e38 0 0 cm", "0 0 0 0 0 0 cm", "99999999999999999999 w", "[0 0] 0 d", "[] 1e9 d",
    "[1e-9] 0 d", "-1 Tr", "99 Tr", "0 Tz", "1e9 Tz", "q " * 600, "0 0 m 9 9 l S " * 200, "<", ">", "<zz>",
    "(\\", "true", "null", "nan", "--5", "+-5", "5..5", ".", "-",
)  # fmt: skip
