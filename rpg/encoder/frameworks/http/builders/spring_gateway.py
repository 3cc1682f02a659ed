"""What Spring Cloud Gateway hands on: `.route(r -> r.path("/orders").and().method("POST").uri("http://orders"))`.

In: a file (`Source`). Out: requests to the services behind. Absent: routes that only a configuration states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.rows import Request
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import HOLE, SAID, Part, join_parts
from rpg.graph import FUNCTION_KINDS

_ROUTE: Final = re.compile(r"\.path\(\s*\"(?P<path>/[^\"\n]*)\"\s*\)(?P<rest>[^;]*?)\.uri\(", re.DOTALL)
_METHOD: Final = re.compile(r"\.method\(\s*(?:\"|HttpMethod\.)(\w+)")


def gateway_requests(source: Source) -> Iterator[Request]:
    if source.language not in ("java", "kotlin") or not any("cloud.gateway" in each for each in source.modules):
        return
    for found in _ROUTE.finditer(source.text):
        if source.is_comment(found.start()) or ".path(" in found["rest"]:
            continue
        parts: list[Part] = []
        for at, each in enumerate(found["path"].split("**")):
            parts += [(HOLE, ""), (SAID, each)] if at else [(SAID, each)]
        method = _METHOD.search(found["rest"])
        maker = source.innermost(found.start(), FUNCTION_KINDS)
        yield Request(
            "Spring Cloud Gateway", "", "", method[1].upper() if method else "", (), True, join_parts(parts),
            source.symbol(maker), source.place(found.start("path")), False, False, True,
        )  # fmt: skip
