"""Addresses of Penpa+, written, read back, and refused where they are damaged."""

import base64
import json
import zlib
from urllib.parse import quote

import pytest

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.notations import Notation, read_drawings, read_puzzles, write_puzzle, write_solution
from linkpress.puzzle.penpa import PLAYER, puzzle_address, solution_address

SOLUTIONS = [boards.SOLVED_BOARD, boards.ARTICLE_SOLUTION, boards.TOUCHING_BOARD]


def packed(text):
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(compressor.compress(text.encode()) + compressor.flush()).decode()


def unpacked(address, part):
    data = address.partition(f"{part}=")[2].partition("&")[0]
    return zlib.decompress(base64.b64decode(data), -15).decode()


LEAP = packed('[[],["18,20,1"]]')


def address_of(first="square,4,3,38", spaces="[0,0,0,0]", layer="{}", rest="", more=""):
    return f"{PLAYER}#m=edit&p={packed(chr(10).join((first, spaces, '{}', layer, rest)))}{more}"


@pytest.mark.parametrize("solution", SOLUTIONS)
def test_boards_with_solids_and_paths_beside_themselves_come_back(solution):
    assert read_puzzles(write_puzzle(solution.puzzle, Notation.PENPA)) == [solution.puzzle]
    address = write_solution(solution, Notation.PENPA)
    assert read_drawings(address) == [(solution.puzzle, solution.edges)]


def test_an_address_says_what_the_player_needs():
    address = solution_address(boards.SOLVED_BOARD)
    lines = unpacked(address, "p").split("\n")
    assert len(lines) == 19
    assert lines[0].startswith("square,7,5,38,0,1,1,304,228,49,49,")
    # The indexes of E2, F4 and C5: Penpa+ adds a margin of two squares on all sides.
    assert 'zS:{"39":4,"62":4,"70":4}' in lines[3]
    assert '"sol_loopline":true' in lines[7]
    assert '"sol_loopline":false' in unpacked(puzzle_address(boards.SOLVED_BOARD.puzzle), "p")
    steps = json.loads(unpacked(address, "a"))[1]
    assert steps == sorted(steps)
    assert len(steps) == len(boards.SOLVED_BOARD.edges)


def test_what_a_setter_drew_on_the_solving_layer_is_read_from_an_edit_address():
    layer = '{"surface":{"18":4},"number":{"19":[1,1,"1"],"29":["1",1,"1"]}}'
    drawn = '{"line":{"19,20":3,"20,21":3,"21,29":3,"26,27":5}}'
    ((puzzle, edges),) = read_drawings(address_of(layer=layer, rest=drawn))
    assert puzzle == boards.puzzle_of("4 3\n# 1 . .\n. . . 1\n. . . .\n")
    assert edges == {(1, 2), (2, 3), (3, 7)}


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (f"{PLAYER}#m=edit&q=1", "without '&p='"),
        (f"{PLAYER}#m=edit&p=%%%", "damaged: '&p=' can't be unpacked"),
        (f"{PLAYER}#m=edit&p=AAAA", "damaged"),
        (address_of()[:-12], "damaged"),
        (f"{PLAYER}#m=edit&p={packed('square,4,3')}", "no whole puzzle"),
        (address_of(first="hex,4,3,38"), "found 'hex' instead of the kind of grid"),
        (address_of(first="square,51,3,38"), "found '51' instead of the number of columns"),
        (address_of(spaces="[1,0,0,0]"), "rows or columns left out"),
        (address_of(layer="[]"), "the setter's layer is no table"),
        (address_of(layer="{oops"), "the setter's layer can't be read"),
        (address_of(layer='{"surface":{"18":2}}'), "A1 is shaded in colour '2'"),
        (address_of(layer='{"surface":{"3":4}}'), "found '3' instead of the index"),
        (address_of(layer='{"number":{"18":["x",1,"1"]}}'), "A1: found 'x'; a number from 1 to 9999"),
        (address_of(layer='{"number":{"18":[1,1,"1"]}}'), "the number 1 appears 1 time"),
        (address_of(layer='{"number":{"18":[1],"19":[1]}}', more=f"&a={packed('[1]')}"), "no list of lines"),
        (
            address_of(layer='{"number":{"18":[1],"19":[1]}}', more=f"&a={packed('[[],[9]]')}"),
            "found '9' instead of a step",
        ),
        (
            address_of(layer='{"number":{"18":[1],"19":[1]}}', more=f"&a={LEAP}"),
            "the step A1–C1 joins no two neighbouring free squares",
        ),
        (f"{PLAYER}#m=edit&p={packed('x' * (5 << 20))}", "too large"),
        (f"{PLAYER}#m=edit&p={packed('z_' * (1 << 20))}", "far more than any board|no whole puzzle"),
    ],
)
def test_a_damaged_address_is_refused(address, message):
    with pytest.raises(PuzzleError, match=message) as error:
        read_drawings(address)
    assert len(str(error.value)) < 300


def test_addresses_that_were_encoded_or_lost_their_padding_are_read():
    address = solution_address(boards.SOLVED_BOARD)
    before, packed = address.split("p=", 1)
    for copied in (
        before
        + "p="
        + packed.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D").replace("&a%3D", "&a="),
        address.replace("+", " "),
        address.rstrip("="),
        quote(address, safe=""),
        before.replace("m=solve&", "") + "p=" + packed,
        f"{address}&utm_source=chat",
        f"[a board]({address}).",
        f"\u200b{address}.",
    ):
        assert read_drawings(copied) == [(boards.SOLVED_BOARD.puzzle, boards.SOLVED_BOARD.edges)], copied
