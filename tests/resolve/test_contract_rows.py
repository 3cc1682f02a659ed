"""What files say of contracts is stored for the next edit, and is then the same."""

from __future__ import annotations

from rpg.encoder.frameworks import FileRows, pack_rows, unpack_rows
from rpg.encoder.frameworks.rows import (
    Client,
    Handler,
    Mount,
    Passed,
    Reading,
    Request,
    Route,
    Router,
    Sender,
    Setting,
)

TEXT = (("s", "/users"), ("?", "id"))


def test_rows_are_the_same_after_they_were_stored() -> None:
    rows = FileRows(
        "app.py", True, True,
        (Route("Rails", "#", "GET", TEXT, "app.py::show", 3, True, "user"),),
        (Router("app.py::app", "", TEXT, True),),
        (Mount("a", "b", TEXT, False),),
        (Client("app.py::client", "axios", TEXT, True),),
        (Request("axios", "c", "get", "GET", TEXT, True, TEXT, "m", (1, 2), True, True, True, 1, "url"),),
        (("app.py::BASE", TEXT),),
        (Passed("app.py::send", 1, TEXT, "PUT", "m", (3, 4), True, False),),
        True,
        (Handler("Kafka", "kafka", TEXT, "app.py::take", 5),),
        (Sender("Kafka", "kafka", TEXT, "m", (6, 7), True),),
        (Setting("environment", "PORT", "app.py", 8, ".env", "file:.env", False, "http://localhost"),),
        (Reading("environment", TEXT, "m", (9, 1), True, "compose", 2, "app.py::port", False),),
    )  # fmt: skip

    assert unpack_rows(pack_rows([rows])) == {"app.py": rows}
