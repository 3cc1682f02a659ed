"""Names that tools bind without an import, by the folders that files lie in: Nuxt, and the plugins of unplugin.

In: the paths of a repository and the texts of its configurations, which are never run. Out: for a file, what others
see of it: a component of `components/` has a name made of its path, and the exports of `composables/` and `utils/` have
their own.

Absent: layers of packages, names that a module of Nuxt adds, options that are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder.languages.ecmascript.names import join_path
from rpg.encoder.languages.project import Offer, Project

MODULES: Final = frozenset(("#components", "#imports"))
"""What all such names can be imported from as well."""

_NUXT: Final = ("nuxt.config.ts", "nuxt.config.js", "nuxt.config.mjs", "nuxt.config.mts")
_VITE: Final = ("vite.config.ts", "vite.config.js", "vite.config.mjs", "vite.config.mts", "vue.config.js")
_SUFFIXES: Final = (".ts", ".js", ".mjs", ".mts", ".tsx", ".jsx", ".vue")
_SIDES: Final = frozenset(("client", "server", "global", "island"))
"""Parts of a component's file name that say where it runs."""
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[A-Z]")
_STRING: Final = re.compile(r"'([^'\n]*)'|\"([^\"\n]*)\"")
_SOURCES: Final = re.compile(r"\bsrcDir\s*:\s*['\"]([^'\"\n]*)['\"]")
_IMPORTED_FOLDERS: Final = re.compile(r"\b(?:imports\s*:\s*(?=\{)|AutoImport\s*(?=\())")
_COMPONENT_FOLDERS: Final = re.compile(r"\b(?:components\s*:\s*(?=[\[{])|Components\s*(?=\())")
_BRACKET: Final = re.compile(r"//[^\n]*|/\*.*?\*/|'[^'\n]*'|\"[^\"\n]*\"|[\[{(]|[\]})]", re.DOTALL)
_LISTED: Final = re.compile(r"\bdirs\s*:\s*\[([^\]]*)\]")
_PATH: Final = re.compile(r"\bpath\s*:\s*['\"]([^'\"\n]*)['\"]")
_UNPREFIXED: Final = re.compile(r"\bpathPrefix\s*:\s*false\b")
_LONGEST: Final = 2_000
"""Characters behind an option that are read."""


class _App(NamedTuple):
    """Folders are `/`-terminated, that of the repository empty."""

    root: str
    components: tuple[str, ...]
    prefixed: bool
    """Whether the folders of a component are part of its name."""
    exporting: tuple[str, ...]
    """Folders whose files have their exports seen, and the index files of the folders in them."""
    whole: tuple[str, ...]
    """Those among them of which all folders count."""


class AutoImports:
    def __init__(self, project: Project) -> None:
        self.apps = list(_apps(project))

    def offer(self, path: str) -> Offer | None:
        """What other files see of a file without an import."""
        for app in self.apps:
            if not path.startswith(app.root) or not path.endswith(_SUFFIXES) or path.endswith(".d.ts"):
                continue
            for folder in app.components:
                if path.startswith(folder) and not _is_test(path):
                    name = component_name(path[len(folder) :], app.prefixed)
                    return Offer(app.root, {name: "default", f"Lazy{name}": "default"}, False)
            for folder in app.exporting:
                if path.startswith(folder) and not _is_test(path) and _is_scanned(path, folder, app.whole):
                    return Offer(app.root, {_own_name(path): "default"}, True)
        return None


def component_name(path: str, prefixed: bool = True) -> str:
    """The name of the component in a file, whose path is relative to the folder of components: `nav/Button.vue` is
    `NavButton`, and so is `nav/NavButton.vue`."""
    *folders, name = path.split("/")
    parts = [part for part in name.split(".")[:-1] if part not in _SIDES]
    stem = ".".join(parts)
    if stem.lower() == "index" and folders:
        stem = folders.pop()
    if not prefixed:
        return _pascal(stem)
    own = [word.lower() for word in _WORDS.findall(stem)]
    kept = len(folders)
    around: list[str] = []
    for index in range(len(folders) - 1, -1, -1):
        around = [word.lower() for word in _WORDS.findall(folders[index])] + around
        if own[: len(around)] == around:
            kept = index
    return "".join(map(_pascal, [*folders[:kept], stem]))


def _pascal(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", text))


def _own_name(path: str) -> str:
    """The name that the default export of a file has."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    stem = folder.rpartition("/")[2] if stem == "index" else stem
    pascal = _pascal(stem)
    return pascal[:1].lower() + pascal[1:]


def _is_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return ".test." in name or ".spec." in name or ".stories." in name


def _is_scanned(path: str, folder: str, whole: tuple[str, ...]) -> bool:
    inside = path[len(folder) :].split("/")
    return len(inside) == 1 or folder in whole or (len(inside) == 2 and inside[1].startswith("index."))


def _apps(project: Project) -> Iterator[_App]:
    configurations = [
        (path[: path.rfind("/") + 1], path) for path in project.paths() if path.endswith((*_NUXT, *_VITE))
    ]
    nuxt = [root for root, path in configurations if path[len(root) :] in _NUXT]
    for root, path in configurations:
        text = project.read(path).decode("utf-8", "replace")
        if path[len(root) :] in _NUXT:
            around = root.rpartition("layers/")[0]
            yield from _nuxt_app(project, root, around if around in nuxt and around != root else root, text)
        elif path[len(root) :] in _VITE:
            yield from _vite_app(root, text)


def _nuxt_app(project: Project, root: str, seen_below: str, text: str) -> Iterator[_App]:
    written = _SOURCES.search(text)
    inner = join_path(root, written[1]) if written is not None else None
    sources = f"{inner}/" if inner else root
    if not inner and project.has_file(f"{root}app/"):
        sources = f"{root}app/"
    components, whole = [f"{sources}components/"], []
    exporting = [f"{sources}composables/", f"{sources}utils/", f"{root}shared/utils/", f"{root}shared/types/"]
    if "@pinia/nuxt" in text:
        exporting.append(f"{sources}stores/")
    for written_folder in _option(text, _IMPORTED_FOLDERS, _LISTED):
        folder = _folder(root, sources, written_folder)
        exporting.append(folder)
        if "**" in written_folder:
            whole.append(folder)
    components += [_folder(root, sources, each) for each in _option(text, _COMPONENT_FOLDERS, _PATH)]
    prefixed = _UNPREFIXED.search(text) is None
    yield _App(seen_below, _deepest(components), prefixed, _deepest(exporting), tuple(whole))
    yield _App(f"{root}server/", (), True, (f"{root}server/utils/",), ())


def _vite_app(root: str, text: str) -> Iterator[_App]:
    """What the plugins of unplugin are told: components have the names of their files, unless folders count."""
    components: list[str] = []
    if "unplugin-vue-components" in text:
        components = [_folder(root, root, each) for each in _option(text, _COMPONENT_FOLDERS, _LISTED)]
        components = components or [f"{root}src/components/"]
    exporting = [_folder(root, root, each) for each in _option(text, _IMPORTED_FOLDERS, _LISTED)]
    whole = [_folder(root, root, each) for each in _option(text, _IMPORTED_FOLDERS, _LISTED) if "**" in each]
    if "unplugin-auto-import" not in text:
        exporting = []
    if components or exporting:
        prefixed = re.search(r"\bdirectoryAsNamespace\s*:\s*true\b", text) is not None
        yield _App(root, _deepest(components), prefixed, _deepest(exporting), tuple(whole))


def _option(text: str, begin: re.Pattern[str], value: re.Pattern[str]) -> list[str]:
    """The strings of a value within an option."""
    found: list[str] = []
    for option in begin.finditer(text):
        for match in value.finditer(text, option.end(), _end_of_brackets(text, option.end())):
            strings = [one or other for one, other in _STRING.findall(match[0])]
            found += [each for each in strings if each and not each.startswith("!")]
    return found


def _end_of_brackets(text: str, start: int) -> int:
    """Where the brackets end that begin there."""
    depth = 0
    for token in _BRACKET.finditer(text, start, start + _LONGEST):
        if token[0] in "[{(":
            depth += 1
        elif token[0] in "]})":
            depth -= 1
            if depth == 0:
                return token.end()
    return start + _LONGEST


def _folder(root: str, sources: str, written: str) -> str:
    """A folder, or a file, as a configuration names it."""
    path, around = re.split(r"[*{]", written)[0], sources
    for alias in ("~~/", "@@/", "~/", "@/"):
        if path.startswith(alias):
            path, around = path[len(alias) :], root if len(alias) == 3 else sources
            break
    inner = join_path(around, path)
    if inner is None:
        return around
    return inner if not inner or inner.endswith(_SUFFIXES) else f"{inner}/"


def _deepest(folders: list[str]) -> tuple[str, ...]:
    """Without duplicates, inner folders first."""
    return tuple(sorted(dict.fromkeys(folders), key=lambda each: (-len(each), each)))
