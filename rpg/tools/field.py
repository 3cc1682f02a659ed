"""What a tool's argument says of itself beside its type: words for the client, and bounds.

It stands in `Annotated` where pydantic's own Field could, which takes as long to import as all else that a command
does: registry.py makes that of it where a schema is asked for, or an argument is judged by more than a plain type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Field:
    description: str | None = None
    ge: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    synonyms: tuple[str, ...] = ()
    """Of its values those that say the same as another, and are understood without being told."""
    is_told: bool = True
    """Whether a client's model is told the description and which values there are; where not, the name says it, or the
    server's instructions do, or another tool. The command line shows them always."""

    @property
    def is_bounded(self) -> bool:
        return any(value is not None for value in self.bounds().values())

    def bounds(self) -> dict[str, float | None]:
        return {"ge": self.ge, "le": self.le, "min_length": self.min_length, "max_length": self.max_length}

    def judged(self) -> dict[str, Any]:
        """As pydantic's own takes it."""
        return {"description": self.description, **self.bounds()}
