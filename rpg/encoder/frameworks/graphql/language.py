"""GraphQL's text, as far as contracts need it: what a schema declares, and what a document selects.

In: text and where it begins and ends; other languages may have put `${…}` into it. Out: names with their places. No
grammar is used, so that a schema in a string is read like one in a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MOST_READ: Final = 1_000_000
"""The most bytes of one schema or document that are read."""
DEEPEST: Final = 40
_TOKEN: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\#[^\n]*|(?P<token>\$\{|\.\.\.|[A-Za-z_]\w*|[{}()\[\]:@$!=|&])',
    re.DOTALL,
)
_DECLARING: Final = frozenset("type interface input enum union scalar schema directive extend".split())
_OPERATIONS: Final = frozenset("query mutation subscription fragment".split())
_OPENING: Final = frozenset(("{", "(", "[", "${"))
_CLOSING: Final = frozenset("})]")


class Declared(NamedTuple):
    type: str
    field: str
    """Empty for the type itself."""
    of: str
    """The type of the field."""
    at: int


class Selected(NamedTuple):
    path: str
    """From a type or `query`, `mutation`, `subscription` down: `query/user/email`; a type alone: it is named."""
    at: int


Token = tuple[str, int]


def tokens_of(text: str, start: int, end: int) -> list[Token]:
    """Without comments, descriptions and what is put in."""
    found: list[Token] = []
    stop = min(end, start + MOST_READ)
    put_in = 0
    for match in _TOKEN.finditer(text, start, stop):
        word = match["token"]
        if not word:
            continue
        if put_in or word == "${":
            put_in += (word in ("${", "{")) - (word == "}")
            continue
        found.append((word, match.start("token")))
    return found


def _behind(tokens: list[Token], at: int) -> int:
    """Behind the bracket that closes the one at a position."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at][0] in _OPENING) - (tokens[at][0] in _CLOSING)
        at += 1
        if depth <= 0:
            break
    return at


def _is_name(tokens: list[Token], at: int) -> bool:
    return at < len(tokens) and (tokens[at][0][0].isalpha() or tokens[at][0][0] == "_")


def _word(tokens: list[Token], at: int) -> str:
    return tokens[at][0] if at < len(tokens) else ""


def declared_in(tokens: list[Token]) -> Iterator[Declared]:
    at = 0
    while at < len(tokens):
        word = tokens[at][0]
        if word == "extend":
            at += 1
            continue
        if word in ("{", "("):
            at = _behind(tokens, at)
            continue
        if word not in ("type", "interface", "input", "enum", "union", "scalar", "schema"):
            at += 1
            continue
        at += 1
        owner = "schema" if word == "schema" else ""
        if not owner:
            if not _is_name(tokens, at):
                continue
            owner = tokens[at][0]
            yield Declared(owner, "", "", tokens[at][1])
            at += 1
        if word in ("union", "scalar"):
            continue
        while at < len(tokens) and tokens[at][0] != "{":
            if tokens[at][0] in _DECLARING and _word(tokens, at - 1) not in ("@", "&", "implements"):
                break
            at = _behind(tokens, at) if tokens[at][0] == "(" else at + 1
        if _word(tokens, at) == "{":
            end = _behind(tokens, at)
            yield from _fields(tokens, at + 1, end - 1, owner, word == "enum")
            at = end


def _fields(tokens: list[Token], at: int, end: int, owner: str, is_enum: bool) -> Iterator[Declared]:
    while at < end:
        if tokens[at][0] == "@":
            at += 2
            continue
        if tokens[at][0] in _OPENING:
            at = _behind(tokens, at)
            continue
        if not _is_name(tokens, at):
            at += 1
            continue
        if is_enum:
            yield Declared(owner, tokens[at][0], "", tokens[at][1])
            at += 1
            continue
        behind = _behind(tokens, at + 1) if _word(tokens, at + 1) == "(" else at + 1
        if behind >= end or tokens[behind][0] != ":":
            at += 1
            continue
        of = behind + 1
        while of < end and tokens[of][0] == "[":
            of += 1
        yield Declared(owner, tokens[at][0], tokens[of][0] if of < end and _is_name(tokens, of) else "", tokens[at][1])
        at = of + 1


def selected_in(tokens: list[Token]) -> Iterator[Selected]:
    at = 0
    while at < len(tokens):
        word = tokens[at][0]
        root = "query"
        if word in ("query", "mutation", "subscription"):
            root = word
        elif word == "fragment" and _word(tokens, at + 2) == "on" and _is_name(tokens, at + 3):
            root = tokens[at + 3][0]
            yield Selected(root, tokens[at + 3][1])
            at += 3
        elif word in _DECLARING:
            at += 1
            while at < len(tokens) and tokens[at][0] not in ("{", *_DECLARING, *_OPERATIONS):
                at += 1
            at = _behind(tokens, at) if _word(tokens, at) == "{" else at
            continue
        elif word != "{":
            at += 1
            continue
        while at < len(tokens) and tokens[at][0] != "{":
            at = _behind(tokens, at) if tokens[at][0] == "(" else at + 1
        end = _behind(tokens, at)
        yield from _selections(tokens, at, end, root)
        at = end


def _selections(tokens: list[Token], at: int, end: int, root: str) -> Iterator[Selected]:
    """Those between the bracket at a position and the one that closes it."""
    above: list[str] = []
    following = root
    while at < end:
        word = tokens[at][0]
        if word == "{":
            above.append(following)
            at += 1
        elif word == "}":
            following = above.pop() if above else root
            at += 1
        elif word == "(":
            at = _behind(tokens, at)
        elif word == "@":
            at += 2
        elif word == "...":
            following = above[-1] if above else root
            if _word(tokens, at + 1) == "on" and _is_name(tokens, at + 2):
                following = tokens[at + 2][0]
                yield Selected(following, tokens[at + 2][1])
                at += 3
            else:
                at += 2 if _is_name(tokens, at + 1) else 1
        elif _is_name(tokens, at) and above:
            if _word(tokens, at + 1) == ":" and _is_name(tokens, at + 2):
                at += 2
            following = f"{above[-1]}/{tokens[at][0]}"
            if len(above) <= DEEPEST and not tokens[at][0].startswith("__"):
                yield Selected(following, tokens[at][1])
            at += 1
        else:
            at += 1
