"""Small books that ``verify`` reads back, and ways to spoil their PDFs."""

import re
from dataclasses import replace
from unittest import mock

from boards import record_of
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec, with_printing_changes
from linkpress.book.volume import assemble
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.proof import prove
from linkpress.engine.recipe import MEASURE, Rule
from linkpress.verify.verification import verify_folder
from linkpress.version import __version__
from press_samples import BOARDS, Typeset, changed

IN_COLOUR = ("colour", "dots", "plain-dots")


def volume_in(theme):
    """Four puzzles in a theme, without grades."""
    spec = BookSpec.model_validate(
        {
            "title": "Number Link", "subtitle": "4 puzzles", "seed": 1, "theme": theme,
            "page": {"trim": "6x9in", "paper": "colour" if theme in IN_COLOUR else "white"},
            "levels": [{"name": "Easy", "count": 4, "size": "5x7", "paths": 5, "solids": 2, "per_page": 2}],
        },
    )  # fmt: skip
    made = []
    for slot, board in zip(plan_slots(spec), BOARDS, strict=True):
        solution = prove(board, Rule.STRICT).solution
        assert solution is not None
        made.append(record_of(solution, level=slot.level, seed=slot.seed_of(0), index=slot.index))
    return assemble(spec, made, "0.0")


def graded(volume):
    """The volume as this release makes it."""
    puzzles = []
    for puzzle in volume.puzzles:
        found = grade_puzzle(puzzle.puzzle, puzzle.rule)
        facts = {
            "technique": found.technique,
            "score": found.score,
            "difficulty": found.difficulty,
            "findings": found.findings,
        }
        puzzles.append(replace(puzzle, measure=MEASURE, **facts))
    return replace(volume, linkpress_version=__version__, puzzles=tuple(puzzles))


def with_changes(volume, **changes):
    """The volume with some keys of its spec printed otherwise."""
    return replace(volume, spec=with_printing_changes(volume.spec, changes))


class Everything:
    def __contains__(self, name):
        return True


def boards_as_forms():
    """While this patch is active, each board is drawn as a form that is found by its name."""
    return mock.patch("linkpress.render.pdf.placed_again", return_value=Everything())


def written(volume, folder):
    """The folder, with the volume and all files of its book, each board a form."""
    with boards_as_forms():
        files = Typeset(volume, folder).files
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "volume.json").write_text(volume.json, encoding="utf-8")
    return folder


def plant(folder, change):
    """What is found when the interior is changed."""
    interior = folder / "interior.pdf"
    interior.write_bytes(changed(interior.read_bytes(), change))
    return verify_folder(folder)


def forms(pdf, kind):
    """Each board's XObject dictionary and name, in page order."""
    found = []
    for page in pdf.pages:
        held = page.obj.get("/Resources", {}).get("/XObject", {})
        drawn = re.findall(rb"/(\S+) Do", page.Contents.read_bytes())
        found += [(held, f"/{name.decode()}") for name in drawn if kind in name.decode()]
    return found


def rewrite_form(pdf, kind, at, change):
    held, name = forms(pdf, kind)[at]
    content = held[name].read_bytes()
    assert change(content) != content
    held[name].write(change(content))


def problems_in(verification):
    return [(finding.puzzle, finding.found) for finding in verification.findings]
