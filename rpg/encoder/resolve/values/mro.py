"""Method resolution orders: C3 over the classes of the repository, depth first if a hierarchy has none.

In: the bases of each class. Out: orders, each computed once. Invariant: an order does not depend on which class was
requested first; classes that inherit from each other in a cycle see only themselves in each other. The cost grows with
the lengths of the orders, which have a limit: what is cut off there makes the class one with an unknown base. There is
no recursion, so a chain of bases may be of any length.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
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
MOST_ABOVE: Final = 1_000
"""Classes above one class that are considered, and bases of one class. Without a limit, a chain of classes would cost
the square of its length."""


class Order(NamedTuple):
    """A method resolution order."""

    entries: tuple[Entry, ...]
    external: bool
    """Some base is outside the repository."""
    unknown: bool
    """Some base could not be resolved, or was cut off."""
    is_cut: bool = False
    """There are more classes above than are considered."""


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
        is_cut = len(classes) > MOST_ABOVE
        if is_cut:
            classes = classes[:MOST_ABOVE]
        sequences: list[list[Entry]] = []
        for base in classes:
            above: Owner = (base[FILE], base[SYMBOL])
            order = self.known[above] if above not in circle else Order(((*above, ()),), False, False)
            external, unknown = external or order.external, unknown or order.unknown
            is_cut = is_cut or order.is_cut
            sequences.append(self.inherited(base, order.entries))
        own: Entry = (*key, ())
        if len(sequences) == 1:
            entries = [entry for entry in sequences[0] if entry[:ENTRY_ARGUMENTS] != key]
        else:
            sequences.append([(base[FILE], base[SYMBOL], base[TYPE_ARGUMENTS]) for base in classes])
            entries = merge_orders(sequences, key)
        if len(entries) > MOST_ABOVE:
            del entries[MOST_ABOVE:]
            is_cut = True
        return Order((own, *entries), external, unknown or is_cut, is_cut)


def merge_orders(sequences: list[list[Entry]], taken_first: Owner) -> list[Entry]:
    """The C3 merge; if no head is good, the first one is taken. Of several good heads, the one in the first sequence is
    taken. Each entry is looked at a few times only, however many sequences there are."""
    waiting: dict[Owner, int] = {}
    """In how many sequences a class comes after the head."""
    for sequence in sequences:
        for entry in sequence[1:]:
            waiting[entry[:ENTRY_ARGUMENTS]] = waiting.get(entry[:ENTRY_ARGUMENTS], 0) + 1
    at = [0] * len(sequences)
    headed: dict[Owner, list[int]] = {}
    """The sequences that a class is the head of."""
    good: list[int] = []
    """A heap of the sequences whose head comes after none, and of some whose head has changed."""
    taken = {taken_first}
    out: list[Entry] = []
    moving: list[int] = list(range(len(sequences)))
    first = 0
    while True:
        for number in moving:
            sequence, position = sequences[number], at[number]
            head = sequence[position][:ENTRY_ARGUMENTS] if sequence else taken_first
            was_waiting = False
            while head in taken:
                position += 1
                if position >= len(sequence):
                    break
                head = sequence[position][:ENTRY_ARGUMENTS]
                waiting[head] -= 1
                was_waiting = True
            at[number] = position
            if position < len(sequence):
                heading = headed.setdefault(head, [])
                heading.append(number)
                if not waiting.get(head):
                    for each in heading if was_waiting else (number,):
                        heappush(good, each)
        while good and (
            at[good[0]] >= len(sequences[good[0]]) or waiting.get(sequences[good[0]][at[good[0]]][:ENTRY_ARGUMENTS])
        ):
            heappop(good)
        while first < len(sequences) and at[first] >= len(sequences[first]):
            first += 1
        if first == len(sequences):
            return out
        number = good[0] if good else first
        chosen = sequences[number][at[number]]
        out.append(chosen)
        taken.add(chosen[:ENTRY_ARGUMENTS])
        moving = headed.pop(chosen[:ENTRY_ARGUMENTS])
