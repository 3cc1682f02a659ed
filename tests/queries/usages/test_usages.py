"""What stands against `complete`: places that could mean the symbol, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import repository, write

import rpg
from rpg.tools.find_usages import text

SOURCES: dict[str, str | bytes] = {
    "shop.py": """\
class Till:
    def send(self, receipt): ...

    def close(self): ...

    def get(self, name): ...


class Drawer:
    def close(self): ...


def run(send, drawer: Drawer, **options):
    send("x")
    drawer.close()
    options.get("x")
    Till().send("x")


def take(thing):
    return thing.total()


class Cart:
    def total(self): ...


def total(): ...
""",
    "web.ts": "export function close(window: any) {\n  window.close()\n}\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("usages")
    rpg.encode(write(folder / "shop", SOURCES), output=str(folder / "shop.graph.json"))
    with rpg.open(folder / "shop.graph.json") as opened:
        yield opened


def usages(graph: Any, symbol: str) -> Any:
    (answer,) = graph.find_usages(symbol=symbol).symbols
    return answer


def test_a_name_that_stands_alone_means_no_member(graph: Any) -> None:
    # `send("x")` calls what `run` was given.
    answer = usages(graph, "Till.send")

    assert (answer.total, answer.complete) == ({"certain": 1}, True)


def test_a_receiver_that_is_known_to_be_something_else_does_not_count(graph: Any) -> None:
    assert usages(graph, "Till.close").complete
    assert usages(graph, "Till.get").complete


def test_a_receiver_of_which_nothing_is_known_counts(graph: Any) -> None:
    # One method bears the name: a guess, and the list may lack something.
    answer = usages(graph, "Cart.total")

    assert (answer.total, answer.complete) == ({"possible": 1}, False)


BASES: dict[str, str | bytes] = {
    "shop.py": """\
class Base:
    def total(self): ...


class Cart(Base):
    def total(self): ...


def of_base(base: Base):
    base.total()
    base.total()


def of_cart(cart: Cart):
    cart.total()
""",
}


def test_methods_tell_of_the_calls_of_what_they_override_and_of_what_overrides_them(tmp_path: Path) -> None:
    rpg.encode(write(tmp_path / "shop", BASES), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        below, above = usages(opened, "Cart.total"), usages(opened, "Base.total")
    assert (below.calls_of_overridden, below.calls_of_overriding, below.listed) == (2, 0, {"calls": 1, "possible": 2})
    assert (above.calls_of_overridden, above.calls_of_overriding, above.listed) == (0, 1, {"calls": 2})


SIBLINGS: dict[str, str | bytes] = {
    "shop.py": """\
class Base:
    def total(self): ...


class Cart(Base):
    def total(self):
        return super().total()


class Gift(Base):
    def total(self):
        return super().total()


class Crate(Base):
    def total(self):
        return super().total()


class Both(Cart, Gift): ...


def run(base: Base):
    Base().total()
    base.total()
""",
}


def test_what_a_sibling_calls_above_it_is_not_a_use_unless_a_class_below_both_makes_it_one(tmp_path: Path) -> None:
    rpg.encode(write(tmp_path / "shop", SIBLINGS), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        found = {name: usages(opened, f"{name}.total") for name in ("Cart", "Gift", "Crate")}
    lines = {
        name: [usage.site.partition(":")[0] for each in answer.possible for usage in each.usages]
        for name, answer in found.items()
    }

    # Only base.total() may run any of them; super() in a Cart that is Both runs Gift's.
    assert lines == {"Cart": ["12", "25"], "Gift": ["7", "25"], "Crate": ["25"]}


def test_another_language_does_not_count(graph: Any) -> None:
    assert usages(graph, "Drawer.close").complete
    assert (usages(graph, "web.ts::close").total, usages(graph, "web.ts::close").complete) == ({"unresolved": 1}, False)


ROLES: dict[str, str | bytes] = {
    "shop.py": """\
class ShopError(Exception): ...


class SoldOut(ShopError): ...


def sell(cart):
    if not cart:
        raise SoldOut("x")
    problem = SoldOut("y")
    return problem


def shop(cart):
    try:
        sell(cart)
    except (KeyError, SoldOut):
        return isinstance(cart, SoldOut)
""",
    "web.js": "function Page() {}\nfunction show() { return new Page() }\nfunction plain() { return Page() }\n",
}


@pytest.mark.parametrize(
    ("symbol", "kind", "sites"),
    [
        ("SoldOut", "raises", ["9:15"]),
        ("SoldOut", "catches", ["17:23"]),
        ("ShopError", "raises", ["9:15"]),
        ("ShopError", "catches", ["17:23"]),
        ("ShopError", "instantiates", []),
        ("SoldOut", "instantiates", ["9:15", "10:15"]),
        ("SoldOut", "reads", ["18:33"]),
        ("SoldOut", "writes", []),
        ("SoldOut", "calls", ["9:15", "10:15"]),
        ("Page", "instantiates", ["2:30"]),
    ],
)
def test_what_a_site_does_is_asked_for_like_a_kind_of_edge(
    tmp_path: Path, symbol: str, kind: str, sites: list[str]
) -> None:
    rpg.encode(write(tmp_path / "shop", ROLES), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        (answer,) = opened.find_usages(symbol=symbol, kinds=[kind]).symbols

    assert [usage.site for group in answer.certain for usage in group.usages] == sites
    assert {group.kind for group in answer.certain} <= {kind}


@pytest.mark.invariant(
    "answers",
    "a list of uses is not complete if a file that may name the symbol was not read, and an empty list "
    "mentions what calls code from outside",
)
def test_a_list_is_not_complete_if_a_file_that_may_name_the_symbol_was_not_read(tmp_path: Path) -> None:
    sources: dict[str, str | bytes] = {
        "shop.py": "def total(): ...\n\n\ndef paid():\n    return total()\n",
        "web.ts": "export function total() {}\n",
        "large.py": "from shop import total\n\n" + "x = 1\n" * 400,
        "rpg.toml": "max_bytes = 1000\n",
        "picture.png": b"\x89PNG\x00total",
        "data.csv": "total\n" * 400,
    }
    rpg.encode(write(tmp_path / "shop", sources), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        (used,) = graph.find_usages(symbol=["shop.py::total"]).symbols
        assert used.total == {"certain": 1}
        assert not used.complete
        assert used.unread == ["large.py"]
        (elsewhere,) = graph.find_usages(symbol=["web.ts::total"]).symbols
        assert elsewhere.complete
        (within,) = graph.find_usages(symbol=["shop.py::total"], path="shop.py").symbols
        assert within.complete


def test_the_uses_of_a_component_are_those_of_its_file(tmp_path: Path) -> None:
    """Templates name what the file exports, imports name the file: who asks for the component means both."""
    files: dict[str, str | bytes] = {
        "Icon.svelte": "<svg />\n",
        "Nav.svelte": "<script>\nimport Icon from './Icon.svelte';\n</script>\n<Icon name='a' />\n",
        "total.js": "export default function total() {}\n",
        "use.js": "import sum from './total';\nsum();\n",
    }
    rpg.encode(write(tmp_path / "icons", files), output=str(tmp_path / "icons.graph.json"))
    with rpg.open(tmp_path / "icons.graph.json") as graph:
        icon, module = usages(graph, "Icon"), usages(graph, "total.js")

    assert [(each.kind, each.path) for each in icon.certain] == [
        ("imports", "Nav.svelte"),
        ("references", "Nav.svelte"),
    ]
    assert (icon.complete, icon.note) == (True, "includes the uses of the component, Icon.svelte::default")
    assert [each.kind for each in module.certain] == ["imports"]


def test_a_folder_whose_contents_are_imported_is_not_called_unused(tmp_path: Path) -> None:
    write(
        tmp_path / "repo",
        {
            "shop/__init__.py": "",
            "shop/cart.py": "from shop.till import pay\n\n\ndef total():\n    return pay()\n",
            "shop/till.py": "def pay():\n    return 1\n",
            "shops.py": "from shop.cart import total\n\ntotal()\n",
            "lonely/one.py": "from lonely.two import x\n",
            "lonely/two.py": "x = 1\n",
        },
    )
    rpg.encode(tmp_path / "repo")
    with rpg.open(tmp_path / "repo") as graph:
        [used] = graph.find_usages(symbol=["shop/"]).symbols
        [unused] = graph.find_usages(symbol=["lonely/"]).symbols

    assert used.reason == "nothing names the folder itself; what is in it is imported by 1 file outside it"
    assert unused.reason == "unused: nothing in this repository names it"


EXCLUDING: dict[str, str | bytes] = {
    "shop.py": "def total(): ...\n\n\ndef tax(): ...\n\n\ndef paid():\n    return total() + tax()\n",
    "old/bill.py": "from shop import total\n\ntotal()\n",
    "old/deep/bill.py": "import shop\n\nshop.total()\n",
    "old/notes.md": "`tax` is what `total` has\n",
    "old/tax.go": "package old\n\nfunc tax() {}\n",
    "web/shop.ts": "export function total() {}\n\ntotal();\n",
}


@pytest.mark.invariant(
    "answers",
    "a list of uses is not complete if options leave out code with the name, or if that cannot be known",
)
@pytest.mark.parametrize("is_in_git", [True, False], ids=["in git", "walked"])
@pytest.mark.parametrize(
    "options", [{"exclude": ["old/"]}, {"exclude": ["bill.py"]}, {"include": ["shop.*", "web/"]}], ids=str
)
def test_a_list_is_not_complete_if_options_leave_out_code_with_the_name(
    tmp_path: Path, options: dict[str, list[str]], is_in_git: bool
) -> None:
    root = (repository if is_in_git else write)(tmp_path / "shop", EXCLUDING)
    rpg.encode(root, output=str(tmp_path / "shop.graph.json"), **options)  # type: ignore[arg-type]
    shown = "; ".join(f"{name}={', '.join(values)}" for name, values in options.items())
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        answer = graph.find_usages(symbol=["shop.py::total"])
        (used,) = answer.symbols
        assert not used.complete
        assert not used.complete_outside_tests
        assert (used.excluded, used.excluded_by) == (2, shown)
        assert f"not complete: 2 files are excluded by options ({shown})" in text(answer)
        (tax,) = graph.find_usages(symbol=["shop.py::tax"]).symbols
        assert tax.complete, "no excluded file of its language has the name"
        (other,) = graph.find_usages(symbol=["web/shop.ts::total"]).symbols
        assert other.complete
        (within,) = graph.find_usages(symbol=["shop.py::total"], path="shop.py").symbols
        assert within.complete
        (module,) = graph.find_usages(symbol=["shop.py"]).symbols
        assert not module.complete, "who imports it is not found by a word"

    write(root, {"old/bill.py": "", "old/deep/bill.py": ""})
    rpg.encode(root, output=str(tmp_path / "shop.graph.json"), full=True, **options)  # type: ignore[arg-type]
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        (used,) = graph.find_usages(symbol=["shop.py::total"]).symbols
        assert used.complete


@pytest.mark.invariant(
    "answers",
    "a list of uses is not complete if options leave out code with the name, or if that cannot be known",
)
def test_without_the_sources_options_make_every_list_incomplete(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", EXCLUDING)
    rpg.encode(root, output=str(tmp_path / "shop.graph.json"), exclude=["old/"])
    root.rename(tmp_path / "gone")

    with rpg.open(tmp_path / "shop.graph.json") as graph:
        answer = graph.find_usages(symbol=["shop.py::total"])

    assert "not complete: files are excluded by options (exclude=old/)" in text(answer)


def test_options_that_leave_out_no_code_change_nothing(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", EXCLUDING)
    rpg.encode(root, output=str(tmp_path / "shop.graph.json"), exclude=["*.md", "*.go"])

    with rpg.open(tmp_path / "shop.graph.json") as graph:
        (used,) = graph.find_usages(symbol=["shop.py::total"]).symbols
        (module,) = graph.find_usages(symbol=["shop.py"]).symbols

    assert used.total == {"certain": 3}
    assert used.complete
    assert module.excluded_by == ""
