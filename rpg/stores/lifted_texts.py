"""Features and titles that a model or an agent wrote, NAME.graph.db-lifted: a file next to the index (sealed_file.py).

In: keys, texts and who wrote them. Out: the same. A key is a hash of what a text describes, so that a text is valid
until that changes, however often graph and index are rebuilt.

Ruling: none of this is in the graph, which depends on the sources alone. So an incremental encode equals a clean one
with or without these texts, and another machine shows the features and titles derived by rules.

A text whose code is gone is kept for a while: a branch may come back, and an encode may cover only a part.

Absent: which texts are acceptable (queries/lift/rules.py), which keys exist (queries/lift/gone.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import apsw

from rpg.errors import EncodeFailed
from rpg.stores.connection import BrokenIndex
from rpg.stores.sealed_file import SealedFile

ENDING = "-lifted"
FORMAT = "lifted 1"
TABLES = """
CREATE TABLE lifted (key BLOB PRIMARY KEY, text TEXT NOT NULL, provenance TEXT NOT NULL) WITHOUT ROWID;
"""


GONE = "CREATE TABLE IF NOT EXISTS gone (key BLOB PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID"
"""Keys that belonged to nothing at the last check, and the first day of that."""
KEPT_DAYS = 90
WRITTEN = frozenset({"model", "agent", "import"})
"""Authors of texts that were not derived by rules."""


class Lifted(NamedTuple):
    text: str
    provenance: str
    """model, agent or import."""


def find_lifted_path(index: Path) -> Path:
    return index.with_name(index.name + ENDING)


def key_of_symbol(qualified_name: str, text_hash: str) -> bytes:
    """The key of a symbol, without its file: a symbol that moves still does the same."""
    return _hash("symbol", qualified_name, text_hash)


def key_of_place(place: str, grounds: Iterable[str]) -> bytes:
    """The key of an area, category or feature, by its path with derived titles and the directories and files that it
    covers."""
    return _hash("place", place, *sorted(grounds))


def _hash(*parts: str) -> bytes:
    return blake2b("\0".join(parts).encode(), digest_size=12).digest()


class LiftedTexts:
    """The texts next to one index."""

    def __init__(self, index: Path) -> None:
        self._file = SealedFile(find_lifted_path(index), FORMAT, TABLES)

    def all(self) -> dict[bytes, Lifted]:
        rows = self._file.rows("SELECT key, text, provenance FROM lifted")
        return {bytes(key): Lifted(str(text), str(provenance)) for key, text, provenance in rows}

    def add(self, texts: Mapping[bytes, Lifted]) -> None:
        rows = [(key, *lifted) for key, lifted in texts.items()]
        try:
            self._file.add("INSERT OR REPLACE INTO lifted VALUES (?, ?, ?)", rows)
        except (apsw.Error, BrokenIndex, OSError) as error:
            raise EncodeFailed(
                f"cannot write {self._file.path}: {error}. Make its folder writable, then repeat the command"
            ) from error

    def drop_expired(self, present: Collection[bytes], today: int) -> int:
        """Drops the texts whose code was first missed KEPT_DAYS days ago or earlier, and says how many."""
        texts = {bytes(key) for (key,) in self._file.rows("SELECT key FROM lifted")}
        known = {bytes(key): int(since) for key, since in self._file.rows("SELECT key, since FROM gone")}
        absent = texts.difference(present)
        dropped = {key for key in absent if today - known.get(key, today) >= KEPT_DAYS}
        new = absent.difference(known)
        back = [key for key in known if key not in absent or key in dropped]
        if not (dropped or new or back):
            return 0
        try:
            self._file.write(GONE, [()])
            self._file.write("INSERT INTO gone VALUES (?, ?)", [(key, today) for key in sorted(new)])
            self._file.write("DELETE FROM lifted WHERE key = ?", [(key,) for key in dropped])
            self._file.write("DELETE FROM gone WHERE key = ?", [(key,) for key in back])
        except (apsw.Error, BrokenIndex, OSError):
            return 0  # the next time will do
        return len(dropped)

    def state(self) -> object:
        """Another one after every write."""
        return self._file.state()
