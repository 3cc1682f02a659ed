"""What a function or class takes when it is called, and what of a call it refuses.

In: a definition, and the arguments of a call. Out: why they do not fit, in a few words. What cannot be told fits:
starred arguments may be any number, and a class that says nothing of its construction takes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Definition
from rpg.encoder.languages.rules.attribute_types import Arguments
from rpg.encoder.resolve.breakage.written.class_texts import Declared
from rpg.encoder.resolve.program.arguments_taken import Shape, parameter_texts
from rpg.encoder.resolve.program.source_file import SourceFile

_FIELD: Final = re.compile(r"\w+\s*:([^=]*)(=.*)?", re.DOTALL)
_WORDS: Final = re.compile(r"\w+")
_OF_WRITING: Final = re.compile(r"\w+\(set\)")
"""Says of writing alone from where it is allowed."""


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
    is_spread = file.rules.spreads == "results" and count == 1 and code[code[e + op.ARGUMENTS]] == op.CALL
    return Arguments(count, tuple(keywords), is_open or is_spread, has_any)


def words_before_name(definition: Definition) -> frozenset[str]:
    """The words of a signature in front of the name: modifiers and types."""
    head = definition.signature.partition(definition.name)[0] if definition.name else definition.signature
    return frozenset(_WORDS.findall(_OF_WRITING.sub("", head)))


COPY: Final = Shape(("",), ("",), frozenset(), frozenset(), False, False)
"""Of a construction from another object."""


def shape_of_declared(declared: Declared) -> Shape:
    most = min(declared.most, len(declared.parameters))
    names = ("",) * most
    return Shape(names, names[: declared.fewest], frozenset(), frozenset(), declared.most > most, False)


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
        field_marks = file.rules.construction.marks
        if not marks or field_marks is None or any(field_marks.changing.search(mark) for mark in marks):
            return None
        found = True
        for each in file.definitions:
            row = _FIELD.match(each.signature) if each.parent == index and each.kind == "field" else None
            if row is None or field_marks.leaving_out.search(row[1]):
                continue
            if field_marks.changing.search(each.signature):
                return None
            value = row[2] or ""
            is_made = re.match(r"=\s*(?:\w+\.)?field\(", value) is not None
            fields[each.name] = bool(value) and (not is_made or "default" in value)
    if not found:
        return None
    needed = tuple(name for name, has_value in fields.items() if not has_value)
    return Shape(tuple(fields), needed, frozenset(), frozenset(), False, False)


def shape_of_own_fields(file: SourceFile, index: int) -> Shape:
    """Of a class that takes its own fields alone: those without a value are needed."""
    fields = {
        each.name: row[2] is not None
        for each in file.definitions
        if each.parent == index and each.kind == "field" and (row := _FIELD.match(each.signature)) is not None
    }
    needed = tuple(name for name, has_value in fields.items() if not has_value)
    return Shape(tuple(fields), needed, frozenset(), frozenset(), False, False)


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
