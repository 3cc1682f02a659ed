"""Why a definition without a visible use may be used after all.

In: an index, definitions. Out: for each the doubts, as a confidence and a reason. `cheap` reads tables and the facts of
files; `in_sources` searches the texts of code for all names at once: as a word that no edge explains, or as the
beginning or the end of a name that is assembled there.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import orjson

from rpg.encoder.languages import BY_NAME
from rpg.encoder.parsing.packing import declarations
from rpg.encoder.source_files.contents import is_generated
from rpg.graph import CLASS_KINDS, POSSIBLE_VIAS
from rpg.queries.graph.families import is_of_object
from rpg.queries.graph.filters import is_beside
from rpg.queries.graph.marks import Marks
from rpg.queries.graph.nodes import Node, batches, nodes_by_row, nodes_called
from rpg.queries.health.named_files import find_named_files
from rpg.queries.health.published import Published
from rpg.queries.usages.handed_classes import find_what_gets_class
from rpg.queries.usages.outside import is_made_by_library, is_taken_by_place
from rpg.stores.index.edge_reads import list_sites_of
from rpg.stores.index.hierarchy_reads import list_classes_of_code, list_members_of_interfaces, list_named_bases
from rpg.stores.index.reader import each_packed_facts, each_packed_module
from rpg.system import deadline
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

NOWHERE: frozenset[int] = frozenset()
Doubt = tuple[str, str]
"""The confidence that remains, and why."""

_WORD = re.compile(rb"\w+")
_EXPRESSION = re.compile(rb"(?:\breturn|[=(:,?&|\[])\s*(?:\w+\s+)*\**$")
"""What precedes the name of a function that is used as a value."""
_HEAD = 20
"""Lines in which a file says that it is generated."""
_QUOTE = re.compile(rb"""["'`]""")
_BEGINS = re.compile(rb"""\b(\w{2,}+)(?:\$?\{|%[sd(]|["'`]\s*(?:\+|%|\.\.|\.\s*format|\.\s*concat))""")
_ENDS = re.compile(rb"""(?:\}|%[sd]|\+\s*["'`]|\.\.\s*["'`])(\w{2,}+)["'`]""")
"""Literals that begin and end a name that code assembles."""


class Declarations(NamedTuple):
    """What files outside tests declare, apart from edges."""

    bases: dict[tuple[str, str], list[str]]
    """By path and name of a class, the names of its bases."""
    for_own_use: set[str]
    """Files whose contents no other repository may import."""


class Doubts:
    def __init__(self, index: Index, unused: Container[int]) -> None:
        """`unused`: the rows of all symbols without a visible use."""
        self.index = index
        self.unused = unused
        self._published = Published(index)
        self._nodes: dict[int, Node] = {}
        self._beside: dict[int, set[int]] = {}
        self._parents: dict[int, list[int]] = {}
        self._heirs: dict[int, list[int]] = {}
        self._inherited_names: dict[int, str] = {}
        for source, target, name in list_named_bases(index):
            self._parents.setdefault(source, []).append(target)
            self._heirs.setdefault(target, []).append(source)
            self._inherited_names[target] = name

    def cheap(self, node: Node, extra: str) -> Iterator[Doubt]:
        """`extra`: as the row of its symbol has it."""
        rules = BY_NAME[node.language].rules
        if BY_NAME[node.language].tier != "resolved":
            yield "likely", f"{node.language} is read by scope, import and declared type alone"
        if is_beside(node.path):
            yield "possible", "it is an example, a script or documentation, not part of the package"
        if extra:
            passing = {
                name.rpartition(".")[2] for name in rules.decorators.preserving | rules.decorators.getters
            } | rules.builtins
            for decorator in orjson.loads(extra).get("decorators", ()):
                if decorator.partition("(")[0].rpartition(".")[2] not in passing:
                    yield "possible", f"decorated with {decorator}, which may register it"
                    break
        owner = self._class_of(node)
        is_public = self.is_public(node)
        if is_public:
            yield "likely", "exported: code outside may use it"
        elif owner is not None and rules.method_sets.make_implementers and node.exported:
            yield "possible", "it may implement an interface of a library"
        if owner is not None and node.name in (rules.builtin_members | rules.object_members):
            yield "possible", "a library may call a member of that name"
        if rules.is_called_by_name(node.name, owner is not None):
            yield "possible", "the language or a tool calls what has that name"
        if rules.adds_to_library(node.signature):
            yield "possible", "it adds to a library"
        if is_taken_by_place(node):
            yield "possible", "a framework calls it by its place"
        base = self._library_bases.get(node.row if owner is None else owner, "")
        if base and owner is not None:
            yield "possible", f"a library may call it: its class extends {base}"
        elif is_made_by_library(self.index, node):
            yield "possible", "a library makes the objects of its class and may call it"
        elif base and base not in rules.builtins:
            yield "likely", f"it extends {base}, through which a library may find it"
        if owner is not None and not base and (given := find_what_gets_class(self.index, node)):
            yield "possible", f"its class is {given.removesuffix(',')}"
        if self._is_of_an_object(node):
            yield "possible", "it is a member of an object, and any code with the object may call it"
        elif owner is not None and node.name in self._declared:
            yield "possible", "an interface has a member of that name"
        elif owner is not None and self._is_beside_another(node):
            yield "possible", "in a class below it, it takes the place of another member of that name"
        elif owner is not None and not is_public and (other := self._used_namesake(node)):
            yield "likely", f"{other} is used, and this may replace it"

    def is_public(self, node: Node) -> bool:
        """Whether other people's code can name it. A member is reached through objects, however private its class
        is."""
        if not node.exported:
            return False
        around = self._node(node.parent)
        while around is not None and not (around.is_file or around.holds_files):
            if around.kind not in CLASS_KINDS:
                return False
            around = self._node(around.parent)
        parts = node.path.partition(".")[0].split("/")
        if node.path in self._declarations.for_own_use:
            return False
        is_private_file = any(part.startswith("_") and not part.startswith("__") for part in parts)
        if is_private_file and self._class_of(node) is None:
            return False
        return self._published.is_published(node)

    def find_in_sources(self, wanted: Sequence[Node]) -> dict[int, list[Doubt]]:
        """By row, where code names it in a way that no edge and no definition explains."""
        rows: dict[str, list[int]] = {}
        for node in wanted:
            rows.setdefault(node.name, []).append(node.row)
        explained = self._explained(list(rows))
        names = {name.encode(): name for name in rows}
        found: dict[str, str] = {}
        begins: dict[str, str] = {}
        ends: dict[str, str] = {}
        places: dict[str, list[Node]] = {}
        for node in wanted:
            places.setdefault(node.path, []).append(node)
        valued: dict[int, list[Doubt]] = {}
        for path, where in find_named_files(self.index, places).items():
            valued |= {node.row: [("possible", f"its file is named at {where}")] for node in places[path]}
        for path, text in self._texts():
            if path in places and is_generated(b"\n".join(text.split(b"\n", _HEAD)[:_HEAD])):
                doubt = ("possible", "its file is generated, and has what the generator makes")
                valued |= {node.row: [doubt] for node in places[path]}
            elif path in places:
                lines = text.split(b"\n")
                for node in places[path]:
                    if _EXPRESSION.search(lines[node.name_line - 1].partition(node.name.encode())[0]):
                        valued[node.row] = [("possible", "it is written where its value is used")]
            for word in names.keys() & set(_WORD.findall(text)):
                line = find_unexplained_line(text, word, explained.get((names[word], path), NOWHERE))
                if line:
                    found[names.pop(word)] = f"named at {path}:{line}, where nothing says what it means"
            for pattern, known in ((_BEGINS, begins), (_ENDS, ends)):
                for hit in pattern.finditer(text):
                    part = hit[1].decode("utf-8", "replace")
                    if part not in known and is_quoted(text, hit.start()):
                        known[part] = f"names with {part} are put together at {path}:{line_of(text, hit.start())}"
        for name in names.values():
            built = [reason for part, reason in begins.items() if begins_name(name, part)]
            built += [reason for part, reason in ends.items() if ends_name(name, part)]
            if built:
                found[name] = built[0]
        return valued | {row: [("possible", reason)] for name, reason in found.items() for row in rows[name]}

    def _explained(self, names: list[str]) -> dict[tuple[str, str], set[int]]:
        """By name and path, the lines where symbols of that name are defined and certainly used."""
        lines: dict[tuple[str, str], set[int]] = {}
        vias = sorted(POSSIBLE_VIAS)
        for batch in batches(names):
            named = nodes_called(self.index, batch)
            for node in named:
                lines.setdefault((node.name, node.path), set()).add(node.name_line)
            called = {node.row: node.name for node in named}
            for some in batches(called):
                for target, path, sites in list_sites_of(self.index, some, vias):
                    known = lines.setdefault((called[target], path), set())
                    known.update(int(site.partition(":")[0]) for site in sites.split())
        return lines

    def _texts(self) -> Iterator[tuple[str, bytes]]:
        """Code outside tests."""
        languages = [name for name, language in BY_NAME.items() if not language.is_text and not language.configures]
        for path, source, size in each_packed_module(self.index, languages):
            deadline.check()
            yield path, self.index.unpacked(path, source, size)

    @cached_property
    def _declarations(self) -> Declarations:
        bases: dict[tuple[str, str], list[str]] = {}
        for_own_use: set[str] = set()
        for path, language, facts in each_packed_facts(self.index):
            deadline.check()
            declared = declarations(decompress(facts))
            if not BY_NAME[language].rules.may_be_imported(path, declared.package):
                for_own_use.add(path)
            for name, named in declared.bases.items():
                bases[path, name] = named
        return Declarations(bases, for_own_use)

    @cached_property
    def _library_bases(self) -> dict[int, str]:
        """By class, a base that is not in the repository: its own, or that of a class that it inherits or that inherits
        it."""
        found: dict[int, str] = {}
        for row, path, name, language in list_classes_of_code(self.index, sorted(CLASS_KINDS)):
            named = self._declarations.bases.get((path, name), [])
            inside = {self._inherited_names[each] for each in self._parents.get(row, ())}
            if len(named) > len(inside):
                plain = {each for each, base in BY_NAME[language].rules.library_bases.items() if base.is_plain}
                outside = [each for each in named if each not in inside | plain]
                if outside:
                    found[row] = outside[0]
        for nearby in (self._heirs, self._parents):
            for row in list(found):
                for each in find_reachable(row, nearby):
                    found.setdefault(each, found[row])
        return found

    def _is_of_an_object(self, node: Node) -> bool:
        around = self._node(node.parent)
        return is_of_object(self.index, node) or (around is not None and around.kind in ("constant", "field"))

    @cached_property
    def _declared(self) -> frozenset[str]:
        """Names of the members of all interfaces."""
        return frozenset(name for _, name in list_members_of_interfaces(self.index))

    def _is_beside_another(self, node: Node) -> bool:
        """Whether a sibling of its class, above a common subclass, has a member of the name."""
        owner = self._class_of(node)
        if owner is None or owner not in self._heirs:
            return False
        if owner not in self._beside:
            below = find_reachable(owner, self._heirs)
            around = {row for each in below for row in find_reachable(each, self._parents)}
            self._beside[owner] = around - {owner} - below - find_reachable(owner, self._parents)
        return any(other.parent in self._beside[owner] for other in nodes_called(self.index, [node.name]))

    def _used_namesake(self, node: Node) -> str:
        """The name of a member that has the same name and is used; empty if there is none. A field and a method of one
        class do not replace each other."""
        for other in nodes_called(self.index, [node.name]):
            is_apart = other.parent == node.parent and other.kind != node.kind
            if other.row not in self.unused and other.row != node.row and not other.test and not is_apart:
                around = self._node(other.parent)
                if around is not None and around.kind in CLASS_KINDS:
                    return other.label
        return ""

    def _class_of(self, node: Node) -> int | None:
        around = self._node(node.parent)
        return around.row if around is not None and around.kind in CLASS_KINDS else None

    def _node(self, row: int | None) -> Node | None:
        if row is None:
            return None
        if row not in self._nodes:
            self._nodes.update(nodes_by_row(self.index, [row]))
        return self._nodes.get(row)


def find_reachable(row: int, following: Mapping[int, Iterable[int]]) -> set[int]:
    """Everything reachable from one, over any number of steps."""
    seen: set[int] = set()
    frontier = [row]
    while frontier:
        frontier = [each for one in frontier for each in following.get(one, ()) if each not in seen]
        seen.update(frontier)
    return seen


def find_unexplained_line(text: bytes, word: bytes, explained: Container[int]) -> int:
    """The first line that names it outside a comment and is not explained; 0 if there is none."""
    at, marks = text.find(word), Marks(text)
    line, counted = 1, 0
    while at >= 0:
        end = at + len(word)
        if not (is_in_word(text, at - 1) or is_in_word(text, end)):
            line += text.count(b"\n", counted, at)
            counted = at
            if line not in explained and not marks.is_in_comment(at):
                return line
        at = text.find(word, end)
    return 0


def is_in_word(text: bytes, at: int) -> bool:
    return 0 <= at < len(text) and _WORD.match(text, at, at + 1) is not None


def is_quoted(text: bytes, at: int) -> bool:
    """Whether a quote precedes it on its line."""
    return _QUOTE.search(text, text.rfind(b"\n", 0, at) + 1, at + 1) is not None


def line_of(text: bytes, at: int) -> int:
    return text.count(b"\n", 0, at) + 1


def begins_name(name: str, part: str) -> bool:
    """Whether a name consists of that part, up to a word boundary, and more."""
    return name.startswith(part) and len(name) > len(part) and (part.endswith("_") or name[len(part)].isupper())


def ends_name(name: str, part: str) -> bool:
    return name.endswith(part) and len(name) > len(part) and (part.startswith("_") or part[0].isupper())
