"""A model's file that an installed package carries. No code of the package is run.

In: the package, the file's path in it, its SHA-256. Out: where it is, once it is the known file. Absent: what it
is for.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import NamedTuple

from rpg.errors import ModelUnavailable


class PackagedFile(NamedTuple):
    package: str
    path: str
    sha256: str

    def is_installed(self) -> bool:
        return self.location() is not None

    def location(self) -> Path | None:
        """Where it should be, whatever is there; None if the package is not installed."""
        spec = importlib.util.find_spec(self.package)
        return None if spec is None or spec.origin is None else Path(spec.origin).parent / self.path

    def verify(self, path: Path, called: str, install: str) -> None:
        """MODEL_UNAVAILABLE if it cannot be read, or is another file. It is read in pieces: it may be large."""
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelUnavailable(f"{path} cannot be read ({error.strerror}): {install}") from None
        if found != self.sha256:
            raise ModelUnavailable(f"{path} is not the file that {called} stands for: {install}")
