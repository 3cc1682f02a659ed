"""Packages outside the repository, from the import statements that have no edge.

In: nodes. Out: packages with the modules imported of them. The places of import statements carry the module's name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.queries.nodes import Node, batches, marks

if TYPE_CHECKING:
    from rpg.stores.index import Index


@dataclass(frozen=True, kw_only=True)
class ExternalPackage:
    name: str
    modules: list[str] = field(default_factory=list)
    """Those imported, where they are not just the package."""
    lines: list[int] = field(default_factory=list)
    """Of the first import of each module, where one file was asked about."""
    files: int = 1
    """How many files import it."""


def external_packages(index: Index, within: Iterable[Node]) -> list[ExternalPackage]:
    """By number of files, then name. For a symbol: none, as imports belong to files."""
    files = {node.row: node for node in within if node.kind == "module"}
    modules: dict[str, set[str]] = {}
    users: dict[str, set[str]] = {}
    lines: dict[str, set[int]] = {}
    for batch in batches(files):
        for row, module, line in index.rows(
            f"SELECT source, name, line FROM places WHERE source IN ({marks(batch)}) AND reason = 'external'", batch
        ):
            package = package_of(module, files[row].language)
            modules.setdefault(package, set()).add(module)
            users.setdefault(package, set()).add(files[row].path)
            lines.setdefault(package, set()).add(line)
    return [
        ExternalPackage(
            name=package,
            modules=sorted(modules[package] - {package}),
            lines=sorted(lines[package]) if len(files) == 1 else [],
            files=len(users[package]),
        )
        for package in sorted(modules, key=lambda name: (-len(users[name]), name))
    ]


def package_of(module: str, language: str) -> str:
    """What is installed to have that module: `a` of `a.b`, `@a/b` of `@a/b/c`."""
    separator = BY_NAME[language].module_separator if language in BY_NAME else ""
    if not separator:
        return module
    parts = module.split(separator)
    return separator.join(parts[: 2 if module.startswith("@") else 1])
