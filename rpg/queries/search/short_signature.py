"""A shortened signature: what shows how to call it is kept longest.

In: a signature as it is written, and a width. Out: the same without annotations and defaults of parameters, then
without what it returns, then cut. Names of parameters are there as long as they fit at all.

No grammar is used: brackets and quotes are enough to tell parameters apart in every language, and a mistake only makes
a line less tidy.
"""

from __future__ import annotations

import re

from rpg.queries.graph.budget import cut

_OPENING, _CLOSING = "([{<", ")]}>"
_RECEIVER = re.compile(r"func\s*\([^()]*\)\s*")
"""The receiver of a method in Go, before its name."""


def short_signature(signature: str, width: int) -> str:
    if len(signature) <= width:
        return signature
    receiver = _RECEIVER.match(signature)
    start = signature.find("(", receiver.end() if receiver else 0)
    parts = _parts(signature, start) if start >= 0 and _has_parameters(signature, start) else None
    if parts is None:
        return cut(signature, width)
    *parameters, rest = parts
    head = f"{signature[: start + 1]}{', '.join(filter(None, map(_name, parameters)))})"
    whole = head + rest
    return whole if len(whole) <= width else cut(head, width)


def _has_parameters(signature: str, start: int) -> bool:
    """Whether the bracket belongs to a name that is defined here, rather than to a call in a value."""
    return "=" not in signature[:start]


def _parts(signature: str, start: int) -> list[str] | None:
    """The parts between the commas in the bracket that opens at `start`, and the text after it; None if it stays
    open."""
    parts: list[str] = []
    depth, begin, quote = 0, start + 1, ""
    for at in range(start, len(signature)):
        letter = signature[at]
        if quote:
            quote = "" if letter == quote and signature[at - 1] != "\\" else quote
        elif letter in "\"'`":
            quote = letter
        elif letter in _OPENING:
            depth += 1
        elif letter in _CLOSING and signature[at - 1 : at + 1] not in ("->", "=>"):
            depth -= 1
            if depth == 0:
                return [*parts, signature[begin:at], signature[at + 1 :]]
        elif letter == "," and depth == 1:
            parts.append(signature[begin:at])
            begin = at + 1
    return None


def _name(parameter: str) -> str:
    """A parameter without annotation and default; with the type after the name, as in Go, just the name."""
    depth = 0
    for at, letter in enumerate(parameter):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if depth == 0 and letter in ":=":
            return parameter[:at].strip()
    name, _, kind = parameter.strip().partition(" ")
    return name if kind and not name.startswith(("{", "[")) else parameter.strip()
