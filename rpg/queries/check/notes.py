"""What an edit leaves behind that breaks nothing, told where it is asked for.

In: an index of the work tree, and what the edit changed. Out: notes: a new import that closes a cycle, code that
nothing uses any more, a function that does what another one does, and documents and comments that name what is gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rpg.queries.account.literals import is_plain
from rpg.queries.account.occurrences import LinesOf, is_word
from rpg.queries.check.spoken import find_in_prose, find_paths
from rpg.queries.check.verdict import Note
from rpg.queries.graph.cycles import circular_imports
from rpg.queries.graph.filters import Filter
from rpg.queries.health.findings import HealthQuery
from rpg.stores.index.reader import has_symbol_named

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 50
"""The most symbols and files that are looked for in documents."""
MOST_PLACES = 20
"""The most places of one name."""


def find_notes(
    index: Index,
    header: dict[str, Any],
    imported: Iterable[tuple[str, int, str]],
    released: Collection[str],
    came: Collection[str],
    gone: Collection[str],
    files: Collection[str],
) -> list[Note]:
    """`imported`: path, line and imported file of new imports; `released`: ids of what has a use less; `came`: ids of
    what is new or changed; `gone`: ids of symbols, and `files`: paths, that are there no more."""
    question = HealthQuery(index, header, Filter(), True)
    return [
        *_cycles(index, imported),
        *(_unused(question, released) if released else ()),
        *(_duplicates(question, came) if came else ()),
        *_documents(index, gone, files),
    ]


def _cycles(index: Index, imported: Iterable[tuple[str, int, str]]) -> Iterator[Note]:
    imports, groups = circular_imports(index)
    for path, line, target in imported:
        for group in groups:
            if path in group and target in group and target in imports.get(path, ()):
                way = _way(imports, group, target, path)
                if way:
                    yield Note(
                        kind="cycle", path=path, line=line, message=f"a new import cycle: {' -> '.join([path, *way])}"
                    )


def _way(imports: Any, group: Collection[str], start: str, end: str) -> list[str]:
    """The shortest way of imports from one file to another."""
    before = {start: ""}
    frontier = [start]
    while frontier and end not in before:
        following = []
        for source in frontier:
            for target in imports.get(source, ()):
                if target in group and target not in before:
                    before[target] = source
                    following.append(target)
        frontier = following
    way = [end] if end in before else []
    while way and before[way[-1]]:
        way.append(before[way[-1]])
    return way[::-1]


def _unused(question: HealthQuery, released: Collection[str]) -> Iterator[Note]:
    # numpy, which other answers do not need.
    from rpg.queries.health.unused import find_unused

    for each in find_unused(question):
        if each.what in released and each.confidence != "possible":
            path, _, name = each.what.partition("::")
            line = int(each.lines.partition("-")[0])
            yield Note(kind="unused", path=path, line=line, message=f"nothing uses `{name}` any more")


def _duplicates(question: HealthQuery, came: Collection[str]) -> Iterator[Note]:
    from rpg.queries.health.duplicates import duplicates

    for each in duplicates(question):
        own = [number for number, id in enumerate(each.names) if id in came]
        others = [id for id in each.names if id not in came] or each.names[1:]
        for number in own[:1]:
            place = each.members[number]
            path, _, rest = place.partition(":")
            line = int(rest.partition("-")[0])
            name = each.names[number].partition("::")[2]
            how = "does" if each.kind == "exact" else "does nearly"
            yield Note(kind="duplicate", path=path, line=line, message=f"`{name}` {how} what {others[0]} does")


def _documents(index: Index, gone: Collection[str], files: Collection[str]) -> Iterator[Note]:
    told: set[tuple[str, int]] = set()
    for symbol in sorted(gone)[:MOST]:
        path, _, qualified = symbol.partition("::")
        around, _, name = qualified.rpartition(".")
        if not is_word(name):
            continue
        owner = (around.rpartition(".")[2] or path.rpartition("/")[2].partition(".")[0]).encode()
        is_alone = not has_symbol_named(index, name)
        word = name.encode()
        count = 0
        for found, offset in find_in_prose(index, name):
            before = found.text[max(0, offset - 80) : offset]
            behind = found.text[offset + len(word) : offset + len(word) + 2]
            is_code = before.endswith(b"`") and behind[:1] in b"`("
            is_owned = before.endswith((owner + b".", owner + b"::", owner + b"#"))
            if not is_owned and not (is_alone and (is_code or not is_plain(word))):
                continue
            line, _ = LinesOf(found.text).place(offset)
            if (found.file.path, line) not in told and count < MOST_PLACES:
                told.add((found.file.path, line))
                count += 1
                yield Note(kind="document", path=found.file.path, line=line, message=f"still names `{name}`")
    for path in sorted(files)[:MOST]:
        for found, offset, spelled in find_paths(index, path, True, {}):
            line, _ = LinesOf(found.text).place(offset)
            if (found.file.path, line) not in told:
                told.add((found.file.path, line))
                yield Note(kind="document", path=found.file.path, line=line, message=f"still names `{spelled}`")
