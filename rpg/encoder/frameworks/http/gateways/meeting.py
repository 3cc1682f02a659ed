"""Which rule of a gateway a request meets.

In: the rules of all files. Out: for a request, the addresses that gateways make of its own, the gateway of its own
program first. A gateway is that of a program where its file lies in the program's folder; then what it says is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from rpg.encoder.frameworks.http.addresses import Address
from rpg.encoder.frameworks.http.gateways.rules import EXACT, PATTERN, PROXY, Rule, hand_on, rule_of, takes
from rpg.encoder.frameworks.rows import FileRows

_OF_DEPLOYMENT: Final = re.compile(
    r"(?:^|/)(?:nginx|conf(?:ig)?(?:\.d|s)?|docker|deploy(?:ment)?|etc|templates|infra|ops|proxy|src/main/resources)(?:/.*)?$"
)
"""What a folder of a program is called in which its gateway's file lies."""


class Passed(NamedTuple):
    """What becomes of an address."""

    address: Address
    own: bool
    """Whether the gateway is that of the program that sends."""


class Gateways:
    def __init__(self, files: Mapping[str, FileRows]) -> None:
        self._rules: list[tuple[str, str, list[Rule]]] = []
        """Folder, file and rules, the best first."""
        for path, rows in files.items():
            rules = [rule_of(each) for each in rows.settings if each.space == PROXY]
            if rules:
                self._rules.append((_OF_DEPLOYMENT.sub("", path.rpartition("/")[0]), path, _ordered(rules)))

    def __bool__(self) -> bool:
        return bool(self._rules)

    def pass_on(self, address: Address, sender: str) -> Iterable[list[Passed]]:
        """What may become of an address: of the gateways of the program that sends, the nearest first, then of all
        others. Each list has one gateway at least, and all that are as near."""
        by_depth: dict[int, list[Passed]] = {}
        for folder, path, rules in self._rules:
            is_own = sender.startswith(f"{folder}/") if folder else True
            rule = next((each for each in rules if takes(each, address.path)), None)
            if rule is None or path == sender:
                continue
            path_behind = hand_on(rule, address.path)
            whole = address.known or address.is_relative
            behind = Address(rule.host, path_behind, whole and bool(rule.host))
            depth = folder.count("/") + 1 if folder and is_own else 0 if is_own else -1
            by_depth.setdefault(depth, []).append(Passed(behind, is_own))
        for depth in sorted(by_depth, reverse=True):
            yield by_depth[depth]


def _ordered(rules: list[Rule]) -> list[Rule]:
    """As a gateway tries them: what a path is, patterns in their order, then the longest that it begins with."""
    exact = [each for each in rules if each.kind == EXACT]
    patterns = [each for each in rules if each.kind == PATTERN]
    return exact + patterns + sorted((each for each in rules if each not in exact + patterns), key=_shortness)


def _shortness(rule: Rule) -> tuple[int, str]:
    return -len(rule.path), rule.path
