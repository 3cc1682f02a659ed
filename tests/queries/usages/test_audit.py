"""What nothing uses, what is written twice, what imports itself, what most depends on; `rpg audit` and exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from repositories import write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.queries.health.hubs import dependents
from rpg.repository import encode
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs

LOOP = """
    total = 0
    for {item} in {items}:
        if {item}.price > 10 and not {item}.gone:
            total += {item}.price * {item}.count - 1
        elif {item}.count == 0:
            print("none of", {item}.name)
        else:
            total = total + {item}.price
    return total
"""
ADDS = "def {name}({items}):" + LOOP
FILES: dict[str, str | bytes] = {
    "shop/cart.py": f"""\
import registry
import library
from shop.texts import said
from shop import orders


def _dead():
    return _only_by_dead()


def _only_by_dead():
    return 1


def _used():
    return said()


def _recursive(n):
    return _recursive(n - 1)


def _dispatched_low():
    return 1


def _named():
    return 1


def _tested():
    return 1


@registry.add
def _registered():
    return 1


class _Task(library.Task):
    def run(self):
        return 1


class _Abandoned:
    def method(self):
        return self


class _Shape:
    def area(self):
        raise NotImplementedError


class _Square(_Shape):
    def area(self):
        return 4


def _guessed():
    return 1


def offered():
    return getattr(orders, "_dispatched_" + said()), _used(), _Task(), _Shape().area(), _Square


{ADDS.format(name="_sum", items="lines", item="line")}


if __name__ == "__main__":
    _sum([])
    orders.unknown()._guessed()
""",
    "shop/orders.py": f"""\
from shop.cart import offered

HANDLERS = {{"first": "_named"}}


{ADDS.format(name="_add", items="orders", item="order")}


def _mixed(orders):
    total = 1
    print(total, orders, sorted(orders), len(orders), HANDLERS)
    while total < 10:
        total += len(orders) - HANDLERS["first"].find("x")
        if total == 5:
            return [total, orders.pop(), {{"a": total}}]
    return _add(orders) + offered()


_mixed([])
""",
    "shop/texts.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop.late import Late\n\n\n"
    "def said():\n    return 'x'\n",
    "shop/late.py": "from shop.texts import said\n\n\nclass Late:\n    words = said()\n",
    "tests/test_cart.py": "from shop.cart import _tested\n\n\ndef test_it():\n    assert _tested()\n",
}
PACKAGE: dict[str, str | bytes] = {"pyproject.toml": '[project]\nname = "shop"\n'}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    encode(write(folder / "shop", FILES), folder / "shop.graph.json", Options())
    return folder


@pytest.fixture(scope="module")
def call(folder: Path) -> Iterator[Call]:
    graphs = Graphs([folder / "shop.graph.json"])
    yield Call(graphs)
    graphs.close()


def listed(call: Call, of: str, **arguments: Any) -> dict[str, Any]:
    found: Any = TOOLS["stats"].run(call, {"of": of, **arguments}).health[0].findings  # type: ignore[attr-defined]
    return {each.what.rpartition("::")[2]: each for each in found}


def made(folder: Path, files: dict[str, str | bytes]) -> Call:
    encode(write(folder / "made", files), folder / "made.graph.json", Options())
    return Call(Graphs([folder / "made.graph.json"]))


# Unused


def test_what_nothing_uses_is_certain_only_without_a_reason_for_doubt(call: Call) -> None:
    found = listed(call, "unused")

    assert {name for name, each in found.items() if each.confidence == "certain"} == {"_dead", "_Abandoned"}
    assert {"_used", "_Square", "_Shape.area", "_Square.area", "_only_by_dead", "_sum", "_Abandoned.method"}.isdisjoint(
        found
    )


@pytest.mark.parametrize(
    ("name", "confidence", "why"),
    [
        ("_recursive", "likely", "used by itself alone"),
        ("_tested", "likely", "used by tests only: tests/test_cart.py"),
        ("_registered", "possible", "decorated with registry.add"),
        ("_Task.run", "possible", "its class extends Task"),
        ("_named", "possible", "named at shop/orders.py:3"),
        ("_dispatched_low", "possible", "names with _dispatched_ are put together at shop/cart.py:"),
        ("_guessed", "possible", "named at shop/cart.py:"),
    ],
)
def test_why_it_may_be_used_anyway(call: Call, name: str, confidence: str, why: str) -> None:
    found = listed(call, "unused")[name]

    assert found.confidence == confidence
    assert any(why in reason for reason in found.reasons), found.reasons


@pytest.mark.invariant("answers", "a symbol is certainly unused only if its list of uses is complete and empty")
def test_what_is_certain_is_what_its_list_of_uses_calls_complete_and_empty(call: Call) -> None:
    for name, each in listed(call, "unused").items():
        (uses,) = TOOLS["find_usages"].run(call, {"symbol": each.what}).symbols  # type: ignore[attr-defined]
        if each.confidence == "certain":
            assert uses.complete_outside_tests, name
            assert not uses.listed, name


def test_what_a_package_exports_may_be_used_outside(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"shop/prices.py": "def price():\n    return 1\n\n\ndef _hidden():\n    return 2\n"}

    program = listed(made(tmp_path / "program", files), "unused")
    package = listed(made(tmp_path / "package", files | PACKAGE), "unused")

    assert {name: each.confidence for name, each in program.items()} == {"price": "certain", "_hidden": "certain"}
    assert {name: each.confidence for name, each in package.items()} == {"price": "likely", "_hidden": "certain"}


def test_what_a_framework_or_library_finds_without_a_name_is_in_doubt(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "app/cart/page.tsx": "export default function Page() {}\n\nfunction inside() {}\n",
        "types.ts": "declare module 'vue' {\n  interface Shown {}\n}\n",
        "view.ts": (
            "import { Piped } from 'library';\nexport class View {\n  ngOnInit() {}\n  left() {}\n}\n"
            "export class Pipe implements Piped {\n  transform() {}\n}\nnew View();\nnew Pipe();\n"
        ),
    }
    found = listed(made(tmp_path, files), "unused")

    assert {name: each.confidence for name, each in found.items()} == {
        "Page": "possible", "inside": "certain", "vue": "possible", "View.ngOnInit": "possible", "View.left": "certain",
        "Pipe.transform": "possible",
    }  # fmt: skip


def test_what_a_generator_made_is_not_certainly_unused(tmp_path: Path) -> None:
    body = "class Stub:\n    def __init__(self, channel):\n        self.hello = channel\n"
    head = "# Generated by the gRPC Python protocol compiler plugin. DO NOT EDIT!\n"
    files: dict[str, str | bytes] = {"shop/_made.py": head + body, "shop/_own.py": body.replace("Stub", "Own")}
    found = listed(made(tmp_path, files), "unused")

    assert found["Stub"].confidence == "possible"
    assert "generated" in found["Stub"].reasons[-1]
    assert found["Own"].confidence == "certain"


def test_what_is_in_a_file_that_a_build_or_a_script_names_is_in_doubt(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "package.json": '{"name": "shop", "private": true, "scripts": {"gen": "node lib/gen.js"}}',
        "compose.yaml": "services:\n  web:\n    command: node -r ./hooks/start.js\n",
        "Procfile": "worker: python -m jobs.nightly\n",
        "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "jobs.cli:main"\n',
        "README.md": "See lib/other.js.\n",
        "lib/gen.js": "function make() { return 1 }\n",
        "lib/other.js": "function other() { return 1 }\n",
        "hooks/start.js": "function begin() { return 1 }\n",
        "lib/start.js": "function away() { return 1 }\n",
        "jobs/nightly.py": "def _night():\n    return 1\n",
        "jobs/weekly.py": "def _week():\n    return 1\n",
        "jobs/cli.py": "def main():\n    return 1\n\n\ndef _left():\n    return 1\n",
    }
    found = listed(made(tmp_path, files), "unused")

    assert {name for name, each in found.items() if each.confidence == "certain"} == {"other", "away", "_week", "_left"}
    assert "its file is named at package.json:1" in found["make"].reasons
    assert "its file is named at compose.yaml:3" in found["begin"].reasons
    assert "its file is named at Procfile:1" in found["_night"].reasons


def test_what_go_keeps_internal_is_used_by_nobody_outside(tmp_path: Path) -> None:
    body = "func Open() int { return 1 }\n\nfunc init() {}\n\nfunc close() int { return 2 }\n"
    found = listed(
        made(
            tmp_path,
            {
                "go.mod": "module example.org/shop\n",
                "shop.go": f"package shop\n\n{body}",
                "internal/store/store.go": f"package store\n\n{body.replace('Open', 'Load').replace('close', 'drop')}",
            },
        ),
        "unused",
    )

    assert {name: each.confidence for name, each in found.items()} == {
        "Open": "likely", "Load": "certain", "close": "certain", "drop": "certain",
    }  # fmt: skip


def test_a_member_that_may_take_the_place_of_another_is_in_doubt(tmp_path: Path) -> None:
    source = """\
class _Base:
    _late = False

    def read(self):
        return self._late


class _Mixin:
    def _combine(self):
        return 1


class _Whole:
    def _combine(self):
        return 2

    def add(self):
        return self._combine()


class _Both(_Mixin, _Whole):
    pass


class _Lazy(_Base):
    @property
    def _late(self):
        return True


print(_Both().add(), _Lazy().read())
"""
    found = listed(made(tmp_path, {"shop.py": source}), "unused")

    # `_Lazy._late` takes the place of an attribute that is read: it overrides it.
    assert {name: each.confidence for name, each in found.items()} == {"_Mixin._combine": "possible"}


# Duplicates


def test_functions_that_differ_in_names_alone_are_duplicates(call: Call) -> None:
    found: Any = list(listed(call, "duplicates").values())

    assert [each.names for each in found] == [["shop/cart.py::_sum", "shop/orders.py::_add"]]
    assert found[0].kind == "exact"
    assert found[0].reasons == ["the same structure, other names"]


def test_near_duplicates_share_most_of_their_structure_and_their_words(tmp_path: Path) -> None:
    one = ADDS.format(name="one", items="lines", item="line")
    other = one.replace("def one", "def other").replace("    return total\n", "    print(total)\n    return total\n")
    strange = one.replace("def one", "def strange")
    for old, new in (("price", "weight"), ("line", "stone"), ("total", "load"), ("count", "mass"), ("gone", "x")):
        strange = strange.replace(old, new)
    strange = strange.replace("    return load\n", "    print(load)\n    load += 1\n    return load\n")

    found = list(listed(made(tmp_path, {"a.py": one, "b.py": other, "c.py": strange}), "duplicates").values())

    assert [(each.kind, each.names) for each in found] == [("near", ["a.py::one", "b.py::other"])]


def test_generated_code_and_tests_are_not_duplicates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = ADDS.format(name="one", items="lines", item="line")
    files: dict[str, str | bytes] = {
        "a.py": one, "b.py": f"# Code generated by make. DO NOT EDIT.\n{one}", "tests/test_a.py": one,
        "tests/test_b.py": one,
    }  # fmt: skip

    assert not listed(made(tmp_path, files), "duplicates")
    assert run(["audit", "duplicates", "--tests", "-g", str(tmp_path / "made.graph.json")]) == 1
    assert "tests/test_a.py:1-10 one" in capsys.readouterr().out


# Cycles


def test_a_cycle_is_its_shortest_path_with_the_import_to_cut(call: Call) -> None:
    found: Any = listed(call, "cycles")

    loads, deferred = found["shop/cart.py"], found["shop/late.py"]
    assert loads.confidence == "certain"
    assert loads.members == ["shop/cart.py", "shop/orders.py", "shop/cart.py"]
    assert loads.reasons[0].startswith("cut shop/orders.py:1 -> shop/cart.py: 1 use of offered, all in functions")
    assert deferred.confidence == "likely"
    assert "shop/texts.py:4 imports for type checkers alone" in deferred.reasons


def test_what_a_package_passes_on_is_not_what_to_cut(tmp_path: Path) -> None:
    found: Any = listed(
        made(
            tmp_path,
            {
                "shop/__init__.py": "from shop.cart import Cart\n",
                "shop/cart.py": "import shop\n\n\nclass Cart:\n    rate = shop.rate + shop.tax\n",
            },
        ),
        "cycles",
    )

    assert found["shop/__init__.py"].reasons == ["cut shop/cart.py:1 -> shop/__init__.py: 2 uses of shop"]


def test_an_import_inside_a_function_closes_a_cycle_only_later(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.py": "def go():\n    import b\n    return b.stay()\n",
        "b.py": "import a\n\n\ndef stay():\n    return a.go()\n",
    }
    call = made(tmp_path, files)

    assert listed(call, "cycles")["a.py"].confidence == "likely"
    assert run(["audit", "cycles", "-g", str(tmp_path / "made.graph.json")]) == 0
    assert run(["audit", "cycles", "--confidence", "likely", "-g", str(tmp_path / "made.graph.json")]) == 1


# Hubs


def test_hubs_are_what_many_files_depend_on(call: Call) -> None:
    found: Any = listed(call, "hubs")

    assert found["said"].size == 3  # late.py by itself; cart.py, and through it orders.py
    assert found["shop/texts.py"].kind == "module"


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1])))
def test_dependents_are_what_a_graph_library_finds(pairs: list[tuple[int, int]]) -> None:
    used_by: dict[int, set[int]] = {}
    for source, target in pairs:
        used_by.setdefault(target, set()).add(source)
    graph = networkx.DiGraph(pairs)

    assert dependents(used_by, {each: each for each in range(10)}) == {
        each: len(networkx.ancestors(graph, each)) for each in used_by
    }


# The command


def test_the_exit_code_says_whether_the_repository_is_within_the_limits(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = ["-g", str(folder / "shop.graph.json")]

    assert run(["audit", *graph]) == 1
    assert run(["audit", "--max-unused", "2", "--max-duplicates", "1", "--max-cycles", "1", *graph]) == 0
    assert run(["audit", "--max-unused", "1", "--max-duplicates", "1", "--max-cycles", "1", *graph]) == 1
    assert run(["audit", "unused", "--path", "shop/orders.py", *graph]) == 0
    assert run(["audit", "nonsense", *graph]) == 2
    assert run(["audit", "-g", str(folder / "gone.graph.json")]) == 3
    capsys.readouterr()
    assert run(["audit", "unused", "--json", *graph]) == 1
    assert json.loads(capsys.readouterr().out)["unused"]["total"] == 2


@pytest.mark.invariant("answers", "with a baseline, an audit fails on new findings only")
def test_with_a_baseline_only_what_is_new_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write(tmp_path / "shop", FILES)
    graph = tmp_path / "shop.graph.json"
    encode(root, graph, Options())
    baseline = tmp_path / "audit.json"

    assert run(["audit", "--write-baseline", str(baseline), "-g", str(graph)]) == 0
    first = baseline.read_bytes()
    assert run(["audit", "--baseline", str(baseline), "-g", str(graph)]) == 0

    # Lines above move everything; what was there is known all the same, and found in the same words.
    cart = (root / "shop/cart.py").read_text()
    (root / "shop/cart.py").write_text(f"# a remark\n\n{cart}")
    encode(root, graph, Options())
    assert run(["audit", "--write-baseline", str(baseline), "-g", str(graph)]) == 0
    assert baseline.read_bytes() == first

    (root / "shop/third.py").write_text(
        f"import shop.cart\n\n\n{ADDS.format(name='_third', items='xs', item='x')}\n\n_third([])\n"
    )
    (root / "shop/orders.py").write_text(f"{(root / 'shop/orders.py').read_text()}\n\ndef _forgotten():\n    pass\n")
    encode(root, graph, Options())
    capsys.readouterr()
    assert run(["audit", "--baseline", str(baseline), "-g", str(graph)]) == 1
    told = capsys.readouterr().out
    assert "unused: 1 new" in told
    assert "_forgotten" in told
    assert "_dead" not in told
    assert "shop/third.py:" in told  # the group of duplicates has grown
    assert "cycles: 0" in told


def test_no_file_but_a_baseline_is_replaced_or_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = ["-g", str(folder / "shop.graph.json")]
    other = tmp_path / "notes.json"
    other.write_text('{"mine": 1}')
    damaged = tmp_path / "damaged.json"
    damaged.write_text('{"format": "rpg-audit-baseline", "version": 1, "unused": 3}')
    (tmp_path / "link.json").symlink_to(other)

    assert run(["audit", "--write-baseline", str(other), *graph]) == 2
    assert run(["audit", "--write-baseline", str(tmp_path / "link.json"), *graph]) == 3
    assert run(["audit", "--baseline", str(other), *graph]) == 2
    assert run(["audit", "--baseline", str(damaged), *graph]) == 2
    assert run(["audit", "--baseline", str(tmp_path / "gone.json"), *graph]) == 2
    assert "--write-baseline" in capsys.readouterr().err
    assert other.read_text() == '{"mine": 1}'
    assert sorted(each.name for each in tmp_path.iterdir()) == ["damaged.json", "link.json", "notes.json"]


def test_an_index_that_was_kept_up_to_date_has_the_findings_of_a_new_one(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", FILES)
    kept, new = tmp_path / "kept.graph.json", tmp_path / "new.graph.json"
    encode(root, kept, Options())
    (root / "shop/cart.py").write_text((root / "shop/cart.py").read_text().replace(", _used(),", ", _dead(),"))
    (root / "shop/late.py").unlink()
    encode(root, kept, Options())
    encode(root, new, Options())

    for of in ("unused", "duplicates", "cycles", "hubs"):
        answers = [TOOLS["stats"].run(Call(Graphs([graph])), {"of": of}).health[0].findings for graph in (kept, new)]  # type: ignore[attr-defined]
        assert answers[0] == answers[1], of
    assert "_used" in listed(Call(Graphs([kept])), "unused")


def test_pages_of_a_list_are_the_whole_list(call: Call) -> None:
    every = list(listed(call, "unused"))
    pages: list[str] = []
    cursor = ""
    while True:
        page: Any = TOOLS["stats"].run(call, {"of": "unused", "limit": 3, "cursor": cursor}).health[0]  # type: ignore[attr-defined]
        pages += [each.what.rpartition("::")[2] for each in page.findings]
        cursor = page.next
        if not cursor:
            break

    assert pages == every
    assert len(every) > 6
