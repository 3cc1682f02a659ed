"""The lines that import a name: whether they bring the symbol, another definition of the name, or a library's.

In: a file, and the byte at which its import names the module. Out: one of the three. An import that leads to a file
which does not define the name itself is followed through the imports of that file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

MOST_HOPS: Final = 5
"""How many re-exports are followed."""
MOST_FILES: Final = 200


class Importers:
    """What the imports of files lead to."""

    def __init__(self, index: Index, node: Node) -> None:
        self._index = index
        self._node = node
        self._targets: dict[str, dict[str, list[str]]] = {}
        self._brings: dict[str, bool | None] = {}
        self._own = {node.path, f"{node.path.rpartition('/')[0]}/" if "/" in node.path else "./"}
        found = index.rows(
            "SELECT path, qualified_name FROM symbols WHERE name = ? COLLATE NOCASE AND name = ?",
            (node.name, node.name),
        )
        self._defining = {path for path, name in found if name == node.name}

    def brings(self, path: str, site: str) -> bool | None:
        """Whether the import at that site, `line:column`, brings the symbol; None if it leads out of the repository."""
        targets = self._imports(path).get(site, [])
        if not targets:
            return None
        return any(self._leads_to(target) for target in targets)

    def reach(self, path: str) -> bool:
        """Whether any import of a file brings the symbol."""
        return any(self._leads_to(target) for targets in self._imports(path).values() for target in targets)

    def may_be_missed(self, path: str, site: str, module: str) -> bool:
        """Whether an import that leads nowhere names a module as the symbol's file is named: it may be that file, under
        a root that is not known."""
        return site not in self._imports(path) and bool(module) and f"/{module}" in self._endings

    @cached_property
    def _endings(self) -> tuple[str, ...]:
        """The ends of the path of the symbol's file, by folder: `/utils`, `/app/utils`; those of one part alone only
        for a file at the top, since other modules have such names."""
        stem = self._node.path.rpartition(".")[0] or self._node.path
        folder, _, last = stem.rpartition("/")
        names_folder = self._node.language in BY_NAME and not BY_NAME[self._node.language].module_separator
        if names_folder or last in ("__init__", "index", "mod", "lib"):
            stem = folder
        parts = stem.split("/") if stem else []
        return tuple(f"/{'/'.join(parts[at:])}" for at in range(len(parts)) if len(parts) - at > 1 or len(parts) == 1)

    def _imports(self, path: str) -> dict[str, list[str]]:
        """The files that each import of a file leads to, by site."""
        if path not in self._targets:
            found: dict[str, list[str]] = {}
            for target, sites in self._index.rows(
                "SELECT t.path, e.sites FROM symbols s JOIN edges e ON e.source = s.id "
                "JOIN symbols t ON t.id = e.target WHERE s.path = ? AND s.kind = 'module' AND e.kind = 'imports'",
                (path,),
            ):
                for site in sites.split():
                    found.setdefault(site, []).append(target)
            self._targets[path] = found
        return self._targets[path]

    def _leads_to(self, target: str) -> bool:
        seen: set[str] = set()
        frontier = {target}
        for _ in range(MOST_HOPS):
            if not self._own.isdisjoint(frontier) and self._is_outermost:
                return True
            if self._node.path in frontier:
                return True
            seen |= frontier
            frontier = set(self._further(frontier)) - seen
            if not frontier or len(seen) > MOST_FILES:
                break
        return False

    @property
    def _is_outermost(self) -> bool:
        return self._node.qualified_name == self._node.name

    def _further(self, paths: Iterable[str]) -> Iterable[str]:
        for path in paths:
            if path not in self._defining:
                for targets in self._imports(path).values():
                    yield from targets
