"""Tables of frameworks that register routes by calls: what makes a router, and what its methods do.

In: nothing. Out: tables. To add a framework of that style, add a row; Django and frameworks with annotations have
separate modules, django.py and annotated.py.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.http.annotations import ANNOTATED

ANY = "ANY"


class RouterAction(NamedTuple):
    """What a method of a router does with its arguments; positions count from 0, -1 is the last, None means none."""

    does: str
    """route, mount (another router is put below a path), group (a new router below a path), chain (itself)."""
    methods: str = ""
    """HTTP methods of the routes; empty: an argument gives them."""
    path: int | None = 0
    path_keyword: str = ""
    handler: int | None = -1
    """None: the function that it decorates."""
    handler_keyword: str = ""
    methods_at: int | None = None
    methods_keyword: str = "methods"
    otherwise: str = ANY
    """The methods if that argument is not there."""
    child: int = 0
    child_keyword: str = ""
    least: int = 1
    """The fewest positional arguments; with fewer, the method is another one of that name."""
    behind: str = ""
    """What the framework adds to the path."""


class Framework(NamedTuple):
    name: str
    packages: tuple[str, ...]
    routers: dict[str, str]
    """Qualified name of what makes a router -> keyword of the router's prefix, or empty."""
    actions: dict[str, RouterAction]
    receivers: frozenset[str] = frozenset()
    """Names of parameters that count as routers if nothing shows what they are."""
    languages: frozenset[str] = frozenset()
    separator: str = "/"
    """Between the name of a package and of a module in it."""
    holder_of_path: str = ""
    """The method that is passed the path for the methods of its result: `router.route("/x").get(f)`."""
    paths_are_text: bool = False
    """Whether a path is never a number or a function; with one, the method is another one of that name."""
    mounting_replaces_prefix: bool = False
    """Whether a prefix that is given where a router is mounted replaces the router's own."""
    handlers_are_views: bool = False
    """Whether a handler may be a class whose methods are named after HTTP methods."""
    is_fluent: bool = False
    """Whether every method of a router gives the router back, and whatever has its methods is one."""
    needs_no_import: bool = False
    handler_says_method: bool = False
    """Whether the method is a function around the handler: `get(show).post(create)`."""
    methods_are_apart: bool = False
    """Whether HTTP methods are in front of the path (`GET /x`) or in a call behind (`.Methods("GET")`)."""


def _verbs(words: str, action: RouterAction) -> dict[str, RouterAction]:
    return {word: action._replace(methods=word.upper()) for word in words.split()}


VERBS = "get post put patch delete"
_DECORATED = RouterAction("route", handler=None, path_keyword="rule")
_FLASK = {
    "route": _DECORATED._replace(otherwise="GET"),
    **_verbs("get post put patch delete", _DECORATED),
    "add_url_rule": RouterAction(
        "route", path_keyword="rule", handler=2, handler_keyword="view_func", otherwise="GET"
    ),
    "register_blueprint": RouterAction("mount", path=None, path_keyword="url_prefix", child_keyword="blueprint"),
}  # fmt: skip

_OPERATION = RouterAction("route", handler=None, path_keyword="path")
_FASTAPI = {
    **_verbs("get put post delete options head patch trace", _OPERATION),
    "websocket": _OPERATION._replace(methods="WEBSOCKET"),
    "websocket_route": _OPERATION._replace(methods="WEBSOCKET"),
    "api_route": _OPERATION._replace(otherwise="GET"),
    "route": _OPERATION._replace(otherwise="GET"),
    "add_api_route": RouterAction("route", path_keyword="path", handler=1, handler_keyword="endpoint", otherwise="GET"),
    "add_route": RouterAction("route", path_keyword="path", handler=1, handler_keyword="route", otherwise="GET"),
    "add_api_websocket_route": RouterAction(
        "route", "WEBSOCKET", path_keyword="path", handler=1, handler_keyword="endpoint"
    ),
    "include_router": RouterAction("mount", path=None, path_keyword="prefix", child_keyword="router"),
    "mount": RouterAction("mount", path_keyword="path", child=1, child_keyword="app"),
}

_SERVED = RouterAction("route", least=2)
_EXPRESS = {
    **_verbs("get post put patch delete options head", _SERVED),
    "all": _SERVED._replace(methods=ANY),
    "use": RouterAction("mount", child=-1),
    "route": RouterAction("group"),
}
_HONO = {
    **_verbs("get post put patch delete options", _SERVED),
    "all": _SERVED._replace(methods=ANY),
    "route": RouterAction("mount", child=1),
    "basePath": RouterAction("group"),
    "use": RouterAction("chain"),
}
_FASTIFY = _verbs("get post put patch delete options head", _SERVED) | {"all": _SERVED._replace(methods=ANY)}

_GIN = {
    **{word: _SERVED._replace(methods=word) for word in "GET POST PUT PATCH DELETE OPTIONS HEAD".split()},
    "Any": _SERVED._replace(methods=ANY),
    "Handle": RouterAction("route", path=1, methods_at=0, least=3),
    "Static": RouterAction("route", "GET", handler=None, least=2, behind="/*filepath"),
    "StaticFile": RouterAction("route", "GET", handler=None, least=2),
    "StaticFS": RouterAction("route", "GET", handler=None, least=2, behind="/*filepath"),
    "Group": RouterAction("group"),
    "Use": RouterAction("chain"),
}
_ECHO = {
    **{word: _SERVED._replace(methods=word, handler=1) for word in "GET POST PUT PATCH DELETE OPTIONS HEAD".split()},
    "Any": _SERVED._replace(methods=ANY, handler=1),
    "Add": RouterAction("route", path=1, methods_at=0, handler=2, least=3),
    "Group": RouterAction("group"),
}
_CHI = {
    **{word: _SERVED._replace(methods=word.upper()) for word in "Get Post Put Patch Delete Options Head".split()},
    "Handle": _SERVED._replace(methods=ANY),
    "HandleFunc": _SERVED._replace(methods=ANY),
    "Method": RouterAction("route", path=1, methods_at=0, least=3),
    "MethodFunc": RouterAction("route", path=1, methods_at=0, least=3),
    "Route": RouterAction("group", handler=1),
    "Group": RouterAction("group", path=None, handler=0),
    "Mount": RouterAction("mount", child=1),
    "With": RouterAction("chain"),
}
_FIBER = {
    **{word: _SERVED._replace(methods=word.upper()) for word in "Get Post Put Patch Delete Options Head".split()},
    "All": _SERVED._replace(methods=ANY),
    "Group": RouterAction("group"),
    "Route": RouterAction("group", handler=1),
    "Mount": RouterAction("mount", child=1),
}
_GORILLA = {
    "HandleFunc": _SERVED._replace(methods=ANY),
    "Handle": _SERVED._replace(methods=ANY),
    "PathPrefix": RouterAction("group"),
    "Subrouter": RouterAction("chain"),
}
_HTTP = {
    "HandleFunc": _SERVED._replace(methods=ANY),
    "Handle": _SERVED._replace(methods=ANY),
}

_PYTHON = frozenset({"python"})
_SCRIPT = frozenset({"javascript", "typescript", "tsx", "vue", "svelte", "astro"})
_GO = frozenset({"go"})

FRAMEWORKS = (
    Framework("Flask", ("flask", "quart"), {"Flask()": "", "Quart()": "", "Blueprint()": "url_prefix"}, _FLASK,
              frozenset({"app"}), _PYTHON, ".", mounting_replaces_prefix=True, handlers_are_views=True),
    Framework("FastAPI", ("fastapi", "starlette"),
              {"FastAPI()": "", "Starlette()": "", "Router()": "", "APIRouter()": "prefix"}, _FASTAPI,
              frozenset({"app", "router"}), _PYTHON, "."),
    Framework("Express", ("express",), {"express()": "", "Router()": "", "Express()": "", "Application()": "",
              "default()": "", "IRouter()": ""}, _EXPRESS, frozenset({"app", "router", "server"}),
              _SCRIPT, holder_of_path="route", paths_are_text=True),
    Framework("Hono", ("hono",), {"Hono()": ""}, _HONO, languages=_SCRIPT),
    Framework("Fastify", ("fastify",), {"fastify()": "", "Fastify()": "", "FastifyInstance()": "", "default()": ""},
              _FASTIFY, frozenset({"fastify"}), _SCRIPT),
    Framework("Gin", ("github.com/gin-gonic/gin",), {"Default()": "", "New()": "", "Engine()": "", "RouterGroup()": "",
              "IRouter()": "", "IRoutes()": ""}, _GIN, languages=_GO),
    Framework("Echo", ("github.com/labstack/echo",), {"New()": "", "Echo()": "", "Group()": ""}, _ECHO, languages=_GO),
    Framework("chi", ("github.com/go-chi/chi",), {"NewRouter()": "", "NewMux()": "", "Router()": "", "Mux()": ""},
              _CHI, languages=_GO),
    Framework("Fiber", ("github.com/gofiber/fiber",), {"New()": "", "App()": "", "Router()": ""}, _FIBER,
              languages=_GO),
    Framework("gorilla/mux", ("github.com/gorilla/mux",), {"NewRouter()": "", "Router()": ""}, _GORILLA,
              languages=_GO, methods_are_apart=True),
    Framework("net/http", ("net/http",), {"": "", "NewServeMux()": "", "ServeMux()": "", "DefaultServeMux": ""}, _HTTP,
              languages=_GO, methods_are_apart=True),
)  # fmt: skip
"""`""` is the package itself."""

_ROUTED = RouterAction("route", handler=1, least=2)
FLUENT = (
    Framework("ASP.NET minimal", ("Microsoft.AspNetCore.Builder",), {}, {
              **{f"Map{word.capitalize()}": _ROUTED._replace(methods=word.upper()) for word in VERBS.split()},
              "MapGroup": RouterAction("group"), "MapMethods": _ROUTED._replace(handler=2, methods_at=1, least=3)},
              languages=frozenset({"csharp"}), is_fluent=True, needs_no_import=True),
    Framework("Axum", ("axum",), {}, {
              "route": _ROUTED, "nest": RouterAction("mount", child=1), "merge": RouterAction("mount", path=None)},
              languages=frozenset({"rust"}), is_fluent=True, handler_says_method=True),
)  # fmt: skip
"""Frameworks whose routers are known by what is done with them."""
_DISTINCT = frozenset({"MapGet", "MapPost", "MapPut", "MapPatch", "MapDelete", "MapGroup"})
"""Words that say so where the framework need not be imported."""

VIEW_METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "trace"})
"""Methods of a class that is a view."""

SERVER_WORDS = frozenset(
    word
    for framework in (*FRAMEWORKS, *FLUENT)
    for word, action in framework.actions.items()
    if action.does in ("route", "mount")
)
"""What a file has that registers a route by a call."""


def find_frameworks(language: str) -> tuple[Framework, ...]:
    return tuple(framework for framework in (*FRAMEWORKS, *FLUENT) if language in framework.languages)


PAGE_ROUTERS = ("react-router", "react-router-dom", "vue-router", "@angular/router", "wouter", "@ionic/vue-router")
"""What has tables of the pages that are shown in a browser."""
PAGE_FILES = (
    ("", re.compile(r"(?:^|/)app/(?P<path>(?:[^/]+/)*)page\.(?:[jt]sx?|mdx)$")),
    ("", re.compile(r"(?:^|/)src/routes/(?P<path>(?:[^/]+/)*)\+page\.svelte$")),
    ("next", re.compile(r"(?:^|/)pages/(?!api/)(?P<path>(?:[^/]+/)*[^/]+)\.[jt]sx?$")),
    ("nuxt", re.compile(r"(?:^|/)pages/(?P<path>(?:[^/]+/)*[^/]+)\.vue$")),
)
"""What a link must be of, for a file at such a path to be a page."""
LINK_WORDS = frozenset(
    "Link NavLink Navigate NuxtLink nuxt-link RouterLink router-link useRouter useNavigate useHistory $router"
    " navigateTo navigateByUrl redirect goto".split()
)
"""Words of scripts that lead on to a page."""
WITHOUT_TABLE = ("django", "rest_framework", *PAGE_ROUTERS)
"""Frameworks that are read by modules of their own."""
PACKAGES = frozenset(
    package for framework in (*FRAMEWORKS, *FLUENT, *ANNOTATED) for package in framework.packages
) | frozenset(WITHOUT_TABLE)
_DOTTED = tuple(sorted(package for package in PACKAGES if "." in package and "/" not in package))


BY_PATH = (
    ("Remix", re.compile(r"(?:^|/)app/routes/(?P<path>[\w.$+()\[\]/-]+?)(?:/route)?\.[jt]sx?$"), ""),
    ("Next.js", re.compile(r"(?:^|/)app/(?P<path>(?:.*/)?)route\.[cm]?[jt]sx?$"), ""),
    ("Next.js", re.compile(r"(?:^|/)pages/(?P<path>api/.*?)(?:/index)?\.[cm]?[jt]sx?$"), ""),
    ("SvelteKit", re.compile(r"(?:^|/)src/routes/(?P<path>(?:.*/)?)\+server\.[jt]s$"), ""),
    ("SvelteKit page", re.compile(r"(?:^|/)src/routes/(?P<path>(?:.*/)?)\+page\.server\.[jt]s$"), ""),
    ("Nuxt", re.compile(r"(?:^|/)server/(?P<path>(?:api|routes)/.*?)(?:/index)?"
                        r"(?:\.(?P<method>get|post|put|patch|delete))?\.[jt]s$"), "routes/"),
    ("Astro", re.compile(r"(?:^|/)src/pages/(?P<path>.*?)\.(?:astro|mdx?|[jt]s)$"), ""),
)  # fmt: skip
SCRIPTS = (".ts", ".js", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".astro")
"""Framework, the files that serve by their path, and what of that path is not in their route."""


_BY_PLACE = re.compile(
    r"(?:^|/)(?:config/routes(?:\.rb|/.*\.rb)|routes/.*\.php|bootstrap/app\.php|\w*RouteServiceProvider\.php|Controllers/.*\.php)$"
)
"""Where Rails and Laravel have their routes and controllers."""


class Serving:
    """Which files may register routes, by what they import; what the repository itself contains is no framework."""

    def __init__(self, paths: Container[str]) -> None:
        self.packages = frozenset(
            each for each in PACKAGES if f"{each}/__init__.py" not in paths and f"src/{each}/__init__.py" not in paths
        )

    def is_one(self, module: str) -> bool:
        packages = self.packages
        if module in packages or module.partition(".")[0] in packages or module.partition("::")[0] in packages:
            return True
        if "/" in module:
            return module.rpartition("/")[0] in packages
        if "\\" in module:
            module = module.replace("\\", ".")
        return "." in module and module.startswith(_DOTTED)

    def may_serve(self, facts: FileFacts) -> bool:
        if any(self.is_one(each.module) for each in facts.imports) or not _DISTINCT.isdisjoint(facts.strings):
            return True
        if facts.language in ("ruby", "php"):
            return _BY_PLACE.search(facts.path) is not None
        if facts.path.endswith((".vue", ".svelte", *SCRIPTS)) and any(
            each.search(facts.path) for _, each in PAGE_FILES
        ):
            return True
        return facts.path.endswith(SCRIPTS) and any(pattern.search(facts.path) for _, pattern, _ in BY_PATH)
