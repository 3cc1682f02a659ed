"""One line of an inventory."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Entry:
    name: str
    """A route's path, a command's or a variable's name, a symbol, a package; `…` stands for what is computed."""
    kind: str = ""
    """A route's methods; what a symbol is."""
    handler: str = ""
    """The symbol that runs, or that it leads to."""
    by: str = ""
    """The framework or construct that says so."""
    places: list[str] = field(default_factory=list)
    """`path:line`, the first ones."""
    more: int = 0
    """How many other places there are."""
    computed: bool = False
    """Part of the name is computed when the program runs."""
    test: bool = False
