"""Reads of classes and their members, by name: what inherits, overrides, and stands beside what.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rpg.stores.index.placeholders import placeholders

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


# Steps, each over one edge


def list_bases(index: Index, rows: Sequence[int]) -> list[int]:
    """What these classes inherit directly, one after the other."""
    found = index.rows(
        f"SELECT target FROM edges WHERE kind = 'inherits' AND source IN ({placeholders(rows)})"
        " ORDER BY source, position",
        rows,
    )
    return [row for (row,) in found]


def list_heirs(index: Index, rows: Sequence[int]) -> list[int]:
    """The classes that inherit these directly."""
    return _list_other_ends(index, "source", "inherits", "target", rows)


def list_overridden(index: Index, rows: Sequence[int]) -> list[int]:
    """The methods that these override directly."""
    return _list_other_ends(index, "target", "overrides", "source", rows)


def list_overriding(index: Index, rows: Sequence[int]) -> list[int]:
    """The methods that override these directly."""
    return _list_other_ends(index, "source", "overrides", "target", rows)


def _list_other_ends(index: Index, wanted: str, kind: str, known: str, rows: Sequence[int]) -> list[int]:
    found = index.rows(f"SELECT {wanted} FROM edges WHERE kind = '{kind}' AND {known} IN ({placeholders(rows)})", rows)
    return [row for (row,) in found]


# Pairs


def list_bases_in_order(index: Index, rows: Sequence[int]) -> list[tuple[int, int, int]]:
    """What these classes inherit: class, base, and a number that grows with the base's place among them."""
    return index.rows(
        f"SELECT source, target, position FROM edges WHERE kind = 'inherits' AND source IN ({placeholders(rows)})",
        rows,
    )


def list_named_bases(index: Index) -> list[tuple[int, int, str]]:
    """All that classes inherit: class, base, the base's name."""
    return index.rows(
        "SELECT e.source, e.target, t.name FROM edges e JOIN symbols t ON t.id = e.target WHERE e.kind = 'inherits'"
    )


def list_overrides(index: Index) -> list[tuple[int, int]]:
    """Each method that overrides, with what it overrides."""
    return index.rows("SELECT source, target FROM edges WHERE kind = 'overrides'")


def list_overrides_of(index: Index, rows: Sequence[int]) -> list[tuple[int, int]]:
    """The same of these methods alone."""
    return index.rows(
        f"SELECT source, target FROM edges WHERE kind = 'overrides' AND source IN ({placeholders(rows)})", rows
    )


# Members


def list_members_called(index: Index, row: int, name: str) -> list[tuple[int, str]]:
    """Row and kind of the members of that name that a class has itself."""
    return index.rows("SELECT id, kind FROM all_symbols WHERE parent = ? AND name = ? ORDER BY id", (row, name))


def list_owners_among(index: Index, rows: Sequence[int], name: str) -> list[int]:
    """Which of these classes have a member of that name; of their own name, if it is empty."""
    found = index.rows(
        "SELECT DISTINCT s.id FROM all_symbols s JOIN all_symbols m ON m.parent = s.id "
        f"WHERE s.id IN ({placeholders(rows)}) AND m.name = iif(? = '', s.name, ?)",
        (*rows, name, name),
    )
    return [row for (row,) in found]


def list_owners_of_member(index: Index, name: str, kinds: Sequence[str]) -> list[tuple[int, str]]:
    """The symbols of these kinds that have a member of that name, each with the member's language."""
    return index.rows(
        "SELECT p.id, s.language FROM symbols s JOIN symbols p ON p.id = s.parent "
        f"WHERE s.name = ? COLLATE NOCASE AND s.name = ? AND p.kind IN ({placeholders(kinds)})",
        (name, name, *kinds),
    )


def list_members_of_interfaces(index: Index) -> list[tuple[int, str]]:
    """Row and name of each member of an interface or a trait."""
    return index.rows(
        "SELECT s.id, s.name FROM symbols s JOIN symbols p ON p.id = s.parent WHERE p.kind IN ('interface', 'trait')"
    )


def list_rows_within(index: Index, row: int) -> list[int]:
    """A symbol and everything in it, however deep."""
    rows = index.rows(
        "WITH RECURSIVE below(id) AS (SELECT ? UNION SELECT s.id FROM all_symbols s JOIN below ON s.parent = below.id) "
        "SELECT id FROM below",
        (row,),
    )
    return [found for (found,) in rows]


def find_user_of_part(index: Index, row: int, kinds: Sequence[str]) -> str:
    """The qualified name of a symbol outside tests, and outside this one, from which edges of these kinds lead into
    it; empty if there is none."""
    found: str | None = index.value(
        "WITH RECURSIVE part(id) AS (SELECT ? UNION SELECT s.id FROM symbols s JOIN part ON s.parent = part.id) "
        f"SELECT u.qualified_name FROM part JOIN edges e ON e.target = part.id AND e.kind IN ({placeholders(kinds)}) "
        "JOIN symbols u ON u.id = e.source WHERE NOT u.test AND e.source NOT IN (SELECT id FROM part) LIMIT 1",
        (row, *kinds),
    )
    return found or ""


def list_classes_of_code(index: Index, kinds: Sequence[str]) -> list[tuple[int, str, str, str]]:
    """The symbols of these kinds outside tests: row, path, qualified name, language."""
    return index.rows(
        f"SELECT id, path, qualified_name, language FROM symbols WHERE kind IN ({placeholders(kinds)}) AND NOT test "
        "ORDER BY id",
        kinds,
    )


def list_methods_of_heirs(
    index: Index, rows: Sequence[int], name: str, language: str, without: Sequence[int]
) -> list[tuple[int, str, str, str, int, int, int, int]]:
    """The methods of that name, or of their class's if it is empty, in the classes that inherit these directly, but in
    some: the class above, the class's name, path, qualified name, test mark, line and column of the name, last line."""
    return index.rows(
        "SELECT DISTINCT e.target, c.name, s.path, s.qualified_name, s.test, s.name_line, s.name_column, s.end_line "
        "FROM edges e JOIN symbols c ON c.id = e.source "
        "JOIN symbols s ON s.parent = c.id AND s.name = iif(? = '', c.name, ?) AND s.kind = 'method' "
        f"AND s.language = ? WHERE e.kind = 'inherits' AND e.target IN ({placeholders(rows)}) "
        f"AND e.source NOT IN ({placeholders(without)})",
        (name, name, language, *rows, *without),
    )
