"""pytest: a test's parameter is the result of the fixture of that name; the nearest one wins.
Strings name fixtures, too.

In: a function's parameter. Out: its values, and an edge to the fixture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, MAKER, ROLE, SITE_WORDS
from rpg.encoder.resolve.frameworks.plugin import Mention, Plugin, name_byte, parse_declared_name
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import FUNC, Values, union
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.source_file import SourceFile

_FIXTURES = ("fixture", "yield_fixture", "async_fixture")
_ASKING = frozenset("usefixtures getfixturevalue getfuncargvalue lazy_fixture lf".split())
"""Functions and marks that name fixtures."""
_GIVEN = "parametrize("
_INDIRECT = "indirect"
"""Keyword of it by which a fixture gets what is given."""
_WORD = re.compile(r"\w+")


class Pytest(Plugin):
    library = frozenset({"pytest", "pytest_asyncio"})
    own = frozenset({"_pytest"})

    @cached_property
    def fixtures(self) -> dict[str, list[tuple[int, int]]]:
        """Name -> functions decorated as fixtures, in order of path."""
        return self.program.table("fixtures", _fixtures_of)

    def survey(self) -> None:
        assert self.fixtures is not None

    def parameter(self, file: SourceFile, scope: int, name: str) -> Values:
        found = self.asked(file, file.scopes[scope].definition, name) if self.takes_fixtures(file, scope) else None
        if found is None:
            return ()
        here = self.files[found[OWNER_FILE]]
        evaluator = self.evaluator
        inner = here.definitions[found[OWNER_SYMBOL]].scope
        values = evaluator.calls.returned((FUNC, *found, None)) or union(
            [evaluator.eval(here, each) for each in here.facts.returns.get(inner, ())]
        )
        if "async" in here.definitions[found[OWNER_SYMBOL]].modifiers and inner not in here.facts.yields:
            values = evaluator.containers.await_values(values)
        return evaluator.containers.elements(values) if inner in here.facts.yields else values

    def takes_fixtures(self, file: SourceFile, scope: int) -> bool:
        """Whether pytest fills the parameters of a function: of a test that it collects, or of a fixture."""
        definition = file.definitions[file.scopes[scope].definition]
        if file.scopes[scope].kind != "function" or definition.scope != scope:
            return False
        if any(is_fixture(text) for text in definition.decorators):
            return True
        if not definition.name.startswith("test") or not file.in_test:
            return False
        around = file.definitions[definition.parent] if definition.parent > 0 else None
        return around is None or (around.kind in CLASS_KINDS and around.name.startswith("Test"))

    def asked(self, file: SourceFile, index: int, name: str) -> tuple[int, int] | None:
        """The fixture of that name visible to a function: in its class, in its file, else in the nearest conftest."""
        best: tuple[int, tuple[int, int]] | None = None
        for candidate in self.fixtures.get(name, ()):
            rank = self.nearness(file, index, name, candidate)
            if rank and (best is None or rank > best[0]):
                best = rank, candidate
        return best[1] if best is not None else None

    def nearness(self, file: SourceFile, index: int, name: str, candidate: tuple[int, int]) -> int:
        """0: not visible from there."""
        definition = file.definitions[index]
        other = self.files[candidate[OWNER_FILE]]
        owner = other.definitions[candidate[OWNER_SYMBOL]].parent
        if candidate == (file.index, index) or is_parametrized(file, index, name):
            return 0
        if owner > 0:
            around = (file.index, definition.parent)
            order = self.evaluator.classes.order(*around).entries if definition.parent > 0 else ()
            return 3000 if any(entry[:ENTRY_ARGUMENTS] == (candidate[OWNER_FILE], owner) for entry in order) else 0
        if other is file:
            return 2000
        folder = other.path[: other.path.rfind("/") + 1]
        if other.path.rpartition("/")[2] == "conftest.py":
            return 1 + len(folder) if file.path.startswith(folder) else 0
        return self.imported(file, candidate)

    def imported(self, file: SourceFile, candidate: tuple[int, int]) -> int:
        """A fixture from elsewhere counts if the file, or a conftest above it, imports it."""
        name = self.program.definition(*candidate).name
        folder = file.path[: file.path.rfind("/") + 1]
        paths = [(1500, file.path)]
        while True:
            paths.append((1 + len(folder), f"{folder}conftest.py"))
            if not folder:
                break
            folder = folder[: folder[:-1].rfind("/") + 1]
        modules = self.evaluator.modules
        for rank, path in paths:
            if self.program.exists(path) and ("definition", *candidate) in modules.targets(path, name):
                return rank
        return 0

    def found(self, file: SourceFile) -> Iterator[Mention]:
        fixtures = self.fixtures
        for scope, rows in file.facts.parameters.items():
            if not any(row.name in fixtures for row in rows) or not self.takes_fixtures(file, scope):
                continue
            index = file.scopes[scope].definition
            for row in rows:
                target = self.asked(file, index, row.name) if row.name in fixtures else None
                bound = file.rows(scope, row.name)
                if target is not None and bound:
                    yield Mention(index, target, file.code[bound[0].value + op.BYTE])
        yield from self.named_in_calls(file)

    def named_in_calls(self, file: SourceFile) -> Iterator[Mention]:
        """`usefixtures("db")`, `request.getfixturevalue("db")`."""
        if _ASKING.isdisjoint(file.strings):
            return
        code, sites = file.code, file.facts.sites
        decorated = {e: index for index, each in file.facts.decorators.items() for e in each}
        for at in range(0, len(sites), SITE_WORDS):
            e = sites[at]
            if sites[at + ROLE] != CALLED or code[code[e + op.CALLEE]] not in (op.NAME, op.ATTRIBUTE, op.PATH):
                continue
            if file.strings[op.find_name_word(code, code[e + op.CALLEE])] not in _ASKING:
                continue
            for slot in range(code[e + op.ARGUMENT_COUNT]):
                argument = code[e + op.ARGUMENTS + 2 * slot]
                if code[e + op.KEYWORDS + 2 * slot] == op.POSITIONAL and code[argument] == op.STRING:
                    asking = decorated.get(e, sites[at + MAKER])
                    target = self.asked(file, asking, file.strings[code[argument + op.WORD]])
                    if target is not None:
                        yield Mention(sites[at + MAKER], target, name_byte(file, argument))


def _fixtures_of(file: SourceFile) -> Iterator[tuple[str, tuple[int, int]]]:
    for index in file.facts.decorators:
        definition = file.definitions[index]
        for text in definition.decorators:
            if is_fixture(text):
                yield parse_declared_name(text) or definition.name, (file.index, index)


def is_fixture(decorator: str) -> bool:
    return decorator.partition("(")[0].rpartition(".")[2] in _FIXTURES


def is_parametrized(file: SourceFile, index: int, name: str) -> bool:
    """Whether `parametrize` fills the parameter instead of a fixture."""
    expressions = file.facts.decorators.get(index, ())
    return any(
        _GIVEN in text
        and name in _WORD.findall(text.partition(_GIVEN)[2].partition("[")[0])
        and not is_indirect(file, e, text, name)
        for text, e in zip(file.definitions[index].decorators, expressions, strict=False)
    )


def is_indirect(file: SourceFile, e: int, text: str, name: str) -> bool:
    """Whether what is given goes through the fixture of that name."""
    code = file.code
    if code[e] != op.CALL or _INDIRECT not in text:
        return False
    for at in range(code[e + op.ARGUMENT_COUNT]):
        keyword = code[e + op.KEYWORDS + 2 * at]
        if keyword >= 0 and file.strings[keyword] == _INDIRECT:
            listed = text.rpartition(_INDIRECT)[2]
            return ("[" not in listed and "False" not in listed) or name in _WORD.findall(listed)
    return False
