"""Methods of builtin containers: their results, and what they pass to callbacks, from the tables of the language.

In: a container's value and a method name. Out: values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.languages.results import (
    COLLECTED,
    FLATTENED,
    FOLDED,
    GROUPED,
    INDEXED,
    ITERATOR_OF_AWAITED,
    KEY,
    KEYS,
    LIST_OF,
    LISTS_BY_KEY,
    MAPPED,
    OTHER,
    PAIR,
    PAIRS,
    RESULT,
    SAME,
    SAME_TO_AWAIT,
    SEQUENCE,
    SETTLED,
    TO_AWAIT,
    VALUE,
    VALUES,
    ZIPPED,
)
from rpg.encoder.languages.standard_library import Methods
from rpg.encoder.resolve.values.values import (
    BOX,
    CLOSURE,
    CONTAINER,
    CONTENTS,
    EXPRESSION,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KEYED,
    KIND,
    LITERAL_AT,
    METHOD_NAME,
    OF_VALUE,
    OWN_NAME,
    POINTER,
    PRIMITIVE,
    TEXT,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.containers.elements import Containers
    from rpg.encoder.resolve.evaluate.context import Context


_OF_RESULTS: Final = frozenset({MAPPED, FLATTENED, SETTLED, FOLDED})
"""Methods whose result is made from what the callback returns."""


class ContainerMethods:
    def __init__(self, evaluator: Context, containers: Containers) -> None:
        self.evaluator = evaluator
        self.containers = containers

    def method_result(self, methods: Methods, receiver: Value, name: str, arguments: list[Values]) -> Values:
        """The result of a method of a builtin container."""
        containers = self.containers
        if receiver[KIND] in (FUNC, CLOSURE):
            return (receiver,) if name in methods.bind else self.evaluator.result(receiver, None, 0)
        if receiver[KIND] == INST:
            # A dictionary whose keys a class declares.
            return union([containers.find_declared_under(receiver, arguments[0] if arguments else ()), *arguments[1:2]])
        if receiver[KIND] == CONTAINER and receiver[OWN_NAME] == BOX:
            return self.find_box_result(methods, receiver, name, arguments)
        found = self.find_collection_result(methods, receiver, name, arguments)
        return ((CONTAINER, BOX, (found,)),) if found and name in methods.boxes else found

    def find_box_result(self, methods: Methods, receiver: Value, name: str, arguments: list[Values]) -> Values:
        """The result of a method of a container for one value or none."""
        if name in methods.held:
            # The argument is the result if the container is empty.
            return union([receiver[CONTENTS][0], *arguments[:1]])
        if name in methods.held_otherwise:
            return union(list(receiver[CONTENTS][1:2]))
        what = methods.results.get(name, "")
        if what in (MAPPED, FLATTENED) and arguments:
            results = union([self.evaluator.result(each, None, 0) for each in arguments[0]])
            if what == FLATTENED or not results:
                return results
            return ((CONTAINER, BOX, (results, *receiver[CONTENTS][1:])),)
        return (receiver,) if what == SAME else ()

    def find_collection_result(self, methods: Methods, receiver: Value, name: str, arguments: list[Values]) -> Values:
        """The result of a method of a list, a dictionary, a text."""
        containers = self.containers
        what = methods.results.get(name, "")
        if what in _OF_RESULTS and arguments:
            results = union([self.evaluator.result(each, None, 0) for each in arguments[0]])
            if what == SETTLED:
                return ((CONTAINER, "coroutine", (containers.await_values(results),)),)
            if what == FOLDED:
                return union([results, *arguments[1:2]])
            return ((CONTAINER, "list", (containers.elements(results) if what == FLATTENED else results,)),)
        keyed = receiver[KIND] == CONTAINER and receiver[OWN_NAME] in KEYED
        if receiver[KIND] == LITERAL_AT:
            rows, keyed = containers.entries(receiver)
            if keyed and name in methods.held:
                return union([containers.find_under(receiver, arguments[0] if arguments else ()), *arguments[1:2]])
            if keyed and what in (VALUES, PAIRS):
                held = containers.values_of(rows)
                return view(what, containers.element(receiver), held)
        elif keyed:
            key, held = (*receiver[CONTENTS], (), ())[:2]
            if name in methods.held:
                return union([held, *arguments[1:2]])
            if what in (VALUES, PAIRS):
                return view(what, key, held)
        if name in methods.positions:
            return ((CONTAINER, POINTER, (containers.element(receiver),)),)
        if name in methods.parts:
            return containers.item((receiver,), methods.parts[name]) if is_tuple(containers, receiver) else ()
        if receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "coroutine" and name in methods.held:
            return containers.await_values((receiver,))
        if receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "type":
            return union(list(receiver[CONTENTS])) if name in methods.held else ()
        if what == ZIPPED:
            pair = containers.element(receiver), containers.elements(arguments[0]) if arguments else ()
            return ((CONTAINER, "list", (((CONTAINER, "tuple", pair),),)),)
        if what in (INDEXED, GROUPED):
            return self.arrange(what, receiver, arguments)
        if what == COLLECTED:
            return self.collect_elements(methods, receiver, arguments)
        if what == PAIRS:
            return view(what, ((PRIMITIVE, "int"),), containers.element(receiver))
        if what in (VALUES, KEYS):
            return ((CONTAINER, "list", (containers.element(receiver),)),)
        if what == PAIR:
            return ((CONTAINER, "tuple", self.pair_of(receiver)),)
        if what == ITERATOR_OF_AWAITED and receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "coroutine":
            return ((CONTAINER, "list", ((), (), receiver[CONTENTS][0] if receiver[CONTENTS] else ())),)
        if what == SAME:
            return (receiver,)
        if what == SEQUENCE:
            return ((CONTAINER, "list", (containers.element(receiver),)),)
        if name in methods.element and (not keyed or receiver[OWN_NAME] == "map"):
            return containers.element(receiver)
        if what in (SETTLED, SAME_TO_AWAIT):
            return (receiver,)
        if name in methods.converts:
            return ((PRIMITIVE, methods.converts[name]),)
        is_text = receiver[KIND] in (TEXT, PRIMITIVE) and not methods.texts_are_apart and name.isidentifier()
        return ((PRIMITIVE, "str"),) if is_text else ()

    def arrange(self, what: str, receiver: Value, arguments: list[Values]) -> Values:
        """The elements under keys that a function makes of them, or what a second one makes of them."""
        held = self.containers.element(receiver)
        if len(arguments) > 1:
            held = union([self.evaluator.result(each, None, 0) for each in arguments[1]])
        if what == GROUPED:
            return ((CONTAINER, "list", (((CONTAINER, "list", (held,)),),)),)
        return ((CONTAINER, "map", ((), held)),)

    def collect_elements(self, methods: Methods, receiver: Value, arguments: list[Values]) -> Values:
        """What a collector of the library makes of the elements."""
        made = {
            methods.collectors.get(each[OWN_NAME].removesuffix("()").removesuffix("(function)").rpartition(".")[2], "")
            for each in (arguments[0] if arguments else ())
            if each[KIND] == EXTERNAL
        }
        if made == {LIST_OF}:
            return (receiver,)
        if made == {LISTS_BY_KEY}:
            return ((CONTAINER, "map", ((), ((CONTAINER, "list", (self.containers.element(receiver),)),))),)
        return ()

    def find_under_key(self, receiver: Value, keys: Values) -> Values:
        """What a dictionary holds under a key."""
        containers = self.containers
        if receiver[KIND] == INST:
            return containers.find_declared_under(receiver, keys)
        if receiver[KIND] == LITERAL_AT:
            return containers.find_under(receiver, keys) if containers.entries(receiver)[1] else ()
        if receiver[KIND] == CONTAINER and receiver[OWN_NAME] in KEYED:
            held: Values = (*receiver[CONTENTS], (), ())[1]
            return held
        return ()

    def handed(self, methods: Methods, method: Value, slot: int, position: int) -> Values:
        """What a parameter of a function receives that is an argument of a method of a builtin; an accumulator is what
        the function returned before."""
        containers = self.containers
        receiver, name = method[OF_VALUE], method[METHOD_NAME]
        roles = methods.calls_back_later.get(name, ()) if slot else methods.calls_back.get(name, ())
        is_map = receiver[KIND] == CONTAINER and receiver[OWN_NAME] in KEYED
        if is_map and not slot:
            roles = methods.calls_back_of_maps.get(name, roles)
        role = roles[position] if position < len(roles) else ""
        if role == TO_AWAIT:
            return (
                containers.await_values((receiver,))
                if receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "coroutine"
                else ()
            )
        if role == RESULT:
            return containers.element(receiver)
        if role == OTHER:
            is_box = receiver[KIND] == CONTAINER and receiver[OWN_NAME] == BOX
            return union(list(receiver[CONTENTS][1:2])) if is_box else ()
        if role not in (VALUE, KEY, PAIR):
            return ()
        if receiver[KIND] == CONTAINER and receiver[OWN_NAME] == BOX:
            held: Values = receiver[CONTENTS][0]
            return held
        if is_map and (slot or name in methods.calls_back_of_maps):
            if role == PAIR:
                return containers.element(receiver)
            part: Values = (*receiver[CONTENTS], (), ())[role == VALUE]
            return part
        element = containers.element(receiver)
        pairs = (receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "map") or (
            receiver[KIND] == LITERAL_AT
            and containers.files[receiver[FILE]].code[receiver[EXPRESSION]] == op.CALL
            and containers.entries(receiver)[1]
        )
        if pairs:
            return containers.item(element, 1 if role == VALUE else 0)
        return element if role == VALUE else ((PRIMITIVE, "int"),)

    def find_contents(self, receiver: Value) -> Values:
        """What a dictionary has under its keys, or a list as elements."""
        if receiver[KIND] == LITERAL_AT:
            return self.containers.values_of(self.containers.entries(receiver)[0])
        if receiver[KIND] == CONTAINER and receiver[OWN_NAME] in KEYED:
            held: Values = (*receiver[CONTENTS], (), ())[1]
            return held
        return self.containers.element(receiver)

    def pair_of(self, receiver: Value) -> tuple[Values, ...]:
        """A key and its value."""
        containers = self.containers
        if receiver[KIND] == LITERAL_AT:
            return containers.element(receiver), containers.values_of(containers.entries(receiver)[0])
        return (
            (*receiver[CONTENTS], (), ())[:2]
            if receiver[KIND] == CONTAINER and receiver[OWN_NAME] in KEYED
            else ((), ())
        )


def is_tuple(containers: Containers, value: Value) -> bool:
    """Whether a value is a pair or tuple."""
    if value[KIND] == CONTAINER:
        return bool(value[OWN_NAME] == "tuple")
    return bool(value[KIND] == LITERAL_AT and containers.files[value[FILE]].code[value[EXPRESSION]] == op.TUPLE)


def view(what: str, keys: Values, held: Values) -> Values:
    inner = held if what == VALUES else ((CONTAINER, "tuple", (keys, held)),)
    return ((CONTAINER, "list", (inner,)),)
