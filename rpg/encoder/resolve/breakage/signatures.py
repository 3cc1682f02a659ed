"""What a function or class takes when it is called, and what of a call it refuses.

In: a definition, and the arguments of a call. Out: why they do not fit, in a few words. What cannot be told fits:
starred arguments may be any number, and a class that says nothing of its construction takes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import EXTENSION, Definition, FileFacts, Parameter, strip_marks
from rpg.encoder.languages.rules import Arguments, Rules
from rpg.encoder.resolve.breakage.written.class_texts import Declared
from rpg.encoder.resolve.program.source_file import SourceFile

_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_QUOTES: Final = frozenset("\"'`")
_MOST: Final = 1 << 20
_FIELD: Final = re.compile(r"\w+\s*:([^=]*)(=.*)?", re.DOTALL)
_WORDS: Final = re.compile(r"\w+")


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


def arguments_of(file: SourceFile, e: int) -> Arguments:
    code = file.code
    count, keywords, is_open, has_any = 0, [], False, False
    for at in range(code[e + op.ARGUMENT_COUNT]):
        word = code[e + op.KEYWORDS + 2 * at]
        if word == op.POSITIONAL:
            count += 1
        elif word == op.STARRED:
            is_open = True
        elif word == op.DOUBLE_STARRED:
            has_any = True
        else:
            keywords.append(file.strings[word].removeprefix("$"))
    # The only argument may be a call with several results.
    is_spread = file.rules.spreads_results and count == 1 and code[code[e + op.ARGUMENTS]] == op.CALL
    return Arguments(count, tuple(keywords), is_open or is_spread, has_any)


def words_before_name(definition: Definition) -> frozenset[str]:
    """The words of a signature in front of the name: modifiers and types."""
    return frozenset(_WORDS.findall(definition.signature.partition(definition.name)[0]))


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


COPY: Final = Shape(("",), ("",), frozenset(), frozenset(), False, False)
"""Of a construction from another object."""


def shape_of_declared(declared: Declared) -> Shape:
    most = min(declared.most, len(declared.parameters))
    names = ("",) * most
    return Shape(names, names[: declared.fewest], frozenset(), frozenset(), declared.most > most, False)


def count_arguments_taken(facts: FileFacts, rules: Rules, line: int, qualified_name: str) -> tuple[int, int | None]:
    """The least and the largest number of arguments of calls of what is defined on a line; None where there is no
    largest one. Anything from 0 on where the signature may not say all: what is decorated, or extends another type."""
    file = SourceFile(0, facts, rules, 0)
    place = (line, qualified_name)
    found = [at for at, each in enumerate(file.definitions) if (each.start_line, each.qualified_name) == place]
    if len(found) != 1 or EXTENSION in file.definitions[found[0]].flags or file.definitions[found[0]].decorators:
        return 0, None
    shape = shape_of(file, found[0], True)
    least = len(shape.needed) + len(shape.needed_keywords) if rules.refuses_fewer_arguments else 0
    if not rules.refuses_more_arguments or shape.takes_more or shape.takes_any_keyword:
        return least, None
    scope = file.definitions[found[0]].scope
    # `Class.method(object, ...)` passes the receiver, too.
    has_receiver = scope >= 0 and bool(file.scopes[scope].receiver)
    return least, len(shape.names) + len(shape.keywords) + has_receiver


def shape_of_record(definition: Definition) -> Shape:
    """Of a class whose signature lists its fields."""
    texts = parameter_texts(definition)
    names = tuple(_WORDS.findall(text)[-1] for text in texts if _WORDS.search(text))
    return Shape(names, names, frozenset(), frozenset(), any("..." in text for text in texts), False)


def shape_of_fields(owners: Iterable[tuple[SourceFile, int]]) -> Shape | None:
    """Of a class that takes what it and those above it declare as fields, the topmost first (dataclasses); None if that
    is said otherwise."""
    fields: dict[str, bool] = {}
    found = False
    for file, index in owners:
        owner = file.definitions[index]
        marks = [each for each in owner.decorators if each.partition("(")[0].rpartition(".")[2] == "dataclass"]
        if "dataclass" not in owner.flags:
            found = False
            continue
        otherwise, never = file.rules.fields_taken_otherwise, file.rules.fields_never_taken
        if not marks or otherwise is None or any(otherwise.search(mark) for mark in marks):
            return None
        found = True
        for each in file.definitions:
            row = _FIELD.match(each.signature) if each.parent == index and each.kind == "field" else None
            if row is None or (never is not None and never.search(row[1])):
                continue
            if otherwise.search(each.signature):
                return None
            value = row[2] or ""
            is_made = re.match(r"=\s*(?:\w+\.)?field\(", value) is not None
            fields[each.name] = bool(value) and (not is_made or "default" in value)
    if not found:
        return None
    needed = tuple(name for name, has_value in fields.items() if not has_value)
    return Shape(tuple(fields), needed, frozenset(), frozenset(), False, False)


def _word(row: Parameter) -> str:
    """The name by which a parameter may be passed."""
    return strip_marks(row.name).removeprefix("$")


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
    head, slash, _ = definition.signature.partition(", /")
    if not slash:
        return []
    return re.findall(r"(\w+)\s*(?:[:=][^,]*)?(?:,|$)", head[head.find("(") + 1 :])


def misfit(shape: Shape, given: Arguments, more: bool, fewer: bool) -> str:
    """Why a call does not fit, in a few words; empty if it may fit. `more`, `fewer`: whether the language refuses
    further arguments and missing ones."""
    known = {*shape.names, *shape.keywords} - shape.only_positions
    if not shape.takes_any_keyword:
        for name in given.keywords:
            if name not in known:
                return f"has no parameter `{name}`"
    if more and given.number > shape.most():
        return f"takes {_counted(len(shape.names))}, {given.number} given"
    by_position = set(shape.names[: given.number])
    if more:
        twice = [name for name in given.keywords if name in by_position]
        if twice and not given.is_open:
            return f"`{twice[0]}` is given twice"
    if fewer and not given.has_any_keyword:
        if not given.is_open:
            missing = [name for name in shape.needed if name not in by_position and name not in given.keywords]
            if missing:
                return _lacks(shape, given, missing)
        lacking = sorted(shape.needed_keywords.difference(given.keywords))
        if lacking:
            return f"needs {', '.join(f'`{name}`' for name in lacking)}"
    return ""


def fold_keywords(given: Arguments, shape: Shape) -> Arguments:
    """The same where what is passed by name is a hash, which is the last argument of what takes none by name."""
    if shape.keywords or shape.takes_any_keyword:
        if not given.keywords and given.number > shape.most():
            return given._replace(number=given.number - 1, has_any_keyword=True)  # an object that is such a hash
        return given
    number = given.number + bool(given.keywords)
    return Arguments(number, (), given.is_open or (given.has_any_keyword and not given.keywords), False)


def _lacks(shape: Shape, given: Arguments, missing: list[str]) -> str:
    if all(missing):
        return f"needs {', '.join(f'`{name}`' for name in missing)}"
    return f"needs {_counted(len(shape.needed))}, {given.number} given"


def _counted(count: int) -> str:
    return "no arguments" if not count else f"{count} argument{'s' if count > 1 else ''}"
