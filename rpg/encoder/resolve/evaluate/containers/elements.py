"""Containers: elements, items, keys; the values of `for`, unpacking, indexing, `with` and `await`.

In: the container's values. Out: the values taken from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.languages.results import DISPATCHER
from rpg.encoder.resolve.values.flow_tables import Entry, object_owner
from rpg.encoder.resolve.values.held import held_by, held_in, hold
from rpg.encoder.resolve.values.values import (
    BOX,
    CLASS,
    CONTAINER,
    CONTENTS,
    EXPRESSION,
    EXTERNAL,
    FILE,
    FUNC,
    HELD,
    INDEXED_AS,
    INST,
    KEYED,
    KIND,
    LITERAL_AT,
    LITERAL_KIND,
    OBJECT_AT,
    OWN_NAME,
    OWN_SCOPE,
    PRIMITIVE,
    SPELLING,
    SYMBOL,
    TEXT,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.members.held_members import HeldMembers
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile

LARGEST: Final = 64
"""The most items of a display that are evaluated."""
_DEEPEST_SPREAD: Final = 3
_LONGEST_INDEX: Final = 9
"""Digits; Python refuses to convert thousands of them."""
_NAMING: Final = frozenset({op.NAME, op.ATTRIBUTE, op.PATH, op.TUPLE, op.SUBSCRIPT})
"""Operations that may name types."""
_ITERATED: Final[Value] = (EXTERNAL, "(iterated)")
_INDEXED: Final[Value] = (EXTERNAL, "(indexed)")
_ENTERED: Final[Value] = (EXTERNAL, "(entered)")
"""What an external base class yields in a loop, under an index or for `with`."""


class Containers:
    def __init__(
        self,
        evaluator: Context,
        annotations: Annotations,
        member_lookup: MemberLookup,
        classes: Classes,
        type_variables: TypeVariables,
        members: Members,
        held_members: HeldMembers,
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.member_lookup = member_lookup
        self.classes = classes
        self.type_variables = type_variables
        self.members = members
        self.held_members = held_members
        self.files = evaluator.files

    # Displays

    def entries(self, value: Value) -> tuple[list[Entry], bool]:
        """The entries of a display, including those stored later, and whether it has keys."""
        file = self.files[value[FILE]]
        code, e = file.code, value[EXPRESSION]
        operation = code[e]
        if operation == op.COMPREHENSION:
            keyed = code[e + op.YIELDED_VALUE] != 0
            key, held = (code[e + op.YIELDED], code[e + op.YIELDED_VALUE]) if keyed else (0, code[e + op.YIELDED])
            rows = [Entry(file.index, key, held)]
        elif operation == op.CALL:
            rows, keyed = self.made(file, e)
        else:
            keyed = operation == op.DICTIONARY
            count = min(code[e + op.ITEM_COUNT], LARGEST)
            if keyed:
                rows = [
                    Entry(file.index, code[e + op.ITEMS + 2 * i], code[e + op.ITEMS + 1 + 2 * i]) for i in range(count)
                ]
            else:
                rows = [Entry(file.index, 0, code[e + op.ITEMS + i]) for i in range(count)]
        rows += self.evaluator.tables.put_into(value[FILE], e)[:LARGEST]
        if operation != op.TUPLE:
            self.evaluator.depend_on((value[FILE], e))
        return rows, keyed

    def made(self, file: SourceFile, e: int) -> tuple[list[Entry], bool]:
        """The initial entries of a container made from another one, and whether it has keys."""
        code = file.code
        keyed = False
        if self.is_dispatcher(file, e):
            return [], True
        if code[code[e + op.CALLEE]] == op.NAME:
            made = file.rules.functions.get(file.strings[code[code[e + op.CALLEE] + op.WORD]])
            keyed = made is not None and made.detail in KEYED
        argument = code[e + op.ARGUMENTS] if code[e + op.ARGUMENT_COUNT] else 0
        rows: list[Entry] = []
        if code[argument] == op.LIST:
            for item in code[argument + op.ITEMS : argument + op.ITEMS + min(code[argument + op.ITEM_COUNT], LARGEST)]:
                if not keyed:
                    rows.append(Entry(file.index, 0, item))
                elif code[item] == op.LIST and code[item + op.ITEM_COUNT] > 1:
                    rows.append(Entry(file.index, code[item + op.ITEMS], code[item + op.ITEMS + 1]))
        elif argument:
            held = self.elements(self.evaluator.eval(file, argument))
            rows.append(Entry(file.index, 0, 0, self.item(held, 1) if keyed else held))
        return rows, keyed

    def is_dispatcher(self, file: SourceFile, e: int) -> bool:
        """Whether a call makes something that calls what is registered with it."""
        rules, callees = file.rules, self.evaluator.eval(file, file.code[e + op.CALLEE])
        if not rules.dispatching:
            return False
        names = [each[OWN_NAME] for each in callees if each[KIND] == EXTERNAL]
        return any(
            gives is not None and gives.what == DISPATCHER
            for name in names
            for gives in (rules.functions.get(name), rules.functions_by_last_part.get(name.rpartition(".")[2]))
        )

    def registered(self, value: Value, keys: Values | None) -> Values:
        """What is registered with a dispatcher, under some names or altogether."""
        return self.find_under(value, keys) if keys is not None else self.values_of(self.entries(value)[0])

    def is_exact(self, value: Value, keyed: bool) -> bool:
        """Whether the entries of a display are at known positions; anything stored later may be anywhere."""
        if keyed or self.files[value[FILE]].code[value[EXPRESSION]] in (op.COMPREHENSION, op.CALL):
            return False
        return not self.evaluator.tables.put_into(value[FILE], value[EXPRESSION])

    def values_of(self, rows: list[Entry]) -> Values:
        return union([self.held(row) for row in rows])

    def held(self, row: Entry) -> Values:
        return self.evaluator.eval(self.files[row.file], row.value) if row.value else row.values

    def elements(self, values: Values) -> Values:
        """What iterating over the values yields."""
        return union([self.element(value) for value in values])

    def element(self, value: Value) -> Values:
        kind: int = value[KIND]
        if kind == CONTAINER:
            if value[OWN_NAME] == "tuple":
                return union(list(value[CONTENTS]))
            if value[OWN_NAME] == "map":
                return ((CONTAINER, "tuple", value[CONTENTS]),)
            return value[CONTENTS][0] if value[OWN_NAME] in ("list", "dict", "query") and value[CONTENTS] else ()
        if kind == LITERAL_AT:
            return self.evaluator.compute_once(("e", value), self.element_of, value)
        if kind in (INST, OBJECT_AT):
            return self.iterated(value)
        if kind == EXTERNAL:
            return (self.unwrap(value),)
        if kind == FUNC:
            return self.elements(self.yielded(value))
        if kind == TEXT or (kind == PRIMITIVE and value[OWN_NAME] == "str"):
            return ((PRIMITIVE, "str"),)
        if kind == CLASS and self.evaluator.program.definition(value[FILE], value[SYMBOL]).kind == "enum":
            return ((INST, value[FILE], value[SYMBOL], (), False),)
        return ()

    def element_of(self, value: Value) -> Values:
        """What iterating over a display yields: its items, or its keys."""
        rows, keyed = self.entries(value)
        if keyed and self.files[value[FILE]].code[value[EXPRESSION]] == op.CALL:
            pairs = [(self.key_of(row) if row.key else (), self.held(row)) for row in rows]
            return union([((CONTAINER, "tuple", pair),) for pair in pairs])
        return union([self.key_of(row) for row in rows if row.key]) if keyed else self.values_of(rows)

    def yielded(self, function: Value) -> Values:
        """What a loop over a function gets, as a container: what the function passes to its only parameter."""
        file = self.files[function[FILE]]
        variables = self.type_variables
        rows = file.facts.parameters.get(file.definitions[function[SYMBOL]].scope, [])
        rows = rows[variables.shift(file, function) :]
        code, e = file.code, rows[0].annotation if len(rows) == 1 else 0
        if not file.rules.protocols.run_by_loops or code[e] != op.FUNCTION_TYPE or not code[e + op.PARAMETER_TYPES]:
            return ()
        typed = self.annotations.typed
        parts = tuple(typed(file, each) for each in op.items_of(code, code[e + op.PARAMETER_TYPES]))
        if len(parts) > 2:
            return ()
        held: Values = ((CONTAINER, "list" if len(parts) == 1 else "dict", parts),)
        return variables.solve(held, file, function, None, 0) if variables.mentions_variables(held) else held

    def iterated(self, value: Value) -> Values:
        underlying = self.classes.underlying(value) if value[KIND] == INST else ()
        if underlying:
            return self.elements(underlying)
        protocols = self.files[value[FILE]].rules.protocols
        for method, (step, member) in protocols.iterators.items():
            iterators = self.evaluator.method_result(value, method)
            if iterators:
                return union([self.step_iterator(iterator, step, member) for iterator in iterators])
        if protocols.iterates_itself:
            return self.step_iterator(value, protocols.iterates_itself, "") if value[KIND] == INST else ()
        if value[KIND] != INST:
            return ()
        if protocols.each and self.member_lookup.hit(value, protocols.each) is None:
            order = self.classes.order(value[FILE], value[SYMBOL])
            return (value,) if order.external or order.unknown else ()
        found = self.evaluator.method_result(value, protocols.item) if protocols.item else ()
        if not found and self.classes.order(value[FILE], value[SYMBOL]).external:
            return (_ITERATED,)
        return found

    def step_iterator(self, iterator: Value, step: str, member: str) -> Values:
        """What an iterator yields next: the result of its method, or a member of that result."""
        if iterator[KIND] not in (INST, OBJECT_AT):
            return self.element(iterator)
        step_result = self.await_values(self.evaluator.method_result(iterator, step))
        if not member:
            return union([each[CONTENTS][0] if is_box(each) else (each,) for each in step_result])
        return union([self.members.member_values(each, member) for each in step_result])

    def item(self, values: Values, index: int) -> Values:
        """The i-th part of an unpacking."""
        found: list[Values] = []
        for value in values:
            if value[KIND] == CONTAINER and value[OWN_NAME] == "tuple":
                if -len(value[CONTENTS]) <= index < len(value[CONTENTS]):
                    found.append(value[CONTENTS][index])
            elif value[KIND] == LITERAL_AT:
                rows, keyed = self.entries(value)
                exact = self.is_exact(value, keyed)
                if exact and -len(rows) <= index < len(rows):
                    found.append(self.values_of([rows[index]]))
                elif not exact:
                    found.append(self.element(value))
            elif value[KIND] == INST and self.is_record(value):
                found.append(self.record_item(value, index))
            elif value[KIND] == INST and self.files[value[FILE]].rules.protocols.matched:
                names = self.list_matched_fields(value)
                if names:
                    held = self.members.member_values(value, names[index]) if index < len(names) else ()
                    found.append(held)
                else:
                    found.append(self.element(value))
            else:
                found.append(self.element(value))
        return union(found)

    def is_record(self, value: Value) -> bool:
        """Whether an instance is matched or unpacked by its fields: a dataclass or a named tuple."""
        for file, index, _ in self.classes.order(value[FILE], value[SYMBOL]).entries:
            here = self.files[file]
            if "dataclass" in here.definitions[index].flags or self.classes.is_named_tuple(file, index):
                return True
        return False

    def record_item(self, value: Value, index: int) -> Values:
        """The i-th field."""
        names = self.record_fields(value)
        return self.members.member_values(value, names[index]) if -len(names) <= index < len(names) else ()

    def record_fields(self, value: Value) -> list[str]:
        """The names of the fields of a record in their order, base classes first."""
        names: list[str] = []
        for file, owner, _ in reversed(self.classes.order(value[FILE], value[SYMBOL]).entries):
            here = self.files[file]
            scope = here.definitions[owner].scope
            for definition in here.definitions:
                if (
                    definition.parent == owner
                    and definition.kind in ("field", "constant")
                    and here.binds(scope, definition.name)
                ):
                    names.append(definition.name)
        return names

    def list_matched_fields(self, value: Value) -> list[str]:
        """The names of the members that a pattern of a class matches by position."""
        for file, owner, _ in self.classes.order(value[FILE], value[SYMBOL]).entries:
            here = self.files[file]
            for row in here.rows(here.definitions[owner].scope, here.rules.protocols.matched):
                if here.code[row.value] in (op.LIST, op.TUPLE):
                    items = op.items_of(here.code, row.value)
                    return [here.strings[here.code[e + op.WORD]] for e in items if here.code[e] == op.STRING]
        return self.record_fields(value) if self.is_record(value) else []

    def subscript(self, values: Values, file: SourceFile, index: int, e: int = 0) -> Values:
        """`value[index]`; a display with a known key yields what is under that key. `e` is the whole expression, if
        there is one."""
        found: list[Values] = []
        keys: Values | None = None
        for value in values:
            kind: int = value[KIND]
            if file.code[index] == op.SLICE and kind in (LITERAL_AT, CONTAINER):
                found.append(self.slice_value(value, file, index))
            elif kind == LITERAL_AT:
                keys = self.evaluator.eval(file, index) if keys is None else keys
                found.append(self.find_under(value, keys))
            elif kind == CONTAINER:
                found.append(self.item_of_container(value, file, index))
            elif kind == INST and self.position(file, index) is not None and self.is_record(value):
                found.append(self.record_item(value, self.position(file, index) or 0))
            elif kind == INST:
                found.append(self.item_of_instance(value, file, index, e))
            elif kind == FUNC:
                # `f[T]` is the function; a loop runs it.
                found.append(
                    (value,) if e in file.facts.type_arguments else self.subscript(self.yielded(value), file, index)
                )
            elif kind == CLASS:
                if self.evaluator.program.definition(value[FILE], value[SYMBOL]).kind == "enum":
                    found.append(((INST, value[FILE], value[SYMBOL], (), False),))
                elif self.classes.variables(value[FILE], value[SYMBOL]):
                    found.append((self.annotations.add_type_arguments(value, file, index),))
                else:
                    found.append((value,))
            elif kind == OBJECT_AT:
                keys = self.evaluator.eval(file, index) if keys is None else keys
                for key in keys:
                    if key[KIND] == TEXT:
                        found.append(self.members.member_values(value, key[SPELLING]))
                if not keys or any(key[KIND] != TEXT for key in keys):
                    found.append(self.any_member(value))
                found.append(self.find_indexed(value))
            elif kind == EXTERNAL:
                # It may be a type with its arguments.
                named = file.code[index] in _NAMING
                found.append((hold(self.unwrap(value), held_in(self.evaluator.eval(file, index)) if named else ()),))
            elif kind == TEXT or (kind == PRIMITIVE and value[OWN_NAME] not in file.rules.types.containers):
                found.append((value,))
        return union(found)

    def unwrap(self, value: Value) -> Value:
        """What comes out of a value from outside: it holds also what is in what that held."""
        return hold(value, self.held_members.unwrap(held_by(value))) if len(value) > HELD else value

    def item_of_container(self, value: Value, file: SourceFile, index: int) -> Values:
        contents = value[CONTENTS]
        if value[OWN_NAME] in KEYED:
            under_key: Values = contents[1] if len(contents) > 1 else ()
            if under_key and under_key[0][KIND] == LITERAL_AT and self.is_constant(file, index):
                return under_key[1:]  # a list for one key is not that for all
            return under_key
        if value[OWN_NAME] == "tuple":
            position = self.position(file, index)
            is_known = position is not None and -len(contents) <= position < len(contents)
            return union([contents[position]] if is_known else list(contents))
        return (value,) if file.code[index] == 0 else self.element(value)

    def is_constant(self, file: SourceFile, index: int) -> bool:
        """Whether a key is written out: a text, a number, a member of a class."""
        code = file.code
        if code[index] in (op.ATTRIBUTE, op.PATH):
            return any(each[KIND] == CLASS for each in self.evaluator.eval(file, code[index + op.HOLDER]))
        return code[index] in (op.STRING, op.NUMBER)

    def item_of_instance(self, value: Value, file: SourceFile, index: int, e: int) -> Values:
        """What an object returns for an index: by its own method, or as what it is derived from does."""
        evaluator = self.evaluator
        item = self.files[value[FILE]].rules.protocols.item
        underlying = self.classes.underlying(value)
        if underlying:
            result = self.subscript(underlying, file, index)
        else:
            result = evaluator.method_result(value, item, file, e) if item else ()
        if not result and self.classes.is_typed_dict(value[FILE], value[SYMBOL]):
            result = self.find_declared_under(value, evaluator.eval(file, index))
        result = result or self.members.find_declared_for_any(value)
        if result:
            return result
        if self.classes.order(value[FILE], value[SYMBOL]).external:
            return (_INDEXED,)
        if file.rules.types.pointer_mark:
            has_method = bool(item) and self.member_lookup.hit(value, item) is not None
            return () if has_method else (value,)
        return ()

    def find_indexed(self, value: Value) -> Values:
        """What an object holds under unknown keys, or what its type declares for any key."""
        members = self.members.member_values(value, INDEXED_AS)
        return union([members, self.evaluator.stored_on((value[FILE], object_owner(value[OWN_SCOPE])), INDEXED_AS)])

    def slice_value(self, value: Value, file: SourceFile, index: int) -> Values:
        """A slice of a sequence; of a display with constant bounds, exactly those entries."""
        code = file.code
        if value[KIND] == CONTAINER and value[OWN_NAME] != "tuple":
            return (value,)
        bounds = [self.position(file, each) if each else None for each in code[index + op.START : index + op.STEP + 1]]
        exact = all(
            bound is not None or not each
            for bound, each in zip(bounds, code[index + op.START : index + op.STEP + 1], strict=True)
        )
        parts: list[Values]
        if value[KIND] == CONTAINER:
            parts = list(value[CONTENTS])
        else:
            rows, keyed = self.entries(value)
            exact = exact and self.is_exact(value, keyed)
            parts = [self.held(row) for row in rows]
        if exact and bounds[2] != 0:
            return ((CONTAINER, "tuple", tuple(parts[slice(*bounds)])),)
        return ((CONTAINER, "list", (union(parts),)),)

    def any_member(self, value: Value) -> Values:
        """Every member of an object literal."""
        file = self.files[value[FILE]]
        rows = file.of_object.get(value[OWN_SCOPE], [])[:LARGEST]
        return union([self.evaluator.eval(file, row.value) for row in rows if row.value])

    def values_in(self, value: Value) -> Values:
        """The values under any key."""
        if value[KIND] == OBJECT_AT:
            return union([self.any_member(value), self.find_indexed(value)])
        if value[KIND] == CONTAINER and value[OWN_NAME] in KEYED:
            return value[CONTENTS][1] if len(value[CONTENTS]) > 1 else ()
        return self.element(value)

    def position(self, file: SourceFile, index: int) -> int | None:
        code = file.code
        sign = 1
        if code[index] == op.OPERATION and file.strings[code[index + op.WORD]] == "unary-":
            index, sign = code[index + op.LEFT], -1
        if code[index] == op.NUMBER:
            text = file.strings[code[index + op.WORD]]
            return sign * int(text) if is_index(text) else None
        return None

    def find_under(self, value: Value, keys: Values, depth: int = 0) -> Values:
        """What is under one of the keys; under an unknown key, anything."""
        if not keys or any(key[KIND] != TEXT for key in keys):
            return self.evaluator.compute_once(("w", value), self.anything, value)
        return self.evaluator.compute_once(("u", value, keys, depth), self._under, value, keys, depth)

    def anything(self, value: Value) -> Values:
        """Every entry of a display."""
        return self.values_of(self.entries(value)[0])

    def _under(self, value: Value, texts: Values, depth: int) -> Values:
        rows, keyed = self.entries(value)
        if self.is_exact(value, keyed):
            # `rows` has the first items alone of a display that is longer than LARGEST.
            file, code = value[FILE], self.files[value[FILE]].code
            items = value[EXPRESSION] + op.ITEMS
            count = code[value[EXPRESSION] + op.ITEM_COUNT]
            chosen = []
            for key in texts:
                if key[LITERAL_KIND] == op.NUMBER and is_index(key[SPELLING]) and int(key[SPELLING]) < count:
                    chosen.append(Entry(file, 0, code[items + int(key[SPELLING])]))
                else:
                    chosen += rows
            return self.values_of(list(dict.fromkeys(chosen)))
        wanted = set(texts)
        found: list[Values] = []
        for row in rows:
            if not row.key:
                if not row.value:
                    found.append(self.held(row))
                elif depth < _DEEPEST_SPREAD:
                    spread = self.held(row)
                    found += [self.find_under(inner, texts, depth + 1) for inner in spread if inner[KIND] == LITERAL_AT]
                continue
            known = self.key_of(row)
            if not known or any(each[KIND] != TEXT or each in wanted for each in known):
                found.append(self.held(row))
        return union(found)

    def find_declared_under(self, value: Value, keys: Values) -> Values:
        """What a class declares for keys of its instances, which are dictionaries."""
        members = self.members
        return union([members.member_values(value, key[SPELLING]) for key in keys if key[KIND] == TEXT])

    def key_of(self, row: Entry) -> Values:
        return self.evaluator.eval(self.files[row.file], row.key)

    # Protocols

    def enter_contexts(self, values: Values) -> Values:
        """What `with` binds."""
        found: list[Values] = []
        for value in values:
            if value[KIND] == CONTAINER and value[OWN_NAME] == "context":
                found.append(value[CONTENTS][0])
            elif value[KIND] == INST:
                protocols = self.files[value[FILE]].rules.protocols
                result = self.evaluator.method_result(value, protocols.enter) if protocols.enter else ()
                if not result and protocols.enter_waiting:
                    result = self.await_values(self.evaluator.method_result(value, protocols.enter_waiting))
                if not result and self.classes.order(value[FILE], value[SYMBOL]).external:
                    result = (_ENTERED,)
                found.append(result)
            else:
                found.append((value,))
        return union(found)

    def result_of(self, generator: Value) -> Values:
        """The result of `yield from` or `await` on a generator: its declared return value."""
        if generator[KIND] == CONTAINER and generator[OWN_NAME] == "list" and len(generator[CONTENTS]) > 2:
            returned: Values = generator[CONTENTS][2]
            return returned
        return self.element(generator)

    def await_values(self, values: Values) -> Values:
        found: list[Values] = []
        for value in values:
            if value[KIND] == CONTAINER and value[OWN_NAME] == "coroutine":
                found.append(value[CONTENTS][0] if value[CONTENTS] else ())
            elif value[KIND] == INST:
                method = self.files[value[FILE]].rules.protocols.await_
                waits = bool(method) and self.member_lookup.find(value[FILE], value[SYMBOL], method) is not None
                waits = waits or self.classes.order(value[FILE], value[SYMBOL]).external
                awaits = self.evaluator.method_result(value, method) if waits and method else ()
                found.append(union([self.result_of(each) for each in awaits]) if waits else (value,))
            else:
                found.append((self.unwrap(value) if value[KIND] == EXTERNAL else value,))
        return union(found)


def is_box(value: Value) -> bool:
    """Whether it holds one value or none."""
    return bool(value[KIND] == CONTAINER and value[OWN_NAME] == BOX)


def is_index(text: str) -> bool:
    """Whether a number, as it is written, is a position in a list."""
    return text.isdecimal() and len(text) <= _LONGEST_INDEX
