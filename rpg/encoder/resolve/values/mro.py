"""Method resolution orders: C3 over the classes of the repository, depth first if a hierarchy has none.

In: the bases of each class. Out: orders, each computed once. Invariant: an order does not depend on which class was
requested first; classes that inherit from each other in a cycle see only themselves in each other. The cost grows with
the lengths of the orders; there is no recursion, so a chain of bases may be of any length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rpg.components import components
from rpg.encoder.resolve.values.values import FILE, SYMBOL, TYPE_ARGUMENTS, Value, Values

Owner = tuple[int, int]
"""A class, or another definition: OWNER_FILE, OWNER_SYMBOL."""
Entry = tuple[int, int, tuple[Values, ...]]
"""The parts of its owner, and ENTRY_ARGUMENTS."""
OWNER_FILE: Final = 0
OWNER_SYMBOL: Final = 1
ENTRY_ARGUMENTS: Final = 2
"""Type arguments in terms of the first class's own variables."""
Bases = tuple[tuple[Value, ...], bool, bool]
"""Classes of the repository, whether some base is external, whether some base is unknown."""


class Order(NamedTuple):
    """A method resolution order."""

    entries: tuple[Entry, ...]
    external: bool
    """Some base is outside the repository."""
    unknown: bool
    """Some base could not be resolved."""


class ResolutionOrders:
    def __init__(
        self, bases: Callable[[int, int], Bases], inherited: Callable[[Value, tuple[Entry, ...]], list[Entry]]
    ) -> None:
        self.bases = bases
        self.inherited = inherited
        """A base's entries in terms of the class that derives from it."""
        self.known: dict[Owner, Order] = {}

    def order(self, key: Owner) -> Order:
        known = self.known.get(key)
        if known is not None:
            return known
        found: dict[Owner, Bases] = {}

        def above(owner: Owner) -> list[Owner]:
            found[owner] = bases = self.bases(*owner)
            owners: list[Owner] = [(base[FILE], base[SYMBOL]) for base in bases[0]]
            return [each for each in owners if each not in self.known]

        # A class is ready when all classes above it are; those that inherit from each other are computed together.
        for circle in components((key,), above):
            self.known.update({each: self.made(each, found[each], circle) for each in circle})
        return self.known[key]

    def made(self, key: Owner, bases: Bases, circle: set[Owner]) -> Order:
        """From the orders of the bases, which are known except for those in the same cycle."""
        classes, external, unknown = bases
        sequences: list[list[Entry]] = []
        for base in classes:
            above: Owner = (base[FILE], base[SYMBOL])
            order = self.known[above] if above not in circle else Order(((*above, ()),), False, False)
            external, unknown = external or order.external, unknown or order.unknown
            sequences.append(self.inherited(base, order.entries))
        own: Entry = (*key, ())
        if len(sequences) == 1:
            entries = [entry for entry in sequences[0] if entry[:ENTRY_ARGUMENTS] != key]
        else:
            sequences.append([(base[FILE], base[SYMBOL], base[TYPE_ARGUMENTS]) for base in classes])
            entries = merged(sequences, key)
        return Order((own, *entries), external, unknown)


def merged(sequences: list[list[Entry]], taken_first: Owner) -> list[Entry]:
    """The C3 merge; if no head is good, the first one is taken."""
    waiting: dict[Owner, int] = {}
    """In how many sequences a class comes after the head."""
    for sequence in sequences:
        for entry in sequence[1:]:
            waiting[entry[:ENTRY_ARGUMENTS]] = waiting.get(entry[:ENTRY_ARGUMENTS], 0) + 1
    at = [0] * len(sequences)
    taken = {taken_first}
    out: list[Entry] = []
    while True:
        heads: list[Entry] = []
        for number, sequence in enumerate(sequences):
            while at[number] < len(sequence) and sequence[at[number]][:ENTRY_ARGUMENTS] in taken:
                at[number] += 1
                if at[number] < len(sequence):
                    waiting[sequence[at[number]][:ENTRY_ARGUMENTS]] -= 1
            if at[number] < len(sequence):
                heads.append(sequence[at[number]])
        if not heads:
            return out
        head = next((entry for entry in heads if not waiting.get(entry[:ENTRY_ARGUMENTS])), heads[0])
        out.append(head)
        taken.add(head[:ENTRY_ARGUMENTS])
