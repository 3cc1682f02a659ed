"""The model file of the sentence encoder, changed so that its table of word pieces stays int8 in memory.

In: the file that minilm.py names, whose layout is known to the byte. Out: an ONNX model that gives the same vectors.
The file unpacks the whole table to floats and then looks rows up, and onnxruntime keeps the unpacked table: 47 MB, of
which a text needs a few rows. Here the rows are looked up first.

Absent: which file it is, and running it.
"""

from __future__ import annotations

from typing import Final

_GRAPH: Final = 24
"""Where the length of the graph begins; the graph follows it. ModelProto, GraphProto and NodeProto are the messages of
onnx.proto, in the encoding of Protocol Buffers."""
_GRAPH_LENGTH_BYTES: Final = 4
_UNPACKING: Final = (0, 336)
"""The nodes that unpack the table, in the graph."""
_LOOKUP: Final = (4990, 5092)
"""The node that looks up rows of the unpacked table."""

_TABLE: Final = b"inner.embeddings.word_embeddings.weight_q"
_SCALES: Final = b"inner.embeddings.word_embeddings.weight_scale"
_PIECES: Final = b"input_ids"
_ROWS: Final = b"embedding"
_TO_FLOAT: Final = b"*\t\n\x02to\x18\x01\xa0\x01\x02"
_AXIS_0: Final = b"*\x0b\n\x04axis\x18\x00\xa0\x01\x02"
"""Attributes, as the file has them."""


def shrink_table(model: bytes) -> list[bytes | memoryview]:
    """The pieces of the changed file, in order."""
    nodes = b"".join((
        _node(b"Gather", (_TABLE, _PIECES), b"packed_rows", _AXIS_0),
        _node(b"Gather", (_SCALES, _PIECES), b"scales_of_rows", _AXIS_0),
        _node(b"Cast", (b"packed_rows",), b"unscaled_rows", _TO_FLOAT),
        _node(b"Mul", (b"unscaled_rows", b"scales_of_rows"), _ROWS),
    ))  # fmt: skip
    whole = memoryview(model)
    start = _GRAPH + _GRAPH_LENGTH_BYTES
    graph_length = _read_number(whole[_GRAPH:start])
    graph, rest = whole[start : start + graph_length], whole[start + graph_length :]
    graph_parts = [graph[: _UNPACKING[0]], graph[_UNPACKING[1] : _LOOKUP[0]], graph[_LOOKUP[1] :]]
    return [whole[:_GRAPH], _number(len(nodes) + sum(map(len, graph_parts))), nodes, *graph_parts, rest]


def _node(operation: bytes, inputs: tuple[bytes, ...], output: bytes, attribute: bytes = b"") -> bytes:
    """A node of a graph, named like its output."""
    fields = [*(_field(1, each) for each in inputs), _field(2, output), _field(3, output), _field(4, operation)]
    return _field(1, b"".join(fields) + attribute)


def _field(tag: int, value: bytes) -> bytes:
    """A field of variable length."""
    return bytes([tag << 3 | 2]) + _number(len(value)) + value


def _number(value: int) -> bytes:
    """Seven bits in each byte, the lowest first; all but the last byte have the highest bit."""
    sevens = []
    while value > 127:
        sevens.append(value & 127 | 128)
        value >>= 7
    return bytes([*sevens, value])


def _read_number(encoded: memoryview) -> int:
    return sum((byte & 127) << 7 * place for place, byte in enumerate(encoded))
