"""Resolution starts and ends here: from the facts of all files to symbols, edges and unresolved places.

`resolve` resolves everything, `update` only what a few edits affect. What a reference refers to is decided in
references/; here its outcomes and the structure of files become the graph.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from rpg.encoder.facts import (
    ANNOTATION,
    BASE,
    CALLED,
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
    SUITE,
    TEST,
    UPDATED,
    WRITE,
    Definition,
    FileFacts,
    Lines,
)
from rpg.encoder.languages import BY_NAME, folders_of
from rpg.encoder.operations import ATTRIBUTE, BYTE, CALL, CALLEE, ELEMENT, HOLDER, NAME, PATH, named_word
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.frameworks import Frameworks, Mention, in_use
from rpg.encoder.resolve.incremental.affected_resolution import IncrementalResolution
from rpg.encoder.resolve.incremental.saved_state import Kept, keep
from rpg.encoder.resolve.program.program import ANYWHERE, Program
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.program.symbol_ids import nameless, parts, symbol_ids
from rpg.encoder.resolve.references.imports import Imports
from rpg.encoder.resolve.references.method_sets import MethodSets
from rpg.encoder.resolve.references.name_fallback import NameFallback
from rpg.encoder.resolve.references.outcomes import Outcome
from rpg.encoder.resolve.references.rounds import Flow
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.symbol_ids import local_ids
from rpg.graph import CLASS_KINDS, PLAIN_ROLES, POSSIBLE_VIAS, VIAS, Edge, Place, Symbol

_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_DOC_LIMIT: Final = 600
"""The most code points of a doc comment's first paragraph."""
_CALL_LETTERS: Final = {RAISED: "t", DECORATOR: "@", CREATED: "n"}
_REFERENCE_LETTERS: Final = {
    WRITE: "w", UPDATED: "w", ANNOTATION: "a", DELETED: "d", RAISED: "t", HANDLED: "x", DECORATOR: "@", CREATED: "n",
    KEY: "w",
}  # fmt: skip
"""The letters of `rpg.graph.ROLES` by a site's role, where that is not the plain one of the edge's kind."""
_NAMED: Final = frozenset({NAME, ATTRIBUTE, PATH, CALL})
"""Operations that a role is about; others run methods, which are neither read nor written."""
_COUNTED: Final = {"external": 2, "unresolved": 3, "ambiguous": 4}


_Key = tuple[int, int, int, str, str]
"""What the sites of one edge have in common: definition, file and index of the target, kind, via."""


class Resolved(NamedTuple):
    symbols: list[Symbol]
    edges: list[Edge]
    places: list[Place]
    counts: dict[str, list[int]]
    """By language: references that are certain, possible, external, unresolved, ambiguous."""
    kept: Kept | None
    """Saved for the next edit."""


SHARE_COMPLETED: Final = 0.77
SHARE_ASSEMBLED: Final = 0.97
"""Shares of the time of resolution, as measured on Django; rounds.py has those before."""


def resolve(
    files: Iterable[FileFacts],
    texts: Iterable[FileFacts],
    read: Callable[[str], bytes],
    certain: Callable[[str, str], bool],
    roots: tuple[str, ...] = (),
    report: Callable[[float], None] | None = None,
) -> Resolved:
    """The graph's parts, sorted by (path, position). `report` hears which share of the work is done.

    `texts` are files that refer to nothing; `certain(language, via)` says whether edges of a rule count as
    certain.
    """
    plain_texts = {each.path: each for each in texts}
    flow, frameworks = flowed(files, read, roots, report, plain_texts)
    flow.end()
    found = completed(flow, frameworks, flow.files)
    if report is not None:
        report(SHARE_COMPLETED)
    resolved = _Assembly(found, certain).all(plain_texts)
    if report is not None:
        report(SHARE_ASSEMBLED)
    found.survey_all()
    resolved = resolved._replace(kept=keep(found.evaluator.program, found.flow))
    found.evaluator.end()
    if report is not None:
        report(1.0)
    return resolved


class Resolution(NamedTuple):
    """The outcome of every site, and the evaluator that can explain it."""

    evaluator: Evaluator
    flow: Flow
    frameworks: Frameworks | None
    outcomes: dict[int, list[Outcome]]
    """By file, in the order of its sites."""
    mentions: dict[int, list[Mention]]
    """By file: edges without a site."""
    guesses: NameFallback

    def survey_all(self) -> None:
        """Computes every survey that an edit may need, so that it is saved."""
        classes, program = self.evaluator.classes, self.evaluator.program
        for each in (classes.augmentations, classes.subclasses, self.guesses.by_name, self.guesses.names):
            assert each is not None
        assert program.owned is not None
        MethodSets(self.evaluator).survey()
        if self.frameworks is not None:
            self.frameworks.survey()


def resolution(files: Iterable[FileFacts], read: Callable[[str], bytes], roots: tuple[str, ...] = ()) -> Resolution:
    flow, frameworks = flowed(files, read, roots)
    return completed(flow, frameworks, flow.files)


def flowed(
    files: Iterable[FileFacts],
    read: Callable[[str], bytes],
    roots: tuple[str, ...],
    report: Callable[[float], None] | None = None,
    texts: Collection[str] = (),
) -> tuple[Flow, Frameworks | None]:
    """A flow that has finished all rounds, and the frameworks that the program uses. `texts`: the files that refer to
    nothing."""
    facts = {each.path: each for each in files}
    program = Program({path: each.language for path, each in facts.items()}, facts.pop, read, roots, texts=texts)
    evaluator = Evaluator(program)
    evaluator.frameworks = frameworks = in_use(evaluator)
    flow = Flow(evaluator)
    flow.run(report)
    return flow, frameworks


def completed(flow: Flow, frameworks: Frameworks | None, files: Iterable[SourceFile]) -> Resolution:
    """Adds what frameworks and guesses by name contribute to a finished flow."""
    evaluator, outcomes = flow.evaluator, flow.outcomes
    guesses = NameFallback(evaluator)
    mentions: dict[int, list[Mention]] = {}
    for file in files:
        if frameworks is not None:
            mentions[file.index] = frameworks.complete(file, outcomes[file.index])
        guesses.guess(file, outcomes[file.index])
    return Resolution(evaluator, flow, frameworks, outcomes, mentions, guesses)


def resolve_affected(
    edits: IncrementalResolution, certain: Callable[[str, str], bool]
) -> tuple[Resolved, dict[str, list[int]]]:
    """The part of the graph that belongs to the affected files, and the previous counts of the text files among them.
    Raises NotIncremental and MoreAffected."""
    edits.resolve()
    files = [edits.program.files[index] for index in sorted(edits.moves)]
    found = completed(edits.new.flow, edits.new.frameworks, files)
    if edits.program.moves:
        found.survey_all()
    assembly = _Assembly(found, certain)
    for file in files:
        assembly.file(file)
    # A text file's symbol does not record how many references the file contains.
    texts = [
        file for index in sorted(edits.moves) if BY_NAME[(file := edits.before.files[index]).facts.language].is_text
    ]
    before = _Assembly(completed(edits.old.flow, edits.old.frameworks, texts), certain)
    for file in texts:
        before.file(file)
    return Resolved(assembly.symbols, assembly.edges, assembly.places, assembly.counts, None), before.counts


class _Assembly:
    def __init__(self, found: Resolution, certain: Callable[[str, str], bool]) -> None:
        self.evaluator = found.evaluator
        self.program = found.evaluator.program
        self.outcomes = found.outcomes
        self.mentions = found.mentions
        self.names = found.guesses.names
        """Every name that some symbol has."""
        self.certain = certain
        self.imports = Imports(found.evaluator)
        self.method_sets = MethodSets(found.evaluator)
        self.homes: dict[str, dict[str, tuple[int, int]]] = {}
        """Place (`Program.package_of`) -> the types and functions defined there, by qualified name."""
        self.known_ids: dict[int, list[str]] = {}
        self.known_nameless: dict[int, dict[int, int]] = {}
        self.known_parts: dict[int, dict[int, int]] = {}
        self.known_titled: dict[int, set[int]] = {}
        self.symbols: list[Symbol] = []
        self.edges: list[Edge] = []
        self.places: list[Place] = []
        self.counts: dict[str, list[int]] = {}
        self.folders: dict[str, int] = {}
        self.folder_names: list[str] = []
        self.known_certain: dict[str, frozenset[str]] = {}

    def ids(self, file: int) -> list[str]:
        """Symbol ids by definition."""
        known = self.known_ids.get(file)
        if known is None:
            known = self.known_ids[file] = symbol_ids(self.program.files[file])
        return known

    def nameless(self, file: int) -> dict[int, int]:
        """Classes that are not symbols -> the enclosing named symbol."""
        known = self.known_nameless.get(file)
        if known is None:
            known = self.known_nameless[file] = nameless(self.program.files[file])
        return known

    def parts(self, file: int) -> dict[int, int]:
        """Definitions that are part of the symbol of another one -> that one."""
        known = self.known_parts.get(file)
        if known is None:
            known = self.known_parts[file] = parts(self.program.files[file])
        return known

    def titled(self, file: int) -> set[int]:
        """In a file that is no test file: tests that have titles, groups of them, and what they contain."""
        known = self.known_titled.get(file)
        if known is None:
            known = self.known_titled[file] = set()
            here = self.program.files[file]
            if not here.in_test:
                for index, definition in enumerate(here.definitions):
                    if definition.parent in known or TEST in definition.flags or SUITE in definition.flags:
                        known.add(index)
        return known

    def all(self, texts: dict[str, FileFacts]) -> Resolved:
        paths = sorted([*self.program.paths(), *texts])
        folders = sorted(f"{folder}/" if folder else "./" for folder in folders_of(paths))
        by_folder: dict[str, list[str]] = {}
        for path in paths:
            by_folder.setdefault(path[: path.rfind("/") + 1] or "./", []).append(path)
        for folder in folders:
            if folder != "./":
                by_folder.setdefault(folder[: folder[:-1].rfind("/") + 1] or "./", []).append(folder)
        for path in sorted([*folders, *paths]):
            if path.endswith("/"):
                name = path.rstrip("/").rsplit("/", 1)[-1]
                self.symbols.append(Symbol(path, "directory", name, path, path))
                self.edges += [Edge(path, child, "contains", "syntax") for child in sorted(by_folder.get(path, ()))]
                continue
            text = texts.get(path)
            if text is None:
                self.file(self.program.files[self.program.number_of(path)])
            else:
                symbols, edges = parts_of_text(text)
                self.symbols += symbols
                self.edges += edges
        return Resolved(self.symbols, self.edges, self.places, self.counts, None)

    def file(self, file: SourceFile) -> None:
        counts = [0, 0, 0, 0, 0]
        start = len(self.edges)
        lines = Lines(file.facts)
        self.references(file, lines, counts)
        references = self.edges[start:]
        del self.edges[start:]
        ids = self.ids(file.index)
        test, titled = file.in_test, self.titled(file.index)
        kinds = BY_NAME[file.facts.language]
        by_source: dict[str, list[Edge]] = {}
        for edge in references:
            by_source.setdefault(edge.source, []).append(edge)
        children: dict[int, list[str]] = {}
        unnamed, wholes = self.nameless(file.index), self.parts(file.index)
        for index, definition in enumerate(file.definitions):
            if index and index not in unnamed and index not in wholes:
                if definition.owner and self.home(self.program.package_of(file), definition.owner) is not None:
                    continue
                parent = unnamed.get(definition.parent, definition.parent)
                parent = wholes.get(parent, parent)
                children.setdefault(parent, []).append(ids[index])
        owned = self.owned(file)
        implemented = self.implemented(file)
        for index, definition in enumerate(file.definitions):
            if index in unnamed or index in wholes:
                continue
            is_file = kinds.is_text and not index
            said = None if index or is_file else (counts[0], counts[1], counts[2], counts[3], counts[4])
            symbol = _symbol(file.facts, definition, ids[index], lines, is_file, test or index in titled, said)
            self.symbols.append(symbol)
            here = ids[index]
            inside = [*children.get(index, ()), *owned.get(index, ())]
            self.edges += [Edge(here, child, "contains", "syntax") for child in inside]
            self.edges += by_source.get(here, ())
            self.overrides(file, index)
            if implemented and definition.kind == "method":
                self.edges += [Edge(here, each, "overrides", "method-set") for each in implemented.get(here, ())]
        total = self.counts.setdefault(file.facts.language, [0, 0, 0, 0, 0])
        for position, count in enumerate(counts):
            total[position] += count

    def implemented(self, file: SourceFile) -> dict[str, list[str]]:
        """What types inherit and methods override by having the methods of an interface, by symbol id."""
        return self.method_sets.implemented if file.rules.methods_make_implementers else {}

    def owned(self, file: SourceFile) -> dict[int, list[str]]:
        """Members of this file's types that are defined outside them, including those in other files."""
        if not self.program.owned:
            return {}
        place = self.program.package_of(file)
        found: dict[int, list[str]] = {}
        for index, definition in enumerate(file.definitions):
            members = self.owned_by.get((place, definition.qualified_name))
            if members and self.home(place, definition.qualified_name) == (file.index, index):
                whole = self.parts(file.index).get(index, index)
                found[whole] = [self.ids(of)[member] for of, member in members if member not in self.parts(of)]
        return found

    def home(self, place: str, name: str) -> tuple[int, int] | None:
        """The type that contains members defined outside it; None if the repository does not define it, as for
        additions to the prototype of a builtin: these stay where they are written."""
        homes = self.homes.get(place)
        if homes is None:
            homes = self.homes[place] = {}
            if place == ANYWHERE:
                for each in self.program.files:
                    if each.rules.owners_anywhere:
                        for index, definition in enumerate(each.definitions):
                            if definition.kind in CLASS_KINDS:
                                homes.setdefault(definition.qualified_name, (each.index, index))
                return homes.get(name)
            file = self.program.file_at(place)
            for each in [file] if file is not None else self.program.files_in(place):
                for index, definition in enumerate(each.definitions):
                    if definition.kind in CLASS_KINDS or definition.kind == "function":
                        homes.setdefault(definition.qualified_name, (each.index, index))
        return homes.get(name)

    @property
    def owned_by(self) -> dict[tuple[str, str], list[tuple[int, int]]]:
        if not hasattr(self, "_owned_by"):
            self._owned_by: dict[tuple[str, str], list[tuple[int, int]]] = {}
            for (place, owner, _), members in self.program.owned.items():
                self._owned_by.setdefault((place, owner), []).extend(members)
            for members in self._owned_by.values():
                members.sort()
        return self._owned_by

    def overrides(self, file: SourceFile, index: int) -> None:
        definition = file.definitions[index]
        if definition.kind not in ("method", "property") or "setter" in definition.flags:
            return
        if definition.name == file.rules.constructor:
            return
        found = self.evaluator.receivers.of_member(file, index)
        if found is None:
            return
        owner = found
        classes = self.evaluator.classes
        hits = [classes.find(*owner, definition.name, owner)]
        hits += [
            classes.find(*each, definition.name)
            for each in classes.contracts(self.program.files[owner[OWNER_FILE]], owner[OWNER_SYMBOL])
        ]
        overridden_by_it = dict.fromkeys(each for hit in hits if hit is not None for each in hit.definitions)
        for other, part in overridden_by_it:
            if file.rules.has_overloads and not self.evaluator.overloads.have_one_name(
                (file.index, index), (other, part)
            ):
                continue
            overridden = self.parts(other).get(part, part)
            if (other, overridden) != (file.index, index) and self.program.definition(other, overridden).kind in (
                "method", "property",
            ):  # fmt: skip
                source, target = self.ids(file.index)[index], self.ids(other)[overridden]
                self.edges.append(Edge(source, target, "overrides", "inherited"))

    # References

    def references(self, file: SourceFile, lines: Lines, counts: list[int]) -> None:
        """Edges of one file's sites and imports, and the places that became no edge."""
        facts = file.facts
        certain = self.certain_vias(facts.language)
        ids = self.ids(file.index)
        found: dict[_Key, list[tuple[int, int]]] = {}
        lettered: dict[_Key, dict[tuple[int, int], str]] = {}
        sites, code = facts.sites, file.code
        decorating = frozenset(each for decorators in facts.decorators.values() for each in decorators)
        unnamed, wholes = self.nameless(file.index), self.parts(file.index)
        held = held_in_documents(file)
        for at, outcome in enumerate(self.outcomes[file.index]):
            targets = outcome.targets
            if not targets and not outcome.reason:
                continue
            expression = sites[SITE_WORDS * at]
            role, definition = sites[SITE_WORDS * at + ROLE], sites[SITE_WORDS * at + MAKER]
            if role == DOCUMENTED and not self.is_documented(file, outcome, definition, certain, expression in held):
                continue
            if definition in unnamed:
                # It inherits nothing itself: its bases are mentioned there.
                definition, role = unnamed[definition], READ if role == BASE else role
            definition = wholes.get(definition, definition)
            if targets:
                place = lines.place(code[expression + BYTE])
                possible = False
                use = role if role != CALLED else DECORATOR if expression in decorating else _use(sites, at)
                has_letter = use in _REFERENCE_LETTERS and code[expression] in _NAMED
                for other, index, via, call in targets:
                    kind = self.kind_of(file, expression, role, call, other, index)
                    if not kind or index in self.nameless(other):
                        continue
                    index = self.parts(other).get(index, index)
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
        for maker, (other, index), at in self.mentions.get(file.index, ()):
            maker = unnamed.get(maker, maker)
            whole = self.parts(other).get(index, index)
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
        self.places += self.imports.without_edge(file)
        in_test = file.in_test
        rows = []
        for key, places in found.items():
            definition, other_index, target_index, kind, via = key
            source = ids[definition]
            target = self.ids(other_index)[target_index] if other_index >= 0 else self.folder_names[target_index]
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
                and (in_test or definition in self.titled(file.index))
                and file.rules.is_test_function(file.definitions[definition])
                and not self.program.files[other_index].in_test
                and target_index not in self.titled(other_index)
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
        self.edges += [row[5] for row in rows]

    def is_documented(
        self, file: SourceFile, outcome: Outcome, definition: int, certain: frozenset[str], is_holder: bool
    ) -> bool:
        """Whether a text names something certainly: not itself, no module of which it names a member, and tests only if
        it is one."""
        if not outcome.targets or outcome.reason:
            return False
        return all(
            target.via in certain
            and target.via != "value"  # what code passes, no reader of the text sees
            and (target.file, target.definition) != (file.index, definition)
            and (target.definition or not is_holder)
            and (file.in_test or not self.program.files[target.file].in_test)
            for target in outcome.targets
        )

    def inheriting(self, file: SourceFile) -> dict[int, list[str]]:
        """The types that implement interfaces by having their methods."""
        implemented = self.implemented(file)
        if not implemented:
            return {}
        ids = self.ids(file.index)
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
        """The kind of edge that a site becomes; empty if it becomes none."""
        if role == BASE:
            is_class = self.program.definition(other, index).kind in CLASS_KINDS
            return "inherits" if is_class else "references"
        if file.is_text or role == DOCUMENTED:
            return "documents"
        if call and (role in (CALLED, DECORATOR, RAISED) or file.code[expression] == ELEMENT or expression in file.run):
            return "calls"
        if index == 0:
            return "" if role == CALLED else "references"
        return "references"

    def letter(self, use: int, kind: str, other: int, index: int) -> str:
        """How an edge tells the role of a site; empty where it is the plain one."""
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
        named = code[expression + CALLEE] if code[expression] == CALL else expression
        bare = code[named] == NAME
        if not bare and code[named] not in (ATTRIBUTE, PATH):
            return
        name = file.strings[named_word(code, named)]
        if name in self.names:
            line, column = lines.place(code[expression + BYTE])
            self.places.append(Place(source, name, line, column, reason, role in (CALLED, DECORATOR), bare))


def held_in_documents(file: SourceFile) -> set[int]:
    """The expressions whose members a text names."""
    sites, code = file.facts.sites, file.code
    if DOCUMENTED not in sites[ROLE::SITE_WORDS]:
        return set()
    return {
        code[sites[at] + HOLDER]
        for at in range(0, len(sites), SITE_WORDS)
        if sites[at + ROLE] == DOCUMENTED and code[sites[at]] == ATTRIBUTE
    }


def _use(sites: array[int], at: int) -> int:
    """What is done with a call: the role of the sites behind its own, the last of them."""
    expression = sites[SITE_WORDS * at]
    use = CALLED
    for behind in range(SITE_WORDS * (at + 1), len(sites), SITE_WORDS):
        if sites[behind] != expression:
            break
        use = sites[behind + ROLE]
    return use


def parts_of_text(facts: FileFacts) -> tuple[list[Symbol], list[Edge]]:
    """The symbols of a file that refers to nothing, and what contains what."""
    lines, definitions = Lines(facts), facts.definitions
    test = BY_NAME[facts.language].rules.is_test(facts.path)
    ids = [f"{facts.path}::{local}" if local else facts.path for local in local_ids(definitions)]
    symbols = [_symbol(facts, each, ids[index], lines, not index, test, None) for index, each in enumerate(definitions)]
    children: dict[int, list[str]] = {}
    for index, each in enumerate(definitions[1:], 1):
        children.setdefault(each.parent, []).append(ids[index])
    edges = [Edge(id, child, "contains", "syntax") for index, id in enumerate(ids) for child in children.get(index, ())]
    return symbols, edges


def _symbol(
    facts: FileFacts,
    definition: Definition,
    id: str,
    lines: Lines,
    is_file: bool,
    test: bool,
    references: tuple[int, int, int, int, int] | None,
) -> Symbol:
    """`is_file`: it is a file of text as a whole."""
    line, column = lines.place(definition.name_byte) if definition.parent >= 0 else (0, 0)
    doc = _PARAGRAPH.split(definition.doc.strip(), maxsplit=1)[0].strip() if definition.doc else ""
    return Symbol(
        id, "file" if is_file else definition.kind, definition.name, definition.qualified_name, facts.path,
        facts.language, definition.start_line, definition.end_line, line, column, definition.signature,
        doc if len(doc) <= _DOC_LIMIT else doc[: _DOC_LIMIT - 1] + "…", definition.hash,
        definition.exported and definition.parent >= 0, test, tuple(definition.decorators),
        tuple(definition.modifiers), definition.returns, references,
    )  # fmt: skip
