import pytest

from linkpress.documents.problem import shown


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ünï 🎲", "Ünï 🎲"),
        ("a\u202eb", r"a\u202eb"),
        ("\x1b[31m\n", r"\x1b[31m\n"),
        ("\U000e0001", r"\U000e0001"),
        ("\ud800", r"\ud800"),
        ("x" * 61, "x" * 59 + "…"),
    ],
)
def test_a_users_text_is_shown_on_one_line_with_what_does_not_print_as_python_writes_it(text, meant):
    assert shown(text) == meant
