"""All references of all files, round by round, until what flows through calls and stores no longer changes.

Round 0 resolves every site without its callers. Then the calls found determine what parameters receive, and the
assignments found determine what containers and objects hold; whatever depended on those is resolved again. New targets
found this way are `via` value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, ROLE, SITE_WORDS, WRITE, strip_marks
from rpg.encoder.resolve.evaluate import CALLED_BACK, MOST_CALLERS, Caller, Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import TARGET_VIA, UNKNOWN, Outcome, Target
from rpg.encoder.resolve.references.references import References
from rpg.encoder.resolve.values.fixpoint import ANYTHING, MISTAKES, Needs
from rpg.encoder.resolve.values.flow_tables import (
    FUNCTION_SCOPE,
    PLACE_FILE,
    RECEIVED,
    STORED_ITEM,
    STORED_MEMBER,
    Change,
    object_owner,
)
from rpg.encoder.resolve.values.values import (
    CLASS,
    CLOSURE,
    EXPRESSION,
    FILE,
    FUNC,
    INDEXED_AS,
    INST,
    KIND,
    LITERAL_AT,
    MODULE,
    MODULE_PATH,
    OBJECT_AT,
    OWN_SCOPE,
    RECEIVER,
    SPELLING,
    SYMBOL,
    TEXT,
    Value,
    Values,
)
from rpg.graph import CLASS_KINDS

ROUNDS: Final = 4
"""The most flow rounds: a value is followed through this many calls."""
SHARE_FIRST: Final = 0.46
SHARE_AGAIN: Final = 0.24
"""Shares of the time of resolution that the first round and the others take, as measured on Django."""
_NOWHERE: Final = (-1, -1)


class Flow:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.files = evaluator.files
        self.program = evaluator.program
        self.references = References(evaluator)
        self.outcomes: dict[int, list[Outcome]] = {}
        """By file: outcomes in the order of its sites."""
        self.depends: dict[int, dict[int, Needs]] = {}
        """By file: site -> which received or stored values its outcome depends on."""
        self.callers: dict[tuple[int, int], dict[Caller, None]] = {}
        """(file, function scope) -> callers of a function that has a parameter without a type."""
        self.followed: dict[tuple[int, int], bool] = {}
        """(file, function scope) -> whether callers determine what some parameter holds."""
        self.called_anew: set[tuple[int, int]] = set()
        """Functions with callers that `received` does not know yet."""
        self.received_depends: dict[tuple[int, int, int], Needs] = {}
        self.store_depends: dict[tuple[int, int], Needs] = {}
        """(file, position among its stores) -> what the holder depends on."""
        self.rounds: list[list[Change]] = []
        """What each round found."""
        self.counts: dict[tuple[int, int], list[tuple[int, int]]] = {}
        """(file, function scope) -> its number of callers, as (first round, count)."""
        self.changed: set[Any] | None = None
        self.stale: dict[Needs, bool] = {}
        """What sites depend on -> whether some of it has changed."""
        self.unsure: set[int] = set()
        """Files with a reference that exceeded its budget: its outcome depends on what was cached."""
        self.cut_sites: set[tuple[int, int]] = set()
        """Files and sites whose outcome is not known to its end."""
        self.same: dict[Outcome, Outcome] = {}
        """Each outcome once: a few thousand serve most sites."""

    def run(self, report: Callable[[float], None] | None = None) -> dict[int, list[Outcome]]:
        """Outcomes by file, in the order of sites."""
        number_of_files = max(1, len(self.files))
        for done, file in enumerate(self.files):
            self.first(file)
            if report is not None:
                report(SHARE_FIRST * done / number_of_files)
        changed: set[Any] | None = None
        for number in range(ROUNDS + 1):
            if number:
                for file in self.files:
                    self.again(file, changed)
                if report is not None:
                    report(SHARE_FIRST + SHARE_AGAIN * number / ROUNDS)
            if number == ROUNDS:
                break
            found = self.store(changed) + self.receive(changed)
            if not found:
                break
            changed = {ANYTHING, *(change.key for change in found)}
            self.evaluator.tables.apply(found)
            self.evaluator.next_round(changed)
            self.rounds.append(found)
        return self.outcomes

    def end(self) -> None:
        """Drops what only further rounds would need."""
        for table in (
            self.depends,
            self.callers,
            self.followed,
            self.received_depends,
            self.store_depends,
            self.same,
        ):
            table.clear()
        self.evaluator.forget_all()

    def first(self, file: SourceFile) -> None:
        evaluator, outcome_of, same = self.evaluator, self.outcome, self.same
        outcomes: list[Outcome] = []
        depends: dict[int, Needs] = {}
        sites = file.facts.sites
        for at in range(0, len(sites), SITE_WORDS):
            evaluator.start()
            e, role = sites[at], sites[at + ROLE]
            outcome = outcome_of(file, e, role)
            outcomes.append(same.setdefault(outcome, outcome))
            if role == CALLED:
                self.note_call(file, e, outcome, outcome.targets)
            if evaluator.depends and role != WRITE and not evaluator.is_exhausted:
                depends[at // SITE_WORDS] = evaluator.depends
            if evaluator.is_cut:
                self.note_cut(file, find_word(file, e))
                self.cut_sites.add((file.index, at // SITE_WORDS))
        self.outcomes[file.index] = outcomes
        self.depends[file.index] = depends
        for index, decorators in file.facts.decorators.items():
            for expression in decorators:
                evaluator.start()
                self.note_decorator(file, index, expression)
                if evaluator.is_cut:
                    self.note_cut(file, "")

    def outcome(self, file: SourceFile, e: int, role: int) -> Outcome:
        try:
            return self.references.outcome(file, e, role)
        except MISTAKES as error:
            self.evaluator.give_up(error)
            return UNKNOWN

    def again(self, file: SourceFile, changed: set[Any] | None) -> None:
        """Resolves the sites that depend on what has changed (None: on anything that may change)."""
        if changed is not self.changed:
            self.changed, self.stale = changed, {}
        evaluator = self.evaluator
        depends = self.depends[file.index]
        outcomes = self.outcomes[file.index]
        sites = file.facts.sites
        for site in [site for site, needed in depends.items() if changed is None or self.is_stale(needed, changed)]:
            evaluator.start()
            e, role = sites[SITE_WORDS * site], sites[SITE_WORDS * site + ROLE]
            outcome = self.outcome(file, e, role)
            depends[site] = evaluator.both(depends[site], evaluator.depends)
            if evaluator.is_exhausted:
                del depends[site]
            if evaluator.is_cut:
                self.note_cut(file, find_word(file, e))
            before = outcomes[site]
            known = {target[:TARGET_VIA] for target in before.targets}
            new = tuple(target._replace(via="value") for target in outcome.targets if target[:TARGET_VIA] not in known)
            if new:
                is_open = outcome.misfit and bool(outcome.targets)
                outcomes[site] = Outcome(before.targets + new, outcome.reason if is_open else "", is_open)
            elif not before.targets and outcome.reason != before.reason:
                outcomes[site] = outcome
            if role == CALLED:
                self.note_call(file, e, outcome, new)

    def note_cut(self, file: SourceFile, word: str) -> None:
        self.unsure.add(file.index)
        self.note_mistake(file)
        if self.evaluator.is_overdrawn:
            self.evaluator.cut.setdefault(file.index, set()).add(word)

    def note_mistake(self, file: SourceFile) -> None:
        if self.evaluator.mistake:
            self.evaluator.limit(file, self.evaluator.mistake)

    def is_stale(self, needed: Needs, changed: set[Any]) -> bool:
        """Whether some of it has changed; many sites ask about the same dependencies."""
        known = self.stale.get(needed)
        if known is None:
            known = self.stale[needed] = not needed.isdisjoint(changed)
        return known

    # Calls

    def note_call(self, file: SourceFile, e: int, outcome: Outcome, targets: tuple[Target, ...]) -> None:
        for target in targets:
            if target.call and not (target.via == "value" and self.is_dispatching(file, e)):
                self.note_target(file, e, target)
        if not outcome.targets and self.may_call_back(file, file.code[e + op.CALLEE]):
            self.note_callbacks(file, e)
        if not outcome.targets and not outcome.reason:
            for value in self.evaluator.eval(file, file.code[e + op.CALLEE]):
                if value[KIND] == CLOSURE:
                    self.note((value[FILE], value[OWN_SCOPE]), Caller(file.index, e, 0, -1))

    def is_dispatching(self, file: SourceFile, e: int) -> bool:
        """Whether a call hands on only some of its arguments to what it runs."""
        callee = file.code[e + op.CALLEE]
        if file.code[e] != op.CALL or file.code[callee] not in (op.ATTRIBUTE, op.PATH):
            return False
        return file.strings[file.code[callee + op.MEMBER]] in file.rules.dispatching

    def may_call_back(self, file: SourceFile, callee: int) -> bool:
        """Whether a callee has the name of a builtin that calls one of its arguments."""
        code = file.code
        if code[callee] in (op.ATTRIBUTE, op.PATH):
            return file.strings[code[callee + op.MEMBER]] in file.rules.calling
        return code[callee] == op.NAME and file.strings[code[callee + op.WORD]] in file.rules.calling

    def note_callbacks(self, file: SourceFile, e: int) -> None:
        """Functions passed to a builtin that calls them."""
        code = file.code
        for slot in range(code[e + op.ARGUMENT_COUNT]):
            for value in self.evaluator.eval(file, code[e + op.ARGUMENTS + 2 * slot]):
                if value[KIND] == CLOSURE:
                    self.note((value[FILE], value[OWN_SCOPE]), Caller(file.index, e, 0, CALLED_BACK, slot))
                elif value[KIND] == FUNC:
                    here = self.files[value[FILE]]
                    scope = here.definitions[value[SYMBOL]].scope
                    if here.facts.parameters.get(scope) and self.has_followed(here, scope):
                        bound = self.evaluator.type_variables.shift(here, value)
                        self.note((value[FILE], scope), Caller(file.index, e, bound, CALLED_BACK, slot))

    def note_target(self, file: SourceFile, e: int, target: Target) -> None:
        here = self.files[target.file]
        definition = here.definitions[target.definition]
        if definition.kind in CLASS_KINDS:
            self.note_constructor(target.file, target.definition, Caller(file.index, e, 1, -1))
            return
        rows = here.facts.parameters.get(definition.scope)
        if not rows or not self.has_followed(here, definition.scope):
            return
        bound = 0
        if here.scopes[definition.scope].receiver:
            callee = file.code[e + op.CALLEE]
            bound = 1
            if (
                target.via == "type"
                and file.code[callee] in (op.ATTRIBUTE, op.PATH)
                and "classmethod" not in definition.flags
            ):
                # `Class.method(instance, ...)` passes the receiver as an argument.
                holders = self.evaluator.eval(file, file.code[callee + op.HOLDER])
                bound = 0 if any(value[KIND] == CLASS for value in holders) else 1
        self.note((target.file, definition.scope), Caller(file.index, e, bound, -1))

    def has_followed(self, file: SourceFile, scope: int) -> bool:
        key = (file.index, scope)
        known = self.followed.get(key)
        if known is None:
            rows = file.facts.parameters[scope]
            known = self.followed[key] = any(self.evaluator.parameters.is_followed(file, row) for row in rows)
        return known

    def note_constructor(self, file: int, index: int, caller: Caller) -> None:
        name = self.files[file].rules.constructor
        hit = self.evaluator.member_lookup.find(file, index, name) if name else None
        for other, constructor in hit.definitions if hit is not None else ():
            scope = self.program.definition(other, constructor).scope
            if self.files[other].scopes[scope].receiver:
                self.note((other, scope), caller)
            else:
                self.note((other, scope), Caller(caller.file, caller.expression, 0, caller.decorated, caller.slot))

    def note_decorator(self, file: SourceFile, index: int, expression: int) -> None:
        """A decorator is passed the function below it."""
        for value in self.evaluator.eval(file, expression):
            if value[KIND] == FUNC:
                scope = self.program.definition(value[FILE], value[SYMBOL]).scope
                bound = 1 if value[RECEIVER] is not None else 0
                self.note((value[FILE], scope), Caller(file.index, expression, bound, index))
            elif value[KIND] == CLASS:
                self.note_constructor(value[FILE], value[SYMBOL], Caller(file.index, expression, 1, index))

    def note(self, function: tuple[int, int], caller: Caller) -> None:
        callers = self.callers.setdefault(function, {})
        if caller not in callers:
            callers[caller] = None
            self.called_anew.add(function)

    # What parameters receive

    def receive(self, changed: set[Any] | None) -> list[Change]:
        """What parameters now receive differently; `changed` limits where to look (None: everywhere)."""
        tables = self.evaluator.tables
        due = {
            (key[PLACE_FILE], key[FUNCTION_SCOPE])
            for key, needed in self.received_depends.items()
            if changed is not None and not needed.isdisjoint(changed)
        }
        found: list[Change] = []
        for index, scope in sorted(due | self.called_anew):
            places = list(self.callers[index, scope])
            counts = self.counts.setdefault((index, scope), [])
            if not counts or counts[-1][1] != len(places):
                counts.append((len(self.rounds), len(places)))
            for position, values in self.passed(self.files[index], scope, places):
                change = Change(RECEIVED, (index, scope, position), _NOWHERE, values)
                if tables.is_new(change):
                    found.append(change)
        self.called_anew = set()
        return found

    def passed(self, file: SourceFile, scope: int, places: list[Caller]) -> Iterator[tuple[int, Values]]:
        """What callers pass for each parameter that depends on them."""
        parameters = self.evaluator.parameters
        for position, row in enumerate(file.facts.parameters.get(scope, ())):
            receives = position == 0 and row.name and row.name == file.scopes[scope].receiver
            if receives or not parameters.is_followed(file, row):
                continue
            self.evaluator.start()
            values = parameters.passed(file, scope, position, row, places) if len(places) <= MOST_CALLERS else ()
            if self.evaluator.depends:
                self.received_depends[file.index, scope, position] = self.evaluator.depends
            if self.evaluator.is_cut:
                self.unsure.update((file.index, *(caller.file for caller in places)))
                self.note_mistake(file)
            yield position, values

    # What containers and objects hold

    def store(self, changed: set[Any] | None) -> list[Change]:
        """What is now stored differently; `changed` limits where to look (None: everywhere)."""
        found: list[Change] = []
        for file in self.files:
            found += [change for change in self.stores(file, changed) if self.evaluator.tables.is_new(change)]
        return found

    def stores(self, file: SourceFile, changed: set[Any] | None) -> list[Change]:
        """What one file stores, if that depends on what has changed (None: all of it)."""
        evaluator = self.evaluator
        found: list[Change] = []
        rows: list[tuple[int, Any, int]] = [*file.facts.items, *file.facts.members]
        for position, (holder, name, value) in enumerate(rows):
            store = (file.index, position)
            if changed is not None:
                needed = self.store_depends.get(store)
                if needed is None or needed.isdisjoint(changed):
                    continue
            evaluator.start()
            holders = evaluator.eval(file, holder)
            if holders:
                values = evaluator.eval(file, value)
                if values:
                    for each in holders:
                        for key in self.names_stored_under(file, each, name):
                            change = self.build_stored_change(store, each, key, values)
                            if change is not None:
                                found.append(change)
            if evaluator.depends:
                self.store_depends[store] = evaluator.depends
            if evaluator.is_cut:
                self.note_cut(file, "")
        return found

    def names_stored_under(self, file: SourceFile, holder: Value, name: Any) -> list[Any]:
        """The names that a computed key of an object is known to be; else the key as it is."""
        if holder[KIND] != OBJECT_AT or not isinstance(name, int) or not name:
            return [name]
        keys = self.evaluator.eval(file, name)
        texts = [each[SPELLING] for each in keys if each[KIND] == TEXT]
        return texts if texts and len(texts) == len(keys) else [name]

    def build_stored_change(self, store: tuple[int, int], holder: Value, name: Any, values: Values) -> Change | None:
        """The effect of storing values under a name or key on what holds them."""
        kind: int = holder[KIND]
        if kind in (INST, CLASS, FUNC, LITERAL_AT):
            values = self.evaluator.parameters.crossing(store[PLACE_FILE], holder[FILE], values)
            if not values:
                return None
        if kind == LITERAL_AT and isinstance(name, int):
            return Change(STORED_ITEM, (holder[FILE], holder[EXPRESSION]), store, values, name)
        if kind == OBJECT_AT and isinstance(name, int):
            return Change(STORED_MEMBER, ((holder[FILE], object_owner(holder[OWN_SCOPE])), INDEXED_AS), store, values)
        if isinstance(name, str) and kind in (INST, CLASS, FUNC, OBJECT_AT, MODULE):
            owner = (
                holder[MODULE_PATH]
                if kind == MODULE
                else (holder[FILE], object_owner(holder[OWN_SCOPE]) if kind == OBJECT_AT else holder[SYMBOL])
            )
            return Change(STORED_MEMBER, (owner, name), store, values)
        return None


def find_word(file: SourceFile, e: int) -> str:
    """The word that a place refers to something by; empty if it has none."""
    code = file.code
    if code[e] == op.CALL:
        e = code[e + op.CALLEE]
    if code[e] not in (op.NAME, op.ATTRIBUTE, op.PATH):
        return ""
    return file.rules.word_of(strip_marks(file.strings[op.find_name_word(code, e)]))
