"""Click (and Typer): decorators of a group, itself a decorated function, register commands.

In: a decorator's name. Out: whether it registers.
"""

from __future__ import annotations

from rpg.encoder.resolve.frameworks.plugin import Plugin

_REGISTERING = frozenset({"command", "group", "result_callback", "callback"})


class Click(Plugin):
    library = frozenset({"click", "typer"})
    own = frozenset({"click", "typer"})

    def registers(self, name: str) -> bool:
        head, _, last = name.removesuffix("()").rpartition(".")
        # A method of the module itself needs no group; a group is the result of a call.
        return last in _REGISTERING and head.endswith("()") and head.partition(".")[0] in self.library
