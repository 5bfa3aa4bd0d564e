import dataclasses
import json

from linkpress.book.plan import plan_slots
from linkpress.book.volume import assemble, volume_json
from linkpress.engine.recipe import Grade
from paper_maker import make_slots


def records_of(finished):
    return [one.record for one in finished]


def test_levels_keep_their_order_and_numbers_run_through(volume):
    assert [(one.number, one.record.level) for one in volume.numbered] == [
        *((number, "Easy") for number in (1, 2, 3, 4)),
        *((number, "Hard") for number in (5, 6, 7)),
    ]


def test_without_grades_size_rises_then_pairs_a_free_square_fall(volume):
    for name in ("Easy", "Hard"):
        order = [
            (one.puzzle.grid.size, -len(one.puzzle.pairs) / len(one.puzzle.grid.free_cells))
            for one in volume.level(name)
        ]
        assert order == sorted(order)
    assert [one.puzzle.grid.size for one in volume.level("Hard")] == [35, 35, 36]


def test_grade_then_score_order_a_level_and_ungraded_boards_come_last(spec):
    made = records_of(make_slots(plan_slots(spec)))
    marks = [(Grade.HARD, 2), (Grade.EASY, 9), (None, None), (Grade.EASY, 3)]
    made[:4] = [
        dataclasses.replace(one, grade=grade, score=score)
        for one, (grade, score) in zip(made[:4], marks, strict=True)
    ]
    easy = assemble(spec, made, "0.1.0").level("Easy")
    assert [one.index for one in easy] == [4, 2, 1, 3]
    assert [one.grade for one in easy] == [Grade.EASY, Grade.EASY, Grade.HARD, None]


def test_the_order_in_which_puzzles_came_changes_nothing(spec):
    made = records_of(make_slots(plan_slots(spec)))
    assert volume_json(assemble(spec, made[::-1], "0.1.0")) == volume_json(assemble(spec, made, "0.1.0"))


def test_the_file_has_the_documented_keys(volume):
    content = json.loads(volume_json(volume))
    assert list(content)[:6] == [
        "format",
        "format_version",
        "title",
        "seed",
        "linkpress_version",
        "spec_sha256",
    ]
    assert (content["format"], content["format_version"]) == ("linkpress-volume", 1)
    assert (content["title"], content["seed"]) == ("Link “Ü” 🎲", 7)
    first, puzzle = content["puzzles"][0], volume.puzzles[0].puzzle
    assert (first["width"], first["height"], first["pairs"], first["solids"]) == (7, 5, len(puzzle.pairs), 0)
    assert (first["number"], first["level"], first["rule"], first["grade"]) == (1, "Easy", "strict", None)
    assert [len(row.split()) for row in first["board"]] == [7] * 5
    assert "." not in " ".join(first["solution"])
    assert first["seed"] == f"7/Easy/{first['slot']}/{first['attempt']}"


def test_a_grade_is_written_as_its_word(volume):
    puzzle = dataclasses.replace(
        volume.puzzles[0], grade=Grade.EXPERT, score=12, techniques={"what-if": 2, "exits": 5}
    )
    record = json.loads(volume_json(dataclasses.replace(volume, puzzles=(puzzle,))))["puzzles"][0]
    assert (record["grade"], record["score"]) == ("expert", 12)
    assert list(record["techniques"].items()) == [("exits", 5), ("what-if", 2)]
