"""Packages outside the repository, from the import statements of files.

In: nodes. Out: packages with the modules imported of them. An import that has an edge stays inside; the rest name
something outside, or something that is not there.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rpg.queries.nodes import Node

if TYPE_CHECKING:
    from rpg.stores.index import Index


@dataclass(frozen=True, kw_only=True)
class ExternalPackage:
    name: str
    modules: list[str] = field(default_factory=list)
    """Those imported, where they are not just the package."""
    lines: list[int] = field(default_factory=list)
    """Of the import statements, where one file was asked about."""
    files: int = 1
    """How many files import it."""


def external_packages(index: Index, within: Iterable[Node]) -> list[ExternalPackage]:
    """By number of files, then name. For a symbol: none, as imports belong to files."""
    files = [node for node in within if node.kind == "module"]
    modules: dict[str, set[str]] = {}
    users: dict[str, set[str]] = {}
    lines: dict[str, list[int]] = {}
    for node in files:
        resolved = resolved_lines(index, node.row)
        for module, line in imports(index, node.path):
            if line in resolved or not module:
                continue
            package = package_of(module, node.language)
            modules.setdefault(package, set()).add(module)
            users.setdefault(package, set()).add(node.path)
            lines.setdefault(package, []).append(line)
    return [
        ExternalPackage(
            name=package,
            modules=sorted(modules[package] - {package}),
            lines=sorted(set(lines[package])) if len(files) == 1 else [],
            files=len(users[package]),
        )
        for package in sorted(modules, key=lambda name: (-len(users[name]), name))
    ]


def resolved_lines(index: Index, row: int) -> set[int]:
    return {
        int(site.partition(":")[0])
        for (sites,) in index.rows("SELECT sites FROM edges WHERE source = ? AND kind = 'imports'", (row,))
        for site in sites.split()
    }


def imports(index: Index, path: str) -> list[tuple[str, int]]:
    """(module as written, line) of every import statement but relative ones."""
    from rpg.encoder.facts import unpack

    packed = index.facts(path)
    if not packed:
        return []
    facts = unpack(zlib.decompress(packed))
    return [
        (each.module, bisect_right(facts.line_starts, each.byte))
        for each in facts.imports
        if not each.level and not each.module.startswith(".") and each.kind != "parent"
    ]


def package_of(module: str, language: str) -> str:
    """What is installed to have that module: `a` of `a.b`, `@a/b` of `@a/b/c`."""
    from rpg.encoder.languages import BY_NAME

    separator = BY_NAME[language].module_separator if language in BY_NAME else ""
    if not separator:
        return module
    parts = module.split(separator)
    return separator.join(parts[: 2 if module.startswith("@") else 1])
