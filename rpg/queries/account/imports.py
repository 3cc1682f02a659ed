"""The lines that import a name: whether they bring the symbol, another definition of the name, or a library's.

In: a file, the byte at which its import names the module, and the name. Out: one of the three. What the module's file
says that it offers under the name decides; what it passes on is followed through its imports.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.queries.account.offered import Offers, Own, PassedOn
from rpg.queries.graph.memo import memoize, remember
from rpg.stores.index.import_reads import list_imports_of_module
from rpg.stores.index.symbol_reads import list_places_named

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

MOST_HOPS: Final = 5
"""How many re-exports are followed."""
MOST_FILES: Final = 200
OFFERS_KEPT: Final = 64
"""Of how many files it is kept what they offer, until the index changes."""


class Importers:
    """What the imports of files lead to."""

    def __init__(self, index: Index, node: Node) -> None:
        self._index = index
        self._node = node
        self._targets: dict[str, dict[str, list[str]]] = {}
        self._led: dict[tuple[str, str], bool] = {}
        self._folder = f"{node.path.rpartition('/')[0]}/" if "/" in node.path else "./"
        found = list_places_named(index, node.name)
        self._defining = {path for path, name in found if name == node.name}

    def brings(self, path: str, site: str, name: str) -> bool | None:
        """Whether the import at that site, `line:column`, brings the symbol, where the module has it by that name; None
        if it leads out of the repository."""
        targets = self._imports(path).get(site, [])
        if not targets:
            return None
        return any(self._brought(target, name) for target in targets)

    def reach(self, path: str) -> bool:
        """Whether any import of a file brings the symbol, by its name."""
        targets = {target for targets in self._imports(path).values() for target in targets}
        return any(self._brought(target, self._node.name) for target in targets)

    def reach_file(self, path: str) -> bool:
        """Whether an import of a file leads to the file of the symbol."""
        own = self._node.path
        return any(target.partition("::")[0] == own for targets in self._imports(path).values() for target in targets)

    def binds(self, path: str, name: str) -> bool:
        """Whether a name at the top of a file is the symbol."""
        bound = self._offers(path).find_bound(name)
        if isinstance(bound, Own):
            return path == self._node.path and bound.qualified_name == self._node.qualified_name
        return isinstance(bound, PassedOn) and self.brings(path, bound.site, bound.name) is True

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
            for target, sites in list_imports_of_module(self._index, path):
                for site in sites.split():
                    found.setdefault(site, []).append(target)
            self._targets[path] = found
        return self._targets[path]

    def _brought(self, target: str, name: str) -> bool:
        if (target, name) not in self._led:
            self._led[target, name] = self._leads_to(target, name)
        return self._led[target, name]

    def _leads_to(self, target: str, name: str) -> bool:
        seen: set[tuple[str, str]] = set()
        frontier = {(target, name)}
        for _ in range(MOST_HOPS):
            if self._is_outermost and any(path == self._folder for path, _ in frontier):
                return True
            seen |= frontier
            further: set[tuple[str, str]] = set()
            for path, called in frontier:
                offered = self._offers(path).find(called)
                if path == self._node.path and not isinstance(offered, PassedOn):
                    if offered is None or offered.qualified_name == self._node.qualified_name:
                        return True
                elif isinstance(offered, PassedOn):
                    further |= {(each, offered.name) for each in self._imports(path).get(offered.site, ())}
                elif offered is None and path not in self._defining:
                    further |= {(each, called) for targets in self._imports(path).values() for each in targets}
            frontier = further - seen
            if not frontier or len(seen) > MOST_FILES:
                break
        return False

    @property
    def _is_outermost(self) -> bool:
        return self._node.qualified_name == self._node.name

    def _offers(self, path: str) -> Offers:
        kept: dict[str, Offers] = memoize(self._index, "names that files offer", dict)
        found = kept.get(path)
        if found is None:
            found = Offers(self._index.facts(path))
            remember(kept, {path: found}, OFFERS_KEPT)
        return found
