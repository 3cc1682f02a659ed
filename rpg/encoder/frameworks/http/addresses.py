"""Which route an address means.

In: a method and the text of an address, and the routes of all files. Out: the routes that it may mean, and whether that
is certain: all of its path is known, one handler serves it, and it is sent to the repository's own host or to the
page's. A path is a list of segments; a segment that is computed fits any one, one that is said fits a parameter of a
route as well, and of several routes the most specific counts, as in every router.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

from rpg.encoder.frameworks.rows import ANY
from rpg.encoder.frameworks.text import DEFAULT, ENVIRONMENT, HOLE, SAID, Text
from rpg.graph import FAN_OUT_LIMIT
from rpg.text.paths import count_shared_folders

COMPUTED: Final = "\0"
"""Stands for what is computed."""
NUMBER: Final = "\2"
"""A segment of a route that fits numbers alone."""
MANY: Final = "\1"
"""A segment of a route that fits any number of segments."""

PROXIED: Final = frozenset({"api", "backend", "proxy", "gateway", "rest"})
"""What stands in front of paths that a proxy hands on without it."""
_ADDRESS: Final = re.compile(r"^(?:https?|wss?):(?://|\0)([^/\0?#]*)(.*)$", re.DOTALL)
_SERVICE: Final = re.compile(r"^(?:lb|http\+docker)://([^/\0]*)(.*)$")
_OWN_HOST: Final = re.compile(
    r"^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|testserver|test|host\.docker\.internal|[\w-]+"
    r"|[\w.-]+\.(?:local|internal|test|localhost|svc)|)(?::\S*)?$"
)
_PARAMETER: Final = re.compile(r"^(?::\w+(?:\([^)]*\))?\??|\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]|\$\w+|@\w+)$")
_GROUP: Final = re.compile(r"\(\?P?<(\w+)>((?:[^()]|\([^()]*\))*)\)")
_NUMBER: Final = re.compile(r"^(?:<int:\w+>|\{\w+:(?:int|long|\\d\+|\[0-9\]\+)\}|:\w+\(\\d\+\))$")
_PARAMETER_WITHIN: Final = re.compile(r":\w+(?:\([^)]*\))?|\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]")
_MANY: Final = re.compile(
    r"^(?:\*\w*|\{\*.*\}|\{\w+:path\}|\{\w+:\.[*+]\}|\{\w+\.\.\.\}|<path:\w+>|\[\.\.\.\w+\]|\[\[\.\.\.\w+\]\]|\*\*|<\w+\.\.>|:\w+\*|\(\.\*\))$"
)


_FORMAT: Final = re.compile(r"\.(?:json|html|xml|js|csv|rss|atom)$")
"""What Rails takes off every path."""
_HINT: Final = re.compile(
    r"(?i)^(?:vite_|react_app_|next_public_|vue_app_|nuxt_public_)?(?P<name>[\w-]+?)[_-]?(?:service|svc|server|backend|api)?"
    r"[_-]?(?:base)?[_-]?(?:url|uri|endpoint|host|addr|address)$"
)
"""How what holds the address of a service is called."""
_ROOTS: Final = frozenset("address addr url base base_url baseUrl host uri root app server".split())
"""What functions of tests call the address of the program under test."""
_QUERY: Final = re.compile(r"(?:^|[._])(?:search|query|qs|queryString|query_string|querystring|params)$")
"""What is behind a path after a question mark, by its name."""


class Address(NamedTuple):
    host: str
    """Empty where it is relative."""
    path: str
    known: bool
    """Whether its path is known from the root on."""
    is_relative: bool = False
    """Whether it says no host."""
    hint: str = ""
    """The service that its computed host is called after: `ai` of `settings.ai_service_url`."""


class ServedRoute(NamedTuple):
    methods: str
    segments: tuple[str, ...]
    handler: str
    path: str
    """The file that registers it."""
    line: int
    test: bool
    written: str
    """The path as people write it."""
    known: bool
    """Whether all that it is mounted below is known."""
    framework: str
    name: str = ""
    """What templates and helpers call it."""


class Meant(NamedTuple):
    routes: tuple[ServedRoute, ...]
    certain: bool


def format_text(text: Text) -> str:
    """A text with COMPUTED for its holes. A variable of the environment has the value that it has otherwise, if any."""
    found = []
    for at, (kind, word) in enumerate(text):
        has_default = kind == ENVIRONMENT and at + 1 < len(text) and text[at + 1][0] == DEFAULT
        is_said = kind == SAID or (kind == DEFAULT and ("/" in word or at > 1))  # `not-configured` is no address
        found.append(word if is_said else "" if has_default else COMPUTED)
    return "".join(found)


def address_of(text: Text) -> Address | None:
    """None if it is sent to a host that is not the repository's, or says nothing of a path."""
    if len(text) > 1 and text[-1][0] == HOLE and _QUERY.search(text[-1][1]) and not text[-2][1].endswith("/"):
        text = text[:-1]
    whole = format_text(text).replace("\\", "")
    for mark in ("?", "#"):
        whole = whole.partition(mark)[0]
    found = _ADDRESS.match(whole) or _SERVICE.match(whole)
    if found is not None:
        host, path = found[1], found[2]
        if COMPUTED in host or path.startswith(COMPUTED):
            return Address("", path.lstrip(COMPUTED), False) if "/" in path else None
        if not _OWN_HOST.match(host):
            return None
        return Address(host.partition(":")[0], path, True)
    if whole.startswith("//"):
        return None
    if whole.startswith("/"):
        return Address("", whole, True, True)
    if whole.startswith(COMPUTED):
        path, hint = whole[1:], hint_of(text)
        if not re.search(r"\w", path) and not hint and text[0][1].lstrip("&*$") not in _ROOTS:
            return None
        return Address("", path if path.startswith("/") else f"/{path}", False, hint=hint)
    return Address("", f"/{whole}", False, True)


def hint_of(text: Text) -> str:
    """The service that what an address begins with is called after; empty if it is called after none."""
    if not text or text[0][0] not in (HOLE, ENVIRONMENT):
        return ""
    name = re.split(r"[.>:]", text[0][1].rstrip("()"))[-1].lstrip("&*$@_")
    found = _HINT.match(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name))
    word = found["name"].strip("_-").lower() if found is not None else ""
    return word if word not in _ROOTS | PROXIED and len(word) > 1 else ""


def join_paths(base: str, path: str) -> str:
    if not base:
        return path
    if re.match(r"^(?:https?|wss?):", path):
        return path
    return f"{base.rstrip('/')}/{path.lstrip('/')}"


def segments_of_address(path: str) -> tuple[str, ...]:
    found = []
    for each in path.strip("/").split("/"):
        if each:
            found.append(COMPUTED if _PARAMETER.match(each) or COMPUTED in each else each)
    return tuple(found)


def segments_of_route(path: str) -> tuple[str, ...]:
    path = path.removeprefix("^").removesuffix("$").replace("\\.", ".").replace("\\/", "/").removesuffix("/?")
    path = _GROUP.sub(lambda group: f"{{{group[1]}:int}}" if "\\d" in group[2] else f"{{{group[1]}}}", path)
    path = re.sub(r"\([^()]*:format\)|\(\.:format\)", "", path)
    found = []
    parts = _split(path)
    for at, each in enumerate(parts):
        if not each:
            continue
        if each == "*" and at < len(parts) - 1:
            found.append(COMPUTED)
        elif _MANY.match(each):
            found.append(MANY)
        elif _NUMBER.match(each):
            found.append(NUMBER)
        elif _PARAMETER.match(each) or COMPUTED in each:
            found.append(COMPUTED)
        elif _PARAMETER_WITHIN.search(each):
            found.append(_PARAMETER_WITHIN.sub(COMPUTED, each))
        else:
            found.append(each)
    return tuple(found)


def _split(path: str) -> list[str]:
    """At slashes outside brackets."""
    return [each for each in re.split(r"/(?![^{}<>()]*[}>)])", path) if each]


class Served:
    """All routes, found by number of segments and what they begin with."""

    def __init__(self, routes: Iterable[ServedRoute]) -> None:
        self.routes = list(routes)
        self._by_count: dict[int, list[ServedRoute]] = {}
        for each in self.routes:
            if MANY not in each.segments:
                self._by_count.setdefault(len(each.segments), []).append(each)

    def find_meant(
        self, method: str, address: Address, sender: str, from_test: bool, *, is_sent: bool = False
    ) -> Meant:
        """`sender`: the path of the file that sends; `is_sent`: whether it is known that a client sends there."""
        asked = segments_of_address(address.path)
        said = [each for each in asked if each != COMPUTED]
        if address.hint and (of_hint := self._of_service(method, asked, address.hint)):
            return Meant(tuple(of_hint), False)
        if from_test and not address.known and not said and not address.is_relative:
            return Meant(tuple(self._of_own(self._fitting(method, asked, is_named=False), sender)), False)
        if not said and (asked or not address.known):
            return Meant((), False)
        fitting = self._fitting(method, asked)
        is_whole = address.known
        if not fitting and asked and (form := _FORMAT.search(asked[-1])) is not None:
            plain = (*asked[:-1], asked[-1][: form.start()])
            fitting = [each for each in self._fitting(method, plain) if each.framework == "Rails"]
        if not fitting and from_test and address.known:
            # A test sends to the program that it stands beside, of which a route may have nothing but parameters.
            project = sender.partition("/")[0]
            found = self._fitting(method, asked, is_named=False)
            fitting = [each for each in found if each.path.partition("/")[0] == project]
        if not fitting and not address.known and (is_sent or len(said) >= 2 or any(len(each) > 5 for each in said)):
            fitting = self._ending(method, asked)
            is_whole = False
        if not fitting and address.host and len(asked) > 1:
            # A service may serve all of its routes below a path that its configuration says.
            found = self._fitting(method, asked[1:], is_named=False)
            fitting = [each for each in found if is_of_service(each, address.host)]
            is_whole = False
        if not fitting and not address.host and len(said) >= 2:
            fitting = self._behind_proxy(method, asked)
            is_whole = False
        fitting = [each for each in fitting if not each.test or from_test]
        own = [each for each in fitting if not each.test]
        fitting = own if own and not from_test else fitting
        fitting = self._at_host(fitting, address.host)
        if from_test and not address.known and len(fitting) > 1:
            fitting = self._of_own(fitting, sender) or fitting
        handlers = {each.handler for each in fitting}
        if not fitting or len(handlers) > FAN_OUT_LIMIT:
            return Meant(tuple(fitting), False)
        certain = is_whole and len(handlers) == 1 and bool(method) and all(each.known for each in fitting)
        if certain and COMPUTED in asked:  # what is computed may be another word than that of the route
            certain = all(
                theirs != COMPUTED or COMPUTED in mine or mine == NUMBER
                for each in fitting
                for mine, theirs in zip(each.segments, asked, strict=False)
            )
        return Meant(tuple(fitting), certain)

    def find_at_host(self, method: str, address: Address, sender: str) -> Meant:
        """What a gateway hands on to a host means: a route of the service that is called so, else of any."""
        asked = segments_of_address(address.path)
        fitting = [each for each in self._fitting(method, asked, is_named=False) if not each.test]
        of_host = [each for each in fitting if is_of_service(each, address.host)] if address.host else []
        if not of_host and not any(
            mine == theirs for each in fitting for mine, theirs in zip(each.segments, asked, strict=False)
        ):
            return Meant((), False)  # a route that has nothing but parameters is that of a known service alone
        if of_host:
            certain = address.known and len({each.handler for each in of_host}) == 1 and bool(method)
            is_said = all(theirs != COMPUTED or COMPUTED in mine or mine == NUMBER for each in of_host
                          for mine, theirs in zip(each.segments, asked, strict=False))  # fmt: skip
            return Meant(tuple(of_host), certain and is_said and all(each.known for each in of_host))
        return self.find_meant(method, address, sender, False)

    def find_named(self, name: str, method: str) -> Meant:
        """Routes that a helper of a template names: `users.show`, `polls:detail`, `user`."""
        found = self._by_name.get(name) or self._by_name.get(name.rpartition(":")[2]) or self._by_function(name)
        fitting = [each for each in found if not each.test and _takes(each, method)]
        if method and found and not fitting and method != "GET":
            # The route of that name is another one of the same path.
            paths = {each.segments for each in found}
            same = self._by_count.get(len(found[0].segments), ())
            fitting = [each for each in same if each.segments in paths and not each.test and _takes(each, method)]
        handlers = {each.handler for each in fitting}
        if len(handlers) > FAN_OUT_LIMIT:
            return Meant((), False)
        return Meant(tuple(fitting), len(handlers) == 1 and bool(method or len(found) == 1))

    @cached_property
    def _by_name(self) -> dict[str, list[ServedRoute]]:
        found: dict[str, list[ServedRoute]] = {}
        for each in self.routes:
            if each.name:
                found.setdefault(each.name, []).append(each)
        return found

    def _by_function(self, name: str) -> list[ServedRoute]:
        """Flask and FastAPI name a route by its function, Flask with its blueprint in front."""
        return [
            each
            for each in self.routes
            if each.framework in ("Flask", "FastAPI") and each.handler.endswith(f"::{name.rpartition('.')[2]}")
        ]

    def of_deployed(self, meant: Meant, path: str) -> Meant:
        """What the configuration of a deployment means: the program that it lies beside, if one is the nearest."""
        if not meant.routes:
            return meant
        nearest = max(count_shared_folders(each.path, path) for each in meant.routes)
        near = tuple(each for each in meant.routes if count_shared_folders(each.path, path) == nearest)
        certain = nearest > 0 and len({each.handler for each in near}) == 1 and all(each.known for each in near)
        return Meant(near, certain)

    def of_checked(self, method: str, address: Address) -> Meant:
        """What a container is asked by the name of its service: a route of that program, else the only one there is."""
        found = self.find_at_host(method, address, "")
        handlers = {each.handler for each in found.routes}
        if all(is_of_service(each, address.host) for each in found.routes):
            return found
        return Meant(found.routes, False) if len(handlers) == 1 else Meant((), False)

    def of_page(self, meant: Meant, page: str) -> Meant:
        """What a page of a program means: a route of that program, which is certain unless another one is nearer."""
        if len({each.framework for each in meant.routes}) > 1:
            nearest = max(count_shared_folders(each.path, page) for each in meant.routes)
            near = tuple(each for each in meant.routes if count_shared_folders(each.path, page) == nearest)
            certain = len({each.handler for each in near}) == 1 and all(each.known for each in near)
            meant = Meant(near, certain and len(near) < len(meant.routes))
        if not meant.certain:
            return meant
        nearest = max(count_shared_folders(each.path, page) for each in self.routes)
        frameworks = {each.framework for each in self.routes if count_shared_folders(each.path, page) == nearest}
        return meant._replace(certain=all(each.framework in frameworks for each in meant.routes))

    def nearest(self, meant: Meant, path: str) -> Meant:
        """Of pages that several programs have, those of the program that is nearest to a file."""
        if len({each.handler for each in meant.routes}) < 2:
            return meant
        shared = max(count_shared_folders(each.path, path) for each in meant.routes)
        near = tuple(each for each in meant.routes if count_shared_folders(each.path, path) == shared)
        is_one = len({each.handler for each in near}) == 1 and len(near) < len(meant.routes)
        return Meant(near, is_one and all(each.known for each in near))

    def _fitting(self, method: str, asked: tuple[str, ...], *, is_named: bool = True) -> list[ServedRoute]:
        """`is_named`: whether one segment at least must be said on both sides."""
        routes = self._by_count.get(len(asked), ())
        return _best([each for each in routes if _fits(each, method, each.segments, asked, is_named)], asked)

    def _ending(self, method: str, asked: tuple[str, ...]) -> list[ServedRoute]:
        """Routes that end in what is asked for: the base may have the rest."""
        found = []
        for count, routes in self._by_count.items():
            if count > len(asked):
                found += [each for each in routes if _fits(each, method, each.segments[count - len(asked) :], asked)]
        return _best(found, asked)

    def _behind_proxy(self, method: str, asked: tuple[str, ...]) -> list[ServedRoute]:
        """A proxy may take a prefix away, one that begins with what is said so or ends in the name of a service."""
        for count in (1, 2):
            if len(asked) <= count or COMPUTED in asked[:count]:
                break
            found = self._fitting(method, asked[count:])
            near = [each for each in found if is_of_service(each, asked[count - 1])]
            if near or (found and count == 1 and asked[0] in PROXIED):
                return near or found
        return []

    def _of_service(self, method: str, asked: tuple[str, ...], service: str) -> list[ServedRoute]:
        """Routes of the service of a name, if there are a few."""
        found = self._fitting(method, asked, is_named=False)
        own = [each for each in found if not each.test and is_of_service(each, service)]
        return own if len({each.handler for each in own}) <= FAN_OUT_LIMIT else []

    def _of_own(self, fitting: list[ServedRoute], sender: str) -> list[ServedRoute]:
        """Those of the program that a test lies beside."""
        nearest = max((count_shared_folders(each.path, sender) for each in fitting), default=0)
        own = [each for each in fitting if nearest and count_shared_folders(each.path, sender) == nearest]
        return own if len({each.handler for each in own}) <= FAN_OUT_LIMIT else []

    def _at_host(self, fitting: list[ServedRoute], host: str) -> list[ServedRoute]:
        """Those of the service that a host names, if a folder has its name."""
        if len(fitting) < 2 or not host or host == "localhost":
            return fitting
        return [each for each in fitting if is_of_service(each, host)] or fitting


def is_of_service(route: ServedRoute, service: str) -> bool:
    """Whether a folder around what registers a route has the name of a service."""
    plain = plain_service(service)
    folders = [plain_service(folder) for folder in route.path.split("/")[:-1]]
    return plain in folders or any(folder.endswith(f"-{plain}") for folder in folders[:2])


def plain_service(name: str) -> str:
    """`customers` of `customers-service`, `Customers.Api` and `customer`."""
    words = [
        word for word in re.split(r"[-_.]", name.lower()) if word not in ("service", "services", "svc", "api", "server")
    ]
    return "-".join(words).removesuffix("service").removesuffix("s")


def _fits(
    route: ServedRoute, method: str, segments: tuple[str, ...], asked: tuple[str, ...], is_named: bool = True
) -> bool:
    methods = route.methods.split()
    is_got = method in ("HEAD", "WEBSOCKET") and "GET" in methods
    if method and method not in methods and ANY not in methods and not is_got:
        return False
    if not asked and not segments:
        return True
    if route.framework.startswith("ASP.NET"):  # which neither tells cases nor, often, words apart
        segments, asked = tuple(map(_folded, segments)), tuple(map(_folded, asked))
    pairs = list(zip(segments, asked, strict=True))
    return all(_segment_fits(mine, theirs) for mine, theirs in pairs) and (
        not is_named or any(mine == theirs for mine, theirs in pairs)
    )


def _takes(route: ServedRoute, method: str) -> bool:
    methods = route.methods.split()
    return not method or method in methods or ANY in methods


def _folded(segment: str) -> str:
    return segment.lower().replace("-", "")


def _segment_fits(of_route: str, of_address: str) -> bool:
    if of_route in (of_address, COMPUTED):
        return True
    if of_route == NUMBER:
        return of_address == COMPUTED or of_address.isdigit()
    if COMPUTED in of_route:
        return (
            bool(re.fullmatch(re.escape(of_route).replace(re.escape(COMPUTED), ".+"), of_address))
            or of_address == COMPUTED
        )
    return of_address == COMPUTED


def _best(fitting: list[ServedRoute], asked: tuple[str, ...]) -> list[ServedRoute]:
    """The most specific: what is said on both sides first, a parameter for what is computed before a name for it."""
    if len(fitting) < 2:
        return fitting

    def rank(route: ServedRoute) -> tuple[int, ...]:
        segments = route.segments[len(route.segments) - len(asked) :]
        return tuple(
            0 if mine == theirs else 1 if COMPUTED in mine or mine == NUMBER else 2
            for mine, theirs in zip(segments, asked, strict=True)
        )

    best = min(map(rank, fitting))
    return [each for each in fitting if rank(each) == best]


__all__ = ["COMPUTED", "MANY", "Address", "Meant", "Served", "ServedRoute", "address_of", "join_paths"]
