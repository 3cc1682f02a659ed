"""The graph of files: symbols, edges and unresolved places, from what every site refers to.

`resolve` resolves everything, `resolve_affected` only what a few edits affect. What a reference refers to is decided in
references/; here its outcomes and the structure of files become the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rpg.encoder.facts import FileFacts, Lines, aliases, implemented_explicitly
from rpg.encoder.frameworks import (
    ResolvedFile,
    Serving,
    concerned_text,
    is_concerned,
    is_configured,
    may_take,
    setting_kind,
)
from rpg.encoder.languages import BY_NAME, folders_of
from rpg.encoder.resolve.assembly.identities import Identities
from rpg.encoder.resolve.assembly.library_names import LibraryFiles, LibraryNames
from rpg.encoder.resolve.assembly.library_symbols import KEPT_KINDS, resolve_bases
from rpg.encoder.resolve.assembly.library_targets import LibraryTargets
from rpg.encoder.resolve.assembly.site_edges import SiteEdges
from rpg.encoder.resolve.assembly.symbols import list_children, part_of_folder, parts_of_text, symbol_of
from rpg.encoder.resolve.evaluate import Hit
from rpg.encoder.resolve.incremental.affected_resolution import IncrementalResolution
from rpg.encoder.resolve.incremental.saved_state import Kept, keep
from rpg.encoder.resolve.program.source_file import ANY, METHODS, MOST_OVERLOADS, TOO_MANY_OVERLOADS, SourceFile
from rpg.encoder.resolve.references.name_fallback import MISSED
from rpg.encoder.resolve.resolved_sites import Resolution, complete, run_flow
from rpg.encoder.resolve.values.fixpoint import OVERDRAWN
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import CLASS, FILE, SYMBOL
from rpg.encoder.scip import NO_INDEX, Compiled
from rpg.graph import LIBRARY, Edge, Place, Symbol


class Resolved(NamedTuple):
    symbols: list[Symbol]
    edges: list[Edge]
    places: list[Place]
    counts: dict[str, list[int]]
    """By language: references that are certain, possible, external, unresolved, ambiguous."""
    kept: Kept | None
    """Saved for the next edit."""
    limited: dict[str, str]
    """Path -> why something in that file is not followed to its end."""
    cut: dict[str, list[str]]
    """Path -> the words of the places that are not, if it is only these."""
    concerned: dict[str, ResolvedFile]
    """The files that contracts are read from, by path."""


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
    saves: bool = True,
    compiled: Compiled = NO_INDEX,
    libraries: LibraryFiles | None = None,
) -> Resolved:
    """The graph's parts, sorted by (path, position). `report` gets the share of the work that is done. Without `saves`
    nothing is kept for the next edit. `compiled`: what a compiler said of files. `libraries`: what references may end
    in; their symbols are not among the parts (`resolve_libraries`).

    `texts` are files that refer to nothing; `certain(language, via)` says whether edges of a rule count as
    certain.
    """
    plain_texts = {each.path: each for each in texts}
    flow, frameworks = run_flow(files, read, roots, report, plain_texts)
    flow.end()
    found = complete(flow, frameworks, flow.files)
    if report is not None:
        report(SHARE_COMPLETED)
    names = LibraryNames(libraries) if libraries is not None else None
    assembly = _Assembly(found, certain, compiled, flow.files, names)
    resolved = assembly.all(plain_texts)
    assembly.concern_named()
    if names is not None:
        names.end()
    if report is not None:
        report(SHARE_ASSEMBLED)
    found.survey_all()
    program = found.evaluator.program
    program.survey[MISSED] = _amend_missed({}, (), found.guesses.missed)
    limited = {program.paths()[file]: reason for file, reason in sorted(found.evaluator.limited.items())}
    cut = {program.paths()[file]: sorted(words) for file, words in sorted(found.evaluator.cut.items())}
    cut = {path: words for path, words in cut.items() if "" not in words and path not in limited}
    limited = {**dict.fromkeys((program.paths()[file] for file in sorted(found.evaluator.cut)), OVERDRAWN), **limited}
    kept = keep(program, found.flow) if saves else Kept([], [])
    resolved = resolved._replace(kept=kept, limited=limited, cut=cut)
    found.evaluator.end()
    if report is not None:
        report(1.0)
    return resolved


def resolve_libraries(files: LibraryFiles, certain: Callable[[str, str], bool]) -> tuple[list[Symbol], list[Edge]]:
    """The symbols of libraries, and what contains, inherits and overrides what among them, sorted as `resolve` does."""
    names = LibraryNames(files)
    found = resolve_bases(names)
    resolved = _Assembly(found, certain, NO_INDEX).all({})
    names.end()
    symbols = [each for each in resolved.symbols if each.id != "./"]
    edges = [each for each in resolved.edges if each.kind in KEPT_KINDS and each.source != "./"]
    marked = [each._replace(references=None, modifiers=(*each.modifiers, LIBRARY)) for each in symbols]
    return marked, edges


def resolve_affected(
    edits: IncrementalResolution,
    certain: Callable[[str, str], bool],
    compiled: Compiled,
    libraries: LibraryFiles | None = None,
) -> tuple[Resolved, dict[str, list[int]]]:
    """The part of the graph that belongs to the affected files, and the previous counts of the text files among them.
    Raises NotIncremental and MoreAffected."""
    edits.resolve()
    program = edits.program
    files = [program.files[index] for index in sorted(edits.moves) if program.paths()[index]]
    found = complete(edits.new.flow, edits.new.frameworks, files)
    if program.moves:
        found.survey_all()
    missed = edits.before.known(MISSED)
    if missed is not None:
        now = _amend_missed(missed, edits.moves, found.guesses.missed)
        if now != missed:
            program.survey[MISSED] = program.amended[MISSED] = now
    names = LibraryNames(libraries) if libraries is not None else None
    assembly = _Assembly(found, certain, compiled, names=names)
    for file in files:
        assembly.file(file)
        assembly.concern(file, assembly.references[file.path])
    if names is not None:
        names.end()
    # A text file's symbol does not record how many references the file contains.
    texts = [
        file
        for index in sorted(edits.moves)
        if BY_NAME[(file := edits.before.files[index]).facts.language].is_text and edits.before.paths()[index]
    ]
    before = _Assembly(complete(edits.old.flow, edits.old.frameworks, texts), certain, compiled)
    for file in texts:
        before.file(file)
    return Resolved(
        assembly.symbols, assembly.edges, assembly.sites.places, assembly.counts, None, {}, {}, assembly.concerned
    ), before.counts


def _amend_missed(
    missed: Mapping[str, list[int]], again: Collection[int], now: Mapping[str, Iterable[int]]
) -> dict[str, list[int]]:
    """The files by the names that classes lack in them, where some files were resolved again."""
    found = {name: kept for name, files in missed.items() if (kept := [each for each in files if each not in again])}
    for name, files in now.items():
        found[name] = sorted({*found.get(name, ()), *files})
    return dict(sorted(found.items()))


class _Assembly:
    def __init__(
        self,
        found: Resolution,
        certain: Callable[[str, str], bool],
        compiled: Compiled,
        files: Iterable[SourceFile] = (),
        names: LibraryNames | None = None,
    ) -> None:
        """`files`: those of a whole repository, which tell whether routes and messages are looked for. `names`: of
        libraries."""
        self.evaluator = found.evaluator
        self.program = found.evaluator.program
        self.identities = Identities(self.program)
        self.libraries = LibraryTargets(self.evaluator, names) if names is not None else None
        self.sites = SiteEdges(found, self.identities, certain, compiled, self.libraries)
        self.symbols: list[Symbol] = []
        self.edges: list[Edge] = []
        self.counts: dict[str, list[int]] = {}
        self.concerned: dict[str, ResolvedFile] = {}
        self.serving = Serving(frozenset(self.program.paths()))
        self.serves = any(self.serving.may_serve(each.facts) or may_take(each.facts) for each in files)
        self.references: dict[str, list[Edge]] = {}
        """Of files so far."""

    def all(self, texts: dict[str, FileFacts]) -> Resolved:
        paths = sorted([*self.program.paths(), *texts])
        folders = sorted(f"{folder}/" if folder else "./" for folder in folders_of(paths))
        by_folder = list_children(paths)
        for path in sorted([*folders, *paths]):
            if path.endswith("/"):
                symbol, edges = part_of_folder(path, by_folder.get(path, ()))
                self.symbols.append(symbol)
                self.edges += edges
                continue
            text = texts.get(path)
            if text is None:
                self.file(self.program.files[self.program.number_of(path)])
            else:
                symbols, edges = parts_of_text(text)
                self.symbols += symbols
                self.edges += edges
                if setting_kind(path, text.language):
                    self.concerned[path] = concerned_text(text)
        return Resolved(self.symbols, self.edges, self.sites.places, self.counts, None, {}, {}, self.concerned)

    def file(self, file: SourceFile) -> None:
        counts = [0, 0, 0, 0, 0]
        lines = Lines(file.facts)
        references = self.sites.of(file, lines, counts)
        self.references[file.path] = references
        if is_configured(file.facts) or (
            self.serves and is_concerned(file.facts, self.serving.may_serve(file.facts), may_take(file.facts))
        ):
            self.concern(file, references)
        ids = self.identities.ids(file.index)
        test, titled = file.in_test, self.identities.find_titled_tests(file.index)
        kinds = BY_NAME[file.facts.language]
        by_source: dict[str, list[Edge]] = {}
        for edge in references:
            by_source.setdefault(edge.source, []).append(edge)
        children: dict[int, list[str]] = {}
        unnamed, wholes = self.identities.nameless(file.index), self.identities.parts(file.index)
        for index, definition in enumerate(file.definitions):
            if index and index not in unnamed and index not in wholes:
                if definition.owner:
                    place = self.program.place_of_owner(file, definition.owner)
                    if self.identities.home(place, definition.owner):
                        continue
                parent = unnamed.get(definition.parent, definition.parent)
                parent = wholes.get(parent, parent)
                children.setdefault(parent, []).append(ids[index])
        owned = self.identities.owned(file)
        implemented = self.sites.implemented(file)
        for index, definition in enumerate(file.definitions):
            if index in unnamed or index in wholes:
                continue
            is_file = kinds.is_text and not index
            reference_counts = None if index or is_file else (counts[0], counts[1], counts[2], counts[3], counts[4])
            is_test = test or index in titled
            symbol = symbol_of(file.facts, definition, ids[index], lines, is_file, is_test, reference_counts)
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

    def concern(self, file: SourceFile, references: list[Edge]) -> None:
        """Keeps what contracts are read from."""
        ids, parts = self.identities.ids(file.index), self.identities.parts(file.index)
        within = {**parts, **self.identities.nameless(file.index)}
        within = {each: parts.get(around, around) for each, around in within.items()}
        tests = file.rules.is_test_function
        serves = self.serving.may_serve(file.facts)
        takes = may_take(file.facts)
        self.concerned[file.path] = ResolvedFile(
            file.facts, ids, within, references, file.in_test, serves, takes, tests
        )

    def concern_named(self) -> None:
        """Adds the files whose constants the others name, and those that these name."""
        pending = list(self.concerned)
        for _ in range(2):
            named = {
                edge.target.partition("::")[0]
                for path in pending
                for edge in self.concerned[path].edges
                if edge.kind == "references"
            }
            pending = sorted(each for each in named if each in self.references and each not in self.concerned)
            for path in pending:
                self.concern(self.program.files[self.program.number_of(path)], self.references[path])

    def overrides(self, file: SourceFile, index: int) -> None:
        definition = file.definitions[index]
        names = aliases(definition) if definition.flags else []  # what the compiler makes overrides, too
        if definition.kind in ("method", "property") and "setter" not in definition.flags:
            names.append(definition.name)
        if not names or definition.name == file.rules.constructor:
            return
        found = self.evaluator.receivers.of_member(file, index)
        if found is None:
            if file.rules.extensions == "traits" and definition.owner:
                here = self.identities.ids(file.index)[index]
                for other, part in self.evaluator.added_traits.list_implemented(file, index):
                    self.edges.append(Edge(here, self.identities.ids(other)[part], "overrides", "inherited"))
            return
        owner = found
        classes, member_lookup = self.evaluator.classes, self.evaluator.member_lookup
        space = METHODS if file.rules.member_spaces != "one" and definition.kind == "method" else ANY
        if file.rules.sides == "companions" and "static" in definition.modifiers:
            hits = [member_lookup.find_in_companion_bases((CLASS, *owner, (), False), name) for name in names]
        else:
            hits = [member_lookup.find(*owner, name, owner, space) for name in names]
            for base in self.find_bases_beside(owner, [hit for hit in hits if hit is not None]):
                hits += [member_lookup.find(*base, name, None, space) for name in names]
        interface = implemented_explicitly(definition)
        if interface:
            interfaces = [entry[:ENTRY_ARGUMENTS] for entry in classes.order(*owner).entries[1:]]
            named = [each for each in interfaces if self.program.definition(*each).name == interface]
            hits = [member_lookup.find(*each, definition.name, None, space) for each in named]
        hits += [
            member_lookup.find(*each, name, None, space)
            for each in classes.contracts(self.program.files[owner[OWNER_FILE]], owner[OWNER_SYMBOL])
            for name in names
        ]
        if any(hit is not None and len(hit.definitions) > MOST_OVERLOADS for hit in hits):
            self.evaluator.limit(file, TOO_MANY_OVERLOADS)
            return
        overridden_by_it = dict.fromkeys(
            each for hit in hits if hit is not None for each in self.choose_overridden(file, index, owner, hit)
        )
        explicit = set() if interface else self.find_explicit_beside(file, index)
        for other, part in overridden_by_it:
            if (
                explicit
                and self.program.definition(other, self.program.definition(other, part).parent).name in explicit
            ):
                continue
            if file.rules.sides == "companions" and "static" in self.program.definition(other, part).modifiers:
                continue
            is_written = definition.kind != "field"
            if (
                is_written
                and file.rules.overloads != "none"
                and not self.evaluator.overloads.have_one_name((file.index, index), (other, part))
            ):
                continue
            overridden = self.identities.parts(other).get(part, part)
            above = self.program.definition(other, overridden).kind
            is_attribute = file.rules.accessors == "overriding" and above in ("field", "constant")
            if (other, overridden) != (file.index, index) and (
                above in ("method", "property") or (is_attribute and definition.kind == "property")
            ):
                source, target = self.identities.ids(file.index)[index], self.identities.ids(other)[overridden]
                self.edges.append(Edge(source, target, "overrides", "inherited"))
        if self.libraries is not None and not overridden_by_it:
            self.override_library(file, index, owner)

    def override_library(self, file: SourceFile, index: int, owner: Owner) -> None:
        """A member that takes the place of one of a library's class, where the repository has none between."""
        assert self.libraries is not None
        self.evaluator.start()
        found = self.libraries.above(owner, file.definitions[index].name)
        if len(found) == 1 and found[0].is_sure and found[0].kind in ("method", "property"):
            source = self.identities.ids(file.index)[index]
            self.edges.append(Edge(source, found[0].id, "overrides", "inherited"))

    def choose_overridden(self, file: SourceFile, index: int, owner: Owner, hit: Hit) -> Sequence[Owner]:
        """What a method of a class overrides of those of its name, where their types must be the same: methods of other
        types hide none that stands further up."""
        rules = file.rules
        if rules.overloads == "none" or rules.overrides_fit != "exactly" or file.definitions[index].kind != "method":
            return hit.definitions
        name, find = file.definitions[index].name, self.evaluator.member_lookup.find
        otherwise: list[Owner] = []
        seen: set[Owner] = set()
        following: Hit | None = hit
        while following is not None and following.owner not in seen:
            seen.add(following.owner)
            methods = [each for each in following.definitions if self.program.definition(*each).kind == "method"]
            if len(methods) < len(following.definitions):
                return otherwise or hit.definitions
            same, alike = self.evaluator.overloads.choose_overridden((file.index, index), methods)
            if same:
                return same
            otherwise = otherwise or alike
            following = find(*owner, name, following.owner, METHODS)
        return otherwise

    def find_explicit_beside(self, file: SourceFile, index: int) -> set[str]:
        """The interfaces whose member a class implements by another member than this one, which takes as much."""
        rows, definition = self.evaluator.arity.rows, file.definitions[index]
        count = len(rows((file.index, index)))
        return {
            name
            for each in file.children(definition.parent, definition.name)
            if each != index and (name := implemented_explicitly(file.definitions[each]))
            if len(rows((file.index, each))) == count
        }

    def find_bases_beside(self, owner: Owner, hits: Sequence[Hit]) -> list[Owner]:
        """The other bases of a class whose member overrides one, but what the class of that one inherits."""
        bases = self.evaluator.classes.bases(*owner)[0] if hits else ()
        if len(bases) < 2:
            return []
        known = {entry[:ENTRY_ARGUMENTS] for hit in hits for entry in self.evaluator.classes.order(*hit.owner).entries}
        return [each for base in bases if (each := base[FILE : SYMBOL + 1]) not in known]
