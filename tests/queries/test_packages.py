"""Packages: what manifests say of them, which files are in them, and who uses what another repository's package
defines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from repositories import repository

import rpg
from rpg.queries.packages.manifests import agrees, packages
from rpg.stores.index.index import Index
from rpg.tools import TOOLS

LIBRARY = {
    "pyproject.toml": '[project]\nname = "Http_Client"\nversion = "1.4.0.dev"\n',
    "package.json": '{"name": "of-another-language"}',
    "src/http_client/__init__.py": (
        "from ._core import Client as Client, Failure\nfrom ._extra import *\nfrom . import testing\n"
    ),
    "src/http_client/_core.py": (
        "class Failure(Exception):\n    pass\n\n\nclass Client:\n    def get(self, url):\n        return url\n\n"
        "    def post(self, url):\n        raise Failure(url)\n"
    ),
    "src/http_client/_extra.py": "def retried(client):\n    return client\n",
    "src/http_client/testing.py": "class Client:\n    '''Another one.'''\n",
}
CALLING = "import http_client\n\nhttp_client.Client()\n"
MANIFEST = '[project]\nname = "service"\nversion = "1.0"\ndependencies = ["http-client{wants}"]\n'


def made(folder: Path, name: str, files: dict[str, str]) -> Path:
    place = folder / f"{name}.graph.json"
    rpg.encode(repository(folder / name, files), output=str(place))
    return place


def uses(folder: Path, symbol: str, **services: dict[str, str]) -> dict[str, Any]:
    """What find_usages says of each service."""
    graphs = [made(folder, "library", LIBRARY), *(made(folder, name, files) for name, files in services.items())]
    with rpg.open(*graphs) as opened:
        answer = opened.find_usages(symbol=[symbol])
    return {each.graph: each for each in answer.graphs}


def sites(one: Any) -> list[str]:
    return [f"{use.path}:{use.site} {use.kind} {use.source}" for each in one.uses for use in each.uses]


@pytest.mark.invariant(
    "edges",
    "a use in another repository is followed from its import to the definition, and is certain only if "
    "both manifests agree",
)
def test_uses_in_another_repository_are_found_through_imports(tmp_path: Path) -> None:
    service = {
        "pyproject.toml": MANIFEST.format(wants=">=1.2,<2"),
        "service/one.py": "import http_client\n\ndef ask():\n    return http_client.Client().get('/')\n",
        "service/two.py": (
            "from http_client import Client as C\n\nclass Own(C):\n    def again(self, other: 'C'):\n        pass\n"
        ),
        "service/three.py": (
            "import http_client as h\nfrom http_client._core import Client\n\nprint(h.Client, Client)\n"
        ),
        # near misses
        "service/four.py": "from http_client.testing import Client\n\nClient()\n",
        "service/five.py": "import http_client\n\nclass Client:\n    pass\n\nClient()\nhttp_client.Failure()\n",
        "service/six.py": "import http_client\n\ndef ask(http_client):\n    return http_client.Client()\n",
    }  # fmt: skip

    one = uses(tmp_path, "http_client.Client", service=service)["service"]

    assert sites(one) == [
        "service/one.py:4:24 calls ask",
        "service/three.py:2:6 imports (module)",
        "service/three.py:4:9 references (module)",
        "service/three.py:4:17 references (module)",
        "service/two.py:1:6 imports (module)",
        "service/two.py:3:11 inherits Own",
        "service/two.py:4:29 references Own.again",
    ]
    assert all(use.certain for use in one.uses[0].uses)
    assert one.uses[0].symbol == "src/http_client/_core.py::Client"
    assert "pyproject.toml requires http-client" not in str(one.message)


@pytest.mark.parametrize(
    ("symbol", "code", "found"),
    [
        ("_core.py::Failure", "from http_client import *\n", []),
        ("Failure", "import http_client\ntry:\n    pass\nexcept http_client.Failure:\n    pass\n", ["4:20 references"]),
        ("retried", "import http_client\n\nhttp_client.retried(1)\n", ["3:13 calls"]),
        ("Client.get", "from http_client import Client\n\nprint(Client.get)\n", ["3:14 references"]),
        ("src/http_client/testing.py", "from http_client import testing\n", ["1:6 imports"]),
        ("_core.py::Client", "import other.http_client\n\nother.http_client.Client()\n", []),
    ],
)
def test_names_are_followed_to_what_they_mean(tmp_path: Path, symbol: str, code: str, found: list[str]) -> None:
    files = {"pyproject.toml": MANIFEST.format(wants=""), "use.py": code}
    named = f"src/http_client/{symbol}" if symbol.startswith("_core") else symbol

    one = uses(tmp_path, named, service=files)["service"]

    assert [site.removeprefix("use.py:").removesuffix(" (module)") for site in sites(one)] == found


@pytest.mark.invariant(
    "edges",
    "a use in another repository is followed from its import to the definition, and is certain only if "
    "both manifests agree",
)
@pytest.mark.parametrize(
    ("wants", "is_certain", "why"),
    [
        (">=1.2", True, "pyproject.toml requires Http_Client >=1.2, Http_Client is 1.4.0.dev"),
        ("", True, "pyproject.toml requires Http_Client"),
        ("<1", False, "pyproject.toml requires Http_Client <1, Http_Client is 1.4.0.dev"),
        (None, False, "no manifest around it requires Http_Client"),
    ],
)
def test_a_use_is_certain_only_if_both_manifests_agree(
    tmp_path: Path, wants: str | None, is_certain: bool, why: str
) -> None:
    manifest = {} if wants is None else {"pyproject.toml": MANIFEST.format(wants=wants)}

    one = uses(
        tmp_path, "http_client.Client", service={**manifest, "use.py": "import http_client\n\nhttp_client.Client()\n"}
    )["service"]

    assert [(use.certain, use.why) for use in one.uses[0].uses] == [(is_certain, why)]


REQUIREMENTS = """\
# what the service needs
-r other.txt
--index-url https://example.org/simple
git+https://example.org/http_client@v9
http_client[fast] >=1.2,<2 ; python_version > "3"  # why
"""
SETUP_CFG = "[metadata]\nname = service\n\n[options]\ninstall_requires =\n    other\n    http.client ~= 1.2\n"
SETUP_PY = """\
setup(
    name='service',
    install_requires=[
        'other>=9',
        "http-client==1.4",
    ],
)
"""


@pytest.mark.parametrize(
    ("manifest", "text", "required"),
    [
        ("requirements.txt", REQUIREMENTS, ">=1.2,<2"),
        ("requirements/base.txt", REQUIREMENTS, ">=1.2,<2"),
        ("requirements-dev.txt", "http-client==1.4.0 --hash=sha256:00\n", "==1.4.0"),
        ("notes/requirements.txt", REQUIREMENTS, None),
        ("words.txt", REQUIREMENTS, None),
        ("setup.cfg", SETUP_CFG, "~= 1.2"),
        ("setup.py", SETUP_PY, "==1.4"),
    ],
)
def test_what_is_required_is_known_from_older_manifests_too(
    tmp_path: Path, manifest: str, text: str, required: str | None
) -> None:
    one = uses(tmp_path, "http_client.Client", service={manifest: text, "use.py": CALLING})["service"]

    assert [use.certain for use in one.uses[0].uses] == [required is not None]
    assert f"{manifest} requires Http_Client {required}," in one.uses[0].uses[0].why or required is None


@pytest.mark.parametrize(
    "files",
    [
        {"setup.cfg": "[metadata]\nname = http-client\nversion = 1.4\n"},
        {"setup.py": "NAME = 'http-client'\nsetup(name=NAME, version='1.4')\n", "pyproject.toml": "[tool.x]\ny = 1\n"},
        {"setup.cfg": "[metadata\n", "setup.py": "setup(name='http-client', version='1.4')\n"},
    ],
)
def test_a_package_is_known_from_older_manifests_too(tmp_path: Path, files: dict[str, str]) -> None:
    code = {path: text for path, text in LIBRARY.items() if path.endswith(".py")}
    service = {"pyproject.toml": MANIFEST.format(wants=">=1.2"), "use.py": CALLING}
    graphs = [made(tmp_path, "library", {**code, **files}), made(tmp_path, "service", service)]
    with rpg.open(*graphs) as opened:
        _, one = opened.find_usages(symbol=["src/http_client/_core.py::Client"]).graphs

    assert [use.certain for use in one.uses[0].uses] == [True]


@pytest.mark.parametrize(("other", "is_certain"), [("None", True), ("make()", False)])
def test_a_name_that_may_hold_something_else_is_a_possible_use(tmp_path: Path, other: str, is_certain: bool) -> None:
    code = f"try:\n    from http_client import Client\nexcept ImportError:\n    Client = {other}\n\nClient()\n"

    one = uses(tmp_path, "Client", service={"pyproject.toml": MANIFEST.format(wants=""), "use.py": code})["service"]

    assert [use.certain for use in one.uses[0].uses if use.kind == "calls"] == [is_certain]


NPM = {
    "package.json": (
        '{"name": "@acme/http", "version": "2.3.0", "main": "index.js", "exports": {".": "./index.js",'
        ' "./client": {"types": "./dist/client.d.ts", "import": "./dist/client.js"}, "./old": "./old.js"}}'
    ),
    "index.js": "module.exports = require('./lib/make')\nmodule.exports.Router = require('./lib/router').Router\n",
    "lib/make.js": (
        "exports = module.exports = make\nfunction make () {}\nexports.again = again\nfunction again () {}\n"
    ),
    "lib/router.js": "class Router {\n  use () {}\n}\nclass Route {}\nmodule.exports = { Router, Route }\n",
    "src/client.ts": (
        "export * from './core'\nexport { type Options as Settings } from './core'\n"
        "import * as h from './core'\nexport { h }\n"
    ),
    "src/core.ts": (
        "export interface Options {}\nexport class Client {\n  get() {}\n}\nexport default function fetched() {}\n"
    ),
    "old.js": "exports.Router = function Router () {}\n",
}
NPM_SERVICE = '{"name": "shop", "dependencies": {"@acme/http": "^1.9.0 || ^2.1.0"}}'


@pytest.mark.invariant(
    "edges",
    "a use in another repository is followed from its import to the definition, and is certain only if "
    "both manifests agree",
)
@pytest.mark.parametrize(
    ("symbol", "code", "found"),
    [
        ("lib/make.js::make", "const make = require('@acme/http')\nmake()\n", ["1:22 imports", "2:1 calls"]),
        ("lib/make.js::make", "import make from '@acme/http'\nmake()\n", ["1:18 imports", "2:1 calls"]),
        ("lib/make.js::again", "require('@acme/http').again()\n", ["1:23 calls"]),
        (
            "lib/router.js::Router", "const { Router } = require('@acme/http')\nclass Own extends Router {}\n",
            ["2:19 inherits"],
        ),
        ("lib/router.js::Router", "const { Router } = require('@acme/http/old')\nnew Router()\n", []),
        ("lib/router.js::Router", "const { Router } = require('@acme/http2')\nnew Router()\n", []),
        ("lib/router.js::Router", "const http = require('@acme/http')\nfunction f (http) { new http.Router() }\n", []),
        ("lib/router.js::Route", "const http = require('@acme/http')\nnew http.Route()\n", []),
        (
            "src/core.ts::Client", "import { Client as C, h } from '@acme/http/client'\nnew C()\nnew h.Client()\n",
            ["1:32 imports", "2:5 calls", "3:7 calls"],
        ),
        (
            "src/core.ts::Options", "import type { Settings } from '@acme/http/client'\nlet a: Settings\n",
            ["1:31 imports", "2:8 references"],
        ),
        ("src/core.ts::fetched", "import it, { h } from '@acme/http/client'\nit()\nh.default()\n", ["3:3 calls"]),
        ("src/client.ts", "import '@acme/http/client'\n", ["1:8 imports"]),
        ("index.js", "const make = require('@acme/http')\nmake()\n", ["1:22 imports"]),
    ],
)  # fmt: skip
def test_names_of_npm_packages_are_followed_through_what_they_export(
    tmp_path: Path, symbol: str, code: str, found: list[str]
) -> None:
    suffix = "ts" if code.startswith("import") else "js"
    graphs = [
        made(tmp_path, "library", NPM), made(tmp_path, "shop", {"package.json": NPM_SERVICE, f"use.{suffix}": code}),
    ]  # fmt: skip
    with rpg.open(*graphs) as opened:
        _, shop = opened.find_usages(symbol=[symbol]).graphs

    assert [" ".join(each.split(":", 1)[1].split()[:2]) for each in sites(shop)] == found
    assert all(use.certain for each in shop.uses for use in each.uses)


@pytest.mark.invariant(
    "edges",
    "no construct makes the cost of resolution explode, nor that of following a name into another repository",
)
@pytest.mark.parametrize("suffix", ["js", "py"])
def test_a_hostile_package_or_service_costs_little(tmp_path: Path, suffix: str) -> None:
    """Chains of thousands of members, and modules that all export one another."""
    chain = ".a" * 3_000
    if suffix == "py":
        stars = "".join(f"from .m{number} import *\n" for number in range(40))
        library = {f"http_client/m{number}.py": stars for number in range(40)}
        library |= {
            "pyproject.toml": LIBRARY["pyproject.toml"],
            "http_client/__init__.py": stars,
            "http_client/z.py": "",
        }
        service = {"pyproject.toml": MANIFEST.format(wants=""), "use.py": f"import http_client\nhttp_client{chain}\n"}
        symbol = "http_client/z.py"
    else:
        stars = "".join(f"export * from './m{number}'\n" for number in range(40))
        library = {f"m{number}.ts": stars for number in range(40)} | {"z.ts": "export const z = 1\n"}
        library |= {"package.json": NPM["package.json"], "index.js": f"{stars}const q = 1\nexports.q = q{chain}\n"}
        library |= {"index.ts": stars}
        service = {"package.json": NPM_SERVICE, "use.js": f"const http = require('@acme/http')\nhttp.q\nhttp{chain}\n"}
        symbol = "z.ts"
    graphs = [made(tmp_path, "library", library), made(tmp_path, "service", service)]
    with rpg.open(*graphs) as opened:
        _, one = opened.find_usages(symbol=[symbol]).graphs

    assert sites(one) == []


GO = {
    "go.mod": "module example.org/acme/log/v2\n\ngo 1.22\n",
    "log.go": (
        "package log\n\ntype Logger struct{}\n\nfunc (l *Logger) Print() {}\n\n"
        "func New() *Logger { return &Logger{} }\n"
    ),
    "file_linux.go": "package log\n\nfunc Open() {}\n",
    "file_windows.go": "package log\n\nfunc Open() {}\n",
    "sinks/sinks.go": "package sinks\n\nfunc New() {}\n",
    "log_test.go": "package log\n\nfunc Helper() {}\n",
}
GO_CODE = """package shop

import (
	"example.org/acme/log/v2"
	other "example.org/acme/log/v2/sinks"
)

type Shop struct{ *log.Logger }

func Run(l log.Logger) {
	log.New()
	other.New()
	log.Open()
	(*log.Logger).Print(&l)
}

func Shadowed(log Shop) {
	log.New()
}

func (s Shop) New() {}
"""


@pytest.mark.invariant(
    "edges",
    "a use in another repository is followed from its import to the definition, and is certain only if "
    "both manifests agree",
)
@pytest.mark.parametrize(
    ("symbol", "required", "found"),
    [
        ("log.go::Logger", "v2.0.1", ["8:24 inherits", "10:16 references", "14:8 references"]),
        ("log.go::New", "v2.0.1", ["11:6 calls"]),
        ("log.go::Logger.Print", "v2.0.1", ["14:16 calls"]),
        ("sinks/sinks.go::New", "v2.0.1", ["12:8 calls"]),
        ("file_linux.go::Open", "v2.0.1", ["13:6 calls"]),
        ("log.go::New", "v1.4.0", ["11:6 possibly calls"]),
        ("log.go::New", "", ["11:6 possibly calls"]),
    ],
)
def test_names_of_go_modules_are_found_in_the_folder_of_their_package(
    tmp_path: Path, symbol: str, required: str, found: list[str]
) -> None:
    required = required and f"require example.org/acme/log/v2 {required}\n"
    shop = {"go.mod": f"module example.org/shop\n\ngo 1.22\n\n{required}", "use.go": GO_CODE}
    graphs = [made(tmp_path, "library", GO), made(tmp_path, "shop", shop)]
    with rpg.open(*graphs) as opened:
        _, one = opened.find_usages(symbol=[symbol]).graphs

    uses = [use for each in one.uses for use in each.uses]
    assert [f"{use.site} {'' if use.certain else 'possibly '}{use.kind}" for use in uses] == found


def test_several_services_are_one_call_and_the_text_says_which(tmp_path: Path) -> None:
    def service(name: str) -> dict[str, str]:
        return {"pyproject.toml": MANIFEST.format(wants=""), f"{name}.py": CALLING}

    graphs = [made(tmp_path, "library", LIBRARY), *(made(tmp_path, name, service(name)) for name in ("shop", "bank"))]
    with rpg.open(*graphs) as opened:
        text = TOOLS["find_usages"].text(opened.find_usages(symbol=["http_client.Client"], graph="all"))
        alone = TOOLS["find_usages"].text(opened.find_usages(symbol=["http_client.Client"], graph="library"))
        only_calls = opened.find_usages(symbol=["http_client.Client"], kinds=["inherits"])

    for name in ("shop", "bank"):
        used = rf"== graph {name}\nuses of src/http_client/_core.py::Client of graph library: 1 use\n"
        place = rf"-- via package: .*\n{name}.py\n  3:13  calls \(module\): http_client.Client\(\)"
        assert re.search(used + place, text)
    assert "shop" not in alone
    assert not any(each.uses for each in only_calls.graphs)


MONOREPO = {
    "package.json": '{"name": "root", "private": true, "workspaces": ["packages/*"]}',
    "packages/ui/package.json": '{"name": "@acme/ui", "version": "2.1.0", "dependencies": {"@acme/core": "^1.0.0"}}',
    "packages/ui/button.ts": "export function press() {\n  return 1\n}\n",
    "packages/core/package.json": '{"name": "@acme/core", "version": "1.3.0"}',
    "packages/core/button.ts": "export function press() {\n  return 2\n}\n",
    "services/go.mod": (
        "module example.org/acme/services\n\ngo 1.22\n\nrequire (\n\texample.org/x/log v1.2.3 // indirect\n)\n"
    ),
    "services/press.go": "package services\n\nfunc Press() {}\n",
    "crates/press/Cargo.toml": (
        '[package]\nname = "press-rs"\nversion = "0.3.1"\n\n[dependencies]\nserde = { version = "1" }\n'
    ),
    "crates/press/src/lib.rs": "pub fn press() {}\n",
    "java/pom.xml": (
        "<project><parent><groupId>org.acme</groupId><artifactId>parent</artifactId></parent>"
        "<groupId>org.acme</groupId><artifactId>press</artifactId><version>4.0</version><dependencies><dependency>"
        "<groupId>junit</groupId><artifactId>junit</artifactId><version>4.13</version></dependency></dependencies></project>"
    ),
    "java/Press.java": "class Press {\n  void press() {}\n}\n",
    "gradle/build.gradle": (
        "group = 'org.acme.tools'\nversion = '5.1'\ndependencies {\n  implementation 'com.x:y:1.0'\n}\n"
    ),
    "gradle/Press.java": "class Other {\n  void press() {}\n}\n",
    "py/pyproject.toml": '[project]\nname = "acme-press"\nversion = "6.0"\ndependencies = ["requests>=2"]\n',
    "py/press.py": "def press():\n    pass\n",
    "broken/package.json": "{",
    "broken/pyproject.toml": "[project",
}  # fmt: skip


@pytest.fixture(scope="module")
def monorepo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("monorepo"), "monorepo", MONOREPO)


def test_manifests_of_every_kind_are_known(monorepo: Path) -> None:
    index = Index.open_read_only(monorepo.with_name("monorepo.graph.db"))
    known = {each.name: (each.folder, each.version, dict(each.requires)) for each in packages(index)}
    index.close()

    assert known == {
        "root": ("", "", {}),
        "@acme/ui": ("packages/ui/", "2.1.0", {"@acme/core": "^1.0.0"}),
        "@acme/core": ("packages/core/", "1.3.0", {}),
        "example.org/acme/services": ("services/", "", {"example.org/x/log": "v1.2.3"}),
        "press-rs": ("crates/press/", "0.3.1", {"serde": "1"}),
        "org.acme:press": ("java/", "4.0", {"junit:junit": "4.13"}),
        "org.acme.tools": ("gradle/", "5.1", {"com.x:y": "1.0"}),
        "acme-press": ("py/", "6.0", {"requests": ">=2"}),
    }


@pytest.mark.parametrize(
    ("package", "folder"),
    [
        ("@acme/ui", "packages/ui/"), ("example.org/acme/services", "services/"), ("press_rs", "crates/press/"),
        ("org.acme:press", "java/"), ("acme-press", "py/"), ("packages/core", "packages/core/"),
        ("core", "packages/core/"),
    ],
)  # fmt: skip
def test_package_filters_by_the_name_in_a_manifest(monorepo: Path, package: str, folder: str) -> None:
    with rpg.open(monorepo) as opened:
        by_name = opened.search(query="press", mode="symbol", package=package)
        by_text = opened.search(query="ress", mode="text", package=package)
        listed = opened.search(kinds=["function", "method", "class"], package=package)

    for found in (by_name.hits, by_text.texts, listed.hits):
        assert found
        assert {hit.path for hit in found} == {hit.path for hit in found if hit.path.startswith(folder)}


def test_packages_are_listed_with_the_rest_of_what_is_known(monorepo: Path) -> None:
    with rpg.open(monorepo) as opened:
        text = TOOLS["stats"].text(opened.stats())

    assert "packages: root (./), press-rs (crates/press/ 0.3.1), org.acme.tools (gradle/ 5.1)," in text


@pytest.mark.parametrize(
    ("version", "required", "expected"),
    [
        ("1.4.2", ">=1.2,<2", True), ("2.0", ">=1.2,<2", False), ("1.4", "~=1.2", True), ("2.0", "~=1.2", False),
        ("1.2.9", "~=1.2.3", True), ("1.3", "~=1.2.3", False), ("1.9", "^1.2", True), ("2.0", "^1.2", False),
        ("0.3.1", "^0.3.0", True), ("0.4.0", "^0.3.0", False), ("1.4", "==1.*", True), ("1.4", "!=1.4", False),
        ("", ">=1", None), ("1.4", "", True), ("1.4", "*", True), ("1.4", "latest", None),
        ("8.5.0.dev", ">=8.1.3", True),
        ("1.2.3", "1.2.3", True), ("1.2.3", "~1.2", True), ("1.3.0", "~1.2", False), ("v1.2.3", "v1.2.3", True),
    ],
)  # fmt: skip
def test_versions_agree_as_registries_read_them(version: str, required: str, expected: bool | None) -> None:
    assert agrees(version, required) is expected
