"""What `check` says nothing of: edits that break nothing, as they stand in the histories of repositories."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from checking import Checked

FILES = {
    "tsconfig.json": '{\n  "include": ["src"]\n}\n',
    "responders.py": """\
class Zipped:
    def __init__(self, app):
        self.app = app
        self.send = None

    async def run(self, send):
        self.send = send
        await self.app(self.start)

    async def start(self, message):
        await self.send(message)
""",
    "README.md": "# Shop\n\n```python\nfrom asked import answer\n\nanswer(1, 2)\n```\n",
    "Record.php": """\
<?php
namespace Shop;

class Record
{
    public function __construct(
        public readonly \\DateTimeImmutable $made,
        /** @var array<mixed> */
        public array $extra = [],
    ) {
    }
}
""",
    "Made.php": "<?php\nnamespace Shop;\n",
    "port.py": 'import os\n\nPORT = os.environ["PORT"]\n',
    "stored.py": """\
from sqlalchemy import Column, Integer, MetaData, Table, create_engine, text

metadata = MetaData()
users = Table("users", metadata, Column("id", Integer))
people = create_engine("sqlite://").connect().execute(text("SELECT id FROM users"))
""",
    "asked.py": """\
async def answer(scope, send):
    await send(scope)


def started(thing):
    return thing.start()


def others(thing):
    return thing.app(1)
""",
}
"""A class that is split: what it lost it inherits."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    checked = Checked(tmp_path_factory.mktemp("silence"), FILES)
    yield checked
    checked.close()


@pytest.mark.parametrize(
    "text", ['{\n  "include": ["src",]\n}\n', '{\n  "files": [{"a": 1},],\n  "include": [1,],\n}\n']
)
def test_a_comma_behind_the_last_item_of_a_list_is_no_error(shop: Checked, text: str) -> None:
    assert shop.broken({"tsconfig.json": text}) == []


@pytest.mark.parametrize("text", ['{\n  "include": [1,,2]\n}\n', '{\n  "include": [,]\n}\n', '{\n  "include": ["a"\n'])
def test_other_commas_are_errors(shop: Checked, text: str) -> None:
    assert [each.partition(":")[0] for each in shop.broken({"tsconfig.json": text})] == ["tsconfig.json"]


def test_a_member_that_moved_into_a_base_leaves_no_doubt(shop: Checked) -> None:
    base, _, own = FILES["responders.py"].partition("    async def run")
    split = f"{base.replace('Zipped', 'Plain')}\n    async def start(self, message):\n        pass\n\n\n"
    edited = {
        "responders.py": f"{split}class Zipped(Plain):\n    async def run{own.partition('    async def start')[0]}"
    }
    assert shop.answer(edited).unjudged == []


def test_a_name_that_a_function_binds_is_no_member_that_is_gone(shop: Checked) -> None:
    said = shop.answer(shop.changed("responders.py", "self.send", "self.sends") | {})
    assert said.unjudged == []
    gone = shop.answer(shop.changed("responders.py", "async def start", "async def begin"))
    assert [each for each in gone.unjudged if each.startswith("asked")] == ["asked.py:6"]


def test_what_declares_a_table_itself_is_not_told_of_an_edit_of_other_settings(shop: Checked) -> None:
    assert shop.broken(shop.changed("port.py", '"PORT"', '"HTTP_PORT"')) == []


def test_an_example_in_a_document_need_not_define_what_it_shows(shop: Checked) -> None:
    said = shop.broken(shop.changed("README.md", "answer(1, 2)\n", "answer(1, 2)\necho(sent)\nother.echo()\n"))
    assert said == []


MADE = """\
<?php
namespace Shop;

use DateTimeImmutable;

function made(DateTimeImmutable $now)
{
    return new Record(made: $now, extra: []);
}
"""


def test_a_comment_among_parameters_does_not_end_those_that_have_names(shop: Checked) -> None:
    assert shop.broken({"Made.php": MADE}) == []
    assert shop.broken({"Made.php": MADE, "More.php": MADE.replace("made(Date", "more(Date")}) == []
    assert shop.broken({"Made.php": MADE.replace("made:", "at:")}) == [
        "Made.php:8 misfit: `Record` has no parameter `at`"
    ]
