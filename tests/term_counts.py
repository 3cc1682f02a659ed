"""Reads packed term counts by unit."""

from __future__ import annotations

from array import array

from rpg.text.term_frequencies import Packed


def counted(terms: Packed, place: int) -> dict[int, dict[str, int]]:
    """How often each term occurs in each field of the unit, group or file at a place in their order."""
    sizes, places, counts = array("I", terms.sizes), array("I", terms.places), array("H", terms.counts)
    fields = [field for field, run in zip(terms.fields, array("I", terms.runs), strict=True) for _ in range(run)]
    first = sum(sizes[:place])
    found: dict[int, dict[str, int]] = {}
    for at in range(first, first + sizes[place]):
        found.setdefault(fields[at], {})[terms.terms[places[at]]] = counts[at]
    return found
