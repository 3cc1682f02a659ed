"""Which edges are certain: by the measured share of the rule that found them, in their language.

In: the graph's header, whose `confidence` has the measured share of right edges for each language and rule. Out:
certain or possible. A rule that was never measured in a language has no confidence and counts as certain, unless it is
never certain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rpg.graph import CERTAIN_FROM, POSSIBLE_VIAS


def confidence(header: Mapping[str, Any], via: str, language: str) -> float | None:
    measured = header.get("confidence", {}).get(language, {}).get(via)
    return float(measured) if measured is not None else None


def is_certain(header: Mapping[str, Any], via: str, language: str) -> bool:
    if via in POSSIBLE_VIAS:
        return False
    measured = confidence(header, via, language)
    return measured is None or measured >= CERTAIN_FROM
