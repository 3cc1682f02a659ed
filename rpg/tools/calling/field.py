"""What a tool's argument declares besides its type: words for the client, and limits.

Used in `Annotated` instead of pydantic's own Field, which takes as long to import as everything else that a command
does. registry.py converts it when a schema is needed, or an argument needs more than a check of a plain type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Field:
    description: str | None = None
    ge: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    synonyms: tuple[str, ...] = ()
    """Values that mean the same as another one and are accepted without being listed."""
    guesses: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Words that people guess, by what they mean: accepted without being listed."""
    is_shown: bool = True
    """Whether a client's model sees the description and the possible values; if not, the name, the server's
    instructions or another tool makes them clear. The command line always shows them."""
    help: str = ""
    """For the help of the command line, where a model needs no description."""
    unset: str = ""
    """The effective value if it is not given; also for that help."""
    is_repeated: bool = False
    """Whether another tool lists the values: here a model sees just the type."""

    is_joined: bool = False
    """Whether a list of texts is accepted too, and means its items joined by commas."""

    @property
    def is_bounded(self) -> bool:
        return any(value is not None for value in self.bounds().values())

    def bounds(self) -> dict[str, float | None]:
        return {"ge": self.ge, "le": self.le, "min_length": self.min_length, "max_length": self.max_length}

    def judged(self) -> dict[str, Any]:
        """Keyword arguments for pydantic's Field."""
        return {"description": self.description, **self.bounds()}
