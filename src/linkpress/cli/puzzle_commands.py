"""Commands for single puzzles: ``generate``, ``solve``, ``prove``, ``grade`` and ``hint``."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from linkpress.cli.options import (
    AsJson,
    ClusterAddress,
    Force,
    LogOptions,
    exists,
    language_option,
    path_option,
    read_drawing_file,
    read_puzzle_file,
    with_option_groups,
)
from linkpress.cli.process import Pulse, say, warn_of_slow_engine, write, write_json
from linkpress.engine.difficulty import name_of
from linkpress.engine.recipe import Method, NumberPattern, Pattern, counted
from linkpress.engine.rulesets import Rule, rules_by_preference, ruleset_of
from linkpress.errors import ExitCode, OutputError, UsageError
from linkpress.files import check_writable, write_file
from linkpress.puzzle.notations import Notation, notation_rows, write_puzzle, write_solution

if TYPE_CHECKING:
    from linkpress.book.level import RecipeKeys
    from linkpress.documents.problem import Problem
    from linkpress.engine.explain.steps import Step
    from linkpress.engine.grade import Grading
    from linkpress.engine.proof import Proof
    from linkpress.puzzle.puzzle import Puzzle, Solution
    from linkpress.render.fonts import Faces
    from linkpress.words import Words

PuzzleFile = Annotated[
    str, Argument(metavar="FILE", help="A file of puzzles in any notation, or - for standard input.")
]
Budget = Annotated[
    int | None,
    Option(min=1, help="How many conflicts a proof may meet before it gives up. Default: a minute's work."),
]
RuleOption = Annotated[
    Rule | None, Option(help="Which drawings count as solutions. Default: strict, the rule of books.")
]
# Exit code of ``solve`` and ``prove`` for each verdict on a puzzle's number of solutions.
_EXIT_CODES = {
    "unique": ExitCode.OK,
    "none": ExitCode.CHECK_FAILED,
    "multiple": ExitCode.CHECK_FAILED,
    "gave-up": ExitCode.GAVE_UP,
}


@dataclass(frozen=True, kw_only=True)
class RecipeOptions:
    """Options that describe the boards to make.

    Most are named like the keys that describe the boards of a level in a book's spec.
    """

    size: Annotated[
        str | None, Option(help="Squares on a side, as 7, or columns x rows, as 7x9. Default: 7.")
    ] = None
    paths: Annotated[str | None, Option(help="The number of pairs, as 5 or 4-6.")] = None
    solids: Annotated[
        str | None, Option(help="The number of solid squares, as 3, 0-4 or 5%, or '{mask: heart}'.")
    ] = None
    difficulty: Annotated[
        str | None, Option(help="How hard the puzzles feel, as easy, medium-hard or 30-39.")
    ] = None
    technique: Annotated[
        str | None, Option(help="The hardest technique that a solver needs, as medium or easy-hard.")
    ] = None
    rule: RuleOption = None
    method: Annotated[Method | None, Option(help="How boards are made. Default: walk.")] = None
    shortest_path: Annotated[int | None, Option(help="The fewest squares of a path.")] = None
    adjacent_pairs: Annotated[bool | None, Option(help="Whether equal numbers may be neighbours.")] = None
    apart: Annotated[bool | None, Option(help="Whether to keep all numbers from being neighbours.")] = None
    longest_share: Annotated[
        str | None, Option(help="The longest path, as a share of all squares. Default: 60%.")
    ] = None
    border_share: Annotated[
        str | None, Option(help="The largest share of pairs on the border. Default: 50%.")
    ] = None
    border_numbers: Annotated[
        str | None, Option(help="The largest share of numbers on the border, as 25%.")
    ] = None
    solid_pattern: Annotated[
        Pattern | None, Option(help="The pattern of the solid squares. Default: scattered.")
    ] = None
    number_pattern: Annotated[NumberPattern | None, Option(help="The pattern of the numbers.")] = None
    composed: Annotated[bool | None, Option(help="Whether boards look hand-made. Default: yes from 8x8.")] = (
        None
    )
    effort: Annotated[float | None, Option(help="How long to search: 2 is twice as long as usual.")] = None
    unproven: Annotated[
        bool, Option("--unproven", help="With --method classic: print boards without proving them.")
    ] = False

    def keys(self, recipe: str | None) -> RecipeKeys:
        """Return the recipe, which describes the boards to make, from ``--recipe`` and the other options.

        If the user sets a key both in ``--recipe`` and by its own option, such as ``--size``, the value of
        the option is used.

        Args:
            recipe: the value of ``--recipe``, which is YAML in braces or the path of a YAML file.
        Raises:
            UsageError: a key or an option is wrong.
            SpecError: the recipe is not valid YAML.
        """
        from linkpress.book.level import IfMissing, RecipeKeys, with_mask_rows
        from linkpress.documents.models import read_values
        from linkpress.documents.problem import InvalidError

        written, folder = ({}, Path()) if recipe is None else _read_recipe(recipe)
        options: dict[str, Any] = asdict(self)
        del options["unproven"]
        options["unique"] = options.pop("rule")
        if str(options["solids"]).startswith("{"):
            options |= _read_recipe(f"{{solids: {options['solids']}}}")[0]
            folder = Path()
        given = written | {key: value for key, value in options.items() if value is not None}
        try:
            given = with_mask_rows(given, folder)
            keys = read_values({"size": "7", **given}, RecipeKeys)
        except InvalidError as error:
            raise UsageError("; ".join(_message(problem, options) for problem in error.problems)) from None
        if keys.otherwise is not IfMissing.FAIL:
            raise UsageError(
                "--recipe: leave out the key otherwise. It is for books, which can print the nearest puzzle "
                "instead."
            )
        if self.unproven:
            _check_unproven(keys.method, given.keys() - {"size", "method"})
        if keys.method is Method.CLASSIC and "unique" not in given:
            return keys.model_copy(update={"unique": Rule.FILLED})
        return keys


@with_option_groups
def generate(
    recipe: Annotated[
        str | None,
        Option(
            metavar="KEYS",
            help="The keys of a book's level, as '{size: 10, difficulty: hard}', or a file with such "
            "keys. The keys name, count, from and per_page are for books only.",
        ),
    ] = None,
    *,
    options: RecipeOptions,
    count: Annotated[int, Option("-n", "--count", min=1, max=100_000, help="How many puzzles to make.")] = 1,
    seed: Annotated[str | None, Option(help="Any word. The same seed makes the same puzzles.")] = None,
    form: Annotated[
        Notation, Option(help="The notation to print. Only table includes the solution.")
    ] = Notation.LINK,
    solution: Annotated[bool, Option("--solution", help="Print the solution below each puzzle.")] = False,
    out: Annotated[
        Path | None,
        path_option(
            metavar="FILE",
            help="The file to write. If its name ends in .pdf, it is a booklet with puzzles and solutions.",
        ),
    ] = None,
    force: Force = False,
    cluster: ClusterAddress = None,
    logging: LogOptions,
) -> None:
    """Make puzzles, each proven to have one solution, and print them.

    Example: linkpress generate --size 7x9 --difficulty medium --count 3
    """
    from linkpress.app.puzzles import grow_boards, make_puzzles
    from linkpress.production.dispatch import Workers
    from linkpress.production.executors import InProcess, open_workers

    keys = options.keys(recipe)
    if options.unproven and cluster is not None:
        raise UsageError("--unproven does not use a cluster. Leave out --cluster.")
    if out is not None:
        check_writable(out)
        if out.exists() and not force:
            raise OutputError(f"{out} exists already. Give another name, or --force to replace the file.")
    if seed is None:
        seed = str(secrets.randbelow(10**9))
        say(f"seed {seed}")
    warn_of_slow_engine()
    if out is not None and out.suffix.lower() == ".pdf":
        if options.unproven or cluster is not None:
            raise UsageError(f"-o {out}: leave out --unproven and --cluster, which can't make a booklet.")
        _write_booklet(keys, count, seed, out)
        return
    texts = []
    in_process = nullcontext(Workers(1, InProcess))
    with (
        logging.open_log() as log,
        in_process if cluster is None else open_workers(None, cluster, say) as workers,
    ):
        for problem in keys.mix_problems(count):
            raise UsageError(f"{_message(problem, {})} with --count {count}.")
        made = (
            grow_boards(keys, count, seed)
            if options.unproven
            else make_puzzles(keys, count, seed, workers, log, Pulse().say)
        )
        for number, made_puzzle in enumerate(made):
            text = _puzzle_text(made_puzzle, form, filled=ruleset_of(keys.unique).covers)
            if solution and form is not Notation.TABLE:
                text += "\n" * notation_rows()[form].blank_line_between + write_solution(made_puzzle, form)
            text = "\n" * (number > 0 and notation_rows()[form].blank_line_between) + text
            if out is None:
                write(text)
            texts.append(text)
    if out is not None:
        write_file(out, "".join(texts))
        write(f"{out}\n")


def _write_booklet(keys: RecipeKeys, count: int, seed: str, path: Path) -> None:
    """Write a PDF of puzzles and their solutions. The ledger is not used."""
    from linkpress.app.puzzles import make_booklet
    from linkpress.cli.progress import showing_progress

    with showing_progress() as watcher:
        content, pages = make_booklet(keys, count, seed, watcher)
    write_file(path, content)
    write(f"{path}\n")
    say(f"{counted(count, 'puzzle')} on {pages} pages")


def solve(
    file: PuzzleFile,
    rule: RuleOption = None,
    form: Annotated[Notation, Option(help="The notation of the answers.")] = Notation.LINK,
    budget: Budget = None,
) -> None:
    """Print the answer of each puzzle.

    Without --rule, linkpress tries the rules strict, filled and untouching, and stops at the first rule under
    which the puzzle has only one answer. Under each rule, fewer drawings count as answers than under the rule
    before. Books use the rule strict. If the puzzle needs another rule, a message on standard error names it.

    If a puzzle has several answers, one of them is printed, and a message on standard error says so. An
    answer in which a path runs beside itself can't be shown by numbers alone. It is drawn as with --form
    ascii.

    Example: linkpress solve puzzles.txt --form ascii
    """
    from linkpress.engine.proof import Verdict, prove_by_any

    warn_of_slow_engine()
    codes, rows = [], notation_rows()
    for number, puzzle in enumerate(read_puzzle_file(file), 1):
        proof, undecided = prove_by_any(puzzle, (rule,) if rule else rules_by_preference(), budget)
        codes.append(_EXIT_CODES[proof.verdict.value])
        if rule is None and proof.verdict is Verdict.UNIQUE and proof.rule is not Rule.STRICT:
            say(f"puzzle {number}: {_weaker_rule_note(proof.rule, undecided)}")
        for remark in _remarks(proof):
            say(f"puzzle {number}: {remark}")
        if proof.solution is not None:
            needs_lines = proof.solution.touches_itself and rows[form].read_drawing is None
            own_form = Notation.ASCII if needs_lines else form
            separator = "\n" * (number > 1 and rows[own_form].blank_line_between)
            write(separator + write_solution(proof.solution, own_form))
    raise typer.Exit(max(codes, default=ExitCode.OK))


def prove(file: PuzzleFile, rule: RuleOption = None, budget: Budget = None, as_json: AsJson = False) -> None:
    """Print for each puzzle whether it has one solution: unique, multiple, none or gave-up.

    Under the rule strict, a puzzle is unique if its pairs can be joined in only one way, and that way fills
    the board. Under the rule filled, only drawings that fill the board count as solutions. Under the rule
    untouching, a drawing must fill the board, and none of its paths may run beside itself.

    Without --rule, the rule is strict. If a puzzle has several solutions under the rule strict but only one
    under another rule, a message on standard error says so.

    Example: linkpress prove puzzles.txt
    """
    from linkpress.engine.proof import Verdict, gave_up_words, no_solution_words, prove_by_any
    from linkpress.engine.proof import prove as prove_board

    warn_of_slow_engine()
    codes, rows = [], []
    for number, puzzle in enumerate(read_puzzle_file(file), 1):
        proof, note = prove_board(puzzle, rule or Rule.STRICT, budget), None
        codes.append(_EXIT_CODES[proof.verdict.value])
        if not as_json:
            write(f"{proof.verdict.value}\n")
        if proof.verdict is Verdict.GAVE_UP:
            note = gave_up_words(proof)
        elif proof.verdict is Verdict.NONE and proof.solution is not None:
            note = f"it has {no_solution_words(proof)}"
        elif rule is None and proof.verdict is Verdict.MULTIPLE:
            weaker, undecided = prove_by_any(puzzle, rules_by_preference()[1:], budget)
            if weaker.verdict is Verdict.UNIQUE:
                note = _weaker_rule_note(weaker.rule, undecided)
        rows.append({"puzzle": number, "rule": str(proof.rule), "verdict": proof.verdict.value, "note": note})
        if note and not as_json:
            say(f"puzzle {number}: {note}")
    if as_json:
        write_json({"puzzles": rows})
    raise typer.Exit(max(codes, default=ExitCode.OK))


def _weaker_rule_note(rule: Rule, undecided: Sequence[Rule]) -> str:
    """Return a note that a puzzle has exactly one solution, though not under the preferred rule, ``strict``.

    Args:
        rule: the rule under which the puzzle has exactly one solution.
        undecided: rules that linkpress prefers to ``rule``, but for which the search for solutions gave up.
    """
    known = f"your readers must know {ruleset_of(rule).readers_must_know}"
    if not undecided:
        return f"it has one solution only by the rule {rule}: {known}"
    from linkpress.documents.problem import listed

    names = listed(undecided, "or")
    return (
        f"it has one solution by the rule {rule}, for which {known}. Whether it has one by the rule {names} "
        f"could not be decided quickly; choose one with --rule"
    )


def grade(
    file: PuzzleFile,
    rule: Annotated[
        Rule | None, Option(help="The rule by which to grade the puzzles.", show_default=False)
    ] = None,
    steps: Annotated[bool, Option("--steps", help="Explain the solve of each puzzle step by step.")] = False,
    pictures: Annotated[
        Path | None, Option(metavar="FILE", help="With --steps: draw all steps in one file, .svg or .png.")
    ] = None,
    language: Annotated[str | None, language_option("With --steps, the language of their words")] = None,
    font: Annotated[
        Path | None,
        path_option(
            "--font",
            metavar="FILE",
            help="With --pictures: a font for letters that the shipped fonts don't have.",
            must_exist="file",
        ),
    ] = None,
    as_json: Annotated[
        bool, Option("--json", help="Print a JSON object for each puzzle, one on each line.")
    ] = False,
) -> None:
    """Print each puzzle's difficulty, score and techniques.

    Difficulty and score say how hard the puzzle feels. The techniques say what a solver has to know.

    Only a puzzle that is proven to have one solution can be graded. Any other puzzle is printed as ungraded,
    and the exit code is 1. Without --rule, linkpress tries the rules strict, filled and untouching, and uses
    the first rule under which the puzzle has one solution.

    Example: linkpress grade puzzles.txt --steps
    """
    from linkpress.app.puzzles import grade_puzzles, write_pictures

    warn_of_slow_engine()
    words = _step_words(steps=steps, pictures=pictures, language=language, font=font)
    codes, solved = [], []
    graded = grade_puzzles(read_puzzle_file(file), rule, with_steps=words is not None)
    for number, (puzzle, grading, solve_steps, used, why_ungraded, undecided) in enumerate(graded, 1):
        if rule is None and (ruleset_of(used).phrase or undecided):
            say(f"puzzle {number}: {_weaker_rule_note(used, undecided)}")
        if why_ungraded:
            say(f"puzzle {number}: {why_ungraded}")
        codes.append(ExitCode.CHECK_FAILED if why_ungraded else ExitCode.OK)
        solved.append((puzzle, solve_steps))
        texts = [words.steps.text_of(step.sentence) for step in solve_steps] if words else []
        if words and not as_json:
            texts = [
                text + _chain_text(puzzle, step, words, is_drawn=pictures is not None)
                for text, step in zip(texts, solve_steps, strict=True)
            ]
        write(_json_line(number, grading, texts) if as_json else _grading_lines(grading, texts, words))
    if pictures is not None and words is not None:
        write_pictures(solved, words, pictures, _faces(font))
        say(f"linkpress: the steps are drawn in {pictures}")
    raise typer.Exit(max(codes, default=ExitCode.OK))


def hint(
    file: PuzzleFile,
    rule: Annotated[
        Rule | None,
        Option(
            help="The rule of the solution. Default: the strictest that gives one solution.",
            show_default=False,
        ),
    ] = None,
    language: Annotated[str, language_option("The language of the sentence")] = "en",
) -> None:
    """Print the next step toward the solution of each board. A board may already have lines.

    Write a board with lines in the notation that linkpress solve --form ascii prints. Or draw the lines by
    hand with - and | in a frame or on ruled squares. A line counts if it leads from one square to the next.
    Everything else inside a square, except its number, is ignored.

    Example: linkpress hint half-done.txt
    """
    from linkpress.engine.hint import next_step
    from linkpress.engine.proof import strictest_rule
    from linkpress.words import load_words

    warn_of_slow_engine()
    words = load_words(language)
    codes = []
    for number, (puzzle, drawn) in enumerate(read_drawing_file(file), 1):
        used, undecided = (rule, ()) if rule else strictest_rule(puzzle)
        if undecided:
            say(f"puzzle {number}: {_weaker_rule_note(used, undecided)}")
        step = next_step(puzzle, drawn, used)
        if step is None:
            is_solved = len({cell for pair in drawn for cell in pair}) == len(puzzle.grid.free_cells)
            say(f"puzzle {number}: {'it is solved' if is_solved else 'no technique finds another step'}")
            codes.append(ExitCode.OK if is_solved else ExitCode.CHECK_FAILED)
            continue
        codes.append(ExitCode.CHECK_FAILED if step.technique == "mistake" else ExitCode.OK)
        write(f"{step.technique}: {words.steps.text_of(step.sentence)}\n")
    raise typer.Exit(max(codes, default=ExitCode.OK))


def _read_recipe(recipe: str) -> tuple[dict[str, Any], Path]:
    """Read the value of ``--recipe``.

    Returns:
        The keys with their values, and the folder from which relative paths in them are resolved.
    """
    from linkpress.documents.problem import printable, raise_problems
    from linkpress.documents.yaml_source import parse_yaml, read_yaml

    is_text = recipe.lstrip().startswith("{")
    if not is_text and not exists(Path(recipe)):
        raise UsageError(
            f"--recipe {printable(recipe)}: there is no such file. Give a file, or keys in braces, as "
            "'{size: 10, paths: 8-10}'."
        )
    source = parse_yaml(recipe, "--recipe") if is_text else read_yaml(Path(recipe))
    raise_problems(source.problems)
    return dict(source.value), Path() if is_text else Path(recipe).parent


def _message(problem: Problem, options: Mapping[str, object]) -> str:
    """Return a message about a wrong key of a recipe. It names the option in which the user set the key."""
    key = str(problem.key[0]) if problem.key else "options"
    name = _option_name(key) if options.get(key) is not None else f"--recipe: {key}"
    return f"{name} {problem.found}".rstrip() + f": {problem.message}"


def _option_name(key: str) -> str:
    return "--" + {"unique": "rule"}.get(key, key).replace("_", "-")


def _check_unproven(method: Method, keys: Collection[str]) -> None:
    if method is not Method.CLASSIC:
        raise UsageError(
            "--unproven needs --method classic. The other methods prove each puzzle while they make it."
        )
    if keys:
        names = ", ".join(map(_option_name, sorted(keys)))
        raise UsageError(f"--unproven prints every board that is made. Leave out {names}.")


def _puzzle_text(solution: Solution, form: Notation, *, filled: bool) -> str:
    from linkpress.puzzle.link_text import both_tables

    if form is Notation.TABLE:
        return both_tables(solution)
    return write_puzzle(solution.puzzle, form, filled=filled)


def _remarks(proof: Proof) -> Iterator[str]:
    """Yield messages about an answer, for example that the puzzle has several solutions."""
    from linkpress.engine.proof import Verdict, gave_up_words, no_solution_words

    if proof.verdict is Verdict.NONE:
        yield f"it has {no_solution_words(proof)}"
    if proof.verdict is Verdict.MULTIPLE:
        yield "it has several solutions; this is one of them"
    if proof.verdict is Verdict.GAVE_UP:
        yield gave_up_words(proof)
        if proof.solution is not None:
            yield "this is a solution, perhaps not the only one"
    if proof.solution is not None and proof.solution.touches_itself:
        yield "a path runs beside itself, which numbers can't show, so the answer is drawn as ascii"


def _step_words(
    *, steps: bool, pictures: Path | None, language: str | None, font: Path | None
) -> Words | None:
    """Return the phrases that explain the steps of a solution, or None without ``--steps``.

    Also check that the options are allowed together.

    Raises:
        UsageError: an option needs another option that is not given, or the pictures can't be drawn.
    """
    if font is not None and pictures is None:
        raise UsageError("--font is for pictures. Give --steps and --pictures too.")
    if steps:
        from linkpress.words import ENGLISH, load_words

        words = load_words(language or ENGLISH)
        if pictures is not None:
            from linkpress.app.puzzles import check_picture_file

            check_picture_file(pictures, words, _faces(font))
            check_writable(pictures)
        return words
    if language is not None:
        raise UsageError("--language is for the steps. Give --steps too.")
    if pictures is not None:
        raise UsageError("--pictures draws the board after each step. Give --steps too.")
    return None


def _faces(font: Path | None) -> Faces:
    from linkpress.render.fonts import book_faces

    try:
        return book_faces({"fallback": font} if font else {})
    except UsageError as error:
        raise UsageError(f"--font: {error.message}") from None


def _chain_text(puzzle: Puzzle, step: Step, words: Words, *, is_drawn: bool) -> str:
    """Return the chain of conclusions of a solving step, to be printed after the sentence about the step.

    If pictures of the steps are drawn, each conclusion gets the same number as in the picture: 2 E2–E3 for a
    drawn edge, 2 E2×E3 for an edge ruled out, and 2 E4=7 for a square that gets a number. Without pictures,
    the conclusions are described in words. If the sentence about the step already states them, the result is
    empty. It is also empty if the chain has fewer than two conclusions.
    """
    from linkpress.engine.explain.phrase_tree import (
        ListKind,
        PhraseTree,
        list_of,
        phrase,
        phrases_in,
        route,
        square,
    )
    from linkpress.puzzle.puzzle import corners_of

    is_told = all(part.key != "if_in_the_end" for part in phrases_in(step.sentence))
    if len(step.chain) < 2 or (is_told and not is_drawn):
        return ""
    grid = puzzle.grid
    if is_drawn:
        links = []
        for mark, cells, number in step.chain:
            names = [square(grid, cell).name for cell in cells]
            link = f"{names[0]}={number}" if number > 0 else ("×" if number else "–").join(names)
            links.append(f"{mark} {link}".lstrip())
        return f" [{', '.join(links)}]"
    said: list[PhraseTree] = []
    for are_lines, group in groupby(step.chain[1:], key=lambda link: link.number == 0):
        lines: list[list[int]] = []
        for mark, cells, number in group:
            if number > 0:
                said.append(phrase("must_pass", number=number, square=square(grid, cells[0])))
            elif number:
                said.append(phrase("no_line_can_run", step=route(grid, cells)))
            elif mark or not lines:
                lines.append([*cells])
            else:
                # The step's chain consists of links, which are its conclusions. All links that reach this
                # code say that two neighbouring squares are joined by a line. A link that has a number in the
                # picture of the step begins a new line. A link without such a number, which is an empty
                # ``mark``, makes the latest line one square longer.
                lines[-1].append(cells[-1])
        if are_lines:
            routes = (route(grid, corners_of(line)) for line in lines)
            said.append(phrase("ways_out", lines=list_of(ListKind.COMMA, routes)))
    return f" [{words.steps.text_of(list_of(ListKind.THEN, said))}]"


# If the steps use one of these techniques, a short lesson about it is printed above the steps, because a
# beginner can't see on the board why the technique works.
_EXPLAINED = ("corner", "order", "gap", "narrows", "balance")


def _grading_lines(grading: Grading, sentences: list[str], words: Words | None) -> str:
    """Return a line with the difficulty of a puzzle, followed by its numbered steps.

    Some steps rely on rules that a beginner doesn't know yet. These rules are printed between the difficulty
    and the steps.

    Args:
        grading: the score and the techniques.
        sentences: the steps in words.
        words: the phrases of the language of the steps; None without steps. If the language isn't English,
            the difficulty is translated too, and the techniques are left out.
    """
    from linkpress.engine.ladder import TECHNIQUES

    points, rules, used = grading.difficulty, [], set(grading.findings)
    if words is not None and sentences:
        if any(technique.untouching and technique.name in used for technique in TECHNIQUES):
            rules.append(words.rule_untouching)
        if "diagonal" in used:
            # The explanation of the diagonal technique refers to the corner technique, so
            # explain "corner" too.
            used.add("corner")
        rules += [words.techniques[name].lesson for name in _EXPLAINED if name in used]
    if words is not None and words.language == "en":
        words = None
    if points is None or grading.technique is None:
        head = "–" if words else "ungraded"
    elif words:
        head = f"{words.difficulties[name_of(points)]} {points}/100"
    else:
        counts = ", ".join(f"{name} {count}" for name, count in grading.findings.items())
        head = (
            f"{name_of(points)} {points}/100 overall; hardest step: {grading.technique.label} "
            f"(score {grading.score}; {counts})"
        )
    numbered = (f"{number:>4}. {text}" for number, text in enumerate(sentences, 1))
    return "\n".join([head, *(f"      {rule}" for rule in rules), *numbered]) + "\n"


def _json_line(number: int, grading: Grading, sentences: list[str]) -> str:
    record: dict[str, object] = {
        "number": number,
        "difficulty": grading.difficulty,
        "score": grading.score,
        "technique": grading.technique.label if grading.technique else None,
        "findings": dict(grading.findings),
    }
    if sentences:
        record["steps"] = sentences
    return json.dumps(record, ensure_ascii=False) + "\n"
