from linkpress.book.spec import BookSpec
from linkpress.press.stand_in_volume import stand_in_volume

SPEC = BookSpec.model_validate(
    {
        "title": "Link",
        "seed": 1,
        "page": {"printer": "generic"},
        "levels": [{"name": "A", "count": 30, "size": [5, "5x7"], "paths": 4}],
    }
)


def test_stand_ins_of_one_size_are_one_board():
    """A spec of two lines can ask for 5,000 boards of 50 × 50; each for itself they would take 1.5 GB."""
    volume = stand_in_volume(SPEC)
    assert len({puzzle.fingerprint for puzzle in volume.puzzles}) == 30
    assert len({id(puzzle.solution) for puzzle in volume.puzzles}) == 2
