"""What a name of a library denotes: the definitions in the library's own sources.

In: the facts of libraries, and names as values have them: the path by which code comes to something outside the
repository (`click.Group().command` is the member `command` of what calling `click.Group` gives). Out: definitions of
the libraries. Their files are a program of their own, so that nothing in a library influences what a name of the
repository means; it is evaluated by the same rules, but nobody passes it anything.

Invariant: a name is followed to its end or denotes nothing; what a step may leave open makes the result unsure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, NamedTuple

from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import BY_NAME, Rules
from rpg.encoder.resolve.assembly.identities import Identities
from rpg.encoder.resolve.evaluate import Evaluator, is_closed
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.values.mro import Owner
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    FILE,
    FUNC,
    INST,
    KIND,
    MODULE,
    MODULE_PATH,
    NONE,
    OBJECT_AT,
    SYMBOL,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS, FAN_OUT_LIMIT

IMPORTER: Final = "importer"
"""The path of the file that a library is imported from: any that is not in one."""
_PART: Final = re.compile(r"(?P<name>[^.()<>\[\]]+)(?P<calls>(?:\(\)|\(function\))*)(?:\.|$)")
"""A step of a name; what is not one, such as an element, is not followed."""
_HOLDERS: Final = frozenset({INST, CLASS, OBJECT_AT, FUNC})
_MOST_PARTS: Final = 12


class LibraryFiles(NamedTuple):
    """The files of all libraries that were read."""

    languages: Mapping[str, str]
    """Of those with facts, by path."""
    texts: Collection[str]
    """Paths of the others."""
    facts: Callable[[str], FileFacts]
    read: Callable[[str], bytes]
    roots: tuple[str, ...]
    """The folders of the graph in which libraries are, each with a `/` at its end."""


class Denoted(NamedTuple):
    """A definition of a library."""

    id: str
    kind: str
    is_callable: bool
    is_sure: bool
    """False: it is one of several, or what it is a member of may be something else."""


class LibraryNames:
    def __init__(self, files: LibraryFiles) -> None:
        self.program = Program(files.languages, files.facts, files.read, files.roots, texts=files.texts)
        self.evaluator = Evaluator(self.program)
        self.identities = Identities(self.program)
        self.known: dict[tuple[str, str, bool], tuple[Denoted, ...]] = {}
        self.known_members: dict[tuple[str, str, str], tuple[Denoted, ...]] = {}

    def end(self) -> None:
        self.evaluator.end()

    def denoted(self, language: str, name: str, call: bool) -> tuple[Denoted, ...]:
        """What a name denotes in a file of that language; `call`: what calling it runs."""
        key = (language, name, call)
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._denoted(language, name, call)
        return known

    def member(self, language: str, base: str, name: str) -> tuple[Denoted, ...]:
        """The member that a class of the repository has from a base of that name."""
        key = (language, base, name)
        known = self.known_members.get(key)
        if known is None:
            known = self.known_members[key] = self._member(language, base, name)
        return known

    def _member(self, language: str, base: str, name: str) -> tuple[Denoted, ...]:
        classes = [value for value in self.values(language, base) if value[KIND] == CLASS]
        instances = [(INST, *value[FILE : SYMBOL + 1], (), False) for value in classes]
        hits = [self.evaluator.member_hit(value, name) for value in instances]
        if not any(hits):
            hits = [self.evaluator.member_hit(value, name) for value in classes]
        found = [each for hit in hits if hit is not None for each in hit.definitions]
        return self.listed(found, len(classes) == 1)

    def _denoted(self, language: str, name: str, call: bool) -> tuple[Denoted, ...]:
        steps = self.begin(language, name)
        if steps is None:
            return ()
        values, parts = steps
        if not parts:
            return self.of_modules(values) if not call else self.listed(self.runs(values), True)
        *before, (last, calls) = parts
        if calls:
            return ()  # what a call gives is no symbol
        holders = self.follow(values, before)
        sure = True
        found: list[Owner] = []
        for value in union([each[UPPER_BOUND] if each[KIND] == VARIABLE else (each,) for each in holders]):
            of_value = self.members_of(value, last)
            sure = sure and (bool(of_value) or self.lacks(language, value, last))
            found += of_value
        if call and not any(self.is_callable(each) for each in found):
            run = self.runs(self.follow(holders, [(last, 0)]))
            found = run or found
        return self.listed(found, sure)

    def members_of(self, value: Value, name: str) -> list[Owner]:
        if value[KIND] == MODULE:
            named = self.evaluator.modules.targets(value[MODULE_PATH], name)
            return [(file, index) for kind, file, index in named if kind in ("definition", "module")]
        hit = self.evaluator.member_hit(value, name) if value[KIND] in _HOLDERS else None
        return list(hit.definitions) if hit is not None else []

    def lacks(self, language: str, value: Value, name: str) -> bool:
        """Whether a value is known to have no such member, so that another one is meant."""
        if value[KIND] in (INST, CLASS):
            order = self.evaluator.class_order(value[FILE], value[SYMBOL])
            return not (order.external or order.unknown)
        if value[KIND] == CALLABLE or value == NONE:
            return True
        rules = next(iter(self.rules(BY_NAME[language].family)), None)
        return rules is not None and is_closed(rules, value) and name not in rules.builtin_members

    def values(self, language: str, name: str) -> Values:
        """What a name stands for."""
        steps = self.begin(language, name)
        return self.follow(*steps) if steps is not None else ()

    def begin(self, language: str, name: str) -> tuple[Values, list[tuple[str, int]]] | None:
        """The modules that a name begins with, and the steps that are left; None if it is of no library here, or has a
        step that is not followed."""
        self.evaluator.start()
        at = 0
        while at >= 0:
            at = name.find(".", at + 1)
            module, rest = (name[:at], name[at + 1 :]) if at >= 0 else (name, "")
            calls = 0
            while module.endswith("()"):
                module, calls = module[:-2], calls + 1
            if "(" in module:
                return None
            places = self.places(language, module)
            if places:
                parts = parse_steps(rest)
                if parts is None:
                    return None
                values = tuple((MODULE, path) for path in places)
                if calls or not parts:
                    values = union([self.of_place(path) for path in places])
                for _ in range(calls):
                    values = union([self.evaluator.result(value, None, 0) for value in values])
                return values, parts
        return None

    def places(self, language: str, module: str) -> tuple[str, ...]:
        family = BY_NAME[language].family
        for rules in self.rules(family):
            found = rules.module(IMPORTER, module, 0)
            if found:
                return found
        return ()

    def rules(self, family: str) -> Iterable[Rules]:
        languages = sorted({each for each in self.program.languages.values() if BY_NAME[each].family == family})
        return [self.program.rules(language) for language in languages]

    def of_place(self, path: str) -> Values:
        """A module, or what it exports as a whole."""
        file = self.program.file_at(path)
        whole = file.facts.exports.get("names", {}).get("=") if file is not None else None
        value = self.evaluator.eval(file, whole) if file is not None and whole else ()
        return value or ((MODULE, path),)

    def follow(self, values: Values, parts: Iterable[tuple[str, int]]) -> Values:
        for name, calls in parts:
            values = union([self.evaluator.member_values(value, name) for value in values])
            for _ in range(calls):
                values = union([self.evaluator.result(value, None, 0) for value in values])
        return values

    def runs(self, values: Values) -> list[Owner]:
        return [value[FILE : SYMBOL + 1] for value in values if value[KIND] in (FUNC, CLASS)]

    def of_modules(self, values: Values) -> tuple[Denoted, ...]:
        numbers = [self.number_of(value) for value in values if value[KIND] == MODULE]
        return self.listed([(number, 0) for number in numbers if number >= 0], len(values) == 1)

    def number_of(self, module: Value) -> int:
        return self.program.number_of(module[MODULE_PATH])

    def is_callable(self, owner: Owner) -> bool:
        definition = self.program.definition(*owner)
        return definition.kind in CLASS_KINDS or definition.kind in ("function", "method")

    def listed(self, found: Iterable[Owner], is_sure: bool) -> tuple[Denoted, ...]:
        """Each symbol once; none of more than a reference may mean."""
        denoted: dict[str, Denoted] = {}
        for file, index in found:
            if index in self.identities.nameless(file):
                continue
            index = self.identities.parts(file).get(index, index)
            id, definition = self.identities.ids(file)[index], self.program.definition(file, index)
            denoted[id] = Denoted(id, definition.kind, self.is_callable((file, index)) and index > 0, is_sure)
        if len(denoted) > FAN_OUT_LIMIT:
            return ()
        if len(denoted) > 1:
            return tuple(each._replace(is_sure=False) for _, each in sorted(denoted.items()))
        return tuple(denoted.values())


def parse_steps(name: str) -> list[tuple[str, int]] | None:
    """The members that a name goes through, and how often each is called; None if there is another step."""
    steps: list[tuple[str, int]] = []
    at = 0
    while at < len(name):
        part = _PART.match(name, at)
        if part is None or len(steps) == _MOST_PARTS:
            return None
        steps.append((part["name"], part["calls"].count("(")))
        at = part.end()
    return steps
