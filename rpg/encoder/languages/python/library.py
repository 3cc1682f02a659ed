"""Python's library without its source: which types are containers of what, what functions and methods return, which
methods operators and loops run.

Out: tables, taken from the documentation. Nothing here is inferred.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.languages.results import (
    ACCUMULATING,
    AWAITED,
    BOUND_CALL,
    CALLED_FOR_EACH,
    CLASS_OF,
    CONTEXT_OF,
    DISPATCHER,
    EACH_TO_AWAIT,
    ELEMENTS,
    ELEMENTS_OF_LAST,
    FIRST,
    FIRST_OR_EMPTY,
    FIRST_OR_OUTSIDE,
    FIRST_UNLESS_TEXT,
    FOLDED,
    FOLDING,
    ITERATOR_OF_AWAITED,
    KEYS,
    MADE_WHEN_MISSING,
    MAKER,
    MEMBER_NAMED,
    NEW_INSTANCE,
    NUMBERED,
    ONE_AFTER_ANOTHER,
    ONE_ELEMENT,
    ONE_OF_FIRST,
    OUTSIDE,
    PAIR,
    PAIRS,
    SAME,
    SIDE_BY_SIDE,
    TABLE,
    TEXT,
    TYPE_GIVEN,
    TYPE_VARIABLE,
    VALUE,
    VALUE_OF_TYPE,
    VALUES,
    WITH_ANY,
    WITH_EACH,
    WITH_EACH_OF_ALL,
    WITH_PARTS,
    CallsArgument,
    Gives,
)
from rpg.encoder.languages.standard_library import Decorators, LibraryBase, Methods, Protocols, Types

_WITHOUT_MEMBERS: Final = frozenset(
    """
    str int float bool bytes bytearray complex len repr abs round sum hash id ord chr hex oct bin format ascii
    isinstance issubclass hasattr callable any all input divmod pow print range memoryview slice object
    """.split()
)
"""Builtin functions and types whose results have no members in a repository."""

TYPES: Final = Types(
    in_strings=True,
    containers={
        **dict.fromkeys(
            """
            list List Sequence MutableSequence Collection Iterable Iterator set Set frozenset FrozenSet AbstractSet
            MutableSet deque Deque Reversible Generator AsyncIterable AsyncIterator AsyncGenerator Container KeysView
            ValuesView
            """.split(),
            "list",
        ),
        **dict.fromkeys(
            """
            dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict ChainMap ItemsView
            """.split(),
            "dict",
        ),
        **dict.fromkeys(("tuple", "Tuple"), "tuple"),
        **dict.fromkeys(("Awaitable", "Coroutine", "Future"), "coroutine"),
        **dict.fromkeys(
            ("ContextManager", "AsyncContextManager", "AbstractContextManager", "AbstractAsyncContextManager"),
            "context",
        ),
        "ContextVar": "box",
    },
    unions=frozenset({"Optional", "Union"}),
    transparent=frozenset(
        "Annotated ClassVar Final Required NotRequired ReadOnly InitVar Mapped WithAnnotations".split()
    ),
    classes=frozenset({"Type", "type"}),
    functions=frozenset({"Callable"}),
    texts=frozenset({"Literal"}),
    generators=frozenset({"Generator", "AsyncGenerator"}),
    last_counts=frozenset({"Coroutine"}),
    receiver=frozenset({"Self"}),
    nothing=frozenset({"None", "NoneType"}),
    anything=frozenset({"Any", "object"}),
    without_members=_WITHOUT_MEMBERS,
    closed=frozenset({"str", "bytes", "int", "float", "bool"}),
    variable_makers=("TypeVar()", "ParamSpec()", "TypeVarTuple()"),
)

METHODS: Final = Methods(
    calls_back={"sort": (VALUE,)},
    results={
        **dict.fromkeys(
            "copy union difference intersection symmetric_difference reverse sort".split(),
            SAME,
        ),
        "filter": SAME,  # no list has it, but something declared as a list may be a query set
        "values": VALUES,
        "items": PAIRS,
        "keys": KEYS,
        "popitem": PAIR,
        "__await__": ITERATOR_OF_AWAITED,
    },
    element=frozenset({"pop", "popleft", "__getitem__", "__next__"}),
    held=frozenset({"get", "pop", "setdefault", "__getitem__"}),
    run=frozenset({"call", "apply"}),  # functions have neither, but what decorators make of them does: `task.call()`
    awaitable=frozenset(
        """
        send throw close result exception done cancel cancelled add_done_callback remove_done_callback set_result
        set_exception
        """.split()
    ),
)

_ARITHMETIC: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip

_GIVEN = {
    **dict.fromkeys("__name__ __qualname__ __module__ __doc__ __file__ __package__".split(), TEXT),
    "__dict__": TABLE,
    "__new__": MAKER,
}

_WITHOUT_RESULTS = frozenset(
    """
    __init__ __init_subclass__ __post_init__ __del__ __str__ __repr__ __format__ __bytes__ __hash__ __bool__ __len__
    __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __contains__ __setattr__ __delattr__ __setitem__ __delitem__ __exit__
    __aexit__ __sizeof__ __dir__
    """.split()
)

PROTOCOLS: Final = Protocols(
    call="__call__",
    enter="__enter__",
    enter_waiting="__aenter__",
    context=("__enter__", "__exit__", "__aenter__", "__aexit__"),
    iterators={"__iter__": ("__next__", ""), "__aiter__": ("__anext__", "")},
    item="__getitem__",
    read_item=("__getitem__", "__class_getitem__"),
    write_item=("__setitem__",),
    delete_item=("__delitem__",),
    contains="__contains__",
    await_="__await__",
    get="__get__",
    set="__set__",
    delete="__delete__",
    derived="__init_subclass__",
    missing="__getattr__",
    matched="__match_args__",
    class_of="__class__",
    given=_GIVEN,
    without_results=_WITHOUT_RESULTS,
    operators={
        **{token: (f"__{name}__",) for token, name in _ARITHMETIC.items()},
        **{f"{token}=": (f"__i{name}__", f"__{name}__") for token, name in _ARITHMETIC.items()},
        "==": ("__eq__",), "!=": ("__ne__", "__eq__"), "<": ("__lt__",), "<=": ("__le__",), ">": ("__gt__",),
        ">=": ("__ge__",), "in": ("__contains__", "__iter__"), "not in": ("__contains__", "__iter__"),
        "unary-": ("__neg__",), "unary+": ("__pos__",), "unary~": ("__invert__",),
    },
    reflected={f"__{name}__": f"__r{name}__" for name in _ARITHMETIC.values()},
    union="|",
    functions={
        name: (f"__{name}__",)
        for name in (
            "next iter len str repr hash bool int float abs reversed format round bytes dir aiter anext".split()
        )
    },
)  # fmt: skip

FUNCTIONS: Final = {
    **dict.fromkeys(
        """
        blinker.Signal blinker.signal blinker.Namespace().signal django.dispatch.Signal
        django.dispatch.dispatcher.Signal celery.utils.dispatch.Signal
        """.split(),
        Gives(DISPATCHER),
    ),
    "functools.reduce": Gives(FOLDED),
    "asyncio.run": Gives(AWAITED, "main"),
    "asyncio.gather": Gives(EACH_TO_AWAIT),
    **dict.fromkeys("heapq.heappop heapq.heappushpop heapq.heapreplace".split(), Gives(ONE_OF_FIRST)),
    "contextlib.nullcontext": Gives(CONTEXT_OF),
}
"""By full name."""

FUNCTIONS_BY_LAST_PART: Final = {
    **{name: Gives(VALUE_OF_TYPE, name if name in ("str", "bytes", "int") else "object") for name in _WITHOUT_MEMBERS},
    **dict.fromkeys("list set frozenset sorted reversed iter aiter deque tuple".split(), Gives(ELEMENTS)),
    **dict.fromkeys("next anext min max choice".split(), Gives(ONE_ELEMENT)),
    **dict.fromkeys("map starmap".split(), Gives(CALLED_FOR_EACH)),
    **dict.fromkeys("zip zip_longest".split(), Gives(SIDE_BY_SIDE)),
    **dict.fromkeys("dict OrderedDict".split(), Gives(FIRST_OR_EMPTY)),
    **dict.fromkeys(
        "copy deepcopy proxy shield ensure_future create_task wait_for".split(), Gives(FIRST_OR_OUTSIDE)
    ),
    "replace": Gives(FIRST_UNLESS_TEXT),
    "closing": Gives(CONTEXT_OF),
    "filter": Gives(ELEMENTS_OF_LAST),
    "enumerate": Gives(NUMBERED, "iterable"),
    "chain": Gives(ONE_AFTER_ANOTHER),
    "defaultdict": Gives(MADE_WHEN_MISSING, "default_factory"),
    "TypeVar": Gives(TYPE_VARIABLE, "bound"),
    "getattr": Gives(MEMBER_NAMED),
    "__new__": Gives(NEW_INSTANCE, "cls"),
    "partial": Gives(BOUND_CALL, "func"),
    "cast": Gives(TYPE_GIVEN),
    "wraps": Gives(OUTSIDE),
    "update_wrapper": Gives(FIRST),
    "type": Gives(CLASS_OF, "bases"),
}  # fmt: skip

CALLS_ARGUMENT: Final = {
    "map": CallsArgument(0, "", 1, WITH_EACH_OF_ALL),
    "functools.reduce": CallsArgument(0, "", 1, FOLDING),
    "itertools.starmap": CallsArgument(0, "", 1, WITH_PARTS),
    **dict.fromkeys(
        ("filter", "itertools.filterfalse", "itertools.takewhile", "itertools.dropwhile"),
        CallsArgument(0, "", 1, WITH_EACH),
    ),
    "sorted": CallsArgument(-1, "key", 0, WITH_EACH),
    **dict.fromkeys(("min", "max"), CallsArgument(-1, "key", 0, WITH_ANY)),
    **dict.fromkeys(("heapq.nlargest", "heapq.nsmallest"), CallsArgument(2, "key", 1, WITH_EACH)),
    "itertools.groupby": CallsArgument(1, "key", 0, WITH_EACH),
    "itertools.accumulate": CallsArgument(1, "func", 0, ACCUMULATING),
}

DISPATCHING: Final = dict.fromkeys(("send", "send_robust", "asend", "asend_robust", "send_async"), -1)

_PRESERVING = frozenset(
    """
    wraps lru_cache cache cached_property property staticmethod classmethod abstractmethod contextmanager
    asynccontextmanager overload final override singledispatch total_ordering dataclass runtime_checkable
    update_wrapper deprecated sync_to_async
    """.split()
)
DECORATORS: Final = Decorators(
    preserving=_PRESERVING,
    getters=frozenset({"property", "cached_property", "abstractproperty"}),
    wrapping="wraps",
    makers=dict.fromkeys(("property", "functools.cached_property"), "fget"),
)

_TUPLE_MEMBERS = frozenset({"_replace", "_asdict", "_make", "_fields", "_field_defaults", "count", "index"})
_DICTIONARY_MEMBERS = METHODS.held | frozenset("clear copy fromkeys items keys popitem update values".split())
_FIELD_BASES = "BaseModel BaseSettings SQLModel Struct Document EmbeddedDocument Model"
"""Of pydantic, msgspec, mongoengine and Django."""
BASES: Final = {
    **dict.fromkeys("object Generic Protocol ABC type ABCMeta".split(), LibraryBase(is_plain=True)),
    **dict.fromkeys(_FIELD_BASES.split(), LibraryBase("fields")),
    "NamedTuple": LibraryBase("tuple", _TUPLE_MEMBERS, copies="_replace", is_plain=True),
    "TypedDict": LibraryBase("dictionary", _DICTIONARY_MEMBERS, is_plain=True),
}
