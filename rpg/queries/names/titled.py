"""Tests by their titles, as runners print them and people write them.

In: what was written: a title, titles from the outside in with ` > ` or ` › ` between, perhaps after a path (as Vitest
and Jest print them), `TestName/some_title` (as Go does), or an id without its quotes. Out: the tests that have them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rpg.queries.graph.nodes import Node, nodes
from rpg.text import titles

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LONGEST = 4_000
"""Characters; longer texts are not titles."""
_MARK = re.compile(r"^(?:[●✓✔✗✕×❯]|FAIL|PASS|--- FAIL:|--- PASS:|=== RUN)\s+")
_BETWEEN = re.compile(r"\s+[>›❯]\s+")
_OWNED = re.compile(r"""^([\w$.~]+)\.["'](.+)["']$""", re.DOTALL)
_SUBTEST = re.compile(r"^((?:Test|Benchmark|Fuzz)\w*)/(.+)$")


def looks_like_title(written: str) -> bool:
    """Whether it cannot be a name of code, so that titles are tried first."""
    return bool(re.search(r"""[\s"'`]""", written))


def find_by_title(index: Index, written: str) -> list[Node]:
    """Tests whose titles end like that; none without a title that is in the graph."""
    written = _MARK.sub("", written.strip()).replace(f'"…{titles.BETWEEN}', '"')
    if not written or len(written) > LONGEST:
        return []
    subtest = _SUBTEST.match(written)
    if subtest:
        return subtests(index, subtest[1], subtest[2])
    path, mark, chain = written.rpartition("::")
    found = find_by_titles(index, path if mark else "", chain) or find_by_titles(index, "", written)
    if found or mark:
        return found
    first, *rest = _BETWEEN.split(written, maxsplit=1)
    return find_by_titles(index, first, rest[0]) if rest else find_by_joined_titles(index, written.replace('"', "'"))


def find_by_joined_titles(index: Index, written: str) -> list[Node]:
    """Titles joined by blanks, as Mocha and Jest print them: the whole name, or its end from some title on."""
    text = " ".join(written.split()).casefold()
    found = []
    for node in nodes(
        index,
        "s.name >= '\"' COLLATE NOCASE AND s.name < '#' COLLATE NOCASE AND s.kind = 'function'"
        " AND length(s.name) - 2 < ?1 AND substr(?2, 2 - length(s.name)) = substr(s.name, 2, length(s.name) - 2)"
        " COLLATE NOCASE",
        (len(text), text),
    ):
        opening = node.qualified_name.rfind('"', 0, len(node.qualified_name) - 1)
        chain = node.qualified_name[opening + 1 : -1].replace(titles.BETWEEN, " ").casefold()
        if chain == text or chain.endswith(" " + text):
            found.append(node)
    return found


def titles_beginning(index: Index, written: str, limit: int) -> list[Node]:
    """Tests whose title begins like that."""
    start = f'"{titles.clean(written)}'
    return nodes(
        index,
        "s.name >= '\"' COLLATE NOCASE AND s.name < '#' COLLATE NOCASE AND s.kind = 'function'"
        " AND substr(s.name, 1, ?) = ? COLLATE NOCASE ORDER BY s.id LIMIT ?",
        (len(start), start, limit),
    )


def find_by_titles(index: Index, path: str, chain: str) -> list[Node]:
    """Tests in files whose path ends like that."""
    owned = _OWNED.match(chain)
    owner, last = (owned[1], owned[2]) if owned else ("", chain)
    spelled = titles.BETWEEN.join(map(titles.clean, _BETWEEN.split(last.strip("\"'` \t\n"))))
    parts = spelled.split(titles.BETWEEN)
    # A title may itself contain the separator of titles.
    names = [f'"{titles.clean(titles.BETWEEN.join(parts[at:]))}"' for at in range(min(len(parts), 4))]
    names += [f'"{parts[-1]}"']
    found = []
    for name in dict.fromkeys(names):
        for node in nodes(index, "s.name = ? COLLATE NOCASE AND s.kind = 'function'", (name,)):
            if path and node.path != path and not node.path.endswith("/" + path):
                continue
            if ends_with(node.qualified_name, owner, spelled):
                found.append(node)
        if found:
            return found
    return []


def ends_with(qualified_name: str, owner: str, spelled: str) -> bool:
    """Whether the titles of a test end with these, and the function around them has that name, if one is given."""
    opening = qualified_name.rfind('"', 0, len(qualified_name) - 1)
    inner = qualified_name[opening + 1 : -1].casefold()
    wanted = spelled.casefold()
    if owner and not qualified_name[:opening].rstrip(".").endswith(owner):
        return False
    return inner == wanted or inner.endswith(titles.BETWEEN + wanted) or (inner[:1] == "…" and inner[1:] in wanted)


def subtests(index: Index, function: str, titled: str) -> list[Node]:
    """`TestName/some_title/inner_title`: blanks are written as underscores."""
    around = nodes(index, "s.name = ? COLLATE NOCASE AND s.name = ? AND s.kind = 'function'", (function, function))
    found = []
    for each in around:
        inside = f'{each.qualified_name}."'
        for node in nodes(
            index, "s.path = ? AND s.start_line BETWEEN ? AND ?", (each.path, each.start_line, each.end_line)
        ):
            chain = node.qualified_name[len(inside) : -1].replace(titles.BETWEEN, "/").replace(" ", "_")
            if node.qualified_name.startswith(inside) and titles.is_title(node.name) and chain == titled:
                found.append(node)
    return found
