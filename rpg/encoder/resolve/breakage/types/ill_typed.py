"""Arguments whose literals a parameter does not take any more, because its type is another one.

In: a call before and after, both resolved. Out: a finding where the parameter took the literal before, and nothing that
the call may mean takes it now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED
from rpg.encoder.languages.literals import literal_of
from rpg.encoder.languages.rules import Rules
from rpg.encoder.resolve.breakage.calls import Calls
from rpg.encoder.resolve.breakage.findings import MISFIT, Finding
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.breakage.types.listed_types import strings_of
from rpg.encoder.resolve.breakage.types.literal_types import is_refused, type_of_parameter
from rpg.encoder.resolve.breakage.written.bare_text import find_end, split_at_commas
from rpg.encoder.resolve.program.arguments_taken import parameter_texts
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target
from rpg.graph import CLASS_KINDS

_FUNCTIONS: Final = frozenset({"function", "method"})
_OPENING: Final = re.compile(r"\s*(?:::\s*)?(?:<[^<>();]*>)?\s*\(")
_NAMED: Final = re.compile(r"\s*(\w+)\s*(?::(?!:)|=(?!=))\s*")
_MOST_OVERLOADS: Final = 12
_MORE: Final = "..."
"""In place of the name of a parameter: any number may follow."""


class Argument(NamedTuple):
    position: int
    """-1: passed by name."""
    name: str
    literal: str


class Typed:
    def __init__(self, before: Side, after: Side, calls: Calls) -> None:
        self.before = before
        self.after = after
        self.calls = calls

    def find(self, old: SourceFile, site: Site, new: SourceFile, now: Site) -> Finding | None:
        rules = new.rules
        if now.role != CALLED or not rules.literals_fit or not rules.judges_arguments(new.path):
            return None
        if new.code[now.expression] != op.CALL:
            return None
        was = self.before.certain_targets(old, self.before.outcome(old, site))
        if len(was) != 1:
            return None
        first = was[0]
        had = self.functions(self.before, [first])
        path, definition = self.before.path_of(first), self.before.definition(first)
        file = self.after.file(path)
        if file is None or len(had) != 1:
            return None
        named = self.after.named(path, definition.qualified_name)
        there = [Target(file.index, each, first.via, True) for each in named]
        has = self.functions(self.after, [*there, *self.after.outcome(new, now).targets])
        if not has or len(has) > _MOST_OVERLOADS:
            return None
        types = [self.types(self.after, *each) for each in has]
        earlier = self.types(self.before, *had[0])
        if earlier is None or any(each is None or each == earlier for each in types):
            return None
        for each in self.literals(new, now):
            if _refused(each, earlier, rules) or not all(
                known is not None and _refuses(each, known, rules) for known in types
            ):
                continue
            declared = next((found for known in types if known and (found := _type_for(each, known))), "")
            if not declared:
                continue  # there are too many
            symbol = self.after.id_of(file.index, there[0].definition) if there else ""
            certain = rules.demands_members != "of objects" and not (there and self.calls.may_be_replaced(there[0]))
            detail = f"takes `{declared}` where {each.literal[:40]} is given"
            return Finding(new.path, now.line, now.column, certain, MISFIT, now.name, symbol, detail)
        return None

    def functions(self, side: Side, targets: Iterable[Target]) -> list[tuple[SourceFile, int]]:
        """What runs when these are called; nothing if that is not known of one."""
        found: dict[tuple[int, int], None] = {}
        for target in targets:
            kind = side.definition(target).kind
            if kind in CLASS_KINDS:
                made = self.calls.constructors(side, target)
                if not made:
                    return []
                found.update(dict.fromkeys(made))
            elif kind in _FUNCTIONS:
                found[target.file, target.definition] = None
            else:
                return []
        return [(side.program.files[file], index) for file, index in found]

    def types(self, side: Side, file: SourceFile, index: int) -> list[tuple[str, str]] | None:
        """Name and type of each parameter but the receiver; None if they cannot be told."""
        definition, rules = file.definitions[index], file.rules
        rows = file.facts.parameters.get(definition.scope, [])
        texts = parameter_texts(definition)
        if rows and definition.scope >= 0 and rows[0].name == file.scopes[definition.scope].receiver != "":
            texts = texts[1:] if len(texts) == len(rows) else texts
            rows = rows[1:]
        if len(rows) != len(texts):
            return None
        found: list[tuple[str, str]] = []
        for row, text in zip(rows, texts, strict=True):
            if row.kind in ("list", "map") or text.startswith(("*", "...")):
                found.append((_MORE, ""))
                break
            declared = text.partition(" ")[2] if rules.types_stand == "behind" else ""
            declared = declared or ("" if rules.types_stand == "behind" else self.type_of(text, rules.types_stand))
            found.append((row.name.removeprefix("$"), self.expanded(side, file, declared.strip())))
        if rules.types_stand == "behind":  # `a, b int`
            for at in range(len(found) - 2, -1, -1):
                if not found[at][1]:
                    found[at] = (found[at][0], found[at + 1][1])
        return found

    def type_of(self, text: str, where: str) -> str:
        return type_of_parameter(text, where == "in front")

    def expanded(self, side: Side, file: SourceFile, declared: str) -> str:
        """A type that has a name for a list of strings, as that list."""
        if not declared.isidentifier() or file.rules.types.in_strings:
            return declared
        paths = [file.path]
        for number, each in enumerate(file.facts.imports):
            if declared in each.names:
                paths += side.world.evaluator.modules.files(file, number) or ()
        for path in paths:
            for index in side.named(path, declared):
                here = side.file(path)
                if here is None or here.definitions[index].kind != "type":
                    continue
                if listed := strings_of(side.program.read(path), here.definitions[index]):
                    return listed
        return declared

    def literals(self, file: SourceFile, site: Site) -> Iterator[Argument]:
        """The arguments of a call that are plain literals."""
        text = self.calls.texts.of(self.after, file)
        begin = file.code[site.named + op.BYTE]
        if text[begin : begin + len(site.name)] != site.name:
            return
        start = _OPENING.match(text, begin + len(site.name))
        end = find_end(text, start.end() - 1) if start else -1
        if start is None or end < 0:
            return
        source = self.after.program.read(file.path)
        for position, (first, last) in enumerate(split_at_commas(text, start.end(), end)):
            named = _NAMED.match(text, first, last)
            at = named.end() if named else first
            literal = source[at:last].decode("latin-1").strip()
            if literal_of(literal, file.rules.has_characters):
                yield Argument(-1 if named else position, named[1] if named else "", literal)


def _type_for(argument: Argument, types: list[tuple[str, str]]) -> str:
    if argument.position >= 0:
        return types[argument.position][1] if argument.position < len(types) else ""
    return next((declared for name, declared in types if name == argument.name), "")


def _refuses(argument: Argument, types: list[tuple[str, str]], rules: Rules) -> bool:
    """The same, or that fewer are taken."""
    is_beyond = argument.position >= len(types) and rules.refuses_more_arguments and (_MORE, "") not in types
    return is_beyond or _refused(argument, types, rules)


def _refused(argument: Argument, types: list[tuple[str, str]], rules: Rules) -> bool:
    declared = _type_for(argument, types)
    return is_refused(argument.literal, declared, rules.literals_fit, rules.has_characters)
