"""Reports of bugs as queries: what of them is searched, and that they are no pasted code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from repositories import repository

import rpg
from rpg.queries.search.hits import Wanted
from rpg.queries.search.issue_text import is_report, read_report
from rpg.queries.search.search import search
from rpg.repository import index_path
from rpg.stores.index.index import Index

REPORT = """\
Tide table is wrong on leap days

<!-- Please say what you did.
Do not report harbour fees here. -->
The following shows it, see https://example.org/lighthouse/1 as well:

```python
from port import fees
fees.charge(ship=(1, 2), weeks=[1])
fees.charge(ship=(3, 4), weeks=[2])
tides.table(year=(2024), day=(29))
```

sextant version: 1.2.3

#### Versions
compass: 2.4.1
barometer: None
anchor: 0.9.2
byteorder: little

I expected 3.5 metres and got 4.0 of water.
"""


def test_a_report_has_a_title_in_words_above_more_text() -> None:
    assert is_report(REPORT)
    assert not is_report("Tide table is wrong on leap days")
    assert not is_report("def tide(table):\n    wrong = 0\n    for day in table:\n        wrong += day\n")
    assert not is_report("from port import the tides\n\n" + "a = tide(1)\n" * 20)
    assert not is_report("tide table\n\nis wrong")


def test_forms_addresses_and_lists_of_versions_are_not_searched() -> None:
    read = read_report(REPORT)

    assert read.count("Tide table is wrong on leap days") == 5
    for word in ("Please", "lighthouse", "sextant", "compass", "barometer", "byteorder"):
        assert word not in read
    assert "fees.charge" in read
    assert "I expected 3.5 metres and got 4.0 of water." in read
    assert read_report("just: 1.2.3") == "just: 1.2.3"


def test_a_report_of_twenty_thousand_characters_is_read_at_once() -> None:
    for part in ("<!--", "a: 1.2 ", "\n", "http://", "1." * 9 + "\n", "v" * 99 + "\n\n"):
        text = "The tide table is wrong\n\n" + part * (20_000 // len(part))
        assert len(read_report(text)) <= 2 * len(text)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("report")
    output = folder / "port.graph.json"
    sources = {
        "port/fees.py": "def charge(ship, weeks):\n    return ship, weeks\n",
        "port/tides.py": 'def table(year, day):\n    """The tide on leap days and on others."""\n    return year\n',
        "port/compass.py": "def compass(barometer):\n    return barometer\n",
    }
    rpg.encode(repository(folder / "port", sources), output=str(output))
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def test_a_report_with_more_code_than_words_finds_what_its_title_says(index: Index) -> None:
    answer = search(index, Wanted(query=REPORT))

    assert answer.mode == "snippets"
    assert answer.hits[0].node.path == "port/tides.py"
