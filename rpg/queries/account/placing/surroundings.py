"""The file around places: its text, what the facts say of it, literals, brackets, examples in comments.

In: an index, and the occurrences in one file. Out: what a judgement asks for, each read when it is needed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.queries.account.literals import LONGEST_EXPRESSION, Literals, reflects
from rpg.queries.account.occurrences import FileOccurrences, LinesOf
from rpg.queries.account.placing.brackets import Brackets
from rpg.queries.account.placing.lists_of_names import is_looked_up
from rpg.queries.account.placing.recorded import Recorded
from rpg.queries.graph.marks import Marks
from rpg.queries.graph.memo import memoize, remember

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MODULE: Final = re.compile(rb"[\"'<]?((?:@?[\w-]+)?(?:(?:[./\\]|::)[\w-]+)*)")
_DOTTED: Final = re.compile(rb"[\"'][\w.]+\.\w+[\"']")
_IMPORTED_PATH: Final = re.compile(rb"[\w.:\\$/\s{},*]*")
_EXPRESSIONS: Final = ((b"{{", b"}}"), (b"{%", b"%}"), (b"<%", b"%>"))
_RAZOR: Final = re.compile(rb"(?<![\w@])@(?:\((?:[^()\n]|\([^()\n]*\))*|[\w.?!()\[\]]*)\Z")
"""An expression of Razor up to a name in it: `@Model.`, `@(order.Total > 0 ? "a" : order.`."""
FILES_KEPT: Final = 2_000
"""Of how many files it is kept where their literals are, until the index changes."""


class Surroundings:
    """The file around occurrences, each part of which is read when it is needed."""

    def __init__(self, index: Index, found: FileOccurrences, lines: LinesOf) -> None:
        self.file = found.file
        self.text = found.text
        self.lines = lines
        self.marks = Marks(found.text)
        self.brackets = Brackets(found.text)
        self.may_miss_import: bool | None = None
        self.judged: dict[int, tuple[str, str]] = {}
        """Literals that were judged, by where they begin: all places in one have the same class."""
        self.types: dict[bytes, frozenset[str]] = {}
        """The types that variables of a name are declared to be of, as far as they were looked for."""
        self._path = (0, 0)
        self._dotted = (-1, False)
        """Where the last literal begins, and whether it is one name with parts."""
        self._index = index

    @cached_property
    def recorded(self) -> Recorded | None:
        facts = self._index.facts(self.file.path)
        return Recorded(facts) if facts else None

    def is_looked_up(self, opening: int) -> bool:
        """Whether members are looked up by the words of a list that begins there."""
        return is_looked_up(self._index, self.file, self.text, opening)

    def end_of_path(self, start: int) -> int:
        """Where what looks like the path of an import, or a list of names behind it, ends that begins there."""
        if not self._path[0] <= start < self._path[1]:
            found = _IMPORTED_PATH.match(self.text, start)
            self._path = (start, found.end() if found is not None else start)
        return self._path[1]

    def is_dotted(self, literal: tuple[int, int]) -> bool:
        """Whether a literal is one name with parts, of a module or a route: it is recorded as if it were code."""
        if self._dotted[0] != literal[0]:
            self._dotted = (literal[0], _DOTTED.fullmatch(self.text, *literal) is not None)
        return self._dotted[1]

    def is_torn(self, literal: tuple[int, int], offset: int) -> bool:
        """Whether it is in an expression of a page that is no part of what looks like a literal: a quote in one ends no
        attribute. Razor's ends where its name ends, and needs no delimiter."""
        for opening, closing in _EXPRESSIONS:
            start = self.marks.opening_of(offset, opening, closing)
            if start >= 0:
                return start < literal[0] or self.marks.closing_behind(offset, opening, closing) > literal[1]
        return _RAZOR.search(self.text, max(0, offset - LONGEST_EXPRESSION), offset) is not None

    @cached_property
    def modules(self) -> frozenset[bytes]:
        """The last parts of the modules that the file imports."""
        imports = self.recorded.imports if self.recorded is not None else ()
        found = (MODULE.match(self.text, byte) for byte in imports)
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
