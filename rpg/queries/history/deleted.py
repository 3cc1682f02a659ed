"""What existed at a git revision and no longer does: deleted symbols, and what still names them.

In: the repository's folder, its index, a revision. Out: deleted symbols, each with the imports that broke and the lines
that still have its name; renamed files, with the imports that still name the old path and lead nowhere; and the changed
files that are not code. Old versions are parsed in worker processes, as for
an encode. The lines are found by text, since nothing resolves to what is gone: a common name may mean something else
there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.encoder.facts import ANONYMOUS, FileFacts
from rpg.encoder.languages import Rules, by_path
from rpg.encoder.source_files import git
from rpg.queries.history.renames import renames

if TYPE_CHECKING:
    from rpg.queries.search.text.text_matches import Line
    from rpg.stores.index.index import Index

MOST_FILES = 200
"""The most old versions that are parsed."""
MOST_BYTES = 1 << 20
"""Larger ones are not."""
MOST_SYMBOLS = 50
NAMED = 8
"""How many places are named of each kind; the rest is counted."""
LONGEST = 200
"""The most files that are searched for one name."""


@dataclass(frozen=True, kw_only=True)
class DeletedSymbol:
    id: str
    kind: str
    imports: list[str] = field(default_factory=list)
    """`path:line` of imports that named it."""
    named: list[str] = field(default_factory=list)
    """`path:line` of other lines that have its name."""


@dataclass(frozen=True, kw_only=True)
class RenamedFile:
    old: str
    new: str
    imports: list[str] = field(default_factory=list)
    """`path:line` of imports that name the old path, and lead nowhere."""


@dataclass(frozen=True, kw_only=True)
class Deleted:
    symbols: list[DeletedSymbol] = field(default_factory=list)
    renamed: list[RenamedFile] = field(default_factory=list)
    more: int = 0
    other_files: list[str] = field(default_factory=list)
    """Changed files that are not code."""


class Nothing:
    """Files of a repository for what only depends on a path."""

    roots: tuple[str, ...] = ()

    def exists(self, path: str) -> bool:
        return False

    def paths(self) -> list[str]:
        return []

    def read(self, path: str) -> bytes:
        return b""

    def has_file(self, path: str) -> bool:
        return False

    def rules_of(self, language: str) -> Rules | None:
        return None


def deleted_since(index: Index, root: Path, revision: str, admits: Callable[[str, bool], bool]) -> Deleted:
    """`admits`: which files it is about, by path and whether it is a test."""
    commit = git.commit_of(root, revision)
    changed = git.changes(root, commit)
    other, paths = [], set()
    for change in changed:
        language = by_path(change.path)
        if language.is_text:
            other.append(change.path)
        elif change.status != "added" and admits(change.path, language.rules.is_test(change.path)):
            paths.add(change.path)
    moved = {path: each.new for path, each in renames(index, root, commit).items()}
    deleted = [
        (*each, moved.get(facts.path, facts.path))
        for facts in old_facts(root, commit, paths)
        for each in missing(index, facts, moved.get(facts.path, facts.path))
    ]
    in_place_of = {*moved, *moved.values()}
    renamed = [(old, new) for old, new in sorted(moved.items()) if admits(new, False)]
    return Deleted(
        symbols=[used(index, *each) for each in deleted[:MOST_SYMBOLS]],
        renamed=[
            RenamedFile(
                old=old,
                new=new,
                imports=[] if by_path(old).is_text else used(index, old, "", "module", new).imports,
            )
            for old, new in renamed[:MOST_SYMBOLS]
        ],
        more=max(0, len(deleted) - MOST_SYMBOLS),
        other_files=[path for path in other if admits(path, False) and path not in in_place_of],
    )


def old_facts(root: Path, commit: str, paths: set[str]) -> Iterator[FileFacts]:
    """The facts of the files as they were."""
    # Nothing but this needs a parser in a server.
    from rpg.encoder.parsing.packing import unpack
    from rpg.encoder.parsing.worker_pool import EncodedFile, parse_all
    from rpg.encoder.source_files.contents import normalise
    from rpg.encoder.source_files.selection import Entry
    from rpg.system.compression import decompress
    from rpg.system.stamp import NO_STAMP

    blobs = [blob for blob in git.tree(root, commit) if blob.path in paths and 0 <= blob.size <= MOST_BYTES][
        :MOST_FILES
    ]
    texts = git.contents(root, [(blob.object_id, blob.size) for blob in blobs])
    files = [
        (Entry(blob.path, len(text), NO_STAMP, blob.path), normalise(text))
        for blob, text in zip(blobs, texts, strict=True)
        if text is not None
    ]
    for file in parse_all(files, True, 0):
        if isinstance(file, EncodedFile) and file.facts:
            yield unpack(decompress(file.facts))


def missing(index: Index, facts: FileFacts, path: str) -> Iterator[tuple[str, str, str]]:
    """The outermost symbols that a file no longer has: path, name within the file (empty for the file), kind. `path`:
    where it is now."""
    now = {row[0] for row in index.rows("SELECT qualified_name FROM symbols WHERE path = ?", (path,))}
    if not now:
        yield facts.path, "", "module"
        return
    deleted: set[int] = set()
    reported: set[str] = set()
    for number, definition in enumerate(facts.definitions):
        if not number or ANONYMOUS in definition.flags or definition.qualified_name in now:
            continue
        deleted.add(number)
        if definition.parent not in deleted and definition.qualified_name not in reported:
            reported.add(definition.qualified_name)
            yield facts.path, definition.qualified_name, definition.kind


def used(index: Index, path: str, qualified: str, kind: str, now: str) -> DeletedSymbol:
    """A deleted symbol with the places that still name it; `now`: where its file is."""
    name = qualified.rpartition(".")[2]
    language = by_path(path)
    modules = {language.rules(Nothing()).module_name(each) for each in (path, now)} - {""}
    if name:
        # The enclosing package may have re-exported it.
        modules |= {path.rpartition("/")[0].rpartition("/")[2]} - {""}
    if not name and not modules:
        return DeletedSymbol(id=path, kind=kind)

    def admits(other: str, _: str, is_test: bool) -> bool:
        return by_path(other).family == language.family

    imports: list[str] = []
    named: list[str] = []
    words = "|".join(map(re.escape, [name] if name else sorted(modules)))
    # Imported here: text search loads numpy, which other questions about usages do not need.
    from rpg.queries.search.text.text_matches import Scope, text_matches
    from rpg.queries.search.text.text_pattern import expression

    pattern = expression(rf"\b(?:{words})\b")
    for hit in text_matches(index, pattern, Scope(admits, False), LONGEST).hits:
        broken = broken_imports(index, hit.path, modules, name, imported_by(index, hit.path))
        for line in hit.lines:
            place = f"{hit.path}:{line.number}"
            if line.number in broken:
                imports.append(place)
            elif qualified and not is_definition(index, hit.path, line, name):
                named.append(place)
    found = f"{path}::{qualified}" if qualified else path
    return DeletedSymbol(id=found, kind=kind, imports=list(dict.fromkeys(imports)), named=list(dict.fromkeys(named)))


def imported_by(index: Index, path: str) -> dict[int, set[str]]:
    """By line of a file: the paths of what it imports there."""
    found: dict[int, set[str]] = {}
    for sites, target in index.rows(
        "SELECT e.sites, t.path FROM symbols s JOIN edges e ON e.source = s.id JOIN symbols t ON t.id = e.target "
        "WHERE s.path = ? AND e.kind = 'imports'",
        (path,),
    ):
        for site in sites.split():
            found.setdefault(int(site.partition(":")[0]), set()).add(target)
    return found


def broken_imports(index: Index, path: str, modules: set[str], name: str, imported: dict[int, set[str]]) -> set[int]:
    """The lines of a file whose imports name a symbol of a module, without a name the module, and do not lead to
    another one."""
    from rpg.encoder.parsing.packing import unpack
    from rpg.system.compression import decompress

    packed = index.facts(path)
    if not packed:
        return set()
    facts = unpack(decompress(packed))
    found = set()
    for each in facts.imports:
        mentioned = set(re.split(r"[./\\]+", each.module)[-2:])
        is_of_module = not modules.isdisjoint(mentioned)
        if not (
            (name in each.names and is_of_module) if name else (is_of_module or not modules.isdisjoint(each.names))
        ):
            continue
        line = bisect_right(facts.line_starts, each.byte)
        rules = by_path(path).rules(Nothing())
        if all(name and rules.module_name(target) in modules for target in imported.get(line, ())):
            found.add(line)
    return found


def is_definition(index: Index, path: str, line: Line, name: str) -> bool:
    """Whether a symbol of that name is defined in the line."""
    return bool(
        index.rows("SELECT 1 FROM symbols WHERE path = ? AND name = ? AND name_line = ?", (path, name, line.number))
    )


def lines(found: Deleted, revision: str) -> Iterator[str]:
    """The notes on what was deleted."""
    for rename in found.renamed:
        yield f"renamed since {revision}: {rename.old} -> {rename.new}"
        if rename.imports:
            yield f"imports of the old path: {listed(rename.imports)}"
    for each in found.symbols:
        yield f"deleted since {revision}: {each.id}  {each.kind}"
        if each.imports:
            yield f"imports that broke: {listed(each.imports)}"
        if each.named:
            yield f"its name is still in: {listed(each.named)}"
        if not each.imports and not each.named:
            yield "nothing names it any more"
    if found.more:
        yield f"and {found.more} deleted symbols more"
    if found.other_files:
        yield f"other files changed: {listed(found.other_files)}"


def listed(places: list[str]) -> str:
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    return ", ".join(places[:NAMED]) + more
