"""One file's facts with the tables that lookups need.

In: facts, and the rules of their language. Out: the lookups that a single file can answer. Other files are not known.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from typing import Any, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    BLOCK_END,
    BLOCK_WORDS,
    CALLED,
    CONSTANT,
    CREATED,
    IS_LOOP,
    ROLE,
    RUN,
    SITE_WORDS,
    Binding,
    FileFacts,
    aliases,
)
from rpg.encoder.languages import BY_NAME, Rules
from rpg.encoder.resolve.program.contextual_typing import Context, contexts_of
from rpg.encoder.resolve.values.values import SPREAD, Values
from rpg.graph import CLASS_KINDS

AS_TYPE: Final = 1 << 31
"""Added to the number of an expression, it gives the number of the type that the expression describes."""
SHORTEST: Final = 3
"""The least length of an expression that is worth caching."""

Row = Binding
"""A binding as flow needs it: found by its scope and name."""

ANY: Final = 0
FIELDS: Final = 1
METHODS: Final = 2
"""The namespaces of members, see `Rules.member_spaces`."""
_ATTRIBUTES: Final = frozenset({"field", "property"})
_CALLED: Final = frozenset({"method", "function"})

MOST_OVERLOADS: Final = 250
"""Overloads of one name. If there are more, it is unknown which one is meant: trying each at each call would cost the
square of their number."""
TOO_MANY_OVERLOADS: Final = f"a name has more than {MOST_OVERLOADS} overloads"
_MANY: Final = 512
_AROUND: Final = 16
"""If one name has more bindings in one scope than this, only this many before and after a place are considered."""


class SourceFile:
    """One file's facts with the tables that lookups need, built on first use."""

    def __init__(self, index: int, facts: FileFacts, rules: Rules, base: int) -> None:
        self.index = index
        self.facts = facts
        self.path = facts.path
        self.in_test = rules.is_test_code(facts.path, facts.definitions)
        self.is_text = BY_NAME[facts.language].is_text
        self.rules = rules
        self.code = facts.code
        self.strings = facts.strings
        self.definitions = facts.definitions
        self.scopes = facts.scopes
        self.blocks = facts.blocks
        self.base = base
        """Added to an expression's offset, it gives a number that is unique in the repository."""
        self.known: list[Values | None] = [None] * (len(facts.code) // SHORTEST + 1)
        """Values of expressions that hold in every round, by offset divided by the least length of an expression."""
        self.imported_files: dict[int, tuple[str, ...] | None] = {}
        """What imports name, by their index; see `Modules.files`."""
        self.closures: dict[tuple[int, str], list[Row]] = {}
        self._overloaded: dict[tuple[int, str], bool] = {}
        """(scope, name) with many bindings -> whether each is a symbol."""
        self._loops: list[tuple[int, int]] | None = None
        self._lambdas: list[tuple[int, int]] | None = None
        self._stars: list[int] | None = None
        self._assigned_members: dict[tuple[int, int, str], list[int]] | None = None
        self._merged: dict[tuple[int, int], list[int]] | None = None
        self._run: dict[int, int] | None = None
        self._sited: set[int] | None = None
        self._member_calls: list[int] | None = None
        self._calls_of_members: dict[int, int] | None = None
        self._creations: set[int] | None = None
        self._contexts: dict[int, Context] | None = None
        self._followed_by_types: set[int] | None = None
        self._specialised: dict[int, list[int]] | None = None
        self._offering: set[int] | None = None
        self._class_of_scope: dict[int, int] | None = None
        self._owners: frozenset[str] | None = None
        self._class_names: set[str] | None = None
        self._class_starts: list[tuple[int, int]] | None = None
        self._platform: str | None = None
        self._children: dict[str, int | list[int]] | None = None
        """By name; those of several parents in their order."""
        self._named_in: dict[int, set[str]] | None = None
        self._of_object: dict[int, list[Row]] | None = None
        self._rows: dict[str, Row | dict[int, Row | list[Row]]] | None = None
        """By name, then by scope: most names are bound once in a file, and nearly all others once in a scope."""
        self._namespaces: dict[tuple[int, str], list[Row]] = {}
        """By scope and name, if the name has several bindings there."""

    @property
    def platform(self) -> str:
        """See `Rules.platform`."""
        if self._platform is None:
            self._platform = self.rules.platform(self.path)
        return self._platform

    def forget(self) -> None:
        """See `Fixpoint.forget_all`."""
        self.known = [None] * len(self.known)

    def rows(self, scope: int, name: str) -> list[Row]:
        """The bindings of a name in a scope, in document order."""
        if self._rows is None:
            self._rows = self._make_rows()
        found = self._rows.get(name)
        if found is None:
            return []
        if isinstance(found, Row):
            return [found] if found.scope == scope else []
        here = found.get(scope)
        if here is None:
            return []
        return [here] if isinstance(here, Row) else here

    def only_row(self, scope: int, name: str) -> Row | None:
        """The only binding of a name in a scope; None if there is none or several."""
        if self._rows is None:
            self._rows = self._make_rows()
        found = self._rows.get(name)
        if found is None:
            return None
        if isinstance(found, Row):
            return found if found.scope == scope else None
        here = found.get(scope)
        return here if isinstance(here, Row) else None

    def binds(self, scope: int, name: str) -> bool:
        """Whether a scope binds a name."""
        return len(self.rows(scope, name)) > 0

    def _make_rows(self) -> dict[str, Row | dict[int, Row | list[Row]]]:
        rows: dict[str, Row | dict[int, Row | list[Row]]] = {}
        for row in self.facts.bindings:
            known = rows.get(row.name)
            if known is None:
                rows[row.name] = row
                continue
            if isinstance(known, Row):
                known = rows[row.name] = {known.scope: known}
            here = known.get(row.scope)
            if here is None:
                known[row.scope] = row
            elif isinstance(here, Row):
                known[row.scope] = [here, row]
            else:
                here.append(row)
        return rows

    @property
    def of_object(self) -> dict[int, list[Row]]:
        """Bindings by the object literal or object type that contains them."""
        if self._of_object is None:
            self._of_object = self._make_of_object()
        return self._of_object

    def _make_of_object(self) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = {}
        for row in self.facts.bindings:
            if self.scopes[row.scope].kind == "object":
                found.setdefault(row.scope, []).append(row)
        return found

    def children(self, parent: int, name: str) -> list[int]:
        """The definitions of a name directly in another one, except those of types defined elsewhere."""
        if self._children is None:
            self._children = self._make_children()
        found = self._children.get(name)
        if found is None:
            return []
        if isinstance(found, list):
            start = bisect_left(found, parent, key=self._parent_of)
            return found[start : bisect_right(found, parent, start, key=self._parent_of)]
        return [found] if self._parent_of(found) == parent else []

    def _make_children(self) -> dict[str, int | list[int]]:
        children: dict[str, int | list[int]] = {}
        for index, definition in enumerate(self.definitions):
            if index and not definition.owner:
                _add(children, definition.name, index)
                for alias in aliases(definition) if definition.flags else ():
                    _add(children, alias, index)
        for found in children.values():
            if isinstance(found, list):
                found.sort(key=self._parent_of)
        return children

    @property
    def named_in(self) -> dict[int, set[str]]:
        """Definition -> the names of what is defined directly in it, bound in its scope or assigned to its members."""
        if self._named_in is None:
            self._named_in = self._make_named_in()
        return self._named_in

    def _make_named_in(self) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        for definition in self.definitions:
            if not definition.owner:
                names = found.setdefault(definition.parent, set())
                names.add(definition.name)
                if definition.flags:
                    names.update(aliases(definition))
        of_scope = self.class_of_scope
        for row in self.facts.bindings:
            if row.scope in of_scope:
                found.setdefault(of_scope[row.scope], set()).add(row.name)
        for kind, index, name in self.assigned_members:
            if kind:
                found.setdefault(index, set()).add(name)
        return found

    def _parent_of(self, index: int) -> int:
        return self.definitions[index].parent

    @property
    def class_of_scope(self) -> dict[int, int]:
        """Class scope -> its definition."""
        if self._class_of_scope is None:
            self._class_of_scope = self._make_class_of_scope()
        return self._class_of_scope

    def _make_class_of_scope(self) -> dict[int, int]:
        return {each.scope: index for index, each in enumerate(self.definitions) if each.scope >= 0}

    @property
    def owners(self) -> frozenset[str]:
        """The full names of what has members that the file defines outside it."""
        if self._owners is None:
            self._owners = frozenset([each.owner for each in self.definitions])
        return self._owners

    @property
    def contexts(self) -> dict[int, Context]:
        """Scope of a function or object literal -> its place, if that determines what it receives."""
        if self._contexts is None:
            self._contexts = contexts_of(self.facts)
        return self._contexts

    @property
    def member_calls(self) -> list[int]:
        """Calls whose callee is a member."""
        if self._member_calls is None:
            self._member_calls = self._make_member_calls()
        return self._member_calls

    @property
    def calls_of_members(self) -> dict[int, int]:
        """Callee that is a member -> its call."""
        if self._calls_of_members is None:
            self._calls_of_members = {self.code[each + op.CALLEE]: each for each in self.member_calls}
        return self._calls_of_members

    @property
    def creations(self) -> set[int]:
        """Calls that are written as creations: `new Cart()`."""
        if self._creations is None:
            sites = self.facts.sites
            self._creations = {sites[at] for at in range(0, len(sites), SITE_WORDS) if sites[at + ROLE] == CREATED}
        return self._creations

    def _make_member_calls(self) -> list[int]:
        code, sites = self.code, self.facts.sites
        calls = [sites[at] for at in range(0, len(sites), SITE_WORDS) if sites[at + ROLE] in (CALLED, RUN)]
        return [
            each for each in calls if code[each] == op.CALL and code[code[each + op.CALLEE]] in (op.ATTRIBUTE, op.PATH)
        ]

    @property
    def run(self) -> dict[int, int]:
        """Expression -> the call that runs it through a method of functions (`f.call(x)`)."""
        if self._run is None:
            self._run = self._make_run()
        return self._run

    def _make_run(self) -> dict[int, int]:
        code, strings, running = self.code, self.strings, self.rules.methods.run
        if running.isdisjoint(strings):
            return {}
        callees = self.calls_of_members
        return {code[e + op.HOLDER]: call for e, call in callees.items() if strings[code[e + op.MEMBER]] in running}

    @property
    def sited(self) -> set[int]:
        """Expressions with a site of their own, which a variable has not in every language."""
        if self._sited is None:
            sites = self.facts.sites
            self._sited = {sites[at] for at in range(0, len(sites), SITE_WORDS)}
        return self._sited

    @property
    def offering(self) -> set[int]:
        """Expressions whose members are named by convention, or in a string."""
        if self._offering is None:
            code, sites = self.code, self.facts.sites
            named = (sites[at] for at in range(0, len(sites), SITE_WORDS) if code[sites[at]] == op.ATTRIBUTE)
            self._offering = {code[e + op.HOLDER] for e in named}
        return self._offering

    @property
    def followed_by_types(self) -> set[int]:
        """The `f` of each callee `f[T]`, which is a function with a type, or an element of a container."""
        if self._followed_by_types is None:
            code = self.code
            self._followed_by_types = {
                code[e + op.HOLDER] for e in self.facts.type_arguments if code[e] == op.SUBSCRIPT
            }
        return self._followed_by_types

    @property
    def specialised(self) -> dict[int, list[int]]:
        """What generic functions are for certain type arguments -> these."""
        if self._specialised is None:
            code, types = self.code, self.facts.type_arguments
            self._specialised = {code[e + op.DEFINED]: types[e] for e in types if code[e] == op.DEFINITION}
        return self._specialised

    @property
    def assigned_members(self) -> dict[tuple[int, int, str], list[int]]:
        """What the file itself assigns to members of its objects and functions: (0, object scope, name) or (1,
        definition, name) -> values."""
        if self._assigned_members is None:
            self._assigned_members = self._make_assigned_members()
        return self._assigned_members

    def _make_assigned_members(self) -> dict[tuple[int, int, str], list[int]]:
        found: dict[tuple[int, int, str], list[int]] = {}
        code = self.code
        for holder, name, value in self.facts.members:
            if code[holder] != op.NAME or code[value] != op.DEFINITION:
                continue
            scope = op.binding_scope(code[holder + op.BINDER])
            rows = self.rows(scope, self.strings[code[holder + op.WORD]]) if scope >= 0 else []
            if len(rows) == 1 and code[rows[0].value] == op.OBJECT:
                found.setdefault((0, code[rows[0].value + op.SCOPE], name), []).append(value)
            elif len(rows) == 1 and code[rows[0].value] == op.DEFINITION:
                found.setdefault((1, code[rows[0].value + op.DEFINED], name), []).append(value)
        return found

    @property
    def merged(self) -> dict[tuple[int, int], list[int]]:
        """What the file itself copies into its objects and functions: (0, object scope) or (1, definition) -> what all
        members are copied from."""
        if self._merged is None:
            self._merged = self._make_merged()
        return self._merged

    def _make_merged(self) -> dict[tuple[int, int], list[int]]:
        found: dict[tuple[int, int], list[int]] = {}
        code = self.code
        for holder, name, value in self.facts.members:
            if name != SPREAD or code[holder] != op.NAME:
                continue
            scope = op.binding_scope(code[holder + op.BINDER])
            rows = self.rows(scope, self.strings[code[holder + op.WORD]]) if scope >= 0 else []
            if len(rows) == 1 and code[rows[0].value] == op.OBJECT:
                found.setdefault((0, code[rows[0].value + op.SCOPE]), []).append(value)
            elif len(rows) == 1 and code[rows[0].value] == op.DEFINITION:
                found.setdefault((1, code[rows[0].value + op.DEFINED]), []).append(value)
        return found

    @property
    def stars(self) -> list[int]:
        """Imports that bind whatever the module exports."""
        if self._stars is None:
            self._stars = self._make_stars()
        return self._stars

    def _make_stars(self) -> list[int]:
        return [index for index, each in enumerate(self.facts.imports) if each.kind == "star"]

    def within(self, block: int, byte: int) -> bool:
        return self.blocks[BLOCK_WORDS * block] <= byte < self.blocks[BLOCK_WORDS * block + BLOCK_END]

    def reaching(self, scope: int, name: str, byte: int, in_flow: bool) -> list[Row]:
        """The bindings that a read at `byte` can see; a namespace is seen beside what else has its name."""
        found = self.nearest(scope, name, byte, in_flow)
        if not found or not self.rules.namespaces_merge:
            return found
        namespaces = self.namespaces(scope, name)
        if len(namespaces) > _MANY:
            namespaces = _near(namespaces, byte)
        return [*(row for row in namespaces if row not in found), *found] if namespaces else found

    def namespaces(self, scope: int, name: str) -> list[Row]:
        """The namespaces among several bindings of a name, looked for once and not at each read."""
        rows = self.rows(scope, name)
        if len(rows) < 2:
            return []
        known = self._namespaces.get((scope, name))
        if known is None:
            known = self._namespaces[scope, name] = [row for row in rows if self.binds_namespace(row)]
        return known

    def binds_namespace(self, row: Row) -> bool:
        return bool(self.code[row.value] == op.DEFINITION and self.is_namespace(self.code[row.value + op.DEFINED]))

    def is_namespace(self, index: int) -> bool:
        return "namespace" in self.definitions[index].flags

    def nearest(self, scope: int, name: str, byte: int, in_flow: bool) -> list[Row]:
        """In the flow of the scope itself, the nearest preceding binding that is sure to run hides those before it; a
        loop also brings bindings from further down in it. A closure sees what the scope ends with: the last definition
        or import if that is the last binding, else everything that is ever assigned.
        """
        rows = self.rows(scope, name)
        if not rows:
            return []
        if len(rows) == 1 and rows[0].kind != "narrow":
            return rows
        if self.rules.overloads != "none":
            if len(rows) > MOST_OVERLOADS and self.is_overloaded(scope, name, rows):
                return []
            if all(self.names_symbol(row) for row in rows):
                return rows
        if len(rows) > _MANY:
            known = None if in_flow else self.closures.get((scope, name))
            if known is not None:
                return known
            if in_flow:
                rows = _near(rows, byte)
        values = [row for row in rows if row.kind != "type"]
        if values and len(values) < len(rows):
            rows = values
            if len(rows) == 1:
                return rows
        if not in_flow:
            return self.find_at_end(scope, name, rows)
        seen: list[Row] = []
        for row in rows:
            if row.byte <= byte:
                if row.kind == "narrow" and not self.within(row.block, byte):
                    continue
                if row.kind == "annotation":
                    continue
                if seen and row.kind != "weak" and self.within(row.block, byte):
                    seen.clear()
                seen.append(row)
            elif row.kind != "narrow" and self.is_in_loop_with(row, byte):
                seen.append(row)
        return seen or [row for row in rows if row.kind != "narrow"]

    def types(self, scope: int, name: str) -> list[Row]:
        """The type-only bindings of a name, if it also has bindings as a value."""
        rows = self.rows(scope, name)
        return [row for row in rows if row.kind == "type"] if len(rows) > 1 else []

    def visible(self, scope: int, name: str, byte: int, in_flow: bool) -> tuple[int, list[Row]]:
        """`reaching`; from the enclosing scope if a class body reads a name that it binds only further down."""
        rows = self.reaching(scope, name, byte, in_flow)
        if in_flow and rows and self.scopes[scope].kind == "class" and rows[0].byte > byte:
            around = self.scopes[scope].parent
            while around >= 0:
                if self.scopes[around].kind != "class" and self.binds(around, name):
                    return around, self.reaching(around, name, byte, around == 0)
                around = self.scopes[around].parent
        return scope, rows

    def is_in_loop_with(self, row: Row, byte: int) -> bool:
        """Whether a later binding can reach an earlier read through a loop."""
        return any(start <= byte < end and start <= row.byte <= end for start, end in self.loops)

    @property
    def loops(self) -> list[tuple[int, int]]:
        if self._loops is None:
            self._loops = self._make_loops()
        return self._loops

    def _make_loops(self) -> list[tuple[int, int]]:
        blocks = self.blocks
        return [
            (blocks[at], blocks[at + BLOCK_END]) for at in range(0, len(blocks), BLOCK_WORDS) if blocks[at + IS_LOOP]
        ]

    def is_in_lambda(self, byte: int) -> bool:
        """Whether a place is in a function without a name: some languages let whoever runs it say what its receiver
        is."""
        if self._lambdas is None:
            self._lambdas = self._make_lambdas()
        at = bisect_right(self._lambdas, (byte, sys.maxsize)) - 1
        return at >= 0 and byte < self._lambdas[at][1]

    def _make_lambdas(self) -> list[tuple[int, int]]:
        """The outermost ones, which do not overlap: where each begins and ends."""
        found: list[tuple[int, int]] = []
        for start, end in sorted((each.start_byte, each.end_byte) for each in self.scopes if each.kind == "lambda"):
            if not found or start >= found[-1][1]:
                found.append((start, end))
        return found

    def find_at_end(self, scope: int, name: str, rows: list[Row]) -> list[Row]:
        known = self.closures.get((scope, name))
        if known is not None:
            return known
        rows = [row for row in rows if row.kind != "narrow"]
        end = self.scopes[scope].end_byte - 1
        last = rows[-1] if rows else None
        if last is not None and self.within(last.block, end) and self.names_symbol(last):
            rows = [last]
        else:
            rows = [row for row in rows if row.value or len(rows) == 1]
        self.closures[scope, name] = rows
        return rows

    def is_overloaded(self, scope: int, name: str, rows: list[Row]) -> bool:
        """Whether each of many bindings of a name is a symbol."""
        known = self._overloaded.get((scope, name))
        if known is None:
            known = self._overloaded[scope, name] = all(self.names_symbol(row) for row in rows)
        return known

    def has_too_many_overloads(self, scope: int, name: str) -> bool:
        return self._overloaded.get((scope, name), False)

    def names_symbol(self, row: Row) -> bool:
        return row.value != 0 and self.code[row.value] in (op.DEFINITION, op.IMPORT, op.IMPORTED)

    def defines_class(self, qualified_name: str) -> bool:
        if self._class_names is None:
            self._class_names = {each.qualified_name for each in self.definitions if each.kind in CLASS_KINDS}
        return qualified_name in self._class_names

    def classes_around(self, byte: int) -> list[int]:
        """The classes whose bodies a place is in, from the innermost."""
        if self._class_starts is None:
            classes = ((each.start_byte, i) for i, each in enumerate(self.definitions) if each.kind in CLASS_KINDS)
            self._class_starts = sorted(classes)
        at = bisect_right(self._class_starts, (byte, len(self.definitions)))
        index = self._class_starts[at - 1][1] if at else 0
        found: list[int] = []
        while index > 0:
            definition = self.definitions[index]
            if definition.kind in CLASS_KINDS and definition.body_byte <= byte < definition.end_byte:
                found.append(index)
            index = definition.parent
        return found

    def members_named(self, parent: int, name: str, space: int = ANY) -> list[int]:
        """Definitions of that name directly in a definition, as a use of the name means them: for overloads the
        implementation, for accessors the getter, for plain redefinitions the last, for conditional ones all."""
        found = self.children(parent, name)
        if space and found:
            found = [index for index in found if self.is_in_space(index, space)]
        return self.filter_used_by_name(found) if len(found) > 1 else found

    def is_in_space(self, index: int, space: int) -> bool:
        """Whether a member has a name in one of the namespaces of `Rules.member_spaces`. The variants of an enum
        are called like methods."""
        definition = self.definitions[index]
        if definition.flags and any(flag.endswith(CONSTANT) for flag in definition.flags):
            return False
        if definition.kind in _ATTRIBUTES:
            return space == FIELDS or self.definitions[definition.parent].kind == "enum"
        if definition.kind == "type" and self.rules.member_spaces == "named by types":
            return space == METHODS
        return definition.kind not in _CALLED or space == METHODS

    def filter_used_by_name(self, found: list[int]) -> list[int]:
        if self.rules.overloads != "none":
            return found
        for flag in ("overload", "setter"):
            kept = [index for index in found if flag not in self.definitions[index].flags]
            found = kept or found
        if len(found) > 1:
            rows = self.rows(self.scopes_around(found[0]), self.definitions[found[0]].name)
            blocks = {self.find_defined_by(row, found): row.block for row in rows if row.value}
            last = blocks.get(found[-1], 0)
            found = [index for index in found if index == found[-1] or blocks.get(index, last) != last]
        return found

    def find_defined_by(self, row: Row, among: list[int]) -> int:
        """Which of some definitions a binding is of: itself, or the one with its value; -1: none of them."""
        if self.code[row.value] == op.DEFINITION:
            return self.code[row.value + op.DEFINED]
        byte = self.code[row.value + op.BYTE]
        spans = ((each, self.definitions[each]) for each in among)
        return next((each for each, here in spans if here.start_byte <= byte < here.end_byte), -1)

    def scopes_around(self, definition: int) -> int:
        parent = self.definitions[definition].parent
        return self.definitions[parent].scope if parent >= 0 else 0


def _add(table: dict[str, Any], name: str, each: Any) -> None:
    """Adds to the entries of a name: most names occur once in a file and need no list."""
    known = table.get(name)
    if known is None:
        table[name] = each
    elif isinstance(known, list):
        known.append(each)
    else:
        table[name] = [known, each]


def _near(rows: list[Row], byte: int) -> list[Row]:
    """The bindings around a place, from many in document order: a read of a name that is bound thousands of times must
    not cost more than one of a name that is bound often."""
    start, end = 0, len(rows)
    while start < end:
        middle = (start + end) >> 1
        if rows[middle].byte <= byte:
            start = middle + 1
        else:
            end = middle
    return rows[max(0, start - _AROUND) : start + _AROUND]
