"""This module finds a language's words, shipped or a user's own, with a spec's changes to them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from linkpress.documents.models import load_model, load_named, name_or_keys
from linkpress.documents.problem import InvalidError, Problem, YamlSource, invalid, shown
from linkpress.documents.shipped_files import LANGUAGES, beside
from linkpress.engine.recipe import Rule
from linkpress.files import is_file
from linkpress.words.phrases import ENGLISH as ENGLISH
from linkpress.words.wording import OWN_KEYS, Words, reader_of_changes

_WORDS = f"{', '.join(f'`{name}`' for name in LANGUAGES.names())}, or the path of a words file"


def load_words(name_or_path: str | Path) -> Words:
    """Load the words of a shipped language by its tag, or of a words file; raise as ``load_named`` does."""
    return load_named(name_or_path, LANGUAGES, Words)


def words_of(
    language: str | Words,
    changes: Mapping[str, Any] | None = None,
    *,
    of_dots: bool = False,
    rules: Collection[Rule] = (),
) -> Words:
    """Return the words that a spec's keys ask for.

    Args:
        language: a shipped language's tag, or the words themselves.
        of_dots: whether pairs are colours, and no number is shown.
    Raises:
        UsageError, SpecError: there is no such language, or its file has faults.
        InvalidError: the changes have faults.
    """
    words = load_words(language) if isinstance(language, str) else language
    words = words.of_dots if of_dots else words
    words = words.changed(changes) if changes else words
    return words.of_untouching if Rule.UNTOUCHING in rules else words


def take_language(source: YamlSource, folder: Path) -> YamlSource:
    """Return a spec's document with the path of its words file made relative to the current folder."""
    name = source.value.get("language")
    if not isinstance(name, str):
        return source
    return replace(source, value={**source.value, "language": beside(name, folder)})


def words_problems(
    language: str | Words, changes: Mapping[str, Any] | None, rules: Collection[Rule]
) -> Iterator[Problem]:
    """Find what is wrong with a spec's ``words`` in its language, a lacking rule of the game included."""
    untouching = Rule.UNTOUCHING in rules
    if not changes and not untouching:
        return
    try:
        if words_of(language, changes).rule_untouching is None and untouching:
            message = "it has no `rule_untouching`, which is printed with `unique: untouching`"
            yield Problem("", f"{message}; write it there, or under `words`", ("language",))
    except InvalidError as fault:
        yield from (problem.below("words") for problem in fault.problems)


def _find_language(name: str) -> str | Words:
    if name in LANGUAGES.names():
        return name
    if is_file(Path(name)):
        return load_model(Path(name), Words)
    raise invalid(shown(name), f"there is no such language and no such file. {LANGUAGES.choice(name)}")


LanguageChoice = Annotated[str | Words, LANGUAGES, name_or_keys(Words, _WORDS, _find_language)]
WordsChanges = Annotated[Mapping[str, Any], reader_of_changes(set(Words.model_fields) - set(OWN_KEYS))]
