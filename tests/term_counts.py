"""Reads packed term counts by unit."""

from __future__ import annotations

from array import array

from rpg.text.term_frequencies import FIELD_BITS, FIELD_MASK, Packed


def counted(terms: Packed, place: int) -> dict[int, dict[str, int]]:
    """How often each term occurs in each field of the unit, group or file at a place in their order."""
    sizes, codes, counts = array("I", terms.sizes), array("I", terms.codes), array("H", terms.counts)
    first = sum(sizes[:place])
    found: dict[int, dict[str, int]] = {}
    for at in range(first, first + sizes[place]):
        found.setdefault(codes[at] & FIELD_MASK, {})[terms.terms[codes[at] >> FIELD_BITS]] = counts[at]
    return found
