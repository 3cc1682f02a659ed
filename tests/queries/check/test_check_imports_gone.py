"""Imports of libraries that an edit removes, whose names the file still reads."""

from __future__ import annotations

import pytest
from checking import Checked, line_of

PYTHON = """\
import os
import json as coder
from typing import Optional
from shop.rates import rate

try:
    import yaml
except ImportError:
    yaml = None


def save(path: Optional[str]) -> str:
    import shutil

    name = os.fspath(path)
    shutil.copy(name, "x")
    return os.path.join(name, coder.dumps(rate()))  # os and json


def load():
    return yaml.load("re")
"""
SETTINGS = """\
from shop.base import *
import re


def find(text):
    return re.match("x", text)
"""
TYPESCRIPT = """\
import fs, { readFileSync as read } from 'fs';
import type { Router } from 'express';
import * as React from 'react';
import { URL } from 'url';
import { expect } from 'vitest';

export function load(request: Router, node: React.ReactNode): string {
  expect(node);
  const text = read(request.path, new URL('x'));
  return fs.existsSync(text) ? text : 'fs.existsSync';
}

export function again(read: string) {
  return read;
}
"""
GO = """\
package shop

import (
	"fmt"
	str "strings"
)

func Show(name string) string {
	if str.Contains(name, "fmt") {
		return fmt.Sprint(name)
	}
	return fmt.Sprintf("%s", str.TrimSpace(name))
}
"""
JAVA = """\
package shop;

import java.util.List;
import java.util.Map;
import java.lang.String;
import static java.util.Objects.requireNonNull;

class Till {
    private final Map<String, Integer> prices = Map.of();

    List<String> names(List<String> all) {
        return requireNonNull(all);
    }
}
"""
RUST = """\
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read as Reader};
use std::vec::Vec;
use log::info;

pub struct Till {
    prices: HashMap<String, u32>,
}

impl fmt::Display for Till {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "till")
    }
}

pub fn read(from: impl Reader) -> io::Result<Vec<u8>> {
    info!("reads");
    let known: HashMap<u8, u8> = HashMap::new();
    Ok(Vec::new())
}

mod tests {
    use super::*;

    fn till() -> HashMap<String, u32> {
        HashMap::new()
    }
}
"""
KOTLIN = """\
package shop

import java.io.File
import kotlin.collections.List
import org.lib.round

class Drawer {
    fun read(path: String): List<String> = File(path).readLines()

    fun rounded(price: Double) = round(price)
}

class Sale : Base() {
    fun rounded(price: Double) = round(price)
}
"""
DART = """\
import 'dart:io';
import 'package:path/path.dart' as p;

String name(String path) => p.basename(path);
"""
CSHARP = """\
using System.Text;

namespace Shop;

class Note
{
    StringBuilder builder = new StringBuilder();
}
"""
FILES = {
    "shop/where.py": "from certifi import where\n\nprint(where())\n",
    "web/page.js": "import $ from 'jquery';\n\n$('p').hide();\n",
    "shop/__init__.py": "",
    "shop/base.py": "from re import *\n",
    "shop/rates.py": "def rate():\n    return 1\n",
    "shop/till.py": PYTHON,
    "shop/settings.py": SETTINGS,
    "web/load.ts": TYPESCRIPT,
    "go.mod": "module example.com/shop\n",
    "go/show.go": GO,
    "go/other.go": "package shop\n\nfunc Other() {}\n",
    "java/shop/Till.java": JAVA,
    "Cargo.toml": '[package]\nname = "shop"\nversion = "1.0.0"\n',
    "src/lib.rs": RUST,
    "kotlin/shop/Drawer.kt": KOTLIN,
    "lib/name.dart": DART,
    "cs/Note.cs": CSHARP,
}
TILL, LOAD, SHOW, JAVA_TILL = "shop/till.py", "web/load.ts", "go/show.go", "java/shop/Till.java"
BREAKS = [
    (TILL, "import os\n", "", ["shop/till.py:14 gone: `os` is not imported any more"]),
    (TILL, "import json as coder\n", "import json\n", ["shop/till.py:17 gone: `coder` is not imported any more"]),
    (TILL, "import Optional", "import Any", ["shop/till.py:12 gone: `Optional` is not imported any more"]),
    (TILL, "    import shutil\n\n", "", ["shop/till.py:14 gone: `shutil` is not imported any more"]),
    (
        TILL,
        "try:\n    import yaml\nexcept ImportError:\n    yaml = None\n",
        "",
        ["shop/till.py:17 gone: `yaml` is not imported any more"],
    ),
    (
        "shop/where.py",
        "from certifi import where\n",
        "",
        ["shop/where.py:2 gone: `where` is not imported any more"],
    ),
    ("web/page.js", "import $ from 'jquery';\n", "", ["web/page.js:2 gone: `$` is not imported any more?"]),
    (LOAD, "import fs, {", "import {", ["web/load.ts:10 gone: `fs` is not imported any more"]),
    (LOAD, "readFileSync as read", "readFileSync", ["web/load.ts:9 gone: `read` is not imported any more"]),
    (LOAD, "import type { Router } from 'express';\n", "", ["web/load.ts:6 gone: `Router` is not imported any more"]),
    (SHOW, '\t"fmt"\n', "", ["go/show.go:9 gone: `fmt` is not imported any more"]),
    (SHOW, "str ", "", ["go/show.go:9 gone: `str` is not imported any more"]),
    (JAVA_TILL, "import java.util.Map;\n", "", ["java/shop/Till.java:8 gone: `Map` is not imported any more"]),
    (
        JAVA_TILL,
        "import static java.util.Objects.requireNonNull;\n",
        "",
        ["java/shop/Till.java:11 gone: `requireNonNull` is not imported any more"],
    ),
    ("src/lib.rs", "use std::collections::HashMap;\n", "", ["src/lib.rs:7 gone: `HashMap` is not imported any more"]),
    ("src/lib.rs", "use std::fmt;\n", "", ["src/lib.rs:10 gone: `fmt` is not imported any more"]),
    ("src/lib.rs", "io::{self, Read", "io::{Read", ["src/lib.rs:17 gone: `io` is not imported any more"]),
    ("src/lib.rs", "use log::info;\n", "", ["src/lib.rs:17 gone: `info` is not imported any more?"]),
    (
        "kotlin/shop/Drawer.kt",
        "import java.io.File\n",
        "",
        ["kotlin/shop/Drawer.kt:7 gone: `File` is not imported any more"],
    ),
    (
        "kotlin/shop/Drawer.kt",
        "import org.lib.round\n",
        "",
        ["kotlin/shop/Drawer.kt:9 gone: `round` is not imported any more"],
    ),
    ("lib/name.dart", " as p", "", ["lib/name.dart:4 gone: `p` is not imported any more"]),
]
BREAKS_NOTHING = [
    (TILL, "import os\n", "import posix as os\n"),
    (TILL, "import json as coder\n", "from shop import coder\n"),
    (TILL, "import os\nimport json as coder\n", "import json as coder\nimport os\n"),
    (TILL, "    import yaml\n", "    import tomllib\n"),  # bound behind `except` still
    ("shop/settings.py", "import re\n", ""),  # the star may bring it
    (LOAD, "import { URL } from 'url';\n", ""),
    (LOAD, "import { expect } from 'vitest';\n", ""),
    (LOAD, "import * as React from 'react';\n", ""),  # a type of the global namespace
    (SHOW, '\t"fmt"\n', '\t"example.org/go-text"\n'),  # a package may have another name than its folder
    (SHOW, '\t"fmt"\n', '\t. "fmt"\n'),
    (JAVA_TILL, "import java.lang.String;\n", ""),
    (JAVA_TILL, "import java.util.Map;\n", "import java.util.*;\n"),
    (JAVA_TILL, "import java.util.List;\nimport java.util.Map;\n", "import java.util.*;\n"),
    ("src/lib.rs", "use std::vec::Vec;\n", ""),
    ("src/lib.rs", "use std::fmt;\n", "use core::fmt;\n"),
    ("kotlin/shop/Drawer.kt", "import kotlin.collections.List\n", ""),
    ("lib/name.dart", "import 'dart:io';\n", ""),
    ("cs/Note.cs", "using System.Text;\n", ""),  # a project may import it for all files
]


@pytest.mark.parametrize(("path", "old", "new", "said"), BREAKS)
def test_a_name_that_is_read_still_is_told_once(shop: Checked, path: str, old: str, new: str, said: list[str]) -> None:
    assert shop.broken(shop.changed(path, old, new)) == said


@pytest.mark.parametrize(("path", "old", "new"), BREAKS_NOTHING)
def test_what_still_has_a_meaning_is_not_told(shop: Checked, path: str, old: str, new: str) -> None:
    assert [each for each in shop.broken(shop.changed(path, old, new)) if "not imported" in each] == []


def test_other_uses_are_counted(shop: Checked) -> None:
    edits = shop.changed("src/lib.rs", "use std::collections::HashMap;\n", "")
    found = shop.answer(edits).broken
    assert [(line_of(each), each.follows) for each in found] == [
        ("src/lib.rs:7 gone: `HashMap` is not imported any more", 4)
    ]
    assert "src/lib.rs:7 and 4 uses of it" in shop.text(edits)


def test_a_name_that_is_nowhere_read_is_not_missed(shop: Checked) -> None:
    text = PYTHON.replace("import os\n", "").replace("os.fspath(path)", '"os"').replace("os.path.join(", "str(")
    assert shop.broken({TILL: text}) == []


def test_a_name_that_was_unknown_before_is_not_told_because_another_place_imported_it(shop: Checked) -> None:
    text = PYTHON + "\n\ndef copied():\n    return shutil.copy\n"
    assert shop.broken({TILL: text}) == ["shop/till.py:25 unknown: `shutil` is not defined?"]


def test_a_use_in_an_edited_line_is_told_once(shop: Checked) -> None:
    text = PYTHON.replace("import os\n", "").replace("os.fspath(path)", "os.fsdecode(path)")
    assert shop.broken({TILL: text}) == ["shop/till.py:14 gone: `os` is not imported any more"]


def test_a_module_of_the_repository_is_told_by_its_uses(shop: Checked) -> None:
    said = shop.broken(shop.changed(TILL, "from shop.rates import rate\n", ""))
    assert len(said) == 1
    assert said[0].startswith("shop/till.py:16 ")


def test_a_mate_of_the_package_that_has_the_name_now_is_meant(shop: Checked) -> None:
    edits = shop.changed(SHOW, '\t"fmt"\n', "")
    mate = {"go/other.go": "package shop\n\ntype printer struct{}\n\nvar fmt = printer{}\n"}
    assert not any("not imported" in each for each in shop.broken({**edits, **mate}))
