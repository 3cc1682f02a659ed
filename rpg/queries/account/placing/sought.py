"""The symbol whose places are judged, and what is asked of it again and again.

In: an index, a symbol, and the name by which it is looked for. Out: what a judgement of a place needs to know of it,
each found when it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import (
    ANYWHERE,
    OWN_CODE,
    STRINGS,
    VALUES,
    Given,
    find_identifier,
    spellings,
    words_of,
)
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.imports import Importers
from rpg.queries.account.literals import is_plain
from rpg.queries.account.placing.explained import Explained, explain_other_name, explain_own_name
from rpg.queries.account.placing.pages import pages_of
from rpg.queries.account.placing.recorded import Recorded
from rpg.queries.graph.families import adds_to_another, has_name_alone, is_of_object
from rpg.queries.graph.nodes import nodes, nodes_by_row
from rpg.queries.graph.unread import find_unread_headers, reaches
from rpg.queries.usages.outside import (
    decorators_of,
    has_base_outside,
    is_made_by_library,
    names_of_bases_outside,
    takes_place_in_library,
)
from rpg.queries.usages.usage_sites import UsageSite, is_member, means, word_of
from rpg.stores.index.symbol_reads import find_extent

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

_OF_FIRST: Final = re.compile(r"\(\s*(?:\[[^\]]*\]\s*)*this\s")
"""A method that is called as a member of its first parameter."""
WEB: Final = "web"
"""The family of style sheets and pages."""
_COMMAND: Final = re.compile(r"\.(?:command|group)\b(?!\(\s*[\"'])")
"""A decorator that makes a command of a function, and that gives it no other name."""
_REPLACED: Final = re.compile(r"__[A-Z][A-Z0-9_]*__")
"""Names that a build replaces by values, which its configuration names as keys."""
_SETTING: Final = re.compile(r"[A-Z][A-Z0-9_]*")


class Sought:
    def __init__(self, index: Index, node: Node, uses: Iterable[UsageSite], given: Given | None = None) -> None:
        """`uses`: those that were found. `given`: another name of the symbol, whose places are judged."""
        language = BY_NAME.get(node.language)
        written = word_of(node)
        self.node = node
        self.given = given.where if given is not None else ""
        self.word = (written if given is None else given.name).encode()
        self.importers = Importers(index, node)
        self.is_contract = language is not None and language.rules.is_contract
        self.is_of_page = language is not None and language.family == WEB and given is None
        """Whether it is a name of style sheets and pages, by which code knows it in strings alone."""
        self.is_target = language is not None and language.configures and given is None
        """Whether commands run it by its name."""
        self.is_of_object = given is None and is_of_object(index, node)
        self.is_in_library = given is None and takes_place_in_library(index, node)
        self.is_replaced = _REPLACED.fullmatch(self.word.decode()) is not None
        self.is_function_of_paths = (
            language is not None and language.rules.holders_are_named and node.kind in FUNCTION_KINDS
        )
        """Whether it is a function of a language in which the path of a module is its name."""
        self._index = index
        setter = f"{written}{language.rules.writers_end}" if language is not None else written
        is_settled = not (self.given or self.is_contract)
        self.explained = Explained(index, node, (node.name, self.word.decode(), setter), uses, is_settled)
        if given is None:
            explain_own_name(self.explained, index, node, self.is_of_object)
        else:
            explain_other_name(self.explained, index, node)

    @cached_property
    def around(self) -> frozenset[bytes]:
        """The names of what contains it: classes, files, folders."""
        names = {part.encode() for part in self.node.qualified_name.split(".")[:-1]}
        for part in self.node.path.split("/"):
            names.add(part.partition(".")[0].encode())
        return frozenset(names)

    @cached_property
    def is_member(self) -> bool:
        return not self.given and is_member(self._index, self.node)

    @cached_property
    def bases_outside(self) -> frozenset[str]:
        """The types of libraries from which its class is derived, by the last part of their names."""
        return names_of_bases_outside(self._index, self.node) if self.is_member else frozenset()

    def has_in_file(self, types: Iterable[str]) -> bool:
        """Whether its file names one of these types of a package: its own type may implement that."""
        return any(re.search(rf"\.{each}\b".encode(), self._own_file) for each in types)

    def is_in_package(self, parts: list[bytes]) -> bool:
        """Whether its file says that it is in the package of that name, whatever its folder is."""
        name = rb"[.:\\]+".join(re.escape(each) for each in parts)
        return re.search(rb"\b(?:package|namespace)\s+" + name + rb"\s*[;{\r\n]", self._own_file) is not None

    @cached_property
    def _own_file(self) -> bytes:
        return self._index.source(self.node.path)

    @cached_property
    def is_shown_in_pages(self) -> bool:
        """Whether a library may hand it to a page: a public value of a class that is derived from one of a library."""
        return self.node.kind in VALUES and bool(self.node.exported) and bool(self.bases_outside)

    @cached_property
    def names_of_class(self) -> frozenset[str]:
        """How forms name an object of its class."""
        return frozenset((self.class_name, *spellings(self.class_name)))

    @cached_property
    def is_of_environment(self) -> bool:
        """Whether it is a variable of a script or of configuration, which programs may read from the environment."""
        if self.given or self.node.kind not in VALUES or _SETTING.fullmatch(self.node.name) is None:
            return False
        language = BY_NAME[self.node.language]
        return language.configures or "commands" in language.rules.reached_by

    def is_torn_out(self, path: str) -> bool:
        """Whether it may be a member although no class has it, as code of a file sees it: its own file is not
        understood from above it on, or anywhere for code beside it."""
        torn_from = self._torn_from
        return torn_from > 0 and (path == self.node.path or torn_from <= self.node.name_line)

    @cached_property
    def _torn_from(self) -> int:
        if self.given or self.is_in_class or self.node.kind in CLASS_KINDS:
            return 0
        facts = self._index.facts(self.node.path)
        return Recorded(facts).torn_from if facts else 0

    @cached_property
    def pages(self) -> frozenset[str]:
        return pages_of(self._index, self.node)

    @property
    def module(self) -> str:
        """How imports name its file, by the last part of that."""
        *_, folder, file = ("", *self.node.path.split("/"))
        stem = file.partition(".")[0]
        return folder if stem in ("__init__", "index", "mod") else stem

    @property
    def class_name(self) -> str:
        *_, around = ("", *self.node.qualified_name.split(".")[:-1])
        return around

    @cached_property
    def identifier(self) -> bytes:
        """By what pages name a method's class, if its file is one of those that they name."""
        is_method = not self.given and self.node.kind in FUNCTION_KINDS
        return find_identifier(self.node.path).encode() if is_method else b""

    @cached_property
    def is_only_member(self) -> bool:
        """Whether no class that has nothing to do with its own has a member of its name."""
        return has_name_alone(self._index, self.node)

    @cached_property
    def is_in_class(self) -> bool:
        """Whether it belongs to a class, by whatever name it is looked for."""
        return is_member(self._index, self.node)

    def is_near(self, path: str) -> bool:
        """Whether a file is its own, or imports something of that."""
        return path == self.node.path or self.importers.reach_file(path)

    @cached_property
    def is_key(self) -> bool:
        """Whether objects of its class are literals, of which it is a key that is written as a string."""
        parent = self.node.parent
        around = nodes_by_row(self._index, [parent]).get(parent) if parent is not None and not self.given else None
        if around is None or around.kind not in CLASS_KINDS or self.node.language not in BY_NAME:
            return False
        return BY_NAME[self.node.language].rules.has_literals(around.signature)

    @cached_property
    def is_setting(self) -> bool:
        """Whether it is a value that is named as frameworks name their settings."""
        return self.node.kind in VALUES and _SETTING.fullmatch(self.node.name) is not None

    @cached_property
    def is_command(self) -> bool:
        """Whether a library makes a command of a function, under its name."""
        return any(_COMMAND.search(each) for each in decorators_of(self._index, self.node))

    @cached_property
    def may_be_told(self) -> bool:
        """Whether a library's function may find it by its name in an object."""
        if self.is_member:
            return has_base_outside(self._index, self.node) or is_made_by_library(self._index, self.node)
        is_in_object = "." in self.node.qualified_name and self.node.kind in FUNCTION_KINDS
        return self.is_of_object or is_in_object

    @cached_property
    def adds_to_types(self) -> bool:
        """Whether it is a member of types that are not the repository's, or whose bases are not, because its class or
        itself adds it to them: where a member is missing."""
        if self._extends:
            return True
        parent = self.node.parent
        around = nodes_by_row(self._index, [parent]).get(parent) if parent is not None else None
        if around is None or around.kind not in CLASS_KINDS or self.node.language not in BY_NAME:
            return False
        return BY_NAME[self.node.language].rules.is_implicit(around.signature)

    @cached_property
    def _extends(self) -> bool:
        """Whether it is written as an extension: of its first parameter, or of a type that the repository has no class
        for. What the language's own types have under that name is theirs."""
        node = self.node
        if node.language not in BY_NAME or is_plain(self.word):
            return False
        rules = BY_NAME[node.language].rules
        if rules.extensions == "called":
            return node.kind in FUNCTION_KINDS and _OF_FIRST.search(node.signature) is not None
        if rules.extensions not in ("imported", "based") or "." not in node.qualified_name:
            return False
        if node.name in rules.builtin_members or is_member(self._index, node):
            return False
        owner = node.qualified_name.split(".")[-2]
        return not any(each.kind in CLASS_KINDS for each in nodes(self._index, "s.name = ?", (owner,)))

    @cached_property
    def adds_to_another(self) -> bool:
        """Whether it only adds members to a type of its name."""
        return self.node.language in BY_NAME and adds_to_another(self._index, self.node)

    def is_own(self, line: int) -> bool:
        """Whether the line is one of its own definition."""
        return self._extent[0] <= line <= self._extent[1]

    def is_own_clause(self, line: int, column: int) -> bool:
        """Whether another clause of it begins there, which has its name again, as in Haskell and Erlang."""
        return column == self._extent[2] and self.is_own(line)

    @cached_property
    def _extent(self) -> tuple[int, int, int]:
        return find_extent(self._index, self.node.row)

    def may_be_in(self, language: str) -> bool:
        """Whether code of a language may name it so."""
        if self.given:
            return self.given == ANYWHERE or (self.given == OWN_CODE and means(self.node, language))
        return means(self.node, language)

    def is_named_unread(self, path: str, language: str) -> bool:
        """Whether code of another language may name it, of which no use is read: both are parts of one program."""
        if self.given == STRINGS or means(self.node, language):
            return False
        return reaches(language, self.node.language) or path.endswith(self._headers_of_unread)

    @cached_property
    def _headers_of_unread(self) -> tuple[str, ...]:
        """Suffixes of headers that are part of such code, if the repository has any."""
        return find_unread_headers(self._index, self.node.language)

    def is_generated_type(self, language: str) -> bool:
        """Whether code of another language may name a type that is generated from it."""
        is_type = self.is_contract and not self.given and self.node.kind in CLASS_KINDS
        return is_type and len(words_of(self.node.name)) > 1 and not means(self.node, language)
