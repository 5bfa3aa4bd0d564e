"""init, check, build, typeset and schema, as a user runs them."""

import json
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from linkpress.cli.app import run
from linkpress.resources import resource

SPEC = """\
title: Two Levels
seed: 5
date: 2026-11-20
page: {trim: 6x9in}
levels:
  - {name: One, count: 3, size: 5, paths: 4, per_page: 1}
  - {name: Two, count: 2, size: 5x7, paths: 5, solids: 2, per_page: 2}
"""


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "book.yaml"
    path.write_text(SPEC)
    return path


def built(spec, out, *more):
    assert run(["build", str(spec), "-o", str(out), "--jobs", "1", *more]) == 0
    return out / "two-levels"


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The folder of that book, which tests leave as it is."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "book.yaml").write_text(SPEC)
    return built(folder / "book.yaml", folder, "--no-ledger")


def test_a_build_writes_the_three_files_and_names_them(spec, tmp_path, capfd):
    folder = built(spec, tmp_path / "out")
    out, err = capfd.readouterr()
    names = ("interior.pdf", "pages.json", "volume.json", "report.txt")
    assert {path.name for path in folder.iterdir()} == set(names)
    assert out.splitlines() == [str(folder / name) for name in names]
    assert "5 puzzles on" in err
    assert "5, each proven to have one solution" in (folder / "report.txt").read_text()


def test_a_book_is_written_as_a_page_to_play(spec, tmp_path, capfd, streams):
    spec.write_text(SPEC + "play: {url: https://example.com/play.html, hints: no}\n")
    folder = built(spec, tmp_path / "out")
    page = (folder / "play.html").read_text("utf-8")
    assert str(folder / "play.html") in capfd.readouterr().out.splitlines()
    out, err = streams(["play", str(folder), "-o", str(tmp_path / "web"), "--hints", "--answers"])
    assert out == f"{tmp_path / 'web' / 'play.html'}\n"
    assert "5 puzzles to play" in err
    more = (tmp_path / "web" / "play.html").read_text("utf-8")
    assert ('"hints":{' in page, '"answers":[' in page) == (False, False)
    assert ('"hints":{' in more, '"answers":[' in more) == (True, True)
    assert "volume.json can't be read" in streams(["play", str(tmp_path)], 4).err


def test_play_replaces_only_its_own_page_without_force(spec, tmp_path, streams):
    folder, page = built(spec, tmp_path / "out"), tmp_path / "web" / "play.html"
    order = ["play", str(folder), "-o", str(page.parent), "--no-hints"]
    assert [run(order), run(order)] == [0, 0]
    other = page.read_text("utf-8").replace('"id":"two-levels"', '"id":"other"')
    for foreign in (other, "<!doctype html><p>Mine"):
        page.write_text(foreign, "utf-8")
        assert f"{page} exists already, and is no page of two-levels by linkpress" in streams(order, 5).err
        assert page.read_text("utf-8") == foreign
    assert run([*order, "--force"]) == 0
    assert '"id":"two-levels"' in page.read_text("utf-8")


def test_a_draft_can_be_built_without_a_ledger(spec, tmp_path, monkeypatch):
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "ledger.sqlite3"))
    assert (built(spec, tmp_path, "--draft", "--no-ledger") / "interior.pdf").exists()
    assert not (tmp_path / "ledger.sqlite3").exists()


def test_build_reports_the_puzzles_of_a_changed_seed_that_are_free_again(spec, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "ledger.sqlite3"))
    built(spec, tmp_path / "out")
    built(spec, tmp_path / "out")
    assert "in the ledger" not in capfd.readouterr().err
    spec.write_text(SPEC.replace("seed: 5", "seed: 6"))
    report = (built(spec, tmp_path / "out") / "report.txt").read_text()
    told = "two-levels held 5 other puzzles in the ledger: they are free to be printed again. "
    assert f"linkpress: {told}" in capfd.readouterr().err
    assert f"ledger         {told}" in report


def test_a_smaller_trial_in_another_folder_leaves_the_ledger_alone(spec, tmp_path, monkeypatch, streams):
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "ledger.sqlite3"))
    built(spec, tmp_path / "out")
    trial = ["build", str(spec), "-o", str(tmp_path / "trial"), "-n", "2", "-j", "1"]
    assert "the ledger has this book with other puzzles" in streams(trial, 5).err
    assert [run([*trial, "--draft"]), run([*trial, "--force"]), run(trial)] == [0, 0, 0]


def test_a_build_tells_what_it_read_otherwise_and_warns_of_a_level_that_feels_easier(spec, tmp_path, streams):
    levels = "[{name: B, count: 1, size: 7, difficulty: medium}, {name: C, count: 1, size: 5}]"
    for keys, seed in (("titulo: A\nseed: 5", 0), ("titulo: A", 1)):
        spec.write_text(f"{keys}\nlevels: {levels}\n")
        said = streams(["build", str(spec), "-o", str(tmp_path), "--draft"]).err
        assert "is read as `title: A`" in said
        assert "Level 2 (C) will feel easier than level 1 (B)" in said
        assert said.count("seed A (from the title)\n") == seed


def test_ledger_and_no_ledger_contradict_each_other(spec, tmp_path, streams):
    options = ["--no-ledger", "--ledger", str(tmp_path / "mine.sqlite3")]
    said = streams(["build", str(spec), "-o", str(tmp_path / "out"), *options], 2).err
    assert "mine.sqlite3 contradict each other" in said
    assert not (tmp_path / "out").exists()


def test_typeset_lays_a_saved_volume_out_again_to_the_same_bytes(book, tmp_path):
    assert run(["typeset", str(book), "-o", str(tmp_path)]) == 0
    for name in ("interior.pdf", "volume.json"):
        assert (tmp_path / name).read_bytes() == (book / name).read_bytes()


def test_check_offers_fix_for_the_file_that_it_can_mend(spec, tmp_path, streams):
    theme, rough = tmp_path / "own.yaml", tmp_path / "rough.yaml"
    theme.write_text("name: own\nnumbers: {colour: K100}\n")
    rough.write_text(SPEC + "zzz: 1\n")
    assert f"linkpress fix {rough} -o" in streams(["check", str(spec), str(rough)], 2).err
    rough.write_text(SPEC + f"theme: {theme}\n")
    said = streams(["check", str(rough)], 2).err
    assert "no such key" in said
    assert "linkpress fix" not in said


def test_check_prints_the_pages_that_a_build_has_and_writes_nothing(book, spec, tmp_path, streams):
    plan = streams(["check", str(spec)]).out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["book.yaml"]
    with pikepdf.open(book / "interior.pdf") as pdf:
        assert f"5 puzzles, {len(pdf.pages)} pages, {-(-len(pdf.pages) // 2)} sheets" in plan
    assert "Two: 2 puzzles; 5 x 7, 5 paths, 2 solids" in plan


def test_init_writes_a_valid_spec_says_the_next_command_and_overwrites_nothing(tmp_path, streams):
    path = tmp_path / "my book.yaml"
    assert streams(["init", str(path)]).err.endswith(f"edit it, then: linkpress build '{path}'\n")
    streams(["check", str(path)])
    path.write_text("mine")
    assert "--force" in streams(["init", str(path)], 5).err
    assert path.read_text() == "mine"


@pytest.mark.parametrize(("language", "needs"), [("de", False), ("ja", True)])
def test_init_says_when_a_language_needs_another_font(tmp_path, streams, language, needs):
    said = streams(["init", str(tmp_path / "mine.yaml"), "--language", language]).err
    assert ("fonts: {fallback: FILE.ttf}" in said) is needs


def test_check_prints_its_plan_as_json(tmp_path, streams):
    spec = tmp_path / "book.yaml"
    spec.write_text("title: Link\nseed: 1\nlevels: [{name: A, count: 4, size: 5, paths: 3}]\n")
    (one,) = json.loads(streams(["check", "--json", str(spec)]).out)["specs"]
    assert (one["file"], one["impossible"]) == (str(spec), [])
    assert one["plan"][0] == "Link (link)"


@pytest.mark.parametrize(
    ("file", "options"), [("spec", []), ("feed", ["--feed"]), ("manifest", ["--manifest"])]
)
def test_schema_prints_the_shipped_schema(file, options, streams):
    """After a change of keys or their descriptions, write the command's output to the file in config."""
    shipped = resource("config", f"{file}.schema.json").read_text("utf-8")
    assert streams(["schema", *options]).out == shipped
    assert json.loads(shipped)["title"].startswith("A linkpress ")


def test_only_one_schema_is_printed_at_a_time(streams):
    assert "--manifest" in streams(["schema", "--feed", "--manifest"], 2).err


def test_a_build_reports_each_problem_of_its_spec_and_makes_nothing(spec, tmp_path, streams):
    spec.write_text(SPEC.replace("paths: 4", "paths: 9-3").replace("title:", "titl:"))
    said = streams(["build", str(spec), "-o", str(tmp_path / "out")], 2).err.splitlines()
    titl, paths = said[1], said[3]
    assert titl == f"{spec}:1:1 titl: there is no such key; did you mean `title`?"
    assert paths == f"{spec}:6:43 levels[0].paths: 9-3 — the low end is above the high end"
    assert not (tmp_path / "out").exists()


def test_a_recipe_that_cannot_be_met_names_the_level_and_leaves_nothing(tmp_path, streams):
    spec = tmp_path / "hard.yaml"
    level = "{name: Odd, count: 1, size: 5, paths: 4, technique: fiendish, effort: 0.1}"
    spec.write_text(f"title: No\nseed: 1\nlevels: [{level}]\n")
    assert "Odd" in streams(["build", str(spec), "-o", str(tmp_path / "out"), "--jobs", "1"], 3).err
    assert not list((tmp_path / "out").rglob("*.pdf"))


SOLD = """\
title: For the Press
seed: 8
page: {printer: kdp-paperback, trim: 6x9in}
screen: yes
cover: {blurb: Some words.}
levels:
  - {name: One, count: 16, size: 5, paths: 4-5, per_page: 1}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("book")
    (place / "book.yaml").write_text(SOLD)
    assert run(["build", str(place / "book.yaml"), "-o", str(place), "--jobs", "1", "--no-ledger"]) == 0
    return place / "for-the-press"


def test_a_build_passes_its_own_printers_preflight(folder, streams):
    for file, options in (("interior.pdf", []), ("cover.pdf", ["--cover"])):
        judged = ["preflight", str(folder / file), "--printer", "kdp-paperback", *options]
        assert "passed: " in streams(judged).out
    assert "interior.pdf passed" in (folder / "report.txt").read_text()


def test_a_file_for_the_screen_fails_the_printers_preflight_with_one(folder, streams):
    arguments = ["preflight", str(folder / "screen.pdf"), "--printer", "kdp-paperback", "--json"]
    verdict = json.loads(streams(arguments, 1).out)
    assert not verdict["passed"]
    assert {"outline", "metadata", "annotations"} <= {f["check"] for f in verdict["findings"]}


def test_verify_ends_with_one_and_names_the_puzzle_whose_square_was_changed(folder, tmp_path, streams):
    assert "16 puzzles proven and graded again" in streams(["verify", str(folder)]).out
    record = json.loads((folder / "volume.json").read_text())
    rows = record["puzzles"][3]["board"]
    at = next(n for n, row in enumerate(rows) if "." in row)
    rows[at] = rows[at].replace(".", "#", 1)
    (tmp_path / "volume.json").write_text(json.dumps(record))
    (tmp_path / "interior.pdf").write_bytes((folder / "interior.pdf").read_bytes())
    assert "puzzle 4" in streams(["verify", str(tmp_path)], 1).out


def test_preview_draws_the_given_pages_side_by_side(folder, tmp_path):
    options = ["--pages", "1-3,7", "--columns", "2", "-o", str(tmp_path / "s.png")]
    assert run(["preview", str(folder), *options]) == 0
    with Image.open(tmp_path / "s.png") as sheet:
        # Two columns of 420 px and two rows of 630 px (6 × 9 in), with three gaps of 25 px each way.
        assert sheet.size == (2 * 420 + 3 * 25, 2 * 630 + 3 * 25)


def test_preview_draws_the_front_alone_as_shops_show_it(folder, tmp_path):
    assert run(["preview", str(folder), "--pages", "front", "-o", str(tmp_path / "f.png")]) == 0
    with Image.open(tmp_path / "f.png") as front:
        assert front.size == (1200, 1800)
        assert len(front.convert("RGB").getcolors(1 << 24)) > 2


@pytest.mark.parametrize(("pages", "allowed"), [("1-2", ".png."), ("template", ".png or .pdf.")])
def test_preview_refuses_a_kind_of_file_that_it_does_not_write(pages, allowed, folder, tmp_path, streams):
    said = streams(["preview", str(folder), "--pages", pages, "-o", str(tmp_path / "x.gif")], 2).err
    assert f"x.gif: the name must end in {allowed}" in said
    assert not any(tmp_path.iterdir())


def test_an_unknown_paper_is_reported_with_its_option(folder, streams):
    file = str(folder / "interior.pdf")
    said = streams(["preflight", file, "--printer", "kdp-paperback", "--paper", "vellum"], 2).err
    assert "linkpress: --paper: kdp-paperback has no paper 'vellum'" in said
    assert "Choose one of them." in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--changes", "absent.yaml"], "there is no file absent.yaml"),
        (["--set", "page.trim=3x"], "page.trim 3x"),
        (["--set", "page.paper=vellum"], "page.paper: kdp-paperback has no paper 'vellum'"),
    ],
)
def test_typeset_says_which_option_is_wrong(folder, tmp_path, streams, options, said):
    assert said in streams(["typeset", str(folder), "-o", str(tmp_path), *options], 2).err


def settings(*changes):
    return [word for change in changes for word in ("--set", change)]


def test_typeset_takes_the_volume_to_another_printer_and_page(folder, tmp_path):
    options = settings("page.printer=generic", "page.trim=A5", "theme=bold", "cover=no", "screen=no")
    assert run(["typeset", str(folder), "-o", str(tmp_path), *options]) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"interior.pdf", "pages.json", "report.txt", "volume.json"}
    with pikepdf.open(tmp_path / "interior.pdf") as pdf:
        width, height = (float(side) for side in pdf.pages[0].TrimBox[2:])
    assert (width, height) == pytest.approx((148 / 25.4 * 72, 210 / 25.4 * 72), abs=0.01)
    changed, saved = (json.loads((p / "volume.json").read_text()) for p in (tmp_path, folder))
    assert changed["puzzles"] == saved["puzzles"]
    assert changed["book"]["theme"] == "bold"


def test_preflight_of_a_colour_book_asks_for_its_paper(folder, tmp_path, streams):
    options = settings("page.printer=generic", "page.paper=colour", "theme=colour", "cover=no", "screen=no")
    assert run(["typeset", str(folder), "-o", str(tmp_path), *options]) == 0
    judged = ["preflight", str(tmp_path / "interior.pdf"), "--printer", "generic"]
    assert "for a book in colour give --paper colour" in streams(judged, 1).out
    assert run([*judged, "--paper", "colour"]) == 0


def test_fix_writes_a_spec_that_can_be_built_only_where_no_file_is(tmp_path, monkeypatch, streams):
    monkeypatch.chdir(tmp_path)
    rough = "titel: Links\nStufen: {Leicht: {Anzahl: 2, Größe: 6, Paare: 5}}\nausgabe: a.pdf\n"
    Path("rough.yaml").write_text(rough, encoding="utf-8")
    printed = streams(["fix", "rough.yaml"])
    assert "- name: Leicht" in printed.out
    assert "line 1: `titel: Links` is read as `title: Links`" in printed.err
    streams(["fix", "rough.yaml", "-o", "book.yaml"])
    streams(["fix", "rough.yaml", "-o", "rough.yaml"], 5)
    assert Path("book.yaml").read_text(encoding="utf-8") == printed.out
    assert Path("rough.yaml").read_text(encoding="utf-8") == rough
    streams(["check", "book.yaml"])
