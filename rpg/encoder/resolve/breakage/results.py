"""Calls of functions that give their results in another way now: to be awaited, or one by one.

In: a call that is the same before and after, and what it calls. Out: a finding, unless the call already takes the
result in the new way, or hands it on to code that may.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED
from rpg.encoder.resolve.breakage.findings import AWAITED, Finding
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.incremental.fingerprints import expressions
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target

_FUNCTIONS: Final = frozenset({"function", "method"})


class Results:
    def __init__(self, before: Side, after: Side) -> None:
        self.before = before
        self.after = after
        self._takers: dict[int, dict[int, int]] = {}
        """By file after: expression -> the operation that takes what it gives."""
        self._returned: dict[int, set[int]] = {}

    def find(self, old: SourceFile, site: Site, new: SourceFile, now: Site) -> Finding | None:
        if now.role != CALLED or new.code[now.expression] != op.CALL or new.rules.call_marks:
            return None
        was = self.before.certain_targets(old, self.before.outcome(old, site))
        targets = self.after.certain_targets(new, self.after.outcome(new, now))
        if len(was) != 1 or len(targets) != 1:
            return None
        had, has = self.way(self.before, was[0]), self.way(self.after, targets[0])
        if not had or not has or had == has:
            return None
        detail = self.misuse(new, now, had, has)
        if not detail:
            return None
        certain = new.rules.awaiting == "strict" and now.expression not in self.returned(new) and has != "generator"
        symbol = self.after.id_of(targets[0].file, targets[0].definition)
        return Finding(new.path, now.line, now.column, certain, AWAITED, now.name, symbol, detail)

    def way(self, side: Side, target: Target) -> str:
        """How a function gives its result."""
        definition = side.definition(target)
        if definition.kind not in _FUNCTIONS or definition.scope < 0:
            return ""
        is_generator = bool(side.program.files[target.file].facts.yields.get(definition.scope))
        if "async" in definition.modifiers:
            return "async generator" if is_generator else "async"
        return "generator" if is_generator else "plain"

    def misuse(self, file: SourceFile, site: Site, had: str, has: str) -> str:
        taker = self.takers(file).get(site.expression, 0)
        if has == "async":
            is_awaited = taker in (op.AWAIT, op.CALL, op.YIELD) or self.is_returned_to_await(file, site.expression)
            return "" if is_awaited else "must be awaited now"
        if had == "async":
            return "need not be awaited any more" if taker == op.AWAIT and file.rules.awaiting == "strict" else ""
        if has == "generator":
            return "" if taker in (op.ELEMENT, op.CALL, op.YIELD) else "gives its results one by one now"
        return ""

    def is_returned_to_await(self, file: SourceFile, expression: int) -> bool:
        """Whether an async function returns it that awaits what it returns."""
        if file.rules.awaiting != "results" or expression not in self.returned(file):
            return False
        scopes = {each.scope for each in file.definitions if "async" in each.modifiers}
        return any(expression in found and scope in scopes for scope, found in file.facts.returns.items())

    def takers(self, file: SourceFile) -> dict[int, int]:
        known = self._takers.get(file.index)
        if known is None:
            known = self._takers[file.index] = {}
            code = file.code
            for e in expressions(code):
                operation = code[e]
                if operation in (op.AWAIT, op.ELEMENT):
                    known[code[e + op.OPERAND]] = operation
                elif operation == op.YIELD and code[e + op.DELEGATED]:
                    known[code[e + op.DELEGATED]] = operation
                elif operation == op.CALL:
                    for at in range(code[e + op.ARGUMENT_COUNT]):
                        known.setdefault(code[e + op.ARGUMENTS + 2 * at], op.CALL)
        return known

    def returned(self, file: SourceFile) -> set[int]:
        known = self._returned.get(file.index)
        if known is None:
            known = self._returned[file.index] = {each for found in file.facts.returns.values() for each in found}
        return known
