"""Messages that are none are refused with a code and their id; good ones pass."""

from __future__ import annotations

import json

import pytest

from rpg.server.messages import LARGEST, LONGEST_ID, Refusal, id_within, parse_message

GOOD = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def with_(**fields: object) -> bytes:
    return json.dumps({**GOOD, **fields}).encode()


@pytest.mark.parametrize(
    "message",
    [
        {}, {"id": "one"}, {"id": -5}, {"id": ""}, {"params": {}}, {"params": None}, {"params": {"a": [1, 2]}},
        {"id": 2**63 - 1}, {"params": {"a": [[]] * 500}},
    ],
)  # fmt: skip
def test_a_request_passes(message: dict[str, object]) -> None:
    assert parse_message(with_(**message)) == {**GOOD, **message}


def test_notifications_and_answers_pass() -> None:
    for message in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}},
    ):
        assert parse_message(json.dumps(message).encode()) == message


@pytest.mark.parametrize(
    ("data", "code", "id"),
    [
        (b"no json", -32700, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {', -32700, 7),
        (b'{"id": "seven", "method": "a\\ud800"}', -32700, "seven"),
        (b'{"id": 7, "method": "a\xff"}', -32700, 7),
        (b'{"id": 7, "method": "a\x00b"}', -32700, 7),
        (b'{"method": "x", "params": {"id": 3}, "id": 7,', -32700, 7),
        (b'{"method": "x", "params": {"id": 3},', -32700, None),
        (b'{"method": "\\"id\\": 3", "id": 7,', -32700, 7),
        (b'{"id": 7, "a": ' + b"[" * 2000 + b"]" * 2000 + b"}", -32700, 7),
        (b"[]", -32600, None),
        (b"[" + json.dumps(GOOD).encode() + b"]", -32600, None),
        (b"5", -32600, None),
        (b"null", -32600, None),
        (with_(params=[1]), -32600, 1),
        (with_(params="x"), -32600, 1),
        (with_(params=json.loads("[" * 150 + "]" * 150)), -32600, 1),
        (with_(params={"a": json.loads("[" * 150 + "]" * 150)}), -32600, 1),
        (with_(jsonrpc="1.0"), -32600, 1),
        (with_(jsonrpc=None), -32600, 1),
        (b'{"id": 3, "method": "ping"}', -32600, 3),
        (with_(method=5), -32600, 1),
        (with_(id=None), -32600, None),
        (with_(id=True), -32600, None),
        (with_(id={}), -32600, None),
        (with_(id=1.5), -32600, 1.5),
        (with_(id=2**80), -32600, float(2**80)),
        (with_(id="x" * (LONGEST_ID + 1)), -32600, None),
        (b'{"jsonrpc": "2.0", "id": 4}', -32600, 4),
        (with_(params={"a": "x" * LARGEST}), -32600, 1),
    ],
)
def test_what_is_not_a_message_is_refused_with_its_id(data: bytes, code: int, id: object) -> None:
    refusal = parse_message(data)

    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.id) == (code, id)
    assert len(refusal.encode_json()) < 400


@pytest.mark.parametrize("data", [b'"' * 60_000, b'\\"' * 30_000, b"{" * 60_000, b'{"id":' * 10_000, b"\\" * 60_000])
def test_looking_for_an_id_ends(data: bytes) -> None:
    assert id_within(data) is None
