"""What a tool's argument says of itself beside its type: words for the client, and bounds.

It stands in `Annotated` where pydantic's own Field could, which takes as long to import as all else that a command
does: registry.py makes that of it where a schema is asked for, or an argument is judged by more than a plain type.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Field:
    description: str | None = None
    ge: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    @property
    def is_bounded(self) -> bool:
        return any(value is not None for name, value in vars(self).items() if name != "description")
