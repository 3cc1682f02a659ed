"""OpenAPI, in YAML or JSON: operations are functions, schemas and other components structs; `$ref` means one of them,
or a file.

In: a document. Out: symbols and references.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.values import Pair, Value

_METHODS: Final = frozenset("get put post delete options head patch trace".split())
_OLD: Final = ("definitions", "parameters", "responses", "securityDefinitions")
"""Where the second version keeps what the third calls components."""


def read(walker: ConfigurationLowering, value: Value) -> None:
    for pair in value.pairs:
        if pair.key in ("paths", "webhooks"):
            for path in pair.value.pairs:
                _path(walker, path)
        elif pair.key == "components":
            for group in pair.value.pairs:
                _group(walker, group, f"#/components/{group.key}")
        elif pair.key in _OLD:
            _group(walker, pair, f"#/{pair.key}")


def _path(walker: ConfigurationLowering, path: Pair) -> None:
    for pair in path.value.pairs:
        if pair.key in _METHODS:
            named = pair.value.get("operationId")
            shown = f"{pair.key.upper()} {path.key}"
            name, byte = (named.text, named.byte) if named is not None and named.text else (shown, pair.key_byte)
            index = walker.symbol(
                "function", name, pair.start, pair.end, byte, "", 0, f"{path.key}.{pair.key}".replace("::", "."), shown
            )
            _references(walker, pair.value, index)
        else:
            _references(walker, pair.value, 0)


def _group(walker: ConfigurationLowering, group: Pair, pointer: str) -> None:
    for pair in group.value.pairs:
        qualified = f"{group.key}.{pair.key}".replace("::", ".")
        index = walker.symbol(
            "struct", pair.key, pair.start, pair.end, pair.key_byte, f"{pointer}/{pair.key}", 0, qualified
        )
        _references(walker, pair.value, index)


def _references(walker: ConfigurationLowering, value: Value, maker: int) -> None:
    pending = [value]
    while pending:
        each = pending.pop()
        pending += each.items
        for pair in each.pairs:
            text = pair.value.text
            if pair.key != "$ref" or not text:
                pending.append(pair.value)
            elif text.startswith("#/"):
                walker.means(text, pair.value.byte, maker)
            else:
                walker.names_file(pair.value.byte, [join_path(walker.folder, text.partition("#")[0])])
