"""What comes with Scala: names that need no import, members that most objects have, collections."""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.declarative.java import rules as java
from rpg.encoder.languages.declarative.rules import ExtensibleRules
from rpg.encoder.languages.given_names import Given, names_of_beans
from rpg.encoder.languages.results import FLATTENED, KEYS, MAPPED, SAME, VALUES
from rpg.encoder.languages.rules.attribute_types import Construction, Words
from rpg.encoder.languages.standard_library import LibraryBase, Methods, Protocols, Types

_NAMES = """
Any AnyRef AnyVal App Array Boolean BigDecimal BigInt Byte Char Console Double Either Exception Failure Float Function
Future IndexedSeq Int Iterable Iterator Left List Long Map Nil None Nothing Null Numeric Option Ordering PartialFunction
Predef Product Range Right RuntimeException Seq Serializable Set Short Some Stream String StringBuilder Success Symbol
Throwable Try Tuple2 Unit Vector assert assume classOf identity implicitly locally print printf println require summon
"""
_MEMBERS = """
andThen apply asInstanceOf collect compose contains copy count distinct drop dropWhile exists filter filterNot find
flatMap flatten fold foldLeft foldRight forall foreach get getOrElse groupBy head headOption indexOf indices isDefined
isEmpty isInstanceOf keys last lastOption length map max min mkString nonEmpty orElse partition reduce replace reverse
size slice sortBy sorted span split sum tail take takeWhile toArray toInt toList toMap toSeq toSet toString toVector
trim unapply updated values withFilter zip zipWithIndex
"""
_PLAIN_BASES = "Any AnyRef AnyVal Equals Matchable Object Product Serializable"
_LISTS = """
Array ArrayBuffer Buffer IndexedSeq Iterable Iterator LazyList List ListBuffer Option Queue Seq Set SortedSet Some
Stream Traversable Vector list
"""
_EACH = "collect exists filter filterNot find flatMap forall foreach map partition sortBy takeWhile withFilter"
_WIDER = {
    "Byte": "Short Int Long Float Double",
    "Char": "Int Long Float Double",
    "Double": "",
    "Float": "Double",
    "Int": "Long Float Double",
    "Long": "Float Double",
    "Short": "Int Long Float Double",
    "Boolean": "",
    "Unit": "",
}
"""Types of values -> those that they are converted to."""
_SUPERTYPES = {name: (*wider.split(), "AnyVal", "Any") for name, wider in _WIDER.items()} | {
    "String": ("CharSequence", "Comparable", "AnyRef", "Any")
}
_PASSIVE = """
deprecated inline native nowarn SerialVersionUID switch tailrec targetName throws transient unchecked volatile
"""


_IMPLICIT: Final = re.compile(
    r"(?:(?:private|protected|final|inline|lazy|override)(?:\[\w+\])?\s+)*(?:implicit|given)\b"
)


class Rules(ExtensibleRules):
    labels = "of fields"
    construction = Construction(copies="copy")
    overrides_fit = "exactly"
    plain_types = frozenset("Int Long Short Byte Char Float Double Boolean String Unit".split())
    closing_members = Words(frozenset({"final"}))
    demands_members = "of classes"
    bodiless_is_abstract = True
    hiding = Words(frozenset({"private"}))
    fixed = Words(frozenset({"val"}))
    tests = java.TESTS._replace(
        names=(*java.TESTS.names, "Spec", "Specs", "Suite"), marks=frozenset({"Test"}), runners=("sbt",)
    )
    builtins = frozenset(_NAMES.split()) | java.BUILTINS
    builtin_members = frozenset(_MEMBERS.split()) | java.MEMBERS
    object_members = frozenset("asInstanceOf equals getClass hashCode isInstanceOf toString eq ne".split())
    library_bases = dict.fromkeys(_PLAIN_BASES.split(), LibraryBase(is_plain=True))
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list")
        | dict.fromkeys(("Map", "HashMap", "SortedMap", "TreeMap"), "dict"),
        supertypes=_SUPERTYPES,
        of_everything=frozenset({"Any"}),
        without_members=frozenset("Boolean Byte Char Double Float Int Long Short Unit Nothing String".split()),
    )
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",)),
        results=dict.fromkeys(
            "distinct drop dropWhile filter filterNot reverse sorted sortBy tail take toList".split(), SAME
        )
        | {"map": MAPPED, "flatMap": FLATTENED, "keys": KEYS, "values": VALUES},
        element=frozenset("head last get find headOption lastOption max min next apply".split()),
        held=frozenset({"get", "getOrElse", "apply"}),
    )
    passive_marks = frozenset(_PASSIVE.split())
    called_functions = frozenset({"main"})
    called_members = frozenset({"main"})
    unnamed_members = frozenset("apply equals flatMap foreach map unapply unapplySeq update withFilter".split())
    unnamed_prefixes = ("unary_",)
    unnamed_signs = True
    run_unnamed = unnamed_members
    has_packages = True
    overloads = "methods"
    sides = "companions"
    names_of_itself = frozenset({"MODULE$"})
    metaclass = "companion"
    protocols = Protocols(call="apply")
    owners = "anywhere"
    packages_are_written = True
    writers_end = "_="

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        return names_of_beans(kind, name)

    @classmethod
    def is_implicit(cls, header: str) -> bool:
        return _IMPLICIT.match(header) is not None

    def packages_seen(self, package: str) -> tuple[str, ...]:
        parts = package.split(".")
        return tuple(".".join(parts[:end]) for end in range(len(parts), 0, -1))
