"""Where names of modules lead, in repositories that are written down as file names and configurations."""

from __future__ import annotations

import pytest

from rpg.encoder.languages.ecmascript import Rules as EcmaScript
from rpg.encoder.languages.go import Rules as Go
from rpg.encoder.languages.python import Rules as Python


class Files:
    """A repository in memory: contents of configurations, and names of sources."""

    roots = ("",)

    def __init__(self, sources: str, **configurations: str) -> None:
        self.sources = sorted(sources.split())
        self.configurations = {name: text.encode() for name, text in configurations.items()}

    def exists(self, path: str) -> bool:
        return path in self.sources

    def paths(self) -> list[str]:
        return self.sources

    def read(self, path: str) -> bytes:
        return self.configurations.get(path, b"")


@pytest.mark.parametrize(
    ("sources", "importer", "module", "found"),
    [
        ("src/a.ts src/b.ts", "src/a.ts", "./b", "src/b.ts"),
        ("src/a.ts src/b.ts", "src/a.ts", "./b.js", "src/b.ts"),
        ("src/a.ts src/b.ts src/b.js", "src/a.ts", "./b.js", "src/b.ts"),
        ("src/a.js src/b.js src/b.d.ts", "src/a.js", "./b", "src/b.js src/b.d.ts"),
        ("src/a.ts src/b.d.ts", "src/a.ts", "./b", "src/b.d.ts"),
        ("src/a.ts src/b.mts", "src/a.ts", "./b.mjs", "src/b.mts"),
        ("src/a.ts src/b/index.tsx", "src/a.ts", "./b", "src/b/index.tsx"),
        ("src/a.ts index.ts", "src/a.ts", "..", "index.ts"),
        ("src/a/c.ts src/b.jsx", "src/a/c.ts", "../b?raw", "src/b.jsx"),
        ("a.ts b.native.ts b.web.ts", "a.ts", "./b", "b.native.ts b.web.ts"),
        ("a.ts b.test.ts", "a.ts", "./b.test", "b.test.ts"),
        ("a.ts", "a.ts", "./gone", ""),
        ("a.ts", "a.ts", "../../outside", ""),
        ("src/app/a.ts src/lib/b.ts", "src/app/a.ts", "@/lib/b", "src/lib/b.ts"),
    ],
)
def test_files_are_found_as_node_and_typescript_find_them(sources: str, importer: str, module: str, found: str) -> None:
    assert EcmaScript(Files(sources)).module(importer, module, 0) == tuple(found.split())


@pytest.mark.parametrize("module", ["react", "node:fs", "@scope/library/part", "https://example.com/a.js"])
def test_what_the_repository_does_not_have_is_a_library(module: str) -> None:
    assert EcmaScript(Files("a.ts")).module("a.ts", module, 0) is None


def test_a_file_that_is_not_source_is_outside_of_the_graph() -> None:
    rules = EcmaScript(Files("a.ts", **{"logo.svg": "<svg/>"}))
    assert rules.module("a.ts", "./logo.svg", 0) is None
    assert rules.module("a.ts", "./gone.svg", 0) == ()


TSCONFIG = """{
  // Comments and trailing commas are allowed.
  "extends": "./base", /* so are these */
  "compilerOptions": { "paths": { "@app/*": ["app/*", "fallback/*"], "exact": ["app/exact.ts"], }, },
}"""


def test_paths_of_tsconfig_are_followed_through_extends() -> None:
    files = Files(
        "web/src/app/a.ts web/src/app/exact.ts web/src/fallback/b.ts web/src/bare.ts other/c.ts",
        **{"web/tsconfig.json": TSCONFIG, "web/base.json": '{"compilerOptions": {"baseUrl": "src"}}'},
    )
    rules = EcmaScript(files)
    assert rules.module("web/src/app/a.ts", "@app/exact", 0) == ("web/src/app/exact.ts",)
    assert rules.module("web/src/app/a.ts", "@app/b", 0) == ("web/src/fallback/b.ts",)
    assert rules.module("web/src/app/a.ts", "exact", 0) == ("web/src/app/exact.ts",)
    assert rules.module("web/src/app/a.ts", "bare", 0) == ("web/src/bare.ts",)
    assert rules.module("other/c.ts", "@app/b", 0) is None


def test_packages_of_the_workspace_lead_to_their_sources() -> None:
    files = Files(
        "packages/core/src/index.ts packages/core/src/deep/part.ts packages/core/src/hidden.ts app/main.ts",
        **{
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/core/package.json": """{
              "name": "@shop/core",
              "main": "./dist/index.js",
              "exports": {
                ".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"},
                "./*": {"default": "./dist/deep/*.js"}
              },
              "imports": {"#hidden": "./dist/hidden.js"}
            }""",
        },
    )
    rules = EcmaScript(files)
    assert rules.module("app/main.ts", "@shop/core", 0) == ("packages/core/src/index.ts",)
    assert rules.module("app/main.ts", "@shop/core/part", 0) == ("packages/core/src/deep/part.ts",)
    assert rules.module("packages/core/src/index.ts", "@shop/core/part", 0) == ("packages/core/src/deep/part.ts",)
    assert rules.module("packages/core/src/index.ts", "#hidden", 0) == ("packages/core/src/hidden.ts",)
    assert rules.module("app/main.ts", "@shop/core/gone", 0) == ()
    assert rules.module("app/main.ts", "@shop/other", 0) is None


def test_a_package_that_a_fixture_copies_does_not_answer_for_the_workspace() -> None:
    manifest = '{"name": "shop"}'
    files = Files(
        "a/fixture/index.ts packages/shop/index.ts main.ts",
        **{
            "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n",
            "a/fixture/package.json": manifest,
            "packages/shop/package.json": manifest,
        },
    )
    assert EcmaScript(files).module("main.ts", "shop", 0) == ("packages/shop/index.ts",)


def test_the_output_folder_of_a_tsconfig_stands_for_its_sources() -> None:
    files = Files(
        "lib/code/index.ts main.ts",
        **{
            "lib/package.json": '{"name": "lib", "main": "compiled/index.js"}',
            "lib/tsconfig.json": '{"compilerOptions": {"outDir": "compiled", "rootDir": "code"}}',
        },
    )
    assert EcmaScript(files).module("main.ts", "lib", 0) == ("lib/code/index.ts",)


def test_broken_configurations_are_as_none() -> None:
    files = Files("a.ts b.ts", **{"tsconfig.json": "{", "package.json": '["no object"]'})
    assert EcmaScript(files).module("a.ts", "./b", 0) == ("b.ts",)


GO_MOD = """module example.com/shop // the shop

replace (
\texample.com/tax v1.2.0 => ./third/tax
\texample.com/far => ../far
)
"""


def test_import_paths_lead_to_folders_of_modules() -> None:
    files = Files(
        "main.go cart/cart.go tools/gen/gen.go third/tax/tax.go",
        **{
            "go.mod": GO_MOD,
            "tools/go.mod": "module example.com/shop/tools\n",
            "third/tax/go.mod": "module other.org/tax\n",
        },
    )
    rules = Go(files)
    assert rules.module("cart/cart.go", "example.com/shop", 0) == ("./",)
    assert rules.module("main.go", "example.com/shop/cart", 0) == ("cart/",)
    assert rules.module("main.go", "example.com/shop/tools/gen", 0) == ("tools/gen/",)
    assert rules.module("main.go", "example.com/tax", 0) == ("third/tax/",)
    assert rules.module("main.go", "example.com/shop/gone", 0) == ()
    assert rules.module("main.go", "example.com/far", 0) is None
    assert rules.module("main.go", "fmt", 0) is None


def test_what_is_called_a_test_depends_on_the_language() -> None:
    assert EcmaScript.is_test("lib/cart_spec.js")
    assert EcmaScript.is_test("lib/cart.spec.ts")
    assert not Python.is_test("lib/argument_spec.py")
    assert not Go.is_test("api/openapi_spec.go")
    assert all(rules.is_test("lib/cart_test.x") for rules in (EcmaScript, Go, Python))
