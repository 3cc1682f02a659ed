"""What the configuration of a deployment sends: probes of Kubernetes, checks of health of Compose.

In: the text of a YAML file (`Source`), of a chart's template too. Out: requests, which are sent to the program that the
file deploys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.rows import Request
from rpg.encoder.frameworks.settings.yaml_lines import entries
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.encoder.languages.configuration.kinds import is_compose

PROBE: Final = "probe"
_PROBE: Final = re.compile(
    r"\bhttp_?[gG]et:\s*\n(?:[ \t]+(?!path:)(?:[\w-]+:|#)[^\n]*\n){0,6}[ \t]+path:[ \t]*[\"']?(/[^\"'\s#{}]*)"
)
_CHECKED: Final = re.compile(r"https?://(?P<host>[\w.-]+)(?::\d+)?(?P<path>/[\w./-]*)?")
_OWN: Final = frozenset({"localhost", "127.0.0.1", "0.0.0.0"})
_LONGEST_CHECK: Final = 12
"""The most lines of a check."""


def requests_of_configuration(source: Source) -> Iterator[Request]:
    text = source.text
    if "healthcheck:" in text and "://" in text and source.language == "yaml" and is_compose(source.path):
        yield from _checks_of_compose(source)
    if source.path.endswith((".yml", ".yaml")) and ("httpGet:" in text or "http_get:" in text):
        for found in _PROBE.finditer(text):
            at = found.start(1)
            site = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
            yield Request(
                PROBE, "", "", "GET", (), True, ((SAID, found[1]),), source.symbol(0), site, False, False, True
            )  # fmt: skip


def _checks_of_compose(source: Source) -> Iterator[Request]:
    """What a container asks itself: the service that it is, whatever its host is called."""
    lines = source.text.split("\n")
    for each in entries(source.text):
        if each.key != "test" or each.around[:1] != ("services",) or each.around[2:] != ("healthcheck",):
            continue
        for number in range(each.line, min(each.line + _LONGEST_CHECK, len(lines)) + 1):
            line = lines[number - 1]
            if number > each.line and re.match(r"\s*[\w-]+:(?:\s|$)", line):
                break
            found = _CHECKED.search(line)
            if found is not None:
                host = each.around[1] if found["host"] in _OWN else found["host"]
                address = ((SAID, f"http://{host}{found['path'] or '/'}"),)
                site = number, found.start() + 1
                yield Request(PROBE, "", "", "GET", (), True, address, source.symbol(0), site, False, False, True)
                break
