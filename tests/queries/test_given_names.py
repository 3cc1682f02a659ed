"""Names that frameworks make of a symbol's, and strings by which code reaches a member, are doubts of its account."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, lines_left, usages

import rpg

VET = """package shop;

public class Vet {
    public int getNrOfSpecialties() { return 1; }
    public String getCity() { return ""; }
    public boolean isNew() { return true; }
    public void setOwnName(String name) { }
    public String getUnseen() { return ""; }
}
"""
JAVA = {
    "src/Vet.java": VET,
    "src/VetBoss.java": 'package shop;\n\n@Component\nclass VetBoss {\n    String q = "SELECT v FROM Vet v";\n}\n',
    "templates/vets.html": '<span th:if="${vet.nrOfSpecialties == 0}" th:text="#{none}">none, unseen</span>\n'
    '<b th:if="${owner[\'new\']}">city</b>\n<input th:field="*{ownName}">\n<p>${vet.city}</p>\n',
    "context.xml": '<bean id="x" ref="vetBoss"/>\n',
}
PYTHON = {
    "shop/models.py": "class Response:\n"
    '    __attrs__ = ["encoding", "reason"]\n'
    "    encoding = 1\n"
    "    reason = 1\n"
    "    closing = 1\n"
    "    def state(self):\n"
    "        return {name: getattr(self, name) for name in self.__attrs__}\n"
    "    def plain(self): ...\n"
    "    def shown(self): ...\n"
    "    created_at = 1\n",
    "shop/words.py": 'print("closing", "plain")\nX = "closing" == "x"\nY = {"closing": 1}\nWORDS = ["plain"]\n',
    "shop/listed.py": 'class Admin:\n    columns = ("shown", "x")\n',
    "shop/order.py": 'def order(q):\n    return q.order_by("-created_at")\n',
}
TILL = """#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Till {
    pub open_time: u8,
}
pub struct Plain {
    pub shut_time: u8,
}
"""
CONFIG = {
    "config.py": "import os\n\n\nclass Config:\n    ADMINS = []\n    LOGS = os.environ.get('LOGS')\n    admins = 1\n",
    "app.py": "def send(app):\n    return app.config['ADMINS'], app.config.get('LOGS'), app.config['admins']\n",
}
GRAPHQL = {
    "schema.graphqls": "input CreateUser {\n  name: String\n}\n\ninput LostUser {\n  name: String\n}\n",
    "User.java": "import gen.types.CreateUser;\n\nclass User {\n    void make(CreateUser user) {}\n}\n",
}
ISSUE = """class Issue
  attr_accessor :pr_attached
  attr_accessor :far_away
  def old? = pr_attached?
  def find_it = 1
end

run(pr_attached: 1)
run(:find_it)
return false if pr_attached? && user.old?
x = Other::far_away
"""
RUBY = {"issue.rb": ISSUE}
RUST = {
    "Cargo.toml": '[package]\nname = "till"\n',
    "src/lib.rs": TILL,
    "web/till.ts": "export function show(till: any) {\n  return till.openTime\n}\n",
}
ORDER = """syntax = "proto3";
package shop;

message Order {
  string user_name = 1;
  string far_off = 2;
}
"""
MAIN = """package main

import "example.com/gen/shop"

func run(o *shop.Order) string {
	return o.GetUserName()
}
"""
PROTO = {"api/shop.proto": ORDER, "main.go": MAIN}
SCHEMA = """CREATE TABLE owners (
  id INTEGER,
  last_name TEXT,
  city TEXT
);

CREATE TABLE doors (id INTEGER);
"""
OWNER = """@Table(name = "owners")
public class Owner {
    String q = "SELECT city FROM x";
    String p = "the doors";
}
"""
SQL = {"schema.sql": SCHEMA, "Owner.java": OWNER}
VUE = {
    "src/parts.js": "export const BigButton = { props: [] }\nexport function farAway() {}\n",
    "page.html": "<div><big-button :label='x'></big-button> far-away</div>\n",
}
USER = """<?php
class User {
    public function getFullNameAttribute() { return 1; }
    public function scopeOpenOnes($q) { return $q; }
    public function getNoneAttribute() { return 1; }
}
"""
USE = """<?php
function show($user) {
    $none = 1;
    return [$user->full_name, $user->openOnes(), $none];
}
"""
PHP = {"composer.json": "{}", "src/User.php": USER, "src/use.php": USE}


WRITER = """package web

import (
	"example.com/thing"
	"net/http"
)

type Writer interface {
	http.ResponseWriter
	Size() int
}

type writer struct {
	http.ResponseWriter
}

func (w *writer) Size() int { return 1 }

func (w *writer) Flush() {}

func (w *writer) Hijack() {}

type Plain struct{}

func (p *Plain) Flush() {}

func run(any Writer, other http.Flusher) int {
	other.Flush()
	other.Hijack()
	other.size()
	return any.Size()
}
"""
PAGE = """<h2>Desk</h2>
<p>Desk and {{ Desk.one }}</p>
<Door></Door>
<b>Door</b>
"""
PAGES = {"desk.py": "class Desk: ...\n\n\nclass Door: ...\n\n\nclass Wall: ...\n", "page.html": PAGE + "<i>Wall</i>\n"}
REPLACED = {
    "env.d.ts": "declare var __DEV_MODE__: boolean\ndeclare var devMode: boolean\n",
    "vite.config.ts": "export default { define: { __DEV_MODE__: true, devMode: true } }\n",
}
STREAMS = """import java.io.Writer;

class Streams {
    static class Appending extends Writer {
        @Override public void write(String text) {}
        public void other(String text) {}
    }
    void run(Writer writer) {
        writer.write("x");
        writer.other("x");
        Files.write("x");
    }
}
"""
OVERRIDING = {"Streams.java": STREAMS}
GO = {"go.mod": "module example.com/web\n", "web.go": WRITER.replace("other.Hijack()", "http.Hijack()")}
STRANGERS = """package web

import "context"

type Context struct{}

func (c *Context) Get() int { return 1 }

func run(c *Context, other context.Context) int {
	other.Get()
	return c.Get()
}
"""
TOP = {"go.mod": "module example.com/web\n", "context.go": STRANGERS}
SESSION = """class Mixin:
    trust: bool

    def ask(self):
        return self.trust


class Session(Mixin):
    trust: bool

    def tell(self):
        return self.trust


class Other:
    trust: bool
"""
REDECLARED = {"session.py": SESSION}


FORM = """import { useForm } from './use'

useForm({
  onSuccess: () => {
    return 1
  },
  onNothing: () => {
    return 2
  },
})
"""
USE_FORM = """interface Config {
  onSuccess?: (result: any) => any
  onNothing?: (result: any) => any
}

export function useForm(config: Config) {
  return config.onSuccess?.(1)
}
"""
OBJECTS = {"form.ts": FORM, "use.ts": USE_FORM, "package.json": "{}"}
CAPTURE = """pub struct Capture;
pub struct Other;

mod tests {
    use super::{Capture, run};
    use lib::Other;
}
"""
NESTED = {"Cargo.toml": '[package]\nname = "till"\n', "src/lib.rs": CAPTURE}


@pytest.mark.parametrize(
    ("files", "symbol", "doubts"),
    [
        (OVERRIDING, "Appending.write", ["Streams.java:9"]),
        (OVERRIDING, "Appending.other", ["Streams.java:10"]),
        (PAGES, "Desk", ["page.html:2"]),
        (PAGES, "Door", ["page.html:3"]),
        (PAGES, "Wall", []),
        (REPLACED, "env.d.ts::__DEV_MODE__", ["vite.config.ts:1"]),
        (REPLACED, "env.d.ts::devMode", []),
        (OBJECTS, "form.ts::onSuccess", ["use.ts:7"]),
        (OBJECTS, "form.ts::onNothing", []),
        (GO, "writer.Flush", ["web.go:28"]),
        (GO, "writer.Hijack", []),
        (GO, "Plain.Flush", ["web.go:28"]),
        (GO, "writer.Size", ["web.go:31"]),
        (TOP, "Context.Get", []),
        (REDECLARED, "Session.trust", ["session.py:5"]),
        (REDECLARED, "Mixin.trust", []),
        (REDECLARED, "Other.trust", []),
    ],
)
def test_what_may_run_or_be_a_symbol_in_the_place_of_another_is_a_doubt(
    tmp_path: Path, files: dict[str, str | bytes], symbol: str, doubts: list[str]
) -> None:
    root = encoded(tmp_path, files)

    (found,) = usages(root, symbol).symbols

    possible = [f"{group.path}:{use.site.partition(':')[0]}" for group in found.possible for use in group.usages]
    assert possible + lines_left(found) == doubts
    assert found.complete == (not doubts)


def test_a_nested_module_imports_what_is_around_it(tmp_path: Path) -> None:
    root = encoded(tmp_path, NESTED)

    capture, other = usages(root, "Capture", "Other").symbols

    assert (capture.imported, other.imported) == (["src/lib.rs:5:17"], [])


def test_what_a_library_may_call_is_said_beside_its_uses(tmp_path: Path) -> None:
    root = encoded(
        tmp_path, {"job.py": "from lib import Job\n\n\nclass Mine(Job):\n    def run(self): ...\n\n\nMine().run()\n"}
    )

    (found,) = usages(root, "Mine.run").symbols

    assert found.note == "not in this list: its base Job, of a library, may call it"


@pytest.mark.parametrize(
    ("files", "symbol", "lines"),
    [
        (JAVA, "Vet.getNrOfSpecialties", ["templates/vets.html:1"]),
        (JAVA, "Vet.isNew", ["templates/vets.html:2"]),
        (JAVA, "Vet.setOwnName", ["templates/vets.html:3"]),
        (JAVA, "Vet.getCity", ["templates/vets.html:4"]),
        (JAVA, "Vet.getUnseen", []),
        (JAVA, "VetBoss", ["context.xml:1"]),
        (JAVA, "Vet.java::Vet", ["src/VetBoss.java:5"]),
        (PYTHON, "Response.encoding", ["shop/models.py:2"]),
        (PYTHON, "Response.reason", ["shop/models.py:2"]),
        (PYTHON, "Response.closing", []),
        (PYTHON, "Response.plain", []),
        (PYTHON, "Response.shown", ["shop/listed.py:2"]),
        (PYTHON, "Response.created_at", ["shop/order.py:2"]),
        (CONFIG, "Config.ADMINS", ["app.py:2"]),
        (CONFIG, "Config.LOGS", ["app.py:2"]),
        (CONFIG, "Config.admins", []),
        (GRAPHQL, "CreateUser", ["User.java:1", "User.java:4"]),
        (GRAPHQL, "LostUser", []),
        (RUBY, "Issue.pr_attached", ["issue.rb:4", "issue.rb:8", "issue.rb:10"]),
        (RUST, "Till.open_time", ["web/till.ts:2"]),
        (RUST, "Plain.shut_time", []),
        (PROTO, "Order.user_name", ["main.go:6"]),
        (PROTO, "Order.far_off", []),
        (SQL, "schema.sql::owners", []),
        (SQL, "owners.city", ["Owner.java:3"]),
        (SQL, "owners.last_name", []),
        (SQL, "schema.sql::doors", []),
        (VUE, "BigButton", ["page.html:1"]),
        (VUE, "farAway", []),
        (PHP, "User.getFullNameAttribute", ["src/use.php:4"]),
        (PHP, "User.scopeOpenOnes", ["src/use.php:4"]),
        (PHP, "User.getNoneAttribute", []),
    ],
)
def test_a_place_that_means_a_symbol_by_another_name_or_in_a_string_is_listed(
    tmp_path: Path, files: dict[str, str | bytes], symbol: str, lines: list[str]
) -> None:
    root = encoded(tmp_path, files)

    (found,) = usages(root, symbol).symbols

    assert lines_left(found) == lines
    assert found.complete == (not lines)


BOOT = """var fs = require('fs')
var path = require('path')

fs.readdirSync(path.join(__dirname, 'controllers')).forEach(function (name) {
  var loaded = require(path.join(__dirname, 'controllers', name))
  for (var key in loaded) loaded[key]()
})
"""
LOADED = {
    "boot.js": BOOT,
    "controllers/user.js": "exports.show = function () {}\nfunction hidden() {}\n",
    "models/user.js": "exports.make = function () {}\n",
    "load.py": "from importlib import import_module\n\n\ndef load(name):\n"
    '    return import_module(f"shop.plugins.{name}")\n\n\ndef fixed():\n    return import_module("shop.other.one")\n',
    "bench.py": "def bench_one(): ...\n\n\ndef main():\n    return [globals()[each] for each in sorted(globals())]\n",
    "lazy.py": 'def _old(): ...\n\n\ndef other(): ...\n\n\ndef __getattr__(name):\n    return globals()[f"_{name}"]\n',
    "shop/plugins/one.py": "def start(): ...\n",
    "shop/other/one.py": "def stop(): ...\n",
    "scan.py": "import os\nfrom importlib import import_module\n\n"
    'for each in os.listdir(os.path.join("shop", "parts")):\n'
    '    import_module("shop.parts." + each[:-3])\n',
    "shop/parts/two.py": "def begin(): ...\n",
    "shop/web.py": "def render(): ...\n",
    "version.js": "const folder = `${__dirname}/tools`\nconst manifest = `${folder}/package.json`\n"
    "const read = require(manifest)\nconst tool = `${folder}/${read.name}`\nmodule.exports = require(tool)\n",
    "tell.js": "const folder = `${__dirname}/widgets`\nconst manifest = `${folder}/package.json`\nrequire(manifest)\n",
    "tools/saw.js": "exports.cut = function () {}\n",
    "widgets/box.js": "exports.open = function () {}\n",
}


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("controllers/user.js::show", ["boot.js:5"]),
        ("models/user.js::make", []),
        ("bench.py::bench_one", ["bench.py:5", "bench.py:5"]),
        ("lazy.py::_old", ["lazy.py:8"]),
        ("lazy.py::other", []),
        ("shop/plugins/one.py::start", ["load.py:5"]),
        ("shop/other/one.py::stop", []),
        ("shop/parts/two.py::begin", ["scan.py:5"]),
        ("shop/web.py::render", []),
        ("tools/saw.js::cut", ["version.js:5"]),
        ("widgets/box.js::open", []),
    ],
)
def test_what_a_computed_path_may_load_is_not_known_to_be_unused(tmp_path: Path, symbol: str, lines: list[str]) -> None:
    root = encoded(tmp_path, LOADED)

    (found,) = usages(root, symbol).symbols

    assert lines_left(found) == lines


def test_whoever_is_given_a_class_may_construct_it(tmp_path: Path) -> None:
    text = "class Job:\n    def __init__(self): ...\n\n\nclass Till:\n    def __init__(self): ...\n\n\n"
    text += "Till()\n\n\ndef run(jobs, job: Job):\n    jobs.add(Job)\n    jobs.add(Till)\n"
    root = encoded(tmp_path, {"job.py": text})

    job, till = usages(root, "Job.__init__", "Till.__init__").symbols

    assert ([use.site for group in job.possible for use in group.usages], job.complete) == (["13:14"], False)
    assert (till.possible, till.complete) == ([], True)


def test_what_is_protected_may_be_called_by_a_base_of_a_library(tmp_path: Path) -> None:
    text = "<?php\nuse Lib\\Form;\nclass Mine extends Form {\n    protected function rules() {}\n"
    text += "    private function own() {}\n    protected $casts = [];\n}\n"
    root = encoded(tmp_path, {"composer.json": "{}", "Mine.php": text})

    rules, own, casts = usages(root, "Mine.rules", "Mine.own", "Mine.casts").symbols

    assert rules.reason == ("unused in this repository; its base Form, of a library, may call it")
    assert casts.reason == ("unused in this repository; its base Form, of a library, may use it")
    assert "Form" not in own.reason


def test_what_is_assigned_to_a_member_is_not_certainly_unused(tmp_path: Path) -> None:
    text = "export function run(input) {\n  input.onchange = () => 1\n  const kept = () => 2\n}\n"
    use = "import { run } from './run'\n\nrun({})\n"
    root = encoded(tmp_path, {"run.ts": text, "use.ts": use, "package.json": '{"private": true}'})

    with rpg.open(root.parent / "made.graph.json") as graph:
        (unused,) = graph.stats(of="unused").health

    assert {each.what.rpartition(".")[2]: each.confidence for each in unused.findings} == {
        "onchange": "possible",
        "kept": "certain",
    }
