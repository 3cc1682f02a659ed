"""How Python's imports name files, and which names are bound without any.

In: the importing file and a module's name. Out: files. There is no interpreter whose `sys.path` could be asked. A
folder counts as an import root if code run from it would find the module: the repository's root, `src/`, folders with a
build file and their `src/` and `lib/`, roots set by option, and every folder above the importing file that is not a
package itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from rpg.encoder import languages
from rpg.encoder.facts import Import
from rpg.encoder.languages import Placed, folders_of
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.page_templates import PageTemplates
from rpg.encoder.languages.python import library
from rpg.encoder.languages.python.build_files import BUILD_FILES, find_folders_of_packages
from rpg.encoder.languages.python.importers import ModuleNaming
from rpg.encoder.languages.python.names import (
    BUILTIN_MEMBERS,
    BUILTINS,
    GIVE_BACK,
    MAKE_THEIR_OWN,
    OBJECT_MEMBERS,
    STANDARD_MODULES,
)
from rpg.encoder.languages.rules.attribute_types import Construction, FieldMarks, MembersRead, ModuleObjects
from rpg.encoder.languages.tests import Tests
from rpg.text.paths import count_shared_folders

_SUFFIXES = (".py", "/__init__.py", ".pyi", "/__init__.pyi")
"""In order of preference: a stub answers only if there is no source."""


_SOURCES = "src/"
_SHIPPED = "test_helper test_helpers test_support test_tools test_util test_utils testing"


_PASSIVE = """
abstractmethod asynccontextmanager cache cached_property classmethod contextmanager coroutine dataclass
deprecated final lru_cache no_type_check overload override property runtime_checkable singledispatch
staticmethod total_ordering wraps
"""


class Rules(languages.Rules):
    needs_imports = True
    base_precedence = "first"
    refuses_more_arguments = True
    literals_fit = fitting("""
        str: string
        int: int bool
        float: int float bool
        bool: bool
    """)
    refuses_fewer_arguments = True
    awaiting = "strict"
    construction = Construction(
        marks=FieldMarks(
            re.compile(r"\b(?:init|kw_only)\s*=|\b(?:KW_ONLY|InitVar)\b"),
            re.compile(r"\bClassVar\b"),
            re.compile(r"\bfrozen\b(?!\s*=\s*False)|\bNamedTuple\b"),
            re.compile(r"\(\s*(?:typing\.)?NamedTuple\s*\)"),
        )
    )
    setters_are_apart = True
    may_be_nothing = re.compile(r"\A(?:\w+\.)?Optional\[|\|\s*None\Z|\ANone\s*\|")
    counted_types = frozenset("list List tuple Tuple Sequence MutableSequence".split())
    uncounted_types = frozenset(
        "AbstractSet AsyncIterator Collection Generator Iterable Iterator Set frozenset set".split()
    )
    keepers = frozenset({"partial", "partialmethod", "to_thread"})
    tells_properties_from_methods = True
    demands_members = "of objects"
    literals_need = "all members"
    passive_marks = frozenset(_PASSIVE.split())
    override_marks = frozenset({"override"})
    bases_in_parentheses = True
    exports = re.compile(rb"\b__all__\s*(?::[^=\n]*)?(?:\+?=\s*(?:\w+\s*\+\s*)?|\.extend\s*|\.append\s*)\Z")
    loads_by_path = re.compile(rb"\b(?:import_module|__import__)\(\s*(?![\"'][\w.]+[\"']\s*[,)])\S")
    converted = re.compile(rb"\b(?:alias_generator|to_camel|camelize|rename=\"camel\"|strawberry|graphene)\b")
    takes_names = re.compile(
        rb"\b(?:filter|exclude|get|get_or_create|update_or_create|create|update|annotate|aggregate|alias|order_by|earliest"
        rb"|latest|values|values_list|only|defer|distinct|dates|select_related|prefetch_related|in_bulk|get_object_or_404"
        rb"|get_list_or_404|filter_by|Q|F|OuterRef|Prefetch|Count|Sum|Avg|Min|Max)\s*\Z"
    )
    joined_names = (
        ("__{name}", r"(?<!\w)[A-Za-z]\w*__{name}(?:__\w+)?(?!\w)"),
        ("{name}__", r"(?<!\w){name}__[a-z]\w*"),
    )
    conforming = re.compile(r"\bProtocol\b")
    members_read = MembersRead(
        by_name_before=re.compile(rb"(?:[gs]etattr|hasattr)\(\s*\Z"),
        all=re.compile(rb"\s*\.__dict__\b"),
        all_before=re.compile(rb"\b(?:vars|dir|getmembers)\(\s*\Z"),
        by_key_before=re.compile(
            rb"\.(?:cleaned_data|validated_data|initial_data|base_fields|declared_fields|fields|initial|errors)"
            rb"\s*(?:\[|\.(?:get|pop|setdefault)\()\s*\Z"
        ),
        of_own_module=re.compile(
            rb"\b(?:globals|vars|dir)\(\s*\)|\bgetmembers\(\s*sys\.modules\b|\bdir\(\s*sys\.modules\b"
        ),
    )
    builtins = BUILTINS
    builtin_members = BUILTIN_MEMBERS
    object_members = OBJECT_MEMBERS
    makes_its_own = MAKE_THEIR_OWN
    constructor = "__init__"
    types = library.TYPES
    methods = library.METHODS
    protocols = library.PROTOCOLS
    functions = library.FUNCTIONS
    functions_by_last_part = library.FUNCTIONS_BY_LAST_PART
    calls_argument = library.CALLS_ARGUMENT
    dispatching = library.DISPATCHING
    decorators = library.DECORATORS
    library_bases = library.BASES
    metaclass = "metaclass"
    tests = Tests(
        files=frozenset({"conftest.py"}),
        functions="test",
        shipped=frozenset(_SHIPPED.split()),
        runners=("pytest", "unittest"),
        preparations=frozenset(
            """setUp tearDown setUpClass tearDownClass setUpModule tearDownModule setUpTestData asyncSetUp asyncTearDown
            setup_method teardown_method setup_class teardown_class setup_module teardown_module setup_function
            teardown_function""".split()
        ),
        applied=r"fixture\(.*\bautouse\s*=\s*True",
    )
    for_types_only = ("TYPE_CHECKING",)
    loads_in_order = True
    accessors = "overriding"
    named_in = ("pyproject.toml", "setup.cfg", "setup.py")
    configuration_files = frozenset({"setup.py"})
    manifests = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
    module_objects = ModuleObjects(
        imports_are_members=True,
        are_folders=True,
        listing="__all__",
        stand_for_others=frozenset({"__getattr__", "__path__"}),
    )
    looked_up_prefixes = ("__",)
    unnamed_prefixes = ("__",)
    follows_declared_functions = False  # `Callable` appears at the borders of libraries, whose callers are mostly tests

    @classmethod
    def is_written_as_literal(cls, header: str) -> bool:
        return re.search(r"\bTypedDict\b(?!.*\btotal\s*=\s*False)", header) is not None

    @classmethod
    def has_literals(cls, header: str) -> bool:
        return re.search(r"\bTypedDict\b", header) is not None

    def may_give_back(self, name: str, call: bool) -> bool:
        library = name.partition(".")[0].partition("(")[0]
        return super().may_give_back(name, call or library in GIVE_BACK)

    def is_optional(self, name: str, header: str) -> bool:
        return "NotRequired[" in header

    @classmethod
    def is_run_unnamed(cls, name: str, header: str) -> bool:
        return name.endswith("__") and super().is_run_unnamed(name, header)

    def __init__(self, project: languages.Project) -> None:
        super().__init__(project)
        self.found: dict[tuple[str, str], tuple[str, ...] | None] = {}
        self.roots_of: dict[str, list[str]] = {}
        self.links: dict[str, bool] = {}

    @cached_property
    def templates(self) -> PageTemplates:
        return PageTemplates(self.project)

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The template of a page that a string names."""
        found = self.templates.named(importer, statement.module)
        return (found,) if found else ()

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders that contain Python files at any depth, `/`-terminated; the root is empty."""
        folders = folders_of(path for path in self.project.paths() if path.endswith((".py", ".pyi")))
        return frozenset(f"{folder}/" if folder else "" for folder in folders)

    @cached_property
    def main_roots(self) -> tuple[str, ...]:
        roots = {*self.project.roots, ""}
        for folder in (*self.projects, ""):
            roots |= {folder} | {folder + sub for sub in ("src/", "lib/") if folder + sub in self.folders}
        roots |= {place for package, place in self.mapped if not package}
        return tuple(sorted(roots, key=lambda root: (-root.count("/"), root)))

    @cached_property
    def projects(self) -> list[str]:
        """The folders with a build file, or that hold all code of one."""
        folders = sorted({*self.folders, *(above_of(folder) for folder in self.folders)})
        return [folder for folder in folders if any(self.project.read(folder + name) for name in BUILD_FILES)]

    @cached_property
    def mapped(self) -> list[tuple[str, str]]:
        """Packages that are in a folder of another name or place, by what the build files say, and that folder."""
        rows = [row for folder in self.projects for row in find_folders_of_packages(folder, self.project.read).items()]
        return [(package, place) for package, place in rows if place in self.folders]

    @cached_property
    def renamed(self) -> dict[str, list[tuple[str, str]]]:
        """Those of `mapped` that the folders above do not lead to, by the first part of the package."""
        found: dict[str, list[tuple[str, str]]] = {}
        for package, place in self.mapped:
            if package:
                found.setdefault(package.partition(".")[0], []).append((package, place))
        return found

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        folder = importer[: importer.rfind("/") + 1]
        if level:
            for _ in range(level - 1):
                if not folder:
                    return ()
                folder = folder[: folder[:-1].rfind("/") + 1]
            if not module:
                return self.package(folder)
            found = self.at(folder, module)
            return (found,) if found else () if not self.was_left_out(folder, module) else None
        key = (folder, module)
        if key not in self.found:
            self.found[key] = self.absolute("", folder, module)
        if self.found[key] == (importer,) and "." not in module:
            # A module with the name of what it imports means the library; a package may well name itself in full.
            return self.absolute(importer, folder, module)
        return self.found[key]

    def is_nested(self, importer: str, place: str, module: str) -> bool:
        stem = module.replace(".", "/")
        at = place.rfind(f"/{stem}") + 1 if not place.startswith(stem) else 0
        root = place[:at]
        if importer.startswith(project_of(root)) and root.endswith(_SOURCES):
            return False
        return root not in self.main_roots and root != importer[: importer.rfind("/") + 1]

    def elsewhere(self, module: str, place: str) -> tuple[str, ...] | None:
        for root in self.main_roots:
            found = self.at(root, module)
            if found and found != place and not found.endswith("/"):
                return (found,)
        return None

    def package(self, folder: str) -> tuple[str, ...]:
        for suffix in ("__init__.py", "__init__.pyi"):
            if self.project.exists(folder + suffix):
                return (folder + suffix,)
        return (folder or "./",) if folder in self.folders else ()

    def absolute(self, importer: str, folder: str, module: str) -> tuple[str, ...] | None:
        top = module.partition(".")[0]
        if top in self.renamed:
            mapped = self.in_mapped(folder, module)
            if mapped is not None:
                return mapped
        seen: set[str] = set()
        partial = False
        for root in self.roots(folder, top):
            if root in seen:
                continue
            seen.add(root)
            found = self.at(root, module)
            if found and found != importer:
                return () if self.has_rival(root, folder, module) else (found,)
            partial = partial or (module != top and self.is_regular(root, top))
            if partial and self.was_left_out(root, module):
                return None
        if not partial and top not in STANDARD_MODULES:
            places = [place for place in self.places(top) if self.at(place, module)]
            most = max((count_shared_folders(place, folder) for place in places), default=0)
            nearest = [place for place in places if count_shared_folders(place, folder) == most]
            found = self.at(nearest[0], module) if len(nearest) == 1 else None
            if found:
                return (found,)
            partial = bool(nearest) or any(self.is_link(root + top) for root in ("", _SOURCES))
        # Nothing has that name, a package lacks the submodule, several are as near, or a link leads there.
        return () if partial else None

    def in_mapped(self, folder: str, module: str) -> tuple[str, ...] | None:
        """The file of a module in a package that a build file puts elsewhere, of the nearest project; None if there is
        none."""
        found: dict[str, int] = {}
        for package, place in self.renamed[module.partition(".")[0]]:
            rest = module[len(package) :]
            if module.startswith(package) and rest[:1] in ("", "."):
                paths = (self.at(place, rest[1:]),) if rest else self.package(place)
                found |= {path: count_shared_folders(place, folder) for path in paths if path is not None}
        nearest = [path for path, near in found.items() if near == max(found.values())]
        return None if not nearest else tuple(nearest) if len(nearest) == 1 else ()

    def is_link(self, path: str) -> bool:
        """Whether something without a text has the name of a package: a link to a folder."""
        known = self.links.get(path)
        if known is None:
            known = self.links[path] = self.project.read(path) == b"\n"
        return known

    def places(self, top: str) -> list[str]:
        """The folders with a package of that name outside other packages, or with a module of it among sources."""
        among_sources = (root for root in self.source_folders if self.at(root, top))
        return list(dict.fromkeys((*self.packages.get(top, ()), *among_sources)))

    @cached_property
    def source_folders(self) -> list[str]:
        """Folders of sources, wherever they are: with or without a project's file beside them."""
        return sorted(f for f in self.folders if f.endswith(f"/{_SOURCES}") and not self.is_package_folder(f))

    def has_rival(self, root: str, folder: str, module: str) -> bool:
        """Whether another project, as near to a folder outside both, has the module too."""
        project = project_of(root)
        if folder.startswith(project) or root in self.project.roots:
            return False
        near = count_shared_folders(project, folder)
        return any(
            count_shared_folders(each, folder) == near
            and project_of(each) != project
            and self.at(each, module) is not None
            for each in self.main_roots
        )

    def was_left_out(self, root: str, module: str) -> bool:
        """Whether a module is in the repository but not in the graph: vendored, generated, too large."""
        stem = root + module.replace(".", "/")
        return any(self.project.read(stem + suffix) for suffix in _SUFFIXES)

    @cached_property
    def packages(self) -> dict[str, list[str]]:
        """Name of a package outside other packages -> the folders that contain one of that name."""
        found: dict[str, list[str]] = {}
        for folder in sorted(self.folders):
            above, name = folder[: folder[:-1].rfind("/") + 1], folder[:-1].rpartition("/")[2]
            if self.is_package_folder(folder) and not self.is_package_folder(above):
                found.setdefault(name, []).append(above)
        return found

    def roots(self, folder: str, top: str) -> list[str]:
        """Where to look: above the importer and in the sources there, then in the projects, always the nearest first.
        Only a module next to the importer, or at the very top, hides one of the standard library."""
        if top in STANDARD_MODULES:
            return [root for root in self.main_roots if root in ("", "src/") or root in self.project.roots] + (
                [folder] if not self.is_package_folder(folder) else []
            )
        if folder not in self.roots_of:
            self.roots_of[folder] = self.roots_from(folder)
        return self.roots_of[folder]

    def roots_from(self, folder: str) -> list[str]:
        found: list[str] = []
        step = folder
        while True:
            if not self.is_package_folder(step):
                found.append(step)
                if step + _SOURCES in self.folders:
                    found.append(step + _SOURCES)
            if not step:
                break
            step = step[: step[:-1].rfind("/") + 1]
        return found + sorted(self.main_roots, key=lambda root: -count_shared_folders(root, folder))

    def is_package_folder(self, folder: str) -> bool:
        return bool(folder) and self.project.exists(folder + "__init__.py")

    def is_regular(self, root: str, top: str) -> bool:
        return self.project.exists(f"{root}{top}/__init__.py") or self.project.exists(f"{root}{top}.py")

    def at(self, root: str, module: str) -> str | None:
        stem = root + module.replace(".", "/")
        for suffix in _SUFFIXES:
            if self.project.exists(stem + suffix):
                return stem + suffix
        # A package without a file of its own.
        return stem + "/" if stem + "/" in self.folders else None

    def is_package(self, path: str) -> bool:
        return path.rpartition("/")[2].partition(".")[0] == "__init__"

    def module_name(self, path: str) -> str:
        if self.is_package(path):
            folder = path[: path.rfind("/") + 1]
            for package, place in self.mapped:
                if package and place == folder:
                    return package.rpartition(".")[2]
        return super().module_name(path)

    def placed(self, path: str) -> Placed | None:
        folder, _, last = path.rpartition("/")
        if not last or self.is_package(path):
            above, slash, name = folder.rpartition("/")
            folder = above + slash
        else:
            folder, name = f"{folder}/" if folder else "", last.partition(".")[0]
        maker = f"{folder}__init__.py"
        is_alone = not self.is_package_folder(folder)
        return Placed(folder, name, is_alone, "" if is_alone else maker) if name else None

    @classmethod
    def reads_alike(cls, path: str, before: bytes, after: bytes) -> bool:
        name = path.rpartition("/")[2]
        had, has = (
            find_folders_of_packages("", lambda asked, data=data: data if asked == name else b"")  # type: ignore[misc]
            for data in (before, after)
        )
        return name in BUILD_FILES and bool(before) == bool(after) and list(had.items()) == list(has.items())

    def finds_alike(self, before: languages.Rules) -> bool:
        assert isinstance(before, Rules)
        return (
            self.main_roots == before.main_roots
            and self.mapped == before.mapped
            and self.source_folders == before.source_folders
            and not any(
                self.is_package_folder(each) != before.is_package_folder(each) for each in self.folders & before.folders
            )
        )

    def is_named(self, path: str, module: str) -> bool:
        return module == self.module_name(path) and not self.is_package_folder(path[: path.rfind("/") + 1])

    def naming(self, path: str, names: Iterable[str]) -> ModuleNaming:
        return ModuleNaming(self.module_name(path), self.is_package(path), names)

    def submodule(self, path: str, name: str) -> str | None:
        if path.endswith("/"):
            return self.at("" if path == "./" else path, name)
        folder, _, last = path.rpartition("/")
        if last not in ("__init__.py", "__init__.pyi"):
            return None
        return self.at(folder + "/" if folder else "", name)


def above_of(folder: str) -> str:
    return folder[: folder[:-1].rfind("/") + 1] if folder else ""


def project_of(root: str) -> str:
    """The folder of a project by that of its sources."""
    above, _, last = root[:-1].rpartition("/")
    return (f"{above}/" if above else "") if last in ("src", "lib") else root
