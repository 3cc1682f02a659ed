"""Signatures of methods in a form that compares: without names of parameters, with full names of types.

In: a signature as written, and what a name of a type means. Out: text that is equal where Go's types are identical;
empty where it holds something that is not compared (interfaces and structs with members, which hardly any has).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rpg.encoder.languages.go.types import PRIMITIVES

_TOKEN: Final = re.compile(r"\s*(\.\.\.|<-|[^\W\d]\w*|\d\w*|[()\[\]{},.*;]|\S)")
_ALIASES: Final = {"byte": "uint8", "rune": "int32"}
_MOST_TOKENS: Final = 300
"""Of a signature that is compared: types may be nested as deep."""
_KEYWORDS: Final = frozenset({"chan", "func", "interface", "map", "struct"})


class NotCompared(Exception):
    """The signature holds something else than the types that are compared."""


def shape(signature: str, named: Callable[[str, str], str]) -> str:
    """`named(package, name)`: a full name; the package is empty for a name without one."""
    try:
        return _Signature(signature, named).method()
    except NotCompared:
        return ""


class _Signature:
    def __init__(self, text: str, named: Callable[[str, str], str]) -> None:
        self.tokens: list[str] = _TOKEN.findall(text)
        self.named = named
        self.at = 0

    def method(self) -> str:
        if len(self.tokens) > _MOST_TOKENS:
            raise NotCompared
        if self.next() == "func":
            self.take()
            self.skip_list()  # the receiver
        self.take()
        found = self.function()
        if self.at < len(self.tokens):
            raise NotCompared
        return found

    def function(self) -> str:
        """From the parameters on."""
        parameters = self.types_in_list()
        results = self.types_in_list() if self.next() == "(" else self.result()
        return f"({','.join(parameters)})({','.join(results)})"

    def result(self) -> list[str]:
        token = self.next()
        starts_type = token in ("*", "[", "<-") or token[:1].isidentifier()
        return [self.type()] if starts_type else []

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        if self.at >= len(self.tokens):
            raise NotCompared
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise NotCompared

    def skip_list(self) -> None:
        self.expect("(")
        depth = 1
        while depth:
            token = self.take()
            depth += (token == "(") - (token == ")")

    def types_in_list(self) -> list[str]:
        """The type of each parameter or result. Either all have names, and some share a type, or none has."""
        self.expect("(")
        entries: list[tuple[str, str]] = []
        while self.next() != ")":
            entries.append(self.entry())
            if self.next() != ",":
                break
            self.take()
        self.expect(")")
        if not any(name and type for name, type in entries):
            return [type or self.full("", name) for name, type in entries]
        types: list[str] = []
        following = ""
        for _, type in reversed(entries):
            following = type or following
            types.append(following)
        return types[::-1]

    def entry(self) -> tuple[str, str]:
        """A name alone, which may be that of a type; a type; or both."""
        start, name = self.at, self.next()
        if name[:1].isidentifier() and name not in _KEYWORDS:
            self.take()
            if self.next() in (",", ")"):
                return name, ""
            if self.next() != ".":
                try:
                    return name, self.parameter_type()
                except NotCompared:
                    pass  # the arguments of a generic type
            self.at = start
        return "", self.parameter_type()

    def parameter_type(self) -> str:
        if self.next() == "...":
            self.take()
            return "..." + self.type()
        found = self.type()
        if self.next() not in (",", ")"):
            raise NotCompared
        return found

    def type(self) -> str:
        token = self.take()
        if token == "*":
            return "*" + self.type()
        if token == "(":
            inner = self.type()
            self.expect(")")
            return inner
        if token == "[":
            length = ""
            while self.next() != "]":
                length += self.take()
            self.take()
            return f"[{length}]{self.type()}"
        if token == "map":
            self.expect("[")
            key = self.type()
            self.expect("]")
            return f"map[{key}]{self.type()}"
        if token == "<-":
            self.expect("chan")
            return "<-chan " + self.type()
        if token == "chan":
            sends = self.next() == "<-"
            if sends:
                self.take()
            return ("chan<- " if sends else "chan ") + self.type()
        if token == "func":
            return "func" + self.function()
        if token in ("interface", "struct"):
            self.expect("{")
            self.expect("}")
            return "any" if token == "interface" else "struct{}"
        if not token[:1].isidentifier():
            raise NotCompared
        return self.parse_named_type(token)

    def parse_named_type(self, name: str) -> str:
        package = ""
        if self.next() == ".":
            self.take()
            package, name = name, self.take()
        found = self.full(package, name)
        if self.next() != "[":
            return found
        self.take()
        arguments = [self.type()]
        while self.next() == ",":
            self.take()
            arguments.append(self.type())
        self.expect("]")
        return f"{found}[{','.join(arguments)}]"

    def full(self, package: str, name: str) -> str:
        if not package and name in PRIMITIVES:
            return _ALIASES.get(name, name)
        return self.named(package, name)
