"""What comes with Kotlin: names that need no import, members that most objects have, collections."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rpg.encoder.languages.declarative.java import rules as java
from rpg.encoder.languages.declarative.rules import ExtensibleRules
from rpg.encoder.languages.given_names import Given, names_of_beans
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.results import FLATTENED, MAPPED, OF_ASKED_TYPE, SAME, Gives
from rpg.encoder.languages.rules.attribute_types import Closures, Construction, MembersRead, OnAnyObject, Words
from rpg.encoder.languages.standard_library import Methods, Protocols, Types
from rpg.graph import OVERRIDE

_NAMES = """
Any Array ArrayList Boolean BooleanArray Byte ByteArray Char CharArray CharSequence Class Comparable Double
DoubleArray Enum Error Exception Float HashMap HashSet IllegalArgumentException IllegalStateException Int IntArray
Iterable Iterator Lazy List Long LongArray Map MutableList MutableMap MutableSet Nothing Number Pair Result Sequence
Set Short String Throwable Triple UByte UInt ULong UShort Unit
arrayOf check checkNotNull emptyList emptyMap error lazy listOf mapOf maxOf minOf mutableListOf mutableMapOf
mutableSetOf println print repeat require requireNotNull run setOf to TODO with
"""
_BROUGHT = frozenset(
    "java.lang kotlin kotlin.annotation kotlin.collections kotlin.comparisons kotlin.io kotlin.jvm kotlin.ranges"
    " kotlin.sequences kotlin.text".split()
)
"""Packages whose names need no import."""
_MEMBERS = """
also apply let run takeIf use get set add remove size isEmpty isNotEmpty contains map filter forEach first last any all
none count toList toSet toMap joinToString trim split length substring indexOf equals hashCode toString copy close read
write flush invoke plus minus toByte toShort toInt toLong toFloat toDouble toChar toUInt toULong
"""
_CONVERSIONS = {f"to{each}": each for each in "Byte Char Double Float Int Long Short String".split()}
_LISTS = "Array Collection Iterable Iterator List MutableCollection MutableList MutableSet Sequence Set list"
_NUMBERS = "Number Comparable Any"
_SUPERTYPES = {
    name: tuple(above.split())
    for name, above in {
        "Boolean": "Comparable Any",
        "Byte": _NUMBERS,
        "Char": "Comparable Any",
        "Double": _NUMBERS,
        "Float": _NUMBERS,
        "Int": "Number Long Short Byte Comparable Any",  # a literal may be any of these
        "Long": _NUMBERS,
        "Short": _NUMBERS,
        "String": "CharSequence Comparable Any",
        "UInt": "Comparable Any",
        "ULong": "Comparable Any",
    }.items()
}
_PASSIVE = """
CheckReturnValue Deprecated DslMarker ExperimentalStdlibApi JsName JvmDefault JvmField JvmInline JvmMultifileClass
JvmName JvmOverloads JvmStatic JvmSuppressWildcards MustBeDocumented OptIn PublishedApi ReplaceWith Retention Suppress
Synchronized Target Throws Transient Volatile
"""
_ASKING = """
activityViewModels decodeFromString decodeFromStream get getOrNull getViewModel hiltViewModel inject injectOrNull
koinInject koinNavViewModel koinViewModel mockk receive spyk viewModel viewModels
"""
_UNNAMED = """
compareTo contains dec div divAssign equals get getValue hasNext inc invoke iterator minus minusAssign next not plus
plusAssign provideDelegate rangeTo rangeUntil rem remAssign set setValue times timesAssign unaryMinus unaryPlus
"""

_SCOPE_FUNCTIONS = {
    "also": OnAnyObject("itself", lends="value"),
    "apply": OnAnyObject("itself", lends="receiver"),
    "let": OnAnyObject("result", lends="value"),
    "run": OnAnyObject("result", lends="receiver"),
    "takeIf": OnAnyObject("itself", lends="value"),
    "takeUnless": OnAnyObject("itself", lends="value"),
    "use": OnAnyObject("result", lends="value"),
    "with": OnAnyObject("result", lends="receiver"),
}


class Rules(ExtensibleRules):
    needs_imports = True
    members_read = MembersRead(
        all=re.compile(rb"\s*(?:(?:::class\.java)?\.(?:getDeclaredMethods|getMethods)\b|::class\s*[,)])")
    )
    overrides_fit = "exactly"
    calls_await = True
    plain_types = frozenset("Int Long Short Byte Char Float Double Boolean String Unit".split())
    closing_members = Words(frozenset({"final"}), frozenset({"open", "abstract", "override"}))
    effects_of_overrides = Words(frozenset({"suspend"}), frozenset({"suspend"}))
    demands_members = "of classes"
    branching = re.compile(r"\bwhen\s*\([^{};]*\)\s*\Z")
    branch_sign = "->"
    tells_properties_from_methods = True
    closing = Words(that_say_no=frozenset({"open", "abstract", "sealed"}))
    hiding = Words(frozenset({"private"}))
    showing_in_build = frozenset({"internal"})
    objects_reach_statics = False
    call_marks: Mapping[str, str] = {"suspend": ""}
    may_be_nothing = re.compile(r"\?\Z")
    fixed = Words(frozenset({"val"}))
    setters_in_text = (
        (re.compile(r"\A[^\n]*\n\s*(?:get\(\)[^\n]*\s+)?(?:private|protected)\s+set\b"), "in its class"),
    )
    refuses_more_arguments = True
    literals_fit = fitting("""
        String: string
        Int Long Short Byte: int
        Double: float
        Boolean: bool
        Char: char
    """)
    has_characters = True
    refuses_fewer_arguments = True
    tests = java.TESTS._replace(folder_endings=("Test", "test"), marks=frozenset({"Test", "ParameterizedTest"}))
    builtins = frozenset(_NAMES.split())
    builtin_members = frozenset(_MEMBERS.split()) | java.MEMBERS
    object_members = frozenset("equals hashCode toString".split())
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list")
        | dict.fromkeys(("Map", "MutableMap", "HashMap"), "dict")
        | {"Class": "type", "KClass": "reflected"},
        supertypes=_SUPERTYPES,
        of_everything=frozenset({"Any"}),
        without_members=frozenset(
            "Boolean Byte Char Double Float Int Long Short String UInt ULong Unit Nothing".split()
        ),
    )
    methods = Methods(
        calls_back=dict.fromkeys("all any filter first flatMap forEach map none onEach sortedBy".split(), ("value",)),
        results=dict.fromkeys("asSequence filter sorted sortedBy take toList toSet".split(), SAME)
        | {"map": MAPPED, "flatMap": FLATTENED},
        element=frozenset("first last firstOrNull lastOrNull single removeAt get".split()),
        held=frozenset({"get", "getOrDefault", "getValue"}),
        converts=_CONVERSIONS,
        texts_are_apart=True,
    )
    protocols = Protocols(call="invoke", iterators={"iterator": ("next", "")}, item="get")
    joined_names = java.DERIVED_QUERIES
    marks_name_fields = re.compile(
        rb"@(?:\w+:)?(?:OneToMany|OneToOne|ManyToMany|MapKey|ToString|EqualsAndHashCode|Json(?:Ignore|Include)Properties"
        rb"|JsonPropertyOrder)\s*\Z"
    )
    unnamed_members = frozenset(_UNNAMED.split())
    unnamed_prefixes = ("component",)
    unnamed_words = frozenset({"operator", OVERRIDE})
    run_unnamed = unnamed_members
    functions_by_last_part: Mapping[str, Gives] = dict.fromkeys(
        f"{java.ASKING} {_ASKING}".split(), Gives(OF_ASKED_TYPE)
    )
    passive_marks = frozenset(_PASSIVE.split())
    called_functions = frozenset({"main"})
    called_members = frozenset({"main"})
    has_packages = True
    closures = Closures(have_receivers=True, implicit_parameter="it", may_trail=True)
    argument_types = "exact"
    on_any_object = _SCOPE_FUNCTIONS
    overloads = "constructors"
    labels = "of fields"
    construction = Construction(copies="copy")
    accessors = "read"
    names_of_itself = frozenset({"Companion", "INSTANCE"})
    types_of_one_name = "platforms"
    owners = "anywhere"
    extensions = "imported"

    def brings(self, module: str, name: str, role: int) -> bool:
        return module in _BROUGHT or super().brings(module, name, role)

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        return names_of_beans(kind, name)

    def accessors_of(self, name: str, is_written: bool) -> tuple[str, ...]:
        is_flag = name.startswith("is") and name[2:3].isupper()
        capitalised = name[:1].upper() + name[1:]
        if is_written:
            return (f"set{name[2:] if is_flag else capitalised}",)
        return (f"get{capitalised}", name) if is_flag else (f"get{capitalised}",)

    def platform(self, path: str) -> str:
        """`jvm` of `src/jvmMain/kotlin/a.kt`; code for all platforms is in `commonMain`, and `src/main` is that of a
        project for one."""
        folders = path.split("/")
        if "src" not in folders[:-2]:
            return ""
        source_set = folders[folders.index("src") + 1].removesuffix("Main").removesuffix("Test")
        if source_set in ("main", "test"):
            return java.PLATFORM
        return "" if source_set == "common" else source_set

    def is_promise(self, kind: str, text: str) -> bool:
        header, _, rest = text.partition("\n")
        is_read = rest.lstrip().startswith(("get(", "get ("))
        return kind == "field" and not is_read and not any(sign in header for sign in ("=", " get", " by "))
