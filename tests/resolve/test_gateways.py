"""Gateways between clients and routes: what a rule makes of a path, and which route a client means behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import edited
from repositories import write

from rpg.encoder.frameworks import CONTRACTS, Contracts, FileRows, pack_rows, unpack_rows
from rpg.encoder.frameworks.http.gateways.rules import EXACT, PATTERN, PREFIX, Rule, hand_on, takes
from rpg.encoder.frameworks.rows import Request, Route
from rpg.encoder.options import Options
from rpg.repository import encode, index_path
from rpg.stores.graph_file import graph_file
from rpg.stores.index.index import Index
from rpg.stores.index.reader import find_survey

ORDERS = {
    "orders-service/app.ts": (
        'import express from "express";\nexport function list() {}\nexport function add() {}\n'
        'const app = express();\napp.get("/", list);\napp.post("/items/:id", add);\n'
    ),
    "books-service/app.ts": (
        'import express from "express";\nexport function list() {}\nexport function read() {}\n'
        'const app = express();\napp.get("/", list);\napp.get("/:id", read);\n'
    ),
}
CLIENT = (
    'export function orders() { return fetch("/api/orders"); }\n'
    'export function addItem(id: string) { return fetch(`/api/orders/items/${id}`, { method: "POST" }); }\n'
    'export function books() { return fetch("/api/books"); }\n'
    "export function book(id: string) { return fetch(`/api/books/${id}`); }\n"
)
EXPECTED = {
    ("orders", "orders-service/app.ts::list"),
    ("addItem", "orders-service/app.ts::add"),
    ("books", "books-service/app.ts::list"),
    ("book", "books-service/app.ts::read"),
}
NGINX = (
    "server {\n  location /api/orders {\n    rewrite ^/api/orders$ / break;\n    rewrite ^/api/orders(/.*)$ $1 break;\n"
    "    proxy_pass http://orders-service:3000;\n  }\n  # location /api/books { proxy_pass http://orders-service; }\n"
    "  location ~ ^/api/books/(?<id>\\w+) {\n    proxy_pass http://books-service:3000/$id;\n  }\n"
    "  location = /api/books {\n    proxy_pass http://books/;\n  }\n}\n"
    "upstream books {\n  server books-service:3000;\n}\n"
)
YARP = """{
  // what is handed on
  "ReverseProxy": {
    "Routes": {
      "orders": {"ClusterId": "orders", "Match": {"Path": "/api/orders/{**rest}"},
                 "Transforms": [{"PathPattern": "/{**rest}"}]},
      "books": {"ClusterId": "books", "Match": {"Path": "/api/books/{**rest}"},
                "Transforms": [{"PathRemovePrefix": "/api/books"}]}
    },
    "Clusters": {
      "orders": {"Destinations": {"one": {"Address": "http://orders-service:8080/"}}},
      "books": {"Destinations": {"one": {"Address": "http://books-service:8080"}}}
    }
  }
}
"""
OCELOT = """{"Routes": [
  {"UpstreamPathTemplate": "/api/orders/{rest}", "DownstreamPathTemplate": "/{rest}",
   "DownstreamHostAndPorts": [{"Host": "orders-service", "Port": 80}]},
  {"UpstreamPathTemplate": "/api/books/{rest}", "DownstreamPathTemplate": "/{rest}",
   "DownstreamHostAndPorts": [{"Host": "books-service", "Port": 80}]}
]}
"""
SPRING = (
    "spring:\n  cloud:\n    gateway:\n      routes:\n        - id: orders\n          uri: lb://ORDERS-SERVICE\n"
    "          predicates:\n            - Path=/api/orders/**\n          filters:\n            - StripPrefix=2\n"
    "        - id: books\n          uri: http://books-service:8080\n          predicates:\n"
    "            - Path=/api/books/**\n"
    "          filters:\n            - RewritePath=/api/books/?(?<segment>.*), /$\\{segment}\n"
)
VITE = (
    'import { defineConfig } from "vite";\nexport default defineConfig({ server: { proxy: {\n'
    '  // what is handed on\n  "/api/orders": { target: "http://orders-service:3000", rewrite: (path) => '
    'path.replace(/^\\/api\\/orders/, "") },\n'
    '  "/api/books": { target: process.env.BOOKS || "http://books-service:3000", '
    'rewrite: (p) => p.replace("/api/books", "") },\n} } });\n'
)
VUE = (
    'module.exports = { devServer: { proxy: { "/api/orders": { target: "http://orders-service", '
    'pathRewrite: { "^/api/orders": "" } }, "/api/books": { target: "http://books-service", '
    'pathRewrite: { "^/api/books": "" } } } } };\n'
)
NEXT = (
    "module.exports = { async rewrites() { return [\n"
    '  { source: "/api/orders/:path*", destination: "http://orders-service:3000/:path*" },\n'
    '  { source: "/api/books/:path*", destination: "http://books-service:3000/:path*" },\n] } };\n'
)
ANGULAR = (
    '{"/api/orders": {"target": "http://orders-service", "pathRewrite": {"^/api/orders": ""}},\n'
    ' "/api/books": {"target": "http://books-service", "pathRewrite": {"^/api/books": ""}}}\n'
)
GATEWAYS = {
    "nginx": ("shop/nginx.conf", NGINX),
    "nginx-of-image": ("shop/docker/nginx/default.conf.template", NGINX),
    "yarp": ("shop/appsettings.json", YARP),
    "ocelot": ("shop/ocelot.json", OCELOT),
    "spring": ("shop/src/main/resources/application.yml", SPRING),
    "vite": ("shop/vite.config.ts", VITE),
    "vue": ("shop/vue.config.js", VUE),
    "next": ("shop/next.config.js", NEXT),
    "angular": ("shop/proxy.conf.json", ANGULAR),
}


def crossings(
    folder: Path, files: dict[str, str | bytes], client: str = "shop/src/client.ts"
) -> dict[str, set[tuple[str, str]]]:
    root = folder / "repo"
    write(root, {**ORDERS, client: CLIENT, **files})
    encode(root, folder / "graph.json", Options())
    found: dict[str, set[tuple[str, str]]] = {"crossing": set(), "possible-crossing": set()}
    for each in graph_file.read(folder / "graph.json").edges:
        if each.via in found and each.source.startswith(client):
            found[each.via].add((each.source.partition("::")[2], each.target))
    return found


@pytest.mark.parametrize("name", GATEWAYS)
def test_a_client_means_the_route_behind_the_gateway_of_its_program(tmp_path: Path, name: str) -> None:
    path, text = GATEWAYS[name]
    assert crossings(tmp_path, {path: text})["crossing"] == EXPECTED


def test_a_gateway_of_another_program_is_possible(tmp_path: Path) -> None:
    found = crossings(tmp_path, {"edge/nginx.conf": NGINX})
    assert found == {"crossing": set(), "possible-crossing": EXPECTED}


def test_a_host_that_the_environment_fills_in_is_possible(tmp_path: Path) -> None:
    found = crossings(tmp_path, {"shop/nginx.conf": NGINX.replace("http://orders-service:3000;", "${ORDERS};")})
    assert found["crossing"] == {each for each in EXPECTED if "books" in each[1]}


def test_without_a_gateway_nothing_is_meant(tmp_path: Path) -> None:
    assert crossings(tmp_path, {})["crossing"] == set()


@pytest.mark.parametrize(
    ("rule", "path", "behind"),
    [
        (Rule(PREFIX, "/api/", (), "a", "/"), "/api/users/1", "/users/1"),
        (Rule(PREFIX, "/api/", (), "a", "/v1/"), "/api/users", "/v1/users"),
        (Rule(PREFIX, "/api", (), "a", None), "/api/users", "/api/users"),
        (Rule(EXACT, "/api", (), "a", "/"), "/api", "/"),
        (Rule(PATTERN, "^/(?<name>\\w+)/(\\d+)$", (), "a", "/x/$name/$2"), "/users/7", "/x/users/7"),
        (Rule(PREFIX, "/", (("^/api/(.*)", "/\\1"),), "a", None), "/api/users", "/users"),
        (Rule(PREFIX, "/api", (("^/api", ""),), "a", None), "/api/\0/x", "/\0/x"),
    ],
)
def test_a_rule_makes_a_path_of_a_path(rule: Rule, path: str, behind: str) -> None:
    assert takes(rule, path)
    assert hand_on(rule, path) == behind


@pytest.mark.parametrize("pattern", ["(", "(a+)+$", "(?:x*)*y", "a" * 300])
def test_a_pattern_that_is_none_or_takes_long_takes_no_path(pattern: str) -> None:
    assert not takes(Rule(PATTERN, pattern, (), "", None), "/" + "a" * 60)


def test_rows_are_the_same_after_they_are_stored(tmp_path: Path) -> None:
    crossings(tmp_path, {"shop/nginx.conf": NGINX})
    index = Index.open_read_only(index_path(tmp_path / "graph.json"))
    try:
        data = find_survey(index, CONTRACTS)
    finally:
        index.close()
    assert data is not None
    kept = unpack_rows(data)
    assert Contracts(kept.values()).edges()
    assert unpack_rows(pack_rows(kept.values())) == kept
    route = Route("Laravel", "#", "GET", (("s", "/x"),), "a.php::A.b", 3, True, "users.show")
    request = Request(
        "fetch", "", "", "GET", (), True, (("?", "path"),), "a.ts::f", (1, 2), False, False, True, 0, "path"
    )
    rows = FileRows("a.ts", False, True, routes=(route,), requests=(request,))
    assert unpack_rows(pack_rows([rows])) == {"a.ts": rows}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/nginx.conf", "rewrite ^/api/orders$ / break;", "rewrite ^/api/orders$ /items/1 break;"),
        ("shop/nginx.conf", "http://orders-service:3000", "http://books-service:3000"),
        ("shop/src/client.ts", "/api/books/${id}", "/api/bookings/${id}"),
        ("orders-service/app.ts", 'app.get("/", list)', 'app.get("/all", list)'),
        ("shop/docker-compose.yml", "orders-service:3000", "books-service:3000"),
    ],
)
def test_an_edit_of_a_gateway_or_an_address_is_exact(tmp_path: Path, path: str, old: str, new: str) -> None:
    """`edited` compares with a clean encode."""
    compose = "services:\n  shop:\n    build: .\n    environment:\n      ORDERS_URL: http://orders-service:3000\n"
    client = CLIENT + "export const more = () => fetch(`${process.env.ORDERS_URL}/`);\n"
    files = {**ORDERS, "shop/nginx.conf": NGINX, "shop/docker-compose.yml": compose, "shop/src/client.ts": client}
    write(tmp_path / "repo", dict(files))
    edited(tmp_path, path, old, new)
