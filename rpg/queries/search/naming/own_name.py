"""Removes the repository's own name from a question: "how does bat decide ..." does not ask for symbols called bat, and
a folder of that name would match with everything in it.

In: an index and a question in words. Out: the question without that word; unchanged if code has that name, because the
word may mean that, or if nothing else would be left.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import orjson

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import nodes
from rpg.text.words import is_word, text_terms

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def remove_own_name(index: Index, question: str) -> str:
    name: str = memoize(index, "own name", lambda: own_name(index))
    if not name:
        return question
    rest = re.sub(rf"(?<![\w./:-]){re.escape(name)}(?![\w/:(-]|\.\w)", " ", question, flags=re.IGNORECASE)
    return rest if any(map(is_word, text_terms(rest))) else question


def own_name(index: Index) -> str:
    """Empty if code outside tests has that name too."""
    header = index.meta("header")
    name = str(orjson.loads(header).get("repository", {}).get("name", "")) if header else ""
    alike = nodes(index, "s.name = ? COLLATE NOCASE AND s.test = 0", (name,)) if name else []
    return "" if any(node.kind in CLASS_KINDS | FUNCTION_KINDS for node in alike) else name
