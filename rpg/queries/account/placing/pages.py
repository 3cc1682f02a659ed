"""Which pages show an object of a class, and where they name its members: a library hands these to the page as
variables (`$name` in Blade, `@name` in ERB), and takes them from the attributes of the tag that stands for the class.

In: the symbol that is sought, and what surrounds a place in a page. Out: whether the symbol may be meant there. The
pages are those that the file of the class names, with what they include, and those that are named like the class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import words_of
from rpg.stores.index.import_reads import list_files_named_in

if TYPE_CHECKING:
    from rpg.queries.account.placing.sought import Sought
    from rpg.queries.account.placing.surroundings import Surroundings
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

MOST_PAGES: Final = 1_000
_TAG: Final = re.compile(rb"<(?:livewire:|x-|twig:)([\w.:-]+)[^<]*\s:?(?:wire:model[\w.]*=[\"'])?\Z")
FARTHEST: Final = 2_000
"""How many bytes before an attribute its tag may begin."""


def is_shown(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a page names a variable or an attribute there by which it may be handed the symbol."""
    mark = BY_NAME[sought.node.language].rules.page_variable.encode() if sought.node.language in BY_NAME else b""
    if not mark or not sought.is_shown_in_pages:
        return False
    text = around.text
    if text[offset - len(mark) : offset] == mark:
        return around.file.path in sought.pages or is_named_like(around.file.path, sought.class_name)
    tag = _TAG.search(text, max(0, text.rfind(b"<", max(0, offset - FARTHEST), offset)), offset)
    return tag is not None and re.split(rb"[.:]", tag[1])[-1].decode() == to_kebab(sought.class_name)


def to_kebab(name: str) -> str:
    return "-".join(words_of(name))


def is_named_like(path: str, class_name: str) -> bool:
    """Whether a page has the name of a class: `user-card.blade.php` for `UserCard`."""
    stem = path.rpartition("/")[2].partition(".")[0].replace("_", "-").lower()
    return bool(class_name) and stem == to_kebab(class_name)


def pages_of(index: Index, node: Node) -> frozenset[str]:
    """The pages that the file of a symbol names, and those that these include."""
    found: set[str] = set()
    frontier = {node.path}
    while frontier and len(found) < MOST_PAGES:
        frontier = set(_pages_named(index, sorted(frontier))) - found
        found |= frontier
    return frozenset(found)


def _pages_named(index: Index, paths: list[str]) -> Iterable[str]:
    for path, language in list_files_named_in(index, paths[:MOST_PAGES]):
        if language in BY_NAME and BY_NAME[language].is_markup:
            yield path
