"""Frameworks whose routes, commands, jobs and models are read by their files, bases and chained calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rpg.encoder.options import Options
from rpg.queries.graph.filters import Filter
from rpg.queries.inventories.lists import inventory
from rpg.queries.inventories.unread_frameworks import unread_frameworks
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index

FILES = {
    'app/Console/SendMail.php': """<?php
namespace App\\Console\\Commands;
use Illuminate\\Console\\Command;
class SendMail extends Command {
    protected $signature = 'mail:send {user}';
    public function handle() { }
}
""",
    'app/routes/_index.tsx': """export default function Index() { return null; }
""",
    'app/routes/helpers.ts': """export function help() { return 1; }
""",
    'app/routes/sitemap[.]xml.ts': """export const loader = () => new Response("");
""",
    'app/routes/users.$id/route.tsx': """import { json } from "@remix-run/node";
export async function loader({ params }) { return json({}); }
export const action = async () => json({});
export default function User() { return null; }
""",
    'gorilla/main.go': """package main
import ("net/http"; "github.com/gorilla/mux")
func show(w http.ResponseWriter, r *http.Request) {}
func main() { r := mux.NewRouter(); r.HandleFunc("/users/{id}", show).Methods(http.MethodGet, "POST") }
""",
    'java/R.java': """package a;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;
import org.springframework.web.reactive.function.server.*;
class R {
  RouterFunction<ServerResponse> r(H handler) {
    return route().path("/users", b -> b
        .GET("/{id}", handler::show)
        .nest(accept(JSON), c -> c.POST("", handler::create)))
      .GET("/health", request -> ok())
      .build();
  }
  RouterFunction<ServerResponse> s(H h) { return route(GET("/x").and(accept(JSON)), h::show)
      .andRoute(POST("/y"), h::create); }
}
class H { Mono show(ServerRequest r) { return null; } Mono create(ServerRequest r) { return null; } }
""",
    'm.rb': """class User < ActiveRecord::Base
end
class Job < ActiveJob::Base
  def perform; end
end
class X < Other::Base
end
""",
    'prisma/schema.prisma': """model User {
  id Int @id
}
// model Not {
""",
    'src/pages/blog/[slug].astro': """---
const x = 1;
---
<p>{x}</p>
""",
    'src/pages/feed.json.ts': """export async function GET() { return new Response(""); }
""",
    'src/pages/index.astro': """---
const x = 1;
---
<p>{x}</p>
""",
    'koa.js': """import Koa from "koa";
export const app = new Koa();
""",
    'java/Near.java': """package a;
class Near {
  String s(Map m) { return m.GET("/near"); }
}
""",
    'app/Console/Other.php': """<?php
namespace App\\Console\\Commands;
use Illuminate\\Console\\Command;
class Other extends Kernel {
    protected $signature = 'not:this';
}
""",
    'src/pages/plain.ts': """export function helper() { return 1; }
""",
}  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("frameworks")
    for path, text in FILES.items():
        (folder / "repo" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "repo" / path).write_text(text)
    encode(folder / "repo", folder / "a.graph.json", Options())
    found = Index.open_read_only(index_path(folder / "a.graph.json"))
    yield found
    found.close()


def test_routes_are_read_from_the_paths_of_files_and_from_functional_endpoints(index: Index) -> None:
    found = [f"{each.kind} {each.name} {each.by}" for each in inventory(index, "routes", "", Filter())]

    assert sorted(found) == [
        "GET / Astro",
        "GET / Remix",
        "GET /blog/[slug] Astro",
        "GET /feed.json Astro",
        "GET /health Spring functional",
        "GET /sitemap.xml Remix",
        "GET /users/:id Remix",
        "GET /users/{id} Spring functional",
        "GET /x Spring functional",
        "GET POST /users/{id} gorilla/mux",
        "POST /users Spring functional",
        "POST /y Spring functional",
        "POST PUT PATCH DELETE /users/:id Remix",
    ]


def test_the_handlers_of_functional_endpoints_are_known(index: Index) -> None:
    found = {each.name: each.handler for each in inventory(index, "routes", "", Filter()) if each.by[-1] == "l"}

    assert found["/users/{id}"] == found["/x"] == "java/R.java::H.show"
    assert found["/users"] == found["/y"] == "java/R.java::H.create"


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("models", ["User Active Record", "User Prisma"]),
        ("tasks", ["Job Active Job"]),
        ("commands", ["mail:send Artisan"]),
    ],
)
def test_models_jobs_and_commands_are_listed(index: Index, of: str, expected: list[str]) -> None:
    assert sorted(f"{each.name} {each.by}" for each in inventory(index, of, "", Filter())) == expected


def test_a_framework_that_is_not_read_is_named(index: Index) -> None:
    assert unread_frameworks(index) == ["koa"]
