"""Which symbols and files a search may find: by kind, test or not, language, path, package and area.

In: the arguments of a search. Out: whether they admit a symbol; for each search unit, whether they admit its file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rpg.queries.graph.functional_view import place_filter
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.path_filters import path_filter
from rpg.queries.packages.manifests import build_package_filter
from rpg.queries.search.hits import Wanted
from rpg.queries.search.order.question_order import is_test
from rpg.queries.search.search_units import Array, Units
from rpg.queries.search.text.by_text import DOCUMENTS

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class Admission:
    """Which symbols the arguments of a search admit."""

    def __init__(self, index: Index, wanted: Wanted) -> None:
        self._index = index
        self._wanted = wanted
        self._of_files: list[Callable[[str, str], bool]] | None = None

    def admits(self, node: Node) -> bool:
        return self.is_wanted(node) and self.path_is_wanted(node)

    def is_wanted(self, node: Node) -> bool:
        if self._wanted.tests in ("only", "none") and is_test(node) != (self._wanted.tests == "only"):
            return False
        return not self._wanted.kinds or node.kind in self._wanted.kinds

    def path_is_wanted(self, node: Node) -> bool:
        return all(condition(node.path, node.language) for condition in self.of_files)

    @property
    def of_files(self) -> list[Callable[[str, str], bool]]:
        """The conditions on a file's path and language."""
        if self._of_files is None:
            self._of_files = self._conditions()
        return self._of_files

    def _conditions(self) -> list[Callable[[str, str], bool]]:
        wanted = self._wanted
        conditions: list[Callable[[str, str], bool]] = []
        if wanted.content == "code":
            conditions.append(lambda path, language: language not in DOCUMENTS)
        elif wanted.content == "docs":
            conditions.append(lambda path, language: language in DOCUMENTS)
        if wanted.language:
            conditions.append(lambda path, language: language == wanted.language.lower())
        if wanted.path:
            inside = path_filter(wanted.path)
            conditions.append(lambda path, language: inside(path))
        if wanted.exclude_path:
            outside = path_filter(wanted.exclude_path)
            conditions.append(lambda path, language: not outside(path))
        if wanted.package:
            of_package = build_package_filter(self._index, wanted.package)
            conditions.append(lambda path, language: of_package(path))
        if wanted.within:
            has_place = place_filter(self._index, wanted.within)
            conditions.append(lambda path, language: has_place(path))
        return conditions

    def units(self, known: Units) -> Array | None:
        """For each unit whether its file may be found; None if all may."""
        wanted = self._wanted
        conditions = self.of_files
        if wanted.content == "code" and DOCUMENTS.isdisjoint(known.statistics.languages):
            conditions = conditions[1:]
        if not conditions:
            return None
        filters = (wanted.content, wanted.language, wanted.path, wanted.exclude_path, wanted.package, wanted.within)
        return known.of_files(filters, lambda path, language: all(admits(path, language) for admits in conditions))
