"""Which folders and files hold tests and examples, told by their paths: not those of a package that is called so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from repositories import write

import rpg
from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.filters import is_beside

TESTS = [
    "src/test/java/com/acme/CartTest.java", "src/test/java/com/acme/Helper.java", "tests/com/acme/Helper.java",
    "app/src/androidTest/kotlin/com/acme/Helper.kt", "test/shop/Cart.scala", "net/test/Cart.c", "tests/cart.py",
    "testing/cart.py", "shop/test/cart.py", "shop/testing/tests/cart.py", "src/com/acme/CartTest.java",
    "src/com/acme/TestCart.scala",
]  # fmt: skip
CODE = [
    "src/main/java/com/acme/test/Cart.java", "com/acme/test/Cart.java", "module/src/com/acme/testing/Cart.java",
    "src/main/java/com/acme/CartTest.java", "core/src/main/scala/acme/TestServer.scala",
    "app/src/main/kotlin/com/acme/spec/Cart.kt", "src/main/scala/test/Cart.scala", "lib/net/acme/test/Cart.scala",
]  # fmt: skip
EXAMPLES = ["samples/src/main/java/com/acme/Cart.java", "examples/com/acme/Cart.java", "shop/samples/cart.py"]
NO_EXAMPLES = [
    "src/main/java/com/google/samples/Cart.java", "com/example/demo/Cart.java", "src/com/acme/tools/Cart.java",
    "app/src/androidTest/java/com/acme/samples/Cart.java",
]  # fmt: skip
LANGUAGES = {"java": "java", "kt": "kotlin", "scala": "scala", "c": "c", "py": "python"}


def is_test(path: str) -> bool:
    return BY_NAME[LANGUAGES[path.rpartition(".")[2]]].rules.is_test(path)


@pytest.mark.parametrize("path", TESTS)
def test_a_folder_or_file_of_tests_is_one(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize("path", CODE)
def test_a_package_that_is_called_like_tests_is_none(path: str) -> None:
    assert not is_test(path)


@pytest.mark.parametrize("path", EXAMPLES)
def test_a_folder_of_examples_is_one(path: str) -> None:
    assert is_beside(path)


@pytest.mark.parametrize("path", NO_EXAMPLES)
def test_a_package_that_is_called_like_examples_is_none(path: str) -> None:
    assert not is_beside(path)


SHIPPED: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/cart.py": "def price():\n    return 1\n",
    "shop/testing/__init__.py": "from shop.cart import price\n\ndef made():\n    return price()\n",
    "shop/test_utils.py": "from shop.cart import price\n\ndef fake():\n    return price()\n",
    "shop/test_helpers.py": "from shop.cart import price\n\ndef test_price():\n    assert price()\n",
    "tests/test_utils.py": "from shop.cart import price\n\ndef helper():\n    return price()\n",
    "src/main/java/com/google/samples/Cart.java": "package com.google.samples;\n\nimport com.acme.Line;\n\n"
    "class Cart {\n    void pay(Line line) { line.pay(); }\n}\n",
    "src/main/java/com/acme/Line.java": "package com.acme;\n\npublic class Line {\n    public void pay() {}\n}\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("places")
    rpg.encode(write(folder / "shop", SHIPPED), output=str(folder / "shop.graph.json"))
    with rpg.open(folder / "shop.graph.json") as opened:
        yield opened


def test_what_a_package_ships_for_tests_of_others_is_its_code_unless_it_has_tests(graph: Any) -> None:
    (answer,) = graph.find_usages(symbol=["shop/cart.py::price"]).symbols
    assert sorted(answer.tests) == ["shop/test_helpers.py", "tests/test_utils.py"]


def test_a_package_that_is_called_like_examples_is_in_what_its_folder_depends_on(graph: Any) -> None:
    (found,) = graph.get_dependencies(target="src/main/java/com/google/").targets
    assert [each.path for each in found.dependencies] == ["src/main/java/com/acme/Line.java"]


def test_that_a_file_gets_its_first_test_is_followed(tmp_path: Path) -> None:
    graphs = []
    for name in ("edited", "clean"):
        root = write(tmp_path / name / "shop", SHIPPED)
        output = str(tmp_path / f"{name}.graph.json")
        if name == "edited":
            rpg.encode(root, output=output)
        path = root / "shop" / "test_utils.py"
        path.write_text(path.read_text("utf-8") + "\n\ndef test_fake():\n    assert fake()\n", "utf-8")
        rpg.encode(root, output=output)
        graphs.append((tmp_path / f"{name}.graph.json").read_bytes())
    assert graphs[0] == graphs[1]
