"""One HTML file of a repository: scripts, styles and data, without a network.

In: an index, its header, how many bytes there may be. Out: the page. Its policy admits only the scripts and styles in
it, by their hashes, and no connection but, for a page from a server, to that server; names and sources are data, which
the scripts only ever write as text.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg import __version__
from rpg.queries.view.graph_columns import Columns, graph_columns
from rpg.queries.view.marks import cyclic_files, find_numbers, find_untested, group_by_confidence, lists
from rpg.queries.view.source_blocks import pack_text, source_blocks

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST_BYTES = 6_000_000
SCRIPTS = ("dom", "model", "highlight", "search", "map_tree", "map_layout", "map", "symbol", "lists", "review", "main")
"""In the order in which they are put together: they share one scope."""
NOBODY, ITS_SERVER = "'none'", "'self'"
"""Whom the page may ask for anything."""
LIBRARY = "cytoscape/cytoscape.min.js"
STYLES = "page.css"
LIBRARY_STYLE = ".__________cytoscape_container { position: relative; }"
"""What the library would add by itself, which the policy forbids: it leaves that out where it is there already."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the page is of."""

    name: str
    commit: str = ""
    dirty: bool = False
    since: str = ""
    """The revision that changes are shown since; empty: none."""
    changed: list[str] = field(default_factory=list)
    """Ids of symbols that changed since then."""
    review: dict[str, Any] | None = None
    opens: str = ""
    """The place at which it opens; empty: the map."""
    live: bool = False


Cleaned = Callable[[Any], Any]
"""Masks and escapes whatever leaves."""


def page_data(
    index: Index, header: dict[str, Any], shown: Shown, graph_only: bool, folder: Path | None
) -> dict[str, Any]:
    """Everything but the sources."""
    columns: Columns = graph_columns(index, header)
    listed = lists(index, header, graph_only, folder)
    return {
        "rpg": __version__,
        "name": shown.name,
        "commit": shown.commit,
        "dirty": shown.dirty,
        "since": shown.since,
        "review": shown.review,
        "live": shown.live,
        "opens": shown.opens,
        **columns.data,
        "lists": listed,
        "marks": {
            "untested": find_untested(columns),
            "unused": group_by_confidence(listed["unused"], columns),
            "changed": find_numbers(shown.changed, columns),
            "cyclic": cyclic_files(listed["cycles"]),
        },
    }


def static_page(
    index: Index, data: dict[str, Any], cleaned: Cleaned, most_bytes: int = MOST_BYTES, fallback: str = ""
) -> str:
    """A file that opens by itself."""
    core = pack_text(cleaned(data))
    room = most_bytes - len(core) - len(frame({}, "", NOBODY, fallback)) - 60_000
    found = source_blocks(index, room, cleaned)
    where = pack_text(cleaned({"blockOf": found.block_of, "leftOut": found.left_out}))
    blocks = {"data": core, "sources": where} | {f"block-{n}": each for n, each in enumerate(found.blocks)}
    return frame(blocks, str(data["name"]), NOBODY, fallback)


def build_served_page(name: str) -> str:
    """The page of a server, which asks it for the data."""
    return frame({}, name, ITS_SERVER, "")


def policy(connections: str) -> str:
    scripts = " ".join(hash_of(each) for each in (library(), script()))
    styles = " ".join(hash_of(each) for each in (LIBRARY_STYLE, static(STYLES)))
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; img-src data:; "
        f"connect-src {connections}; base-uri 'none'; form-action 'none'"
    )


def frame(blocks: dict[str, str], name: str, connections: str, fallback: str) -> str:
    data = "\n".join(f'<script type="text/plain" id="{key}">{text}</script>' for key, text in blocks.items())
    shown = fallback or "<p>This page needs scripts: the ones in it, and no others.</p>"
    return f"""<!doctype html>
<!-- rpg page -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy(connections)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(name)} · rpg</title>
<link rel="icon" href="data:,">
<style id="__________cytoscape_stylesheet">{LIBRARY_STYLE}</style>
<style>{static(STYLES)}</style>
</head>
<body>
<div id="page"><main id="fallback">{shown}</main></div>
{data}
<script>{library()}</script>
<script>{script()}</script>
</body>
</html>
"""


def hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def static(name: str) -> str:
    return files("rpg.queries.view").joinpath("static", name).read_text("utf-8")


def library() -> str:
    return static(LIBRARY)


@cache
def script() -> str:
    parts = "\n".join(static(f"{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'
