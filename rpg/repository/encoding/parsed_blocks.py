"""What blocks of an index mean, kept from one question about an edit to the next: most edits leave most of them as they
are, and reading them again would take most of the time of an answer.

In: stored blocks. Out: facts of files, and parts of the survey, which nobody changes. A block is known by its bytes, so
that it does not matter which generation of the index it is from. What was used last is kept, up to a size.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import survey_part
from rpg.system.compression import decompress

MOST_BYTES: Final = 4 << 20
"""Of the blocks as they are stored; in memory they take about ten times as much."""

_lock = threading.Lock()
_known: dict[tuple[str, str], tuple[bytes, Any]] = {}
"""By kind and name, those last that were used last."""
_size = 0


def read_facts(path: str, packed: bytes) -> FileFacts:
    found: FileFacts = _read("facts", path, packed, _unpack)
    return found


def read_survey_part(name: str, data: bytes) -> Any:
    return _read("survey", name, data, survey_part)


def forget() -> None:
    global _size
    with _lock:
        _known.clear()
        _size = 0


def _unpack(packed: bytes) -> FileFacts:
    return unpack(decompress(packed))


def _read(kind: str, name: str, data: bytes, parse: Callable[[bytes], Any]) -> Any:
    global _size
    key = kind, name
    with _lock:
        known = _known.pop(key, None)
        if known is not None and known[0] == data:
            _known[key] = known
            return known[1]
        if known is not None:
            _size -= len(known[0])
    found = parse(data)
    with _lock:
        if key not in _known:
            _known[key] = data, found
            _size += len(data)
        while _size > MOST_BYTES and len(_known) > 1:
            _size -= len(_known.pop(next(iter(_known)))[0])
    return found
