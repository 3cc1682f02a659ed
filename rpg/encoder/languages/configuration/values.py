"""Documents of keys and values, the same for YAML, JSON and TOML: maps, lists and texts, with their places.

In: a syntax tree. Out: `Value`. Numbers, dates, aliases and the like are values without a text. Anchors are not
followed.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.lowering.node import Node

_TEXTS: Final = frozenset({"plain_scalar", "block_scalar", "string"})
_QUOTED: Final = frozenset({"double_quote_scalar", "single_quote_scalar"})
_MAPS: Final = frozenset({"block_mapping", "flow_mapping", "object", "inline_table"})
_LISTS: Final = frozenset({"block_sequence", "flow_sequence", "array"})
_PAIRS: Final = frozenset({"block_mapping_pair", "flow_pair", "pair"})
_AROUND: Final = frozenset({"block_node", "flow_node", "block_sequence_item"})
_APART: Final = frozenset({"comment", "anchor", "tag", "ERROR"})


class Value:
    __slots__ = ("byte", "end", "is_list", "items", "pairs", "start", "text")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.byte = start
        """Where the text begins, behind its quote."""
        self.text = ""
        """Empty if it is no text."""
        self.is_list = False
        self.items: list[Value] = []
        self.pairs: list[Pair] = []

    def get(self, *keys: str) -> Value | None:
        """What a path of keys leads to."""
        found: Value | None = self
        for key in keys:
            found = next((pair.value for pair in found.pairs if pair.key == key), None) if found is not None else None
        return found

    def entries(self, *keys: str) -> list[Pair]:
        """The keys and values there; none if there is no map."""
        found = self.get(*keys)
        return found.pairs if found is not None else []

    def texts(self, *keys: str) -> list[Value]:
        """The text there, or those of the list there."""
        found = self.get(*keys)
        if found is None:
            return []
        return [each for each in found.items if each.text] if found.is_list else [found] if found.text else []

    def all_texts(self) -> list[Value]:
        """Every text in it, in the order of the file."""
        found: list[Value] = []
        pending = [self]
        while pending:
            value = pending.pop()
            if value.text:
                found.append(value)
            pending += reversed(value.items)
            pending += [pair.value for pair in reversed(value.pairs)]
        return found


class Pair:
    __slots__ = ("end", "key", "key_byte", "start", "value")

    def __init__(self, key: str, key_byte: int, start: int, end: int, value: Value) -> None:
        self.key = key
        self.key_byte = key_byte
        self.start = start
        self.end = end
        self.value = value


def documents(root: Node, source: bytes) -> list[Value]:
    """Those of a file of YAML or JSON."""
    holders = [child for child in root.named_children if child.type == "document"] or [root]
    return [value_of(child, source) for each in holders for child in each.named_children if child.type not in _APART]


def value_of(node: Node, source: bytes) -> Value:
    kind = node.type
    while kind in _AROUND:
        inner = [child for child in node.named_children if child.type not in _APART]
        if not inner:
            return Value(node.start_byte, node.end_byte)
        node = inner[-1]
        kind = node.type
    value = Value(node.start_byte, node.end_byte)
    if kind in _TEXTS or kind in _QUOTED:
        text = source[value.start : max(value.start, value.end)].decode("utf-8", "replace")
        quotes = _quotes(text) if kind != "plain_scalar" and kind != "block_scalar" else 0
        value.byte += quotes
        value.text = text[quotes : len(text) - quotes] if len(text) >= 2 * quotes else ""
    elif kind in _MAPS:
        for child in node.named_children:
            if child.type in _PAIRS:
                add_pair(value, child, source)
    elif kind in _LISTS:
        value.is_list = True
        value.items = [value_of(child, source) for child in node.named_children if child.type not in _APART]
    return value


def add_pair(value: Value, node: Node, source: bytes) -> None:
    """`key: value`; a key of several parts has those between."""
    parts = [child for child in node.named_children if child.type not in _APART]
    if not parts:
        return
    key, start = key_of(parts[0], source)
    inner = value_of(parts[-1], source) if len(parts) > 1 else Value(node.end_byte, node.end_byte)
    value.pairs.append(Pair(key, start, node.start_byte, node.end_byte, inner))


def key_of(node: Node, source: bytes) -> tuple[str, int]:
    """A key without its quotes, and where it begins."""
    text = source[node.start_byte : max(node.start_byte, node.end_byte)].decode("utf-8", "replace")
    quotes = 1 if len(text) > 1 and text[0] in "\"'" and text[0] == text[-1] else 0
    return text[quotes : len(text) - quotes], node.start_byte + quotes


def _quotes(text: str) -> int:
    """How many quotes are at either end."""
    if text[:3] in ('"""', "'''") and len(text) > 5:
        return 3
    return 1 if text[:1] in ("'", '"') and text[:1] == text[-1:] and len(text) > 1 else 0


class Table(Value):
    """A table of TOML: what stands under its header."""

    __slots__ = ("header", "header_byte")

    def __init__(self, start: int, end: int, header: str, header_byte: int) -> None:
        super().__init__(start, end)
        self.header = header
        """Dotted; empty above the first header."""
        self.header_byte = header_byte


def tables(root: Node, source: bytes) -> list[Table]:
    """Those of a file of TOML, in its order."""
    top = Table(root.start_byte, root.start_byte, "", root.start_byte)
    found = [top]
    for node in root.named_children:
        if node.type == "pair":
            add_pair(top, node, source)
        elif node.type in ("table", "table_array_element"):
            parts = [child for child in node.named_children if child.type not in _APART]
            if parts:
                header, byte = key_of(parts[0], source)
                table = Table(node.start_byte, node.end_byte, header.replace('"', "").replace("'", ""), byte)
                for child in parts[1:]:
                    if child.type == "pair":
                        add_pair(table, child, source)
                found.append(table)
    return found
