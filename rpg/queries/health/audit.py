"""All kinds of findings by the name of their kind, and the baseline of known ones.

In: a question and kinds. Out: findings of each kind. A baseline is JSON: for each kind the identities of its findings,
sorted, without lines, so that an edit elsewhere in a file makes no finding new. A group of duplicates, or of files in
cycles, is known as long as it gains no member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import orjson

from rpg.errors import BadRequest
from rpg.queries.health.duplicates import duplicates
from rpg.queries.health.findings import Finding, HealthQuery
from rpg.queries.health.hubs import hubs
from rpg.queries.health.import_cycles import import_cycles
from rpg.queries.health.unused import find_unused
from rpg.text.printable import quote_text

Kind = Literal["unused", "duplicates", "cycles", "hubs"]
KINDS: dict[str, Callable[[HealthQuery], list[Finding]]] = {
    "unused": find_unused, "duplicates": duplicates, "cycles": import_cycles, "hubs": hubs,
}  # fmt: skip
AUDITED = ("unused", "duplicates", "cycles")
"""Kinds that are problems to fix."""

FORMAT = "rpg-audit-baseline"
VERSION = 1


def findings(question: HealthQuery, kind: str) -> list[Finding]:
    return KINDS[kind](question)


def list_finding_names(finding: Finding) -> list[str]:
    return finding.names or [finding.what]


def baseline_of(found: Mapping[str, Iterable[Finding]]) -> bytes:
    listed = {kind: sorted(map(list_finding_names, each)) for kind, each in sorted(found.items())}
    return orjson.dumps({"format": FORMAT, "version": VERSION, **listed}, option=orjson.OPT_INDENT_2) + b"\n"


def read_baseline(written: bytes, name: str) -> dict[str, list[frozenset[str]]]:
    """The known findings by kind. BAD_REQUEST if it is not a baseline of this version."""
    try:
        data: Any = orjson.loads(written)
    except orjson.JSONDecodeError:
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise BadRequest(f"{quote_text(name)} is not a baseline of this version: write it with --write-baseline")
    baseline: dict[str, list[frozenset[str]]] = {}
    for kind in AUDITED:
        groups = data.get(kind, [])
        if not isinstance(groups, list) or not all(
            isinstance(group, list) and all(isinstance(each, str) for each in group) for group in groups
        ):
            raise BadRequest(f"{quote_text(name)} is damaged at {kind}: write it with --write-baseline")
        baseline[kind] = [frozenset(group) for group in groups]
    return baseline


def is_known(finding: Finding, baseline: Iterable[frozenset[str]]) -> bool:
    names = frozenset(list_finding_names(finding))
    return any(names <= group for group in baseline)
