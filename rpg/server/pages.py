"""The page of a served graph, for a browser: `/`, and what the page asks for below `/view/`.

In: admitted requests, the graphs that they may see. Out: the page, which has no data in it; the columns of the graph,
sources, hits of a search, whether the graph has changed, all masked and escaped by one function (rpg/tools/viewed.py).
Everything is read, nothing changed; each answer counts as a call, with its limits (calls.py).

A browser sends a remembered password also where another web page leads it. So what the page asks for is answered only
to itself (`Sec-Fetch-Site`), and no other page may show or embed it.
"""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rpg.errors import RpgError
from rpg.server.calls import CallRunner
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs

PAGE, BELOW = "/", "/view/"
KEPT = 2
"""How many graphs have their columns kept, up to 4 MB each."""
HITS = 60
LONGEST = 2_000
"""Characters of what is asked for."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


def page_routes(graphs: Graphs, calls: CallRunner) -> list[Route]:
    pages = Pages(graphs, calls)
    return [Route(PAGE, pages.page, methods=["GET"]), Route(f"{BELOW}{{what}}", pages.asked, methods=["GET"])]


class Pages:
    def __init__(self, graphs: Graphs, calls: CallRunner) -> None:
        self._graphs = graphs
        self._calls = calls
        self._columns: dict[tuple[str, str, str], bytes] = {}
        self._making = threading.Lock()

    async def page(self, request: Request) -> Response:
        if is_led_by_another(request.headers, allows_links=True):
            return refused("open this page by its address", 403)
        from rpg.queries.view.page import ITS_SERVER, build_served_page, policy

        headers = {**HEADERS, "content-security-policy": f"{policy(ITS_SERVER)}; frame-ancestors 'none'"}
        return Response(build_served_page("rpg"), media_type="text/html", headers=headers)

    async def asked(self, request: Request) -> Response:
        if is_led_by_another(request.headers, allows_links=False):
            return refused("only the page itself may ask for this", 403)
        answers: dict[str, Callable[[Mapping[str, str]], bytes]] = {
            "graphs": self._names, "data": self._data, "source": self._source, "search": self._search,
            "generation": self._generation,
        }  # fmt: skip
        what = answers.get(request.path_params["what"])
        if what is None:
            return refused(f"there is {', '.join(answers)}", 404)
        given = dict(request.query_params)
        if any(len(value) > LONGEST for value in given.values()):
            return refused(f"at most {LONGEST:,} characters", 400)
        places = self._calls.slow if what == self._data else self._calls.quick
        from rpg.server import caught, error_text

        try:
            work = partial(caught, "the page", partial(what, given))
            body: bytes = await self._calls.run(places, self._calls.seconds, work)
        except RpgError as error:
            return refused(error_text(error), 400)
        return Response(body, media_type="application/json", headers={**HEADERS, "content-encoding": "gzip"})

    def _call(self) -> Call:
        return Call(self._graphs, seconds=self._calls.seconds)

    def _names(self, given: Mapping[str, str]) -> bytes:
        from rpg.tools.viewed import printable

        return packed({"graphs": printable(sorted(map(self._graphs.name_of, self._graphs.paths())))})

    def _data(self, given: Mapping[str, str]) -> bytes:
        """Made once for each state of a graph: others wait for it."""
        from rpg.queries.view.page import page_data
        from rpg.tools.viewed import build_cleaner, build_shown

        with self._making, self._call().view(given.get("graph", "")) as view:
            generation, since = view.index.generation(), given.get("since", "")
            key = (str(view.graph_file), generation, since)
            if key not in self._columns:
                shown = build_shown(view, since, live=True)
                data = page_data(view.index, view.header, shown, view.graph_only, view.folder)
                made = packed(build_cleaner(view)(data) | {"generation": generation})
                if since:  # what the work tree is compared with may change without the graph
                    return made
                while len(self._columns) >= KEPT:
                    self._columns.pop(next(iter(self._columns)))
                self._columns[key] = made
            return self._columns[key]

    def _source(self, given: Mapping[str, str]) -> bytes:
        from rpg.tools.viewed import build_cleaner

        with self._call().view(given.get("graph", "")) as view:
            text = view.index.source(given.get("path", "")).decode("utf-8", "replace")
            return packed(build_cleaner(view)({"text": text}))

    def _search(self, given: Mapping[str, str]) -> bytes:
        from rpg.queries.graph.budget import plain
        from rpg.tools import TOOLS
        from rpg.tools.viewed import printable

        graph = given.get("graph", "") or self._graphs.name_of(self._graphs.chosen(""))
        asked = {"query": given.get("q", ""), "graph": graph, "limit": HITS, "tests": "all", "max_tokens": 20_000}
        return packed(printable(plain(TOOLS["search"].run(self._call(), asked))))

    def _generation(self, given: Mapping[str, str]) -> bytes:
        with self._call().view(given.get("graph", "")) as view:
            return packed({"generation": view.index.generation()})


def is_led_by_another(headers: Mapping[str, str], *, allows_links: bool) -> bool:
    """Whether a browser says that another web page asks. Programs that are no browsers say nothing."""
    site = headers.get("sec-fetch-site", "none")
    is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return site not in ("none", "same-origin") and not (allows_links and is_link)


def packed(value: Any) -> bytes:
    return gzip.compress(orjson.dumps(value), 6, mtime=0)


def refused(why: str, status: int) -> Response:
    return Response(orjson.dumps({"error": why}), status, HEADERS, "application/json")
