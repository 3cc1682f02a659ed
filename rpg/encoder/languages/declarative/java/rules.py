"""What comes with Java: names of java.lang, and members that most objects have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.given_names import Given, names_of_beans
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.results import (
    ACCUMULATING,
    BOXED,
    COLLECTED,
    FIRST,
    FLATTENED,
    KEYS,
    LIST_OF,
    LISTED,
    LISTS_BY_KEY,
    MAPPED,
    OF_ASKED_TYPE,
    PAIRS,
    SAME,
    VALUES,
    WITHOUT_RESULT,
    CallsArgument,
    Gives,
    Signature,
)
from rpg.encoder.languages.rules.attribute_types import GivenToType, MembersRead, Words
from rpg.encoder.languages.standard_library import Methods, Types
from rpg.encoder.languages.tests import Tests

_NAMES = """
AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException AssertionError
AutoCloseable Boolean Byte CharSequence Character Class ClassCastException ClassLoader ClassNotFoundException
CloneNotSupportedException Cloneable Comparable Deprecated Double Enum Error Exception ExceptionInInitializerError
Float FunctionalInterface IllegalAccessException IllegalArgumentException IllegalStateException
IndexOutOfBoundsException InheritableThreadLocal InstantiationException Integer InternalError InterruptedException
Iterable LinkageError Long Math NegativeArraySizeException NoClassDefFoundError NoSuchFieldError NoSuchFieldException
NoSuchMethodError NoSuchMethodException NullPointerException Number NumberFormatException Object OutOfMemoryError
Override Package Process ProcessBuilder Readable Record ReflectiveOperationException Runnable Runtime
RuntimeException SafeVarargs SecurityException SecurityManager Short StackOverflowError StackTraceElement StrictMath
String StringBuffer StringBuilder StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadGroup
ThreadLocal Throwable UnsupportedOperationException VirtualMachineError Void
"""
_MEMBERS = """
accept add addAll append apply asList charAt clear clone close collect compare compareTo contains containsKey copy
equals execute exists filter flush forEach format get getClass getKey getMessage getName getValue hasNext hashCode
indexOf insert isEmpty isInstance iterator join keySet length map matches next of orElse parse parseInt peek poll pop
print printf println push put putAll read remove replace reset run set size sort split start stop stream submit
substring test toArray toLowerCase toString toUpperCase trim type update value valueOf values wait write
"""
MEMBERS: frozenset[str] = frozenset(_MEMBERS.split())
BUILTINS: frozenset[str] = frozenset(_NAMES.split())
_LISTS = """
ArrayDeque ArrayList BlockingQueue Collection CopyOnWriteArrayList Deque EnumSet HashSet ImmutableList ImmutableSet
Iterable Iterator LinkedHashSet LinkedList List ListIterator NavigableSet PriorityQueue Queue Set SortedSet Stream
TreeSet Vector list
"""
_MAPS = """
ConcurrentHashMap ConcurrentMap EnumMap HashMap ImmutableMap LinkedHashMap Map NavigableMap SortedMap TreeMap
WeakHashMap
"""
_BOXES = "AtomicReference CompletableFuture Future Optional ThreadLocal WeakReference"
_EACH = """
allMatch anyMatch collect dropWhile filter flatMap forEach forEachOrdered ifPresent ifPresentOrElse map mapMulti
mapToDouble mapToInt mapToLong mapToObj noneMatch peek removeIf takeWhile thenAccept thenApply thenCompose toMap
"""
_PAIRWISE = "max min reduce sort sorted"
"""Those that compare or join two elements."""
_SAME = """
descendingIterator distinct dropWhile filter iterator limit listIterator or parallel parallelStream peek reversed
sequential skip sorted stream subList takeWhile toList unordered
"""
_KEYED = {"compute": ("key", "value"), "computeIfAbsent": ("key",), "computeIfPresent": ("key", "value"),
          "merge": ("value", "value")}  # fmt: skip
_FUNCTIONS: dict[tuple[str, int], Signature] = {
    ("Function", 2): Signature((0,), 1),
    ("BiFunction", 3): Signature((0, 1), 2),
    ("UnaryOperator", 1): Signature((0,), 0),
    ("BinaryOperator", 1): Signature((0, 0), 0),
    ("Supplier", 1): Signature((), 0),
    ("Callable", 1): Signature((), 0),
    ("ToIntFunction", 1): Signature((0,), WITHOUT_RESULT),
    ("ToLongFunction", 1): Signature((0,), WITHOUT_RESULT),
    ("ToDoubleFunction", 1): Signature((0,), WITHOUT_RESULT),
    ("Runnable", 0): Signature((), WITHOUT_RESULT),
    ("Consumer", 1): Signature((0,), WITHOUT_RESULT),
    ("BiConsumer", 2): Signature((0, 1), WITHOUT_RESULT),
    ("Predicate", 1): Signature((0,), WITHOUT_RESULT),
    ("BiPredicate", 2): Signature((0, 1), WITHOUT_RESULT),
    ("Comparator", 1): Signature((0, 0), WITHOUT_RESULT),
}
_SUPERTYPES: dict[str, tuple[str, ...]] = {
    "boolean": ("Boolean", "Comparable", "Serializable", "Object"),
    "byte": ("short", "int", "long", "float", "double", "Byte", "Number", "Comparable", "Serializable", "Object"),
    "char": ("int", "long", "float", "double", "Character", "Comparable", "Serializable", "Object"),
    "double": ("Double", "Number", "Comparable", "Serializable", "Object"),
    "float": ("double", "Float", "Number", "Comparable", "Serializable", "Object"),
    "int": ("long", "float", "double", "Integer", "Number", "Comparable", "Serializable", "Object"),
    "long": ("float", "double", "Long", "Number", "Comparable", "Serializable", "Object"),
    "short": ("int", "long", "float", "double", "Short", "Number", "Comparable", "Serializable", "Object"),
    "String": ("CharSequence", "Comparable", "Serializable", "Object"),
    "Class": ("Type", "GenericDeclaration", "AnnotatedElement", "Serializable", "Object"),
}
_COMPARING = "comparing comparingDouble comparingInt comparingLong thenComparing"
_COLLECTING = "groupingBy groupingByConcurrent partitioningBy toMap toUnmodifiableMap"
_COLLECTORS = "toCollection toList toSet toUnmodifiableList toUnmodifiableSet"
_LISTING = "Arrays.asList Arrays.stream Collections.singleton Collections.singletonList List.of Set.of Stream.of"
_KEEPING = """
Collections.synchronizedList Collections.synchronizedMap Collections.synchronizedSet Collections.unmodifiableCollection
Collections.unmodifiableList Collections.unmodifiableMap Collections.unmodifiableSet List.copyOf Map.copyOf
Objects.requireNonNull Objects.requireNonNullElse Set.copyOf
"""
_PACKAGES = {"Stream": "java.util.stream."}


def _from_library(names: str, gives: Gives) -> dict[str, Gives]:
    """Static methods by the name of their class, with its package and without."""
    places = [(f"{_PACKAGES.get(name.partition('.')[0], 'java.util.')}{name}", name) for name in names.split()]
    return {place: gives for pair in places for place in pair}


ASKING: Final = "getBean getExtension getInstance getService lookup mock spy treeToValue unwrap"
"""Functions of libraries that give an instance of the class that they are passed."""
_VALUES = frozenset(
    """String byte short int long float double boolean char void Boolean Byte Character Double Float Integer Long Short
    Void""".split()
)
TESTS: Tests = Tests(
    names=("Test", "Tests", "TestCase", "IT"),
    beginnings=("Test",),
    marks=frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"}),
    runners=("maven", "gradle"),
    preparations=frozenset(("setUp", "tearDown")),
    preparation_marks=frozenset("BeforeEach BeforeAll Before BeforeClass AfterEach AfterAll After AfterClass".split()),
)
_PASSIVE = """
CanIgnoreReturnValue CheckReturnValue Deprecated FunctionalInterface Nonnull NonNull NotNull Nullable NullMarked
Override SafeVarargs SuppressWarnings
"""


PLATFORM: Final = "jvm"
"""What all Java is for."""

_CHECKED = frozenset(
    """
    Exception Throwable IOException FileNotFoundException EOFException InterruptedException
    ClassNotFoundException NoSuchMethodException NoSuchFieldException InstantiationException IllegalAccessException
    InvocationTargetException ReflectiveOperationException CloneNotSupportedException ExecutionException
    TimeoutException SQLException URISyntaxException MalformedURLException UnknownHostException SocketException
    ParseException GeneralSecurityException NoSuchAlgorithmException InvalidKeyException SAXException
    ParserConfigurationException
    """.split()
)


DERIVED_QUERIES: tuple[tuple[str, str], ...] = (
    (
        "{Name}",
        r"(?<!\w)(?:find|read|get|query|search|stream|count|exists|delete|remove)(?=\w*?By)\w*?(?:By|And|Or){Name}(?![a-z])",
    ),
)
"""Methods whose names Spring Data takes apart: `findByNameAndCity`. Each part of a name is looked at once."""


_CALM = frozenset(
    """
    Runnable Supplier Consumer BiConsumer Function BiFunction UnaryOperator BinaryOperator Predicate BiPredicate
    Comparator ToIntFunction ToLongFunction ToDoubleFunction IntFunction IntConsumer IntPredicate IntUnaryOperator
    BooleanSupplier IntSupplier LongSupplier DoubleSupplier
    forEach forEachOrdered map mapToInt mapToLong mapToObj flatMap filter anyMatch allMatch noneMatch peek takeWhile
    dropWhile removeIf replaceAll computeIfAbsent computeIfPresent ifPresent ifPresentOrElse orElseGet
    """.split()
)


class Rules(DeclarativeRules):
    needs_imports = True
    members_read = MembersRead(all=re.compile(rb"\s*(?:\.class)?\.(?:getDeclaredMethods|getMethods)\b"))
    demands_members = "of classes"
    closing = Words(frozenset({"final"}))
    hiding = Words(frozenset({"private"}))
    classes_reach_members = False
    may_be_nothing = re.compile(r"\AOptional<")
    fixed = Words(frozenset({"final"}))
    branching = re.compile(r"(?:(?<![=!<>])=|\breturn|\byield)\s*switch\s*\([^{};]*\)\s*\Z")
    branch_sign = "->"
    branch_word = "case"
    has_void = True
    refuses_more_arguments = True
    literals_fit = fitting("""
        String: string null
        boolean: bool
        char: char int
        Boolean: bool null
        Integer: int null
        int long short byte: int char
        float double: int char float
    """)
    overrides_fit = "exactly"
    plain_types = frozenset("int long short byte char float double boolean String void".split())
    closing_members = Words(frozenset({"final"}))
    unsaid_visibility = "package"
    types_stand = "in front"
    has_characters = True
    refuses_fewer_arguments = True
    spreads = "arrays"
    types_precede_names = True
    tests = TESTS
    builtins = BUILTINS
    builtin_members = MEMBERS
    object_members = frozenset("equals hashCode toString getClass notify notifyAll wait clone finalize".split())
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list")
        | dict.fromkeys(_MAPS.split(), "dict")
        | dict.fromkeys(_BOXES.split(), "box")
        | {"Entry": "tuple", "Class": "type"},
        signatures=_FUNCTIONS,
        of_one_method=True,
        supertypes=_SUPERTYPES,
        no_result="void",
        without_members=_VALUES,
        closed=_VALUES,
        starred=frozenset("Arrays Collections Collectors Comparator List Map Objects Optional Set Stream".split()),
    )
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",)) | dict.fromkeys(_PAIRWISE.split(), ("value", "value")),
        calls_back_later=_KEYED,
        calls_back_of_maps={"forEach": ("key", "value"), "replaceAll": ("key", "value")},
        passes_on=frozenset(f"{_COMPARING} {_COLLECTING}".split()),
        collectors=dict.fromkeys(_COLLECTORS.split(), LIST_OF) | {"groupingBy": LISTS_BY_KEY},
        results=dict.fromkeys(_SAME.split(), SAME)
        | {
            "values": VALUES,
            "keySet": KEYS,
            "entrySet": PAIRS,
            "map": MAPPED,
            "mapToObj": MAPPED,
            "thenApply": MAPPED,
            "flatMap": FLATTENED,
            "thenCompose": FLATTENED,
            "collect": COLLECTED,
        },
        element=frozenset(
            """element findAny findFirst get getFirst getLast max min next peek peekFirst peekLast poll pollFirst
            pollLast pop previous remove removeFirst removeLast take""".split()
        ),
        boxes=frozenset("findAny findFirst max min".split()),
        held=frozenset(
            """cast compute computeIfAbsent computeIfPresent get getNow getOrDefault getPlain join merge newInstance
            orElse orElseGet orElseThrow put putIfAbsent remove""".split()
        ),
        parts={"getKey": 0, "getValue": 1},
        run=frozenset(
            """accept apply applyAsDouble applyAsInt applyAsLong call compare get getAsBoolean getAsDouble getAsInt
            getAsLong invoke invokeExact invokeWithArguments run test""".split()
        ),
    )
    functions = (
        _from_library(_LISTING, Gives(LISTED))
        | _from_library("Optional.of Optional.ofNullable", Gives(BOXED))
        | _from_library(_KEEPING, Gives(FIRST))
    )
    functions_by_last_part: Mapping[str, Gives] = dict.fromkeys(ASKING.split(), Gives(OF_ASKED_TYPE))
    calls_argument: Mapping[str, CallsArgument] = {
        f"{place}{name}": CallsArgument(1, "", 0, ACCUMULATING)
        for place in ("", "java.util.")
        for name in ("Collections.sort", "Collections.max", "Collections.min", "Arrays.sort")
    }
    given_to_types: Mapping[str, GivenToType] = {"valueOf": "one", "values": "all"}
    constructors_are_named_like_classes = True
    names_other_constructor = r"\b(?:super|this)\s*\("
    passive_marks = frozenset(_PASSIVE.split())
    override_marks = frozenset({"Override"})
    called_members = frozenset({"main", "readObject", "readResolve", "writeObject", "writeReplace"})
    has_packages = True
    packages_are_written = True
    inherits_types = True
    overloads = "methods"
    cases_are_bare = True
    accessors = "offered"
    joined_names = DERIVED_QUERIES
    marks_name_fields = re.compile(
        rb"@(?:\w+:)?(?:OneToMany|OneToOne|ManyToMany|MapKey|ToString|EqualsAndHashCode|Json(?:Ignore|Include)Properties"
        rb"|JsonPropertyOrder)\s*\Z"
    )
    unnamed_members = frozenset({"iterator"})
    run_unnamed = frozenset({"close", "invoke", "iterator"})

    def brings(self, module: str, name: str, role: int) -> bool:
        return module == "java.lang" or super().brings(module, name, role)

    @classmethod
    def must_be_caught(cls, name: str) -> bool:
        return name in _CHECKED

    @classmethod
    def lets_none_through(cls, taker: str) -> bool:
        return taker in _CALM

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        return names_of_beans(kind, name)

    def platform(self, path: str) -> str:
        return PLATFORM

    def properties_of(self, method: str) -> tuple[str, ...]:
        beginning, rest = (method[:2], method[2:]) if method.startswith("is") else (method[:3], method[3:])
        if beginning not in ("get", "set", "is") or not rest[:1].isupper():
            return ()
        plain = rest[:1].lower() + rest[1:]
        return (method,) if beginning == "is" else (plain, f"is{rest}") if beginning == "set" else (plain,)
