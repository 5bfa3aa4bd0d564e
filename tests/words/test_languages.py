"""Words files: what they must have, how a spec chooses and changes them."""

import datetime
import json
import re

import pytest

from boards import ARTICLE_PUZZLE as SOLID
from boards import puzzle_of
from linkpress.book.first_specs import init_text
from linkpress.book.spec import BookSpec, load_spec
from linkpress.documents.models import load_model, read_values
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.engine.explain.phrase_tree import DirectionWord, Square, phrase
from linkpress.errors import SpecError
from linkpress.feeds.feed_spec import FeedSpec, load_feed
from linkpress.resources import resource
from linkpress.words import Words, load_words, missing_phrases_note, with_colour_names

ENGLISH_FILE = resource("config", "languages", "en.yaml").read_text(encoding="utf-8")
ENGLISH = load_words("en")
LONG = 30  # phrases with more characters than this are never the same in two languages
OPEN = puzzle_of("3 3\n1 2 3\n. . .\n1 2 3\n")
OTHERS = [name for name in LANGUAGES.names() if name != "en"]
BOOK = "title: Links\nseed: 1\nlevels: [{name: A, count: 1, size: 5}]\n"


@pytest.mark.parametrize(("tag", "name"), [("pt", "Portuguese"), ("tlh", "tlh")])
def test_a_language_is_named_in_english_or_by_its_tag_where_cldr_has_none(tag, name):
    assert ENGLISH.model_copy(update={"language": tag}).english_name == name


@pytest.fixture
def problems_of(tmp_path):
    """Return the problems of the English file with some parts replaced."""

    def read(*changes):
        text, path = ENGLISH_FILE, tmp_path / "w.yaml"
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        with pytest.raises(SpecError) as caught:
            load_model(path, Words)
        return [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]

    return read


@pytest.fixture
def book_of(tmp_path):
    """Load a spec with additional lines from another folder than the current one."""

    def read(lines):
        path = tmp_path / "book.yaml"
        path.write_text(BOOK + lines, encoding="utf-8")
        return load_spec(path)

    return read


def line_of(text):
    return ENGLISH_FILE[: ENGLISH_FILE.index(text)].count("\n") + 1


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_each_shipped_language_is_complete_and_named_like_its_file(name):
    words = load_model(LANGUAGES.find(name), Words)  # refuses missing phrases
    assert (words.language, load_words(LANGUAGES.find(name)).missing) == (name, ())


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_the_rule_of_untouching_puzzles_is_printed_in_each_language(name):
    keys = {"unique": "untouching", "size": "5"}
    levels = [{"name": "A", "count": 1, **keys}, {"name": "B", "count": 1, "size": "5"}]
    book = read_values({"title": "Links", "seed": "1", "language": name, "levels": levels}, BookSpec)
    feed = read_values(
        {"id": "x", "title": "Links", "seed": "1", "language": name, "week": {"monday": keys}}, FeedSpec
    )
    plain = load_words(name)
    assert plain.rule_untouching
    for words in (book.wording(), book.wording(of_dots=True), feed.wording()):
        texts = [words.rules[-1], words.rules_solids[-1], words.rules_of([SOLID]), words.rules_of([OPEN])]
        for text in (*texts, words.promise):
            assert text.endswith(plain.rule_untouching)


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_keywords_fit_the_fields_of_a_shop(name):
    words = load_words(name)
    keywords = (words.keywords or "").split(";")
    for_ages = words.say(words.keyword_children, ages="10-12")
    readers = [words.keyword_adults, words.keyword_large_print, for_ages]
    assert [len(keyword.strip()) in range(3, 51) for keyword in (*keywords, *readers)] == [True] * 9


@pytest.mark.parametrize("name", OTHERS)
def test_no_sentence_is_left_in_english(name):
    english = {text for _, text in ENGLISH.texts if len(text) > LONG}
    assert [key for key, text in load_words(name).texts if text in english] == []


def test_all_problems_of_a_words_file_are_reported_with_their_places(problems_of):
    problems = problems_of(
        ("contents: Contents", "contens: Contents"),
        ("notes: Notes", 'notes: "No\\u0007tes"'),
        ("solution_on: Solution p. {page}", "solution_on: Solution p. {pge}"),
        ("example_captions: [The puzzle, Halfway there, Solved]", "example_captions: [The puzzle, Solved]"),
        ("  undo: Undo\n", "  undo: Undo {it}\n"),
    )
    assert [problem.split(" — ")[0] for problem in problems] == [
        "5:1 contents: this key is needed: text, up to 60 characters",
        f"{line_of('contents: C')}:1 contens: there is no such key; did you mean `contents`?",
        f"{line_of('notes: N')}:8 notes: No\\x07tes",
        f"{line_of('solution_on: ')}:14 solution_on: Solution p. {{pge}}",
        f"{line_of('example_captions')}:19 example_captions: 2 entries",
        f"{line_of('  undo: Undo')}:9 player.undo: Undo {{it}}",
    ]


@pytest.mark.parametrize(
    ("language", "old", "new", "message"),
    [
        ("es", "other: ", "other: ", "count.many: this key is needed: CLDR has the plural forms one, m"),
        ("en", "  other: ", "  few: '{number} x'\n  other: ", "count.few: few — CLDR has the plural"),
        ("en", '  one: "{number} puzzle"', "  one: a puzzle", "count.one: a puzzle — {number} must stand"),
        ("en", "other: \"{number} pairs still", "other: \"Pairs still", "player.left_pairs.other: Pairs"),
        ("ru", "{one: One pair", "{one: Pair", "player.left_pairs.one: Pair still to join"),
    ],
)  # fmt: skip
def test_plural_forms_are_those_of_cldr(problems_of, language, old, new, message):
    """Only a form for a single number may lack ``{number}``. Russian uses ``one`` for 21 and 31 too."""
    problems = problems_of(("language: en ", f"language: {language} "), (old, new))
    assert any(message in problem for problem in problems), problems


@pytest.mark.parametrize("message", ["solution P.", "Solution   p."])
def test_captions_of_puzzles_and_answers_must_differ(problems_of, message):
    (problem,) = problems_of(("puzzle_on: Puzzle p.", f"puzzle_on: {message}"))
    assert f"puzzle_on: {message} {{page}} — it must differ from solution_on" in problem
    (problem,) = problems_of(("puzzle_on: Puzzle p. {page}", 'puzzle_on: "{page}"'))
    assert "a word is needed beside the number" in problem


def test_phrases_for_dots_are_checked_too(problems_of):
    (problem,) = problems_of(("\n  rules_line: >-", "\n  rule_line: >-"))
    assert "for_dots.rule_line: there is no such key; did you mean `rules_line`?" in problem


def test_only_phrases_for_dots_are_changed():
    dots = ENGLISH.of_dots
    assert dots.rules_intro == "Join the two dots of each color with a line."
    assert dots.difficulties == ENGLISH.difficulties
    assert dots.contents == ENGLISH.contents


def test_a_language_unknown_to_cldr_needs_a_locale(problems_of):
    (problem,) = problems_of(("language: en ", "language: tlh "))
    assert "language: tlh — CLDR has no such language; give a similar one as `locale:`" in problem
    (problem,) = problems_of(("language: en ", "language: tlh\nlocale: qq "))
    assert "locale: qq — a locale of CLDR such as `de`" in problem
    words = read_values({**document(), "language": "tlh", "locale": "de"}, Words)
    assert words.write(datetime.date(2026, 11, 20)) == "20. November 2026"
    assert words.count_of(1200) == "1.200 puzzles"


def document():
    return dict(ENGLISH.model_dump(mode="json", exclude_none=True))


def test_a_spec_can_change_single_phrases(book_of):
    spec = book_of(
        "language: de\nwords: {solution_on: 'Antwort {page}', difficulties: {hard: Happig}, contents: }\n"
    )
    words = spec.wording()
    assert words.solution_on == "Antwort {page}"
    assert (words.difficulties.easy, words.difficulties.hard) == ("Leicht", "Happig")
    assert words.contents == "Inhalt"
    assert words.of_dots == words  # changes win over the phrases for dots
    again = read_values(json.loads(spec.model_dump_json(exclude_none=True)), BookSpec)
    assert again.wording() == words


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("words: {solution_on: p.}", "4:22 words.solution_on: p. — {page} must stand here once, and no"),
        ("words: {size: x, sixe: y}", "4:24 words.sixe: there is no such key; did you mean `size`?"),
        ("words: {count: {few: '{number}'}}", "4:22 words.count.few: few — CLDR has the plural forms"),
        ("words: {language: de}", "4:19 words.language: this key is the language's own; it can't be"),
        ("words: {difficulties: {hard: x}, rules: []}", "4:41 words.rules: nothing — at least one entry"),
        ("words: de", "4:8 words: no mapping — phrases by their keys are needed"),
        ("language: xx", "4:11 language: xx — there is no such language and no such file. Shipped: "),
    ],
)  # fmt: skip
def test_problems_of_a_spec_s_words_are_reported_with_their_place(book_of, lines, message):
    with pytest.raises(SpecError, match=r".") as caught:
        book_of(lines)
    assert message in str(caught.value)


def test_a_user_s_words_file_is_stored_in_the_volume(book_of, tmp_path):
    own = ENGLISH_FILE.replace("language: en ", "language: tlh\nlocale: en ").replace("Notes", "QIn")
    (tmp_path / "own.yaml").write_text(own, encoding="utf-8")
    spec = book_of("language: own.yaml\nwords: {time: poH}\n")
    assert (spec.wording().language, spec.wording().notes, spec.wording().time) == ("tlh", "QIn", "poH")
    kept = spec.document()
    (tmp_path / "own.yaml").unlink()
    assert read_values(kept, BookSpec).wording() == spec.wording()
    (tmp_path / "feed.yaml").write_text(init_text("feed.yaml", feed=True), encoding="utf-8")
    assert load_feed(tmp_path / "feed.yaml").wording().language == "en"


def test_a_problem_of_a_user_s_words_file_is_reported_there(book_of, tmp_path):
    (tmp_path / "own.yaml").write_text(
        ENGLISH_FILE.replace("notes: Notes\n", "ntes: Notes\n"), encoding="utf-8"
    )
    with pytest.raises(SpecError, match=r"own\.yaml:\d+:1 ntes: there is no such key"):
        book_of("language: own.yaml\n")


def test_phrases_missing_in_a_words_file_are_english_and_listed(book_of, tmp_path):
    own = "language: ru\ncontents: Содержание\ndifficulties: {easy: Легко}\n"
    (tmp_path / "own.yaml").write_text(own, encoding="utf-8")
    spec = book_of("language: own.yaml\n")
    words = spec.wording()
    assert words.contents == "Содержание"
    assert (words.difficulties.easy, words.difficulties.hard) == ("Легко", "Hard")
    assert (words.notes, words.count_of(3)) == ("Notes", "3 puzzles")
    assert {"notes", "difficulties.hard"} <= set(spec.language.missing)
    (note,) = missing_phrases_note(spec.language)
    assert note.startswith("the words file lacks ")
    assert missing_phrases_note("de") == ()


def test_a_file_of_another_kind_is_no_words_file(tmp_path):
    path = tmp_path / "book.yaml"
    path.write_text(BOOK + "language: de\n", encoding="utf-8")
    with pytest.raises(SpecError, match="this is a book"):
        load_words(path)


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_a_first_spec_has_the_chosen_language(name, tmp_path):
    path, samples = tmp_path / "mine.yaml", load_words(name).samples
    path.write_text(init_text(str(path), language=name), encoding="utf-8")
    spec = load_spec(path)
    assert (spec.language, spec.title, spec.subtitle) == (name, samples.title, samples.subtitle)
    assert tuple(level.name for level in spec.levels) == samples.levels
    path.write_text(init_text(str(path), language=name, feed=True), encoding="utf-8")
    assert (load_feed(path).language, load_feed(path).title) == (name, samples.feed_title)


def test_a_first_spec_names_a_words_file_from_its_own_folder(tmp_path):
    own, spec = tmp_path / "own.yaml", tmp_path / "books" / "mine.yaml"
    own.write_text(ENGLISH_FILE, encoding="utf-8")
    assert "\nlanguage: ../own.yaml " in init_text(str(spec), language=str(own))


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_steps_name_colours_instead_of_numbers_for_dots(name):
    words = load_words(name).of_dots
    names = words.colour_names.model_dump().values()
    assert len(set(names)) == len(names)
    end = phrase("end_of_number", number=3, square=Square(2, 5))
    sentence = phrase("one_way_out", end=end, way=DirectionWord.UP)
    text = words.steps.text_of(with_colour_names(sentence, {3: words.colour_names.yellow}))
    assert words.colour_names.yellow in text
    assert "3" not in text
    corner = {"square": Square(0, 0), "ways": DirectionWord.UP, "other": Square(0, 1)}
    caption = phrase("captions.turn_joins", **corner, first=3, second=4)
    colours = {3: words.colour_names.yellow, 4: words.colour_names.red}
    text = words.steps.text_of(with_colour_names(caption, colours))
    assert all(colour in text for colour in colours.values())


def test_french_has_no_break_spaces_before_its_marks():
    assert [text for _, text in load_words("fr").texts if re.search(r" [:;?!»]", text)] == []
