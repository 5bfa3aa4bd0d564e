"""Other words for commands and options: each row of the tables, and what is done with them."""

import re
import shlex

import pytest

from linkpress.cli.app import _PLACES, _options_of, run
from linkpress.cli.synonyms import REFUSED, _row_takes_value, translate, word_table
from linkpress.errors import UsageError

TABLE = word_table()
ENDINGS = ("png", "epub", "html", "zip", "pdf", "yaml")
SPEC = """\
title: Two Levels
seed: 5
page: {trim: 6x9in}
levels:
  - {name: One, count: 4, size: 5, paths: 4}
  - {name: Two, count: 2, size: 5x7, paths: 5}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, which holds only book.yaml."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "ledger.sqlite3"))
    (tmp_path / "book.yaml").write_text(SPEC)
    return tmp_path


def translated(line, told=None):
    notify = (told if told is not None else []).append
    return shlex.join(translate(shlex.split(line), _PLACES, _options_of, notify))


def check_options(line):
    """Check that a translated command line has only options of its command."""
    command, *words = shlex.split(line)
    assert {word for word in words if word.startswith("-")} <= set(_options_of(command))


@pytest.mark.parametrize(("name", "own"), TABLE.commands.items())
def test_each_other_command_stands_for_a_command_with_its_options(name, own, folder):
    line = translated(name)
    assert line.startswith(own)
    if own != "--version":
        check_options(line)


@pytest.mark.parametrize(("name", "own"), TABLE.of_books.items())
def test_other_commands_for_a_book_s_file(name, own, folder):
    assert translated(f"{name} a.yaml") == f"{own} a.yaml"


@pytest.mark.parametrize("name", TABLE.refused)
def test_commands_that_are_refused(name, folder):
    with pytest.raises(UsageError, match=f"There is no linkpress {name}: "):
        translated(name)


@pytest.mark.parametrize(
    "row", TABLE.options, ids=lambda row: f"{row.commands.split()[0]} {row.names.split()[0]}"
)
def test_each_other_option_stands_for_options_of_its_commands(row, folder):
    values = ["7", "png", "A5", "-", "yes", "pics/", *(f"a.{each}" for each in ENDINGS)]
    for command in row.commands.split():
        for name, _, pattern in (each.partition("=") for each in row.names.split()):
            value = next(each for each in values if not pattern or re.fullmatch(pattern, each))
            value = {"{images}": "png", "{size}": "A5"}.get(row.words, value)
            file = "" if command in ("generate", "init") or row.words == "{}" else "book.yaml"
            line = f"{command} {file} {name} {value if _row_takes_value(row, name) else ''}"
            if row.words != REFUSED:
                check_options(translated(line))
            elif pattern or name not in _options_of(command):
                with pytest.raises(UsageError, match=name):
                    translated(line)


@pytest.mark.parametrize(
    ("typed", "own"),
    [
        ("book.yaml", "build book.yaml"),
        ("-v build a.yaml", "build -v a.yaml"),
        ("-c a.yaml -o b.pdf", "build a.yaml -o b.pdf"),
        ("build help", "build --help"),
        ("make", "build book.yaml"),
        ("build --output_dir=dist", "build --out dist book.yaml"),
        ("build a.yaml -j8 -seed 42", "build a.yaml -j8 --seed 42"),
        ("build a.yaml --dry-run --force -j 8", "check a.yaml"),
        (
            "build a.yaml --format pdf,png,svg,epub",
            "build a.yaml --set epub=yes --set 'images.format=[png,svg]'",
        ),
        ("generate --recipe keys.yaml", "generate --recipe keys.yaml"),
        ("generate a.yaml", "build a.yaml"),
        ("generate --rows 7 --cols 9 --solid-ratio 0,05", "generate --solids 5% --size 9x7"),
        ("create book.yaml", "build book.yaml"),
        ("export png a.yaml", "export --png a.yaml"),
        ("help check", "check --help"),
        ("--help check", "check --help"),
        ("ledger list --nope", "ledger list --nope"),
        ("build -- -a.yaml", "build -- -a.yaml"),
        ("book.yaml check", "check book.yaml"),
        ("check book", "check book.yaml"),
        ("book", "build book.yaml"),
        ("build-pdf a.yaml", "build --set images=no a.yaml"),
        (
            "build book.yaml --title Other --no-toc",
            "build book.yaml --set title=Other --set parts.contents=no",
        ),
        ("export book.yaml --size 800", "export book.yaml --width 800px"),
        ("build book.yaml --wobble 4", "build book.yaml --wobble 4"),
        ("build book.yaml --easy 10 --hard 5", "build book.yaml --difficulty easy=10,hard=5"),
        ("resize book.yaml A5", "typeset book.yaml --set page.trim=A5"),
        ("export book.yaml png 17 pics/", "export book.yaml --png --number 17 --out pics/"),
        ("preview book.yaml 2-3", "preview book.yaml --pages 2-3"),
        ("generate 10 hard", "generate --count 10 --difficulty hard"),
        ("init --puzzles 60 --page-size A5", "init --from 60 --set page.trim=A5"),
        ("book check --size 14x21cm", "check --set page.trim=14x21cm book.yaml"),
        ("-i book.yaml out.pdf", "build book.yaml --out out.pdf"),
        ("convert book.yaml -t epub", "build book.yaml --set epub=yes"),
        ("build book.yaml --parallel 2 --hard", "build book.yaml --jobs 2 --difficulty hard"),
        ("build book.yaml --images", "build book.yaml --set images=yes"),
        (
            "build book.yaml -n 9 --solutions-only",
            "typeset --set solutions.place=file --copy solutions book.yaml",
        ),
        ("fix book.yaml --output new.yaml -y", "fix book.yaml --out new.yaml --force"),
        ("generate --out -", "generate"),
        ("solve --input puzzles.txt", "solve puzzles.txt"),
        ("preview --kdp --a5", "preview --set page.printer=kdp-paperback --set page.trim=a5 book.yaml"),
    ],
)
def test_a_command_line_is_translated(typed, own, folder):
    assert translated(typed) == own


def test_a_ratio_with_two_meanings_is_asked_about(folder):
    with pytest.raises(UsageError, match="give --solids 70%, for squares on paths --solids 30%"):
        translated("generate --solid-ratio 0.7")


def test_a_translation_is_told_and_linkpress_s_own_words_are_not(folder):
    told = []
    translated("build book.yaml -o out --jobs 2", told)
    translated("-v build book.yaml", told)
    assert told == []
    translated("make book.yaml --png-only", told)
    assert told == [
        "linkpress: running linkpress build book.yaml --set images=yes",
        "linkpress: the images are made from the finished book, so its PDF is made too",
    ]


def test_the_only_spec_of_the_folder_is_taken_and_several_are_listed(folder):
    (folder / "book.yaml").rename(folder / "a.yml")
    assert translated("check") == "check a.yml"
    (folder / "b.yaml").write_text(SPEC)
    with pytest.raises(UsageError, match=r"a\.yml, b\.yaml"):
        translated("check")


def test_a_misspelt_other_word_gets_the_right_one(folder, streams):
    assert "Did you mean 'validate', which is linkpress check?" in streams(["valdate", "book.yaml"], 2).err


def test_a_dry_run_prints_the_plan_of_another_number_of_puzzles(folder, streams):
    out, err = streams(["build", "--dry-run", "-n", "4", "--seed", "8"])
    assert "One: 3 puzzles" in out
    assert "4 puzzles instead of 6 (One 3, Two 1)" in err
    assert "seed 8 instead of 5" in err
    assert not (folder / "output").exists()


def test_a_wrong_value_on_the_command_line_is_named_as_such(folder, streams):
    assert "the command line: page.trim" in streams(["check", "--page-size", "tiny"], 2).err


def test_a_pdf_is_written_where_o_says_and_no_other_file_is_replaced(folder, streams):
    (folder / "mine.pdf").write_bytes(b"%PDF mine")
    assert "linkpress did not write it" in streams(["build", "-o", "mine.pdf", "-j", "1"], 5).err
    assert not (folder / "output").exists()
    out = streams(["build", "-o", "mine.pdf", "-j", "1", "--overwrite"]).out
    interior = folder / "output" / "two-levels" / "interior.pdf"
    assert (folder / "mine.pdf").read_bytes() == interior.read_bytes()
    assert out.splitlines()[-1] == "mine.pdf"
    assert "--set epub=yes" in streams(["build", "-o", "mine.epub"], 2).err


def test_solutions_and_images_of_a_book_that_is_not_built_yet(folder, streams):
    said = streams(["solutions", "-o", "answers.pdf"]).err
    assert "so the book is built first" in said
    assert (folder / "answers.pdf").read_bytes().startswith(b"%PDF")
    out, err = streams(["export", "book.yaml", "--puzzle", "2,5-6", "--what", "puzzle", "--dpi", "100"])
    assert "built first" not in err
    assert [line[-15:] for line in out.splitlines()] == [f"000{number}-puzzle.png" for number in (2, 5, 6)]
    assert "numbers 1 to 6" in streams(["export", "book.yaml", "--number", "7"], 2).err


def test_a_spec_can_ask_for_images(folder, streams):
    spec = folder / "book.yaml"
    spec.write_text(f"{SPEC}images: {{width: 60mm, dpi: 100, mode: gray, what: puzzle}}\n")
    assert "6 images, 59.9 mm wide at 100 dpi" in streams(["build", "-j", "1"]).err
    images = folder / "output" / "two-levels" / "images"
    assert len(list(images.iterdir())) == 6
    assert run(["build", "-j", "1", "-n", "2", "--format", "svg", "--force"]) == 0
    assert {path.suffix for path in images.iterdir()} == {".svg"}
    spec.write_text(f"{SPEC}images: {{width: 20mm}}\n".replace("5x7", "10"))
    assert "images: " in streams(["check"], 2).err


def test_init_names_the_file_for_a_title_and_prints_without_a_name(folder, streams):
    assert "wrote my-book.yaml" in streams(["init", "my-book"]).err
    assert "wrote summer-puzzles.yaml" in streams(["new", "Summer Puzzles", "--page-size", "A5"]).err
    text = (folder / "summer-puzzles.yaml").read_text()
    assert "title: Summer Puzzles\n" in text
    assert "trim: A5" in text
    assert streams(["init"]).out.startswith("# yaml-language-server")
    assert (folder / "book.yaml").read_text() == SPEC


def test_list_prints_names(streams):
    assert streams(["list", "difficulties"]).out.startswith("easy")
    for kind, name in (("printers", "kdp-paperback"), ("languages", "de"), ("books", "children")):
        assert name in streams([f"list-{kind}"] if kind != "books" else ["examples"]).out.split()


def test_puzzles_are_shown_with_solutions_and_printed_as_a_booklet_without_a_spec(folder, streams):
    board = ["--size", "5", "--paths", "4", "--seed", "3"]
    shown = streams(["show", *board, "--solutions"]).out
    assert shown.count("\n\n") == 1
    assert streams(["generate", *board, "--count", "2", "-o", "two.txt"]).out == "two.txt\n"
    assert (folder / "two.txt").read_text().startswith(streams(["generate", *board]).out)
    assert "2 puzzles on" in streams(["gen", *board, "-n", "2", "-o", "nine.pdf"]).err
    assert (folder / "nine.pdf").read_bytes().startswith(b"%PDF")
    assert "--force" in streams(["generate", *board, "-o", "nine.pdf"], 5).err
    assert not (folder / "ledger.sqlite3").exists()


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("build book.yaml book.png", "linkpress preview SPEC -o book.png"),
        ("build book.yaml --output book.epub", "--set epub=yes"),
        ("build book.yaml --images pics", "linkpress export SPEC -o pics"),
        ("build book.yaml --cover cover.pdf", "linkpress typeset SPEC .* -o cover.pdf"),
        ("export book.yaml --number 7 -o seven.png", "give a folder"),
        ("fix a.yaml b.yaml", "linkpress fix a.yaml"),
        ("build -", "Save it as a file"),
        ("build book.yaml --format jpg,bmp --watch", "linkpress studio"),
    ],
)
def test_an_option_that_can_t_be_met_names_the_command_that_does_it(typed, advice, folder):
    with pytest.raises(UsageError, match=advice):
        translated(typed)


def test_no_file_is_named_like_standard_output(folder, streams):
    assert "can't go to standard output" in streams(["build", "-o", "-"], 2).err
    assert not (folder / "output").exists()


def test_puzzles_are_read_from_a_pipe_without_a_dash(folder, monkeypatch):
    (folder / "p.txt").write_text("2 2\n1 .\n. 1\n")
    with (folder / "p.txt").open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert translated("solve --form ascii") == "solve --form ascii -"


def test_a_built_book_is_not_replaced_by_one_with_other_puzzles(folder, streams):
    streams(["build", "-j", "1", "--no-ledger"])
    interior = folder / "output" / "two-levels" / "interior.pdf"
    content = interior.read_bytes()
    for option in (["-n", "2"], ["--seed", "9"], ["--difficulty", "easy"]):
        assert "-o trial --draft" in streams(["build", *option, "-j", "1", "--no-ledger"], 5).err
    assert interior.read_bytes() == content
    streams(["build", "-n", "2", "-j", "1", "--no-ledger", "-o", "trial"])
    streams(["build", "--theme", "bold", "-n", "6", "-j", "1", "--no-ledger"])
    streams(["build", "-n", "2", "-j", "1", "--no-ledger", "--force"])
    assert interior.read_bytes() != content


def test_a_theme_that_is_given_as_a_book_is_explained(folder, streams):
    (folder / "own.yaml").write_text("extends: bold\n")
    assert "--set theme=FILE" in streams(["check", "book.yaml", "own.yaml"], 2).err


def test_a_preview_takes_other_keys_and_difficulties(folder, streams):
    err = streams(["preview", "-n", "2", "--theme", "bold", "--pages", "front", "--page-size", "A5"]).err
    assert "for this run: 2 puzzles instead of 6" in err
    assert (folder / "preview.png").is_file()


def test_other_names_of_keys_and_values_are_taken_from_the_command_line(folder, streams):
    plan = streams(["check", "--paper-size", "6x9", "--lang", "Spanish", "--number-of-puzzles", "12"]).out
    assert "12 puzzles" in plan
    assert "the command line: wobble: " in streams(["check", "--set", "wobble=1"], 2).err


def test_a_difficulty_for_one_run_keeps_the_levels_that_have_it(folder, streams):
    (folder / "book.yaml").write_text(SPEC.replace("paths: 5", "difficulty: easy"))
    assert "2 puzzles instead of 6 (Two 2)" in streams(["check", "--difficulty", "easy"]).err
    said = streams(["check", "--difficulty", "easy=50%,medium=50%"]).err
    assert "6 puzzles instead of 6 (easy 3, medium 3)" in said
    assert "hrad=5 — write each part as" in streams(["check", "--difficulty", "easy=1,hrad=5"], 2).err
    assert "the command line: levels[0].difficulty" in streams(["check", "--difficulty", "brutal"], 2).err


def test_a_spec_is_made_from_a_few_words(folder, streams):
    words = "easy 4, hard 2; A5, Spanish, 10x10, by Ada, “Dos líneas”"
    said = streams(["init", "words.yaml", "--from", words]).err
    assert "puzzles: 6 puzzles (4 easy, 2 hard)" in said
    text = (folder / "words.yaml").read_text()
    for line in ("title: Dos líneas", "language: es", "trim: A5", "puzzles: 6", "mix: {easy: 4, hard: 2}"):
        assert line in text
    streams(["check", "words.yaml"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("easy 4, zebra", "zebra is not understood"),
        ("easy 4, 10 puzzles", "4 in all — the counts must add up to 10 puzzles"),
        ("easy 50%, hard 50%", "give the number of puzzles too"),
        ("A5", "it does not say how many puzzles"),
    ],
)
def test_words_that_are_not_understood_are_refused(words, message, folder, streams):
    assert message in streams(["init", "words.yaml", "--from", words], 2).err
