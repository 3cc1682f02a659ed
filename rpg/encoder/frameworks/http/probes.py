"""What the configuration of a deployment sends: probes of Kubernetes.

In: the text of a YAML file (`Source`), of a chart's template too. Out: requests, which are sent to the program that the
file deploys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.rows import Request
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID

PROBE: Final = "probe"
_PROBE: Final = re.compile(
    r"\bhttp_?[gG]et:\s*\n(?:[ \t]+(?!path:)(?:[\w-]+:|#)[^\n]*\n){0,6}[ \t]+path:[ \t]*[\"']?(/[^\"'\s#{}]*)"
)


def requests_of_configuration(source: Source) -> Iterator[Request]:
    text = source.text
    if source.path.endswith((".yml", ".yaml")) and ("httpGet:" in text or "http_get:" in text):
        for found in _PROBE.finditer(text):
            at = found.start(1)
            site = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
            yield Request(
                PROBE, "", "", "GET", (), True, ((SAID, found[1]),), source.symbol(0), site, False, False, True
            )  # fmt: skip
