"""Whether the exports of a file are offered to code outside the repository.

In: an index and symbols. Out: yes, unless their language has manifests and none around the file says so. Manifests are
read as text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.nodes import Node
from rpg.stores.index.reader import has_file

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_OFFERS = re.compile(
    rb"""^\s*\[(?:project|build-system|tool\.poetry|metadata)\]|\bsetup\s*\(|["']name["']\s*:""", re.MULTILINE
)
_KEEPS = re.compile(rb"""["']private["']\s*:\s*true|Private :: Do Not Upload""")


class Published:
    def __init__(self, index: Index) -> None:
        self.index = index
        self._folders: dict[tuple[str, str], bool] = {}

    def is_published(self, node: Node) -> bool:
        return self._offers(node.path.rpartition("/")[0], node.language)

    def _offers(self, folder: str, language: str) -> bool:
        manifests = BY_NAME[language].rules.manifests
        if not manifests:
            return True
        judged = self._folders.get((folder, language))
        if judged is None:
            judged = self._folders[folder, language] = self._judged(folder, language, manifests)
        return judged

    def _judged(self, folder: str, language: str, manifests: frozenset[str]) -> bool:
        """Decided by the manifests in the folder; if none of them says, by those above."""
        is_kept = False
        for name in sorted(manifests):
            path = f"{folder}/{name}" if folder else name
            if not has_file(self.index, path):
                continue
            text = self.index.source(path)
            if _KEEPS.search(text):
                is_kept = True
            elif _OFFERS.search(text):
                return True
        return not is_kept and bool(folder) and self._offers(folder.rpartition("/")[0], language)
