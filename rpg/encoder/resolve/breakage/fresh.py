"""What stands in edited lines and does not fit: imports of nothing, names that nothing has, calls that do not fit.

In: a file before and after. Out: findings for lines that are new, and how many uses of the repository's symbols stand
in them. What was wrong in the lines that they replace was broken before. Where a file has many names that are not
resolved, nothing follows from one more.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Set
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, DOCUMENTED, OFFERED, RUN, line_and_column
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.breakage.calls import Calls
from rpg.encoder.resolve.breakage.findings import IMPORT, SYNTAX, UNKNOWN, Finding
from rpg.encoder.resolve.breakage.imports import NOT_JUDGED, BrokenImports
from rpg.encoder.resolve.breakage.lines import EVERY, LineMap
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Outcome

_UNSPOKEN: Final = frozenset({DOCUMENTED, OFFERED, RUN})
_MANY: Final = 0.02
"""The share of a file's sites from which on unresolved ones are nothing special."""


class Fresh:
    def __init__(self, before: Side, after: Side, calls: Calls, imports: BrokenImports) -> None:
        self.before = before
        self.after = after
        self.calls = calls
        self.imports = imports
        self.checked = 0
        """How many uses in edited lines were judged: places and names of imports that lead into the repository."""

    def find(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[Finding]:
        if new.facts.problems or not lines.new_lines:
            return
        self.count(new, lines.new_lines)
        yield from self.imported(old, new, lines)
        replaced = {
            site.name for site in self.before.sites(old) if site.line in lines.old_lines and self.lacks(old, site)
        }
        is_usual = self.is_usual(self.before, old)
        for site in self.after.sites(new):
            if site.line not in lines.new_lines or site.role in _UNSPOKEN or site.name in replaced:
                continue
            misfit = self.calls.find(old, None, new, site)
            if misfit is not None:
                yield misfit
            elif not is_usual and (detail := self.unknown(new, site)):
                yield Finding(new.path, site.line, site.column, False, UNKNOWN, site.name, "", detail)

    def standing(self, new: SourceFile) -> Iterator[Finding]:
        """What is wrong with a file as it is, in the places that are looked at."""
        if new.facts.problems:
            line, _, message = new.facts.problems[0].partition(": ")
            yield Finding(new.path, int(line), 1, True, SYNTAX, "", "", f"does not parse: {message}")
            return
        yield from self.imports_of_nothing(new, EVERY, frozenset())
        for site in self.after.sites(new):
            if site.role not in _UNSPOKEN:
                misfit = self.calls.find(None, None, new, site)
                if misfit is not None:
                    yield misfit
                elif detail := self.unknown(new, site):
                    yield Finding(new.path, site.line, site.column, False, UNKNOWN, site.name, "", detail)

    def of_new_file(self, new: SourceFile) -> Iterator[Finding]:
        """The same for a file that came: of what nothing has, that is told which is rare there."""
        is_usual = self.is_usual(self.after, new)
        self.count(new, EVERY)
        yield from (each for each in self.standing(new) if not (is_usual and each.kind == UNKNOWN))

    def count(self, new: SourceFile, lines: Container[int]) -> None:
        for site in self.after.sites(new):
            if site.line not in lines or site.role in _UNSPOKEN:
                continue
            if targets := self.after.certain_targets(new, self.after.outcome(new, site)):
                self.checked += 1
                self.calls.note(self.after, targets, new, site)
        for index, each in enumerate(new.facts.imports):
            for name in each.names if each.kind not in NOT_JUDGED else ():
                if line_and_column(new.facts, self.imports.byte_of(new, index, name))[0] in lines:
                    self.checked += self.imports.leads_into_repository(new, index, name)

    def lacks(self, old: SourceFile, site: Site) -> bool:
        """Whether a replaced site meant nothing, or did not fit."""
        outcome = self.before.outcome(old, site)
        return not outcome.targets or self.calls.is_misfit(self.before, old, site)

    def unknown(self, new: SourceFile, site: Site) -> str:
        if BY_NAME[new.facts.language].is_prose:
            return ""  # an example need not define what it shows
        outcome = self.after.outcome(new, site)
        if outcome.targets or outcome.reason != "unresolved" or self.after.guessed(new, site).targets:
            return ""
        if site.name in new.rules.object_members or site.name in new.rules.given_names:
            return ""
        if new.code[site.named] == op.NAME:
            is_bound = new.code[site.named + op.BINDER] != -1
            return "" if is_bound or self.may_be_package(new, site) else "is not defined"
        return "is no member of what it is called on" if outcome.misfit and site.role == CALLED else ""

    def may_be_package(self, new: SourceFile, site: Site) -> bool:
        """Whether a name may begin that of a package, which no import need bind: `java.io.File`."""
        end = new.code[site.named + op.BYTE] + len(site.name.encode())
        return new.rules.has_packages and self.after.program.read(new.path)[end : end + 1] == b"."

    def is_usual(self, side: Side, file: SourceFile) -> bool:
        """Whether much in a file is not resolved."""
        outcomes = side.world.outcomes.get(file.index, [])
        return sum(map(_is_unknown, outcomes)) > _MANY * len(outcomes)

    def imported(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[Finding]:
        yield from self.imports_of_nothing(new, lines.new_lines, self.imports.settled(old, new, lines))

    def imports_of_nothing(
        self, new: SourceFile, lines: Container[int], had: Set[tuple[str, int, str]]
    ) -> Iterator[Finding]:
        """`had`: what imports are not looked at: module, level, name."""
        for index, each in enumerate(new.facts.imports):
            if each.kind in NOT_JUDGED:
                continue
            files = self.imports.files(self.after, new, index)
            line, column = line_and_column(new.facts, each.byte)
            is_named = bool(each.module or each.level)  # not what is taken from the global namespace
            if files == () and is_named and line in lines and (each.module, each.level, "") not in had:
                yield Finding(new.path, line, column, False, IMPORT, each.module, "")
            for name in each.names if files else ():
                # A statement may be of several lines.
                line, column = line_and_column(new.facts, self.imports.byte_of(new, index, name))
                if line not in lines:
                    continue
                is_new = (each.module, each.level, name) not in had
                if is_new and self.imports.is_of_nothing(new, index, name) and self.imports.is_closed(new, index):
                    yield Finding(new.path, line, column, True, IMPORT, name, "")


def _is_unknown(outcome: Outcome) -> bool:
    return outcome.reason == "unresolved" and not outcome.targets
