"""Where execution begins, according to package metadata and code.

In: an index. Out: entry points, each with what it runs. Only files in the index are read, as text; nothing is run, and
what cannot be read is ignored.

Absent: commands, routes, tasks and public names (inventories/), and how many of each a reader is shown
(listed_entry_points.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.filters import is_beside
from rpg.queries.graph.nodes import IS_CALLED, Node, nodes
from rpg.queries.packages.manifests import packages
from rpg.queries.packages.package_files import console_scripts_of, files_called, json_of, table, text_of, toml_of
from rpg.stores.index.overview_reads import has_exported_symbol, has_symbol_at, list_server_objects
from rpg.stores.index.reader import has_file, list_likely_programs, list_paths_fitting
from rpg.stores.index.symbol_reads import list_package_files

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 200
"""The most entry points of one kind."""
PACKAGES_ARE_FOLDERS = ".go"
"""Files in whose language a package, or a program, is a folder and has its name."""


@dataclass(frozen=True, kw_only=True)
class EntryPoint:
    kind: str
    """script, module, main, server, process, exports, command, route, task or api."""
    name: str
    target: str
    """What it runs or where it is."""
    more: int = 0
    """How many others of the kind are not listed."""


def entry_points(index: Index) -> list[EntryPoint]:
    found = [*_of_metadata(index), *_of_files(index), *_of_code(index)]
    files = tuple(f"/{_file_of(each.target)}" for each in found if each.kind in ("script", "module"))
    packaged = {each.target for each in found if each.kind == "script" and each.name != _last(each.target)}
    found = [each for each in found if each.kind != "script" or each.name != _last(each.target)
             or each.target not in packaged]  # fmt: skip
    found = [each for each in found if each.kind != "main" or not f"/{_file_of(each.target)}".endswith(files)]
    return list({(each.kind, each.name): each for each in reversed(found)}.values())[::-1]


def _file_of(target: str) -> str:
    """The place that `path`, `path:line` or `module:function` names."""
    place, between, behind = target.partition(":")
    return f"{place.replace('.', '/')}.py" if between and not behind.isdecimal() else place


def _of_metadata(index: Index) -> Iterator[EntryPoint]:
    for path in files_called(index, "pyproject.toml"):
        data = toml_of(index, path)
        project = table(data, "project")
        for scripts in (table(project, "scripts"), table(project, "gui-scripts")):
            yield from _scripts(scripts)
        yield from _scripts(table(table(table(data, "tool"), "poetry"), "scripts"))
    for path in files_called(index, "setup.cfg"):
        yield from _console_scripts(console_scripts_of(index, path))
    for path in files_called(index, "setup.py"):
        yield from _console_scripts(text_of(index, path))
    manifests = files_called(index, "package.json")
    for path in manifests:
        yield from _of_package_json(index, path)
    for path in manifests:
        yield from _below_package(index, path)
    for path in files_called(index, "composer.json"):
        yield from _of_composer(index, path)
    for path in files_called(index, "Cargo.toml"):
        yield from _of_cargo(index, path)
    for path in files_called(index, "go.mod"):
        yield from _of_module_file(index, path)
    yield from _of_maven(index)


def _of_package_json(index: Index, path: str) -> Iterator[EntryPoint]:
    data = json_of(index, path)
    if _is_not_published(data, path) and not data.get("bin"):
        return
    folder = _folder(path)
    name = str(data.get("name", ""))
    bins = data.get("bin")
    bins = {_last(name): bins} if isinstance(bins, str) else bins if isinstance(bins, dict) else {}
    started = {str(command): _source_of(index, folder, file) for command, file in bins.items() if isinstance(file, str)}
    for command, target in started.items():
        yield EntryPoint(kind="script", name=command, target=target)
    main = data.get("main") or data.get("module") or _main_export(data) or _main_by_default(index, folder)
    exported = _source_of(index, folder, main) if isinstance(main, str) else ""
    if exported and name and exported not in started.values():
        yield EntryPoint(kind="exports", name=name, target=exported)


def _is_not_published(data: dict[str, Any], path: str) -> bool:
    """Whether a package is private, or only serves a program in another language."""
    folders = path.split("/")[:-1]
    return bool(folders) and (data.get("private") is True or "internal" in folders)


def _below_package(index: Index, path: str) -> Iterator[EntryPoint]:
    """What importers write after the package, `eslint/config`, if its `exports` list the paths one by one."""
    data, folder = json_of(index, path), _folder(path)
    name, exports = data.get("name"), table(data, "exports")
    if not isinstance(name, str) or _is_not_published(data, path):
        return
    for key, export in exports.items():
        if key.startswith("./") and "*" not in key and not key.endswith((".json", ".css")):
            target = _first_file(export)
            if target:
                yield EntryPoint(kind="exports", name=f"{name}/{key[2:]}", target=_source_of(index, folder, target))


def _first_file(export: Any) -> str:
    """The file that code is run from, under whichever condition; else that of its types."""
    for _ in range(4):
        if isinstance(export, dict):
            keys = [key for key in ("import", "default", "require", "node") if export.get(key)]
            export = export[keys[0]] if keys else next((each for each in export.values() if each), "")
    return export if isinstance(export, str) else ""


def _main_export(data: dict[str, Any]) -> Any:
    """What `exports` says of the package itself."""
    found = data.get("exports")
    for key in (".", "import", "require", "default"):
        for _ in range(4):
            found = found[key] if isinstance(found, dict) and key in found else found
    return found


def _main_by_default(index: Index, folder: str) -> str | None:
    """The file that Node.js loads from a package that names none."""
    return "index.js" if has_file(index, _join(folder, "index.js")) else None


SUFFIXES = (".ts", ".mts", ".tsx", ".js", ".mjs")
_BUILT = re.compile(r"^(?:dist|lib|build|out)/(?:(?:cjs|esm|src)/)?")
_BUILT_BELOW = re.compile(r"^(?:dist|lib|build|out)/(?:[^/]+/)+")


def _source_of(index: Index, folder: str, built: str) -> str:
    """The source that a built file is made from, by the usual layouts; else the path as written."""
    path = built.removeprefix("./")
    stem = re.sub(r"\.d\.[cm]?ts$|\.[cm]?[jt]sx?$", "", path)
    stems = dict.fromkeys((stem, f"src/{stem}", _BUILT.sub("src/", stem), _BUILT.sub("", stem)))
    stems |= dict.fromkeys((f"{_BUILT.sub('src/', stem)}/index", f"{_BUILT_BELOW.sub('src/', stem)}/index"))
    for each in (path, *(stem + suffix for stem in stems for suffix in SUFFIXES)):
        if has_file(index, _join(folder, each)):
            return _join(folder, each)
    return _join(folder, path)


def _of_cargo(index: Index, path: str) -> Iterator[EntryPoint]:
    """Binaries and the library, including those in the places where Cargo looks for them."""
    data, folder = toml_of(index, path), _folder(path)
    name = str(table(data, "package").get("name", ""))
    bins = data.get("bin")
    named = [each for each in bins if isinstance(each, dict)] if isinstance(bins, list) else []
    for each in named:
        if isinstance(each.get("name"), str):
            yield EntryPoint(kind="script", name=each["name"],
                             target=_join(folder, str(each.get("path", "src/main.rs"))))  # fmt: skip
    if not named and name and has_file(index, _join(folder, "src/main.rs")):
        yield EntryPoint(kind="script", name=name, target=_join(folder, "src/main.rs"))
    for other in sorted(list_paths_fitting(index, _join(folder, "src/bin/*.rs"))):
        yield EntryPoint(kind="script", name=_stem(other), target=other)
    library = _join(folder, str(table(data, "lib").get("path", "src/lib.rs")))
    if name and has_file(index, library):
        yield EntryPoint(kind="exports", name=name, target=library)


def _of_composer(index: Index, path: str) -> Iterator[EntryPoint]:
    data, folder = json_of(index, path), _folder(path)
    bins = data.get("bin")
    for each in [bins] if isinstance(bins, str) else bins if isinstance(bins, list) else []:
        if isinstance(each, str):
            yield EntryPoint(kind="script", name=_stem(each), target=_join(folder, each))
    sources = next(iter(table(table(data, "autoload"), "psr-4").values()), None)
    if data.get("type", "library") == "library" and isinstance(sources, str) and isinstance(data.get("name"), str):
        yield EntryPoint(kind="exports", name=data["name"], target=_join(folder, sources) or "./")


def _of_module_file(index: Index, path: str) -> Iterator[EntryPoint]:
    """What another module imports by the name of this one: the package beside go.mod, unless it is a command."""
    folder = _folder(path)
    name = next((each.name for each in packages(index) if each.manifest == path), "")
    beside = _join(folder, f"*{PACKAGES_ARE_FOLDERS}"), _join(folder, "*/*")
    if not name or "internal" in folder.split("/") or has_symbol_at(index, *beside, name="main"):
        return
    if has_exported_symbol(index, *beside):
        yield EntryPoint(kind="exports", name=name, target=f"{folder}/" if folder else "./")


def _of_maven(index: Index) -> Iterator[EntryPoint]:
    for each in packages(index):
        sources = f"{each.folder}src/main/"
        if each.manifest.endswith(("pom.xml", "build.gradle", "build.gradle.kts")) and not is_beside(each.folder):
            of_it = f"{sources}*"
            if has_exported_symbol(index, of_it) and not has_symbol_at(index, of_it, name="main"):
                yield EntryPoint(kind="exports", name=each.name, target=sources)


def _of_files(index: Index) -> Iterator[EntryPoint]:
    """What is started because of its location, or by a file that lists processes."""
    for path in list_likely_programs(index, MOST):
        is_script = path.count("/") <= 1 and path not in BUILD_SCRIPTS
        if is_script and text_of(index, path).startswith("#!"):
            yield EntryPoint(kind="script", name=_last(path), target=path)
    for path in files_called(index, "Procfile"):
        for name, command in re.findall(r"^([\w-]+):\s*(\S.*)$", text_of(index, path), re.MULTILINE):
            yield EntryPoint(kind="process", name=name, target=command[:LONGEST_COMMAND])
    for path in files_called(index, "Dockerfile"):
        commands = re.findall(r"^(?:ENTRYPOINT|CMD)\s+(\S.*)$", text_of(index, path), re.MULTILINE)
        if commands:
            yield EntryPoint(kind="process", name=path, target=" ".join(commands[-1].split())[:LONGEST_COMMAND])


LONGEST_COMMAND = 80
BUILD_SCRIPTS = frozenset({"gradlew", "mvnw", "configure", "Rakefile", "Makefile", "Jenkinsfile", "SConstruct"})
"""At the top of a repository, scripts that build it; others are for its users: `install`."""


def _of_code(index: Index) -> Iterator[EntryPoint]:
    started = (path for path in list_package_files(index, "__main__.py") if path.rpartition("/")[2] == "__main__.py")
    for path in sorted(started, key=lambda path: (len(path), path)):
        if not is_beside(path):
            yield EntryPoint(kind="module", name=_package_of(index, path) or path, target=path)
    mains = nodes(
        index,
        "s.name IN ('main', 'Main') AND s.kind IN ('function', 'method') AND s.test = 0 "
        f"AND NOT {IS_CALLED} ORDER BY length(s.path), s.id LIMIT ?",
        (0, MOST),
    )
    for node in mains:
        if not is_beside(node.path) and not BY_NAME[node.language].configures and not _is_no_program(node):
            name = _program(index, node.path) if node.path.endswith(PACKAGES_ARE_FOLDERS) else node.label
            yield EntryPoint(kind="main", name=name, target=f"{node.path}:{node.name_line}")
    for name, path, line in list_server_objects(index, MOST):
        if not is_beside(path):
            yield EntryPoint(kind="server", name=name, target=f"{path}:{line}")


def _package_of(index: Index, path: str) -> str:
    """The name under which `python -m` runs the package of a file."""
    folder = _folder(path)
    names = [_last(folder)] if folder else []
    while names and (folder := _folder(folder)) and has_file(index, f"{folder}/__init__.py"):
        names.insert(0, _last(folder))
    return ".".join(names)


def _is_no_program(node: Node) -> bool:
    """Whether it is a constructor of a class called Main, or Cargo's build script."""
    return _last(node.path) == "build.rs" or node.qualified_name.endswith("Main.Main")


def _program(index: Index, path: str) -> str:
    """The name that Go's build gives the command of a folder; at the top, that of the module."""
    module = next((each.name for each in packages(index) if each.manifest == "go.mod"), "")
    return _last(_folder(path)) or _last(module) or _stem(path)


def _scripts(scripts: dict[str, Any]) -> Iterator[EntryPoint]:
    for name, target in scripts.items():
        runs = target.get("reference", "") if isinstance(target, dict) else target
        if isinstance(runs, str):
            yield EntryPoint(kind="script", name=str(name), target=runs)


def _console_scripts(text: str) -> Iterator[EntryPoint]:
    if "console_scripts" not in text:
        return
    behind = text[text.index("console_scripts") :][:4_000]
    for name, target in re.findall(r"([\w.-]+)\s*=\s*([\w.]+:[\w.]+)", behind):
        yield EntryPoint(kind="script", name=name, target=target)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _stem(path: str) -> str:
    return _last(path).partition(".")[0]


def _join(folder: str, path: str) -> str:
    return f"{folder}/{path.removeprefix('./')}" if folder else path.removeprefix("./")
