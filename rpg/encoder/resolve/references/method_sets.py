"""Which types implement which interfaces, in languages where having the methods is enough (Go).

In: all files. Out: by symbol id, what a type inherits and what a method overrides by the rule `method-set`. A type
implements an interface if it has each of its methods, its own or promoted from embedded types, with an identical
signature. A generic interface is implemented if there are types that its parameters may stand for. Absent: interfaces
without methods, or with an embedded one that is generic or not known.

What is found is part of the survey, so that an edit that leaves methods as they were need not read all files. Whether
it does is decided by `survey_methods`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import CONSTRAINT, UNDERLYING
from rpg.encoder.resolve.program.program import Program, Survey
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.program.symbol_ids import symbol_ids
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import EXTERNAL, FILE, INST, KIND, OWN_NAME, PRIMITIVE, SYMBOL
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate import Evaluator

IMPLEMENTED: Final = "implemented"
"""Name in the survey: id of a type -> ids of interfaces; id of a method -> ids of methods of interfaces."""
ASKED: Final = "asked of implementers"
"""Name in the survey: the names of all methods of interfaces."""
_INTERFACE: Final = "interface"
_VARIABLE: Final = "variable "
_PARAMETER: Final = re.compile(r"variable (\d+);")
"""How shapes name a type parameter."""
_TYPES: Final = CLASS_KINDS - {_INTERFACE}
_MOST_COMPARED: Final = 100
"""Interfaces that one type is compared with: those all of whose methods it has, by their names."""
TOO_MANY_INTERFACES: Final = f"a type has the methods of more than {_MOST_COMPARED} interfaces"


class Required(NamedTuple):
    """A method that an interface requires."""

    place: str
    """The package that sees the name, if it is not exported."""
    shape: str
    id: str
    """Empty if the library declares it."""


class MethodSets:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program: Program = evaluator.program
        self.ids: dict[int, list[str]] = {}
        self.shapes: dict[Owner, str] = {}
        self.members: dict[int, dict[int, list[int]]] = {}

    @property
    def implemented(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = self.program.surveyed(IMPLEMENTED, self._make)
        return found

    def survey(self) -> None:
        """Computes what an edit may need."""
        if any(rules.method_sets.make_implementers for rules in self.program.all_rules()):
            assert self.implemented is not None

    def find_required_methods(self, interface: Owner) -> dict[str, Required]:
        """The methods that a type must have to implement an interface; empty if they are not all known."""
        return self._required(interface, set())

    def lacking(self, owner: Owner, required: Mapping[str, Required]) -> list[str]:
        """Those of them that a type has not, or has with another signature."""
        found: list[str] = []
        bound: dict[str, str] = {}
        self.evaluator.start()
        for name, asked in required.items():
            hit = self.evaluator.member_lookup.find(*owner, name)
            if hit is None or not any(self._fits(each, asked, bound) for each in hit.definitions):
                found.append(name)
        return found

    def is_seen_by(self, interface: Owner, owner: Owner) -> bool:
        """Whether a type may stand for an interface: one of tests is seen by its own package alone."""
        return not self._is_of_tests(interface) or bool(self._beside(interface, [owner]))

    def _make(self) -> dict[str, list[str]]:
        interfaces: dict[Owner, dict[str, Required]] = {}
        types: list[Owner] = []
        for path, language in sorted(self.program.languages.items()):
            file = self.program.file_at(path) if self.program.rules(language).method_sets.make_implementers else None
            if file is None:
                continue
            for index, definition in enumerate(file.definitions):
                if definition.parent != 0:
                    continue
                if definition.kind == _INTERFACE:
                    required = self._required((file.index, index), set())
                    if required:
                        interfaces[file.index, index] = required
                elif definition.kind in _TYPES and definition.scope >= 0:
                    types.append((file.index, index))
        self.program.survey[ASKED] = sorted({name for required in interfaces.values() for name in required})
        having: dict[str, set[Owner]] = {}
        for each in types:
            for name in self._names(each):
                having.setdefault(name, set()).add(each)
        found: dict[str, list[str]] = {}
        compared: dict[Owner, int] = {}
        for interface, required in interfaces.items():
            fewest = min((having.get(name, set()) for name in required), key=len)
            fitting = sorted(fewest.intersection(*(having.get(name, set()) for name in required)))
            for each in fitting if not self._is_of_tests(interface) else self._beside(interface, fitting):
                compared[each] = compared.get(each, 0) + 1
                if compared[each] <= _MOST_COMPARED:
                    self._compare(each, interface, required, found)
                else:
                    self.evaluator.limit(self.program.files[each[OWNER_FILE]], TOO_MANY_INTERFACES)
        self.ids.clear()
        self.shapes.clear()
        self.members.clear()
        return {id: sorted(set(targets)) for id, targets in found.items()}

    def _is_of_tests(self, owner: Owner) -> bool:
        return self.program.files[owner[OWNER_FILE]].in_test

    def _beside(self, interface: Owner, types: list[Owner]) -> list[Owner]:
        """The types of the same package: no other package sees an interface of its tests."""
        files = self.program.files
        place = self.program.package_of(files[interface[OWNER_FILE]])
        return [each for each in types if self.program.package_of(files[each[OWNER_FILE]]) == place]

    def _id(self, owner: Owner) -> str:
        file = owner[OWNER_FILE]
        known = self.ids.get(file)
        if known is None:
            known = self.ids[file] = symbol_ids(self.program.files[file])
        return known[owner[OWNER_SYMBOL]]

    def _required(self, owner: Owner, around: set[Owner]) -> dict[str, Required]:
        """The methods of an interface, with those of embedded ones; empty if they are not all known."""
        file = self.program.files[owner[OWNER_FILE]]
        index = owner[OWNER_SYMBOL]
        variables = file.facts.type_parameters.get(index, ())
        if owner in around or CONSTRAINT in file.definitions[index].flags or (around and variables):
            return {}
        around.add(owner)
        found: dict[str, Required] = {}
        place = self.program.package_of(file)
        for keyword, expression in file.facts.bases.get(index, ()):
            if keyword:
                return {}
            self.evaluator.start()
            values = self.evaluator.annotations.typed(file, expression)
            if len(values) != 1:
                return {}
            value = values[0]
            if value[KIND] == INST:
                inner = self._required((value[FILE], value[SYMBOL]), around)
            elif value[KIND] in (EXTERNAL, PRIMITIVE):
                signatures = file.rules.method_sets.interfaces.get(str(value[OWN_NAME]).removesuffix("()"), ())
                inner = {
                    each.partition("(")[0]: Required("", shape_of(self.program, file, each, ()), "")
                    for each in signatures
                }
            else:
                inner = {}
            if not inner:
                return {}
            found.update(inner)
        for member in self._members(file).get(index, ()):
            definition = file.definitions[member]
            if definition.kind == "method":
                shape = shape_of(self.program, file, definition.signature, variables)
                if not shape:
                    return {}
                found[definition.name] = Required(
                    "" if definition.exported else place, shape, self._id((file.index, member))
                )
        return found

    def _names(self, owner: Owner) -> Iterable[str]:
        """The names of all methods that a type may have."""
        entries: Iterable[Any] = (owner,)
        if self.program.files[owner[OWNER_FILE]].facts.bases.get(owner[OWNER_SYMBOL]):
            self.evaluator.start()
            entries = self.evaluator.classes.order(*owner).entries
        for entry in entries:
            file = self.program.files[entry[OWNER_FILE]]
            index = entry[OWNER_SYMBOL]
            place, name = self.program.package_of(file), file.definitions[index].qualified_name
            yield from self._owned.get((place, name), ())
            if file.definitions[index].kind == _INTERFACE:
                members = [file.definitions[member] for member in self._members(file).get(index, ())]
                yield from (each.name for each in members if each.kind == "method")

    def _members(self, file: SourceFile) -> dict[int, list[int]]:
        """The definitions directly in each definition of a file."""
        known = self.members.get(file.index)
        if known is None:
            known = self.members[file.index] = {}
            for index, definition in enumerate(file.definitions):
                known.setdefault(definition.parent, []).append(index)
        return known

    @property
    def _owned(self) -> dict[tuple[str, str], list[str]]:
        if not hasattr(self, "_known_owned"):
            self._known_owned: dict[tuple[str, str], list[str]] = {}
            for place, owner, name in self.program.owned:
                self._known_owned.setdefault((place, owner), []).append(name)
        return self._known_owned

    def _compare(
        self, owner: Owner, interface: Owner, required: dict[str, Required], found: dict[str, list[str]]
    ) -> None:
        """Adds what a type inherits and overrides if it implements an interface."""
        overriding: list[tuple[str, str]] = []
        self.evaluator.start()
        if any(entry[: OWNER_SYMBOL + 1] == interface for entry in self.evaluator.classes.order(*owner).entries):
            return  # it embeds it explicitly
        bound: dict[str, str] = {}
        for name, asked in required.items():
            hit = self.evaluator.member_lookup.find(*owner, name)
            fitting = [each for each in hit.definitions if self._fits(each, asked, bound)] if hit is not None else []
            if not fitting:
                return
            if asked.id:
                overriding += [(self._id(each), asked.id) for each in fitting if self.program.definition(*each).owner]
        found.setdefault(self._id(owner), []).append(self._id(interface))
        for method, overridden in overriding:
            found.setdefault(method, []).append(overridden)

    def _fits(self, method: Owner, asked: Required, bound: dict[str, str]) -> bool:
        file = self.program.files[method[OWNER_FILE]]
        definition = file.definitions[method[OWNER_SYMBOL]]
        if definition.kind != "method" or (asked.place and asked.place != self.program.package_of(file)):
            return False
        shape = self.shapes.get(method)
        if shape is None:
            variables = file.facts.type_parameters.get(method[OWNER_SYMBOL], ())
            shape = self.shapes[method] = shape_of(self.program, file, definition.signature, variables)
        return fits(asked.shape, shape, bound)


def shape_of(program: Program, file: SourceFile, signature: str, variables: Iterable[str]) -> str:
    return file.rules.method_shape(signature, partial(_full_name, program, file, tuple(variables)))


def fits(asked: str, shape: str, bound: dict[str, str]) -> bool:
    """Whether a method has the shape that an interface requires, with one type for each of its type parameters. What
    these stand for is added to `bound`."""
    if _VARIABLE not in asked:
        return shape == asked
    also = dict(bound)  # a method that does not fit binds nothing
    at = 0
    for position, part in enumerate(_PARAMETER.split(asked)):
        if position % 2 == 0:
            if not shape.startswith(part, at):
                return False
            at += len(part)
        else:
            end = _end_of_type(shape, at)
            if end == at or also.setdefault(part, shape[at:end]) != shape[at:end]:
                return False
            at = end
    if at != len(shape):
        return False
    bound.update(also)
    return True


def _end_of_type(shape: str, start: int) -> int:
    """Where a type ends: before the comma or bracket after it."""
    depth = 0
    for at in range(start, len(shape)):
        if shape[at] in "([{":
            depth += 1
        elif not depth and shape[at] in ",)]}":
            return at
        elif shape[at] in ")]}":
            depth -= 1
    return len(shape)


def _full_name(program: Program, file: SourceFile, variables: tuple[str, ...], module: str, name: str) -> str:
    """The name of a type with the folder of its package, or the path by which a library is imported. Type parameters
    are numbered, because each method may rename them."""
    if not module:
        return f"{_VARIABLE}{variables.index(name)};" if name in variables else f"{program.package_of(file)}:{name}"
    for row in file.rows(0, module):
        if row.value and file.code[row.value] == op.IMPORT:
            imported = file.facts.imports[file.code[row.value + op.STATEMENT]].module
            folders = file.rules.module(file.path, imported, 0)
            if folders:
                return f"{folders[0].removeprefix('./')}:{name}"
            return f"{imported}:{name}"
    return f"{module}:{name}"


def survey_methods(program: Program, file: SourceFile, asked: frozenset[str]) -> list[tuple[Any, ...]]:
    """What a file contributes: equal before and after an edit that changes neither interfaces nor what implements
    them. `program` and `asked`, the names of all methods of interfaces, are those before the edit."""
    facts = file.facts
    place = program.package_of(file)
    owners = {owner for each, owner, _ in program.owned if each == place}
    interfaces = {index for index, each in enumerate(file.definitions) if each.kind == _INTERFACE}
    found: list[tuple[Any, ...]] = []
    for index, definition in enumerate(file.definitions):
        kind, name = definition.kind, definition.qualified_name
        if kind == "method" and (definition.parent in interfaces or definition.name in asked):
            shape = shape_of(program, file, definition.signature, facts.type_parameters.get(index, ()))
            found.append((kind, name, definition.owner, shape))
        elif index in interfaces or (kind in _TYPES and (index in facts.bases or name in owners)):
            bases = [(keyword, _spell_embedded_type(file, each)) for keyword, each in facts.bases.get(index, ())]
            spelled = [each for each in bases if each[0] != UNDERLYING]
            found.append((kind, name, definition.flags, spelled, facts.type_parameters.get(index, ())))
    return found


def differing(before: Mapping[str, list[str]], now: Survey) -> set[str]:
    """The paths of the files whose types or methods have other edges now."""
    after: Mapping[str, list[str]] = now[IMPLEMENTED]
    ids = {id for id in (*before, *after) if before.get(id) != after.get(id)}
    return {id.partition("::")[0] for id in ids}


def _spell_embedded_type(file: SourceFile, e: int) -> str:
    """The name of an embedded type."""
    code = file.code
    if code[e] == op.SUBSCRIPT:
        return _spell_embedded_type(file, code[e + op.SUBSCRIPTED])
    if code[e] == op.ATTRIBUTE:
        return f"{_spell_embedded_type(file, code[e + op.HOLDER])}.{file.strings[code[e + op.MEMBER]]}"
    return file.strings[code[e + op.WORD]] if code[e] == op.NAME else ""
