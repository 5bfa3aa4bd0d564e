from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec


def book(*levels, **keys):
    return BookSpec.model_validate({"title": "x", "seed": 9, "levels": levels, **keys})


def essence(slots, level):
    return [(slot.index, slot.seed, slot.recipe, slot.method) for slot in slots if slot.level == level]


EASY = {"name": "Easy", "count": 3, "size": "7x5"}
HARD = {"name": "Hard", "count": 2, "size": ["7x5", "8"], "method": "classic"}


def test_slots_are_numbered_through_the_book():
    slots = plan_slots(book(EASY, HARD))
    assert [(slot.number, slot.level, slot.index) for slot in slots] == [
        (1, "Easy", 1),
        (2, "Easy", 2),
        (3, "Easy", 3),
        (4, "Hard", 1),
        (5, "Hard", 2),
    ]


def test_randomness_is_book_seed_level_index_and_attempt():
    slot = plan_slots(book(EASY, HARD))[4]
    assert slot.seed_of(0) == "9/Hard/2/0"
    assert slot.seed_of(3) == "9/Hard/2/3"


def test_sizes_of_a_list_take_turns():
    slots = plan_slots(book({**EASY, "count": 5, "size": ["7x5", "6", "8"]}))
    assert [(slot.recipe.rows, slot.recipe.cols) for slot in slots] == [
        (5, 7),
        (6, 6),
        (8, 8),
        (5, 7),
        (6, 6),
    ]


def test_a_puzzle_added_to_one_level_moves_no_other():
    before, after = plan_slots(book(EASY, HARD)), plan_slots(book({**EASY, "count": 4}, HARD))
    assert essence(after, "Hard") == essence(before, "Hard")
    assert essence(after, "Easy")[:3] == essence(before, "Easy")


def test_page_and_wording_change_no_slot():
    other = book(EASY, HARD, subtitle="y", author="z", page={"trim": "A5"}, theme="bold")
    assert plan_slots(other) == plan_slots(book(EASY, HARD))


def test_a_slot_is_named_by_level_and_index():
    assert str(plan_slots(book(EASY))[1]) == "puzzle 2 of level Easy"
