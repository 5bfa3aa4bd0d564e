import contextlib
import dataclasses
import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.book.volume import assemble, load_volume
from linkpress.engine.recipe import Grade
from linkpress.errors import ExitCode, PuzzleError
from paper_maker import make_slots


def records_of(finished):
    return [one.record for one in finished]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_no_volume_and_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "volume.json")
    with pytest.raises(PuzzleError, match=r"volume\.json can't be read: it is a pipe or a device"):
        load_volume(tmp_path / "volume.json")


def test_puzzles_are_numbered_through_the_book_level_by_level(volume):
    levels = ["Easy"] * 4 + ["Hard"] * 3
    assert [(one.number, one.record.level) for one in volume.numbered] == list(enumerate(levels, 1))


def test_ungraded_puzzles_are_ordered_by_size_and_number_of_pairs(volume):
    for name in ("Easy", "Hard"):
        order = [
            (one.puzzle.grid.size, -len(one.puzzle.pairs) / len(one.puzzle.grid.free_cells))
            for one in volume.level(name)
        ]
        assert order == sorted(order)
    assert [one.puzzle.grid.size for one in volume.level("Hard")] == [35, 35, 36]


def test_a_level_is_ordered_by_score_and_ungraded_puzzles_come_last(spec):
    made = records_of(make_slots(plan_slots(spec)))
    gradings = [(Grade.HARD, 2), (Grade.EASY, 9), (None, None), (Grade.EASY, 3)]
    made[:4] = [
        dataclasses.replace(record, technique=technique, score=score)
        for record, (technique, score) in zip(made[:4], gradings, strict=True)
    ]
    assert [record.index for record in assemble(spec, made, "0.1.0").level("Easy")] == [1, 4, 2, 3]


def test_a_volume_does_not_depend_on_the_order_of_making(spec):
    made = records_of(make_slots(plan_slots(spec)))
    assert assemble(spec, made[::-1], "0.1.0").json == assemble(spec, made, "0.1.0").json


def test_the_file_has_the_documented_keys(volume):
    content = json.loads(volume.json)
    first = ["format", "format_version", "title", "seed", "linkpress_version", "spec_sha256"]
    assert list(content)[:6] == first
    assert (content["format"], content["format_version"]) == ("linkpress-volume", 1)
    assert (content["title"], content["seed"]) == ("Link “Ü” 🎲", 7)
    first, puzzle = content["puzzles"][0], volume.puzzles[0].puzzle
    assert (first["width"], first["height"], first["pairs"], first["solids"]) == (7, 5, len(puzzle.pairs), 0)
    assert (first["number"], first["level"], first["rule"], first["technique"]) == (1, "Easy", "strict", None)
    assert [len(row.split()) for row in first["board"]] == [7] * 5
    assert "." not in " ".join(first["solution"])
    assert first["seed"] == f"7/Easy/{first['slot']}/{first['attempt']}"


def test_the_file_has_the_names_of_puzzles_that_are_printed(tmp_path, volume):
    captions = volume.spec.captions.model_copy(update={"titles": True})
    named = dataclasses.replace(volume, spec=volume.spec.model_copy(update={"captions": captions}))
    text = named.json
    names = [puzzle.name for puzzle in named.numbered]
    assert [puzzle["name"] for puzzle in json.loads(text)["puzzles"]] == names
    assert len(set(names)) == len(names) == 7
    assert load_volume(write(tmp_path, text)).json == text
    renamed = load_volume(write(tmp_path, text.replace(f'"name": "{names[2]}"', '"name": "My puzzle"')))
    assert [puzzle.name for puzzle in renamed.numbered] == [*names[:2], "My puzzle", *names[3:]]
    in_german = dataclasses.replace(renamed, spec=renamed.spec.model_copy(update={"language": "de"}))
    assert {"My puzzle", *names}.isdisjoint(puzzle.name for puzzle in in_german.numbered)


def test_names_of_puzzles_that_are_the_same_are_reported(tmp_path, volume):
    content = json.loads(volume.json)
    for puzzle in content["puzzles"]:
        puzzle["name"] = f"Puzzle of {puzzle['width']}"
    assert "puzzles[1]: name: Puzzle of 7 — puzzle 1 has this name too." in error_of(write(tmp_path, content))


def test_difficulty_and_technique_are_written_beside_the_score(volume):
    puzzle = dataclasses.replace(
        volume.puzzles[0],
        technique=Grade.EXPERT,
        score=172,
        difficulty=34,
        findings={"what-if": 2, "exits": 5},
    )
    record = json.loads(dataclasses.replace(volume, puzzles=(puzzle,)).json)["puzzles"][0]
    assert (record["technique"], record["score"], record["difficulty"]) == ("expert", 172, 34)
    assert list(record["findings"].items()) == [("exits", 5), ("what-if", 2)]


def write(folder, content):
    path = folder / "volume.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def error_of(path):
    with pytest.raises(PuzzleError) as caught:
        load_volume(path)
    assert caught.value.exit_code is ExitCode.PUZZLE_FILE
    return str(caught.value)


def test_a_volume_reads_back_to_the_same_text(tmp_path, volume):
    marked = dataclasses.replace(volume.puzzles[0], technique=Grade.EASY, score=3, findings={"exits": 4})
    volume = dataclasses.replace(volume, puzzles=(marked, *volume.puzzles[1:]))
    text = volume.json
    again = load_volume(str(write(tmp_path, text)))
    assert again.puzzles == volume.puzzles
    assert again.spec.document() == volume.spec.document()
    assert again.json == text


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), "other", "format: "), (("format_version",), 2, "it is from a newer linkpress"),
        (("format_version",), 0, "1 is the only one there is"),
        (("title",), "Other", "the book's own keys say Link"),
        (("title",), "\ud800", "not JSON that can be read: unexpected end of hex escape"),
        (("seed",), [7], "the book's own keys say 7"),
        (("book", "levels"), [], "the book's keys in this volume are invalid"),
        (("book", "levels", 0, "count"), 5, "the book's levels ask for 5 in Easy"),
        (("book",), None, "book: null — an object is needed"),
        (("puzzles",), {}, "puzzles: {} — a list is needed"),
        (("puzzles",), [], "none of its puzzles can be read"),
        (("puzzles", 2), "x", "puzzles[2]: an object with the key number is needed"),
        (("puzzles", 2, "number"), 4, "puzzles[2]: number: 4 — 3 is needed"),
        (("puzzles", 2, "width"), 5, "puzzles[2]: width: 5 — the board has 7"),
        (("puzzles", 2, "pairs"), None, "pairs: null — the board has"),
        (("puzzles", 2, "rule"), "loose", "filled, strict or untouching is allowed"),
        (("puzzles", 2, "technique"), "tricky", "beginner, easy"),
        (("puzzles", 2, "score"), "9", "a whole number is needed"),
        (("puzzles", 2, "score"), -5, "score: -5 — a whole number from 0 to 1,000,000,000,000 is needed"),
        (("puzzles", 2, "attempt"), 10**30, "a whole number from 0 to"),
        (("puzzles", 2, "findings"), {"exits": "3"}, 'findings.exits: "3" — a whole number is needed'),
        (("puzzles", 0, "name"), "My puzzle", "puzzles[1]: name: nothing — text, up to 150 characters"),
        (("puzzles", 2, "board"), ["1 1", "x"], "puzzles[2]: board: "),
        (("puzzles", 2, "board", 0), 7, "a list of rows, each a text"),
        (("puzzles", 2, "fingerprint"), "0" * 16, "one of them was changed"),
        (("puzzles", 2, "level"), "Other", "1 in Other"),
    ],
)  # fmt: skip
def test_a_contradiction_in_a_volume_is_reported(tmp_path, volume, path, value, message):
    holder = content = json.loads(volume.json)
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    assert message in error_of(write(tmp_path, content))


def test_a_wrong_square_in_a_solution_is_reported(tmp_path, volume):
    content = json.loads(volume.json)
    row = content["puzzles"][4]["solution"][2].split()
    row[1] = "1"
    content["puzzles"][4]["solution"][2] = " ".join(row)
    assert "puzzles[4]: solution: " in error_of(write(tmp_path, content))


def test_a_turned_copy_of_a_puzzle_is_reported(tmp_path, volume):
    content = json.loads(volume.json)
    first, second = content["puzzles"][:2]
    second |= {key: first[key][::-1] for key in ("board", "solution")}
    second |= {key: first[key] for key in ("pairs", "fingerprint")}
    assert "puzzle 2 is puzzle 1 again" in error_of(write(tmp_path, content))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON that can be read: EOF while parsing a value at line 1"),
        ("[]", "an object with the key format is needed"),
        ('{"format": 1, "a": [{"b": 1, "\\u0062": 2}]}', 'the key "b" is given twice in an object'),
    ],
)
def test_json_that_is_no_volume_is_refused(tmp_path, text, message):
    assert message in error_of(write(tmp_path, text))


def test_an_unreadable_file_is_refused(tmp_path):
    problem = error_of(tmp_path / "none.json")
    assert "can't be read: No such file" in problem
    assert "`linkpress build` writes one" in problem
    assert "can't be read: Is a directory" in error_of(tmp_path)
    (tmp_path / "book.yaml").touch()
    assert "`linkpress build` makes one" in error_of(tmp_path / "book.yaml" / "volume.json")
    (tmp_path / "volume.json").touch()
    assert f"give `{tmp_path}`." in error_of(tmp_path / "volume.json" / "volume.json")
    (tmp_path / "latin").write_bytes(b'{"format": "\xdc"}')
    assert "invalid unicode code point" in error_of(tmp_path / "latin")


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_character_is_refused_or_changes_no_puzzle(tmp_path, volume, data):
    text = volume.json
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.sampled_from('0159"#[]{},.x ')) + text[at + 1 :]
    with contextlib.suppress(PuzzleError):
        again = load_volume(write(tmp_path, changed))
        assert [one.solution for one in again.puzzles] == [one.solution for one in volume.puzzles]


def book(*levels, **keys):
    return BookSpec.model_validate({"title": "x", "seed": 9, "levels": levels, **keys})


def essence(slots, level):
    return [(slot.index, slot.seed, slot.recipe, slot.method) for slot in slots if slot.level == level]


EASY = {"name": "Easy", "count": 3, "size": "7x5"}
HARD = {"name": "Hard", "count": 2, "size": ["7x5", "8"], "method": "classic"}


def test_slots_have_numbers_and_seeds_by_level_index_and_attempt():
    slots = plan_slots(book(EASY, HARD))
    places = [(1, "Easy", 1), (2, "Easy", 2), (3, "Easy", 3), (4, "Hard", 1), (5, "Hard", 2)]
    assert [(slot.number, slot.level, slot.index) for slot in slots] == places
    assert (slots[4].seed_of(0), slots[4].seed_of(3)) == ("9/Hard/2/0", "9/Hard/2/3")
    assert str(slots[1]) == "puzzle 2 of level Easy"


def test_a_puzzle_added_to_one_level_changes_no_other():
    before, after = plan_slots(book(EASY, HARD)), plan_slots(book({**EASY, "count": 4}, HARD))
    assert essence(after, "Hard") == essence(before, "Hard")
    assert essence(after, "Easy")[:3] == essence(before, "Easy")


def test_printing_keys_change_no_slot():
    other = book(EASY, HARD, subtitle="y", author="z", page={"trim": "A5"}, theme="bold")
    assert plan_slots(other) == plan_slots(book(EASY, HARD))
