"""What the rows of all files make together: which routes there are, which requests mean them, and the edges.

In: rows of all files. Out: edges by the file of their source, places of requests that mean no known route. The same
rows make the same edges, in whatever order they were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import chain, islice
from typing import Final, NamedTuple

import orjson

from rpg.encoder.frameworks.by_text.assets import assets_of, is_asset, may_name_asset, named_assets
from rpg.encoder.frameworks.by_text.commands import COMMAND, commands_of, run_commands
from rpg.encoder.frameworks.by_text.components import components_of, may_have_components, named_components
from rpg.encoder.frameworks.by_text.flags import flags_of, may_flag, named_flags
from rpg.encoder.frameworks.by_text.framework_names import may_name_parts, named_parts, parts_of
from rpg.encoder.frameworks.by_text.native import NATIVE, may_cross, native_of, native_uses
from rpg.encoder.frameworks.by_text.templates import named_templates, templates_of
from rpg.encoder.frameworks.by_text.translations import named_translations
from rpg.encoder.frameworks.by_text.words import may_command, may_render, may_translate
from rpg.encoder.frameworks.data.declared import declared_by
from rpg.encoder.frameworks.data.django_models import fields_of, may_have_fields, named_fields
from rpg.encoder.frameworks.data.models import rows_of_models
from rpg.encoder.frameworks.data.queries import names_of
from rpg.encoder.frameworks.graphql.in_code import rows_in_code
from rpg.encoder.frameworks.graphql.words import RESOLVER, may_query
from rpg.encoder.frameworks.graphql.written import written_by
from rpg.encoder.frameworks.http.addresses import (
    COMPUTED,
    Address,
    Meant,
    Served,
    ServedRoute,
    address_of,
    format_text,
    segments_of_route,
)
from rpg.encoder.frameworks.http.addresses import join_paths as joined_address
from rpg.encoder.frameworks.http.annotated import IMPLEMENTED, OFFERED, REST, find_annotated_rows
from rpg.encoder.frameworks.http.builders.actix import find_actix_rows
from rpg.encoder.frameworks.http.builders.functional import find_functional_routes
from rpg.encoder.frameworks.http.builders.spring_gateway import gateway_requests
from rpg.encoder.frameworks.http.by_path import rows_by_path
from rpg.encoder.frameworks.http.django import REVERSED, django_rows
from rpg.encoder.frameworks.http.gateways.meeting import Gateways
from rpg.encoder.frameworks.http.generated import calls_of_generated, generated_requests
from rpg.encoder.frameworks.http.laravel import laravel_rows
from rpg.encoder.frameworks.http.links import LINK, OF_PAGES, links_of
from rpg.encoder.frameworks.http.page_routes import ENTRY, LINKED, page_rows
from rpg.encoder.frameworks.http.page_routes import PAGE as SHOWN
from rpg.encoder.frameworks.http.pages import NAMED, PAGE, requests_of_page
from rpg.encoder.frameworks.http.probes import PROBE, requests_of_configuration
from rpg.encoder.frameworks.http.rails import rails_rows
from rpg.encoder.frameworks.http.requests import (
    clients_of,
    is_address,
    is_computed,
    is_relative_path,
    passed_by,
    requests_of,
)
from rpg.encoder.frameworks.http.routes import Routes
from rpg.encoder.frameworks.named.grpc import ACTION, BASE, DECLARED, called, declared, served
from rpg.encoder.frameworks.named.handlers import handlers_of
from rpg.encoder.frameworks.named.matching import Names
from rpg.encoder.frameworks.named.senders import queues_of, senders_of
from rpg.encoder.frameworks.resolved_file import ResolvedFile, is_concerned
from rpg.encoder.frameworks.rows import (
    THROUGH,
    FileRows,
    Handler,
    Mount,
    Reading,
    Request,
    Route,
    Router,
    Sender,
    Setting,
    dump_rows,
    parse_rows,
)
from rpg.encoder.frameworks.settings.files import TEXT, has_settings
from rpg.encoder.frameworks.settings.matching import Settings
from rpg.encoder.frameworks.settings.readings import readings_of
from rpg.encoder.frameworks.settings.stated import interpolated, settings_of
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import (
    DEFAULT,
    ENVIRONMENT,
    HOLE,
    OF,
    PARAMETER,
    RETURNED,
    SAID,
    Text,
    fill_in,
    read_call,
)
from rpg.encoder.frameworks.text import join_parts as joined_text
from rpg.graph import CROSSING, FUNCTION_KINDS, POSSIBLE_CROSSING, Edge
from rpg.system.compression import compress, decompress

_MAY_NAME: Final = re.compile(r"/|^[\w.:@${}-]{2,80}$")
CONTRACTS: Final = "contracts"
"""The name of the row that keeps them."""
DEEPEST: Final = 8
MOST_ROWS: Final = 5_000
"""The most rows of one kind that a file has."""
MOST_HANDING: Final = 3
"""The most functions through which an address is handed on."""
MOST_PREFIXES: Final = 8
"""The most places where one router is mounted."""


def rows_of(file: ResolvedFile, source: bytes) -> FileRows:
    """What one file says."""
    here = Source(file, source)
    texts = tuple(_texts(here))
    settings: tuple[Setting, ...] = ()
    readings: tuple[Reading, ...] = ()
    if has_settings(file.facts):
        stored = [*islice(declared_by(here), MOST_ROWS), *islice(names_of(here), MOST_ROWS)]
        stored += islice(rows_of_models(here), MOST_ROWS)
        stored += islice(written_by(here), MOST_ROWS)
        if may_query(file.facts):
            stored += islice(rows_in_code(here), MOST_ROWS)
        lines = islice(settings_of(here), MOST_ROWS)
        settings = tuple(dict.fromkeys((*lines, *(each for each in stored if isinstance(each, Setting)))))
        named = (each for each in stored if isinstance(each, Reading))
        read = islice(chain(readings_of(here), interpolated(here)), MOST_ROWS)
        readings = tuple(dict.fromkeys((*read, *named)))
    if may_translate(file.facts):
        readings += tuple(dict.fromkeys(islice(named_translations(here), MOST_ROWS)))
    if may_render(file.facts):
        settings += tuple(islice(templates_of(here), MOST_ROWS))
        readings += tuple(dict.fromkeys(islice(named_templates(here), MOST_ROWS)))
    if may_command(file.facts):
        settings += tuple(islice(commands_of(here), MOST_ROWS))
        readings += tuple(dict.fromkeys(islice(run_commands(here), MOST_ROWS)))
    if is_asset(here.path) and here.language != TEXT:
        settings += tuple(assets_of(here))
    if may_name_asset(file.facts):
        readings += tuple(dict.fromkeys(islice(named_assets(here), MOST_ROWS)))
    if may_flag(file.facts):
        settings += tuple(islice(flags_of(here), MOST_ROWS))
        readings += tuple(dict.fromkeys(islice(named_flags(here), MOST_ROWS)))
    if may_have_components(file.facts):
        settings += tuple(components_of(here))
        readings += tuple(dict.fromkeys(islice(named_components(here), MOST_ROWS)))
    if may_name_parts(file.facts):
        settings += tuple(islice(parts_of(here), MOST_ROWS))
        readings += tuple(dict.fromkeys(islice(named_parts(here), MOST_ROWS)))
    if may_have_fields(file.facts):
        settings += tuple(islice(fields_of(here), MOST_ROWS))
        readings += tuple(dict.fromkeys(islice(named_fields(here), MOST_ROWS)))
    if may_cross(file.facts):
        settings += tuple(islice(native_of(here), MOST_ROWS))
        readings += tuple(dict.fromkeys(islice(native_uses(here), MOST_ROWS)))
    if not is_concerned(file.facts, file.serves, file.takes):
        sent = tuple(requests_of_configuration(here))
        return FileRows(here.path, here.test, False, requests=sent, texts=texts, settings=settings, readings=readings)
    texts += tuple(queues_of(here))
    routes = Routes(here)
    routes.read()
    stated: list[Route | Request | Router | Mount | Handler] = []
    stated += [*find_annotated_rows(here), *django_rows(here), *rows_by_path(here), *find_functional_routes(here)]
    stated += [*rails_rows(here), *laravel_rows(here), *find_actix_rows(here), *page_rows(here)]
    remote = [*declared(here)] if here.language == "protobuf" else [*served(here), *called(here)]
    return FileRows(
        here.path,
        here.test,
        file.serves,
        (*routes.routes, *(each for each in stated if isinstance(each, Route))),
        tuple({**routes.routers, **{each.key: each for each in stated if isinstance(each, Router)}}.values()),
        tuple(dict.fromkeys([*routes.mounts, *(each for each in stated if isinstance(each, Mount))])),
        tuple(clients_of(here)),
        (
            *requests_of(here),
            *requests_of_page(here),
            *links_of(here),
            *gateway_requests(here),
            *generated_requests(here),
            *requests_of_configuration(here),
            *(each for each in stated if isinstance(each, Request)),
        ),
        texts,
        (*passed_by(here), *calls_of_generated(here)),
        file.takes,
        tuple(dict.fromkeys([*handlers_of(here), *(each for each in [*remote, *stated] if isinstance(each, Handler))])),
        (*senders_of(here), *(each for each in remote if isinstance(each, Sender))),
        settings,
        readings,
    )


def _texts(source: Source) -> Iterable[tuple[str, Text]]:
    """The constants of a file that are a name, text with a slash, or a variable of the environment."""
    for number, definition in enumerate(source.facts.definitions):
        if definition.kind in ("constant", "field", "property"):
            said = source.said_by(number)
            if any(kind in (OF, ENVIRONMENT) or (kind == SAID and _MAY_NAME.search(word)) for kind, word in said):
                yield source.symbol(number), said
        elif definition.kind in FUNCTION_KINDS and (returned := source.returned_by(number)):
            yield f"{source.symbol(number)}()", returned
    yield from source.members.items()


def pack_rows(rows: Iterable[FileRows]) -> bytes:
    return compress(orjson.dumps([dump_rows(each) for each in sorted(rows)]))


def unpack_rows(data: bytes) -> dict[str, FileRows]:
    """Raises what damaged data raises: BrokenBlock, ValueError and the like."""
    return {rows.path: rows for rows in map(parse_rows, orjson.loads(decompress(data)))}


class Outcome(NamedTuple):
    request: Request
    routes: tuple[ServedRoute, ...]
    certain: bool
    own: bool
    """Whether it is sent to the repository's own program, as far as its address says."""


def _via(outcome: Outcome) -> str:
    return CROSSING if outcome.certain else POSSIBLE_CROSSING


class Contracts:
    """The rows of all files, put together."""

    def __init__(self, rows: Iterable[FileRows]) -> None:
        self.files = {each.path: each for each in sorted(rows)}
        self._texts = {id: text for each in self.files.values() for id, text in each.texts}
        self._routers = {row.key: row for each in self.files.values() for row in each.routers}
        self._mounts: dict[str, list[tuple[Mount, bool]]] = {}
        for each in self.files.values():
            for mount in each.mounts:
                self._mounts.setdefault(self._same(mount.child), []).append((mount, each.test))
        self._clients = {row.key: row for each in self.files.values() for row in each.clients}
        self._handing_on: dict[tuple[str, int], list[Request]] = {}
        for each in self.files.values():
            for request in each.requests:
                if request.parameter >= 0 or request.parameter == THROUGH:
                    self._handing_on.setdefault((request.maker, request.parameter), []).append(request)
        self._hand_through()
        self._offers: dict[str, list[Route]] = {}
        """What interfaces state, by their symbols."""
        for each in self.files.values():
            for route in each.routes:
                if route.router.startswith(OFFERED):
                    self._offers.setdefault(route.router.removeprefix(OFFERED), []).append(route)
        every = sorted(self._served()) if any(each.serves for each in self.files.values()) else []
        self.routes = [each for each in every if each.methods not in (SHOWN, ENTRY)]
        self.served = Served(self.routes)
        pages = [each for each in every if each.methods in (SHOWN, ENTRY) and self._is_linked(each)]
        self.pages = Served([each for each in pages if each.methods == SHOWN])
        """What is shown in a browser at a path."""
        self.entries = Served([each._replace(methods=SHOWN) for each in pages if each.methods == ENTRY])
        """What states that."""
        self.gateways = Gateways(self.files)
        takes = any(each.takes for each in self.files.values())
        self.names = Names(self.files.values(), self._texts, self.text) if takes else None
        sets = any(each.settings for each in self.files.values())
        self.settings = Settings(self.files, self.text) if sets else None

    def _is_linked(self, page: ServedRoute) -> bool:
        """Whether a file that may be a page by its path is one of a framework that the repository uses."""
        return not page.framework.startswith(LINKED) or page.framework.removeprefix(f"{LINKED} ") in self._linking

    @cached_property
    def _linking(self) -> set[str]:
        return {each.member for rows in self.files.values() for each in rows.requests if each.library == LINK}

    def _hand_through(self) -> None:
        """Functions that hand a parameter on to one that sends to it send to it themselves."""
        through = [
            (passed, int(passed.text[0][1]))
            for rows in self.files.values()
            for passed in rows.passed
            if len(passed.text) == 1 and passed.text[0][0] == PARAMETER
        ]
        for _ in range(MOST_HANDING):
            found: dict[tuple[str, int], list[Request]] = {}
            for passed, own in through:
                known = self._handing_on.get((passed.maker, own), ())
                for request in self._handing_on.get((passed.target, passed.position), ()):
                    sent = request._replace(
                        maker=passed.maker, site=passed.site, parameter=own, method=request.method or passed.method
                    )
                    if passed.maker != passed.target and sent not in known:
                        found.setdefault((passed.maker, own), []).append(sent)
            if not found:
                return
            for key, requests in found.items():
                self._handing_on[key] = [*self._handing_on.get(key, ()), *dict.fromkeys(requests)][:MOST_PREFIXES]

    # Edges

    def edges(self) -> dict[str, list[Edge]]:
        """By the path of the file that sends, in the order of its sources' sites."""
        found: dict[str, list[Edge]] = {}
        has_any = self.routes or self.pages.routes or self.names or self.settings
        for path, rows in self.files.items() if has_any else ():
            made: dict[tuple[str, str, str, str], list[tuple[int, int]]] = {}
            for delivery in self.names.outcomes(rows) if self.names else ():
                via = CROSSING if delivery.certain else POSSIBLE_CROSSING
                kind = "references" if delivery.sender.space == DECLARED else "calls"
                for handler, _, _ in delivery.handlers:
                    if handler != delivery.sender.maker:
                        made.setdefault((delivery.sender.maker, handler, kind, via), []).append(delivery.sender.site)
            for read in self.settings.outcomes(rows) if self.settings else ():
                for via, settings in ((CROSSING, read.certain), (POSSIBLE_CROSSING, read.possible)):
                    for setting, _ in settings:
                        if setting.symbol != read.reading.maker:
                            kind = "calls" if setting.space in (RESOLVER, COMMAND, NATIVE) else "references"
                            key = read.reading.maker, setting.symbol, kind, via
                            made.setdefault(key, []).append(read.reading.site)
            for outcome in self._linked(rows) if self.entries.routes or self.pages.routes else ():
                for route in outcome.routes:
                    if route.handler != outcome.request.maker:
                        key = outcome.request.maker, route.handler, "references", _via(outcome)
                        made.setdefault(key, []).append(outcome.request.site)
            for outcome in self.outcomes(rows) if self.routes else ():
                request, own = outcome.request, rows.test
                via = CROSSING if outcome.certain else POSSIBLE_CROSSING
                for route in outcome.routes:
                    if route.handler != request.maker:
                        made.setdefault((request.maker, route.handler, "calls", via), []).append(request.site)
                        if outcome.certain and request.tests and own and not route.test:
                            made.setdefault((request.maker, route.handler, "tests", via), []).append(request.site)
            if made:
                found[path] = [Edge(*key, tuple(sorted(set(sites)))) for key, sites in sorted(made.items())]
        return found

    def outcomes(self, rows: FileRows) -> Iterable[Outcome]:
        """What each request of a file means, as far as any route is known."""
        for request in (*self._as_stated(rows), *self._handed_on(rows)):
            if request.library == LINK:
                if request.address[0][0] != NAMED and (address := self._address(request, rows.path)) is not None:
                    known = address._replace(known=True)
                    if not self.pages.find_meant(SHOWN, known, rows.path, rows.test).routes:
                        meant = self.served.find_meant("GET", known, rows.path, rows.test)
                        is_own = not self.pages.routes or all(each.framework in OF_PAGES for each in meant.routes)
                        yield Outcome(request, meant.routes, meant.certain and is_own, True)
                continue
            if request.address and request.address[0][0] == NAMED:
                meant = self.served.find_named(request.address[0][1], request.method)
                yield Outcome(request, meant.routes, meant.certain, True)
                continue
            address = self._address(request, rows.path)
            if address is None or (request.parameter >= 0 and request.base and is_computed(request.address)):
                yield Outcome(request, (), False, False)  # who passes the address sends it
                continue
            is_sent = request.client in self._clients or bool(request.base)
            behind = self._behind_gateway(request, address, rows) if self.gateways else None
            meant = behind or self.served.find_meant(request.method, address, rows.path, rows.test, is_sent=is_sent)
            if request.library == PAGE:
                meant = self.served.of_page(meant, rows.path)
            elif request.library == PROBE and address.host:
                meant = self.served.of_checked(request.method, address)
            elif request.library == PROBE:
                meant = self.served.of_deployed(meant, rows.path)
            routes = meant.routes if len({each.handler for each in meant.routes}) <= 5 else ()
            yield Outcome(request, routes, meant.certain, address.known)

    def _linked(self, rows: FileRows) -> Iterable[Outcome]:
        """The pages that links mean, and what states these."""
        for request in rows.requests:
            if request.library not in (LINK, REVERSED):
                continue
            for pages in (self.pages, self.entries) if request.library == LINK else (self.entries,):
                if request.address[0][0] == NAMED:
                    meant = pages.find_named(request.address[0][1], SHOWN)
                else:
                    address = self._address(request, rows.path)
                    if address is None or not address.path.startswith("/"):
                        continue
                    meant = pages.find_meant(SHOWN, address._replace(known=True), rows.path, rows.test)
                near = pages.nearest(meant, rows.path)
                if len({each.handler for each in near.routes}) <= MOST_PREFIXES:
                    yield Outcome(request, near.routes, near.certain, True)

    def addresses(self, rows: FileRows) -> Iterable[tuple[Outcome, list[tuple[Address, bool]]]]:
        """The requests of a file with what they mean here, and the addresses that they have: behind a gateway, else as
        sent. With each: whether it is certain that it is sent there."""
        for outcome in self.outcomes(rows):
            request = outcome.request
            if request.in_tests or request.library in (PROBE, LINK):
                continue
            address = self._address(request, rows.path)
            if address is None or (request.address and request.address[0][0] == NAMED):
                continue
            behind = [each for near in self.gateways.pass_on(address, rows.path) for each in near]
            yield outcome, [(each.address, each.own) for each in behind] or [(address, True)]

    def unseen_requests(self) -> list[tuple[str, int]]:
        """Where requests are sent of whose addresses nothing is known before the program runs, but in tests."""
        passed = {(each.target, each.position) for rows in self.files.values() for each in rows.passed}
        found = []
        for path, rows in self.files.items() if self.routes else ():
            for request in rows.requests if not rows.test else ():
                if (
                    request.library != LINK
                    and (not request.client or request.client in self._clients)
                    and is_computed(self._configured(self.text(request.address), path))
                    and (
                        (request.maker, request.parameter) not in passed
                        and not any(outcome.routes for outcome in self._outcomes_at(rows, request))
                    )
                ):
                    found.append((path, request.site[0]))
        return sorted(set(found))

    def _outcomes_at(self, rows: FileRows, request: Request) -> Iterable[Outcome]:
        return self.outcomes(rows._replace(requests=(request,), passed=()))

    def _behind_gateway(self, request: Request, address: Address, rows: FileRows) -> Meant | None:
        """What gateways make of a request that is sent to the page's own host, or to one that is not known."""
        if address.host not in ("", "localhost") or request.in_tests or request.library == PROBE:
            return None
        for passed in self.gateways.pass_on(address, rows.path):
            found = [(each, self.served.find_at_host(request.method, each.address, rows.path)) for each in passed]
            found = [(each, meant) for each, meant in found if meant.routes]
            if found:
                routes = dict.fromkeys(route for _, meant in found for route in meant.routes)
                certain = all(each.own and meant.certain for each, meant in found)
                is_one = len({route.handler for route in routes}) == 1
                return Meant(tuple(routes), certain and is_one and (request.knows_host or not address.is_relative))
        return None

    def _as_stated(self, rows: FileRows) -> Iterable[Request]:
        """The requests of a file, with what its clients have from interfaces."""
        for request in rows.requests:
            if not request.client.startswith(IMPLEMENTED):
                yield request
                continue
            rest = request.member.split() if request.member.startswith(REST) else []
            for offer in self._offers.get(request.client.removeprefix(IMPLEMENTED), ()):
                if offer.name not in rest[1:] if rest else offer.name == request.member:
                    address = _below(request.address, offer.path) or ((SAID, "/"),)
                    yield request._replace(client="", member="", method=offer.methods, address=address)

    def _handed_on(self, rows: FileRows) -> Iterable[Request]:
        """What functions send that a file hands an address to."""
        for each in rows.passed:
            if any(kind == PARAMETER for kind, _ in each.text):
                continue
            for request in self._handing_on.get((each.target, each.position), ()):
                address = tuple(
                    part
                    for known in request.address
                    for part in (each.text if known == (HOLE, request.parameter_name) else (known,))
                )
                yield request._replace(
                    address=joined_text(list(address)), method=request.method or each.method, maker=each.maker,
                    site=each.site, tests=each.tests and each.certain,
                    has_base=request.has_base and each.certain, in_tests=request.in_tests and each.certain,
                )  # fmt: skip

    def _configured(self, text: Text, path: str) -> Text:
        """With the address that a variable in front has where the program of a file runs."""
        if not text or text[0][0] != ENVIRONMENT or self.settings is None:
            return text
        url = self.settings.find_url(text[0][1], path)
        rest = text[2:] if text[1:2] and text[1][0] == DEFAULT else text[1:]
        if url and rest and rest[0][0] == SAID and not rest[0][1].startswith("/"):
            url += "/"
        return joined_text([(SAID, url), *rest]) if url else text

    def _address(self, request: Request, path: str) -> Address | None:
        text = self._configured(self.text(request.address), path)
        is_below = request.client in self._clients and is_relative_path(text)
        if not is_address(text) and not request.parameter_name and not is_below:
            return None
        base, has_base = self._configured(self.text(request.base), path), request.has_base
        if request.client:
            client = self._clients.get(request.client)
            if client is None:
                return None
            base, has_base = self._configured(self.text(client.base), path), client.known
        if base and not format_text(text).startswith(("http:", "https:")):
            whole = joined_address(format_text(base), format_text(text))
            return address_of(((SAID, whole),))
        address = address_of(text)
        if address is not None and address.is_relative:
            is_whole = address.known and has_base and request.knows_host
            return address._replace(known=is_whole or request.in_tests)
        return address

    def text(self, text: Text, depth: int = 0) -> Text:
        """With the texts of other files' constants in it."""
        if depth > DEEPEST or not any(kind in (OF, RETURNED) for kind, _ in text):
            return text
        found: list[tuple[str, str]] = []
        for kind, word in text:
            if kind == OF:
                found += self.text(self._texts.get(word, ((HOLE, word.rpartition(".")[2]),)), depth + 1)
            elif kind == RETURNED:
                named, passed = read_call(word)
                returned = self.text(self._texts.get(f"{named}()", ((HOLE, named.rpartition(".")[2]),)), depth + 1)
                found += fill_in(returned, [self.text(each, depth + 1) for each in passed])
            else:
                found.append((kind, word))
        return joined_text(found)

    # Routes

    def _served(self) -> Iterable[ServedRoute]:
        actions: dict[str, list[str]] = {}
        for rows in self.files.values():
            for each in rows.handlers:
                if each.space in (ACTION, BASE):
                    actions.setdefault(each.name[0][1], []).append(each.symbol)
        implemented: set[str] = set()
        routes = {path: [*self._implemented(rows, implemented)] for path, rows in self.files.items()}
        for path, rows in self.files.items():
            for route in routes[path]:
                if route.handler in implemented:
                    continue
                if route.handler.startswith(f"{ACTION}:"):
                    route = route._replace(handler=_find_action(actions, route.handler) or rows.path)
                router = self._same(route.router)
                if route.router != route.handler and not self._is_router(route.router, router):
                    continue
                for prefix, known in self._below(router):
                    path = format_text(self.text(route.path))
                    whole = _together(prefix, path).replace("//", "/")
                    whole = whole.replace(":.*}", "}") if route.framework == "Spring" else whole  # of one segment
                    yield ServedRoute(
                        route.methods, segments_of_route(whole), route.handler, rows.path, route.line, rows.test,
                        whole.replace(COMPUTED, "…") or "/", known, route.framework, route.name,
                    )  # fmt: skip

    def _implemented(self, rows: FileRows, implemented: set[str]) -> Iterable[Route]:
        """The routes of a file, with those that its classes have from interfaces; `implemented` gets the methods of
        these."""
        for route in rows.routes:
            if not route.router.startswith((IMPLEMENTED, OFFERED)):
                yield route
            elif route.router.startswith(IMPLEMENTED):
                for offer in self._offers.get(route.router.removeprefix(IMPLEMENTED), ()):
                    if offer.name == route.name:
                        implemented.add(offer.handler)
                        yield route._replace(
                            router="#", methods=offer.methods, path=_below(route.path, offer.path), name=""
                        )

    def _is_router(self, key: str, same: str) -> bool:
        """Whether something is known to be a router: made as one, mounted, or named like one in a file that uses the
        framework."""
        return same in self._routers or key in self._routers or same in self._mounts or "#" in same

    def _same(self, key: str, depth: int = 0) -> str:
        row = self._routers.get(key)
        if row is None or not row.same_as or depth > DEEPEST:
            return key
        return self._same(row.same_as, depth + 1)

    def _below(self, router: str, depth: int = 0, seen: frozenset[str] = frozenset()) -> list[tuple[str, bool]]:
        """Every path below which a router is, and whether all of it is known."""
        row: Router | None = self._routers.get(router)
        own = format_text(self.text(row.prefix)) if row is not None else ""
        mounts = [mount for mount, test in self._mounts.get(router, ()) if not test]
        mounts = mounts or [mount for mount, _ in self._mounts.get(router, ())]
        if not mounts or depth > DEEPEST or router in seen:
            return [(own, COMPUTED not in own)]
        found: dict[tuple[str, bool], None] = {}
        for mount in mounts:
            at = format_text(self.text(mount.path))
            mine = "" if row is not None and row.replaced and at else own
            for above, known in self._below(self._same(mount.parent), depth + 1, seen | {router}):
                whole = _together(_together(above, at), mine)
                found[whole, known and mount.certain and COMPUTED not in at + mine] = None
        return list(found)[:MOST_PREFIXES]


def _find_action(actions: dict[str, list[str]], written: str) -> str:
    """The method that a route names, by its class, with the folders that the name says, if several have that name."""
    of_class, _, method = written.removeprefix(f"{ACTION}:").rpartition("@")
    folders, _, name = of_class.rpartition("\\")
    found = actions.get(f"{name}@{method}", [])
    if len(found) > 1:
        folder = folders.replace("\\", "/")
        within = f"/{folder}/{name}.php::" if folder else f"Controllers/{name}.php::"
        found = [each for each in found if within.lower() in f"/{each}".lower()]
    if not found:
        found = _find_inherited(actions, name, method)
    return found[0] if len(found) == 1 else ""


def _find_inherited(actions: dict[str, list[str]], name: str, method: str) -> list[str]:
    """The method that a class has from its base or from a trait."""
    names, seen = [name], {name}
    for each in names:
        found = []
        for base in actions.get(f"{each}@", ()):
            of_base = base.rpartition("::")[2]
            found += [one for one in actions.get(f"{of_base}@{method}", ()) if one == f"{base}.{method}"]
            if of_base not in seen:
                seen.add(of_base)
                names.append(of_base)
        if found:
            return list(dict.fromkeys(found))
    return []


def _below(prefix: Text, path: Text) -> Text:
    return (*prefix, (SAID, "/"), *path) if prefix and path else prefix or path


def _together(prefix: str, path: str) -> str:
    """Two paths with one slash between them."""
    if not path or (path == "/" and prefix.endswith("/")):
        return prefix
    if not prefix:
        return path
    return f"{prefix.rstrip('/')}/{path.lstrip('/')}"
