"""Why code outside the repository may call a symbol that nothing in it uses.

In: an index, a node. Out: the reason, or nothing: an annotation that a library defines, a member of a library's type
that it overrides, a base of its class from a library, a name that the language or a tool calls, the place of its file.
What code outside may call merely because it is visible does not count here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.encoder.parsing.packing import declarations
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, OVERRIDE
from rpg.queries.graph.families import (
    FIELD_KINDS,
    ancestors,
    bases,
    find_language_family,
    is_constructor,
    overridden,
    subclasses,
)
from rpg.queries.graph.nodes import Node, nodes_by_row, nodes_called
from rpg.queries.usages.handed_classes import find_what_gets_class
from rpg.stores.index.reader import find_extra
from rpg.stores.index.symbol_reads import list_languages_of_name, list_method_names
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

CUT = "…"
"""How a signature ends that is too long to be kept."""
MOST_BELOW = 100
"""How many classes below one are asked for bases from outside."""
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|\\)[^\W\d]\w*)*")
_BASE = re.compile(rf"(?:[:,(]|\b(?:extends|implements|with)\b)\s*({_NAME.pattern})")
_COMMENT = re.compile(r"/\*.*?\*/")
_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_GROUPS = re.compile(rf"{_ARGUMENTS.pattern}|\([^()]*\)")
_BOUNDS = re.compile(r"\bwhere\b")
_PROTECTED = re.compile(r"\bprotected\b")
"""What a base may call or read, too."""
_TYPE_OF = re.compile(r"\s*[?!]?:\s*([A-Z][\w.]*)")
_MARK = re.compile(r"[^\W\d][\w.:\\]*")


def explain_outside_calls(index: Index, node: Node) -> str:
    """Why code outside may call it; empty if nothing shows that."""
    is_seen = bool(node.exported) or _PROTECTED.search(node.signature) is not None
    if node.language in BY_NAME and node.kind in FIELD_KINDS and is_seen:
        base = next(_bases_outside(index, node), "")
        return f"its base {base}, of a library, may use it" if base else ""
    if node.language not in BY_NAME or node.kind not in ("module", *FUNCTION_KINDS, *CLASS_KINDS):
        return ""
    if is_taken_by_place(node):
        return "a framework loads it by its place" if node.kind == "module" else "a framework calls it by its place"
    if node.kind == "module":
        return ""
    if is_constructor(node) and node.parent is not None:
        return explain_outside_calls(index, nodes_by_row(index, [node.parent])[node.parent])
    rules = BY_NAME[node.language].rules
    written, modifiers = _extra(index, node)
    names = {_last(each) for each in written}
    for each in written:
        if _last(each) not in rules.passive_marks | rules.override_marks and not _is_defined(index, node, _last(each)):
            return f"@{_mark(each)} may have it called from outside"
    if node.kind not in FUNCTION_KINDS:
        return ""
    type_name = _type_of_object(index, node)
    if type_name:
        return f"the type of its object, {type_name} of a library, may call it"
    if rules.is_called_by_name(node.name, node.parent is not None and "." in node.qualified_name):
        return "the language, a library or a tool calls what has that name"
    says_so = OVERRIDE in modifiers or not names.isdisjoint(rules.override_marks)
    if says_so and not overridden(index, node):
        return "it overrides a member of something outside the repository, which may call it"
    if not (says_so or is_seen):
        return ""
    if is_made_by_library(index, node):
        return "a library makes the objects of its class and may call it"
    base = next(_bases_outside(index, node), "")
    if base:
        return f"its base {base}, of a library, may call it"
    base = next(_bases_beside(index, node), "")
    if base:
        return f"{base} of a library, the base of a class below its own, may call it"
    given = find_what_gets_class(index, node)
    return f"its class is {given} which may call it" if given else ""


def _type_of_object(index: Index, node: Node) -> str:
    """The type of a library of which the object is declared to be that it is written in; empty if there is none."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is None or around.kind not in FIELD_KINDS:
        return ""
    declared = _TYPE_OF.match(around.signature.partition(around.name)[2])
    return declared[1] if declared is not None and not _is_defined(index, node, _last(declared[1])) else ""


def takes_place_in_library(index: Index, node: Node) -> bool:
    """Whether it may be called in the place of a library's member: it says that it overrides one, its type embeds a
    type of the library, or common interfaces of libraries have a method of that name."""
    if node.language not in BY_NAME or node.kind not in FUNCTION_KINDS:
        return False
    rules = BY_NAME[node.language].rules
    written, modifiers = _extra(index, node)
    if OVERRIDE in modifiers or not rules.override_marks.isdisjoint(_last(each) for each in written):
        return not overridden(index, node)
    if not node.exported:
        return False
    if not rules.method_sets.make_implementers or "." not in node.qualified_name:
        return False
    return node.name in rules.builtin_members or next(_bases_outside(index, node), "") != ""


def find_embedding_members(index: Index, node: Node) -> list[Node]:
    """The members of its name in interfaces that embed a type of a library, so that nobody knows whether its type
    implements them: it has all that they name themselves."""
    if node.parent is None or node.language not in BY_NAME or node.kind not in FUNCTION_KINDS:
        return []
    if not BY_NAME[node.language].rules.method_sets.make_implementers:
        return []
    own = _names_of_members(index, node.parent)
    found = []
    for each in nodes_called(index, [node.name]):
        around = nodes_by_row(index, [each.parent]).get(each.parent) if each.parent is not None else None
        if around is None or around.kind != "interface" or each.parent == node.parent:
            continue
        if own >= _names_of_members(index, around.row) and next(_embedded_from_outside(index, around), ""):
            found.append(each)
    return found


def _names_of_members(index: Index, row: int) -> set[str]:
    return set(list_method_names(index, row))


def has_base_outside(index: Index, node: Node) -> bool:
    """Whether its class has a base from a library, over any number of levels."""
    return node.language in BY_NAME and next(_bases_outside(index, node), "") != ""


def names_of_bases_outside(index: Index, node: Node) -> frozenset[str]:
    """The last parts of the names of those bases."""
    if node.language not in BY_NAME:
        return frozenset()
    return frozenset(_last(each) for each in _bases_outside(index, node))


def is_taken_by_place(node: Node) -> bool:
    """Whether a framework loads or calls it because of the place of its file."""
    is_outermost = node.kind == "module" or (node.exported != 0 and "." not in node.qualified_name)
    return is_outermost and node.test == 0 and BY_NAME[node.language].rules.is_run_by_place(node.path)


def is_made_by_library(index: Index, node: Node) -> bool:
    """Whether it belongs to a class whose objects only a library makes."""
    around = nodes_by_row(index, [node.parent]) if node.parent is not None and node.language in BY_NAME else {}
    return any(BY_NAME[node.language].rules.is_made_by_library(each.path, each.name) for each in around.values())


def _extra(index: Index, node: Node) -> tuple[list[str], list[str]]:
    """Decorators and modifiers."""
    extra = find_extra(index, node.row)
    return extra.get("decorators", []), extra.get("modifiers", [])


def decorators_of(index: Index, node: Node) -> list[str]:
    return _extra(index, node)[0]


def _mark(decorator: str) -> str:
    found = _MARK.search(decorator)
    return found[0] if found else decorator.lstrip("@")


def _last(decorator: str) -> str:
    """The last part of a decorator's name."""
    return re.split(r"[.:\\]+", _mark(decorator))[-1]


def _is_defined(index: Index, node: Node, name: str) -> bool:
    """Whether the repository defines a symbol of that name, in a language that could mean it."""
    languages = list_languages_of_name(index, name)
    return any(find_language_family(language) == find_language_family(node.language) for language in languages)


def _bases_outside(index: Index, node: Node) -> Iterator[str]:
    """The types in the headers of its class, and of those above it, that the repository does not define."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is None or around.kind not in CLASS_KINDS:
        return
    is_in_body = BY_NAME[node.language].rules.method_sets.make_implementers
    for each in (around, *ancestors(index, around)):
        if is_in_body:
            yield from _embedded_from_outside(index, each)
        else:
            yield from _named_from_outside(index, each)


def _named_from_outside(index: Index, node: Node) -> Iterator[str]:
    """The types in a header that the repository does not define. One that is too long to be kept ends before them."""
    if node.signature.endswith(CUT):
        yield from _embedded_from_outside(index, node)
        return
    for name in _types_in_header(node):
        if not _is_defined(index, node, _last(name)):
            yield name


def _bases_beside(index: Index, node: Node) -> Iterator[str]:
    """The types that the repository does not define in the headers of the classes below its class, of which such a
    class may have it in the place of a member of theirs."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    rules = BY_NAME[node.language].rules
    if rules.base_precedence == "none" or rules.method_sets.make_implementers:
        return
    if around is None or around.kind not in CLASS_KINDS:
        return
    for each in subclasses(index, around)[:MOST_BELOW]:
        yield from _named_from_outside(index, each)


def _embedded_from_outside(index: Index, node: Node) -> Iterator[str]:
    """The types that it embeds and no edge leads to."""
    facts = index.facts(node.path)
    named = declarations(decompress(facts)).bases.get(node.qualified_name, []) if facts else []
    if named:
        inside = {each.name for each in nodes_by_row(index, bases(index, [node.row])).values()}
        yield from (name for name in named if name not in inside)


def _types_in_header(node: Node) -> Iterator[str]:
    """The capitalised names after that of a class, with what they are in, without type arguments and bounds. Behind a
    comment, which the folded header does not end, only what is written as a base."""
    # A default export without a name has a name that its header lacks.
    named = node.signature.partition(node.name)[2] if node.name in node.signature else node.signature
    header = _BOUNDS.split(named)[0]
    is_in_parentheses = node.language in BY_NAME and BY_NAME[node.language].rules.bases_in_parentheses
    groups = _ARGUMENTS if is_in_parentheses else _GROUPS
    count = 1
    while count:
        header, count = groups.subn(" ", header)
    header, mark, rest = _COMMENT.sub(" ", header).partition("//")
    for word in (*_NAME.findall(header), *(_BASE.findall(rest) if mark else ())):
        if _last(word)[:1].isupper():
            yield word
