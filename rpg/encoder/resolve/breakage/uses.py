"""Uses that lead nowhere any more.

In: a file before and after, both resolved. Out: a finding for each site that meant a symbol before, stands in a line
that is still the same, and means nothing now because the symbol is gone or cannot be seen from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from rpg.encoder import operations as op
from rpg.encoder.facts import DOCUMENTED, OFFERED, RUN
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.breakage.access.access import Access
from rpg.encoder.resolve.breakage.access.hiding import Hiding
from rpg.encoder.resolve.breakage.calls import Calls
from rpg.encoder.resolve.breakage.findings import GONE, HIDDEN, UNBASED, Finding
from rpg.encoder.resolve.breakage.given.given import Given
from rpg.encoder.resolve.breakage.imports import BrokenImports
from rpg.encoder.resolve.breakage.lines import LineMap
from rpg.encoder.resolve.breakage.lost_bases import LostBases
from rpg.encoder.resolve.breakage.manners import Manners
from rpg.encoder.resolve.breakage.results import Results
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.breakage.types.ill_typed import Typed
from rpg.encoder.resolve.breakage.types.object_arguments import ObjectArguments
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Outcome, Target
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

_UNSPOKEN = frozenset({DOCUMENTED, OFFERED, RUN})
_IMPORTING = frozenset({op.IMPORT, op.IMPORTED})
_WITH_HOLDER = frozenset({op.ATTRIBUTE, op.PATH})


class Uses:
    def __init__(
        self, before: Side, after: Side, imports: BrokenImports, calls: Calls, changed: Set[str], bases: LostBases
    ) -> None:
        self.before = before
        self.after = after
        self.imports = imports
        self.calls = calls
        self.bases = bases
        self.results = Results(before, after)
        self.typed = Typed(before, after, calls)
        self.objects = ObjectArguments(before, after, self.typed)
        self.access = Access(before, after)
        self.given = Given(before, after, calls.texts)
        self.hiding = Hiding(before, after)
        self.manners = Manners(before, after, calls.texts)
        self.changed = changed
        self.checked = 0
        self.unjudged: list[tuple[str, int]] = []
        """Path and line of places that may mean what is gone, or may pass as many arguments as nothing takes now."""
        names = [(path, name, name.rpartition(".")[2]) for path, _, name in (each.partition("::") for each in changed)]
        self._names = {last for _, _, last in names}
        came = {last for path, name, last in names if after.has(path, name) and not before.has(path, name)}
        # What another type has now moved there, or its type has another name: who reads it needs no change.
        self._gone = {
            last
            for path, name, last in names
            if last not in came and not after.has(path, name) and not after.inherits(path, name)
        }

    def pairs(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[tuple[Site, Site | None]]:
        """Each site before whose line is still there, and the same site after; None if it is not seen any more."""
        if old.facts is new.facts:
            for site in self.before.sites(old):
                yield site, site
            return
        places: dict[tuple[int, int, int, str], list[Site]] = {}
        for site in self.after.sites(new):
            places.setdefault((site.line, site.column, site.role, site.name), []).append(site)
        for site in self.before.sites(old):
            line = lines.after_of.get(site.line)
            if line is not None:
                found = places.get((line, site.column, site.role, site.name))
                yield site, found.pop(0) if found else None

    def find(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[Finding]:
        for site, now in self.pairs(old, new, lines):
            if site.role in _UNSPOKEN or now is None:
                continue
            misfit = (
                self.calls.find(old, site, new, now)
                or self.calls.find_kept(old, site, new, now)
                or self.typed.find(old, site, new, now)
                or self.objects.find(new, now)
                or self.results.find(old, site, new, now)
                or self.access.find(old, site, new, now)
                or self.given.find(old, site, new, now)
                or self.manners.find(old, site, new, now)
            )
            if misfit is not None:
                yield misfit
                continue
            outcome = self.before.outcome(old, site)
            targets = self.before.certain_targets(old, outcome)
            if targets:
                if self.is_of_changed(targets):
                    self.checked += 1
                    self.calls.note(self.before, targets, new, now)
                still = self.after.certain_targets(new, self.after.outcome(new, now))
                found, is_doubtful = self.calls.find_other_number(targets, still, new, now)
                if is_doubtful:
                    self.unjudged.append((new.path, now.line))
                found = found or self.lost(old, site, targets, new, now)
            else:
                found = self.lost_guess(old, site, new, now)
                if found is None and self.is_unjudged(old, site):
                    self.unjudged.append((new.path, now.line))
            if found is not None:
                yield found

    def released(self, old: SourceFile, lines: LineMap) -> set[str]:
        """Ids of what lines used that are gone, and that is there still."""
        found: set[str] = set()
        for site in self.before.sites(old):
            if site.line in lines.old_lines:
                for target in self.before.outcome(old, site).targets:
                    path, name = self.before.path_of(target), self.before.definition(target).qualified_name
                    file = self.after.file(path)
                    if file is not None and target.definition:
                        found |= {self.after.id_of(file.index, index) for index in self.after.named(path, name)}
        return found

    def is_unjudged(self, old: SourceFile, site: Site) -> bool:
        if site.name not in self._names or self.is_local(old, site) or BY_NAME[old.facts.language].is_prose:
            return False
        if self.before.is_cut(old, site) and not self.before.outcome(old, site).targets:
            return True
        if site.name not in self._gone:
            return False
        outcome = self.before.guessed(old, site)
        return not outcome.targets and outcome.reason in ("unresolved", "ambiguous")

    def is_local(self, old: SourceFile, site: Site) -> bool:
        """Whether a function binds the name itself: what it means comes from where that is given a value."""
        code = old.code
        return code[site.named] == op.NAME and op.binding_scope(code[site.named + op.BINDER]) > 0

    def is_of_changed(self, targets: list[Target]) -> bool:
        """Whether a site means something that changed."""
        return any(self.before.id_of(each.file, each.definition) in self.changed for each in targets)

    def lost(self, old: SourceFile, site: Site, targets: list[Target], new: SourceFile, now: Site) -> Finding | None:
        outcome = self.after.outcome(new, now)
        still = self.after.certain_targets(new, outcome)
        if still:
            if not all(self.hiding.is_hidden(new, each.file, each.definition) for each in still):
                return None
            return self.finding(old, site, targets, new, now, HIDDEN, True, self.falls_with_import(old, site))
        if not outcome.targets and all(self.bases.is_lost(old, site, each) for each in targets):
            if outcome.reason == "external":
                return None  # what it inherits from instead may have it
            return self.finding(old, site, targets, new, now, UNBASED, True, self.falls_with_import(old, site))
        gone = [each for each in targets if self.is_gone(each)]
        if any(self.has_other_case(each) for each in gone):
            return None
        if len(gone) < len(targets):
            return self.unseen(old, site, targets, new, now, outcome)
        if all(self.falls_with_its_owner(each) for each in gone):
            return None
        follows = self.falls_with_import(old, site)
        certain = outcome.reason != "external" or new.rules.unknown_is_outside or self.is_of_no_library(new, now)
        if not old.rules.imports_are_read and self.is_by_broken_import(old, site):
            certain = True
        elif self.is_from_outside(new, now):
            return None
        return self.finding(old, site, gone, new, now, GONE, certain, follows)

    def is_of_no_library(self, new: SourceFile, now: Site) -> bool:
        """Whether a name that no file declares any more cannot be that of a type of the language's own library."""
        return new.code[now.named] == op.NAME and not new.rules.may_be_of_library(now.name)

    def unseen(
        self, old: SourceFile, site: Site, targets: list[Target], new: SourceFile, now: Site, outcome: Outcome
    ) -> Finding | None:
        """For a symbol that is still there."""
        if not outcome.targets and self.after.is_cut(new, now):
            self.unjudged.append((new.path, now.line))
            return None
        if outcome.reason != "unresolved" or not (new.code[now.named] == op.NAME or outcome.misfit):
            return None
        is_of_own_class = new.rules.access_stands == "in sections" and self.before.path_of(targets[0]) == new.path
        if is_of_own_class and new.code[now.named] == op.NAME:
            return None  # what a section hides is called without an object
        return self.finding(old, site, targets, new, now, HIDDEN, True, self.falls_with_import(old, site))

    def lost_guess(self, old: SourceFile, site: Site, new: SourceFile, now: Site) -> Finding | None:
        """For a site that may have meant a symbol: only if nothing of that name is left."""
        targets = self.before.guessed(old, site).targets
        if not targets or not all(self.is_gone(each) for each in targets):
            return None
        if self.after.guessed(new, now).targets or all(self.falls_with_its_owner(each) for each in targets):
            return None
        if self.is_from_outside(new, now):
            return None
        return self.finding(old, site, list(targets), new, now, GONE, False, self.falls_with_import(old, site))

    def finding(
        self, old: SourceFile, site: Site, targets: list[Target], new: SourceFile, now: Site, kind: str,
        certain: bool, follows: bool,
    ) -> Finding:  # fmt: skip
        first = targets[0]
        symbol = self.before.id_of(first.file, first.definition)
        return Finding(new.path, now.line, now.column, certain, kind, site.name, symbol, "", follows)

    def is_gone(self, target: Target) -> bool:
        definition = self.before.definition(target)
        path = self.before.path_of(target)
        if not target.definition:
            return not self.after.has_file(path)
        return not self.after.has(path, definition.qualified_name)

    def has_other_case(self, target: Target) -> bool:
        """Whether what is gone is there in other capitals, where these do not matter."""
        definition, file = self.before.definition(target), self.after.file(self.before.path_of(target))
        if file is None or not file.rules.ignores_case or definition.kind not in FUNCTION_KINDS | CLASS_KINDS:
            return False
        name = definition.qualified_name.lower()
        return any(each.kind == definition.kind and each.qualified_name.lower() == name for each in file.definitions)

    def falls_with_its_owner(self, target: Target) -> bool:
        """Whether what a member is a member of is gone, too: that has uses of its own."""
        definition = self.before.definition(target)
        path = self.before.path_of(target)
        if definition.owner:
            return self.before.has(path, definition.owner) and not self.after.has(path, definition.owner)
        if definition.parent <= 0:
            return False
        around = self.before.program.definition(target.file, definition.parent)
        return not self.after.has(path, around.qualified_name)

    def falls_with_import(self, old: SourceFile, site: Site) -> bool:
        """Whether the name is bound by an import that is reported itself, and breaks before it is used."""
        return old.rules.imports_are_read and self.is_by_broken_import(old, site)

    def is_by_broken_import(self, old: SourceFile, site: Site) -> bool:
        code = old.code
        named = site.named
        while code[named] != op.NAME:
            if code[named] not in _WITH_HOLDER:
                return False
            named = code[named + op.HOLDER]
        scope = op.binding_scope(code[named + op.BINDER])
        if scope < 0:
            return False
        name = old.strings[code[named + op.WORD]]
        rows = [row for row in old.rows(scope, name) if code[row.value] in _IMPORTING]
        return any(self.imports.is_broken(old, row) for row in rows)

    def is_from_outside(self, new: SourceFile, now: Site) -> bool:
        """Whether the name is bound to something from outside the repository now."""
        code = new.code
        if code[now.named] == op.SUBSCRIPT:
            return False
        # Where a class around may have the name, the module's imports are not the first that are asked for it.
        scope = 0
        if code[now.named] == op.NAME:
            scope = max(0, op.binding_scope(code[now.named + op.BINDER]))
        elif code[code[now.named + op.HOLDER]] != op.UNION or self.has_written_holder(new, now):
            return False
        name = new.strings[op.find_name_word(code, now.named)]
        rows = [row for row in new.rows(scope, name) if code[row.value] in _IMPORTING]
        return any(
            self.after.world.evaluator.modules.files(new, code[row.value + op.STATEMENT]) is None for row in rows
        )

    def has_written_holder(self, new: SourceFile, now: Site) -> bool:
        """Whether what a member is taken of stands in front of it, and is not one of the classes around."""
        byte = new.code[now.named + op.BYTE]
        return self.after.program.read(new.path)[max(0, byte - 1) : byte] == b"."
