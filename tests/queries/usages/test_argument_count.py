"""A call of unknown receiver with a number of arguments that a method does not take is no call of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, usages

JAVA = {
    "A.java": (
        "package p;\npublic class A {\n    public void update(int a, int b) {}\n    public void update(int a) {}\n"
        "    public void update(String first, int... more) {}\n}\n"
    ),
    "B.java": (
        "package p;\npublic class B {\n    void go(Unknown x) {\n        x.update(1);\n        x.update(1, 2);\n"
        "        x.update(1, 2, 3);\n        x.update();\n    }\n}\n"
    ),
}
PYTHON = {
    "a.py": (
        "class A:\n    def update(self, a, b=1, *, c): ...\n    def get(self, a, **more): ...\n"
        "    @wrapped\n    def close(self): ...\n"
    ),
    "b.py": (
        "def go(x, args):\n    x.update(1, 2, c=3)\n    x.update(1)\n    x.update(1, 2, 3, 4, c=4)\n"
        "    x.update(*args)\n    x.get()\n    x.get(1, a=2, b=3)\n    x.close(1)\n"
    ),
}
TYPESCRIPT = {
    "a.ts": "export class A {\n  get(a: number, b?: string) {}\n  set(a: number, b = 2, ...more: number[]) {}\n}\n",
    "b.ts": "export function go(x: any) {\n  x.get()\n  x.get(1)\n"
    "  x.get(1, 2, 3)\n  x.set()\n  x.set(1, 2, 3, 4)\n}\n",
    "c.js": "export function go(x) {\n  x.get(1, 2, 3)\n}\n",
}
CSHARP = {
    "A.cs": "static class X {\n  public static string Shout(this string s, int a, int b = 1) => s;\n}\n",
    "B.cs": "class U {\n  void F(Unknown u) {\n    u.Shout();\n    u.Shout(1);\n    u.Shout(1, 2);\n"
    "    u.Shout(u, 1, 2);\n    u.Shout(u, 1, 2, 3);\n  }\n}\n",
}


def left(root: Path, symbol: str) -> set[str]:
    return {
        f"{group.path}:{usage.site.partition(':')[0]}"
        for each in usages(root, symbol).symbols
        for group in (*each.possible, *each.unresolved)
        for usage in group.usages
    }


@pytest.mark.parametrize(
    ("files", "symbol", "lines"),
    [
        pytest.param(JAVA, "A.java:3", {"B.java:5"}, id="java"),
        pytest.param(JAVA, "A.java:4", {"B.java:4"}, id="java one"),
        pytest.param(JAVA, "A.java:5", {"B.java:4", "B.java:5", "B.java:6"}, id="java variable"),
        pytest.param(PYTHON, "A.update", {"b.py:2", "b.py:5"}, id="python"),
        pytest.param(PYTHON, "A.get", {"b.py:7"}, id="python any keywords"),
        pytest.param(PYTHON, "A.close", {"b.py:8"}, id="python decorated"),
        pytest.param(TYPESCRIPT, "A.get", {"b.ts:2", "b.ts:3", "b.ts:4", "c.js:2"}, id="typescript, which runs any"),
        pytest.param(CSHARP, "X.Shout", {"B.cs:4", "B.cs:5", "B.cs:6"}, id="an extension of C#, called in both ways"),
    ],
)
def test_what_does_not_fit_is_not_left(files: dict[str, str], symbol: str, lines: set[str], tmp_path: Path) -> None:
    root = encoded(tmp_path, files)

    assert left(root, symbol) == lines


ELIXIR = {
    "lib/till.ex": (
        "defmodule Shop.Till do\n  def open(%Till{} = till), do: till\n"
        "  def open(till, coins, note \\\\ nil), do: {till, coins, note}\n"
        "  def stop!(till), do: open(till)\nend\n"
    ),
}


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("open/1", 2), ("open/2", 3), ("&open/3", 3), ("Till.open/1", 2), ("Shop.Till.open/2", 3), ("stop!/1", 4),
        ("lib/till.ex::Shop.Till.open/1", 2),
    ],
)  # fmt: skip
def test_a_function_is_found_by_its_name_with_the_number_of_its_arguments(
    written: str, line: int, tmp_path: Path
) -> None:
    root = encoded(tmp_path, ELIXIR)
    answer = usages(root, written)

    assert [each.lines.partition("-")[0] for each in answer.symbols] == [str(line)]
    assert not answer.note


def test_a_number_of_arguments_that_nothing_takes_is_said(tmp_path: Path) -> None:
    answer = usages(encoded(tmp_path, ELIXIR), "stop!/4")

    assert [each.symbol for each in answer.symbols] == ["lib/till.ex::Shop.Till.stop!"]
    assert answer.note == "none of that name takes 4 arguments"
