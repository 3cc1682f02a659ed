"""What `check` says where PHP is lenient: imports are looked up where what they name is used, methods in any case."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from checking import Checked

USER = """\
<?php
namespace Shop\\Till;

use Shop\\Cart\\Price;

class Till
{
    public function run(): int
    {
        return Price::of(1);
    }
}
"""
FILES = {
    "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}\n',
    "src/Cart/Price.php": """\
<?php
namespace Shop\\Cart;

class Price
{
    public static function of(int $n): int
    {
        return $n;
    }
}
""",
    "src/Till/Till.php": USER,
    "src/Till/Idle.php": "<?php\nnamespace Shop\\Till;\n\nuse Shop\\Cart\\Price;\n\nclass Idle\n{\n}\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    checked = Checked(tmp_path_factory.mktemp("lazy"), FILES)
    yield checked
    checked.close()


def test_the_use_breaks_and_the_import_may(shop: Checked) -> None:
    said = shop.broken({"src/Cart/Price.php": None})
    assert [each for each in said if not each.endswith("?")] == ["src/Till/Till.php:10 gone: `Price` is gone"]
    assert sorted(each.partition(" ")[0] for each in said if each.endswith("?")) == [
        "src/Till/Idle.php:4",
        "src/Till/Till.php:4",
    ]


def test_a_method_is_called_in_any_case_and_a_field_is_not(shop: Checked) -> None:
    assert shop.broken(shop.changed("src/Cart/Price.php", "function of", "function OF")) == []
    assert shop.broken(shop.changed("src/Cart/Price.php", "function of", "function ofs")) != []
