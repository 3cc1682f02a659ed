"""What is known of builtin and standard types without their source: which are containers of what, what their methods
and the common functions give. Facts of the languages' documentations, in tables; nothing here is inferred."""

from __future__ import annotations

from typing import Final

UNIONS: Final = frozenset({"Optional", "Union"})
TRANSPARENT: Final = frozenset(
    """
    Annotated ClassVar Final Required NotRequired ReadOnly InitVar Mapped
    Readonly Partial Required NonNullable Pick Omit Extract Exclude DeepPartial
    """.split()
)
"""Type constructors whose first argument is the type."""
TYPE_FUNCTIONS: Final = frozenset({"Awaited", "InstanceType", "ReturnType"})
"""Type constructors that make another type of their argument."""
CLASSES_OF: Final = frozenset({"Type", "type"})
FUNCTIONS: Final = frozenset({"Callable"})

CONTAINERS: Final = {
    "list": "list", "List": "list", "Sequence": "list", "MutableSequence": "list", "Collection": "list",
    "Iterable": "list", "Iterator": "list", "set": "list", "Set": "list", "frozenset": "list", "FrozenSet": "list",
    "AbstractSet": "list", "MutableSet": "list", "deque": "list", "Deque": "list", "Reversible": "list",
    "Generator": "list", "AsyncIterable": "list", "AsyncIterator": "list", "AsyncGenerator": "list",
    "Container": "list", "KeysView": "list", "ValuesView": "list",
    "Array": "list", "ReadonlyArray": "list", "ReadonlySet": "list", "IterableIterator": "list",
    "dict": "dict", "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "defaultdict": "dict",
    "DefaultDict": "dict", "OrderedDict": "dict", "ChainMap": "dict", "ItemsView": "dict",
    "Map": "map", "ReadonlyMap": "map", "Record": "record", "WeakMap": "map",
    "tuple": "tuple", "Tuple": "tuple",
    "Awaitable": "coroutine", "Coroutine": "coroutine", "Promise": "coroutine", "PromiseLike": "coroutine",
    "Future": "coroutine",
    "ContextManager": "context", "AsyncContextManager": "context", "AbstractContextManager": "context",
    "AbstractAsyncContextManager": "context",
}  # fmt: skip
"""Last part of a type's name -> kind of container. `list` is anything that yields its one argument."""
KEYED: Final = frozenset({"dict", "map", "record"})
"""Kinds with a key and a value. Iterating gives the keys of a `dict` and the pairs of a `map`; a `record` is an object
of which every member is a value."""
ANYTHING: Final = frozenset({"Any", "object", "unknown", "any"})
"""Types that say nothing."""
GENERATORS: Final = frozenset({"Generator", "AsyncGenerator"})
"""Types whose arguments are what is yielded, what is sent, what is returned."""
LAST_ARGUMENT: Final = frozenset({"Coroutine"})
"""Types whose last argument is the one that counts."""

ELEMENT_METHODS: Final = frozenset({"pop", "popleft", "__getitem__", "__next__", "at", "shift", "find"})
"""Of a list: give one of its elements."""
VALUE_METHODS: Final = frozenset({"get", "pop", "setdefault", "__getitem__"})
"""Of a dict: give one of its values."""
SAME_METHODS: Final = frozenset(
    """
    copy union difference intersection symmetric_difference filter slice concat reverse sort flat toSorted
    toReversed entries_of
    """.split()
)
"""Give a container of the same elements."""

SAME_ELEMENTS: Final = frozenset({"list", "set", "frozenset", "sorted", "reversed", "iter", "aiter", "deque", "filter"})
"""Functions that give what yields the elements of their (last) argument."""
TAKES_ONE: Final = frozenset({"next", "anext", "min", "max", "choice"})
"""Functions that give one element of their argument."""
PRIMITIVES: Final = frozenset(
    """
    str int float bool bytes bytearray complex len repr abs round sum hash id ord chr hex oct bin format ascii
    isinstance issubclass hasattr callable any all input divmod pow print range memoryview slice object
    """.split()
)
"""Builtin functions and types whose results have no members in a repository."""
OF_OBJECTS: Final = frozenset(
    """
    Object.values Object.entries Object.assign Object.freeze Object.seal Array.from Promise.resolve Promise.all
    Promise.race Promise.any structuredClone
    """.split()
)
"""Functions that stand on builtin types, and what they give follows from their first argument."""
MADE_EMPTY: Final = frozenset({"Map", "Set", "WeakMap", "WeakSet"})
"""Builtin types whose instances hold what is put into them."""
CALLS_BACK: Final[dict[str, tuple[str, ...]]] = {
    "forEach": ("value", "key"), "map": ("value",), "filter": ("value",), "find": ("value",), "findIndex": ("value",),
    "findLast": ("value",), "findLastIndex": ("value",), "some": ("value",), "every": ("value",), "flatMap": ("value",),
    "sort": ("value", "value"), "toSorted": ("value", "value"), "reduce": ("result", "value"),
    "reduceRight": ("result", "value"), "then": ("awaited",),
}  # fmt: skip
"""Methods of builtin types that call their first argument: what its parameters receive of what the method stands on."""
FOLDING: Final = frozenset(name for name, given in CALLS_BACK.items() if given[0] == "result")
"""Those of them that give what the function gives at last."""
ITERATORS: Final = {
    "__iter__": "__next__", "__aiter__": "__anext__",
    "[Symbol.iterator]": "next", "[Symbol.asyncIterator]": "next",
}  # fmt: skip
"""Methods that give an iterator -> its method that gives the next element."""
OF_PROMISES: Final = frozenset(
    """
    then catch finally send throw close result exception done cancel cancelled add_done_callback
    remove_done_callback set_result set_exception
    """.split()
)
"""Members of what is awaited."""
RUNS: Final = frozenset({"call", "apply"})
"""Methods of functions that run them."""
BINDS: Final = frozenset({"bind"})
"""Methods of functions that give the function."""
CALLS_FIRST: Final = frozenset({"map", "starmap"})
"""Functions that give what calling their first argument gives, for each."""
HANDS_ON: Final = {
    **dict.fromkeys(
        ("map", "filter", "functools.reduce", "itertools.starmap", "itertools.filterfalse", "itertools.takewhile",
         "itertools.dropwhile"),
        (0, "", 1),
    ),
    **dict.fromkeys(("sorted", "min", "max"), (-1, "key", 0)),
    **dict.fromkeys(("heapq.nlargest", "heapq.nsmallest"), (2, "key", 1)),
    "itertools.groupby": (1, "key", 0), "itertools.accumulate": (1, "func", 0), "Array.from": (1, "", 0),
}  # fmt: skip
"""Functions that call an argument -> its position and keyword, and the position of what it is called with, one of its
elements after the other."""
CALLING: Final = frozenset(CALLS_BACK) | frozenset(name.rpartition(".")[2] for name in HANDS_ON)
"""Last parts of the names of builtins that call an argument."""
PRESERVING: Final = frozenset(
    """
    wraps lru_cache cache cached_property property staticmethod classmethod abstractmethod contextmanager
    asynccontextmanager overload final override singledispatch total_ordering dataclass runtime_checkable
    update_wrapper deprecated sync_to_async
    """.split()
)
"""Decorators from outside that leave a function what it is."""

BUILTIN_PROTOCOLS: Final = {
    name: (f"__{name}__",)
    for name in (
        "next",
        "iter",
        "len",
        "str",
        "repr",
        "hash",
        "bool",
        "int",
        "float",
        "abs",
        "reversed",
        "format",
        "round",
        "bytes",
        "dir",
        "aiter",
        "anext",
    )
}
"""Builtin function -> the method of its argument that it runs."""
