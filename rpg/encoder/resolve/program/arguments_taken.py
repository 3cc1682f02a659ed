"""How many arguments a function takes, as its signature says, and how many a call passes.

In: a definition, or the facts of its file and where it stands; a call. Out: its parameters, and numbers. What cannot be
told takes any number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import EXTENSION, Definition, FileFacts, Parameter, strip_marks
from rpg.encoder.languages.rules import Rules
from rpg.encoder.resolve.program.source_file import SourceFile

_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_QUOTES: Final = frozenset("\"'`")
_MOST: Final = 1 << 20
_SLASH: Final = re.compile(r", /(?=\s*[,)])")
"""Python's, which is no beginning of a comment."""


class Shape(NamedTuple):
    """What a function takes, without its receiver."""

    names: tuple[str, ...]
    """Of the parameters that may be passed by position, in order."""
    needed: tuple[str, ...]
    """Of these, those that must be given."""
    keywords: frozenset[str]
    """Of those that may only be passed by name."""
    needed_keywords: frozenset[str]
    takes_more: bool
    """Whether it takes any number of further arguments."""
    takes_any_keyword: bool
    only_positions: frozenset[str] = frozenset()
    """Of `names`, those that cannot be passed by name."""

    def most(self) -> int:
        return _MOST if self.takes_more else len(self.names)


def count_arguments(file: SourceFile, call: int) -> int:
    """How many arguments a call passes; -1 where some of them may be any number."""
    code = file.code
    count = code[call + op.ARGUMENT_COUNT]
    if count == 1 and file.rules.spreads == "results" and code[code[call + op.ARGUMENTS]] == op.CALL:
        return -1
    for at in range(count):
        if code[call + op.KEYWORDS + 2 * at] in (op.STARRED, op.DOUBLE_STARRED):
            return -1
    return count


def count_arguments_taken(facts: FileFacts, rules: Rules, line: int, qualified_name: str) -> tuple[int, int | None]:
    """The least and the largest number of arguments of calls of what is defined on a line; None where there is no
    largest one. Anything from 0 on where the signature may not say all, as of what is decorated."""
    file = SourceFile(0, facts, rules, 0)
    place = (line, qualified_name)
    found = [at for at, each in enumerate(file.definitions) if (each.start_line, each.qualified_name) == place]
    return count_taken(file, found[0]) if len(found) == 1 else (0, None)


def count_parameters(facts: FileFacts, rules: Rules, line: int, qualified_name: str) -> tuple[int, int | None]:
    """How many parameters a function has with which it is named (`halt/1`), without those that have defaults, and with
    them; None where it takes any number."""
    file = SourceFile(0, facts, rules, 0)
    place = (line, qualified_name)
    scopes = [each.scope for each in file.definitions if (each.start_line, each.qualified_name) == place]
    if len(scopes) != 1 or scopes[0] < 0:
        return 0, None
    rows = facts.parameters.get(scopes[0], [])
    is_open = any(row.kind != "positional" for row in rows)
    return sum(not row.default for row in rows), None if is_open else len(rows)


def count_taken(file: SourceFile, index: int) -> tuple[int, int | None]:
    """The same of a definition."""
    definition, rules = file.definitions[index], file.rules
    if definition.decorators:
        return 0, None
    shape = shape_of(file, index, True)
    least = len(shape.needed) + len(shape.needed_keywords) if rules.refuses_fewer_arguments else 0
    if EXTENSION in definition.flags:
        # Called as a member of its first argument, it has one fewer.
        least = max(0, least - 1)
    if not rules.refuses_more_arguments or shape.takes_more or shape.takes_any_keyword:
        return least, None
    scope = definition.scope
    # `Class.method(object, ...)` passes the receiver, too.
    has_receiver = scope >= 0 and bool(file.scopes[scope].receiver)
    return least, len(shape.names) + len(shape.keywords) + has_receiver


def is_sure_to_count(rules: Rules, path: str) -> bool:
    """Whether a call with another number of arguments than a function of a file takes is refused, whatever is known of
    its types, and calls say the number."""
    return rules.always_checks_arguments and rules.judges_arguments(path)


def shape_of(file: SourceFile, index: int, is_bound: bool) -> Shape:
    """`is_bound`: whether the receiver is no argument."""
    definition = file.definitions[index]
    rows = complete_parameters(file, definition)
    if is_bound and rows and definition.scope >= 0 and file.scopes[definition.scope].receiver:
        rows = rows[1:]
    positional = [row for row in rows if row.kind in ("positional", "any")]
    keyword = [row for row in rows if row.kind == "keyword"]
    return Shape(
        tuple(_word(row) for row in positional),
        tuple(_word(row) for row in positional if not row.default),
        frozenset(row.name for row in keyword),
        frozenset(row.name for row in keyword if not row.default),
        any(row.kind == "list" for row in rows),
        any(row.kind == "map" for row in rows),
        frozenset(_before_slash(definition)),
    )


def complete_parameters(file: SourceFile, definition: Definition) -> list[Parameter]:
    """The parameters of a definition, with what only its signature says."""
    rows = file.facts.parameters.get(definition.scope, []) if definition.scope >= 0 else []
    texts = parameter_texts(definition)
    has_receiver = definition.scope >= 0 and bool(rows) and rows[0].name == file.scopes[definition.scope].receiver != ""
    if has_receiver and len(texts) == len(rows) - 1:
        texts = ["", *texts]
    if len(texts) != len(rows):
        return rows
    # A default that is `null` or `...` is no expression of the facts.
    rows = [
        row if row.default or not has_default(text) else row._replace(default=1)
        for row, text in zip(rows, texts, strict=True)
    ]
    written = [file.rules.written_parameter(row, text) for row, text in zip(rows, texts, strict=True)]
    return [row for row in written if row is not None]


def _word(row: Parameter) -> str:
    """The name by which a parameter may be passed."""
    return strip_marks(row.name).removeprefix("$")


def has_default(text: str) -> bool:
    """Whether the text of a parameter assigns something, outside of brackets."""
    depth = 0
    for at, sign in enumerate(text):
        if sign in _OPENING:
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif (
            sign == "="
            and not depth
            and text[at - 1 : at] not in tuple("=!<>")
            and text[at + 1 : at + 2] not in tuple("=>")
        ):
            return at > 0
    return False


def parameter_texts(definition: Definition) -> list[str]:
    """The parameters as the signature has them, one text each, without Python's bare `*` and `/`."""
    signature = definition.signature
    found = re.search(rf"(?<!\w){re.escape(definition.name)}(?!\w)", signature)
    start = signature.find("(", found.end() if found else 0)
    if start < 0:
        return []
    closing = find_closing(signature, start)
    if closing < 0:
        return []
    return [text for text in split_arguments(signature[start + 1 : closing]) if text not in ("*", "/")]


def split_arguments(text: str, has_angles: bool = True) -> list[str]:
    """A text at its commas, but for those in brackets and strings; empty parts are left out. `has_angles`: whether `<`
    is a bracket, as among types."""
    parts, begin = [], 0
    for at in _outside(text, 0, ",", has_angles):
        parts.append(text[begin:at])
        begin = at + 1
    parts.append(text[begin:])
    return [each for part in parts if (each := part.strip())]


def find_closing(text: str, start: int, has_angles: bool = True) -> int:
    """Where the bracket closes that opens at `start`; -1 if it does not."""
    if text[start : start + 1] not in tuple(_OPENING):
        return -1
    return next(_outside(text, start + 1, ")]}", has_angles), -1)


def _outside(text: str, start: int, signs: str, has_angles: bool) -> Iterator[int]:
    """Where some signs are that are in no brackets and no string of the text from `start` on."""
    depth, at, quote = 0, start, ""
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign == quote:
                quote = ""
        elif not depth and sign in signs:
            yield at
        elif sign in _QUOTES and not (sign == "'" and text[at + 1 : at + 2].isalpha() and _is_lifetime(text, at)):
            quote = sign
        elif sign in _OPENING or (sign == "<" and has_angles):
            depth += 1
        elif (sign in ")]}" or (sign == ">" and has_angles and text[at - 1] not in "=-")) and depth:
            depth -= 1
        at += 1


def _is_lifetime(signature: str, at: int) -> bool:
    """Whether a quote begins the name of a lifetime, and no literal."""
    if signature[at] != "'" or not signature[at + 1 : at + 2].isalpha():
        return False
    return signature[at - 1] in "&<, " and signature.find("'", at + 1) != at + 2


def _before_slash(definition: Definition) -> list[str]:
    """The names of parameters that Python takes by position alone."""
    slash = _SLASH.search(definition.signature)
    if slash is None:
        return []
    head = definition.signature[: slash.start()]
    return re.findall(r"(\w+)\s*(?:[:=][^,]*)?(?:,|$)", head[head.find("(") + 1 :])
