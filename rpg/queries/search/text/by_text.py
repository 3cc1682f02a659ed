"""Text search, as modes `text` and `regex` request it, and what `auto` recognises as text.

In: an index and what is wanted. Out: an answer with matching lines, and a note about how the query was read. A text is
searched literally; if nothing has it, as a regular expression if it may be one, then ignoring case.

Absent: patterns and matching (text_pattern.py, text_matches.py), ranked search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from rpg.encoder.languages import LANGUAGES
from rpg.errors import BadRequest
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.functional_view import place_filter
from rpg.queries.graph.nodes import nodes_called
from rpg.queries.graph.path_filters import package_filter
from rpg.queries.packages.manifests import build_package_filter
from rpg.queries.search.hits import Answer, Wanted
from rpg.queries.search.text.text_matches import Scope, TextMatches, text_matches
from rpg.queries.search.text.text_pattern import Pattern, expression, is_expression, literal
from rpg.stores.search.names import NAMELESS_KINDS

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

DOCUMENTS = frozenset(language.name for language in LANGUAGES if language.is_prose)

_QUOTED = re.compile(r"""(["'])(?=.*\w)((?:(?!\1).)+)\1|`(?=.*[^\w.`])([^`]+)`""")
_MARKED = re.compile(r"[(){}\[\]=<>;$|\\]|%[sdr]|::|->|^[@#]\w|https?:|\w:\s*$")
_CALLED = re.compile(r"[\w.:#/~-]+\(\)")
_PLAIN_WORDS = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
"""An environment variable, a header."""
_SPELLED_NAME = re.compile(r"[$@]?(?=\w*[a-z0-9]_[A-Za-z0-9]|[a-z]\w*[A-Z]|\w*\d)[A-Za-z]\w{3,}")
"""One word, spelled as names are and no word of prose is."""
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_DOTTED = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)+")
"""Names that dots join: the key of a setting, a member, a file."""
_SENTENCE = re.compile(r"\S+(?:\s+\S+){2,}")
_QUESTION = re.compile(r"(?:how|where|what|which|who|why|when|is there|are there)\b(?!.*[%{}:'\"])", re.IGNORECASE)
"""How questions begin: no text in a repository says them, unless they have the marks of a message."""
SHORTEST_SENTENCE, LONGEST_SENTENCE = 12, 200
"""Characters of words that are searched as one text: shorter ones occur together by chance."""
FEW = 3
"""Hits by text that come before those by meaning."""


def text_answer(index: Index, wanted: Wanted) -> Answer:
    """For modes `text` and `regex`. BAD_REQUEST for an invalid pattern."""
    return answer_from(
        wanted, lambda pattern, scope: text_matches(index, pattern, scope, wanted.limit, wanted.offset), index
    )


def answer_from(wanted: Wanted, matches: Callable[[Pattern, Scope], TextMatches], index: Index | None = None) -> Answer:
    query = wanted.query
    if not query.strip():
        raise BadRequest("an empty query: write the text to look for, or a regular expression with mode regex")
    for note, pattern in _as_expression(query) if wanted.mode == "regex" else _as_text(query):
        found = matches(pattern, _scope(index, wanted))
        if found.lines or found.tests:
            return _answer(wanted, found, note)
    return _answer(wanted, TextMatches(hits=[]), "no line has it, in any case")


def recognise_text(index: Index, wanted: Wanted) -> Answer | None:
    """The answer to a query of mode `auto` that is quoted or looks like code, if some file contains it literally."""
    query = wanted.query.strip()
    text = text_in(query)
    if not is_read_as_text(index, query):
        return None
    found = _matches(index, wanted, literal(text))
    if not found.lines and not found.tests:
        return None
    return _answer(wanted, found, "read as a text; mode snippets ranks by meaning")


def is_read_as_text(index: Index, query: str) -> bool:
    """Whether a query of mode `auto` is looked for literally first."""
    text = text_in(query)
    return bool(text) and not (text == query and is_name(index, query))


def is_name(index: Index, text: str) -> bool:
    """Whether something is defined by exactly that name."""
    return any(node.kind not in NAMELESS_KINDS for node in nodes_called(index, [text]))


def sentence_matches(index: Index, wanted: Wanted) -> TextMatches | None:
    """Matches of a sentence that occurs word for word, as messages do and questions do not."""
    query = wanted.query.strip()
    if wanted.offset or len(query) < SHORTEST_SENTENCE or "\n" in query or not _SENTENCE.fullmatch(query):
        return None
    if len(query) > LONGEST_SENTENCE or _QUESTION.match(query):
        return None
    found = text_matches(index, literal(query), _scope(index, wanted), FEW)
    return found if found.lines or found.tests else None


def name_matches(index: Index, wanted: Wanted, is_near: bool) -> TextMatches | None:
    """Lines with a whole word that is spelled like a name, or like names joined by dots, but is not the name of a
    symbol, such as a setting; few of them, if a symbol has nearly that name."""
    query = wanted.query.strip()
    if wanted.offset or not (_SPELLED_NAME.fullmatch(query) or _DOTTED.fullmatch(query)):
        return None
    word = expression(rf"\b{re.escape(query)}\b" if query[0].isalpha() else rf"{re.escape(query)}\b")
    found = text_matches(index, word, _scope(index, wanted), FEW if is_near else wanted.limit)
    return found if found.lines or found.tests else None


def word_matches(index: Index, wanted: Wanted) -> TextMatches | None:
    """Lines with a whole word, however it is spelled, that nothing is called."""
    query = wanted.query.strip()
    if wanted.offset or not _WORD.fullmatch(query):
        return None
    found = text_matches(index, expression(rf"\b{re.escape(query)}\b"), _scope(index, wanted), wanted.limit)
    return found if found.lines or found.tests else None


def text_in(query: str) -> str:
    """The text that a query means literally; empty if it is prose or a name."""
    if "\n" in query or len(query) > LONGEST_SENTENCE:
        return ""
    quoted = _QUOTED.fullmatch(query)
    if quoted:
        return quoted[2] or quoted[3]
    if _CALLED.fullmatch(query):
        return ""
    return query if _PLAIN_WORDS.fullmatch(query) or _MARKED.search(query) else ""


def _as_text(query: str) -> Iterator[tuple[str, Pattern]]:
    yield "", literal(query)
    if is_expression(query):
        with suppress(BadRequest):
            yield "read as a regular expression: no line has it literally", expression(query)
    yield "ignoring case: no line has it as written", literal(query, ignores_case=True)


def _as_expression(query: str) -> Iterator[tuple[str, Pattern]]:
    yield "", expression(query)
    yield "ignoring case: no line matches as written", expression(query, ignores_case=True)


def _matches(index: Index, wanted: Wanted, pattern: Pattern) -> TextMatches:
    return text_matches(index, pattern, _scope(index, wanted), wanted.limit, wanted.offset)


def _answer(wanted: Wanted, found: TextMatches, note: str) -> Answer:
    mode = "regex" if wanted.mode == "regex" else "text"
    return Answer(hits=[], texts=found, tests=found.tests, next=found.next, mode=mode, note=note)  # type: ignore[arg-type]


def _scope(index: Index | None, wanted: Wanted) -> Scope:
    """All texts are searched unless only documents are wanted."""
    part = Filter(wanted.path, wanted.exclude_path, wanted.tests)
    language = wanted.language.lower()
    of_package = None
    if wanted.package:
        of_package = (
            build_package_filter(index, wanted.package) if index is not None else package_filter(wanted.package)
        )
    has_place = place_filter(index, wanted.within) if wanted.within and index is not None else None

    def admits(path: str, spoken: str, is_test: bool) -> bool:
        if not part.admits(path, is_test) or (language and spoken != language):
            return False
        if wanted.content == "docs" and spoken not in DOCUMENTS:
            return False
        if has_place is not None and not has_place(path):
            return False
        return of_package is None or of_package(path)

    return Scope(admits, wanted.tests == "fold", wanted.kinds)
