"""What each occurrence of a symbol's name is: one class of CLASSES for every place.

In: a symbol, the uses that were found, all other edges and definitions of the name, and the text around a place. Out: a
class, and whether a place that no edge explains may mean the symbol. A local variable, a keyword, a word of prose and a
member of a library's or another language's type cannot.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.languages import BY_NAME, may_name_code
from rpg.encoder.languages.given_names import ANYWHERE, OWN_CODE, STRINGS, VALUES, Given, words_of
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.imports import Importers
from rpg.queries.account.literals import (
    Holder,
    Literals,
    bracket_before,
    calls_in_expression,
    function_around,
    holder_at,
    is_command,
    is_plain,
    is_query,
    names_in,
    reflects,
    stands_alone,
)
from rpg.queries.account.occurrences import CHECKED_EVERY, FileOccurrences, LinesOf, find_words
from rpg.queries.account.recorded import Recorded
from rpg.queries.graph.families import adds_to_another, ancestors, is_of_object
from rpg.queries.graph.marks import Marks
from rpg.queries.graph.memo import memoize, remember
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.usages.outside import decorators_of, has_base_outside, takes_place_in_library
from rpg.queries.usages.text_mentions import is_name
from rpg.queries.usages.usage_sites import UsageSite, is_member, means, word_of
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

DEFINITION: Final = "definition"
CERTAIN: Final = "certain"
POSSIBLE: Final = "possible"
OTHER: Final = "other_definition"
LIBRARY: Final = "library_or_local"
UNRESOLVED: Final = "unresolved"
LITERAL: Final = "string_or_template"
PROSE: Final = "comment_or_prose"
NOT_READ: Final = "not_read"
CLASSES: Final = (DEFINITION, CERTAIN, POSSIBLE, OTHER, LIBRARY, UNRESOLVED, LITERAL, PROSE, NOT_READ)

FILES_KEPT: Final = 2_000
"""Of how many files it is kept where their literals are, until the index changes."""
MOST_LINES: Final = 5_000
"""How many places are kept with their lines."""
NOT_RECORDED: Final = "not parsed"
"""Why a place is unresolved that looks like a use and is in no facts: code of a macro, or of a torn part of a file."""

OUTLINED: Final = "in code of which only symbols and imports are read"
NAMED_IN_STRING: Final = "named in a string"
CALL_OF_LIBRARY: Final = "called on a library's type, of which this may take the place"
GENERATED: Final = "may be what is generated from it"
OTHER_ACCESSOR: Final = "read through another accessor"
PAGES: Final = "web"
"""The family of style sheets and pages."""
NO_OWNER: Final = "nothing says whose member it is"
MEMBER_OF_TYPE: Final = "a member of a type that its object may be of"
ADDED_TO: Final = "a library's type of that name, to which it may add"
IMPORTED: Final = "imported"
IN_EXAMPLE: Final = "named in an example of a comment, which the language's tests run"
RUN_BY_NAME: Final = "run by that name"
DECLARED: Final = "named as it is declared in another file, for which this may be the code"
OF_RECEIVER: Final = "may be a member of what the function around it is called on"
IN_IMPORT: Final = "in the path of an import"
TOLD: Final = "named to a library's function that is told members by name"
ADDED: Final = "a member of any type, to which its class adds it"
MISSED_IMPORT: Final = "behind an import that is not resolved"
"""Why a place is unresolved that no edge explains, in a file with an import like the path of the symbol's file."""

_MODULE: Final = re.compile(rb"[\"'<]?((?:@?[\w-]+)?(?:(?:[./\\]|::)[\w-]+)*)")
_BETWEEN: Final = re.compile(r"[.\\/]+|::")
_DEFINES: Final = re.compile(
    rb"\b(?:def|func|fun|fn|function|sub|class|interface|struct|enum|trait|type|new|macro)\s+\*?$"
)
_DECLARED: Final = re.compile(
    rb"(?<![\w.])(?!return|else|case|throw|new|await|yield|do|delete|goto|not|and|or|in|is|as|co_return|assert)"
    rb"[A-Za-z_][\w:<>,.]*[>\]]?(?:\s*[*&]+\s*|\s+)$"
)
"""A type in front of a name."""
_SPECIFIES: Final = re.compile(rb"(?:^|\n)[ \t]*[@-](?:spec|callback|macrocallback)[ \t]+\Z")
"""What says the types of a function, before its name, as in Elixir and Erlang."""
_NO_SCOPE: Final = re.compile(rb"(?:^|[^:\w]):\Z")
_TYPE: Final = re.compile(rb"[A-Z]\w*[a-z]\w*")
_SETTING: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_ENVIRONMENT: Final = re.compile(rb"\b(?:environ|env|ENV|getenv)\b[^\n]{0,20}\Z")
_CAPITALISED: Final = re.compile(rb"[A-Z][a-z]+")
_REPLACED: Final = re.compile(r"__[A-Z][A-Z0-9_]*__")
"""Names that a build replaces by values, which its configuration names as keys."""
_BEFORE_ATTRIBUTE: Final = (b" ", b"\n", b"\t", b":", b"@", b".")
_RENAMED: Final = re.compile(rb"(?:\bas|=>)\s+\Z")
_OWN_MODULE: Final = re.compile(rb"\b(?:super|self|crate)::[\w:{}\s,*]*\Z")
_QUOTED_BEFORE: Final = re.compile(rb"[\"'`]")
_OWNER: Final = re.compile(rb"([\w)\]]+)\.\s*\Z")
_INTO: Final = re.compile(rb"\s*(?:\.|::)\s*[\w{*]")
_MEMBER: Final = re.compile(rb"(?:->|::|(?<![\d.])\.)[ \t]*$")
_ASSIGNED: Final = re.compile(rb"[ \t]*=(?![=>])")
_NAMES_MODULE: Final = re.compile(rb"\s*(?:package|namespace|import|from|using|use|module|mod|defmodule|extern)\b")
_KEYWORD: Final = re.compile(rb"\s*=(?![=>~])")
_TOLD: Final = re.compile(rb"-?[\w./]+(?::[\w,]+)?")
_OF_SETTINGS: Final = re.compile(rb"(?i:settings|config|conf)\w*(?:\.|,\s*[\"'])\Z")
_BOUND_ATTRIBUTE: Final = (re.compile(rb"\s[(\[]{1,2}\Z"), re.compile(rb"[)\]]{1,2}="))
_OPTIONAL: Final = re.compile(r"\w\?\s*[:(]")
_KEYED: Final = re.compile(rb"[\w\"'\]]\s*:\s*\Z")
"""What stands in front of the value of a key, which is data."""
_KEY_BEHIND: Final = re.compile(rb"\s*(?::(?!:)|=>)")
_COMPARED: Final = re.compile(rb"(?:[=!]=|\bin|\bis|\bcase|\bwhen)\s*\(?\s*$")
_COMPARES: Final = re.compile(rb"\s*(?:[=!]=|\bin\b|\bnot\b)")
_SUBSCRIPT: Final = re.compile(rb"[\w)\]]\s*\[\s*$")
_CODE_ATTRIBUTE: Final = re.compile(rb"\s(?:[(\[*@:]|v-|x-|ng-|on)[\w.()\[\]:-]*\s*=\s*\Z")
"""An attribute of a page whose value is code: an event, or what a framework of scripts binds."""
_COMMAND: Final = re.compile(r"\.(?:command|group)\b(?!\(\s*[\"'])")
"""A decorator that makes a command of a function, and that gives it no other name."""
_OF_FIELDS: Final = re.compile(rb"\s*%\s*(?:vars\(|[\w.]+\.__dict__)")
_HOST_EVENT: Final = re.compile(rb"[\"'][(\[][\w.:-]+[)\]][\"']\s*:\s*\Z")
"""The key of an event or property of a component's host, whose value is code: `"(window:resize)": "fit($event)"`."""
_STYLING: Final = re.compile(rb"(?i)class|style|query|select|getElement|closest|matches|\$\(|css|\bcx\(|\bcn\(|theme")
"""Code that names what style sheets define: as a word of plain language, a string means that only there."""
_RUNS: Final = re.compile(
    rb"(?:\b(?:g?make|run|run-script|run-many|npx|yarn|pnpm|bun|just|task|turbo|nx|tox|nox|rake)|[)}])"
    rb"(?:[ \t]+[^\s;|&\"']+)*[ \t]+\Z"
)
"""What runs a target or a script that is named behind it."""
_LOOKED_UP: Final = re.compile(rb"\.(?:get|pop|setdefault|has|delete|set|getItem|setItem|getlist|add_argument)\(\s*$")


class Left(NamedTuple):
    """A place that means the symbol, or may mean it, although no edge says so."""

    kind: str
    """UNRESOLVED or LITERAL; CERTAIN for an import."""
    path: str
    line: int
    column: int
    test: bool
    reason: str


@dataclass
class Placed:
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLASSES, 0))
    left: list[Left] = field(default_factory=list)
    others: set[int] = field(default_factory=set)
    """The rows of the other definitions that occurrences mean or are."""
    imports: list[Left] = field(default_factory=list)
    """Those of the certain places that import it."""
    lines: dict[str, dict[str, list[int]]] | None = None
    """By class and file, the lines of all places, if they are wanted."""
    met: set[tuple[str, int, int]] = field(default_factory=set)
    """The certain and possible places that have the name."""


class Placing:
    """Says of each occurrence of the name of one symbol what it is."""

    def __init__(self, index: Index, node: Node, uses: Iterable[UsageSite], given: Given | None = None) -> None:
        """`given`: another name of the symbol, whose occurrences are placed."""
        self._index = index
        self._node = node
        self._given = given.where if given is not None else ""
        written = word_of(node)
        self._word = (written if given is None else given.name).encode()
        rules = BY_NAME[node.language].rules if node.language in BY_NAME else None
        self._is_contract = rules is not None and rules.is_contract
        self._importers = Importers(index, node)
        self._known: dict[tuple[str, int, int], str] = {}
        self._documented: set[tuple[str, int]] = set()
        self._others: dict[tuple[str, int, int], int] = {}
        self._defined: set[tuple[str, int, int]] = set()
        """Where other definitions are."""
        writer = f"{written}{rules.writers_end}" if rules is not None else written
        for name in dict.fromkeys((node.name, self._word.decode(), writer)):
            self._add_others(name)
        for use in uses:
            place = (use.path, use.line, use.column)
            known = self._known.get(place)
            if known is None or _RANK[use.section] < _RANK[known]:
                self._known[place] = use.section
            if use.kind == "documents":
                self._documented.add((use.path, use.line))
        self._is_of_object = given is None and is_of_object(index, node)
        self._declaring = self._rows_of_types() if self._is_of_object else self._rows_of_conforming()
        """The rows of the members of its name that types declare, of which its object may be."""
        self._declared = self._rows_of_declarations() if given is None else frozenset()
        """The rows of what declares it for others, in a file without code."""
        self._beside = self._rows_beside() if given is not None else frozenset()
        """The rows of what is defined by the same words: other accessors of the same value."""
        self._is_replaced = _REPLACED.fullmatch(self._word.decode()) is not None
        language = BY_NAME.get(node.language)
        self._is_of_page = language is not None and language.family == PAGES and given is None
        """Whether it is a name of style sheets and pages, by which code knows it in strings alone."""
        self._is_target = language is not None and language.configures and given is None
        self._adds_to_another = node.language in BY_NAME and adds_to_another(index, node)
        self._is_in_library = given is None and takes_place_in_library(index, node)
        self._around = self._names_around()

    def place(self, found: FileOccurrences, placed: Placed) -> None:
        """Adds the occurrences of one file."""
        lines = LinesOf(found.text)
        surroundings: Surroundings | None = None
        for number, offset in enumerate(found.offsets, 1):
            if number % CHECKED_EVERY == 0:
                deadline.check()
            line, column = lines.place(offset)
            place = (found.file.path, line, column)
            kind = self._known.get(place, "")
            if kind:
                placed.met.add(place)
            elif self._others.get(place) in self._declaring and place not in self._defined:
                kind = UNRESOLVED
                placed.left.append(Left(kind, *place, found.file.test, MEMBER_OF_TYPE))
            elif self._others.get(place) in self._declared and place not in self._defined:
                kind = UNRESOLVED
                placed.left.append(Left(kind, *place, found.file.test, DECLARED))
            elif self._others.get(place) in self._beside and place not in self._defined:
                kind = UNRESOLVED
                placed.left.append(Left(kind, *place, found.file.test, OTHER_ACCESSOR))
            elif place in self._others:
                kind = OTHER
                placed.others.add(self._others[place])
            elif (found.file.path, line) in self._documented:
                kind = CERTAIN
            else:
                if surroundings is None:
                    surroundings = Surroundings(self._index, found, lines)
                kind, reason = self._judge(surroundings, offset, placed)
                if kind == LIBRARY and self._is_replaced and means(self._node, found.file.language):
                    kind, reason = UNRESOLVED, "a build may replace the name"
                if reason:
                    placed.left.append(Left(kind, *place, found.file.test, reason))
            placed.counts[kind] += 1
            if placed.lines is not None and sum(placed.counts.values()) <= MOST_LINES:
                placed.lines.setdefault(kind, {}).setdefault(found.file.path, []).append(line)

    def _add_others(self, name: str) -> None:
        """Where other definitions of a name are, and are used; where it is unresolved and cannot be the symbol."""
        index = self._index
        is_settled = not (self._given or self._is_contract)
        for path, line, column in (
            index.rows(
                "SELECT s.path, p.line, p.column FROM places p JOIN symbols s ON s.id = p.source "
                "WHERE p.name = ? AND p.reason != 'external'",
                (name,),
            )
            if is_settled
            else ()
        ):
            self._known[path, line, column] = LIBRARY
        own = self._node
        for row, path, line, column in index.rows(
            "SELECT id, path, name_line, name_column FROM symbols WHERE name = ? COLLATE NOCASE AND name = ?",
            (name, name),
        ):
            if row == own.row:
                self._known[path, line, column] = DEFINITION
            else:
                self._others[path, line, column] = row
                self._defined.add((path, line, column))
        for row, path, sites in index.rows(
            "SELECT t.id, s.path, e.sites FROM symbols t JOIN edges e ON e.target = t.id "
            "JOIN symbols s ON s.id = e.source WHERE t.name = ? COLLATE NOCASE AND t.name = ? AND t.id != ? "
            "AND e.sites != '' AND e.kind NOT IN ('tests', 'contains', 'overrides')",
            (name, name, own.row),
        ):
            for site in sites.split():
                line, _, column = site.partition(":")
                self._others[path, int(line), int(column)] = row

    def _rows_of_types(self) -> frozenset[int]:
        rows = self._index.rows(
            "SELECT s.id, s.language FROM symbols s JOIN symbols p ON p.id = s.parent "
            "WHERE s.name = ? COLLATE NOCASE AND s.name = ? AND p.kind IN ('interface', 'type')",
            (self._node.name, self._node.name),
        )
        return frozenset(row for row, language in rows if means(self._node, language))

    def _rows_of_conforming(self) -> frozenset[int]:
        """The rows of the members of its name in types whose members all are in its class."""
        node, index = self._node, self._index
        pattern = BY_NAME[node.language].rules.conforming if node.language in BY_NAME else None
        around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
        if pattern is None or self._given or around is None or around.kind != "class":
            return frozenset()
        own: set[str] = set()
        found: set[int] = set()
        for row, parent, header, language in index.rows(
            "SELECT s.id, p.id, p.signature, p.language FROM symbols s JOIN symbols p ON p.id = s.parent "
            "WHERE s.name = ? COLLATE NOCASE AND s.name = ? AND p.kind IN ('class', 'interface', 'type') AND p.id != ?",
            (node.name, node.name, around.row),
        ):
            if not means(node, language) or pattern.search(header) is None:
                continue
            own = own or self._names_of_members([around.row, *(each.row for each in ancestors(index, around))])
            needed = self._names_of_members([parent])
            if needed <= own and (node.kind == "method" or len(needed) > 1):
                found.add(row)
        return frozenset(found)

    def _names_of_members(self, rows: Iterable[int]) -> set[str]:
        """Without those that an object need not have."""
        return {
            name
            for row in rows
            for name, signature in self._index.rows("SELECT name, signature FROM symbols WHERE parent = ?", (row,))
            if _OPTIONAL.match(signature, len(signature.partition(name)[0]) + len(name) - 1) is None
        }

    def _rows_of_declarations(self) -> frozenset[int]:
        if is_declaration(self._node.path, self._node.language):
            return frozenset()
        around = self._node.qualified_name.split(".")[-2:]
        return frozenset(
            row
            for row, path, name, language in self._index.rows(
                "SELECT id, path, qualified_name, language FROM symbols WHERE name = ? COLLATE NOCASE AND name = ?",
                (self._node.name, self._node.name),
            )
            if means(self._node, language) and is_declaration(path, language) and name.split(".")[-2:] == around
        )

    def _rows_beside(self) -> frozenset[int]:
        rows = self._index.rows(
            "SELECT id FROM symbols WHERE path = ? AND name_line = ? AND id != ? AND kind = ?",
            (self._node.path, self._node.name_line, self._node.row, self._node.kind),
        )
        return frozenset(row for (row,) in rows)

    def _names_around(self) -> frozenset[bytes]:
        """The names of what contains the symbol: classes, files, folders."""
        names = {part.encode() for part in self._node.qualified_name.split(".")[:-1]}
        for part in self._node.path.split("/"):
            names.add(part.partition(".")[0].encode())
        return frozenset(names)

    def _judge(self, around: Surroundings, offset: int, placed: Placed) -> tuple[str, str]:
        """The class of a place that no edge explains; and why it may mean the symbol, empty if it cannot."""
        file, text, word = around.file, around.text, self._word
        language = BY_NAME.get(file.language)
        if self._is_of_page:
            return self._judge_style(around, offset)
        if self._is_target and self._is_run(around, offset):
            return UNRESOLVED, RUN_BY_NAME
        if b"-" in word:
            return self._judge_tag(around, offset)
        if language is None or language.is_text or language.configures:
            return self._judge_text(around, offset)
        recorded = around.recorded
        if recorded is None:
            return self._judge_text(around, offset)
        if recorded.is_in_comment(offset):
            return (LITERAL, IN_EXAMPLE) if self._is_in_example(around, offset) else (PROSE, "")
        if language.rules.has_symbols and self._is_symbol(around, offset):
            return LITERAL, NAMED_IN_STRING
        if self._is_bound_attribute(around, offset):
            return LITERAL, NAMED_IN_STRING
        if _KEYWORD.match(text, offset + len(word)) and self._is_told(around, offset):
            return UNRESOLVED, TOLD
        is_mixed = language.has_regions or language.is_markup or language.is_template
        # Without a quote before it on its line, what the facts have there is no string.
        start = text.rfind(b"\n", 0, offset) + 1
        is_recorded = recorded.is_reference(offset)
        literal = None
        if not is_recorded or _QUOTED_BEFORE.search(text, start, offset):
            literal = around.literals.around(offset)
        is_dotted = literal is not None and _is_dotted(text, literal)
        module, called = recorded.import_of(offset)
        if module < 0 and not is_dotted:
            before = recorded.imports_before(offset)
            if before >= 0 and offset <= around.end_of_path(before) and (not is_recorded or before >= start):
                module = before
        if is_recorded and literal is None and module < 0 and language.rules.exports is not None:
            kind = self._kind_of_export(around, (offset, offset + len(word)))
            if kind:
                return kind, ""
        if is_recorded and not is_dotted and module < 0:
            # What code in a page means may be known to whoever renders it alone.
            if language.is_template:
                return self._judge_text(around, offset)
            if self._given or self._is_contract:
                return self._judge_member(around, offset)
            if (self._is_in_library or self._is_of_object) and self._is_called_on_value(around, offset):
                return UNRESOLVED, CALL_OF_LIBRARY if self._is_in_library else NO_OWNER
            if self._is_of_settings(around, offset):
                return UNRESOLVED, NO_OWNER
            if self._adds_to_types and _MEMBER.search(text, max(0, offset - 80), offset):
                return UNRESOLVED, ADDED
            if self._may_be_of_receiver(around, offset):
                return UNRESOLVED, OF_RECEIVER
            if self._adds_to_another and means(self._node, file.language):
                return UNRESOLVED, ADDED_TO
            return (UNRESOLVED, MISSED_IMPORT) if self._may_be_missed(around) else (LIBRARY, "")
        if module >= 0:
            if _RENAMED.search(text, max(0, offset - 20), offset):
                return LIBRARY, ""  # what the file calls it: a local name
            line, column = around.lines.place(module)
            brings = self._importers.brings(file.path, f"{line}:{column}", called or self._node.name)
            if brings and not self._is_type_named(text[text.rfind(b"\n", 0, module) + 1 : offset]):
                brings = False
            if brings:
                where = (file.path, *around.lines.place(offset))
                placed.imports.append(Left(CERTAIN, *where, file.test, IMPORTED))
            if (
                brings is None
                and file.path == self._node.path
                and _OWN_MODULE.search(text, max(0, module - 200), offset)
            ):
                brings = True  # such as a nested module's import of what is around it
                placed.imports.append(Left(CERTAIN, file.path, *around.lines.place(offset), file.test, IMPORTED))
            if brings is None and self._is_in_own_type(file.language, text[max(module, offset - 200) : offset]):
                if file.path != self._node.path:
                    return UNRESOLVED, MISSED_IMPORT
                brings = True
                placed.imports.append(Left(CERTAIN, file.path, *around.lines.place(offset), file.test, IMPORTED))
            if brings is None and self._is_generated_type(file.language):
                return UNRESOLVED, GENERATED
            if brings is None and self._is_path_of_import(around, offset):
                return UNRESOLVED, IN_IMPORT
            if brings is None:
                return (UNRESOLVED, MISSED_IMPORT) if self._may_be_missed(around) else (LIBRARY, "")
            return CERTAIN if brings else OTHER, ""
        if recorded.is_definition(offset):
            return (DEFINITION if file.path == self._node.path else OTHER), ""
        if literal is not None:
            if literal[0] not in around.judged:
                known = self._kind_of_literal(around, literal, placed) or self._kind_of_export(around, literal)
                is_page = language.has_regions or language.is_template
                around.judged[literal[0]] = (
                    (known, "") if known else self._judge_literal(around, literal, offset, is_page)
                )
            return around.judged[literal[0]]
        if is_mixed:
            return self._judge_text(around, offset)
        if language.is_outlined and means(self._node, file.language):
            is_own = file.path == self._node.path and (
                self._is_own_clause(*around.lines.place(offset))
                or _SPECIFIES.search(text, max(0, offset - 80), offset) is not None
            )
            return (DEFINITION, "") if is_own else (UNRESOLVED, OUTLINED)
        if self._given and word.endswith(b"?") and self._may_be_in(file.language):
            return UNRESOLVED, NO_OWNER
        before_it = text[max(0, offset - 80) : offset]
        if before_it.endswith(b"$") or language.rules.speaks_to_library(file.path):
            return LIBRARY, ""  # the end of a longer name; a call that no lowering reads
        behind = text[offset + len(word) : offset + len(word) + 20]
        if language.rules.types_precede_names and behind[:1] == b"(" and _DECLARED.search(before_it):
            return (OTHER if self._others else DEFINITION), ""
        if _SPECIFIES.search(before_it) and self._may_be_in(file.language):
            return (DEFINITION if file.path == self._node.path else OTHER), ""
        if _DEFINES.search(before_it) and file.path == self._node.path and self._is_own(around.lines.place(offset)[0]):
            return DEFINITION, ""  # another clause
        looks_used = (_MEMBER.search(before_it) and not _ASSIGNED.match(behind)) or (
            (behind[:1] == b"(" or behind[:2] == b"::") and not _DEFINES.search(before_it)
        )
        if looks_used and self._may_be_in(file.language) and not around.marks.is_in_comment(offset):
            start = text.rfind(b"\n", 0, offset) + 1
            return (LIBRARY, "") if _NAMES_MODULE.match(text, start) else (UNRESOLVED, NOT_RECORDED)
        if language.rules.strings_are_commands and not is_plain(word) and self._node.kind in FUNCTION_KINDS:
            return (PROSE, "") if around.marks.is_in_comment(offset) else (UNRESOLVED, NOT_RECORDED)
        return (PROSE if around.marks.is_in_comment(offset) else LIBRARY), ""

    def _is_in_example(self, around: Surroundings, offset: int) -> bool:
        """Whether it is used by code in a comment that is run."""
        if self._given or not means(self._node, around.file.language) or not around.is_in_example(offset):
            return False
        text, end = around.text, offset + len(self._word)
        is_used = text[end : end + 1] in (b"(", b"!", b"{") or text[end : end + 2] == b"::"
        is_member = _MEMBER.search(text, max(0, offset - 20), offset) is not None
        return is_used or is_member or not is_plain(self._word)

    def _is_own(self, line: int) -> bool:
        """Whether the line is one of the symbol's own definition."""
        ((first, last),) = self._index.rows("SELECT start_line, end_line FROM symbols WHERE id = ?", (self._node.row,))
        return bool(first <= line <= last)

    def _is_own_clause(self, line: int, column: int) -> bool:
        """Whether another clause of the symbol begins there, which has its name again, as in Haskell and Erlang."""
        ((at,),) = self._index.rows("SELECT name_column FROM symbols WHERE id = ?", (self._node.row,))
        return bool(column == at) and self._is_own(line)

    def _is_path_of_import(self, around: Surroundings, offset: int) -> bool:
        """Whether an import names something in it, or all that is in it: `import Prices._`, `use inner::total`."""
        if self._given or self._node.kind not in CLASS_KINDS or not means(self._node, around.file.language):
            return False
        end = offset + len(self._word)
        return _INTO.match(around.text, end) is not None

    def _is_in_own_type(self, language: str, path: bytes) -> bool:
        """Whether the end of an import's path, up to the name, is the types around the symbol."""
        around = self._node.qualified_name.encode().split(b".")[:-1]
        parts = [each for each in re.split(rb"[\W]+", path) if each and each != b"Companion"]
        return bool(around) and parts[-len(around) :] == around and means(self._node, language)

    def _is_type_named(self, path: bytes) -> bool:
        """Whether the type around the symbol, if there is one, stands in front of its name in an import."""
        *_, around = ("", *self._node.qualified_name.split(".")[:-1])
        return not around or around.encode() in re.split(rb"\W+", path)

    def _is_symbol(self, around: Surroundings, offset: int) -> bool:
        """Whether it is a symbol, or for a field the key of a value, by which a framework may reach it."""
        if is_plain(self._word) or not means(self._node, around.file.language):
            return False
        text, end = around.text, offset + len(self._word)
        if text[offset - 1 : offset] == b":":
            return _NO_SCOPE.search(text, max(0, offset - 2), offset) is not None
        is_key = text[end : end + 1] == b":" and text[end + 1 : end + 2] != b":"
        return is_key and self._node.kind in VALUES and not self._given

    def _may_be_in(self, language: str) -> bool:
        """Whether code of a language may name the symbol so."""
        if self._given:
            return self._given == ANYWHERE or (self._given == OWN_CODE and means(self._node, language))
        return means(self._node, language)

    def _is_generated_type(self, language: str) -> bool:
        """Whether code of another language may name a type that is generated from it."""
        is_type = self._is_contract and not self._given and self._node.kind in CLASS_KINDS
        return is_type and len(words_of(self._node.name)) > 1 and not means(self._node, language)

    def _judge_member(self, around: Surroundings, offset: int) -> tuple[str, str]:
        """A member in code that no edge explains, of a name that data or generated code has."""
        if self._is_generated_type(around.file.language):
            return UNRESOLVED, GENERATED
        is_foreign = self._is_contract and not self._given and not is_plain(self._word)
        if not (is_foreign or self._may_be_in(around.file.language)):
            return LIBRARY, ""
        # A name with such a sign is no variable's.
        if not self._word.endswith(b"?") and not _MEMBER.search(around.text, max(0, offset - 80), offset):
            return LIBRARY, ""
        return UNRESOLVED, NO_OWNER

    def _is_called_on_value(self, around: Surroundings, offset: int) -> bool:
        """Whether it is called, or read if it is a property, as a member of something else than an imported module."""
        behind = around.text[offset + len(self._word) : offset + len(self._word) + 3]
        if not means(self._node, around.file.language):
            return False
        if self._node.kind != "property" and not behind.startswith((b"(", b"?.(")):
            return False
        if f"{self._node.name}()" in self._node.signature and behind[:2] != b"()" and self._is_in_library:
            return False
        owner = _OWNER.search(around.text, max(0, offset - 80), offset)
        if owner is None or owner[1] in around.modules:
            return False
        # A type is the owner of what it has itself.
        return BY_NAME[around.file.language].rules.methods_make_implementers or _TYPE.fullmatch(owner[1]) is None

    def _may_be_of_receiver(self, around: Surroundings, offset: int) -> bool:
        """Whether a bare name that nothing in its file binds may be a member of an object that a function brings."""
        rules = BY_NAME[around.file.language].rules
        if not (rules.lambdas_have_receivers and self._is_member and means(self._node, around.file.language)):
            return False
        if self._node.name in rules.builtins or around.recorded is None:
            return False
        is_bare = _MEMBER.search(around.text, max(0, offset - 20), offset) is None
        return is_bare and around.recorded.is_unbound(offset) and around.recorded.is_in_lambda(offset)

    def _is_told(self, around: Surroundings, offset: int) -> bool:
        """Whether a library's function is told it that finds members by name."""
        pattern = BY_NAME[around.file.language].rules.takes_names
        if pattern is None or not self._may_be_told or not means(self._node, around.file.language):
            return False
        return pattern.search(function_around(around.text, offset)) is not None

    @cached_property
    def _may_be_told(self) -> bool:
        if self._is_member:
            return has_base_outside(self._index, self._node)
        is_in_object = "." in self._node.qualified_name and self._node.kind in FUNCTION_KINDS
        return self._is_of_object or is_in_object

    @cached_property
    def _adds_to_types(self) -> bool:
        """Whether its class adds it to types that are not the repository's."""
        pattern = BY_NAME[self._node.language].rules.adds_to_types if self._node.language in BY_NAME else None
        parent = self._node.parent
        around = nodes_by_row(self._index, [parent]).get(parent) if parent is not None and pattern is not None else None
        return around is not None and pattern is not None and pattern.search(around.signature) is not None

    def _is_of_settings(self, around: Surroundings, offset: int) -> bool:
        """Whether a constant of a module is read of an object that a framework makes of settings."""
        if self._node.kind != "constant" or self._is_member or _SETTING.fullmatch(self._node.name) is None:
            return False
        is_read = _OF_SETTINGS.search(around.text, max(0, offset - 80), offset) is not None
        return is_read and means(self._node, around.file.language)

    def _is_bound_attribute(self, around: Surroundings, offset: int) -> bool:
        """Whether a page in a literal binds a component's member: `[size]="x"`, `(picked)="y"`."""
        before, behind = _BOUND_ATTRIBUTE
        text, end = around.text, offset + len(self._word)
        if behind.match(text, end) is None or before.search(text, max(0, offset - 3), offset) is None:
            return False
        return self._is_member and means(self._node, around.file.language)

    @cached_property
    def _is_command(self) -> bool:
        """Whether a library makes a command of a function, under its name."""
        return any(_COMMAND.search(each) for each in decorators_of(self._index, self._node))

    @cached_property
    def _is_member(self) -> bool:
        return not self._given and is_member(self._index, self._node)

    def _may_be_missed(self, around: Surroundings) -> bool:
        """Whether the file has an import that leads nowhere and may be one of the symbol's file."""
        if around.may_miss_import is None:
            recorded, text = around.recorded, around.text
            around.may_miss_import = False
            for byte in recorded.imports if recorded is not None and means(self._node, around.file.language) else ():
                module = _MODULE.match(text, byte)
                if module is None:
                    continue
                line, column = around.lines.place(byte)
                written = _BETWEEN.sub("/", module[1].decode("utf-8", "replace")).strip("/")
                if self._importers.may_be_missed(around.file.path, f"{line}:{column}", written):
                    around.may_miss_import = True
                    break
        return around.may_miss_import

    def _kind_of_literal(self, around: Surroundings, literal: tuple[int, int], placed: Placed) -> str:
        """The class of a literal that is a use as a whole, quotes or not; empty if it is none."""
        for offset in (literal[0], literal[0] + 1):
            place = (around.file.path, *around.lines.place(offset))
            known = self._known.get(place, LIBRARY)
            if known != LIBRARY:  # a name in quotes that led nowhere is judged as the literal that it is
                placed.met.add(place)
                return known
            if place in self._others:
                placed.others.add(self._others[place])
                return OTHER
        return ""

    def _kind_of_export(self, around: Surroundings, literal: tuple[int, int]) -> str:
        """The class of a name in the list of those that a module offers; empty for another literal. A name without
        quotes is what the file binds."""
        pattern, text = BY_NAME[around.file.language].rules.exports, around.text
        is_quoted = _QUOTED_BEFORE.match(text, literal[0]) is not None
        if pattern is None or (is_quoted and not stands_alone(text[literal[0] + 1 : literal[1] - 1])):
            return ""
        begin = literal[0]
        if is_quoted or pattern.search(text, max(0, begin - 40), begin) is None:
            holder = around.holder_of(literal)
            if holder is None or pattern.search(holder.before) is None:
                return ""
        if self._node.qualified_name != self._node.name:
            return LIBRARY
        path = around.file.path
        if not is_quoted:
            is_own = self._importers.binds(path, self._node.name)
        else:
            is_own = path == self._node.path or self._importers.reach(path)
        if is_own:
            return CERTAIN
        return OTHER if self._others else LIBRARY

    def _judge_literal(
        self, around: Surroundings, literal: tuple[int, int], offset: int, is_page: bool
    ) -> tuple[str, str]:
        """A page may name code of any language: whoever renders it, or a script that binds to its attributes."""
        begin, end = literal
        text, word = around.text, self._word
        if is_page and _CODE_ATTRIBUTE.search(text, max(0, begin - 80), begin):
            is_used = text[offset + len(word) :][:1] == b"(" or text[offset - 1 : offset] == b"."
            return LITERAL, NAMED_IN_STRING if is_used or not is_plain(word) else ""
        quotes = 3 if text[begin : begin + 3] in (b'"""', b"'''") else 1
        inside = text[begin + quotes : end - quotes]
        parts = names_in(inside, word)
        if not (is_page or self._is_contract or self._given == ANYWHERE or means(self._node, around.file.language)):
            return (PROSE if parts is None else LITERAL), ""
        rules = BY_NAME[around.file.language].rules
        if rules.strings_are_commands and not is_plain(word) and is_command(inside, word):
            return LITERAL, NAMED_IN_STRING
        is_key = text[end : end + 1] == b":"
        if not is_key and _TOLD.fullmatch(inside) and self._is_told(around, begin):
            return LITERAL, TOLD
        if parts is None:
            is_code = quotes == 1 and _KEYED.search(text, max(0, begin - 80), begin) is None
            is_named = is_code and self._node.kind in FUNCTION_KINDS and calls_in_expression(inside, word)
            is_named = is_named or self._is_in_query(inside) or self._is_formatted(text, end, inside)
            is_named = is_named or _HOST_EVENT.search(text, max(0, begin - 80), begin) is not None
            return (LITERAL, NAMED_IN_STRING) if is_named else (PROSE, "")
        if is_page and len(parts) == 1 and not stands_alone(inside):
            first = begin + quotes
            places = (first + at for at in find_words(inside, word))
            is_named = any(is_name(around.marks, at, at + len(word), is_plain(word)) for at in places)
            return LITERAL, NAMED_IN_STRING if is_named else ""
        is_data = len(parts) == 1 and _is_data(text, begin, end) and not self._is_setting(around, literal)
        if is_data or not self._may_be_named(around, literal, parts):
            return LITERAL, ""
        return LITERAL, NAMED_IN_STRING

    def _is_setting(self, around: Surroundings, literal: tuple[int, int]) -> bool:
        """Whether a constant is read by its name from what a framework made of it, as `app.config["ADMINS"]` is."""
        if self._node.kind not in VALUES or _SETTING.fullmatch(self._node.name) is None:
            return False
        before = around.text[max(0, literal[0] - 80) : literal[0]]
        is_read = _SUBSCRIPT.search(before) is not None or _LOOKED_UP.search(before) is not None
        return is_read and _ENVIRONMENT.search(before) is None

    def _is_in_query(self, literal: bytes) -> bool:
        """Whether a literal is a query that may name it: a table or column, a class or a field of one."""
        if not (self._is_contract or self._given or self._node.kind in CLASS_KINDS | VALUES) or not is_query(literal):
            return False
        before = rb"\." if is_plain(self._word) and not self._is_contract else rb"(?<!\w)"
        return re.search(before + re.escape(self._word) + rb"(?!\w)", literal) is not None

    def _is_formatted(self, text: bytes, end: int, literal: bytes) -> bool:
        """Whether a literal takes it from an object's fields: `"%(name)s" % self.__dict__`."""
        is_named = self._node.kind in VALUES and b"%(" + self._word + b")" in literal
        return is_named and _OF_FIELDS.match(text, end, end + 80) is not None

    def _may_be_named(self, around: Surroundings, literal: tuple[int, int], parts: list[bytes]) -> bool:
        at = len(parts) - 1 - parts[::-1].index(self._word)
        if at:
            return parts[at - 1] in self._around
        if len(parts) > 1:
            return self._node.kind in CLASS_KINDS or self._node.is_file
        if not is_plain(self._word) or self._is_contract or self._is_reached(around, literal):
            return True
        holder = around.holder_of(literal) if self._is_command else None
        return holder is not None and holder.is_list

    def _is_reached(self, around: Surroundings, literal: tuple[int, int]) -> bool:
        """Whether a word of plain language is the name of a member: code reaches members by the names in such a list,
        or by this one."""
        holder = around.holder_of(literal)
        if holder is None or self._node.kind in CLASS_KINDS:
            return False
        is_near = around.file.path == self._node.path or around.reflects
        return holder.reflects or (holder.is_list and (is_near or holder.in_class))

    def _judge_text(self, around: Surroundings, offset: int) -> tuple[str, str]:
        """In a file whose syntax is not known, or not code."""
        file, end = around.file, offset + len(self._word)
        if not may_name_code(file.path, file.language, file.size):
            return PROSE, ""
        if self._given == STRINGS and BY_NAME[file.language].is_template:
            return PROSE, ""
        is_ordinary = is_plain(self._word)
        if not is_ordinary and BY_NAME[file.language].is_template:
            # In a page, the first word of a sentence is no name, unless it is one of a tag.
            is_ordinary = _CAPITALISED.fullmatch(self._word) is not None and around.text[offset - 1 : offset] != b"<"
        if not is_name(around.marks, offset, end, is_ordinary) or around.marks.is_in_comment(offset):
            return PROSE, ""
        return LITERAL, "named in a file read as text"

    def _judge_style(self, around: Surroundings, offset: int) -> tuple[str, str]:
        """A name of a style sheet or a page, outside these: code has it in strings, templates in what they make."""
        language, text = BY_NAME.get(around.file.language), around.text
        if language is None or language.is_prose or language.configures or language.family == PAGES:
            return PROSE, ""
        if around.recorded is not None and around.recorded.is_in_comment(offset):
            return PROSE, ""
        literal = around.literals.around(offset)
        is_page = language.is_template or language.has_regions
        if literal is None:
            is_made = is_page and text[offset - 1 : offset] in (b".", b"#")
            return (LITERAL, "in a page") if is_made else (LIBRARY, "")
        start = max(text.rfind(b"\n", 0, literal[0]) + 1, literal[0] - 80)
        if is_plain(self._word) and not _STYLING.search(text, start, literal[0]):
            return PROSE, ""
        return LITERAL, "in a page" if is_page else NAMED_IN_STRING

    def _is_run(self, around: Surroundings, offset: int) -> bool:
        """Whether it stands where a command runs a target or a script by its name."""
        language, text = BY_NAME.get(around.file.language), around.text
        if language is not None and language.is_prose:
            return False
        start = text.rfind(b"\n", 0, offset) + 1
        return _RUNS.search(text, max(start, offset - 120), offset) is not None

    def _judge_tag(self, around: Surroundings, offset: int) -> tuple[str, str]:
        """A name of tags and attributes, which only pages have."""
        language, text, end = BY_NAME.get(around.file.language), around.text, offset + len(self._word)
        if language is None or not (language.has_regions or language.is_template):
            return PROSE, ""
        is_tag = text[offset - 1 : offset] == b"<"
        is_attribute = text[offset - 1 : offset] in _BEFORE_ATTRIBUTE and text[end : end + 1] == b"="
        return (LITERAL, "in a page") if is_tag or is_attribute else (PROSE, "")


class Surroundings:
    """The file around occurrences, each part of which is read when it is needed."""

    def __init__(self, index: Index, found: FileOccurrences, lines: LinesOf) -> None:
        self.file = found.file
        self.text = found.text
        self.lines = lines
        self.marks = Marks(found.text)
        self.may_miss_import: bool | None = None
        self.judged: dict[int, tuple[str, str]] = {}
        """Literals that were judged, by where they begin: all places in one have the same class."""
        self._path = (0, 0)
        self._holder: tuple[int, Holder | None] = (0, None)
        """That of the last literal, and where that one ends."""
        self._index = index

    @cached_property
    def recorded(self) -> Recorded | None:
        facts = self._index.facts(self.file.path)
        return Recorded(facts) if facts else None

    def end_of_path(self, start: int) -> int:
        """Where what looks like the path of an import, or a list of names behind it, ends that begins there."""
        if not self._path[0] <= start < self._path[1]:
            found = _IMPORTED_PATH.match(self.text, start)
            self._path = (start, found.end() if found is not None else start)
        return self._path[1]

    def holder_of(self, literal: tuple[int, int]) -> Holder | None:
        """What a literal stands in; of several in one list, what is between two is looked at once."""
        begin, end = literal
        last, holder = self._holder
        bracket = bracket_before(self.text, begin, last)
        if bracket is None:
            holder = None
        elif bracket >= 0:
            holder = holder_at(self.text, bracket)
        self._holder = (end, holder)
        return holder

    @cached_property
    def modules(self) -> frozenset[bytes]:
        """The last parts of the modules that the file imports."""
        imports = self.recorded.imports if self.recorded is not None else ()
        found = (_MODULE.match(self.text, byte) for byte in imports)
        return frozenset(re.split(rb"[./\\:]+", each[1])[-1] for each in found if each is not None)

    @cached_property
    def reflects(self) -> bool:
        return reflects(self.text)

    def is_in_example(self, offset: int) -> bool:
        at = bisect_right(self._examples, (offset, len(self.text))) - 1
        return at >= 0 and offset < self._examples[at][1]

    @cached_property
    def _examples(self) -> list[tuple[int, int]]:
        rules = BY_NAME[self.file.language].rules
        return rules.examples_in_comments(self.text) if b"```" in self.text else []

    @cached_property
    def literals(self) -> Literals:
        kept: dict[int, Literals] = memoize(self._index, "literals of files", dict)
        found = kept.get(self.file.id)
        if found is None:
            found = Literals(self.text, self.recorded.comments if self.recorded else ())
            remember(kept, {self.file.id: found}, FILES_KEPT)
        return found


_IMPORTED_PATH: Final = re.compile(rb"[\w.:\\$/\s{},*]*")
_RANK: Final = {DEFINITION: 0, CERTAIN: 1, POSSIBLE: 2, UNRESOLVED: 3, LIBRARY: 4}


def is_declaration(path: str, language: str) -> bool:
    """Whether a file has declarations alone, of code that is elsewhere."""
    return language in BY_NAME and path.endswith(BY_NAME[language].declarations)


def _is_dotted(text: bytes, literal: tuple[int, int]) -> bool:
    """Whether the literal is one name with parts, of a module or a route: it is recorded as if it were code."""
    return re.fullmatch(rb"[\"'][\w.]+\.\w+[\"']", text[literal[0] : literal[1]]) is not None


def _is_data(text: bytes, begin: int, end: int) -> bool:
    """Whether a literal is a key, is compared, or is looked up."""
    before = text[max(0, begin - 80) : begin].removesuffix(b"f").removesuffix(b"r").removesuffix(b"b")
    behind = text[end : end + 20]
    if _KEY_BEHIND.match(behind) or _COMPARES.match(behind):
        return True
    return any(pattern.search(before) for pattern in (_COMPARED, _SUBSCRIPT, _LOOKED_UP))
