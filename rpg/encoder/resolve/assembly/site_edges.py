"""Edges of a file: of its sites, its imports, and what frameworks mention.

In: the outcomes of one file. Out: its edges, the places without an edge, and how many references are certain, possible,
external, unresolved and ambiguous.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ANNOTATION,
    BASE,
    CALLED,
    CALLED_BY_NAME,
    CREATED,
    DECORATOR,
    DELETED,
    DOCUMENTED,
    HANDLED,
    KEY,
    MAKER,
    RAISED,
    READ,
    ROLE,
    SITE_WORDS,
    UPDATED,
    WRITE,
    Lines,
    strip_marks,
)
from rpg.encoder.resolve.assembly.compiler_targets import CompilerTargets
from rpg.encoder.resolve.assembly.identities import Identities
from rpg.encoder.resolve.assembly.library_targets import LibraryTargets
from rpg.encoder.resolve.program.arguments_taken import count_arguments
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.example_projects import may_use
from rpg.encoder.resolve.references.imports import Imports
from rpg.encoder.resolve.references.method_sets import MethodSets
from rpg.encoder.resolve.references.outcomes import Outcome
from rpg.encoder.resolve.resolved_sites import Resolution
from rpg.encoder.scip import Compiled
from rpg.graph import CLASS_KINDS, PLAIN_ROLES, POSSIBLE_VIAS, VIAS, Edge, Place

_CALL_LETTERS: Final = {RAISED: "t", DECORATOR: "@", CREATED: "n"}
_REFERENCE_LETTERS: Final = {
    WRITE: "w", UPDATED: "w", ANNOTATION: "a", DELETED: "d", RAISED: "t", HANDLED: "x", DECORATOR: "@", CREATED: "n",
    KEY: "w",
}  # fmt: skip
"""The letters of `rpg.graph.ROLES` by a site's role, where that is not the plain one of the edge's kind."""
_NAMED: Final = frozenset({op.NAME, op.ATTRIBUTE, op.PATH, op.CALL})
"""Operations that a role is about; others run methods, which are neither read nor written."""
_COUNTED: Final = {"external": 2, "unresolved": 3, "ambiguous": 4}


_Key = tuple[int, int, int, str, str]
"""What the sites of one edge share: definition, file and index of the target, kind, via."""
_Places = dict[_Key, list[tuple[int, int]]]
"""Line and column of the sites."""
_Letters = dict[_Key, dict[tuple[int, int], str]]
"""What is done at each site, where that is not the plain role."""


class SiteEdges:
    def __init__(
        self,
        found: Resolution,
        identities: Identities,
        certain: Callable[[str, str], bool],
        compiled: Compiled,
        libraries: LibraryTargets | None = None,
    ) -> None:
        self.program = found.evaluator.program
        self.outcomes = found.outcomes
        self.mentions = found.mentions
        self.names = found.guesses.names
        """Every name that some symbol has."""
        self.identities = identities
        self.certain = certain
        self.imports = Imports(found.evaluator)
        self.method_sets = MethodSets(found.evaluator)
        self.compiler = CompilerTargets(found.evaluator, identities, compiled)
        self.libraries = libraries
        self.places: list[Place] = []
        """The places without an edge, of all files so far."""
        self.folders: dict[str, int] = {}
        self.folder_names: list[str] = []
        """Ids of folders and of symbols of libraries."""
        self.known_certain: dict[str, frozenset[str]] = {}

    def implemented(self, file: SourceFile) -> dict[str, list[str]]:
        """What types inherit and methods override by having the methods of an interface, by symbol id."""
        return self.method_sets.implemented if file.rules.method_sets.make_implementers else {}

    def of(self, file: SourceFile, lines: Lines, counts: list[int]) -> list[Edge]:
        """The edges of one file, sorted by definition and place. Adds to `counts` and `places`."""
        certain = self.certain_vias(file.facts.language)
        found: _Places = {}
        letters: _Letters = {}
        self.add_sites(file, lines, certain, counts, found, letters)
        self.add_mentions(file, lines, certain, counts, found)
        self.places += self.imports.list_without_edge(file)
        return self.edges(file, lines, certain, found, letters)

    def add_sites(
        self,
        file: SourceFile,
        lines: Lines,
        certain: frozenset[str],
        counts: list[int],
        found: _Places,
        lettered: _Letters,
    ) -> None:
        """What the file's sites refer to."""
        facts = file.facts
        ids = self.identities.ids(file.index)
        sites, code = facts.sites, file.code
        decorating = frozenset(each for decorators in facts.decorators.values() for each in decorators)
        unnamed, wholes = self.identities.nameless(file.index), self.identities.parts(file.index)
        held = find_documented_holders(file)
        said = self.compiler.uses(file)
        for at, outcome in enumerate(self.outcomes[file.index]):
            expression = sites[SITE_WORDS * at]
            role, definition = sites[SITE_WORDS * at + ROLE], sites[SITE_WORDS * at + MAKER]
            if said is not None:
                outcome = self.compiler.outcome(file, expression, role, lines, said, outcome, certain)
            targets = outcome.targets
            if not targets and not outcome.reason:
                continue
            if role == DOCUMENTED and not self.is_documented(file, outcome, definition, certain, expression in held):
                continue
            if definition in unnamed:
                # It inherits nothing itself: its bases are mentioned there.
                definition, role = unnamed[definition], READ if role == BASE else role
            definition = wholes.get(definition, definition)
            if targets:
                place = lines.place(code[expression + op.BYTE])
                possible = False
                use = role if role != CALLED else DECORATOR if expression in decorating else _use(sites, at)
                has_letter = use in _REFERENCE_LETTERS and code[expression] in _NAMED
                for other, index, via, call in targets:
                    kind = self.kind_of(file, expression, role, call, other, index)
                    if not kind or index in self.identities.nameless(other):
                        continue
                    index = self.identities.parts(other).get(index, index)
                    key = (definition, other, index, kind, via)
                    found.setdefault(key, []).append(place)
                    if has_letter:
                        letter = self.letter(use, kind, other, index)
                        if letter:
                            lettered.setdefault(key, {})[place] = letter
                    possible = possible or via not in certain
                if outcome.misfit:
                    counts[_COUNTED[outcome.reason]] += 1
                    self.miss(file, expression, role, ids[definition], outcome.reason, lines)
                elif role != DOCUMENTED or file.is_text:
                    counts[1 if possible else 0] += 1
            else:
                counts[_COUNTED[outcome.reason]] += 1
                if outcome.reason != "external" and not outcome.misfit:
                    self.miss(file, expression, role, ids[definition], outcome.reason, lines)
                elif self.libraries is not None and outcome.reason == "external":
                    use = role if role != CALLED else DECORATOR if expression in decorating else _use(sites, at)
                    self.add_of_libraries(file, expression, (role, use), definition, lines, found, lettered)

    def add_of_libraries(
        self,
        file: SourceFile,
        expression: int,
        roles: tuple[int, int],
        definition: int,
        lines: Lines,
        found: _Places,
        lettered: _Letters,
    ) -> None:
        """What a reference that leads outside refers to in the libraries that were read. `roles`: its own, and what is
        done with it."""
        assert self.libraries is not None
        role, use = roles
        place = lines.place(file.code[expression + op.BYTE])
        for target in self.libraries.of(file, expression, role):
            key = (definition, -1, self.folder(target.id), target.kind, target.via)
            found.setdefault(key, []).append(place)
            letters = _REFERENCE_LETTERS if target.kind == "references" else _CALL_LETTERS
            is_made = use == CREATED and target.symbol_kind in CLASS_KINDS
            if use in letters and target.kind in PLAIN_ROLES and not (is_made and target.kind == "calls"):
                lettered.setdefault(key, {})[place] = letters[use]

    def add_mentions(
        self, file: SourceFile, lines: Lines, certain: frozenset[str], counts: list[int], found: _Places
    ) -> None:
        """What frameworks and imports name without a site."""
        unnamed, wholes = self.identities.nameless(file.index), self.identities.parts(file.index)
        for maker, (other, index), at in self.mentions.get(file.index, ()):
            maker = unnamed.get(maker, maker)
            whole = self.identities.parts(other).get(index, index)
            mention = (wholes.get(maker, maker), other, whole, "references", "framework")
            found.setdefault(mention, []).append(lines.place(at))
            counts[0 if "framework" in certain else 1] += 1
        for files, byte in self.imports.of(file):
            for path in files:
                number = self.program.number_of(path)
                module = self.folder(path) if number < 0 else 0
                found.setdefault((0, number, module, "imports", "syntax"), []).append(lines.place(byte))
        for maker, path, byte in self.imports.named(file):
            number = self.program.number_of(path)
            whole = self.folder(path) if number < 0 else 0
            kind = "documents" if file.is_text else "references"
            found.setdefault((maker, number, whole, kind, "syntax"), []).append(lines.place(byte))
            counts[0] += 1

    def edges(
        self, file: SourceFile, lines: Lines, certain: frozenset[str], found: _Places, lettered: _Letters
    ) -> list[Edge]:
        ids, in_test = self.identities.ids(file.index), file.in_test
        rows = []
        for key, places in found.items():
            definition, other_index, target_index, kind, via = key
            source = ids[definition]
            target = (
                self.identities.ids(other_index)[target_index] if other_index >= 0 else self.folder_names[target_index]
            )
            sites_of = tuple(sorted(set(places)) if len(places) > 1 else places)
            letters = lettered.get(key)
            roles = ""
            if letters is not None:
                plain = PLAIN_ROLES[kind]
                roles = "".join([letters.get(place, plain) for place in sites_of])
            edge = Edge(source, target, kind, via, sites_of, roles)
            rows.append((definition, sites_of, kind, target, via, edge))
            if (
                kind == "calls" and other_index >= 0
                and (in_test or definition in self.identities.find_titled_tests(file.index))
                and file.rules.is_test_function(file.definitions[definition])
                and not self.program.files[other_index].in_test
                and target_index not in self.identities.find_titled_tests(other_index)
                and via in certain
            ):  # fmt: skip
                tested = Edge(source, target, "tests", via, sites_of)
                rows.append((definition, sites_of, "tests", target, via, tested))
        for index, interfaces in self.inheriting(file).items():
            sites_of = (lines.place(file.definitions[index].name_byte),)
            for target in interfaces:
                edge = Edge(ids[index], target, "inherits", "method-set", sites_of)
                rows.append((index, sites_of, "inherits", target, "method-set", edge))
        rows.sort()
        return [row[5] for row in rows]

    def is_documented(
        self, file: SourceFile, outcome: Outcome, definition: int, certain: frozenset[str], is_holder: bool
    ) -> bool:
        """Whether a document certainly names something: not itself, not a module of which it names a member, tests only
        if it is one, and only its own example."""
        if not outcome.targets or outcome.reason:
            return False
        return all(
            target.via in certain
            and target.via != "value"  # a reader of the text does not see what code passes
            and (target.file, target.definition) != (file.index, definition)
            and (target.definition or not is_holder)
            and (file.in_test or not self.program.files[target.file].in_test)
            and may_use(file, self.program.files[target.file].path)
            for target in outcome.targets
        )

    def inheriting(self, file: SourceFile) -> dict[int, list[str]]:
        """The types that implement interfaces by having their methods."""
        implemented = self.implemented(file)
        if not implemented:
            return {}
        ids = self.identities.ids(file.index)
        return {
            index: implemented[ids[index]]
            for index, definition in enumerate(file.definitions)
            if definition.kind in CLASS_KINDS and ids[index] in implemented
        }

    def certain_vias(self, language: str) -> frozenset[str]:
        """The rules whose edges count as certain."""
        if language not in self.known_certain:
            vias = (via for via in VIAS if via not in POSSIBLE_VIAS and self.certain(language, via))
            self.known_certain[language] = frozenset(vias)
        return self.known_certain[language]

    def folder(self, path: str) -> int:
        """A number for a folder that is imported as a whole."""
        number = self.folders.setdefault(path, len(self.folder_names))
        if number == len(self.folder_names):
            self.folder_names.append(path)
        return number

    def kind_of(self, file: SourceFile, expression: int, role: int, call: bool, other: int, index: int) -> str:
        """The kind of edge of a site; empty if it has none."""
        if role == BASE:
            is_class = self.program.definition(other, index).kind in CLASS_KINDS
            return "inherits" if is_class else "references"
        if file.is_text or role == DOCUMENTED:
            return "documents"
        if call and (
            role in (CALLED, DECORATOR, RAISED) or file.code[expression] == op.ELEMENT or expression in file.run
        ):
            return "calls"
        if call and role == READ and not CALLED_BY_NAME.isdisjoint(self.program.definition(other, index).flags):
            return "calls"
        if index == 0:
            return "" if role == CALLED else "references"
        return "references"

    def letter(self, use: int, kind: str, other: int, index: int) -> str:
        """The letter for the role of a site; empty if it is the plain one."""
        if kind == "references":
            return _REFERENCE_LETTERS[use]
        if kind != "calls" or use not in _CALL_LETTERS:
            return ""
        if use == CREATED and self.program.definition(other, index).kind in CLASS_KINDS:
            return ""
        return _CALL_LETTERS[use]

    def miss(self, file: SourceFile, expression: int, role: int, source: str, reason: str, lines: Lines) -> None:
        """Records an unresolved place whose name some symbol has."""
        code = file.code
        named = code[expression + op.CALLEE] if code[expression] == op.CALL else expression
        bare = code[named] == op.NAME
        if not bare and code[named] not in (op.ATTRIBUTE, op.PATH):
            return
        name = strip_marks(file.strings[op.find_name_word(code, named)])
        if name in self.names:
            line, column = lines.place(code[expression + op.BYTE])
            is_call = role in (CALLED, DECORATOR)
            count = count_arguments(file, expression) if role == CALLED and code[expression] == op.CALL else -1
            self.places.append(Place(source, name, line, column, reason, is_call, bare, count))


def find_documented_holders(file: SourceFile) -> set[int]:
    """The expressions whose members a text names."""
    sites, code = file.facts.sites, file.code
    if DOCUMENTED not in sites[ROLE::SITE_WORDS]:
        return set()
    return {
        code[sites[at] + op.HOLDER]
        for at in range(0, len(sites), SITE_WORDS)
        if sites[at + ROLE] == DOCUMENTED and code[sites[at]] == op.ATTRIBUTE
    }


def _use(sites: array[int], at: int) -> int:
    """What is done with a call: the role of the last site after its own."""
    expression = sites[SITE_WORDS * at]
    use = CALLED
    for behind in range(SITE_WORDS * (at + 1), len(sites), SITE_WORDS):
        if sites[behind] != expression:
            break
        use = sites[behind + ROLE]
    return use
