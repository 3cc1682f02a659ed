"""Which names of members are computed: in a literal or a class, the expression in brackets says what the name is.

In: the name of a symbol. Out: that expression. `[Symbol.iterator]` is a name that the language gives.
"""

from __future__ import annotations

_OF_LANGUAGE = "[Symbol."


def key_of(name: str) -> str | None:
    """The expression by which a member is named, `Keys.OPEN` of `[Keys.OPEN]`; None for a plain name."""
    is_computed = name.startswith("[") and not name.startswith(_OF_LANGUAGE)
    return name[1:].removesuffix("]") if is_computed else None
