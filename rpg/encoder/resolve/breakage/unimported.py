"""Names that a file imported, that nothing binds any more, and that it still reads.

In: an edited file before and after, and what else is wrong with it. Out: a finding for each such name, at its first
use; its other uses fall with that one. Imports of libraries are the point: what comes from the repository is resolved,
so a use that no longer leads there is seen where it is, and told by others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Set
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ANNOTATION,
    DOCUMENTED,
    MACRO,
    OFFERED,
    ROLE,
    RUN,
    SITE_WORDS,
    Import,
    line_and_column,
    strip_marks,
)
from rpg.encoder.resolve.breakage.findings import GONE, UNKNOWN, Finding
from rpg.encoder.resolve.breakage.imports import BrokenImports
from rpg.encoder.resolve.breakage.lines import LineMap
from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.program.source_file import SourceFile

_UNSPOKEN: Final = frozenset({DOCUMENTED, OFFERED, RUN})
_IMPORTING: Final = frozenset({op.IMPORT, op.IMPORTED})
_WITH_HOLDER: Final = frozenset({op.ATTRIBUTE, op.PATH})


class _Read(NamedTuple):
    """A place that reads a name by itself, or takes something of it."""

    site: int
    name: str
    byte: int
    role: int
    import_: int
    """The import that binds it, where that is one; else -1."""
    is_bound: bool
    """Whether the file binds it in any way."""
    is_open: bool
    """Whether a class around may have the name."""
    is_macro: bool
    is_alone: bool
    """Whether the site is the name, and not something that is taken of it."""
    path: int
    """The import by which the facts hold a path that begins with a name of nothing in the file; else -1."""


class Unimported:
    def __init__(self, before: Side, after: Side, imports: BrokenImports) -> None:
        self.before = before
        self.after = after
        self.imports = imports
        self._told: set[tuple[str, int, str]] = set()

    def sites(self, old: SourceFile, new: SourceFile) -> list[int]:
        """The sites after the edit whose meaning `find` asks for."""
        names = self.unbound(old, new)
        return [each.site for each in _reads(self.after, new, names) if not each.is_bound] if names else []

    def unbound(self, old: SourceFile, new: SourceFile) -> set[str]:
        """The names that imports bound somewhere in a file, and that nothing binds for the whole file now."""
        if old.facts is new.facts or not new.rules.needs_imports or old.facts.language != new.facts.language:
            return set()
        had, has = _count_imports(old), _count_imports(new)
        fewer = {name for name, count in had.items() if count > has[name]}
        if fewer:
            fewer.difference_update([strip_marks(row.name) for row in new.facts.bindings if row.scope == 0])
        return fewer

    def find(self, old: SourceFile, new: SourceFile, lines: LineMap, told: Collection[Finding]) -> Iterator[Finding]:
        names = self.unbound(old, new)
        if not names or new.facts.problems or self.may_bring_others(old, new):
            return
        had: dict[tuple[str, int, int], int] = {}
        lacked: set[str] = set()
        importing: dict[str, int] = {}
        for read in _reads(self.before, old, names):
            if read.import_ >= 0:
                had[read.name, *line_and_column(old.facts, read.byte)] = read.import_
                importing.setdefault(read.name, read.import_)
            elif not read.is_bound:
                lacked.add(read.name)
        lost: dict[str, dict[int, tuple[_Read, Import]]] = {}
        for read in _reads(self.after, new, names):
            if read.is_bound or not read.is_alone or read.role in _UNSPOKEN or read.name not in importing:
                continue
            line, column = line_and_column(new.facts, read.byte)
            was = lines.before_of.get(line)
            index = had.get((read.name, was, column), -1) if was is not None else importing[read.name]
            if index < 0 or (was is None and read.name in lacked):
                continue
            if not self.means_something(old, index, new, read):
                lost.setdefault(read.name, {}).setdefault(read.byte, (read, old.facts.imports[index]))
        wrong = {each.line for each in told if each.path == new.path and each.kind != UNKNOWN}
        for name, places in lost.items():
            ordered = [places[byte] for byte in sorted(places)]
            at = [line_and_column(new.facts, read.byte) for read, _ in ordered]
            is_own = bool(self.imports.files(self.before, old, importing[name]))
            if is_own and not wrong.isdisjoint(line for line, _ in at):
                continue  # what was taken of it is told
            self._told |= {(new.path, line, name) for line, _ in at}
            certain = any(self.is_certain(new, *each) for each in ordered)
            for number, (line, column) in enumerate(at):
                detail = "is not imported any more"
                yield Finding(new.path, line, column, certain, GONE, name, "", detail, number > 0)

    def has_told(self, finding: Finding) -> bool:
        """Whether a name of which nothing is known is one of these."""
        return finding.kind == UNKNOWN and (finding.path, finding.line, finding.name) in self._told

    def may_bring_others(self, old: SourceFile, new: SourceFile) -> bool:
        """Whether an import that came binds another name than the facts have: it names a module by its path, and
        nothing reads the last part of that."""
        had = {each.module for each in old.facts.imports}
        came = {
            strip_marks(row.name)
            for row in new.facts.bindings
            if new.code[row.value] == op.IMPORT
            and "/" in (module := new.facts.imports[new.code[row.value + op.STATEMENT]].module)
            and module not in had
        }
        return bool(came) and not came <= {read.name for read in _reads(self.after, new, came)}

    def means_something(self, old: SourceFile, index: int, new: SourceFile, read: _Read) -> bool:
        """Whether a name that nothing in the file binds has a meaning all the same, or may have one."""
        was = old.facts.imports[index]
        if was.module == new.facts.package or new.rules.brings(was.module, read.name, read.role):
            return True
        if read.path >= 0:
            return bool(self.imports.files(self.after, new, read.path)) or self.is_of_star(old, was, new, read.byte)
        outcome = self.after.world.outcomes[new.index][read.site]
        if outcome.targets or self.is_of_star(old, was, new, read.byte):
            return True
        if outcome.reason != "external" or read.is_open or new.stars:
            return False
        names = self.after.world.evaluator.global_names
        if read.role == ANNOTATION and names.is_declared(new) and names.bindings(new, read.name, as_type=True) is None:
            return False  # a type that only a library can declare, which had to be imported
        return read.name not in new.rules.builtins  # else that is the reason, though the language does not bring it

    def is_of_star(self, old: SourceFile, was: Import, new: SourceFile, byte: int) -> bool:
        """Whether an import of everything may bring a name. One that was there brought it only if it did so before,
        which needs no import of its own beside it."""
        stars = [new.facts.imports[index] for index in new.stars]
        if not new.rules.stars_are_packages:
            return any(_is_seen(new, each.byte, byte) for each in stars)
        known = {old.facts.imports[index].module for index in old.stars}
        return any(each.module == was.module or each.module not in known for each in stars)

    def is_certain(self, new: SourceFile, read: _Read, was: Import) -> bool:
        is_script = bool(new.rules.members_read.of_page) and not (new.facts.imports or new.facts.exports)
        if is_script or read.is_macro or read.name == "_":
            return False  # others may bring it: a macro, what translates, a script beside it
        has_bases = any(index in new.facts.bases for index in new.classes_around(read.byte))
        is_member = any("." in name and name.endswith(f".{read.name}") for name in was.names)
        if read.is_open and not new.rules.has_packages:
            return False
        return not (has_bases and (read.is_open or is_member))


def _count_imports(file: SourceFile) -> Counter[str]:
    """How many imports bind each name."""
    return Counter(strip_marks(row.name) for row in file.facts.bindings if file.code[row.value] in _IMPORTING)


def _is_seen(file: SourceFile, star: int, byte: int) -> bool:
    """Whether a place is in the innermost scope around an import."""
    around = [each for each in file.scopes if each.start_byte <= star < each.end_byte]
    innermost = min(around, key=lambda each: each.end_byte - each.start_byte, default=file.scopes[0])
    return innermost.start_byte <= byte < innermost.end_byte


def _reads(side: Side, file: SourceFile, names: Set[str]) -> Iterator[_Read]:
    """The places that read one of these names, each perhaps several times."""
    sites, code, strings = file.facts.sites, file.code, file.strings
    text = side.program.read(file.path)
    for number in range(len(sites) // SITE_WORDS):
        at = number * SITE_WORDS
        e, role = sites[at], sites[at + ROLE]
        e = named = code[e + op.CALLEE] if code[e] == op.CALL else e
        while code[e] in _WITH_HOLDER and code[code[e + op.HOLDER]] != op.UNION:
            e = code[e + op.HOLDER]
        byte, operation = code[e + op.BYTE], code[e]
        spelled, path = "", -1
        if operation == op.NAME:
            spelled = strings[code[e + op.WORD]]
            scope = op.binding_scope(code[e + op.BINDER])
        elif operation in _WITH_HOLDER and text[max(0, byte - 1) : byte] != b".":
            spelled = strings[code[e + op.MEMBER]]
            scope = 0
        elif operation == op.IMPORT and (statement := file.facts.imports[code[e + op.STATEMENT]]).kind == "parent":
            spelled = statement.module.partition("::")[0]
            scope, path = -1, code[e + op.STATEMENT]
        name = strip_marks(spelled)
        if name not in names or not text.startswith(name.encode(), byte):
            continue
        rows = file.rows(scope, spelled) if scope >= 0 else []
        import_ = next((code[row.value + op.STATEMENT] for row in rows if code[row.value] in _IMPORTING), -1)
        is_open = operation in _WITH_HOLDER
        is_bound = bool(rows) if is_open else scope >= 0
        is_alone = e == named or path >= 0
        yield _Read(number, name, byte, role, import_, is_bound, is_open, spelled.endswith(MACRO), is_alone, path)
