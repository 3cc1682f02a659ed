"""One line of an inventory."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Entry:
    name: str
    """A route's path, a command's or a variable's name, a symbol, a package; `…` stands for a computed part."""
    kind: str = ""
    """The methods of a route; the kind of a symbol."""
    handler: str = ""
    """The symbol that runs, or that it leads to."""
    by: str = ""
    """The framework or construct that registers it."""
    places: list[str] = field(default_factory=list)
    """`path:line`, the first ones."""
    more: int = 0
    """How many other places there are."""
    computed: bool = False
    """Part of the name is computed when the program runs."""
    test: bool = False
