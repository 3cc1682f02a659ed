"""Contracts: edges between parts that do not import each other, such as a client and the route that it calls.

In: files of which the references are resolved, with their sources. Out: rows of each file, which name what other files
define by its symbol id; then, from the rows of all files, edges `via crossing` (certain) and `possible-crossing`.

A row depends on one file and on what its names mean, so that an edit makes anew only the rows of the files that it
affects. What rows of different files make together (`contracts.py`) is computed from all of them after every edit, and
the parts of the graph in which an edge is no longer the same are replaced. Absent: reading files, running code.

`http/` has routes and clients, `named/` messages, jobs and events, each library as a row of a table; `settings/` what
configuration sets and code reads, `data/` the tables that statements and models declare and code names, `by_text/` the
translations and commands that a string names.
"""

from rpg.encoder.frameworks.contracts import CONTRACTS, Contracts, Outcome, pack_rows, rows_of, unpack_rows
from rpg.encoder.frameworks.http.servers import Serving
from rpg.encoder.frameworks.insertion import insert_crossings
from rpg.encoder.frameworks.named.tables import may_take
from rpg.encoder.frameworks.resolved_file import ResolvedFile, concerned_text, is_concerned
from rpg.encoder.frameworks.rows import FileRows
from rpg.encoder.frameworks.settings.files import is_configured, may_set, setting_kind
from rpg.encoder.frameworks.settings.stated import plain_key
from rpg.encoder.frameworks.source import Source

__all__ = [
    "CONTRACTS",
    "Contracts",
    "FileRows",
    "Outcome",
    "ResolvedFile",
    "Serving",
    "Source",
    "concerned_text",
    "insert_crossings",
    "is_concerned",
    "is_configured",
    "may_set",
    "may_take",
    "pack_rows",
    "plain_key",
    "rows_of",
    "setting_kind",
    "unpack_rows",
]  # fmt: skip
