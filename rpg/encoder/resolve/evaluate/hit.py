"""Where a member was found."""

from __future__ import annotations

from typing import NamedTuple

from rpg.encoder.resolve.values.mro import Owner
from rpg.encoder.resolve.values.values import Values


class Hit(NamedTuple):
    definitions: tuple[Owner, ...]
    owner: Owner
    distance: int
    """0: in the class itself."""
    arguments: tuple[Values, ...]
    """Type arguments of the owner, for its type variables."""
