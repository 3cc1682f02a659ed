"""What comes with Dart, and which file an import names. A file sees the names of those that its imports reach."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final

from rpg.encoder.languages.declarative.rules import ExtensibleRules
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.results import FLATTENED, KEYS, MAPPED, OF_ASKED_TYPE, SAME, VALUES, Gives
from rpg.encoder.languages.rules.attribute_types import Words
from rpg.encoder.languages.standard_library import Methods, Protocols, Types
from rpg.encoder.languages.tests import Tests

_NAMES = """
BigInt Comparable Completer DateTime Deprecated Duration Enum Error Exception File Function Future FutureOr Iterable
Iterator Never Null Object Pattern Record RegExp Set Sink StackTrace Stopwatch Stream StreamController
StreamSubscription String StringBuffer Symbol Timer Type Uri bool deprecated double dynamic identical int num override
print
"""
_MEMBERS = """
add addAll any cancel cast clear close compareTo complete contains containsKey elementAt endsWith every expand fillRange
first firstWhere fold followedBy forEach indexOf insert isEmpty isNotEmpty iterator join keys last lastWhere length
listen map padLeft putIfAbsent reduce remove removeAt removeLast removeWhere replaceAll reversed runtimeType single
skip sort split startsWith sublist substring take then timeout toList toLowerCase toSet toString toUpperCase trim
update values where whereType whenComplete write writeln
"""
_LISTS = "Iterable Iterator List Queue Set Stream StreamController list"
_EACH = "any every expand firstWhere forEach lastWhere listen map singleWhere takeWhile where"
_ASKING = "I find instance read watch"
"""Functions of libraries that give an instance of the type that is written for the call."""
_LOCATORS = ("GetIt",)
"""Classes of libraries with such functions, as no import says whose a name is."""
_PACKAGE: Final = re.compile(rb"^name:\s*['\"]?(\w+)", re.MULTILINE)


class Rules(ExtensibleRules):
    needs_imports = True
    awaiting = "results"
    demands_members = "of classes"
    bodiless_is_abstract = True
    objects_reach_statics = False
    classes_reach_members = False
    may_be_nothing = re.compile(r"\?\Z")
    fixed = Words(frozenset({"final", "const"}))
    setters_are_apart = True
    tells_properties_from_methods = True
    refuses_more_arguments = True
    literals_fit = fitting("""
        String: string
        int: int
        double num: int float
        bool: bool
    """)
    overrides_fit = "as called"
    plain_types = frozenset("int double bool String".split())
    types_stand = "in front"
    refuses_fewer_arguments = True
    types_precede_names = True
    sides = "apart"
    tests = Tests(run=("_test.dart",))
    builtins = frozenset(_NAMES.split()) | {"List", "Map", *_LOCATORS}
    builtin_members = frozenset(_MEMBERS.split())
    object_members = frozenset({"hashCode", "noSuchMethod", "runtimeType", "toString"})
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list") | {"Map": "dict"},
        transparent=frozenset({"Future", "FutureOr"}),
        without_members=frozenset("String bool double int num".split()),
    )
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",)),
        results=dict.fromkeys("cast reversed skip sublist take toList toSet where".split(), SAME)
        | {"map": MAPPED, "expand": FLATTENED, "keys": KEYS, "values": VALUES},
        element=frozenset("elementAt first firstWhere last lastWhere removeAt removeLast single singleWhere".split()),
        held=frozenset({"putIfAbsent", "remove", "update"}),
    )
    labels = "of fields"
    protocols = Protocols(call="call", iterators={"iterator": ("moveNext", "")}, item="[]")
    unnamed_members = frozenset("call current hashCode iterator moveNext noSuchMethod toString".split())
    unnamed_signs = True
    unnamed_prefixes = ("unary-",)
    run_unnamed = unnamed_members
    functions_by_last_part: Mapping[str, Gives] = dict.fromkeys(_ASKING.split(), Gives(OF_ASKED_TYPE))
    constructors_are_named_like_classes = True
    called_functions = frozenset({"main"})
    override_marks = frozenset({"override"})
    passive_marks = frozenset(
        "deprecated immutable internal mustCallSuper nonVirtual optionalTypeArgs protected sealed".split()
    )
    has_packages = True
    imports = "libraries"
    follows_declared_functions = True
    owners = "anywhere"

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.roots: dict[str, list[str]] = {}
        """Name of a package -> its folders; a repository may have several of one name."""
        folders = {path[: path.rfind("lib/")] for path in project.paths() if path.endswith(".dart") and "lib/" in path}
        for folder in sorted(folders, key=lambda each: (each.count("/"), each)):
            named = _PACKAGE.search(project.read(f"{folder}pubspec.yaml"))
            name = named[1].decode() if named is not None else folder.rstrip("/").rpartition("/")[2]
            self.roots.setdefault(name, []).append(folder)

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        if module.startswith("package:"):
            package, _, rest = module[len("package:") :].partition("/")
            if package not in self.roots:
                return None
            path = f"{nearest(importer, self.roots[package])}lib/{rest}"
        elif ":" in module:
            return None
        else:
            path = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], module))
        return (path,) if self.project.exists(path) else ()


def nearest(importer: str, folders: list[str]) -> str:
    """The one of several folders that shares the most with the path of a file, the first of them."""
    if len(folders) == 1:
        return folders[0]
    here = importer.split("/")

    def shared(folder: str) -> int:
        parts = folder.split("/")[:-1]
        return next((at for at, part in enumerate(parts) if at >= len(here) or part != here[at]), len(parts))

    return max(folders, key=shared)
