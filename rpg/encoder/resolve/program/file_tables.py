"""The tables of one file's facts that lookups need, built on first use.

In: facts, and the rules of their language. Out: bindings by scope and name, definitions by parent and name, sites by
what they are. Which of several bindings a place means is in source_file.py.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    CALLED,
    CREATED,
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

SHORTEST: Final = 3
"""The least length of an expression that is worth caching."""

Row = Binding
"""A binding as flow needs it: found by its scope and name."""


class FileTables:
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


def _add(table: dict[str, Any], name: str, each: Any) -> None:
    """Adds to the entries of a name: most names occur once in a file and need no list."""
    known = table.get(name)
    if known is None:
        table[name] = each
    elif isinstance(known, list):
        known.append(each)
    else:
        table[name] = [known, each]
