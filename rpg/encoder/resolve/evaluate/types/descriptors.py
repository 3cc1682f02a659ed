"""Methods that are read like attributes because a decorator turns them into a descriptor: an alias of `property`, or a
repository class whose `__get__` calls the function that it was passed.

In: a method with decorators. Out: whether reading it runs it. The decorator's name does not matter here; methods under
a decorator known by name are already `property` definitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import BUILTIN, CLASS, EXTERNAL, FILE, INST, KIND, OWN_NAME, SYMBOL, Value
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.receivers import Receivers
    from rpg.encoder.resolve.program.source_file import SourceFile
    from rpg.encoder.resolve.values.mro import Owner

_MAKING: Final = frozenset((op.CALL, op.NAME, op.ATTRIBUTE))
"""Operations that may make a descriptor."""
_MOST: Final = 12
"""The most expressions followed for one result of a `__get__`."""


class Descriptors:
    def __init__(self, evaluator: Context, member_lookup: MemberLookup, receivers: Receivers) -> None:
        self.evaluator = evaluator
        self.member_lookup = member_lookup
        self.receivers = receivers
        self.files = evaluator.files
        self.known: dict[Owner, bool] = {}
        """Method -> whether reading it runs it."""
        self.methods: dict[tuple[int, int, str], tuple[Owner, ...]] = {}
        """Definition and name -> see `run_by`."""
        self.getters: dict[Owner, bool] = {}
        """Class -> whether its instances run a function that they hold."""

    def run_by(self, definition: Owner, name: str) -> tuple[Owner, ...]:
        """The methods of that name (`__get__`) which reading, writing or deleting an attribute of a class runs."""
        key = (*definition, name)
        known = self.methods.get(key)
        if known is None:
            self.methods[key] = ()
            found: list[Owner] = []
            for value in self.held(definition):
                hit = self.member_lookup.find(value[FILE], value[SYMBOL], name)
                found += hit.definitions if hit is not None else ()
            known = self.methods[key] = tuple(dict.fromkeys(found))
        return known

    def held(self, definition: Owner) -> Iterator[Value]:
        """The objects that an attribute of a class holds, or that a decorator made of a method, by their classes."""
        file = self.files[definition[OWNER_FILE]]
        here = file.definitions[definition[OWNER_SYMBOL]]
        parent = file.definitions[here.parent] if here.parent > 0 else None
        if parent is None or parent.kind not in CLASS_KINDS:
            return
        decorators = file.facts.decorators.get(definition[OWNER_SYMBOL])
        if decorators:
            yield from (each for each in self.evaluator.eval(file, decorators[0]) if each[KIND] == CLASS)
        elif here.kind in ("constant", "field"):
            for row in file.rows(parent.scope, here.name):
                if row.value and file.code[row.value] in _MAKING:
                    yield from (each for each in self.evaluator.eval(file, row.value) if each[KIND] == INST)

    def is_read(self, definition: Owner) -> bool:
        """Whether reading a method of an instance evaluates to its result."""
        decorators = self.files[definition[OWNER_FILE]].facts.decorators.get(definition[OWNER_SYMBOL])
        if not decorators:
            return False
        known = self.known.get(definition)
        if known is None:
            self.known[definition] = False
            file = self.files[definition[OWNER_FILE]]
            made = self.evaluator.eval(file, decorators[0])
            known = self.known[definition] = any(self.makes_getter(file, value) for value in made)
        return known

    def makes_getter(self, file: SourceFile, decorator: Value) -> bool:
        if decorator[KIND] in (BUILTIN, EXTERNAL):
            return decorator[OWN_NAME].rpartition(".")[2] in file.rules.decorators.getters
        return decorator[KIND] == CLASS and self.runs_what_it_holds((decorator[FILE], decorator[SYMBOL]))

    def runs_what_it_holds(self, owner: Owner) -> bool:
        """Whether a class's `__get__` returns the result of calling one of its own fields."""
        known = self.getters.get(owner)
        if known is None:
            get = self.files[owner[OWNER_FILE]].rules.protocols.get
            hit = self.member_lookup.find(*owner, get) if get else None
            known = self.getters[owner] = any(
                self.returns_call_of_field(self.files[file], index)
                for file, index in (hit.definitions if hit is not None else ())
            )
        return known

    def returns_call_of_field(self, file: SourceFile, index: int) -> bool:
        code, scope = file.code, file.definitions[index].scope
        pending = list(file.facts.returns.get(scope, ()))
        seen = set(pending)
        while pending and len(seen) <= _MOST:
            e = pending.pop()
            more: list[int] = []
            if code[e] == op.CALL and self.is_field(file, scope, code[e + op.CALLEE]):
                return True
            if code[e] == op.UNION:
                more = list(op.items_of(code, e))
            elif code[e] == op.NAME and code[e + op.BINDER] == scope:
                rows = file.reaching(scope, file.strings[code[e + op.WORD]], code[e + op.BYTE], True)
                more = [row.value for row in rows if row.value]
            pending += [each for each in more if each not in seen]
            seen.update(more)
        return False

    def is_field(self, file: SourceFile, scope: int, e: int) -> bool:
        """Whether an expression reads a field of the receiver, not a method."""
        code = file.code
        if code[e] not in (op.ATTRIBUTE, op.PATH):
            return False
        holder = code[e + op.HOLDER]
        receiver = file.scopes[scope].receiver
        if code[holder] != op.NAME or not receiver or file.strings[code[holder + op.WORD]] != receiver:
            return False
        for value in self.receivers.receiver(file, scope):
            hit = self.member_lookup.hit(value, file.strings[code[e + op.MEMBER]])
            if hit is not None:
                kinds = {self.evaluator.program.definition(*each).kind for each in hit.definitions}
                return "method" not in kinds
        return False
