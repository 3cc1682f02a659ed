"""The library of JavaScript and TypeScript without its source: which types are containers of what, what functions and
methods return, what a loop runs.

Out: tables, taken from the documentation. Nothing here is inferred.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.languages.ecmascript.builtins import GLOBAL_TYPES
from rpg.encoder.languages.results import (
    ALL_TO_AWAIT,
    ANY_ARGUMENT,
    ANY_TO_AWAIT,
    AWAITED_OF,
    BOUND_CALL,
    CALLED_FOR_EACH,
    CLASS_OF,
    DISPATCHER,
    ELEMENTS,
    ELEMENTS_MAPPED,
    ELEMENTS_OF_LAST,
    EMPTY_CONTAINER,
    FIRST,
    FIRST_OR_OUTSIDE,
    FIRST_TO_AWAIT,
    FIRST_UNLESS_TEXT,
    FLATTENED,
    FOLDED,
    INSTANCE_OF,
    KEY,
    KEYS,
    MAPPED,
    ONE_AFTER_ANOTHER,
    ONE_ELEMENT,
    PAIRS,
    RESULT,
    RESULT_OF,
    SAME,
    SAME_TO_AWAIT,
    SETTLED,
    SIDE_BY_SIDE,
    TO_AWAIT,
    TYPE_GIVEN,
    VALUE,
    VALUE_OF_TYPE,
    VALUES,
    WITH_EACH,
    CallsArgument,
    Gives,
)
from rpg.encoder.languages.standard_library import Decorators, LibraryBase, Methods, Protocols, Types

TYPES: Final = Types(
    containers={
        **dict.fromkeys(
            """
            Array ReadonlyArray Set ReadonlySet Iterable Iterator IterableIterator Generator AsyncIterable
            AsyncIterator AsyncGenerator List Collection Sequence Deque
            """.split(),
            "list",
        ),
        **dict.fromkeys(("Dict", "Mapping", "OrderedDict"), "dict"),
        **dict.fromkeys(("Map", "ReadonlyMap", "WeakMap"), "map"),
        "Record": "record",
        **dict.fromkeys(("Promise", "PromiseLike", "Awaitable", "Future"), "coroutine"),
    },
    unions=frozenset({"Optional", "Union"}),
    transparent=frozenset("Readonly Partial Required NonNullable Pick Omit Extract Exclude DeepPartial".split()),
    made_of={"Awaited": AWAITED_OF, "InstanceType": INSTANCE_OF, "ReturnType": RESULT_OF},
    anything=frozenset({"Function", "Object", "object", "unknown", "any"}),
    closed=frozenset({"string", "number", "boolean"}),
    empty=frozenset({"undefined", "null"}),
    of_globals=GLOBAL_TYPES,
    run_argument={"Promise": "Promise.settle"},
)

METHODS: Final = Methods(
    calls_back={
        **dict.fromkeys(
            "map filter find findIndex findLast findLastIndex some every flatMap".split(),
            (VALUE,),
        ),
        "forEach": (VALUE, KEY),
        **dict.fromkeys(("sort", "toSorted"), (VALUE, VALUE)),
        **dict.fromkeys(("reduce", "reduceRight"), (RESULT, VALUE)),
        "then": (TO_AWAIT,),
    },
    results={
        **dict.fromkeys(
            "union difference intersection filter slice concat reverse sort flat toSorted toReversed".split(),
            SAME,
        ),
        "map": MAPPED,
        "flatMap": FLATTENED,
        **dict.fromkeys(("reduce", "reduceRight"), FOLDED),
        "then": SETTLED,
        **dict.fromkeys(("catch", "finally"), SAME_TO_AWAIT),
        "values": VALUES,
        "entries": PAIRS,
        "keys": KEYS,
    },
    element=frozenset({"pop", "at", "shift", "find"}),
    held=frozenset({"get"}),
    awaitable=frozenset({"then", "catch", "finally"}),
    run=frozenset({"call", "apply"}),
    bind=frozenset({"bind"}),
    of_records=frozenset({"hasOwnProperty", "toString"}),
)

PROTOCOLS: Final = Protocols(
    iterators=dict.fromkeys(("[Symbol.iterator]", "[Symbol.asyncIterator]"), ("next", "value")),
    prototype="prototype",
)

FUNCTIONS: Final = {
    "Object.values": Gives(VALUES),
    "Object.entries": Gives(PAIRS),
    "Object.assign": Gives(ANY_ARGUMENT),
    **dict.fromkeys("Object.freeze Object.seal structuredClone".split(), Gives(FIRST)),
    "Array.from": Gives(ELEMENTS_MAPPED),
    "Promise.resolve": Gives(FIRST_TO_AWAIT),
    "Promise.all": Gives(ALL_TO_AWAIT),
    **dict.fromkeys(("Promise.race", "Promise.any"), Gives(ANY_TO_AWAIT)),
    **dict.fromkeys(("Map", "WeakMap"), Gives(EMPTY_CONTAINER, "map")),
    **dict.fromkeys(("Set", "WeakSet"), Gives(EMPTY_CONTAINER, "list")),
    **dict.fromkeys(
        """
        events.EventEmitter events.default events node:events.EventEmitter node:events.default node:events
        eventemitter3.default eventemitter3.EventEmitter eventemitter3 mitt.default mitt nanoevents.createNanoEvents
        """.split(),
        Gives(DISPATCHER),
    ),
}
"""By full name."""

FUNCTIONS_BY_LAST_PART: Final = {
    **dict.fromkeys("list set sorted iter tuple".split(), Gives(ELEMENTS)),
    **dict.fromkeys("next min max choice".split(), Gives(ONE_ELEMENT)),
    **dict.fromkeys("copy deepcopy proxy".split(), Gives(FIRST_OR_OUTSIDE)),
    **dict.fromkeys(
        "abs all any bin bool bytes complex float format hash hex id input int len object pow print range round slice"
        " str sum".split(),
        Gives(VALUE_OF_TYPE, "object"),
    ),
    "cast": Gives(TYPE_GIVEN),
    "chain": Gives(ONE_AFTER_ANOTHER),
    "filter": Gives(ELEMENTS_OF_LAST),
    "map": Gives(CALLED_FOR_EACH),
    "partial": Gives(BOUND_CALL),
    "replace": Gives(FIRST_UNLESS_TEXT),
    "type": Gives(CLASS_OF),
    "zip": Gives(SIDE_BY_SIDE),
}
"""What functions of any library are assumed to return, by name alone. Some of these guesses are wrong more often than
right (`request(app).set("Accept", "json")` is not a list, `type({...})` not a class); removing one changes edges."""

CALLS_ARGUMENT: Final = {"Array.from": CallsArgument(1, "", 0, WITH_EACH)}
DISPATCHING: Final = {"emit": 0}

DECORATORS: Final = Decorators(
    preserving=frozenset({"cache", "deprecated", "final", "forwardRef", "memo", "override", "property"})
)
BASES: Final = dict.fromkeys(("Component", "PureComponent"), LibraryBase(arguments={"props": 0, "state": 1})) | {
    name: LibraryBase(arguments={"props": position}) for name, position in (("memo", 0), ("forwardRef", 1))
}
"""React's components, and the functions that are handed one."""

LOOKED_UP: Final = frozenset({"constructor", "next", "value", "call", "apply", "then", "default", "new"})
"""Members that the language itself looks up."""
