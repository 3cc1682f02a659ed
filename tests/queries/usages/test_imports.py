"""Which symbol an import is a use of: the one that it brings, and no namesake."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, lines_left, usages

TYPESCRIPT: dict[str, str | bytes] = {
    "a.ts": "function atom() { return 1 }\nclass Box { close() { return 2 } }\nexport { other as atom } from './b'\n"
    "export const x = new Box().close() + atom()\nexport function close() { return 1 }\n",
    "b.ts": "export function other() { return 3 }\nexport function loose() { return 3 }\n",
    "c.ts": "import { atom, close } from './a'\nimport { loose as close2, other as inner } from './b'\n"
    "export const y = atom() + close() + close2() + inner()\n",
    "e.ts": "export { loose as shown, other as loose } from './b'\n",
    "h.ts": "import { shown, loose } from './e'\nshown()\nloose()\n",
    "f.ts": "import { loose } from './b'\nfunction local() { return 1 }\nfunction whole() { return 1 }\n"
    "function spare(): number { return 1 }\nexport { local as exported, loose as passed }\nexport default whole\n",
    "g.ts": "import { exported as local, passed as spare } from './f'\nlocal()\nspare()\nexport { spare }\n",
}
PYTHON: dict[str, str | bytes] = {
    "p.py": "from q import thing as other, more\n\n\nclass K:\n    def more(self): ...\n",
    "q.py": "def thing(): ...\n\n\ndef other(): ...\n\n\ndef more(): ...\n",
    "r.py": "from p import other, more\nfrom q import (\n    thing as last,\n    other as thing,\n    more)\n",
}
JAVASCRIPT: dict[str, str | bytes] = {
    "c.js": "exports.shut = function () {}\nclass K { shut() {} }\n",
    "d.js": "const { shut } = require('./c')\nshut()\n",
}
RUST: dict[str, str | bytes] = {
    "lib.rs": "mod s;\nmod t;\n",
    "s.rs": "pub mod inner { pub fn total() {} }\npub struct Sum;\nimpl Sum { pub fn total(&self) {} }\n",
    "t.rs": "use crate::s::inner::{total as sum};\nuse crate::s::inner::{deep::{x}, total};\n"
    "fn f() { total(); sum() }\n",
}


@pytest.mark.parametrize(
    ("files", "symbol", "imports"),
    [
        (TYPESCRIPT, "a.ts::atom", []),
        (TYPESCRIPT, "a.ts::close", ["c.ts:1"]),
        (TYPESCRIPT, "a.ts::Box.close", []),
        (TYPESCRIPT, "b.ts::other", ["a.ts:3", "c.ts:2", "e.ts:1"]),
        (TYPESCRIPT, "b.ts::loose", ["c.ts:2", "e.ts:1", "f.ts:1"]),
        (PYTHON, "q.py::thing", ["p.py:1", "r.py:3"]),
        (PYTHON, "q.py::other", ["r.py:4"]),
        (PYTHON, "q.py::more", ["p.py:1", "r.py:1", "r.py:5"]),
        (PYTHON, "p.py::K.more", []),
        (JAVASCRIPT, "c.js::shut", ["d.js:1"]),
        (JAVASCRIPT, "c.js::K.shut", []),
        (RUST, "s.rs::inner.total", ["t.rs:1", "t.rs:2"]),
        (RUST, "s.rs::Sum.total", []),
    ],
)
def test_an_import_is_a_use_of_what_it_brings_and_of_no_namesake(
    files: dict[str, str | bytes], symbol: str, imports: list[str], tmp_path: Path
) -> None:
    (found,) = usages(encoded(tmp_path, files), symbol).symbols

    assert [each.rpartition(":")[0] for each in found.imported] == imports


@pytest.mark.parametrize(
    ("symbol", "certain"),
    [
        ("f.ts::local", 2),  # called, and in a list, under another name for others
        ("f.ts::whole", 1),  # as the default
        ("f.ts::spare", 0),  # the export of g.ts is of what that imports
        ("b.ts::loose", 4),  # imported and exported again
    ],
)
def test_a_name_in_a_list_of_exports_is_the_symbol_that_the_file_means_by_it(
    symbol: str, certain: int, tmp_path: Path
) -> None:
    (found,) = usages(encoded(tmp_path, TYPESCRIPT), symbol).symbols

    assert found.account.get("certain", 0) == certain


LOADED: dict[str, str | bytes] = {
    "app.tsx": """\
import { lazy } from 'react'
const A = lazy(() => import('./shown'))
function again(load) { return lazy(load) }
const B = again(() => import(/* webpackChunkName: "x" */ './kept'))
const C = again(() => import('./named').then(m => ({ default: m.Named })))
const routes = [{ lazy: () => import('./route') }]
export async function start() {
  await import('./run')
  const { default: one } = await import('./one')
  return [one(), (await import('./two')).two()]
}
""",
    **{
        f"{name}.tsx": f"export default function {name}Page() {{}}\nexport function {name}Other() {{}}\n"
        for name in ("shown", "kept", "named", "route", "run", "one", "two")
    },
}


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("shownPage", []),  # the default export is what is wanted
        ("shownOther", []),
        ("keptPage", ["app.tsx:4"]),
        ("keptOther", ["app.tsx:4"]),
        ("namedPage", []),  # one member is taken
        ("routePage", ["app.tsx:6"]),
        ("routeOther", ["app.tsx:6"]),
        ("runOther", []),  # it is run, and nothing of it is handed on
        ("onePage", []),
        ("twoOther", []),
    ],
)
def test_all_that_a_module_offers_may_be_used_where_it_is_handed_on_as_a_whole(
    symbol: str, lines: list[str], tmp_path: Path
) -> None:
    (found,) = usages(encoded(tmp_path, LOADED), symbol).symbols

    assert lines_left(found) == lines
    assert found.complete == (not lines)
