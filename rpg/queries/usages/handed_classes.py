"""Where code hands a class as a whole to something outside the repository, which may then call its members.

In: an index, a member of a class. Out: what gets the class, or one below it: a function of a library that it is an
argument of, or a library that loads it by a dotted path in a string. Functions of the language and methods that builtin
types have (`isinstance`, `append`) do not count, and neither do tests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, role_at
from rpg.queries.account.occurrences import find_line_starts, find_offset
from rpg.queries.account.placing.brackets import Brackets
from rpg.queries.graph.families import find_language_family, is_constructor, subclasses
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.stores.index.edge_reads import list_references_outside_tests
from rpg.stores.index.stored_graph import sites_of
from rpg.stores.index.symbol_reads import list_languages_of_name

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST_CLASSES: Final = 20
"""How many classes below one are looked at."""
MOST_SITES: Final = 100
NEAR: Final = 120
"""How many bytes in front of a name are looked at."""
_WHOLE: Final = re.compile(rb"\w+\s*(?:\.class\b|::class\b)?\s*[,)\]]")
"""A class that is an argument, or in a list."""
_STARTS_ARGUMENT: Final = re.compile(rb"(?:[(\[,*]|[\w)\]]\s*[=:])\s*(?:[\w\\]+(?:\.|\\|::))*\Z")
_CALLEE: Final = re.compile(rb"([\w?!]+)\s*\Z")
_DEFINES: Final = re.compile(rb"\b(?:def|function|class|fn|fun|func|new|super)\s+\w+\s*\Z")
_IN_STRING: Final = re.compile(rb"[\"'](?:\w+[.:/\\])+\Z")
_IN_STRING_BEHIND: Final = re.compile(rb"\w+[\"']")


def find_what_gets_class(index: Index, node: Node) -> str:
    """What gets the class of a member: as in `its class is ...`; empty if nothing does."""
    if node.parent is None or node.kind not in FUNCTION_KINDS or is_constructor(node):
        return ""
    around = nodes_by_row(index, [node.parent]).get(node.parent)
    if around is None or around.kind not in CLASS_KINDS or around.language not in BY_NAME:
        return ""
    return memoize(index, f"what gets class {around.row}", lambda: _find(index, around))


def _find(index: Index, around: Node) -> str:
    for each in (around, *subclasses(index, around)[:MOST_CLASSES]):
        for path, written, roles in list_references_outside_tests(index, each.row)[:MOST_SITES]:
            text = index.source(path)
            brackets, starts = Brackets(text), find_line_starts(text)
            for position, (line, column) in enumerate(sites_of(written)[:MOST_SITES]):
                if role_at("references", roles, position) == "reads":
                    found = _judge(index, each, text, brackets, find_offset(text, starts, line, column))
                    if found:
                        return f"{found} ({path}:{line}),"
    return ""


def _judge(index: Index, node: Node, text: bytes, brackets: Brackets, offset: int) -> str:
    before = text[max(0, offset - NEAR) : offset]
    if _IN_STRING.search(before) is not None and _IN_STRING_BEHIND.match(text, offset) is not None:
        return "named in a string, by which a library may load it"
    if _WHOLE.match(text, offset) is None or _STARTS_ARGUMENT.search(before) is None:
        return ""
    called = brackets.function_around(offset)
    callee = _CALLEE.search(called)
    if callee is None or _DEFINES.search(called) is not None:
        return ""
    name = callee[1].decode("utf-8", "replace")
    rules = BY_NAME[node.language].rules
    if name in rules.builtins or name in rules.builtin_members or name in rules.object_members:
        return ""
    family = find_language_family(node.language)
    if any(find_language_family(language) == family for language in list_languages_of_name(index, name)):
        return ""
    return f"handed to {name} of a library"
