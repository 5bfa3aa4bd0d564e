"""Several books in one go."""

from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import pytest

from linkpress.app.build import BuiltBook, build
from linkpress.app.series import build_books, check_books
from linkpress.cli.app import run
from linkpress.errors import ClusterError, GaveUpError, SpecError
from linkpress.ledger.database import Holder, Kind, Place
from linkpress.production.ledger_session import NO_LEDGER, USUAL_LEDGER, LedgerChoice
from paper_maker import HERE

HOUSE = "title: Link\nseed: 5\nlevels:\n  - {name: Small, count: 2, size: 5, paths: 4}\n"
UNMET = "levels: [{name: Bad, count: 1, size: 5, paths: 4, technique: fiendish, effort: 0.1}]\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("house.yaml").write_text(HOUSE)


def volumes(*texts):
    """Specs that are based on the house's."""
    paths = [Path(f"vol-{number}.yaml") for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(f"base: house.yaml\n{text}")
    return paths


def problems_of(paths):
    with pytest.raises(SpecError) as caught:
        check_books(paths, Path("out"))
    return str(caught.value).splitlines()


def test_the_problems_of_all_books_are_reported_together_each_once():
    Path("house.yaml").write_text(f"{HOUSE}yaer: 2026\ncover: {{badge: volume}}\n")
    assert problems_of(volumes("volume: 1\n", "volume: 2\npgae: {}\n", "id: other\n")) == [
        "house.yaml:5:1 yaer: there is no such key; did you mean `year`?",
        "vol-2.yaml:3:1 pgae: there is no such key; did you mean `page`?",
        "house.yaml:6:16 cover.badge: volume — give the book a volume: number to show (for vol-3.yaml)",
    ]


def test_two_books_share_no_id_no_isbn_and_no_file():
    Path("house.yaml").write_text(f"{HOUSE}isbn: 978-3-16-148410-0\n")
    paths = volumes("volume: 1\n", "volume: 1\nisbn:\n", "volume: 3\nisbn: 3-16-148410-X\n")
    lines = problems_of([*paths, Path("../", Path.cwd().name, "vol-1.yaml")])
    assert [line.partition(";")[0] for line in lines] == [
        "vol-2.yaml:1:1 title: link-1 — vol-1.yaml, by house.yaml:1:8, has this id too",
        "vol-3.yaml:3:7 isbn: 9783161484100 — vol-1.yaml, by house.yaml:5:7, has this ISBN too",
        f"../{Path.cwd().name}/vol-1.yaml: this is the same file as vol-1.yaml",
    ]


def test_two_books_share_no_folder():
    Path("out/link").mkdir(parents=True)
    Path("out/link/volume.json").write_text('{"book": {"page": {"printer": "lulu"}}}')
    (line,) = problems_of(volumes("page: {trim: A5}\n", "id: link-generic-a5\n"))
    assert line.startswith("vol-2.yaml:2:5 id: out/link-generic-a5 — vol-1.yaml, by house.yaml:1:8, goes to ")


def test_a_base_that_is_given_as_a_book_is_reported():
    Path("house.yaml").write_text("title: Link\nlevels: [{name: Small, count: 2, size: 5}]\n")
    assert problems_of([*volumes("seed: 1\n"), Path("house.yaml")]) == [
        "house.yaml: vol-1.yaml is based on this file, which is no whole book; leave it out"
    ]


def test_a_base_that_is_given_alone_is_reported_with_a_book_based_on_it():
    Path("house.yaml").write_text("seed: 1\nlevels: [{name: Small, count: 2, size: 5}]\n")
    volumes("title: Link\n")
    Path("broken.yaml").write_text("[")
    assert problems_of([Path("house.yaml")]) == [
        "house.yaml: vol-1.yaml is based on this file, which is no whole book; give that"
    ]
    with Path("house.yaml").open("a") as file:
        file.write("workers: 4\n")
    assert any(line.startswith("house.yaml:3:1 workers: ") for line in problems_of([Path("house.yaml")]))


def test_books_without_a_number_come_last_by_their_ids():
    books = check_books(volumes("id: b\n", "volume: 3\n", "id: a\n"), Path("out"))
    assert [book.path.stem for book in books] == ["vol-2", "vol-3", "vol-1"]


def test_books_are_built_by_number_and_none_has_a_puzzle_of_another():
    paths = volumes("volume: 10\n", "volume: 9\n")
    books = check_books(paths, Path("out"))

    def build_one(book, *, ledger, workers):
        return build(book, "out", ledger=ledger, workers=workers)

    lines = []
    outcomes = build_books(books, build_one, partial(nullcontext, HERE), NO_LEDGER, lines.append)
    first, second = (outcome.result for outcome in outcomes)
    assert lines == ["vol-2.yaml, 1 of 2", "vol-1.yaml, 2 of 2"]
    marks = [one.fingerprint for one in (*first.volume.puzzles, *second.volume.puzzles)]
    assert len(set(marks)) == 4
    assert "attempt 0: it is in volume link-9, 1\n" in (second.folder / "report.txt").read_text()
    alone = {spec: build(spec, "alone", 1, ledger=USUAL_LEDGER) for spec in ("vol-2.yaml", "vol-1.yaml")}
    for name in ("interior.pdf", "volume.json"):
        assert (second.folder / name).read_bytes() == (alone["vol-1.yaml"].folder / name).read_bytes()


def test_a_book_that_fails_leaves_the_others_and_a_stop_says_what_is_left():
    books = check_books(volumes("volume: 1\n", "volume: 2\n", "volume: 3\n", "volume: 4\n"), Path("out"))
    taken = []

    def build_one(book, *, ledger, workers):
        taken.append(dict(ledger.in_use))
        if book.path.stem == "vol-2":
            raise GaveUpError("no more")
        if book.path.stem == "vol-4":
            raise KeyboardInterrupt("interrupted")
        return BuiltBook(Path("out"), None, 8, (), places={book.path.stem: "1"})

    again = "all again, since no ledger knows"
    draft = LedgerChoice(draft=True)
    for ledger, go_on in ((USUAL_LEDGER, "these alone"), (NO_LEDGER, again), (draft, again)):
        taken.clear()
        outcomes = build_books(books, build_one, partial(nullcontext, HERE), ledger, print)
        results = [next(outcomes).result for _ in range(3)]
        assert str(results[1]) == "no more"
        with pytest.raises(KeyboardInterrupt) as stop:
            next(outcomes)
        left = "interrupted. Built: vol-1.yaml, vol-3.yaml; left: vol-4.yaml. To go on give "
        assert str(stop.value).startswith(left + go_on)
        first = {"vol-1": Place(Holder(Kind.VOLUME, "link-1"), "1", published=True)}
        assert taken[1:3] == [first, first]
        assert taken[3].keys() == {"vol-1", "vol-3"}
    with pytest.raises(KeyboardInterrupt, match=r"interrupted\. None is built; left: vol-4\.yaml$"):
        next(build_books(books[3:], build_one, partial(nullcontext, HERE), NO_LEDGER, print))


def test_one_cluster_serves_all_books_and_is_joined_anew_only_where_it_is_lost():
    books = check_books(volumes("volume: 1\n", "volume: 2\n", "volume: 3\n", "volume: 4\n"), Path("out"))
    events = []

    @contextmanager
    def open_workers():
        events.append("joined")
        yield HERE
        events.append("left")

    def build_one(book, *, ledger, workers):
        events.append(book.path.stem)
        if book.path.stem == "vol-2":
            raise ClusterError("lost")
        return BuiltBook(Path("out"), None, 8, ())

    list(build_books(books, build_one, open_workers, NO_LEDGER, print))
    assert events == ["joined", "vol-1", "vol-2", "left", "joined", "vol-3", "vol-4", "left"]


def test_the_command_tells_of_each_book_and_ends_with_the_first_failed_one_s_code(capfd):
    volumes("volume: 1\n" + UNMET, "volume: 2\n")
    assert run(["build", "vol-?.yaml", "-o", "out", "--jobs", "1"]) == 3
    out, err = capfd.readouterr()
    names = ["interior.pdf", "pages.json", "volume.json", "report.txt"]
    assert out.splitlines() == [f"out/link-2/{name}" for name in names]
    assert "linkpress: vol-1.yaml: puzzle 1 of level Bad: no " in err
    assert err.splitlines()[-3:] == [
        "1 of 2 books are built:",
        "  vol-1.yaml  not built (exit code 3)",
        "  vol-2.yaml  2 puzzles on 8 pages     out/link-2",
    ]
    assert run(["check", "vol-1.yaml", "vol-2.yaml"]) == 1
    assert capfd.readouterr().out.count("Link (link-") == 2
    assert run(["check", "vul-*.yaml"]) == 2
    assert capfd.readouterr().err == "linkpress: no file matches vul-*.yaml.\n"
