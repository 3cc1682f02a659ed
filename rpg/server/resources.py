"""Resources: repositories, files and symbols by URI.

In: a URI. Out: its contents: JSON for repositories, text for code. Names in a URI may be percent-encoded.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

import mcp_types as types
import orjson

from rpg.errors import BadRequest
from rpg.queries.graph.budget import MAXIMUM_TOKENS, plain
from rpg.server import arriving
from rpg.server.leaving import percent_encoded, printable
from rpg.stores.index.symbol_reads import complete_names
from rpg.text.printable import encodable, json_escaped, quote_text
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.calling.masked import mask_answer
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.stats import LoadedRepository, being_made, describe_graphs

JSON = "application/json"
TEXT = "text/plain"
LIST = "repositories://list"
COMPLETED = 100
"""As many values as the protocol allows."""
COMPLETION_SECONDS = 5.0
TEMPLATES = [
    types.ResourceTemplate(
        name="repository", uri_template="repository://{name}", mime_type=JSON, description="Contents of a graph"
    ),
    types.ResourceTemplate(
        name="code", uri_template="code://{name}/{+path}", mime_type=TEXT, description="A file with numbered lines"
    ),
    types.ResourceTemplate(
        name="symbol", uri_template="symbol://{name}/{+id}", mime_type=TEXT,
        description="A symbol's source with callers and callees",
    ),
]  # fmt: skip


def resources(graphs: Graphs) -> list[types.Resource]:
    return [
        types.Resource(name="repositories", uri=LIST, mime_type=JSON, description="The repositories that are loaded"),
        *(
            types.Resource(name=name, uri=f"repository://{quote(name)}", mime_type=JSON, description=f"Graph of {name}")
            for name in graphs.names()
        ),
    ]


def complete_argument(graphs: Graphs, uri_template: str, argument: str, begun: str, known: dict[str, str]) -> list[str]:
    """Values that a template's argument may have: names of repositories, and paths and symbols of one. As they stand in
    a URI: what is not printable is percent-encoded, and so it may be sent."""
    begun = unquote(arriving.argument(argument, begun))
    arriving.argument(argument, begun)
    if uri_template not in {str(each.uri_template) for each in TEMPLATES}:
        return []
    names = graphs.names()
    if argument == "name":
        return [percent_encoded(each) for each in names if each.startswith(begun)][:COMPLETED]
    name = unquote(known.get("name", ""))
    if name not in names or argument not in ("path", "id"):
        return []
    pattern = "".join(f"[{each}]" if each in "*?[" else each for each in begun) + "*"
    with Call(graphs, seconds=COMPLETION_SECONDS).view(name) as view:
        found = complete_names(view.index, argument == "path", pattern, COMPLETED)
        return [percent_encoded(each) for each in found]


def read(call: Call, uri: str) -> types.TextResourceContents:
    """BAD_REQUEST for an unknown kind of URI; otherwise whatever the tool behind it raises."""
    arriving.uri(uri)
    scheme, _, rest = uri.partition("://")
    name, _, inner = (unquote(part) for part in rest.partition("/"))
    if uri == LIST:
        listed = [{"uri": f"repository://{quote(each.name)}", **entry_of(each)} for each in describe_graphs(call)]
        entries = [*listed, *map(entry_of, being_made(call))]
        return contents(uri, JSON, json(entries if call.graphs.settings.shows_secrets else mask_answer(entries)))
    if scheme == "repository" and name and not inner:
        statistics = plain(TOOLS["stats"].run(call, {"graph": name}))
        page = plain(TOOLS["explore"].run(call, {"graph": name}))
        return contents(uri, JSON, json({**statistics, "overview": page.get("overview")}))
    if scheme == "code" and inner:
        return contents(uri, TEXT, fetch_text(call, name, inner, False))
    if scheme == "symbol" and inner:
        return contents(uri, TEXT, fetch_text(call, name, inner, True))
    known = ", ".join([LIST, *(str(template.uri_template) for template in TEMPLATES)])
    raise BadRequest(f"no resource {quote_text(uri)}; there are {known}")


def entry_of(repository: LoadedRepository) -> dict[str, str]:
    fields = {
        "name": repository.name, "state": repository.status, "when": repository.when,
        "commit": repository.state.commit, "message": repository.message,
    }  # fmt: skip
    return {key: value for key, value in fields.items() if value}


def fetch_text(call: Call, name: str, target: str, relations: bool) -> str:
    arguments = {"targets": [target], "relations": relations, "max_tokens": MAXIMUM_TOKENS, "graph": name}
    return TOOLS["fetch"].text(TOOLS["fetch"].run(call, arguments))


def json(value: object) -> str:
    return json_escaped(orjson.dumps(printable(value, encodable), option=orjson.OPT_INDENT_2).decode())


def contents(uri: str, mime_type: str, text: str) -> types.TextResourceContents:
    return types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
