"""Which files have rules of gateways, and the reader of each.

In: a file of settings (`Source`). Out: rules as rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.gateways.development import rules_of_development
from rpg.encoder.frameworks.http.gateways.nginx import rules_of_nginx
from rpg.encoder.frameworks.http.gateways.services import rules_of_json, rules_of_yaml
from rpg.encoder.frameworks.rows import Setting
from rpg.encoder.frameworks.settings import files
from rpg.encoder.frameworks.source import Source

GATEWAY_KINDS: Final = frozenset({files.GATEWAY, files.APPSETTINGS, files.KEYS})
_CODE: Final = frozenset("javascript typescript".split())


def rules_of(source: Source) -> Iterator[Setting]:
    if source.language in _CODE:
        yield from rules_of_development(source)
    elif source.path.endswith(".json"):
        yield from rules_of_json(source)
        yield from rules_of_development(source)
    elif source.path.endswith((".yml", ".yaml")):
        yield from rules_of_yaml(source)
    else:
        yield from rules_of_nginx(source)
