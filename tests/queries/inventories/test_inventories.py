"""`stats` lists what there is of a kind: routes with their prefixes, commands, tasks, handlers, models, environment
variables, public names, packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import write

import rpg
from rpg.encoder.options import Options
from rpg.errors import BadRequest
from rpg.queries.graph.budget import BYTES_PER_TOKEN
from rpg.queries.inventories.source_text import arguments, evaluate_string, items
from rpg.repository import encode
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs

Asked = Callable[..., list[str]]

FLASK = {
    "shop/__init__.py": """
from flask import Flask
from flask.views import MethodView

from .orders import bp
from .pages import register

class Item(MethodView):
    def get(self, id): ...
    def delete(self, id): ...

def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp, url_prefix=f"/v1{PREFIX}")
    app.add_url_rule("/items/<int:id>", view_func=Item.as_view("item"))
    register(app)

    @app.get("/up")
    def up(): ...
    return app

PREFIX = "/orders"
""",
    "shop/orders.py": """
from flask import Blueprint
bp = Blueprint("orders", __name__)
inner = Blueprint("inner", __name__, url_prefix="/lines")
bp.register_blueprint(inner)

@bp.route("/", methods=["GET", "POST"])
def orders(): ...

@inner.route(f"/{compute()}/x")
def lines(): ...

@cache.route("/not")
def nothing(): ...
""",
    "shop/pages.py": """
def register(app):
    app.add_url_rule("/about", "about", about)

def about(): ...
""",
}

FASTAPI = {
    "api/main.py": """
from fastapi import FastAPI
from api.routers import users
from api.config import settings
app = FastAPI()
app.include_router(users.router, prefix=settings.ROOT)
""",
    "api/config.py": """
from pydantic_settings import BaseSettings
class Settings(BaseSettings):
    ROOT: str = "/api"
settings = Settings()
""",
    "api/routers/__init__.py": "",
    "api/routers/users.py": """
from fastapi import APIRouter
router = APIRouter(prefix="/users")
@router.get("/{id}")
async def user(id: int): ...
@router.websocket("/feed")
async def feed(socket): ...
""",
}

DJANGO = {
    "site/urls.py": """
from django.contrib import admin
from django.urls import include, path, re_path
urlpatterns = [
    path("admin/", admin.site.urls),
    path("blog/", include("blog.urls")),
    path("accounts/", include("django.contrib.auth.urls")),
    re_path(r"^old/(?P<year>[0-9]{4})/$", old),
]
urlpatterns += [path("late/", late)]
""",
    "blog/urls.py": """
from django.urls import include, path
from rest_framework.routers import DefaultRouter
from . import views
router = DefaultRouter()
router.register("posts", views.Posts)
urlpatterns = [path("", views.Index.as_view()), path("api/", include(router.urls))]
""",
    "blog/views.py": """
from django.views import View
from rest_framework import viewsets
from rest_framework.decorators import action
class Index(View):
    def get(self, request): ...
class Posts(viewsets.ReadOnlyModelViewSet):
    @action(detail=True, methods=["post"])
    def publish(self, request, pk): ...
""",
    "blog/models.py": """
from django.db import models
from django.db.models.signals import post_save
from django.dispatch import Signal, receiver
published = Signal()
class Post(models.Model):
    class Meta:
        db_table = "posts"
class Draft(Post): ...
class Plain: ...
@receiver(post_save, sender=Post)
def saved(sender, **given): ...
""",
    "blog/migrations/0001_initial.py": "from django.db import migrations\nclass Migration(migrations.Migration): ...\n",
    "blog/management/commands/tidy.py": "class Command:\n    def handle(self): ...\n",
}

EXPRESS = {
    "package.json": '{"name": "web", "main": "server.js"}',
    "server.js": """
const express = require("express");
const users = require("./users");
const app = express();
app.use("/api", auth, users);
app.get("/", (request, response) => response.end());
app.set("port", process.env.PORT || 80);
const port = app.get("port");
app.route("/both").get(list).post(add);
require("./late")(app);
function list() {}
function add() {}
module.exports = app;
""",
    "users.js": """
const { Router } = require("express");
const router = Router();
router.get("/users/:id", auth, show);
router.use("/deep", Router().delete("/x", show));
function show() {}
module.exports = router;
""",
    "late.js": """
module.exports = function (app) {
  app.put("/late", function (request, response) {});
  cache.get("/users", key);
};
""",
    "store.js": "const cache = new Map();\nmodule.exports = () => cache.get('/x', 1);\n",
}

GO = {
    "go.mod": "module example.org/web\n",
    "main.go": """package main

import (
	"net/http"
	"os"

	"example.org/web/users"
	"github.com/gin-gonic/gin"
)

const base = "/v1"

func main() {
	r := gin.Default()
	v1 := r.Group(base + "/api")
	v1.GET("/ping", ping)
	users.Register(v1.Group("/users"))
	http.HandleFunc("POST /hook", hook)
	_ = os.Getenv(key)
}

const key = "WEB_KEY"

func ping(c *gin.Context) {}
func hook(w http.ResponseWriter, r *http.Request) {}
""",
    "users/users.go": """package users

import "github.com/gin-gonic/gin"

func Register(r *gin.RouterGroup) {
	r.POST("/:id", Add)
}

func Add(c *gin.Context) {}
""",
    "users/users_test.go": """package users

import "github.com/gin-gonic/gin"

func TestAdd() { Register(gin.New().Group("/test")) }
""",
    "cmd/root.go": """package cmd

import "github.com/spf13/cobra"

var root = &cobra.Command{Use: "web"}
var serve = &cobra.Command{Use: "serve [port]", RunE: run}

func init() { root.AddCommand(serve) }

func run(c *cobra.Command, given []string) error { return nil }
""",
}

SPRING = {
    "src/main/java/web/Pets.java": """package web;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.*;

/** Everything with @GetMapping("/wrong") is read. */
@RestController
@RequestMapping("/pets")
class Pets {
    static final String ONE = "/{id}";

    @GetMapping({"", "/all"})
    String all() { return System.getenv("PETS_HOME"); }

    @RequestMapping(path = ONE, method = {RequestMethod.PUT, RequestMethod.PATCH})
    String change() { return ""; }

    // @DeleteMapping("/gone")
    @Scheduled(cron = "0 0 * * *")
    void sweep() {}
}
""",
}

PYTHON = {
    "pyproject.toml": '[project]\nname = "tool"\nscripts = {tool = "kit.cli:main"}\n',
    "kit/__init__.py": "from kit.cli import main, _hidden\n__all__ = ['main', 'VERSION']\nVERSION = '1'\n",
    "kit/cli.py": """
import argparse
import os
import click
from os import environ
from kit.queue import app

@click.group()
def main(): ...

@main.group()
def db(): ...

@db.command("move-up")
def move(): ...

@db.command()
def drop_all(): ...

def parsed():
    parser = argparse.ArgumentParser()
    below = parser.add_subparsers()
    one = below.add_parser("one")
    one.set_defaults(run=drop_all)

HOME = os.environ["TOOL_HOME"], environ.get("TOOL_HOME"), os.getenv(f"TOOL_{HOME}")
if "TOOL_DEBUG" in os.environ: ...
os.environ["WRITTEN"] = "1"
TEXT = 'os.environ["NOT"]'

@app.task(name="sweep")
def swept(): ...

@app.task
def mopped(): ...
""",
    "kit/queue.py": "from celery import Celery\napp = Celery()\n",
    "tests/cli/test_cli.py": "import os\nimport pytest\ndef test(): assert os.environ['ONLY_TESTS']\n",
}


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Callable[[dict[str, str]], Asked]]:
    opened: list[Graphs] = []

    def made(files: dict[str, str]) -> Asked:
        encode(write(tmp_path / "repo", files), tmp_path / "repo.graph.json", Options())
        graphs = Graphs([tmp_path / "repo.graph.json"])
        opened.append(graphs)
        return lambda **arguments: said(Call(graphs), **arguments).split("\n")

    yield made
    for graphs in opened:
        graphs.close()


def said(call: Call, **arguments: Any) -> str:
    return TOOLS["stats"].text(TOOLS["stats"].run(call, arguments))


def without_lines(lines: list[str]) -> set[str]:
    """Entries without where they are."""
    return {line.rpartition("  ")[0].replace("  ", " ") for line in lines[1:]}


def test_a_route_as_people_write_it_is_asked_for_like_a_symbol(tmp_path: Path) -> None:
    encode(write(tmp_path / "shop", FLASK), tmp_path / "shop.graph.json", Options())
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        found = graph.find_usages(symbol=["GET /up", "DELETE /items/{number}", "POST /up"])
    assert [each.symbol for each in found.symbols] == ["shop/__init__.py::create_app.up", "shop/__init__.py::Item"]
    assert "GET /up is handled by shop/__init__.py::create_app.up" in found.note


@pytest.mark.invariant(
    "answers",
    "a list of routes gives each with the prefixes of the routers above it, and nothing that is not a "
    "route; computed parts are marked",
)
def test_routes_of_flask_are_below_their_blueprints(asked: Any) -> None:
    assert without_lines(asked(FLASK)(of="routes")) >= {
        "GET POST /v1/orders/ -> orders",
        "GET /v1/orders/lines/…/x -> lines",
        "GET DELETE /items/<int:id> -> Item",
        "GET /about -> about",
        "GET /up -> create_app.up",
    }


def test_a_blueprint_may_have_the_name_of_its_package(asked: Any) -> None:
    files = {
        "main/__init__.py": "from flask import Blueprint\nmain = Blueprint('main', __name__)\nfrom . import views\n",
        "main/views.py": "from . import main\n@main.route('/here')\ndef here(): ...\n",
    }

    assert without_lines(asked(files)(of="routes")) == {"GET /here -> here"}


def test_routers_are_mounted_from_a_list(asked: Any) -> None:
    files = {
        "index.js": """
const express = require("express");
const users = require("./users");
const app = express();
[{ path: "/users", route: users }].forEach((each) => { app.use(each.path, each.route); });
""",
        "users.js": """
const router = require("express").Router();
router.get("/all", (request, response) => {});
module.exports = router;
""",
    }

    assert without_lines(asked(files)(of="routes")) == {"GET /users/all"}


def test_what_a_function_of_the_repository_wraps_is_the_handler_and_only_exports_are_routes_by_path(asked: Any) -> None:
    files = {
        "server/server.js": """
const { Router } = require("express");
const caught = require("./caught");
const pages = require("./pages");
const router = Router();
router.get("/", caught(pages.home));
module.exports = router;
""",
        "server/caught.js": "module.exports = function caught(run) { return function inner(q) { return run(q); }; };\n",
        "server/pages.js": "async function home(q) {}\nmodule.exports = { home };\n",
        "server/routes/other.js": "const { Router } = require('express');\nmodule.exports = Router();\n",
        "server/api/hello.get.ts": "export default defineEventHandler(() => 1);\n",
    }

    assert without_lines(asked(files)(of="routes")) == {
        "GET / -> server/pages.js::home Express",
        "GET /api/hello Nuxt",
    }


@pytest.mark.invariant(
    "answers",
    "a list of routes gives each with the prefixes of the routers above it, and nothing that is not a "
    "route; computed parts are marked",
)
def test_what_is_not_a_router_registers_nothing(asked: Any) -> None:
    text = "\n".join([*asked(FLASK | EXPRESS)(of="routes")])

    assert "/not" not in text
    assert "cache" not in text
    assert "port" not in text


@pytest.mark.invariant(
    "answers",
    "a list of routes gives each with the prefixes of the routers above it, and nothing that is not a "
    "route; computed parts are marked",
)
def test_a_computed_part_of_a_route_is_marked(asked: Any) -> None:
    lines = asked(FLASK)(of="routes")

    assert lines[0] == "5 routes: 5 Flask"
    assert lines[1] == "… stands for what is computed or a library's own (1)"


def test_routes_of_fastapi_have_the_prefixes_of_router_and_application(asked: Any) -> None:
    assert without_lines(asked(FASTAPI)(of="routes")) == {
        "GET /api/users/{id} -> user",
        "WEBSOCKET /api/users/feed -> feed",
    }


def test_routes_of_django_follow_what_is_included(asked: Any) -> None:
    assert without_lines(asked(DJANGO)(of="routes", max_tokens=3_000)) >= {
        "ANY /admin/… -> admin.site.urls",
        "GET /blog/ -> blog/views.py::Index",
        "GET /blog/api/posts/ -> blog/views.py::Posts",
        "GET /blog/api/posts/<pk>/ -> blog/views.py::Posts",
        "POST /blog/api/posts/<pk>/publish/ -> Posts.publish",
        "ANY /accounts/… -> django.contrib.auth.urls",
        "ANY /old/(?P<year>[0-9]{4})/ -> old",
        "ANY /late/ -> late",
    }


def test_lists_that_include_themselves_are_read_once(asked: Any) -> None:
    itself = "".join(f"path('{word}/', include('loop.urls')), " for word in "abcdefghij")
    files = {"loop/urls.py": f"from django.urls import include, path\nurlpatterns = [path('x', view), {itself}]\n"}

    assert without_lines(asked(files)(of="routes")) == {"ANY /x -> view"}


def test_routes_of_express_follow_routers_from_file_to_file(asked: Any) -> None:
    assert without_lines(asked(EXPRESS)(of="routes")) == {
        "GET /api/users/:id -> show",
        "DELETE /api/deep/x -> show",
        "GET /",
        "GET /both -> list",
        "POST /both -> add",
        "PUT /late",
    }


def test_routes_of_gin_follow_groups_into_functions(asked: Any) -> None:
    assert without_lines(asked(GO)(of="routes")) == {
        "GET /v1/api/ping -> ping Gin",
        "POST /v1/api/users/:id -> Add Gin",
        "POST /hook -> hook net/http",
    }


def test_routes_of_spring_are_read_from_annotations_and_not_from_comments(asked: Any) -> None:
    assert without_lines(asked(SPRING)(of="routes")) == {
        "GET /pets -> Pets.all",
        "GET /pets/all -> Pets.all",
        "PUT PATCH /pets/{id} -> Pets.change",
    }


def test_routes_of_laravel_are_calls_of_its_facade(asked: Any) -> None:
    files = {
        "app/shop.php": "<?php\nuse Shop\\Route;\nRoute::get('shop', 'x');\n// Route::get('comment', 'x');\n",
        "routes/web.php": "<?php\nRoute::prefix('a')->group(function () { Route::get('b', 'Pages@show'); });\n"
        "$route->get('c', 'x'); Routes::get('d', 'x'); Route::apiResource('pages', Pages::class);\n",
        "app/Pages.php": "<?php\nclass Pages { function show() {} function list() {} }\n",
    }
    assert without_lines(asked(files)(of="routes")) == {
        "GET /a/b -> app/Pages.php::Pages.show",
        "GET /pages/{page} -> app/Pages.php::Pages.show",
    }


def test_commands_are_below_their_groups(asked: Any) -> None:
    assert without_lines(asked(PYTHON)(of="commands")) == {
        "tool script -> kit.cli:main",
        "main group Click",
        "db group Click",
        "db move-up command -> move Click",
        "db drop-all command -> drop_all Click",
        "one subcommand -> drop_all argparse",
    }


def test_commands_of_cobra_and_of_manage_py(asked: Any) -> None:
    lines = without_lines(asked(GO | DJANGO)(of="commands"))

    assert lines == {"web command cobra", "web serve command -> run cobra", "tidy manage.py -> Command.handle Django"}


URFAVE = {
    "go.mod": "module shop\n",
    "main.go": """package main

import "github.com/urfave/cli/v2"

func main() {
	app := &cli.App{Commands: []*cli.Command{
		{Name: "open"},
		&cli.Command{Name: "stock", Subcommands: []*cli.Command{&cli.Command{Name: "count", Action: count}}},
	}}
	app.Run(nil)
}

func count(c *cli.Context) error { return nil }

type other struct{ Name string }

var none = other{Name: "none"}
""",
}

SIMPLECOBRA = {
    "go.mod": "module shop\n",
    "commander.go": """package shop

import "github.com/bep/simplecobra"

type simple struct {
	name string
	commands []simplecobra.Commander
}

func (s *simple) Name() string { return s.name }
func (s *simple) Commands() []simplecobra.Commander { return s.commands }
func (s *simple) Init(cd *simplecobra.Commandeer) error { return nil }
func (s *simple) PreRun(cd, runner *simplecobra.Commandeer) error { return nil }
func (s *simple) Run(args []string) error { return nil }

type root struct {
	commands []simplecobra.Commander
}

func (r *root) Name() string { return "shop" }
func (r *root) Commands() []simplecobra.Commander { return r.commands }
func (r *root) Init(cd *simplecobra.Commandeer) error { return nil }
func (r *root) PreRun(cd, runner *simplecobra.Commandeer) error { return nil }
func (r *root) Run(args []string) error { return nil }

type build struct{}

func (b *build) Name() string { return "build" }
func (b *build) Commands() []simplecobra.Commander { return nil }
func (b *build) Init(cd *simplecobra.Commandeer) error { return nil }
func (b *build) PreRun(cd, runner *simplecobra.Commandeer) error { return nil }
func (b *build) Run(args []string) error { return nil }

type shelf struct{ name string }

func (s *shelf) Name() string { return s.name }
""",
    "commands.go": """package shop

import "github.com/bep/simplecobra"

func exec() (*simplecobra.Exec, error) {
	return simplecobra.New(&root{commands: []simplecobra.Commander{newStock(), newBuild()}})
}

func newStock() simplecobra.Commander {
	return &simple{name: "stock", commands: []simplecobra.Commander{&simple{name: "count"}}}
}

func newBuild() simplecobra.Commander { return &build{} }

var none = shelf{name: "none"}
""",
}

CAC = {
    "package.json": '{"name": "shop"}',
    "cli.js": """import { cac } from 'cac';
const cli = cac('shop');
cli.command('[root]', 'serves').alias('serve').action(() => 1);
cli.command('build [root]', 'builds');
""",
}


def test_commands_of_go_are_below_the_literals_that_list_them(asked: Any) -> None:
    assert without_lines(asked(URFAVE)(of="commands")) == {
        "open command",
        "stock command",
        "stock count command -> count",
    }


def test_commands_are_literals_of_types_that_have_the_methods_of_one(asked: Any) -> None:
    assert without_lines(asked(SIMPLECOBRA)(of="commands")) == {
        "shop command",
        "shop stock command",
        "shop stock count command",
        "shop build command",
    }


def test_a_command_that_is_run_by_default_and_its_other_names(asked: Any) -> None:
    assert without_lines(asked(CAC)(of="commands")) == {"(default) command", "serve alias", "build command"}


def test_tasks_are_found_where_the_application_comes_from_another_file(asked: Any) -> None:
    assert without_lines(asked(PYTHON)(of="tasks")) == {"sweep task -> swept", "mopped task"}


def test_tasks_that_annotations_schedule(asked: Any) -> None:
    assert without_lines(asked(SPRING)(of="tasks")) == {"Pets.sweep (cron 0 0 * * *) Scheduled -> Pets.sweep"}


def test_signals_and_models_of_django(asked: Any) -> None:
    ask = asked(DJANGO)

    assert without_lines(ask(of="signals")) == {"published defined", "post_save receiver -> saved"}
    assert without_lines(ask(of="models")) == {
        "Post table posts Django", "Draft class Django", "0001_initial.py migration Django migrations"
    }  # fmt: skip


def test_variables_of_the_environment_are_what_code_reads(asked: Any) -> None:
    lines = asked(PYTHON | SPRING | EXPRESS | GO)(of="environment")

    assert "TOOL_HOME  os.environ  kit/cli.py:26" in lines
    assert {line.partition(" ")[0] for line in lines[2:-1]} == {
        "PETS_HOME", "PORT", "TOOL_DEBUG", "TOOL_HOME", "TOOL_…", "WEB_KEY"
    }  # fmt: skip
    assert lines[-1] == "tests=only lists 1 variable in 1 test file: tests/cli/test_cli.py 1"


def test_who_uses_a_package(asked: Any) -> None:
    ask = asked(PYTHON)

    assert ask(of="packages", name="os", tests="all") == [
        "1 package: 1 python",
        "os  kit/cli.py:3, tests/cli/test_cli.py:1",
    ]
    assert ask(of="packages", name="celery", path="tests") == ["0 packages"]


def test_public_names_are_what_the_package_says(asked: Any) -> None:
    assert {line.split("  ")[0] for line in asked(PYTHON)(of="api")[1:]} == {"kit.main", "kit.VERSION"}


def test_an_answer_is_short_and_says_what_is_left(asked: Any) -> None:
    many = "".join(f'@app.get("/a/long/path/number/{number}")\ndef f{number}(): ...\n' for number in range(300))
    ask = asked({"app.py": f"from flask import Flask\napp = Flask(__name__)\n{many}"})
    lines = ask(of="routes")

    assert lines[0] == "300 routes: 300 Flask"
    assert len("\n".join(lines)) <= 1_500 * BYTES_PER_TOKEN
    assert lines[-1].startswith("more: cursor ")
    seen = {line for line in lines if line.startswith("GET")}
    while lines[-1].startswith("more: cursor "):
        lines = ask(of="routes", cursor=lines[-1].rpartition(" ")[2])
        seen |= {line for line in lines if line.startswith("GET")}
    assert len(seen) == 300


def test_a_route_with_control_characters_is_printed_on_one_line(asked: Any) -> None:
    hostile = (
        'from flask import Flask\napp = Flask(__name__)\n@app.get("/a\\x1b[2J\\nGET /forged  -> x")\ndef f(): ...\n'
    )
    lines = asked({"app.py": hostile})(of="routes")

    assert len(lines) == 2
    assert lines[1].startswith(r"GET /a\x1b[2J\nGET /forged")


@pytest.mark.invariant("answers", "a list is computed from the index alone, and includes the last edit")
def test_an_edit_is_in_the_next_list(asked: Any, tmp_path: Path) -> None:
    ask = asked(FLASK)
    assert not any("/new" in line for line in ask(of="routes"))

    (tmp_path / "repo/shop/orders.py").write_text(FLASK["shop/orders.py"].replace('"/",', '"/new",'))

    assert any(line.startswith("GET POST /v1/orders/new") for line in ask(of="routes"))


def test_arguments_of_lists_are_refused_without_a_list(asked: Any) -> None:
    with pytest.raises(BadRequest, match="choose one with `of`"):
        asked(FLASK)(path="shop")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('@A("x")', [("", '"x"')]),
        ('@A(value = {"a", "b,)"}, n = f(1, 2))', [("value", '{"a", "b,)"}'), ("n", "f(1, 2)")]),
        ("@A", []),
        ("@A(", []),
        ('@A("unclosed', [("", '"unclosed')]),
        ("@A(((((", [("", "((((")]),
    ],
)
def test_arguments_are_read_as_they_are_written(text: str, found: list[tuple[str, str]]) -> None:
    assert [(each.keyword, each.text) for each in arguments(text, 1)] == found


def test_texts_are_read_with_what_is_computed_in_them() -> None:
    (listed,) = arguments('A({"a" + B, "c"})', 0)

    assert [evaluate_string(each.text) for each in items(listed)] == ["a…", "c"]
    assert evaluate_string('f"/{x}/y"') == "/…/y"
    assert evaluate_string("`/${x}/y`", lambda name, at: name.upper()) == "/X/y"
    assert evaluate_string(r'r"\d+" "{x}"') == r"\d+{x}"


def test_an_empty_list_says_that_other_frameworks_are_not_listed(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {"web.php": "<?php\n$slim->get('/photos', [Photos::class, 'show']);\n"})
    rpg.encode(str(root), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as shop:
        routes, variables = (TOOLS["stats"].text(shop.stats(of=each)) for each in ("routes", "environment"))

    assert routes == "0 routes\nnone of a framework that rpg lists; those of others are found by search"
    assert variables == "0 variables"


def test_routes_that_a_library_brings_are_one_entry_each(tmp_path: Path) -> None:
    urls = """\
import debug_toolbar
from django.urls import include, path
from wagtail import urls as wagtail_urls
from wagtail.admin import urls as admin_urls

urlpatterns = [path("admin/", include(admin_urls)), path("debug/", include(debug_toolbar.urls))]
urlpatterns += [path("", include(wagtail_urls))]
"""
    root = write(tmp_path / "shop", {"shop/urls.py": urls})
    rpg.encode(str(root), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as shop:
        [routes] = shop.stats(of="routes").lists

    assert [(each.name, each.handler) for each in routes.entries] == [
        ("/admin/…", "admin_urls"),
        ("/debug/…", "debug_toolbar.urls"),
        ("/…", "wagtail_urls"),
    ]
