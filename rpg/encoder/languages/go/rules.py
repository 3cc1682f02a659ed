"""Where Go's import paths lead: packages are folders of the modules that the repository's go.mod files declare.

In: the importing file and an import path. Out: a folder, or None for a library.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import cached_property

from rpg.encoder import languages
from rpg.encoder.facts import Import
from rpg.encoder.languages import Project, folders_of
from rpg.encoder.languages.go.signatures import shape
from rpg.encoder.languages.go.types import PRIMITIVES
from rpg.encoder.languages.go.walker import RUN
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.page_templates import PageTemplates
from rpg.encoder.languages.results import ANY_ARGUMENT, FIRST, ONE_ELEMENT, ONE_OF_FIRST, VALUE_OF_TYPE, VALUES, Gives
from rpg.encoder.languages.rules.attribute_types import MethodSets, Words
from rpg.encoder.languages.standard_library import Protocols, Types
from rpg.encoder.languages.tests import Tests

_MODULE = re.compile(r'^\s*module\s+"?([^\s"]+)"?', re.MULTILINE)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?\"?([^\s\"()]+)\"?(?:\s+v\S+)?\s*=>\s*\"?([^\s\"]+)\"?", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*")

_NAMES = """
append cap clear close complex copy delete false imag iota len make max min new nil panic print println real recover
true
"""
_MEMBERS = "Error String Unwrap Is As Len Less Swap Read Write Close"
_CALLED = """
As Close Error Flush Format GoString Is Len Less MarshalBinary MarshalJSON MarshalText MarshalYAML Pop Push Read ReadAt
ReadFrom RoundTrip Scan Seek ServeHTTP String Swap UnmarshalBinary UnmarshalJSON UnmarshalText UnmarshalYAML Unwrap
Value Write WriteAt WriteHeader WriteTo
"""
"""Methods of the interfaces through which the standard library calls what it is given."""
_INTERFACES = {
    "error": ("Error() string",),
    "fmt.Stringer": ("String() string",),
    "io.Closer": ("Close() error",),
    "io.Reader": ("Read(p []byte) (int, error)",),
    "io.Writer": ("Write(p []byte) (int, error)",),
    "io.ReadCloser": ("Read(p []byte) (int, error)", "Close() error"),
    "io.ReadWriter": ("Read(p []byte) (int, error)", "Write(p []byte) (int, error)"),
    "io.WriteCloser": ("Write(p []byte) (int, error)", "Close() error"),
    "sort.Interface": ("Len() int", "Less(i, j int) bool", "Swap(i, j int)"),
}
_GIVING_BACK = frozenset("iter lo maps mo set sets slices".split())
"""Packages of generic functions, which give what they were passed, by the last part of their paths."""
_SAME = """
slices.All slices.AppendSeq slices.Backward slices.Clip slices.Clone slices.Collect slices.Compact slices.CompactFunc
slices.Delete slices.DeleteFunc slices.Grow slices.Insert slices.Repeat slices.Replace slices.Sorted slices.SortedFunc
slices.SortedStableFunc slices.Values maps.All maps.Clone maps.Collect
"""
_FUNCTIONS = {
    **dict.fromkeys(_SAME.split(), Gives(FIRST)),
    **dict.fromkeys(("slices.Max", "slices.Min"), Gives(ONE_ELEMENT)),
    **dict.fromkeys(("slices.MaxFunc", "slices.MinFunc"), Gives(ONE_OF_FIRST)),
    "slices.Concat": Gives(ANY_ARGUMENT),
    "maps.Values": Gives(VALUES),
    **dict.fromkeys(("len", "print", "complex", "copy", "bool", "any"), Gives(VALUE_OF_TYPE, "object")),
    "int": Gives(VALUE_OF_TYPE, "int"),
    **dict.fromkeys(("min", "max"), Gives(ONE_ELEMENT)),
}


class Rules(languages.Rules):
    needs_imports = True
    refuses_more_arguments = True
    fixed = Words(frozenset({"const"}))
    literals_fit = fitting("""
        string: string
        bool: bool
        error: null
        int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune float32 float64: int char float
    """)
    types_stand = "behind"
    has_characters = True
    refuses_fewer_arguments = True
    spreads = "results"
    literals_need = "all fields if none is named"
    tests = Tests(functions="test", run=RUN, preparations=frozenset({"TestMain"}), runners=("go",))
    named_in = ("go.mod",)
    builtins = frozenset(_NAMES.split()) | PRIMITIVES
    builtin_members = frozenset(_MEMBERS.split())
    types = Types(
        containers={"list": "list", "dict": "dict", "Seq": "list", "Seq2": "dict"},
        anything=frozenset({"any"}),
        closed=frozenset({"string", "int", "bool"}),
    )
    functions = _FUNCTIONS
    classes_are_called = False
    protocols = Protocols(run_by_loops=True)
    shares_package_scope = True
    keeps_declared_types = True
    reached_by = frozenset[str]()
    method_sets = MethodSets(make_implementers=True, name_parameters=True, interfaces=_INTERFACES)
    called_members = frozenset(_CALLED.split())

    def may_give_back(self, name: str, call: bool) -> bool:
        return name.partition("(")[0].rpartition(".")[0].rpartition("/")[2] in _GIVING_BACK

    @classmethod
    def is_entry(cls, name: str) -> bool:
        return name in ("main", "init")

    @classmethod
    def may_be_imported(cls, path: str, package: str) -> bool:
        return package != "main" and "internal" not in path.partition(".")[0].split("/")

    @classmethod
    def is_embedded(cls, kind: str, name: str, header: str) -> bool:
        return kind == "field" and header.split("`")[0].strip().lstrip("*").rpartition(".")[2].partition("[")[0] == name

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        paths = [path for path in project.paths() if path.endswith(".go")]
        self.folders = {path.rpartition("/")[0] for path in paths}
        around = folders_of(paths)
        self.modules: dict[str, list[str]] = {}
        """Path of a module -> the folders that declare it, the topmost first."""
        self.replaced: dict[str, dict[str, str]] = {}
        """Folder of a go.mod or go.work -> path of a module -> the folder that replaces it."""
        self.renamed: dict[str, dict[str, str]] = {}
        """The same for modules that another one replaces, by its path."""
        for folder in sorted(around, key=lambda folder: (folder.count("/") + bool(folder), folder)):
            start = f"{folder}/" if folder else ""
            text = _COMMENT.sub("", project.read(start + "go.mod").decode("utf-8", "replace"))
            named = _MODULE.search(text)
            if named:
                self.modules.setdefault(named[1], []).append(folder)
            renamed: dict[str, str] = {}
            text += "\n" + _COMMENT.sub("", project.read(start + "go.work").decode("utf-8", "replace"))
            for old, new in _REPLACE.findall(text):
                if new.startswith("."):
                    inner = posixpath.normpath(posixpath.join(folder, new))
                    if not inner.startswith(".."):
                        self.replaced.setdefault(folder, {})[old] = "" if inner == "." else inner
                else:
                    renamed[old] = new
            self.renamed[folder] = renamed

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        folder = importer.rpartition("/")[0]
        if module.startswith(("./", "../")):
            return self.package(posixpath.normpath(posixpath.join(folder, module))) or ()
        own: tuple[str, ...] | None = None
        for name, start in self.candidates(folder, module):
            own = ()
            found = self.package(posixpath.join(start, module[len(name) + 1 :]) if module != name else start)
            if found:
                return found
        return own

    def method_shape(self, signature: str, named: Callable[[str, str], str]) -> str:
        return shape(signature, named)

    def candidates(self, folder: str, module: str) -> list[tuple[str, str]]:
        """(module path, folder) of the modules that the import path may belong to: replaced ones first, then the
        longest."""
        rows: list[tuple[str, str]] = []
        while True:
            for name, target in self.replaced.get(folder, {}).items():
                rows.append((name, target))
            for name, other in self.renamed.get(folder, {}).items():
                rows += [(name, target) for target in self.modules.get(other, ())]
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        declared = [(name, target) for name, targets in self.modules.items() for target in targets]
        rows += sorted(declared, key=lambda row: -len(row[0]))
        return [(name, target) for name, target in rows if module == name or module.startswith(name + "/")]

    def package(self, folder: str) -> tuple[str, ...]:
        folder = "" if folder == "." else folder.strip("/")
        return (f"{folder}/" if folder else "./",) if folder in self.folders else ()

    @cached_property
    def templates(self) -> PageTemplates:
        return PageTemplates(self.project)

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The template that a string names: by its path in the repository, or within a folder of templates."""
        if self.project.has_file(statement.module):
            return (statement.module,)
        found = self.templates.named(importer, statement.module)
        return (found,) if found else ()
