"""What a language may ask about the repository, and what it says of the repository's files.

In: nothing. Out: `Project`, which the resolver implements; `Naming`, `Placed` and `Offer`, with which a language
answers how a module is named and found, and what other files see of a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol


class ImportRules(Protocol):
    """What a language may ask another one; see `Rules`."""

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None: ...

    def submodule(self, path: str, name: str) -> str | None: ...

    def is_nested(self, importer: str, place: str, module: str) -> bool: ...


class Project(Protocol):
    """What a language may ask about the repository while names of modules are resolved."""

    roots: tuple[str, ...]
    """Folders set as import roots, `/`-terminated; the repository's root is the empty string."""

    def exists(self, path: str) -> bool:
        """Whether a source file of the graph has this path."""

    def paths(self) -> list[str]:
        """All source files of the graph, sorted."""

    def read(self, path: str) -> bytes:
        """The bytes of a file of the repository (a configuration); empty if it does not exist."""

    def has_file(self, path: str) -> bool:
        """Whether the repository has a file that is text, parsed or not, or a folder with such files (`a/b/`)."""

    def rules_of(self, language: str) -> ImportRules | None:
        """The rules of another language; None if no file is in it."""


class NoFiles:
    """A repository without files, for what only depends on a path."""

    roots: tuple[str, ...] = ()

    def exists(self, path: str) -> bool:
        return False

    def paths(self) -> list[str]:
        return []

    def read(self, path: str) -> bytes:
        return b""

    def has_file(self, path: str) -> bool:
        return False

    def rules_of(self, language: str) -> ImportRules | None:
        return None


class Naming(Protocol):
    """How source text names a module, or some names of it."""

    def may_see(self, source: bytes, imports: bool) -> bool:
        """Whether a file may import a name from the module, or look it up there; `imports`: it imports the module."""

    def may_hold(self, source: bytes, imports: bool) -> bool:
        """Whether a file may import the module itself, or everything in it."""


class Placed(NamedTuple):
    """How other files name a file or a folder when they look for it."""

    folder: str
    """The one around it, `/`-terminated; the root is empty."""
    name: str
    """In that folder."""
    is_found_alone: bool
    """Whether the name may be enough, wherever a file is; else a file names the folder, too, or is in it."""
    maker: str = ""
    """The path of the file that makes a package of the folder, if not."""


class Offer(NamedTuple):
    """What other files see of a file without an import."""

    root: str
    """The folder whose files see it, `/`-terminated; empty for all."""
    names: Mapping[str, str]
    """Name -> the export that it stands for."""
    exports: bool
    """Whether all other exports are seen by their own names."""


_CONFIGURATION = frozenset({"go.mod", "go.work", "Podfile", "CMakeLists.txt", "requirements.txt"})
_CONFIGURES = (".mod", ".csproj", ".sln", ".props", ".targets", ".gradle", ".sbt", ".cabal", ".lock", ".work")


def may_configure(path: str) -> bool:
    """Whether a file that no parser reads may say what others mean."""
    name = path.rpartition("/")[2]
    return name in _CONFIGURATION or name.endswith(_CONFIGURES)


def folders_of(paths: Iterable[str]) -> set[str]:
    """The folders that contain files, and their parent folders, without a final slash; the root is empty."""
    folders = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders
