"""How often each rule is right, by language: the measured table, and what follows from it.

In: a language and a rule. Out: whether its edges are certain. Only `bin/bench edges` writes the table, confidence.json.
An edge is judged by its site: it counts if the gold knows what that line and column refer to. Where the gold leaves
that open, the calls recorded while the repository's tests ran decide; operators and registrations are judged only by
that record.
"""

from __future__ import annotations

import json
from pathlib import Path

from rpg.graph import CERTAIN_FROM, POSSIBLE_VIAS

_FILE = Path(__file__).with_name("confidence.json")
CONFIDENCE: dict[str, dict[str, float]] = json.loads(_FILE.read_text()) if _FILE.exists() else {}


def is_certain(language: str, via: str) -> bool:
    """Whether a rule's edges count as certain; a rule that was never measured does."""
    return via not in POSSIBLE_VIAS and CONFIDENCE.get(language, {}).get(via, 1.0) >= CERTAIN_FROM
