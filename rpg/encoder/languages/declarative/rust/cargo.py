"""Crates by their Cargo.toml: where they are, and the names by which the code of one names others.

In: the manifests of the repository. Out: crates. A dependency has the name that its manifest gives it (`package`, also
from the workspace), else that of its library (`[lib] name`). What a manifest takes from a registry is no crate of the
repository unless one has the package's name. What is missing: features, and targets that a build script makes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from rpg.encoder.languages.project import Project

ROOTS: Final = ("lib.rs", "main.rs")
_DEPENDENCIES: Final = ("dependencies", "dev-dependencies", "build-dependencies")


class Crate(NamedTuple):
    library: str
    """The name that others have for it, unless they choose one."""
    sources: str
    """The folder of its modules."""
    root: str
    """The file that its manifest says is the root; empty if it says none."""


class Crates:
    def __init__(self, project: Project, folders: Iterable[str], roots: set[str]) -> None:
        self.manifests: dict[str, dict[str, Any]] = {}
        """By folder."""
        self.by_folder: dict[str, Crate] = {}
        self.by_package: dict[str, Crate] = {}
        self.by_library: dict[str, Crate] = {}
        self.root_files: set[str] = set()
        """Files that manifests say are roots of crates."""
        self.roots_in: dict[str, list[str]] = {}
        """The same by folder."""
        self._named: dict[str, dict[str, Crate | None]] = {}
        for folder in sorted(folders, key=lambda each: (each.count("/"), each)):
            manifest = parse_manifest(project.read(join_path(folder, "Cargo.toml")))
            if not manifest:
                continue
            self.manifests[folder] = manifest
            self.root_files.update(join_path(folder, path) for path in paths_of_targets(manifest))
            package = text_of(table_of(manifest, "package"), "name")
            if package:
                crate = crate_of(folder, manifest, package, roots)
                self.by_folder[folder] = crate
                self.by_package.setdefault(package, crate)
                self.by_library.setdefault(crate.library, crate)
        for path in sorted(self.root_files):
            self.roots_in.setdefault(path.rpartition("/")[0], []).append(path)

    def named(self, path: str, name: str) -> Crate | None:
        """The crate of the repository that a file means by a name; None if it means none."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self.by_folder:
            folder = folder.rpartition("/")[0]
        if folder not in self.by_folder:
            return self.by_library.get(name)
        names = self._named.get(folder)
        if names is None:
            names = self._named[folder] = dict(self._dependencies(folder))
            own = self.by_folder[folder]
            names.setdefault(own.library, own)
        return names[name] if name in names else self.by_library.get(name)

    def _dependencies(self, folder: str) -> Iterator[tuple[str, Crate | None]]:
        """The names of what a manifest depends on, and the crate that each means."""
        manifest = self.manifests[folder]
        holders = [manifest, *(each for each in table_of(manifest, "target").values() if isinstance(each, dict))]
        for kind in _DEPENDENCIES:
            for key, said in (row for holder in holders for row in table_of(holder, kind).items()):
                place, about = folder, said if isinstance(said, dict) else {}
                if about.get("workspace") is True:
                    place, about = self._of_workspace(folder, key)
                package, where = text_of(about, "package"), text_of(about, "path")
                crate = self.by_folder.get(join_path(place, where)) if where else None
                crate = crate or self.by_package.get(package or key)
                is_renamed = package or crate is None
                yield key.replace("-", "_") if is_renamed or crate is None else crate.library, crate

    def _of_workspace(self, folder: str, key: str) -> tuple[str, dict[str, Any]]:
        """What the nearest workspace around says of a dependency, and its folder."""
        while True:
            workspace = table_of(self.manifests.get(folder, {}), "workspace")
            if workspace:
                said = table_of(workspace, "dependencies").get(key)
                return folder, said if isinstance(said, dict) else {}
            if not folder:
                return "", {}
            folder = folder.rpartition("/")[0]


def crate_of(folder: str, manifest: dict[str, Any], package: str, roots: set[str]) -> Crate:
    library = table_of(manifest, "lib")
    name = text_of(library, "name") or package.replace("-", "_")
    root = text_of(library, "path")
    if root:
        root = join_path(folder, root)
        return Crate(name, root.rpartition("/")[0], root)
    return Crate(name, join_path(folder, "src") if join_path(folder, "src") in roots else folder, "")


def paths_of_targets(manifest: dict[str, Any]) -> Iterator[str]:
    """The files that a manifest names as roots of libraries, programs and the like."""
    listed = [each for kind in ("bin", "example", "test", "bench") for each in list_of(manifest, kind)]
    for target in (table_of(manifest, "lib"), *listed):
        path = text_of(target, "path")
        if path:
            yield path


def join_path(folder: str, path: str) -> str:
    """A path in a folder of the repository; one that leads out of it names nothing."""
    whole = posixpath.normpath(posixpath.join(folder, path)) if path else folder
    return "" if whole == "." else whole


def parse_manifest(data: bytes) -> dict[str, Any]:
    """A manifest; empty if there is none, or if it cannot be read."""
    if not data:
        return {}
    import tomllib  # takes 15 ms, which repositories without Rust save

    try:
        return tomllib.loads(data.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return {}


def table_of(holder: dict[str, Any], key: str) -> dict[str, Any]:
    found = holder.get(key)
    return found if isinstance(found, dict) else {}


def list_of(holder: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = holder.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def text_of(holder: dict[str, Any], key: str) -> str:
    found = holder.get(key)
    return found if isinstance(found, str) else ""
