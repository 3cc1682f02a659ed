"""Where module names lead: relative files, `paths` of tsconfig, packages of the repository, libraries.

In: the importing file and the name. Out: files of the graph. Configuration is read as data; nothing is run. Possible
meanings are tried in the order of Node.js and TypeScript, and sources are preferred to what is built from them:
`./a.js` may be `a.ts`, `dist/index.js` of a package may be its `src/index.ts`.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any, Final, NamedTuple

from rpg.encoder import languages
from rpg.encoder.facts import ANNOTATION, Import, Parameter
from rpg.encoder.languages import Project, folders_of
from rpg.encoder.languages.ecmascript import library
from rpg.encoder.languages.ecmascript.aliases import CONFIGURATIONS, IMPORT_MAP, aliases, pins
from rpg.encoder.languages.ecmascript.auto_imports import MODULES, AutoImports
from rpg.encoder.languages.ecmascript.builtins import MAKE_THEIR_OWN, MEMBERS, NAMES
from rpg.encoder.languages.ecmascript.dependencies import dependency_called, nearness
from rpg.encoder.languages.ecmascript.names import (
    glob,
    join_path,
    list_exported_files,
    parse_json,
    remove_suffix,
    split_name,
    substitute,
    upwards,
)
from rpg.encoder.languages.ecmascript.places import RUN
from rpg.encoder.languages.ecmascript.platform_types import PLATFORM_TYPES
from rpg.encoder.languages.given_names import PAGES, Given, kebab
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.project import Offer
from rpg.encoder.languages.rules.attribute_types import MembersRead, Words
from rpg.encoder.languages.tests import Tests

_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts")
_COMPONENTS = (".vue", ".svelte", ".astro")
"""Bundlers of components are configured to try these, too."""
_PLATFORMS = (".native", ".web", ".ios", ".android")
"""Variants of one module, one of which a bundler picks."""
_SOURCES_OF = {
    ".js": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".jsx", ".ts", ".d.ts"),
    ".mjs": (".mts", ".mjs", ".ts", ".d.mts"),
    ".cjs": (".cts", ".cjs", ".ts", ".d.cts"),
}
"""Suffix in a specifier -> suffixes that the source may have."""
_DECLARED_IN = {".js": ".d.ts", ".jsx": ".d.ts", ".mjs": ".d.mts", ".cjs": ".d.cts"}
"""Suffix of a script -> that of the file beside it with the types of what it exports."""
_BUILT = frozenset(
    (
        "dist",
        "lib",
        "build",
        "out",
        "es",
        "esm",
        "cjs",
        "output",
        "types",
        "typings",
        "umd",
        "dts",
        "commonjs",
        "module",
    )
)
_CONFIGURATIONS = ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")
_HOOKS = """
attributeChangedCallback adoptedCallback connectedCallback disconnectedCallback ngAfterContentChecked ngAfterContentInit
ngAfterViewChecked ngAfterViewInit ngDoCheck ngOnChanges ngOnDestroy ngOnInit
"""
"""Methods of components that the browser or Angular calls by their names."""
_WORKSPACE = re.compile(r"^\s*-\s*['\"]?([^'\"#\n]+?)['\"]?\s*(?:#.*)?$", re.MULTILINE)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:")


class Configuration(NamedTuple):
    """What a tsconfig says about module names, including its `extends`."""

    base: str | None
    """Folder in which bare names are looked up, if set."""
    paths: tuple[tuple[str, tuple[str, ...]], ...]
    """(pattern, replacements), the replacements relative to the repository's root."""
    built: tuple[tuple[str, str], ...]
    """(output folder, folder of its sources)."""


class Package(NamedTuple):
    folder: str
    """`/`-terminated; empty for the repository's root."""
    data: dict[str, Any]


_GLOBAL_NAMESPACES: Final = frozenset({"React"})
"""What libraries declare for scripts without modules, which modules may use in types."""
_TYPED: Final = (".ts", ".tsx", ".mts", ".cts")
"""Only there a compiler counts arguments."""


class Rules(languages.Rules):
    always_checks_arguments = False
    refuses_more_arguments = True
    literals_fit = fitting("""
        string: string null
        number: int float null
        boolean: bool null
    """)
    refuses_fewer_arguments = True
    overrides_fit = "with fewer"
    plain_types = frozenset("number string boolean".split())
    demands_members = "of classes"
    leaves_parts = True
    literals_need = "all members"
    tells_properties_from_methods = True
    hiding = Words(frozenset({"private"}))
    objects_reach_statics = False
    classes_reach_members = False
    fixed = Words(frozenset({"readonly", "const"}))
    setters_are_apart = True
    may_be_nothing = re.compile(r"\|\s*(?:null|undefined)\Z|\A(?:null|undefined)\s*\|")
    counted_types = frozenset({"Array", "ReadonlyArray"})
    uncounted_types = frozenset(
        "AsyncGenerator AsyncIterable Generator Iterable IterableIterator Iterator ReadonlySet Set".split()
    )
    needs_imports = True
    awaiting = "results"
    builtins = NAMES
    builtin_members = MEMBERS
    makes_its_own = MAKE_THEIR_OWN
    constructor = "constructor"
    async_returns_wrapped = False
    sides = "separate"
    keeps_declared_types = True
    types = library.TYPES
    methods = library.METHODS
    protocols = library.PROTOCOLS
    functions = library.FUNCTIONS
    functions_by_last_part = library.FUNCTIONS_BY_LAST_PART
    decorators = library.DECORATORS
    calls_argument = library.CALLS_ARGUMENT
    dispatching = library.DISPATCHING
    library_bases = library.BASES
    looked_up = library.LOOKED_UP
    looked_up_prefixes = ("__", "[")
    tests = Tests(endings=("_test", "_spec", ".test", ".spec"), runners=("jest", "vitest"))
    exports = re.compile(rb"\bexport\s*(?:type\s*|default\s+)?\Z")
    named_in = ("package.json",)
    manifests = frozenset({"package.json"})
    for_types_only = ("import type ", "export type ")
    loads_in_order = True
    called_members = frozenset(_HOOKS.split())
    unnamed_members = frozenset({"toString", "toJSON", "valueOf", "handleEvent", "then"})
    unnamed_prefixes = ("[Symbol.",)
    configuration_files = frozenset(CONFIGURATIONS)
    loads_by_path = re.compile(
        rb"\b(?:require|import)\(\s*(?:[A-Za-z_][^()\n]*|[\"'][^\"'\n]*[\"']\s*\+[^)\n]*|`[^`\n]*\$\{[^`\n]*`"
        rb"|path\.\w+\([^)\n]*\))\s*\)|\brequire\.context\(|\bimport\.meta\.glob(?:Eager)?\("
    )
    marks_name_fields = re.compile(rb"@(?:One|Many)To(?:One|Many)\s*\Z")
    labels_value = re.compile(
        rb"(?:[(,\[:?&|]|=>|\breturn\b|\byield\b)\s*(?:/\*[^*]*\*/\s*|//[^\n]*\n\s*)*"
        rb"(?:(?:async\s+)?function\s*\*?|class)\s+\Z"
    )
    members_read = MembersRead(
        by_index=True,
        by_name=re.compile(rb"\s*(?:(?:as\s+[\w.<>, ]+|!)?\s*\)*\s*\[\s*(?![\"'`\d])(?=[\w$(]))"),
        all_before=re.compile(
            rb"(?:\bObject\.(?:values|keys|entries|assign|fromEntries)\([^()\n]*|\.\.\.(?:\w+\s*\}\s*=\s*)?)\Z"
        ),
        by_path=re.compile(
            rb"(?:=>|\breturn\b|[(,\[:?]|\|\||\?\?)\s*(?:await\s+)?import\(\s*(?:/\*[^*]*\*/\s*)*([\"'`][^\"'`$\n]*[\"'`])\s*,?\s*\)"
            rb"(?!\s*\)?\s*(?:\.(?!then\b|catch\b|finally\b)\w|\[))"
            rb"(?!\s*\.then\(\s*(?:async\b\s*)?(?:function\b|\(?\s*(?:\w+|\{[^}]*\})\s*(?::[^)=]*)?\)?\s*=>))"
        ),
        of_page=re.compile(rb"(?<![\w$.])(?:window|globalThis|self|top|parent)\s*\??\.\s*\Z"),
    )
    takes_names = re.compile(rb"\b(?:dispatch|commit|map(?:Actions|Getters|Mutations|State))\s*\Z")
    takes_fields = re.compile(rb"\.(?:relation|increment|decrement|maximum|minimum|average|sum)\s*\Z")
    takes_conditions = re.compile(
        rb"\.(?:(?:and|or)?(?:[wW]here|[hH]aving)|(?:add)?(?:[oO]rderBy|[gG]roupBy|[sS]elect)"
        rb"|(?:left|inner)[jJ]oin(?:AndSelect|AndMap(?:One|Many))?|loadRelation(?:CountAndMap|IdAndMap))\s*\Z"
    )
    conforming = re.compile(r"\b(?:interface|type)\b")
    types_of_one_name = "spaces"

    @classmethod
    def adds_to_library(cls, header: str) -> bool:
        return header.removeprefix("declare ").startswith(("module '", 'module "'))

    def is_offering(self, module: str) -> bool:
        return module in MODULES

    @classmethod
    def is_run_by_place(cls, path: str) -> bool:
        return RUN.search(path) is not None

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        """Tags and attributes of pages have small letters."""
        tag = kebab(name)
        return (Given(tag, PAGES),) if "-" in tag and not name.isupper() else ()

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.found: dict[tuple[str, str], tuple[str, ...] | None] = {}
        self.data: dict[str, dict[str, Any]] = {}
        self.configurations: dict[str, Configuration | None] = {}
        self.aliases: dict[str, list[tuple[str, str]]] = {}
        self.by_name: dict[str, list[Package]] | None = None
        self.auto_imports: AutoImports | None = None

    def written_parameter(self, row: Parameter, text: str) -> Parameter | None:
        is_optional = not row.default and text.partition(":")[0].rstrip().endswith("?")
        return row._replace(default=1) if is_optional else row

    def is_optional(self, name: str, header: str) -> bool:
        return f"{name}?" in header

    def may_be_of_library(self, name: str) -> bool:
        return name in PLATFORM_TYPES or name in NAMES

    def brings(self, module: str, name: str, role: int) -> bool:
        return self.may_be_of_library(name) or (role == ANNOTATION and name in _GLOBAL_NAMESPACES)

    def declares_members(self, path: str) -> bool:
        return path.endswith(_TYPED)

    def judges_arguments(self, path: str) -> bool:
        return path.endswith(_TYPED)

    def may_give_back(self, name: str, call: bool) -> bool:
        called, _, more = name.partition("(")
        if "(" not in more and ("." not in called or called.endswith(".default")):
            return False  # a module that is a function creates things: `express()`
        return super().may_give_back(name, call)

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        folder = importer.rpartition("/")[0]
        key = (folder, module)
        if key not in self.found:
            self.found[key] = self.look_up(folder, module)
        return self.found[key]

    def look_up(self, folder: str, module: str) -> tuple[str, ...] | None:
        module = module.rpartition("!")[2].partition("?")[0]
        if not module:
            return ()
        if module in (".", "..") or module.startswith(("./", "../")):
            path = join_path(folder, module)
            return () if path is None else self.file(path) or self.asset(path)
        if module.startswith("/"):
            return self.file(module[1:]) or self.asset(module)
        if _SCHEME.match(module):
            return None
        if module in MODULES:
            return None
        if module.startswith("#"):
            return self.private_import(folder, module)
        return (
            self.mapped(folder, module)
            or self.find_aliased(folder, module)
            or self.package_file(folder, module)
            or self.conventional(folder, module)
        )

    def asset(self, path: str) -> tuple[str, ...] | None:
        """A file that is no source (`./logo.svg`) or was left out is outside the graph; any other should exist."""
        read = self.project.read
        if posixpath.splitext(path)[1] and read(path):
            return None
        left_out = any(read(path + suffix) or read(f"{path}/index{suffix}") for suffix in _SUFFIXES)
        return None if path and left_out else ()

    def offer(self, path: str) -> Offer | None:
        if self.auto_imports is None:
            self.auto_imports = AutoImports(self.project)
        return self.auto_imports.offer(path)

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The template or style sheet that a component names."""
        path = join_path(importer.rpartition("/")[0], statement.module)
        return (path,) if path and self.project.has_file(path) else ()

    # Files

    def file(self, path: str) -> tuple[str, ...]:
        """The source file that a path means, with or without a suffix, or the index of that folder; behind a script,
        the file that declares its types."""
        found = self.written_file(path)
        if len(found) != 1:
            return found
        stem, suffix = posixpath.splitext(found[0])
        declaring = stem + _DECLARED_IN.get(suffix, "/")
        return (*found, declaring) if self.project.exists(declaring) else found

    def written_file(self, path: str) -> tuple[str, ...]:
        exists = self.project.exists
        stem, suffix = posixpath.splitext(path)
        for other in _SOURCES_OF.get(suffix, ()):
            if exists(stem + other):
                return (stem + other,)
        if (suffix in _SUFFIXES or suffix in _COMPONENTS) and exists(path):
            return (path,)
        if path:
            for other in (*_SUFFIXES, *_COMPONENTS):
                if exists(path + other):
                    return (path + other,)
            if exists(path):
                return (path,)
        variants = [
            path + platform + other
            for platform in _PLATFORMS
            for other in _SUFFIXES[:6]
            if exists(path + platform + other)
        ]
        return tuple(variants) if variants and path else self.folder(path)

    def folder(self, path: str) -> tuple[str, ...]:
        data = self.json(join_path(path, "package.json") or "package.json")
        for field in ("source", "main", "module"):
            target = data.get(field)
            if isinstance(target, str):
                inner = join_path(path, target)
                if inner and inner != path:
                    found = self.file(inner)
                    if found:
                        return found
        for suffix in (*_SUFFIXES, *_COMPONENTS):
            index = f"{path}/index{suffix}" if path else f"index{suffix}"
            if self.project.exists(index):
                return (index,)
        return ()

    # tsconfig

    def mapped(self, folder: str, module: str) -> tuple[str, ...]:
        """What `paths` and `baseUrl` of the surrounding configurations make of a name."""
        for around in upwards(folder):
            for name in _CONFIGURATIONS:
                configuration = self.configuration(join_path(around, name) or name)
                if configuration is None:
                    continue
                for replacement in substitute(configuration.paths, module):
                    found = self.source_file(replacement, configuration.built)
                    if found:
                        return found
                if configuration.base is not None:
                    inner = join_path(configuration.base, module)
                    found = self.file(inner) if inner else ()
                    if found:
                        return found
        for root in self.project.roots:
            found = self.file(root + module) if root else ()
            if found:
                return found
        return ()

    def configuration(self, path: str, depth: int = 0) -> Configuration | None:
        if path in self.configurations:
            return self.configurations[path]
        self.configurations[path] = None
        data = self.json(path)
        if not data:
            return None
        folder = path.rpartition("/")[0]
        base: str | None = None
        paths: tuple[tuple[str, tuple[str, ...]], ...] = ()
        built: tuple[tuple[str, str], ...] = ()
        inherited = data.get("extends")
        for parent in inherited if isinstance(inherited, list) else [inherited]:
            extended = self.extended(folder, parent, depth)
            if extended is not None:
                base, paths, built = extended.base or base, extended.paths or paths, extended.built or built
        options = data.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        if isinstance(options.get("baseUrl"), str):
            base = join_path(folder, options["baseUrl"])
        if isinstance(options.get("paths"), dict):
            start = folder if base is None else base
            rows = {key: value for key, value in options["paths"].items() if isinstance(value, list)}
            paths = tuple(
                (
                    pattern,
                    tuple(
                        inner
                        for target in targets
                        if isinstance(target, str) and (inner := join_path(start, target)) is not None
                    ),
                )
                for pattern, targets in sorted(rows.items(), key=lambda row: -len(row[0].partition("*")[0]))
            )
        if isinstance(options.get("outDir"), str):
            output, source = join_path(folder, options["outDir"]), options.get("rootDir")
            root = join_path(folder, source) if isinstance(source, str) else folder
            if output is not None and root is not None:
                built = ((output, root),)
        references = data.get("references")
        for reference in references if isinstance(references, list) and depth < 3 else ():
            target = reference.get("path") if isinstance(reference, dict) else None
            inner = join_path(folder, target) if isinstance(target, str) else None
            if inner is not None and not paths:
                other = self.configuration(inner if inner.endswith(".json") else f"{inner}/tsconfig.json", depth + 1)
                if other is not None and inner.endswith(".json"):
                    paths, base = other.paths, base or other.base
        made = self.configurations[path] = Configuration(base, paths, built)
        return made

    def extended(self, folder: str, parent: object, depth: int) -> Configuration | None:
        if not isinstance(parent, str) or depth > 8:
            return None
        if parent.startswith("."):
            path = join_path(folder, parent)
        else:
            name, inside = split_name(parent)
            package = self.package_called(folder, name)
            path = join_path(package.folder, inside or "tsconfig.json") if package is not None else None
        if path is None:
            return None
        return self.configuration(path if path.endswith(".json") else path + ".json", depth + 1)

    # Bundlers

    def find_aliased(self, folder: str, module: str) -> tuple[str, ...]:
        """What the configurations of bundlers around make of a name."""
        for around in upwards(folder):
            for name, target in self.aliases_in(around):
                if not name or module == name or module.startswith(f"{name}/"):
                    inner = join_path(around, target + module[len(name) :])
                    found = self.file(inner) if inner else ()
                    if found:
                        return found
        return ()

    def aliases_in(self, folder: str) -> list[tuple[str, str]]:
        """The names that the configurations in a folder give to others, the longest first."""
        if folder not in self.aliases:
            paths = [join_path(folder, name) or name for name in CONFIGURATIONS]
            texts = [self.project.read(path).decode("utf-8", "replace") for path in paths if self.project.exists(path)]
            rows = [row for text in texts for row in aliases(text)]
            pinned = join_path(folder, IMPORT_MAP) or IMPORT_MAP
            if self.project.exists(pinned):
                rows += pins(self.project.read(pinned).decode("utf-8", "replace"))
            self.aliases[folder] = sorted(rows, key=lambda row: -len(row[0]))
        return self.aliases[folder]

    # Packages of the repository

    def packages(self) -> dict[str, list[Package]]:
        """By name. If a name occurs twice, workspaces come first, then what is higher in the tree."""
        if self.by_name is not None:
            return self.by_name
        folders = folders_of(self.project.paths())
        patterns = self.workspaces()
        rows = []
        for folder in folders:
            inside = next((folder.removeprefix(root) for root in self.project.roots if folder.startswith(root)), folder)
            if "node_modules" in inside.split("/"):
                continue  # installed there, and no root of its own
            data = self.json(f"{folder}/package.json" if folder else "package.json")
            name = data.get("name")
            if isinstance(name, str) and name:
                workspace = any(pattern.fullmatch(folder) for pattern in patterns)
                rows.append((not workspace, folder.count("/"), folder, name, data))
        self.by_name = {}
        for _, _, folder, name, data in sorted(rows, key=lambda row: row[:3]):
            self.by_name.setdefault(name, []).append(Package(f"{folder}/" if folder else "", data))
        return self.by_name

    def package_called(self, folder: str, name: str) -> Package | None:
        """What code in a folder calls so: what the manifest around says, else the nearest package of that name."""
        for around in upwards(folder):
            data = self.json(join_path(around, "package.json") or "package.json")
            dependency = dependency_called(data, name) if data else None
            if dependency is None:
                continue
            if dependency.folder:
                place = join_path(around, dependency.folder)
                inside = self.json(join_path(place, "package.json") or "package.json") if place else {}
                return Package(f"{place}/", inside) if inside else None
            name = dependency.name or name
            break
        found = self.packages().get(name, ())
        return max(found, key=lambda each: nearness(each.folder, folder)) if found else None

    def workspaces(self) -> list[re.Pattern[str]]:
        """The folders of npm's, yarn's and pnpm's workspaces and of lerna."""
        listed: list[str] = []
        for name, key in (("package.json", "workspaces"), ("lerna.json", "packages")):
            value = self.json(name).get(key)
            if isinstance(value, dict):
                value = value.get("packages")
            if isinstance(value, list):
                listed += [each for each in value if isinstance(each, str)]
        listed += _WORKSPACE.findall(self.project.read("pnpm-workspace.yaml").decode("utf-8", "replace"))
        return [glob(each) for each in listed if not each.startswith("!")]

    def package_file(self, folder: str, module: str) -> tuple[str, ...]:
        name, inside = split_name(module)
        package = self.package_called(folder, name)
        if package is None:
            return ()
        return self.find_package_entry(package, inside)

    def find_package_entry(self, package: Package, inside: str) -> tuple[str, ...]:
        """The source of an entry of a package."""
        built = self.list_builds(package)
        exports = package.data.get("exports")
        subpath = f"./{inside}" if inside else "."
        for target in list_exported_files(exports, subpath):
            found = self.target_file(package, target, built)
            if found:
                return found
        if inside:
            for start in ("", "src/", "lib/"):
                found = self.file(package.folder + start + inside)
                if found:
                    return found
            return self.target_file(package, inside, built)
        for field in ("source", "module", "main", "types", "typings", "browser"):
            entry = package.data.get(field)
            if isinstance(entry, str):
                found = self.target_file(package, entry, built)
                if found:
                    return found
        for usual in ("src/index", "index", "lib/index", "source/index", "src/main"):
            found = self.file(package.folder + usual)
            if found:
                return found
        return ()

    def target_file(self, package: Package, target: str, built: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
        path = join_path(package.folder, target)
        if path is None:
            return ()
        found = self.source_file(path, built)
        if found:
            return found
        parts = path.removeprefix(package.folder).split("/")
        for index, part in enumerate(parts[:-1]):
            if part not in _BUILT:
                break
            rest = "/".join(parts[index + 1 :])
            for start in ("src/", "", "source/"):
                found = self.file(package.folder + start + remove_suffix(rest))
                if found:
                    return found
        return ()

    def list_builds(self, package: Package) -> tuple[tuple[str, str], ...]:
        found: tuple[tuple[str, str], ...] = ()
        for name in ("tsconfig.build.json", "tsconfig.json"):
            configuration = self.configuration(package.folder + name)
            if configuration is not None:
                found += configuration.built
        return found

    def source_file(self, path: str, built: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
        found = self.file(path)
        for output, source in built:
            if found:
                break
            if path.startswith(f"{output}/") and output:
                inner = join_path(source, remove_suffix(path[len(output) + 1 :]))
                found = self.file(inner) if inner else ()
        return found

    def private_import(self, folder: str, module: str) -> tuple[str, ...]:
        """`#name`, which the `imports` of the enclosing package explain."""
        for around in upwards(folder):
            data = self.json(join_path(around, "package.json") or "package.json")
            if not data:
                continue
            package = Package(f"{around}/" if around else "", data)
            for target in list_exported_files(data.get("imports"), module):
                found = self.target_file(package, target, self.list_builds(package)) if target.startswith(".") else ()
                if found:
                    return found
            if isinstance(data.get("imports"), dict):
                break
        return self.mapped(folder, module) or self.find_aliased(folder, module)

    def conventional(self, folder: str, module: str) -> tuple[str, ...] | None:
        """`@/a` and `~/a` are no packages: bundlers are configured to read them as the source folder, and SvelteKit
        reads `$lib/a` as `src/lib/a`."""
        if module.startswith("$lib/"):
            module = f"@/{module[1:]}"
        if not module.startswith(("@/", "~/")):
            return None if self.package_called(folder, split_name(module)[0]) is None else ()
        for around in upwards(folder):
            for start in ("src", "app", ""):
                inner = join_path(join_path(around, start) or "", module[2:])
                found = self.file(inner) if inner else ()
                if found or (inner and self.asset(inner) is None):
                    return found or None
        return ()

    def json(self, path: str) -> dict[str, Any]:
        """A JSON file with comments and trailing commas; empty if it is none."""
        if path not in self.data:
            self.data[path] = parse_json(self.project.read(path))
        return self.data[path]

    def is_promise(self, kind: str, text: str) -> bool:
        return kind == "field"
