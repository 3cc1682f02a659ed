"""Packages outside the repository, from the import statements that have no edge.

In: a scope. Out: packages with their imported modules. The places of import statements carry the module's name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.scope import Scope
from rpg.stores.index.place_reads import list_external_lines

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


@dataclass(frozen=True, kw_only=True)
class ExternalPackage:
    name: str
    modules: list[str] = field(default_factory=list)
    """The imported modules, if more than just the package."""
    lines: list[int] = field(default_factory=list)
    """Line of each module's first import, if the query is about one file."""
    files: int = 1
    """How many files import it."""


def external_packages(index: Index, scope: Scope, of_one_file: bool) -> list[ExternalPackage]:
    """By number of files, then name. None for a symbol, because imports belong to files."""
    modules: dict[str, set[str]] = {}
    users: dict[str, set[str]] = {}
    lines: dict[str, set[int]] = {}
    for path, language, module, line in list_external_lines(index, scope.of("s"), scope.parameters):
        package = package_of(module, language)
        modules.setdefault(package, set()).add(module)
        users.setdefault(package, set()).add(path)
        lines.setdefault(package, set()).add(line)
    return [
        ExternalPackage(
            name=package,
            modules=sorted(modules[package] - {package}),
            lines=sorted(lines[package]) if of_one_file else [],
            files=len(users[package]),
        )
        for package in sorted(modules, key=lambda name: (-len(users[name]), name))
    ]


def package_of(module: str, language: str) -> str:
    """The package to install for that module: `a` of `a.b`, `@a/b` of `@a/b/c`."""
    separator = BY_NAME[language].module_separator if language in BY_NAME else ""
    if not separator:
        return module
    parts = module.split(separator)
    return separator.join(parts[: 2 if module.startswith("@") else 1])
