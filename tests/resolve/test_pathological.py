"""Code that nobody writes: no construct makes resolution explode. What is counted are evaluations, never seconds;
what took hours is only asked to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rpg.encoder.languages import find_language
from rpg.encoder.parsing.parse import parse
from rpg.encoder.parsing.worker_pool import EncodedFile, parse_all
from rpg.encoder.resolve import Resolution, resolution
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.values.fixpoint import STEPS, Fixpoint
from rpg.encoder.resolve.values.values import INST, MOST, Values
from rpg.encoder.source_files.selection import Entry
from rpg.system.compression import decompress
from rpg.system.stamp import NO_STAMP

SIZE = 130
"""Over the depth at which an evaluation gives up."""


def chained_calls(size: int) -> dict[str, str]:
    return {"a.py": "class A:\n    def step(self):\n        return self\n\nA()" + ".step()" * size + "\n"}


def nested_calls(size: int) -> dict[str, str]:
    return {"a.py": "def same(x):\n    return x\n\n" + "same(" * size + "1" + ")" * size + "\n"}


def attribute_chain(size: int) -> dict[str, str]:
    return {
        "a.py": "class Node:\n    def __init__(self):\n        self.next = Node()\n\nNode()" + ".next" * size + "\n"
    }


def nested_lambdas(size: int) -> dict[str, str]:
    return {"a.py": "f = " + "lambda: " * size + "1\nf" + "()" * size + "\n"}


def nested_functions(size: int) -> dict[str, str]:
    lines = [f"{'  ' * depth}def f{depth}(x):" for depth in range(size)]
    return {
        "a.py": "\n".join(lines) + f"\n{'  ' * size}return " + "+".join(f"f{depth}" for depth in range(size)) + "\n"
    }


def huge_union(size: int) -> dict[str, str]:
    classes = "".join(f"class C{i}:\n    def run(self): ...\n" for i in range(size))
    names = " | ".join(f"C{i}" for i in range(size))
    return {"a.py": f"{classes}\ndef use(x: {names}):\n    x.run()\n" + "    x.run()\n" * size}


def assigned_in_every_branch(size: int) -> dict[str, str]:
    classes = "".join(f"class C{i}:\n    def run(self): ...\n" for i in range(size))
    branches = "".join(f"    if x == {i}:\n        y = C{i}()\n        y.run()\n" for i in range(size))
    return {"a.py": f"{classes}\ndef use(x):\n    y = None\n{branches}    y.run()\n"}


def mutual_recursion(size: int) -> dict[str, str]:
    functions = "".join(
        f"def f{i}(x):\n    return f{(i + 1) % size}(x) or f{(i * 7 + 3) % size}(x)\n\n" for i in range(size)
    )
    return {"a.py": functions + "f0(1).run()\n"}


def everything_calls_everything(size: int) -> dict[str, str]:
    calls = "".join(f"    x = f{i}(x)\n" for i in range(size))
    return {"a.py": "".join(f"def f{i}(x):\n{calls}    return x\n\n" for i in range(size // 8)) + "f0(1)\n"}


def classes_in_a_chain(size: int) -> dict[str, str]:
    chain = "".join(f"class C{i}(C{i - 1}):\n    def m{i}(self):\n        return self.m0()\n" for i in range(1, size))
    return {"a.py": f"class C0:\n    def m0(self):\n        return self\n{chain}C{size - 1}().m0().m1()\n"}


def inheritance_in_lattices(size: int) -> dict[str, str]:
    rows = "".join(
        f"class L{i}(L{i - 1}, R{i - 1}): ...\nclass R{i}(L{i - 1}, R{i - 1}): ...\n" for i in range(1, size)
    )
    return {"a.py": f"class L0:\n    def run(self): ...\nclass R0: ...\n{rows}L{size - 1}().run()\n"}


def decorators_of_each_other(size: int) -> dict[str, str]:
    size //= 4  # each costs its whole budget
    return {
        "a.py": "".join(
            f"@d{(i + 1) % size}\ndef d{i}(f):\n    @d{(i + 2) % size}\n    def inner(*a):\n        return f(*a)\n"
            "    return inner\n\n"
            for i in range(size)
        )
        + "d0(d1)(d2)()\n"
    }


def star_imports_in_a_cycle(size: int) -> dict[str, str]:
    def module(i: int) -> str:
        return f"from m{(i + 1) % size} import *\nfrom m{(i * 5 + 2) % size} import *\n\ndef f{i}():\n    return g()\n"

    return {f"m{i}.py": module(i) for i in range(size)} | {"a.py": "from m0 import *\n\nnowhere()\nf3()\n"}


def exports_in_a_cycle(size: int) -> dict[str, str]:
    def module(i: int) -> str:
        stars = f'export * from "./m{(i + 1) % size}";\nexport * from "./m{(i * 5 + 2) % size}";\n'
        return f"{stars}export function f{i}() {{}}\n"

    return {f"m{i}.ts": module(i) for i in range(size)} | {
        "a.ts": 'import { f3, nowhere } from "./m0";\nf3();\nnowhere();\n'
    }


def containers_in_containers(size: int) -> dict[str, str]:
    growing = "".join("x = [x, {'a': x}, (x, x)]\nx[0][1]['a'].run()\n" for _ in range(size))
    return {"a.py": f"x = []\n{growing}x.append(x)\nfor y in x:\n    for z in y:\n        z.run()\n"}


def generics_in_generics(size: int) -> dict[str, str]:
    wrapped = "Box<" * size + "string" + ">" * size
    return {
        "a.ts": "class Box<T> {\n  constructor(public item: T) {}\n  twice(): Box<Box<T>> { return null as any }\n}\n"
        f"let b: {wrapped};\nb" + ".item" * size + ";\nb" + ".twice()" * size + ";\n"
    }


def aliases_of_aliases(size: int) -> dict[str, str]:
    aliases = "".join(f"type A{i} = A{i - 1} | A{(i + 1) % size} | {{ x: A{i - 1} }};\n" for i in range(1, size))
    return {"a.ts": f"type A0 = A{size - 1} | string;\n{aliases}let a: A{size // 2};\na.x.x.x.run();\n"}


def spreads_in_a_cycle(size: int) -> dict[str, str]:
    return {
        "a.ts": "".join(f"const o{i} = {{ ...o{(i + 1) % size}, ...o{(i * 3 + 1) % size} }};\n" for i in range(size))
        + "o0.run();\n"
    }


def values_passed_around(size: int) -> dict[str, str]:
    functions = "".join(f"def f{i}(g, h):\n    g(h, g)\n    f{(i + 1) % size}(f{i}, h)\n" for i in range(size))
    return {"a.py": functions + "".join(f"f{i}(f{(i * 3) % size}, f{(i + 5) % size})\n" for i in range(size))}


def fields_of_each_other(size: int) -> dict[str, str]:
    classes = "".join(
        f"class C{i}:\n    def __init__(self, other):\n        self.other = other\n"
        f"        self.next = C{(i + 1) % size}(self)\n"
        "    def walk(self):\n        return self.next.walk() or self.other.walk()\n"
        for i in range(size)
    )
    return {"a.py": classes + "C0(None).walk().next.other.walk()\n"}


def overrides_that_return_each_other(size: int) -> dict[str, str]:
    base = (
        "class B:\n    def make(self):\n        return self.again()\n    def again(self):\n        return self.make()\n"
    )
    below = "".join(
        f"class C{i}(B):\n    def again(self):\n        return C{(i + 1) % size}().make()\n" for i in range(size)
    )
    return {"a.py": base + below + "".join(f"C{i}().make().again()\n" for i in range(size))}


def last_of_a_long_list(size: int) -> dict[str, str]:
    return {"a.py": f"def last(): ...\n\nhandlers = [{'print, ' * size}last]\nhandlers[{size}]()\n"}


def numbers_of_thousands_of_digits(size: int) -> dict[str, str]:
    number = "9" * size
    return {
        "a.py": f"def last(): ...\n\nhandlers = [last]\nhandlers[{number}]()\nhandlers[-{number}]()\nlast()\n",
        "b.ex": f"defmodule B do\n  def run, do: Enum.map([], &run/{number})\nend\n",
    }


def conditions_in_conditions(size: int) -> dict[str, str]:
    tests = " or ".join(f"isinstance(x, C{i})" for i in range(size))
    classes = "".join(f"class C{i}:\n    def run(self): ...\n" for i in range(size))
    return {
        "a.py": f"{classes}\ndef use(x):\n    if {tests}:\n        x.run()\n"
        f"    return {' and '.join(['x.run()'] * size)}\n"
    }


CASES: list[Callable[[int], dict[str, str]]] = [
    chained_calls, nested_calls, attribute_chain, nested_lambdas, nested_functions, huge_union,
    assigned_in_every_branch, mutual_recursion, everything_calls_everything, classes_in_a_chain,
    inheritance_in_lattices, decorators_of_each_other, star_imports_in_a_cycle, exports_in_a_cycle,
    containers_in_containers, generics_in_generics, aliases_of_aliases, spreads_in_a_cycle, values_passed_around,
    fields_of_each_other, overrides_that_return_each_other, conditions_in_conditions,
]  # fmt: skip


def resolved(sources: dict[str, str]) -> Resolution:
    facts = []
    for path, source in sources.items():
        language = find_language(path)
        assert language is not None
        facts.append(parse(path, language, source.encode()))
    return resolution(facts, lambda path: b"")


class Counted:
    """Evaluations of an evaluator, counted where all of them pass."""

    def __init__(self) -> None:
        self.evaluations = 0
        self.widest = 0

    def run(self, sources: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Resolution:
        goes_round, ended = Evaluator.goes_round, Evaluator.ended

        def counting(evaluator: Evaluator, frame: Any, value: Values) -> bool:
            self.evaluations += 1
            return goes_round(evaluator, frame, value)

        def measuring(evaluator: Evaluator, frame: Any, value: Values) -> Values:
            values = ended(evaluator, frame, value)
            self.widest = max(self.widest, len(values))
            return values

        with monkeypatch.context() as patched:
            patched.setattr(Evaluator, "goes_round", counting)
            patched.setattr(Evaluator, "ended", measuring)
            return resolved(sources)


@pytest.mark.invariant(
    "edges",
    "no construct makes the cost of resolution explode, nor that of following a name into another repository",
)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_what_a_reference_costs_does_not_grow_with_the_code(
    case: Callable[[int], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = Counted()
    found = count.run(case(SIZE), monkeypatch)
    sites = sum(map(len, found.outcomes.values()))

    assert sites, "nothing was looked up: the case says nothing"
    # A reference has its budget in the first round, and again where what it depends on has changed.
    assert count.evaluations <= 2 * STEPS * sites
    assert count.widest <= MOST


@pytest.mark.parametrize(
    ("sources", "target"),
    [
        (classes_in_a_chain(1000), "C0.m0"),
        (chained_calls(1000), "A.step"),
        (star_imports_in_a_cycle(100), "f3"),
        (overrides_that_return_each_other(30), "B.make"),
        (last_of_a_long_list(1000), "last"),
        (numbers_of_thousands_of_digits(5000), "last"),
    ],
    ids=[
        "classes in a chain", "calls in a chain", "star imports in a cycle", "overrides in a cycle", "a long list",
        "long numbers",
    ],
)  # fmt: skip
def test_what_is_long_but_plain_is_still_found(sources: dict[str, str], target: str) -> None:
    found = resolved(sources)
    program = found.evaluator.program
    targets = [
        program.definition(each.file, each.definition).qualified_name
        for file in program.files
        if file.path == "a.py"
        for outcome in found.outcomes[file.index]
        for each in outcome.targets
    ]

    assert target in targets


def test_an_order_does_not_depend_on_which_class_was_asked_for_first() -> None:
    lattice = {"a.py": inheritance_in_lattices(12)["a.py"] + "class X(Y, L3): ...\nclass Y(Z): ...\nclass Z(X): ...\n"}

    def orders(turned: bool) -> dict[int, object]:
        classes = resolved(lattice).evaluator.classes
        classes.orders.known.clear()
        indexes = [index for index, each in enumerate(classes.files[0].definitions) if each.kind == "class"]
        return {index: classes.order(0, index) for index in (reversed(indexes) if turned else indexes)}

    assert orders(turned=False) == orders(turned=True)


def notebook(cell: str, count: int) -> str:
    """In one line, like all that a program writes without spaces."""
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell}] * count
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "if a:\n x=1\n" + "elif a:\n x=1\n" * 20_000),
        ("a.py", "def f(x):\n if x: pass\n" + " elif isinstance(x, int): x.run()\n" * 3_000),
        ("a.py", "def f(a):\n match a:\n" + "  case 1: x=1\n" * 20_000),
        ("a.js", "switch(a){" + "case 1: x=1;break;\n" * 10_000 + "}"),
        ("a.go", "package a\nfunc f(){\nswitch a {\n" + "case 1: x=1\n" * 10_000 + "}}\n"),
        ("a.py", "x = [" + "1," * 100_000 + "]\n"),
        (
            "A.java",
            "class A { " + "".join(f"void m{i}() {{ if (x > {i}) {{ m(); }} }} " for i in range(15_000)) + "}\n",
        ),
        ("a.ipynb", notebook("def f():\n    return f(1) + 1\n", 12_000)),
    ],
    ids=["elif", "elif isinstance", "case", "switch", "switch in Go", "list", "methods in one line", "cells"],
)
def test_what_is_repeated_thousands_of_times_takes_linear_time(path: str, source: str) -> None:
    """Far below what a file may take, where it was minutes and hours."""
    [file] = parse_all([(Entry(path, len(source), NO_STAMP, path), source.encode())], masks=True, read_ns=0)
    assert isinstance(file, EncodedFile)
    assert file.skipped == ""
    command = [sys.executable, "-c", RESOLVED_ALONE]
    done = subprocess.run(command, input=decompress(file.facts), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


RESOLVED_ALONE = """
import resource, sys
from rpg.encoder.confidence import is_certain
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import resolve
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
resolve([unpack(sys.stdin.buffer.read())], [], lambda path: b"", is_certain, ())
"""


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("m{}.py", "from m{} import f\nf()\n"),
        ("m{}.py", "from m{} import *\nf()\n"),
        ("m{}.ts", 'export * from "./m{}";\n'),
        ("m{}.ts", 'export {{ f }} from "./m{}";\n'),
    ],
    ids=["imports", "star imports", "star exports", "exports"],
)
def test_a_name_that_thousands_of_modules_hand_on_ends_nothing(name: str, source: str) -> None:
    """With little room on the stack, of which each module took some."""
    arguments = [name, source, 'import {{ f }} from "./m0";\nf();\n' if name.endswith("ts") else source]
    command = [sys.executable, "-c", RESOLVED_WITH_A_SMALL_STACK, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("resolved\n", 0), done.stderr


RESOLVED_WITH_A_SMALL_STACK = """
import sys, threading
from rpg.system.compression import decompress
from rpg.encoder.confidence import is_certain
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import resolve
from rpg.encoder.source_files.selection import Entry
from rpg.encoder.parsing.worker_pool import parse_all
from rpg.system.stamp import NO_STAMP
name, source, first = sys.argv[1:]
texts = {name.format(at): source.format(at + 1).encode() for at in range(2000)}
texts[name.format("a")] = first.format(0).encode()
files = [(Entry(path, len(text), NO_STAMP, path), text) for path, text in texts.items()]
facts = [unpack(decompress(file.facts)) for file in parse_all(files, masks=False, read_ns=0)]
def work():
    resolve(facts, [], lambda path: b"", is_certain, ())
    print("resolved")
threading.stack_size(256 << 10)
threading.Thread(target=work).start()
"""


def parts_with_a_base_each(size: int) -> dict[str, str]:
    parts = "".join(f"partial class P : B{i} {{ void m{i}() {{ this.x{i}(); }} }}\n" for i in range(size))
    return {"a.cs": parts + "".join(f"class B{i} {{ public void x{i}() {{}} }}\n" for i in range(size))}


def parts_in_files(size: int) -> dict[str, str]:
    return {
        f"a{i}.cs": f"partial class P : B{i} {{ void m{i}() {{ this.x{i}(); nowhere(); }} }}\n"
        f"class B{i} {{ public void x{i}() {{}} }}\n"
        for i in range(size)
    }


def modules_that_include_each_other(size: int) -> dict[str, str]:
    return {
        "a.rb": "".join(
            f"module M{i}\n  include M{(i + 1) % size}\n  include M{(i * 7 + 3) % size}\n"
            f"  def f{i}\n    f{(i + 1) % size}()\n    f{(i + 9) % size}()\n  end\nend\n"
            for i in range(size)
        )
    }


def all_import_everything_of_all(size: int) -> dict[str, str]:
    def module(i: int) -> str:
        stars = "".join(f"from m{other} import *\n" for other in range(size) if other != i)
        return f"{stars}def f{i}():\n    return f{(i + 7) % size}() or nowhere()\n"

    return {f"m{i}.py": module(i) for i in range(size)}


def all_export_everything_of_all(size: int) -> dict[str, str]:
    def module(i: int) -> str:
        stars = "".join(f'export * from "./m{other}";\n' for other in range(size) if other != i)
        imported = f'import {{ f{(i + 7) % size}, nowhere }} from "./m{(i + 1) % size}";\n'
        return f"{stars}{imported}export function f{i}() {{ f{(i + 7) % size}(); nowhere(); }}\n"

    return {f"m{i}.ts": module(i) for i in range(size)}


def thousands_of_bases(size: int) -> dict[str, str]:
    bases = ", ".join(f"B{i}" for i in range(size))
    below = "".join(f"class C{i}({bases}):\n    def run(self): return self.m{i}()\n" for i in range(size // 16))
    return {"a.py": "".join(f"class B{i}:\n    def m{i}(self): ...\n" for i in range(size)) + below}


def classes_in_a_long_chain(size: int) -> dict[str, str]:
    return {
        "a.py": "class C0:\n    def m0(self): ...\n"
        + "".join(
            f"class C{i}(C{i - 1}):\n    def m{i}(self):\n        self.m0(); self.m{i - 1}(); self.nowhere{i}()\n"
            for i in range(1, size)
        )
    }


def interfaces_and_types_with_one_method(size: int) -> dict[str, str]:
    return {
        "a.go": "package a\n"
        + "".join(
            f"type I{i} interface {{ M() }}\ntype T{i} struct {{}}\nfunc (t T{i}) M() {{ M{i}() }}\nfunc M{i}() {{}}\n"
            for i in range(size)
        )
    }


def overloads_of_one_name(size: int) -> dict[str, str]:
    types = "".join(f"class T{i} {{}}\n" for i in range(size))
    methods = "".join(f"void f(T{i} x) {{ f(new T{(i + 3) % size}()); g(); }}\n" for i in range(size))
    return {"A.java": f"{types}class A {{\nvoid g() {{}}\n{methods}}}\n"}


def parts_of_a_library(size: int) -> dict[str, str]:
    parts = {
        f"lib/p{i}.dart": f"part of 'a.dart';\nvoid f{i}() {{ f{(i + 1) % size}(); nowhere(); }}\n" for i in range(size)
    }
    return parts | {"lib/a.dart": "library a;\n" + "".join(f"part 'p{i}.dart';\n" for i in range(size))}


def modules_that_return_each_other(size: int) -> dict[str, str]:
    return {
        f"m{i}.lua": f'local M = require("m{(i + 1) % size}")\nlocal function f{i}() end\nf{i}()\n'
        f"M.f{i} = function() M.f{(i + 7) % size}() end\nreturn M\n"
        for i in range(size)
    }


@pytest.mark.parametrize(
    ("sources", "found", "limit"),
    [
        (parts_with_a_base_each(900), ("a.cs::P.m7", "a.cs::B7.x7"), ""),
        (parts_in_files(600), ("a7.cs::P.m7", "a7.cs::B7.x7"), ""),
        (modules_that_include_each_other(2_000), ("a.rb::M7.f7", "a.rb::M8.f8"), ""),
        (all_import_everything_of_all(150), ("m1.py::f1", "m8.py::f8"), "star imports form a circle"),
        (all_export_everything_of_all(150), ("m1.ts::f1", "m8.ts::f8"), "star imports form a circle"),
        (thousands_of_bases(1_600), ("a.py::C7.run", "a.py::B7.m7"), "classes above it"),
        (classes_in_a_long_chain(4_000), ("a.py::C7.m7", "a.py::C0.m0"), "classes above it"),
        (interfaces_and_types_with_one_method(1_000), ("a.go::T7.M", "a.go::M7"), "more than 100 interfaces"),
        (overloads_of_one_name(3_000), ("A.java::A.f", "A.java::A.g"), "overloads"),
        (parts_of_a_library(1_200), ("lib/p7.dart::f7", "lib/p8.dart::f8"), ""),
        (modules_that_return_each_other(1_000), ("m7.lua", "m7.lua::f7"), "cost more than the limit"),
    ],
    ids=[
        "partial classes", "partial classes in files", "modules that include each other", "star imports",
        "star exports", "bases", "chain of classes", "interfaces", "overloads", "parts of a library",
        "modules that return each other",
    ],
)  # fmt: skip
def test_what_grew_faster_than_the_code_is_resolved_or_said_to_be_cut_off(
    sources: dict[str, str], found: tuple[str, str], limit: str
) -> None:
    """In seconds; it was minutes and hours."""
    files = [(Entry(path, len(text), NO_STAMP, path), text.encode()) for path, text in sources.items()]
    blocks = [decompress(file.facts).hex() for file in parse_all(files, masks=False, read_ns=0)]
    command = [sys.executable, "-c", CALLS_OF_ALL]
    done = subprocess.run(command, input="\n".join(blocks), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    calls, limited = json.loads(done.stdout)
    assert list(found) in calls
    assert {limit in reason for reason in limited} == ({True} if limit else set())


CALLS_OF_ALL = """
import json, resource, sys
from rpg.encoder.confidence import is_certain
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import resolve
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
files = [unpack(bytes.fromhex(line)) for line in sys.stdin]
resolved = resolve(files, [], lambda path: b"", is_certain, ())
calls = [(edge.source, edge.target) for edge in resolved.edges if edge.kind == "calls"]
json.dump([calls, list(resolved.limited.values())], sys.stdout)
"""


def test_a_folder_of_thousands_of_files_is_divided_in_linear_time() -> None:
    done = subprocess.run([sys.executable, "-c", DIVIDED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1


DIVIDED = """
import resource
from rpg.encoder.areas.grouping import Forest, Sizes
from rpg.encoder.areas.sketch import Sketch
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
paths = [f"src/m{i}.py" for i in range(8_000)]
forest = Forest([Sketch(path, "code", 3, ((paths[at - 1], 1),)) for at, path in enumerate(paths)])
print(len(forest.groups(paths, "src/", Sizes(12, 0.02, True))))
"""


@pytest.mark.parametrize(
    "sources",
    [
        {
            "conftest.py": "import pytest\n"
            + "".join(
                f"@pytest.fixture\ndef f{i}(f{(i + 1) % 400}, f{(i * 7 + 3) % 400}):\n    return f{(i + 1) % 400}\n"
                for i in range(400)
            ),
            "test_a.py": "".join(f"def test_{i}(f{i}): f{i}.run()\n" for i in range(400)),
        },
        nested_calls(400),
        values_passed_around(200),
    ],
    ids=["fixtures of fixtures", "nested calls", "values passed around"],
)
def test_what_is_followed_as_deep_as_it_may_be_ends_no_encode(sources: dict[str, str], tmp_path: Path) -> None:
    for path, text in sources.items():
        (tmp_path / path).write_text(text)
    assert "0 skipped" in rpg(tmp_path, "encode", ".", "-o", "g.graph.json")


def rpg(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "rpg", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_limit_is_told_by_stats_and_by_the_lists_of_the_language(tmp_path: Path) -> None:
    for path, text in {**classes_in_a_long_chain(1_200), "b.ts": "function plain() {}\nplain();\n"}.items():
        (tmp_path / path).write_text(text)
    rpg(tmp_path, "encode", ".", "-o", "g.graph.json")
    ended = "a.py: a class has more than 1000 classes above it"

    stats = rpg(tmp_path, "stats", "-g", "g.graph.json")
    assert "files not followed to the end: 1 because a class has more than 1000 classes above it" in stats
    cut = rpg(tmp_path, "usages", "C3.m3", "-g", "g.graph.json")
    assert "not complete" in cut
    assert ended in cut
    other = rpg(tmp_path, "usages", "plain", "-g", "g.graph.json")
    assert "1 call; complete" in other
    assert ended not in other


FAILING = """
import sys
from rpg.__main__ import main
from rpg.encoder.resolve.evaluate.containers.elements import Containers

def fail(*_):
    raise KeyError("not foreseen")

Containers.find_under = fail
sys.argv[0] = "rpg"
main()
"""


def test_what_the_resolver_does_not_foresee_costs_a_reference_and_not_the_graph(tmp_path: Path) -> None:
    source = "def one(): ...\n\ndef two(): ...\n\nboth = {'a': one}\nboth['a']()\ntwo()\n"
    (tmp_path / "a.py").write_text(source)
    environment = {name: value for name, value in os.environ.items() if name != "RPG_DEBUG"}
    encode = [sys.executable, "-c", FAILING, "encode", ".", "-o", "g.graph.json"]

    strict = subprocess.run(encode, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert strict.returncode
    assert "not foreseen" in strict.stderr
    done = subprocess.run(encode, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr

    stats = rpg(tmp_path, "stats", "-g", "g.graph.json")
    assert "files not followed to the end: 1 because rpg failed there (KeyError in <string>:7)" in stats
    found = rpg(tmp_path, "usages", "two", "-g", "g.graph.json")
    assert "1 call" in found
    assert "not complete" in found


def test_values_that_share_their_parts_are_known_by_numbers() -> None:
    """Types of types of types: as a whole each has twice as many parts as the one before."""
    known = Fixpoint()

    def nested() -> tuple[object, ...]:
        value: tuple[object, ...] = (INST, 0, 1, ())
        for depth in range(200):
            value = (INST, 0, depth, ((value,), (value,)))
        return value

    assert known.number_of(nested()) == known.number_of(nested())
    assert known.number_of((INST, 0, 1, ((nested(),),))) != known.number_of(nested())
    assert len(known.numbers) < 1_000
