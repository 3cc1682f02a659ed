"""Parts of charts that one template of Helm defines and others put in: `{{ include "shop.labels" . }}`.

In: a template of a chart (`Source`). Out: rows of both sides. Absent: what a library chart outside the repository
defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.by_text.literals import LineCounter
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID

PART: Final = "part of a chart"
BY: Final = "Helm template"
_DEFINED: Final = re.compile(r"\{\{-?\s*define\s+\"(?P<key>[\w./-]+)\"")
_PUT_IN: Final = re.compile(r"\b(?:include|template)\s+\"(?P<key>[\w./-]+)\"")


def parts_of(source: Source) -> Iterator[Setting]:
    chart = source.path.rpartition("/templates/")[0]
    lines = LineCounter(source.text)
    for found in _DEFINED.finditer(source.text):
        yield Setting(PART, found["key"], source.symbol(0), lines.line(found.start("key")), BY, chart, True)


def named_parts(source: Source) -> Iterator[Reading]:
    lines = LineCounter(source.text)
    for found in _PUT_IN.finditer(source.text) if "{{" in source.text else ():
        at = found.start("key")
        site = lines.line(at), at - source.text.rfind("\n", 0, at)
        yield Reading(PART, ((SAID, found["key"]),), source.symbol(0), site, False)
