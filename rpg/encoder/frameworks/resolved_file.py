"""A file after resolution, as contracts read it: its facts, and the symbols that it makes and names.

In: facts and edges of one file. Out: `ResolvedFile`; whether the rows of a file have to be made at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rpg.encoder.facts import Definition, FileFacts
from rpg.encoder.frameworks.by_text.words import SCRIPT
from rpg.encoder.frameworks.http.annotations import ANNOTATION_WORDS
from rpg.encoder.frameworks.http.clients import CLIENT_WORDS
from rpg.encoder.frameworks.http.page_languages import LANGUAGES, OF_RAILS
from rpg.encoder.frameworks.http.servers import LINK_WORDS, SERVER_WORDS
from rpg.encoder.frameworks.named.tables import WORDS
from rpg.encoder.symbol_ids import local_ids
from rpg.graph import Edge


class ResolvedFile(NamedTuple):
    facts: FileFacts
    ids: list[str]
    """Symbol ids by definition."""
    within: dict[int, int]
    """Definitions that are no symbol -> the one that they belong to."""
    edges: list[Edge]
    """Its references and imports."""
    test: bool
    serves: bool
    """Whether it may register routes."""
    takes: bool
    """Whether it may take messages, jobs or events."""
    is_test_function: Callable[[Definition], bool]
    named: dict[str, str] | None = None
    """What its names mean, where its edges are not known: of an earlier text of a file, by what they mean now."""


_SENDS = re.compile(r"(?i)fetch|request|api|http|client|stub|grpc|Servicer|ImplBase|(?:Call|Server)Context")
"""What functions of a repository are called that send for others, and what gRPC calls its clients and servers."""
_NONE: frozenset[str] = frozenset()
_WORDS = CLIENT_WORDS | SERVER_WORDS | ANNOTATION_WORDS


def is_concerned(facts: FileFacts, serves: bool, takes: bool) -> bool:
    """Whether a file may register routes or take messages, or has a word that registers one or sends."""
    return (
        serves
        or takes
        or facts.language in LANGUAGES
        or (facts.language == "ruby" and OF_RAILS.search(facts.path) is not None)
        or not _WORDS.isdisjoint(facts.strings)
        or not WORDS.get(facts.language, _NONE).isdisjoint(facts.strings)
        or (facts.language in SCRIPT and not LINK_WORDS.isdisjoint(facts.strings))
        or _SENDS.search("\n".join(facts.strings)) is not None
    )


def concerned_text(text: FileFacts) -> ResolvedFile:
    """A file that refers to nothing, as contracts read it."""
    ids = [f"{text.path}::{local}" if local else text.path for local in local_ids(text.definitions)]
    return ResolvedFile(text, ids, {}, [], False, False, False, _is_none)


def _is_none(_: Definition) -> bool:
    return False
