"""Calls that no client should make, from the tools' own schemas.

In: the tools. Out: `Case`s, the same ones each time. Each generator says in a line why it is there. What a right answer
is, is not known here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from rpg.tools import TOOLS
from rpg.tools.calling.registry import input_schema

GRAPH = "shop"
WRITING = frozenset({"encode", "forget"})
"""Tools whose calls go to a server of their own."""


class Case(NamedTuple):
    name: str
    """Tells it from all others; part of the test's id."""
    tool: str
    arguments: Any


NOT_NUMBERS = {"nan": float("nan"), "infinity": float("inf"), "minus-infinity": float("-inf")}
WRONG: dict[str, Any] = {
    **NOT_NUMBERS,
    "true": True,
    "zero": 0,
    "minus": -1,
    "fraction": 0.5,
    "two-to-63": 2**63,
    "minus-two-to-63": -(2**63),
    "two-to-64": 2**64,
    "400-digits": 10**400,
    "tiny": 5e-324,
    "huge-float": 1.7e308,
    "list": [],
    "list-of-null": [None],
    "list-of-list": [[["a"]]],
    "list-of-object": [{"a": 1}],
    "list-of-number": [1, 2.5],
    "object": {},
    "object-of-dunder": {"__class__": "str", "__init__": 1},
    "deep-list": None,
    "deep-object": None,
    "long-list": ["a"] * 10_000,
    "list-of-empty": [""] * 60,
}
for _ in range(100):
    WRONG["deep-list"] = [WRONG["deep-list"]]
    WRONG["deep-object"] = {"a": WRONG["deep-object"]}

TEXTS: dict[str, str] = {
    "empty": "",
    "blank": "  \t ",
    "newlines": "\n\r\n\u2028\u2029\x85",
    "nul": "shop/cart.py\0.txt",
    "controls": "".join(map(chr, range(32))) + "\x7f\x9b",
    "escape": "\x1b[2J\x1b]0;title\x07\x1b]8;;http://x\x07click",
    "lone-high-surrogate": "\ud800",
    "lone-low-surrogate": "cart\udfff.py",
    "reversed-surrogates": "\udc00\ud800",
    "noncharacter": "\ufffe\uffff\U0010ffff",
    "bidi": "\u202egnitoves\u2066\u2069\u200f",
    "zero-width": "C\u200ba\u200cr\u200dt\ufeff",
    "combining": "a" + "\u0301" * 3_000,
    "decomposed": "cafe\u0301 \u1112\u1161\u11ab",
    "ligature": "\ufb01le \u0130\u0131 \u00df \u1e9e",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 50,
    "quote": "'; DROP TABLE files; --",
    "double-quote": '" OR ""="',
    "sql-like": "%_\\%" * 50,
    "sql-union": "x' UNION SELECT source FROM files --",
    "fts": 'NEAR("a" "b") AND col:* OR NOT -^"',
    "glob": "[!a-z]*?{a,b}[[:alpha:]]",
    "glob-open": "[a-" * 2_500,
    "glob-stars": "**/" * 2_000 + "x",
    "glob-backtrack": "*a" * 300 + "b",
    "glob-braces": "{a,b}" * 200,
    "glob-negated": "!" * 1_000,
    "regex": "(a+)+$" + "a" * 100,
    "regex-open": "(((((?<x[\\",
    "format": "{0.__class__.__mro__} {x!r:>999999999} %s %n %(a)s",
    "template": "{{7*7}} ${7*7} #{7*7} <%= 7*7 %>",
    "shell": "$(touch x) `id` ; id | id && id",
    "option": "--upload-pack=touch",
    "options": "-c core.fsmonitor=touch --",
    "json": '["a", {"b": null}]',
    "json-broken": '["a", ',
    "json-list-of-lists": "[[[]]]",
    "json-deep": "[" * 5_000,
    "json-deep-closed": "[" * 3_000 + "]" * 3_000,
    "json-number": "[1e999]",
    "html": "<script>alert(1)</script><!--",
    "markdown": "> " * 400 + "x",
    "range": "shop/cart.py:0-0",
    "range-reversed": "shop/cart.py:9-1",
    "range-huge": "shop/cart.py:1-" + "9" * 5_000,
    "range-negative": "shop/cart.py:-5--1",
    "range-unicode": "shop/cart.py:\u0661-\u0663",
    "separator": "::" * 500,
    "separators": "shop/cart.py::Cart::total::",
    "dots": "." * 5_000,
    "slashes": "/" * 5_000,
    "tilde": "Cart~999999999999999999999",
    "long-word": "x" * 100_000,
    "long-words": "cart total " * 10_000,
    "long-camel": "CartTotal" * 2_000,
    "long-snake": "_a" * 20_000,
    "long-digits": "9" * 20_000,
    "long-quotes": '"' * 20_000,
    "code": "def f(x):\n    return [y for y in x if y]\n" * 500,
    "code-nested": "f(" * 3_000,
    "code-brackets": "([{" * 3_000,
    "cursor": "AAAA" * 200,
    "cursor-number": "99999999999999999999:1",
    "minus": "-1",
}
OTHER_NAMES = (
    "", "__class__", "self", "call", "arguments", "Query", "quer\u0443", "x" * 50_000, "a.b[0]", "\0", "\ud800",
    "max_token", "__proto__", "graph ",
)  # fmt: skip


def cases() -> list[Case]:
    """Of all tools."""
    return [case for tool in TOOLS for case in of_tool(tool)]


def of_tool(tool: str) -> list[Case]:
    made = [case for generator in GENERATORS for case in generator(tool)]
    return [case._replace(name=f"{tool}-{case.name}") for case in made]


def wrong_types(tool: str) -> Iterator[Case]:
    """Every argument takes one type; a client may send any other."""
    for name in properties(tool):
        for kind, value in WRONG.items():
            yield Case(f"{name}-{kind}", tool, ordinary(tool) | {name: value})


def odd_texts(tool: str) -> Iterator[Case]:
    """A text may be anything that Unicode and JSON can write."""
    for name, schema in properties(tool).items():
        if schema.get("enum"):
            continue
        if schema["type"] == "string":
            for kind, text in TEXTS.items():
                yield Case(f"{name}-{kind}", tool, ordinary(tool) | {name: text})
        elif schema["type"] == "array" and "enum" not in schema["items"]:
            for kind, text in TEXTS.items():
                yield Case(f"{name}-of-{kind}", tool, ordinary(tool) | {name: [text]})


def out_of_bounds(tool: str) -> Iterator[Case]:
    """What bounds say must be refused, and what stands at them must be answered."""
    for name, schema in properties(tool).items():
        for bound in ("minimum", "maximum"):
            for step in (-1, 0, 1) if bound in schema else ():
                yield Case(f"{name}-{bound}{step:+}", tool, ordinary(tool) | {name: schema[bound] + step})
        if schema["type"] == "array":
            most = schema.get("maxItems", 50)
            for count in (0, most, most + 1):
                item = schema["items"].get("enum", ["Cart"])[0]
                yield Case(f"{name}-{count}-items", tool, ordinary(tool) | {name: [item] * count})


def missing(tool: str) -> Iterator[Case]:
    """Nothing given, and not even an object to give it in."""
    for name in input_schema(TOOLS[tool]).get("required", []):
        yield Case(f"without-{name}", tool, {key: value for key, value in ordinary(tool).items() if key != name})
    for kind, value in (("null", None), ("empty", {}), ("list", []), ("text", "x"), ("number", 7), ("true", True)):
        yield Case(f"arguments-{kind}", tool, value)


def unknown(tool: str) -> Iterator[Case]:
    """An argument that the tool does not have is refused by name, whatever the name."""
    for number, name in enumerate(OTHER_NAMES):
        yield Case(f"unknown-{number}", tool, ordinary(tool) | {name: 1})
    yield Case("unknown-1000", tool, ordinary(tool) | {f"a{number}": number for number in range(1_000)})


def absurd(tool: str) -> Iterator[Case]:
    """Each argument alone is right; together nobody would give them."""
    chosen = random.Random(f"absurd {tool}")
    texts = [text for text in TEXTS.values() if len(text) < 4_000] + ["Cart", "Cart.total", "shop/", "./", "price"]
    for number in range(60):
        arguments = {
            name: drawn(chosen, schema, texts)
            for name, schema in properties(tool).items()
            if name != "graph" and (chosen.random() < 0.6 or name in ordinary(tool))
        }
        yield Case(f"absurd-{number}", tool, ordinary(tool) | arguments)


GENERATORS = (wrong_types, odd_texts, out_of_bounds, missing, unknown, absurd)


def properties(tool: str) -> dict[str, Any]:
    found: dict[str, Any] = input_schema(TOOLS[tool])["properties"]
    return found


def ordinary(tool: str) -> dict[str, Any]:
    """Arguments that are answered."""
    needed = {
        "search": {"query": "total of a cart"}, "fetch": {"targets": ["Cart.total"]}, "explore": {"start": ["Cart"]},
        "find_usages": {"symbol": "Cart.total"}, "get_dependencies": {"target": "shop/cart.py"}, "check": {},
        "query_code": {"question": "how is the total computed"}, "stats": {}, "encode": {}, "forget": {},
    }[tool]  # fmt: skip
    return needed | ({"graph": GRAPH} if "graph" in properties(tool) and tool != "forget" else {})


def drawn(chosen: random.Random, schema: dict[str, Any], texts: list[str]) -> Any:
    if "enum" in schema:
        return chosen.choice(schema["enum"])
    match schema["type"]:
        case "boolean":
            return chosen.random() < 0.5
        case "integer":
            return chosen.choice([schema.get("minimum", 0), schema.get("maximum", 100), 7])
        case "number":
            return chosen.choice([0, 1, 0.5, 1e-300])
        case "array":
            return [drawn(chosen, schema["items"], texts) for _ in range(chosen.choice([1, 2, 20]))]
        case _:
            return chosen.choice(texts)
