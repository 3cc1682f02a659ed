"""What comes with Java: names of java.lang, and members that most objects have."""

from __future__ import annotations

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.results import FLATTENED, KEYS, MAPPED, SAME, VALUES
from rpg.encoder.languages.rules import Methods, Tests, Types

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
_LISTS = """
ArrayDeque ArrayList BlockingQueue Collection CopyOnWriteArrayList Deque EnumSet HashSet ImmutableList ImmutableSet
Iterable Iterator LinkedHashSet LinkedList List ListIterator NavigableSet PriorityQueue Queue Set SortedSet Stream
TreeSet Vector list
"""
_MAPS = (
    "ConcurrentHashMap ConcurrentMap Entry EnumMap HashMap ImmutableMap LinkedHashMap Map SortedMap TreeMap WeakHashMap"
)
_BOXES = "AtomicReference Callable CompletableFuture Future Optional Supplier ThreadLocal WeakReference"
_EACH = "anyMatch allMatch filter flatMap forEach ifPresent map mapToInt noneMatch peek removeIf sorted"
_SAME = "distinct filter iterator limit listIterator parallelStream reversed skip sorted stream subList toList"
_VALUES = frozenset(
    """String byte short int long float double boolean char void Boolean Byte Character Double Float Integer Long Short
    Void""".split()
)
TESTS: Tests = Tests(
    names=("Test", "Tests", "TestCase", "IT"),
    beginnings=("Test",),
    marks=frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"}),
)
_PASSIVE = """
CanIgnoreReturnValue CheckReturnValue Deprecated FunctionalInterface Nonnull NonNull NotNull Nullable NullMarked
Override SafeVarargs SuppressWarnings
"""


class Rules(DeclarativeRules):
    tests = TESTS
    builtins = frozenset(_NAMES.split())
    builtin_members = MEMBERS
    object_members = frozenset("equals hashCode toString getClass notify notifyAll wait clone finalize".split())
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list")
        | dict.fromkeys(_MAPS.split(), "dict")
        | dict.fromkeys(_BOXES.split(), "box"),
        without_members=_VALUES,
        closed=_VALUES,
    )
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",)),
        results=dict.fromkeys(_SAME.split(), SAME)
        | {"values": VALUES, "keySet": KEYS, "map": MAPPED, "flatMap": FLATTENED},
        element=frozenset("get getFirst getLast next peek poll pop element remove findFirst".split()),
        held=frozenset(
            "get getValue getOrDefault computeIfAbsent remove orElse orElseThrow orElseGet join call".split()
        ),
    )
    constructors_are_named_like_classes = True
    passive_marks = frozenset(_PASSIVE.split())
    override_marks = frozenset({"Override"})
    called_members = frozenset({"main", "readObject", "readResolve", "writeObject", "writeReplace"})
    has_packages = True
    has_overloads = True
