"""A script without a suffix is in the language of the program that its first line names."""

from __future__ import annotations

import pytest

from rpg.encoder.languages import find_language
from rpg.encoder.parsing.parse import parse


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/usr/bin/env lua", "lua"),
        ("#!/usr/bin/lua5.3", "lua"),
        ("#!/usr/bin/env luajit", "lua"),
        ("#!/usr/bin/env texlua", "lua"),
        ("#!/usr/bin/env -S deno run --allow-read", "typescript"),
        ("#!/usr/bin/env bun", "typescript"),
        ("#!/usr/bin/env node", "javascript"),
        ("#!/usr/bin/env php8.2", "php"),
        ("#!/usr/bin/python3.12", "python"),
        ("#!/usr/bin/env python3", "python"),
        ("#!/usr/bin/ruby2.7", "ruby"),
        ("#!/usr/bin/env scala-cli", "scala"),
        ("#!/usr/bin/env kotlin", "kotlin"),
        ("#!/bin/dash", "bash"),
        ("#!/usr/bin/env elixir", "elixir"),
        ("#!/usr/bin/env escript", "erlang"),
        ("#!/usr/bin/env perl5", "perl"),
        ("#!/usr/bin/env luac-of-somebody", "unparsed"),
        ("#!/usr/bin/env 5", "unparsed"),
        ("-- lua", "unparsed"),
    ],
)
def test_the_first_line_of_a_script_says_its_language(line: str, language: str) -> None:
    assert find_language("bin/tool", f"{line}\n".encode()).name == language


def test_a_suffix_counts_more_than_the_first_line() -> None:
    assert find_language("tool.py", b"#!/usr/bin/env lua\n").name == "python"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("#!/usr/bin/env lua", "local function total() return 1 end"),
        ("#!/usr/bin/env php", "<?php function total() { return 1; }"),
        ("#!/usr/bin/env -S deno run", "function total(): number { return 1; }"),
        ("#!/usr/bin/env scala", "def total: Int = 1"),
        ("#!/usr/bin/env kotlin", "fun total(): Int = 1"),
    ],
)
def test_a_script_has_its_functions(line: str, code: str) -> None:
    source = f"{line}\n{code}\n".encode()

    facts = parse("bin/tool", find_language("bin/tool", source), source)

    assert [each.name for each in facts.definitions if each.kind == "function"] == ["total"]
    assert not facts.problems
