"""What tests ask of the account that a list of uses ends in."""

from __future__ import annotations

from rpg.queries.usages import SymbolUsages


def lines_left(found: SymbolUsages) -> list[str]:
    """`path:line` of the places that may mean a symbol although no edge says so."""
    return [place.site.rpartition(":")[0] for place in found.left]
