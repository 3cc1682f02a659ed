"""The account of a list of uses: its numbers are those of git grep, and "complete" follows from them alone."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from accounts import commit, encoded, lines_left, usages
from repositories import write

import rpg
from rpg.encoder.languages import find_language
from rpg.encoder.parsing.packing import Places, pack
from rpg.encoder.parsing.parse import parse
from rpg.queries.account.literals import Literals, names_in
from rpg.queries.account.occurrences import count_occurrences, find_words, pattern_of
from rpg.queries.account.places import CLASSES
from rpg.queries.account.unread import find_files
from rpg.tools import TOOLS

FIXTURES = Path(__file__).parents[3] / "fixtures"
LANGUAGES = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
NAMES = 40
"""How many names of each language's fixtures are counted."""


def count_words(root: Path, name: str) -> int:
    """The lines of `git grep -ow`."""
    found = subprocess.run(["git", "grep", "-I", "-owF", "-e", name], cwd=root, check=False, capture_output=True).stdout
    return found.count(b"\n")


@pytest.mark.invariant(
    "answers",
    "every list of uses ends in an account of its name, whose numbers are those of `git grep -ow`; "
    "whether it is complete follows from the places that are left",
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_of_an_account_add_up_to_what_git_grep_finds(language: str, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    shutil.copytree(FIXTURES / language, root)
    commit(root)
    rpg.encode(root, output=str(tmp_path / "made.graph.json"))
    accounts = 0
    nodes = json.loads((tmp_path / "made.graph.json").read_bytes())["nodes"]
    with rpg.open(tmp_path / "made.graph.json") as graph:
        names = sorted({node["name"] for node in nodes if "name_line" in node and re.fullmatch(r"\w+", node["name"])})
        for name in random.Random(7).sample(names, min(NAMES, len(names))):
            try:
                found = graph.find_usages(symbol=[name])
            except rpg.errors.RpgError:
                continue
            for each in found.symbols:
                if each.account:
                    word = re.sub(r"~\d+$", "", each.symbol.rpartition("::")[2]).rpartition(".")[2]
                    assert set(each.account) <= set(CLASSES)
                    assert sum(each.account.values()) == count_words(root, word), each
                    accounts += 1
    assert accounts or not names


FILES: dict[str, str | bytes] = {
    "till.py": "class Till:\n    def close(self):\n        '''Will close it.'''\n\n\n"
    "def shut(till: Till):\n    till.close()\n",
    "door.py": "class Door:\n    def close(self): ...\n\n\ndef slam(door: Door):\n    door.close()  # close it\n",
    "other.py": "import socket\n\n\ndef drop(anything, close):\n    anything.close()\n"
    "    return close, socket.socket().close()\n",
    "names.py": "NAMES = ['Till#close', 'please close']\n",
    "README.md": "How to close it.\n",
    "uv.lock": "close = 1\n",
}


def test_each_place_is_in_one_class(tmp_path: Path) -> None:
    root = encoded(tmp_path, FILES)

    (found,) = usages(root, "Till.close").symbols

    assert found.account == {
        "definition": 1,
        "certain": 1,
        "other_definition": 2,
        "library_or_local": 3,
        "unresolved": 1,
        "string_or_template": 1,
        "comment_or_prose": 4,
        "not_read": 1,
    }
    assert sum(found.account.values()) == count_words(root, "close")
    assert not found.complete
    assert [(each.site, each.reason) for each in found.left] == [("names.py:1:16", "named in a string")]
    assert TOOLS["find_usages"].text(usages(root, "Till.close")).splitlines()[-1] == (
        "git grep -ow close finds 14 places: 2 here, 2 are 1 other definition's, 3 of libraries or local, "
        "1 unresolved, 5 in strings, comments and text (1 may mean it), 1 in files left out"
    )


def test_an_account_names_the_command_that_finds_its_places_only_where_there_is_git(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"till.py": "def open_till(): ...\n\n\nopen_till()\n"}
    with_git = usages(encoded(tmp_path / "with", files), "open_till")
    rpg.encode(write(tmp_path / "shop", files), output=str(tmp_path / "made.graph.json"))
    without = usages(tmp_path / "shop", "open_till")

    assert TOOLS["find_usages"].text(without).splitlines()[-1] == "2 places with the word open_till: 2 here"
    assert TOOLS["find_usages"].text(with_git).splitlines()[-1] == "git grep -ow open_till finds 2 places: 2 here"


@pytest.mark.invariant(
    "answers",
    "every list of uses ends in an account of its name, whose numbers are those of `git grep -ow`; "
    "whether it is complete follows from the places that are left",
)
@pytest.mark.parametrize(
    ("path", "text", "is_complete"),
    [
        ("names.py", "NAMES = ['till.open_till']\n", True),  # it is an edge
        ("names.py", "NAMES = ['x/till#open_till']\n", False),
        ("names.py", "NAMES = ['open_till']\n", False),
        ("names.py", "__all__ = ['open_till']\n", True),
        ("names.py", "from till import open_till\n\n__all__ = [\n    'other',\n    'open_till',\n]\n", True),
        ("names.py", "__all__ = ['open_till']\nX = 'open_till'\n", False),
        ("names.py", "__all_names__ = ['open_till']\n", False),
        ("names.py", "NAMES = {'open_till': 1}\n", True),
        ("names.py", "def f(kind):\n    return kind == 'open_till'\n", True),
        ("names.py", "NAMES = ['how to open_till it']\n", True),
        ("names.py", "NAMES = ['other.open_till']\n", True),
        ("names.py", "NAMES = ['sources/open_till']\n", True),
        ("names.py", "def f(open_till):\n    return open_till\n", True),
        ("names.py", "# open_till(1)\n", True),
        ("names.rs", "macro_rules! m { () => {} }\n", True),
        ("page.jinja", "<p>{{ open_till }}</p>\n", False),
        ("notes.md", "Use open_till.\n", True),
        ("page.html", "<a href=\"{{ url_for('till.open_till') }}\">x</a>\n", False),
        ("page.html", "<a href=\"{{ url_for('other.open_till') }}\">x</a>\n", True),
        ("page.html", "<a href='/x' title='open_till it'>x</a>\n", True),
        ("page.html", "<p>{{ open_till }}</p>\n", False),
        ("page.html", '<b (click)="open_till()">x</b>\n', False),
        ("page.html", '<b (keyup.enter)="open_till(); stop()">x</b>\n', False),
        ("names.py", "from flask import url_for\n\n\ndef go():\n    return url_for('till.open_till')\n", True),
        (
            "names.py",
            "from flask import url_for\n\n\ndef go():\n    return url_for('home.till.open_till', id=1)\n",
            False,
        ),
    ],
)
def test_what_plainly_cannot_mean_a_symbol_leaves_its_list_complete(
    tmp_path: Path, path: str, text: str, is_complete: bool
) -> None:
    root = encoded(tmp_path, {"till.py": "def open_till(): ...\n\n\nopen_till()\n", path: text})

    (found,) = usages(root, "till.py::open_till").symbols

    assert found.complete == is_complete


def test_a_use_that_no_parser_sees_is_listed(tmp_path: Path) -> None:
    source = "pub struct Till;\nimpl Till {\n    pub fn open_till(&self) {}\n}\n"
    source += "unknown! { fn run(till: Till) { till.open_till() => ] } }\n"
    root = encoded(tmp_path, {"Cargo.toml": '[package]\nname = "till"\n', "src/lib.rs": source})

    (found,) = usages(root, "Till.open_till").symbols

    assert not found.complete
    assert sum(found.account.values()) == 2
    assert found.left or found.unresolved or found.possible


def test_a_type_in_an_attribute_that_no_parser_sees_leaves_its_list_incomplete(tmp_path: Path) -> None:
    source = "pub enum Till { Open }\npub struct Args {\n    #[arg(\n        default_value_t = {},\n    )]\n"
    source += "    pub till: u8,\n}\n"
    cargo = {"Cargo.toml": '[package]\nname = "till"\n'}
    used = encoded(tmp_path / "used", {**cargo, "src/lib.rs": source.replace("{}", "Till::Open")})
    near = encoded(tmp_path / "near", {**cargo, "src/lib.rs": source.replace("{}", "Tills::Open")})

    (in_used,), (in_near,) = usages(used, "Till").symbols, usages(near, "Till").symbols

    assert (in_used.account, in_used.complete) == ({"definition": 1, "unresolved": 1}, False)
    assert (in_near.account, in_near.complete) == ({"definition": 1}, True)


@pytest.mark.parametrize(
    ("member", "use", "is_complete"),
    [
        ("void IDisposable.Dispose() { }", "static void F(IDisposable d) { d.Dispose(); }", False),
        ("int IReadOnlyCollection<int>.Count => 1;", "static int F(IReadOnlyCollection<int> c) => c.Count;", False),
        ("public int Count => 1;", "static int F(List<int> c) => c.Count;", True),
    ],
)
def test_what_implements_an_interface_of_a_library_by_its_name_may_be_used_through_it(
    tmp_path: Path, member: str, use: str, is_complete: bool
) -> None:
    source = "using System;\nusing System.Collections.Generic;\nclass Row {\n" + member + "\n}\n"
    root = encoded(tmp_path, {"Row.cs": source + "static class Uses {\n" + use + "\n}\n"})

    (found,) = usages(root, "Row.Dispose" if "Dispose" in member else "Row.Count").symbols

    assert found.complete == is_complete


@pytest.mark.parametrize(("key", "is_complete"), [("(window:resize)", False), ("title", True)])
def test_an_event_of_a_components_host_is_code(tmp_path: Path, key: str, is_complete: bool) -> None:
    source = "import { Component } from '@angular/core'\n"
    source += f"@Component({{ selector: 'a-b', host: {{ '{key}': 'fitPage($event)' }} }})\n"
    root = encoded(tmp_path, {"page.ts": source + "export class Page { fitPage() {} }\n"})

    (found,) = usages(root, "Page.fitPage").symbols

    assert found.complete == is_complete


def test_imports_are_uses_of_what_they_bring(tmp_path: Path) -> None:
    root = encoded(
        tmp_path,
        {
            "shop/__init__.py": "from shop.till import open_till\n",
            "shop/till.py": "def open_till(): ...\n",
            "door.py": "def open_till(): ...\n",
            "user.py": "from shop import open_till\n",
            "other.py": "from door import open_till\nfrom lib import open_till as o\n",
        },
    )

    (found,) = usages(root, "shop/till.py::open_till").symbols

    assert found.account == {"definition": 1, "certain": 2, "other_definition": 2, "library_or_local": 1}
    assert found.imported == ["shop/__init__.py:1:23", "user.py:1:18"]
    assert found.reason == "imported, and not named otherwise"
    told = TOOLS["find_usages"].text(usages(root, "shop/till.py::open_till", kinds=["imports"]))
    assert "imported at shop/__init__.py:1, user.py:1" in told
    assert not usages(root, "shop/till.py::open_till", kinds=["calls"]).symbols[0].imported


def test_many_places_are_counted_by_file(tmp_path: Path) -> None:
    names = "NAMES = [" + "'open_till', " * 9 + "]\n"
    root = encoded(tmp_path, {"till.py": "def open_till(): ...\n", "names.py": names})

    (found,) = usages(root, "open_till").symbols

    assert (found.left, found.left_by_file) == ([], {"names.py": 9})
    told = TOOLS["find_usages"].text(usages(root, "open_till"))
    assert "-- in strings, text or code that is not parsed: names.py 9" in told


def test_a_filter_narrows_the_account(tmp_path: Path) -> None:
    root = encoded(tmp_path, FILES)

    (found,) = usages(root, "Till.close", path="door.py").symbols

    assert found.account == {"other_definition": 2, "comment_or_prose": 1}


def test_words_are_those_of_the_pattern() -> None:
    chance = random.Random(1)
    for word in (b"a", b"aa", b"aba", b"$a", b"a?", b"\xc3\xa9a"):
        for _ in range(300):
            text = b"".join(chance.choice((word, b"a", b"b", b" ", b"$", b"?", b"\xc3\xa9")) for _ in range(30))
            assert find_words(text, word) == [match.start() for match in pattern_of(word).finditer(text)]


def test_words_end_where_git_ends_them() -> None:
    assert find_words(b"close closes x.close-close disclose close_ \xc3\xa9close", b"close") == [0, 15, 21, 45]
    assert find_words(b"ready? ready?x ready", b"ready?") == [0]


def test_names_of_a_literal_are_told_from_prose() -> None:
    assert names_in(b"pkg.mod.close", b"close") == [b"pkg", b"mod", b"close"]
    assert names_in(b"users#close", b"close") == [b"users", b"close"]
    assert names_in(b"admin/users#close", b"close") == [b"users", b"close"]
    assert names_in(b"<b>{{ close }}</b>", b"close") == [b"close"]
    assert names_in(b"{{ url('users.close', id=1) }}", b"close") == [b"users", b"close"]
    assert names_in(b" close ", b"close") == [b"close"]
    assert names_in(b":close", b"close") == [b"close"]
    assert names_in(b"close: ", b"close") is None
    assert names_in(b"cannot close", b"close") is None
    assert names_in(b"files/close", b"close") is None
    literals = Literals(b"a = 'close' # don't\nb = \"it's close\"\n", [(12, 19)])
    assert literals.around(6) == (4, 11)
    assert literals.around(14) is None
    assert literals.around(30) == (24, 36)


@pytest.mark.parametrize(
    ("path", "text", "is_complete"),
    [
        ("tools/run.py", "from app.till import open_till\n\nopen_till()\n", False),
        ("tools/run.py", "from lib.till import open_till\n\nopen_till()\n", True),
        ("tools/run.py", "from app.till import shut\n\n\ndef run(open_till):\n    return open_till\n", False),
        ("tools/run.py", "import till\n\n\ndef run(open_till):\n    return open_till\n", True),
    ],
)
def test_an_import_that_is_not_resolved_and_looks_like_the_file_leaves_a_list_incomplete(
    tmp_path: Path, path: str, text: str, is_complete: bool
) -> None:
    unknown = {f"other{number}/src/app/till.py": "x = 1\n" for number in range(2)}
    root = encoded(tmp_path, {"packages/deep/er/app/till.py": "def open_till(): ...\n", path: text, **unknown})

    (found,) = usages(root, "open_till").symbols

    assert found.complete == is_complete


def test_a_name_that_no_symbol_has_is_found_where_it_stands(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "app.py": 'import os\n\nURL = os.environ["DATABASE_URL"]\nMY_DATABASE_URLS = 1\n',
        "compose.yaml": "services:\n  web:\n    environment:\n      DATABASE_URL: x\n",
        "README.md": "Set DATABASE_URL, and mail.sender.\n",
    }
    root = encoded(tmp_path, files)

    told = TOOLS["find_usages"].text(usages(root, "DATABASE_URL")).splitlines()
    (key,) = usages(root, "mail.sender").texts

    assert told[1:4] == ["DATABASE_URL  variable, not a symbol", "3 places have it", "-- code"]
    assert told[4] == 'app.py:3:19  URL = os.environ["DATABASE_URL"]'
    assert [line.partition(":")[0] for line in told[5:]] == ["-- configuration", "compose.yaml", "-- text", "README.md"]
    assert (key.what, key.total) == ("key", 1)
    with pytest.raises(rpg.errors.SymbolNotFound):
        usages(root, "DATABASE_URI")


@pytest.mark.parametrize(("guess", "word"), [("exclude", "none"), ("no", "none"), ("include", "all"), ("only", "only")])
def test_options_take_what_people_guess(tmp_path: Path, guess: str, word: str) -> None:
    root = encoded(tmp_path, FILES | {"tests/test_till.py": "from till import Till\n\nTill().close()\n"})

    assert usages(root, "Till.close", tests=guess) == usages(root, "Till.close", tests=word)
    with pytest.raises(rpg.errors.BadRequest, match="fold"):
        usages(root, "Till.close", tests="perhaps")


def test_a_doubtful_use_comes_with_its_line_and_what_else_it_may_mean(tmp_path: Path) -> None:
    root = encoded(tmp_path, FILES)

    told = TOOLS["find_usages"].text(usages(root, "Till.close")).splitlines()

    assert "-- ambiguous (may also mean door.py::Door.close)" in told or (
        "-- unresolved (may also mean door.py::Door.close)" in told
    )
    assert "other.py:5:14  drop: anything.close()" in told


@pytest.mark.parametrize("name", ["arrays", "comments", "scopes", "imports", "definitions", "problems", 'x"y'])
def test_places_of_a_file_are_those_of_its_facts(name: str) -> None:
    exported = f"export const {name} = 1  // one\n" if name.isidentifier() else f"export const x = '{name}'  // one\n"
    source = f"import {{ {'a as b' if name.isidentifier() else 'a'} }} from './{name}'\n/* two */\n{exported}".encode()
    facts = parse("shop.ts", find_language("shop.ts"), source)
    places = Places(pack(facts))

    assert places.comments() == facts.comments
    assert places.imports() == [each.byte for each in facts.imports]
    assert places.definitions() == {each.name_byte for each in facts.definitions}
    assert places.code == facts.code.tobytes()


def test_a_declaration_that_no_parser_keeps_is_no_use(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "vec.h": "struct Vec {\n  float x;\n  void add(const Vec &o);\n};\n",
        "vec.cpp": '#include "vec.h"\nvoid Vec::add(const Vec &o) { x += o.x; }\n',
        "main.cpp": '#include "vec.h"\nvoid go(Vec a, Vec *b) { a.add(*b); }\n',
    }
    root = encoded(tmp_path, files)

    (found,) = usages(root, "Vec.add").symbols

    assert found.complete
    assert found.account == {"definition": 2, "certain": 1}


@pytest.mark.parametrize("declared", ["extern int counted;", "extern const int other,\n    counted[3];"])
def test_the_declaration_of_a_variable_that_is_defined_elsewhere_is_one_of_it(declared: str, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "count.h": f"{declared}\n",
        "count.c": '#include "count.h"\nint counted;\n',
        "main.c": '#include "count.h"\nint go(void) { return counted; }\n',
    }

    (found,) = usages(encoded(tmp_path, files), "counted").symbols

    assert found.complete
    assert found.account == {"definition": 2, "certain": 1}


@pytest.mark.parametrize("path", ["use.c", "use.cpp"])
def test_a_use_of_one_of_several_alternatives_may_be_one_of_each(path: str, tmp_path: Path) -> None:
    header = (
        "#ifdef OLD\n#define LIB_API old\n#define LIB_CALL(x) x\ntypedef int word;\n"
        "#else\n#define LIB_API\n#define LIB_CALL(x) (x)\ntypedef long word;\n#endif\n"
    )
    files: dict[str, str | bytes] = {
        "lib.h": header,
        path: '#include "lib.h"\nLIB_API word go(word a) { return LIB_CALL(a); }\n',
    }
    names = [f"lib.h::{each}" for each in ("LIB_API", "LIB_API~2", "LIB_CALL", "word", "word~2")]

    found = usages(encoded(tmp_path, files), *names).symbols

    assert [sum(each.total.values()) for each in found] == [1, 1, 1, 2, 2]


def test_a_type_of_objective_c_that_is_only_announced_is_no_symbol(tmp_path: Path) -> None:
    root = encoded(tmp_path, {"a.h": "@class Answer, Other;\n@protocol Asking;\nint total;\n"})

    assert [each.kind for each in usages(root, "total").symbols] == ["constant"]
    assert [usages(root, each).texts[0].total for each in ("Answer", "Other", "Asking")] == [1, 1, 1]


CODE = "def priced():\n    return 1\n\n\ndef sold(): return priced()\n"
MODULES = "".join(f"import m{at}\n" for at in range(20_000))
REPEATED: dict[str, tuple[str, str]] = {
    "a variable of that name": ("shop/x.js", "function f(priced) {\n" + "  g(priced, 1, 2);\n" * 30_000 + "}\n"),
    "an import of as many names": ("shop/x.py", MODULES + "from q import (\n" + " priced,\n" * 20_000 + ")\n"),
    "strings": ("shop/x.py", "NAMES = [\n" + " 'priced',\n" * 60_000 + "]\n"),
    "one string, with openings of code that nothing closes": ("shop/x.py", f"Q = 'priced {'<% ' * 200_000}'\n"),
    "one line of a page": ("shop/x.html", "<p>" + "\u00e9 priced " * 60_000),
    "one expression of a page": ("shop/x.html", "<p>{{" + ".priced " * 80_000),
}


@pytest.mark.parametrize("where", REPEATED)
def test_an_account_costs_as_much_as_the_files_are_long(where: str, tmp_path: Path) -> None:
    """Where it was minutes, in which no time limit was checked."""
    path, text = REPEATED[where]
    encoded(tmp_path, {"shop/price.py": CODE, path: text})
    arguments = ["usages", "priced", "-g", str(tmp_path / "made.graph.json"), "--json"]
    done = subprocess.run([sys.executable, "-c", ALONE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [found] = json.loads(done.stdout)["symbols"]
    assert sum(found["account"].values()) == text.count("priced") + CODE.count("priced")


DJANGO = "from django.db import models\nclass Cart(models.Model):\n    totals = models.CharField()\n"
SPRING = "import lib.Base;\nclass Cart extends Base { private String totals; }\n"
DEAR: dict[str, tuple[str, dict[str, str]]] = {
    "an enum in a long list": (
        "Kind.ONE",
        {
            "shop/kind.py": "import enum\nclass Kind(enum.Enum):\n    ONE = 1\n",
            "shop/x.py": f"from shop.kind import Kind\nx = [{'Kind, ' * 40_000}]\n",
        },
    ),
    "what sends a message, and blanks": (
        "Plug.on_start",
        {"plug.rb": f"class Plug\n  def on_start; end\n  def fire(n)\n    send{' ' * 100_000}x\n  end\nend\n"},
    ),
    "a class whose constructor each line may run": (
        "Cart.Cart",
        {"cart.cpp": "class Cart { public: Cart(int n) {} };\n" + "void f(Box<Cart> c);\n" * 20_000},
    ),
    "strings in the arguments of a call": (
        "Cart.totals",
        {"cart.py": DJANGO, "x.py": "f([\n" + " 'totals', (1, 2), {}, [3],\n" * 40_000 + "])\n"},
    ),
    "keywords in the arguments of a call": (
        "Cart.totals",
        {"cart.py": DJANGO, "x.py": "f(g(\n" + " totals=1, x={}, y=(2, [3]),\n" * 20_000 + "))\n"},
    ),
    "brackets that nothing closes": (
        "Cart.totals",
        {"cart.py": DJANGO, "x.py": "NAMES = 1\n" + "# ([{ ) (\n'totals' ]\n" * 20_000},
    ),
    "a method whose name has no end": (
        "Cart.totals",
        {"Cart.java": SPRING, "B.java": f"class B {{ void f() {{ find{'ByAnd' * 40_000}Totalsx(); }} }}\n"},
    ),
    "an expression in an attribute of a page": (
        "Cart.totals",
        {"cart.py": DJANGO, "x.html": f'<p title="{{{{ {"cart.totals " * 40_000}">\n'},
    ),
    "a string with many names": (
        "go_on",
        {"go.sh": "go_on() { echo; }\n", "x.sh": f"x='{'; go_on ' * 30_000}'\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("where", DEAR)
def test_a_list_of_usages_costs_as_much_as_the_files_are_long(where: str, tmp_path: Path) -> None:
    symbol, files = DEAR[where]
    encoded(tmp_path, files)
    arguments = ["usages", symbol, "-g", str(tmp_path / "made.graph.json"), "--json"]
    done = subprocess.run([sys.executable, "-c", ALONE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr  # 1: nothing is found
    [found] = json.loads(done.stdout)["symbols"]
    name = symbol.rpartition(".")[2]
    assert sum(found["account"].values()) == sum(len(re.findall(rf"\b{name}\b", each)) for each in files.values())


ALONE = """
import resource
from rpg.__main__ import main
resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
main()
"""


def test_words_are_counted_in_little_room() -> None:
    """A lock file may be as long as somebody likes."""
    text = b"a " * 1_000_000
    tracemalloc.start()
    try:
        assert count_occurrences(text, b"a") == 1_000_000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("quote", ["`", '"', "'", '"""', "'''"])
def test_quotes_that_nothing_closes_are_looked_at_once(quote: str) -> None:
    """Where it was a second look at the whole rest for each."""
    text = "x = 'priced'\n" + f"{quote}\\" * 300_000
    command = [sys.executable, "-c", LITERALS_ALONE]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    assert (done.stdout, done.returncode) == (b"True\n", 0), done.stderr.decode()


LITERALS_ALONE = """
import resource, sys
from rpg.queries.account.literals import Literals
resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
text = sys.stdin.buffer.read()
print(Literals(text, ()).around(text.index(b"priced")) is not None)
"""


def test_one_unknown_name_does_not_fail_the_others(tmp_path: Path) -> None:
    root = encoded(tmp_path, FILES)

    found = usages(root, "Till.close", "nothing_such")

    assert [each.symbol for each in found.symbols] == ["till.py::Till.close"]
    assert "nothing_such" in found.note
    with pytest.raises(rpg.errors.SymbolNotFound):
        usages(root, "nothing_such", "nothing_else")


def test_a_name_in_another_case_is_said_to_be_so(tmp_path: Path) -> None:
    root = encoded(tmp_path, FILES)

    assert "nothing is called 'CLOSE' in this case: this is 'close'" in usages(root, "Till.CLOSE").note
    assert not usages(root, "Till.close").note


def test_a_route_is_found_where_it_stands(tmp_path: Path) -> None:
    root = encoded(tmp_path, {"app.py": "@app.get('/owners/find')\ndef find(): ...\n"})

    (found,) = usages(root, "/owners/find").texts

    assert [use.site for use in found.places] == ["app.py:1:11"]
    with pytest.raises(rpg.errors.Forbidden):
        usages(root, "/owners/lost")


def test_all_places_are_listed_by_what_they_are(tmp_path: Path) -> None:
    root = encoded(tmp_path, FILES)

    found = usages(root, "Till.close", detail="account")

    (each,) = found.symbols
    assert {kind: sum(map(len, files.values())) for kind, files in each.places.items()} == {
        kind: count for kind, count in each.account.items() if kind != "not_read"
    }
    assert each.places["other_definition"] == {"door.py": [2, 6]}
    told = TOOLS["find_usages"].text(found).splitlines()
    assert told[told.index("-- other definition 2") + 1] == "door.py: 2,6"
    assert not usages(root, "Till.close").symbols[0].places


@pytest.mark.parametrize("has_git", [True, False])
def test_words_are_counted_in_no_file_that_a_header_names_and_the_repository_has_not(
    has_git: bool, tmp_path: Path
) -> None:
    files = dict.fromkeys(("a/deep.md", "new.md", "own.private", "a/vendor/b.js", "a/c.js"), "open_till\n")
    root = write(tmp_path / "shop", {".gitignore": "*.private\n/new.md\n", **files})
    if has_git:
        commit(root)
        write(root, {".gitignore": "*.private\n"})
    named = ["a/deep.md", "new.md", "own.private", "none.md", ".git/config", "../outside.md", "*", ":(top)a"]
    skipped = [{"path": path, "reason": "cannot be read"} for path in named]
    header = {"skipped": [*skipped, {"path": "a/vendor/", "reason": "vendored"}, {"path": "*/", "reason": "vendored"}]}

    found = [each.path for each in find_files(header, root)]

    if has_git:
        assert found == ["a/deep.md", "a/vendor/b.js", "new.md"]
    else:
        assert "a/deep.md" in found
        assert not {"own.private", ".git/config", "../outside.md", "a/c.js"}.intersection(found)


SAID: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "Kotlin: what a function around is called on": (
        {
            "a/Cart.kt": "package a\nclass Cart { val total = 1 }\nfun cart() = Cart()\n",
            "b/Use.kt": "package b\nimport lib.*\nfun use() = lib.with(make()) { total }\nfun other() { total }\n",
        },
        "Cart.total",
        ["b/Use.kt:3"],
    ),
    "Rust: examples that are run": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": (
                "/// Adds, as take_all does.\n///\n/// ```\n/// shop::take_all(1);\n/// ```\n///\n/// ```text\n"
                "/// take_all(2)\n/// ```\npub fn take_all(a: u32) -> u32 { a }\n"
            ),
        },
        "take_all",
        ["src/lib.rs:4"],
    ),
    "Python: a format of an object's fields": (
        {
            "shop.py": (
                "class Cart:\n    def __init__(self):\n        self.name = 1\n\n    def shown(self, rows):\n"
                "        return '%(name)s' % self.__dict__ + '%(name)s' % rows\n"
            )
        },
        "Cart.name",
        ["shop.py:6"],
    ),
    "Python: a command that a test runs by its name": (
        {
            "shop/cli.py": (
                "import click\n\n@click.group()\ndef main():\n    pass\n\n\n@main.command()\ndef unset():\n    pass\n"
            ),
            "tests/test_cli.py": (
                "def test_it(runner, cli):\n    assert runner.invoke(cli, ['-v', 'unset'])\n    print('unset')\n"
            ),
        },
        "unset",
        ["tests/test_cli.py:2"],
    ),
    "JavaScript: what stands in a file of declarations": (
        {
            "package.json": '{"name": "shop", "main": "lib/cart.js", "types": "types/index.d.ts"}\n',
            "lib/cart.js": "class Cart {\n  addRow(row) { return row; }\n}\nmodule.exports = { Cart };\n",
            "types/index.d.ts": "export class Cart {\n  addRow(row: number): number;\n}\n",
            "types/use.ts": "import { Cart } from './index';\ndeclare const cart: Cart;\ncart.addRow(1);\n",
        },
        "lib/cart.js::Cart.addRow",
        ["types/use.ts:3"],
    ),
    "Ruby: a class that a test sets as a constant": (
        {
            "spec/cart_spec.rb": (
                "describe 'Cart' do\n  let(:made) do\n    Class.new do\n      class << self\n        def add_row(row)\n"
                "          row\n        end\n      end\n    end\n  end\n  before { stub_const('Made', made) }\n"
                "  it('adds') { Made.add_row(1) }\nend\n"
            )
        },
        "add_row",
        [],
    ),
    "C#: an extension of what a library's base may implement": (
        {
            "Ext.cs": (
                "using Lib;\nnamespace Shop;\npublic static class Ext {\n"
                "  public static int TestIt<T>(this IValidator<T> v, T item) => 1;\n"
                "  public static int TestIt<T>(this IValidator<T> v, Context<T> context) => 2;\n}\n"
            ),
            "Use.cs": (
                "using Lib;\nnamespace Shop;\npublic class Valid : Base<int> { }\n"
                "class Use { void Go() { new Valid().TestIt(1); } }\n"
            ),
        },
        "Ext.cs::Ext.TestIt",
        ["Use.cs:4"],
    ),
    "Kotlin: a field of what a library gives back": (
        {
            "a/User.kt": "package a\nclass User(val mailed: Boolean)\n",
            "a/Use.kt": "package a\nimport lib.repository\nfun use() = repository.find(1).mailed\n",
        },
        "User.mailed",
        [],
    ),
}


MADE: dict[str, tuple[str, str]] = {
    "a.cpp": ("#include <memory>\nclass Cart { public: Cart(int n) {} };\n{}\n", "Cart.Cart"),
    "a.php": ("<?php\nclass Route { public function __construct(public string $path) {} }\n{}\n", "__construct"),
}


@pytest.mark.parametrize(
    ("path", "use", "made"),
    [
        ("a.cpp", "void f() { auto cart = std::make_unique<Cart>(3); }", "certain"),
        ("a.cpp", "void f() { auto cart = pool::take<Cart>(3); }", "possible"),
        ("a.cpp", "void f(std::vector<Cart*> all, const Cart& one);", ""),
        ("a.php", "#[Route('/x')] function show() {}", "possible"),
        ("a.php", "function show(Route $route) {}", ""),
    ],
)
def test_an_object_may_be_made_where_its_class_is_an_argument_of_a_template_or_an_attribute(
    path: str, use: str, made: str, tmp_path: Path
) -> None:
    source, name = MADE[path]

    (found,) = usages(encoded(tmp_path, {path: source.replace("{}\n", use + "\n")}), name).symbols

    assert found.total == ({made: 1} if made else {})
    assert found.complete == (made != "possible")


def test_members_of_an_embedded_type_are_reached_without_naming_it(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "go.mod": "module shop\n",
        "a.go": "package shop\n\ntype base struct{ id int }\n\ntype Cart struct {\n\tbase\n\ttop base\n}\n",
    }

    embedded, named = usages(encoded(tmp_path, files), "Cart.base", "Cart.top").symbols

    assert not embedded.complete
    assert named.complete


IMPLICIT: dict[str, str | bytes] = {
    "a.scala": (
        "package shop\ncase class Item(id: Int)\nobject Impl {\n  implicit class Rich(val item: Item) {\n"
        "    def isBig = item.id > 3\n  }\n  implicit val order: Ordering[Item] = Ordering.by(_.id)\n"
        "  val plain = 3\n}\n"
    ),
    "b.scala": "package shop\nimport Impl._\nobject Main {\n  def run(item: Item) = item.isBig\n}\n",
}


@pytest.mark.parametrize(
    ("name", "left"),
    [("Impl.Rich.isBig", ["b.scala:4"]), ("Impl", ["b.scala:2"]), ("Impl.order", None), ("Impl.plain", [])],
)
def test_what_the_compiler_finds_by_its_type_is_never_complete(
    name: str, left: list[str] | None, tmp_path: Path
) -> None:
    (found,) = usages(encoded(tmp_path, IMPLICIT), name).symbols

    assert lines_left(found) == (left or [])
    assert found.complete == (left == [])


def test_the_constants_of_an_enum_run_its_constructor(tmp_path: Path) -> None:
    source = "enum Kind {\n    BIG(3);\n    Kind(int weight) { }\n}\nclass Cart {\n    Cart(int size) { }\n}\n"

    enum, plain = usages(encoded(tmp_path, {"Kind.java": source}), "Kind.Kind", "Cart.Cart").symbols

    assert (enum.complete, enum.reason) == (False, "nothing calls it; the constants of its enum run it")
    assert plain.complete


@pytest.mark.parametrize(
    "member", ["void Deconstruct(out int a) { a = 1; }", "int Current => 1;", "bool MoveNext() => true;"]
)
def test_what_the_language_runs_by_a_pattern_is_never_complete(member: str, tmp_path: Path) -> None:
    root = encoded(tmp_path, {"a.cs": f"class Rows {{\n    public {member}\n    public int Total() => 1;\n}}\n"})

    run, plain = usages(root, f"Rows.{member.split()[1].partition('(')[0]}", "Rows.Total").symbols

    assert not run.complete
    assert plain.complete


COMPUTED: dict[str, tuple[dict[str, str | bytes], dict[str, list[str]]]] = {
    "Python": (
        {
            "a.py": (
                "class Base:\n    def fire(self, name):\n        return getattr(self, f'on_{name}')()\n\n"
                "class Plug(Base):\n    def on_start(self): pass\n    def at_start(self): pass\n\n"
                "def compiled(node, vendor):\n    return getattr(node, 'as_' + vendor)\n"
            ),
            "b.py": (
                "class Other:\n    def on_stop(self): pass\n    def as_sql(self): pass\n    def sql_as(self): pass\n"
            ),
        },
        {
            "Plug.on_start": ["a.py:3"],
            "Plug.at_start": [],
            "Other.on_stop": [],
            "Other.as_sql": ["a.py:10"],
            "Other.sql_as": [],
        },
    ),
    "TypeScript": (
        {
            "a.ts": (
                "export class Plug {\n  onStart() {}\n  upStart() {}\n  click_handler() {}\n"
                "  fire(name: string) { return (this as any)[`on${name}`](); }\n"
                "  go(x: string) { return this[x + '_handler'](); }\n}\nconst label = `up${1}`;\n"
            )
        },
        {"Plug.onStart": ["a.ts:5"], "Plug.upStart": [], "Plug.click_handler": ["a.ts:6"]},
    ),
    "Ruby": (
        {"a.rb": 'class Plug\n  def on_start; end\n  def fire(name)\n    send("on_#{name}")\n  end\nend\n'},
        {"Plug.on_start": ["a.rb:4"]},
    ),
    "PHP": (
        {
            "a.php": (
                "<?php\nclass Plug {\n  public function getName() {}\n  public function setName() {}\n"
                "  public function read($n) { return $this->{'get' . $n}(); }\n}\n"
            )
        },
        {"Plug.getName": ["a.php:5"], "Plug.setName": []},
    ),
    "members of a Python module": (
        {
            "tools.py": "def first(): pass\n\ndef used(): pass\n",
            "whole.py": "def second(): pass\n",
            "named.py": "def third(): pass\n",
            "run.py": (
                "import named, tools, whole\n\ntools.used()\n\ndef pick(name):\n    return getattr(tools, name)\n\n"
                "print(vars(whole))\nwhole.run(whole)\ngetattr(named, 'other')\n"
            ),
        },
        {"first": ["run.py:6"], "used": ["run.py:6"], "second": ["run.py:8", "run.py:9"], "third": []},
    ),
    "members of a TypeScript module": (
        {
            "lib.ts": "export const first = 1;\nexport const used = 2;\nexport const taken = 3;\n",
            "run.ts": (
                "import * as lib from './lib';\nconst { taken, ...others } = lib;\nf(taken, others, lib.used);\n"
            ),
        },
        {"first": ["run.ts:2"], "used": []},
    ),
    "members of a module in a literal": (
        {
            "lib.ts": "export const first = 1;\n",
            "run.ts": "import * as lib from './lib';\nexport const db = open(client, { lib });\n",
            "tools.py": "def second(): pass\n",
            "run.py": "import tools\n\nPLUGINS = {'tools': tools}\n",
        },
        {"first": ["run.ts:2"], "second": ["run.py:3"]},
    ),
    "members of a class": (
        {
            "a.php": "<?php\nclass Made {\n  static function one() {}\n}\nfunction f($m) { return Made::$m(); }\n",
            "m.rb": "module Tools\n  def self.two(x) x end\nend\ndef pick(n) = Tools.public_send(n, 1)\n",
            "l.lua": "local L = {}\nfunction L.three() end\nreturn L\n",
            "u.lua": 'local l = require("l")\nlocal function f(k) return l[k]() end\n',
            "Z.java": "class Zed { void four() {} Zed[] many(int n) { return new Zed[n]; } }\n",
        },
        {"Made.one": ["a.php:5"], "Tools.two": ["m.rb:4"], "L.three": ["u.lua:2"], "Zed.four": []},
    ),
    "a class by the name of its package": (
        {
            "A.java": "package shop.cart;\nclass Line {}\n",
            "B.java": 'package run;\nclass Go { Object o() { return Class.forName("shop.cart.Line"); } }\n',
            "C.java": 'package run;\nclass No { Object o() { return Class.forName("other.Line"); } }\n',
        },
        {"Line": ["B.java:2"]},
    ),
    "fields by their keys": (
        {
            "a.py": (
                "class Cart:\n    def __init__(self):\n        self.total = 1\n        self.size = 2\n\n"
                "def f(cart):\n    return vars(cart)['total'], cart.__dict__['total'], cart['size']\n"
            )
        },
        {"Cart.total": ["a.py:7", "a.py:7"], "Cart.size": []},
    ),
    "keys of a typed dictionary": (
        {
            "a.py": (
                "from typing import TypedDict\n\nclass User(TypedDict, total=False):\n    nick: str\n\n"
                "def take(user: User): pass\n"
            ),
            "b.py": "from a import take\n\ntake({'nick': 'x'})\n",
            "c.py": "print({'nick': 1})\n",
        },
        {"User.nick": ["b.py:3"]},
    ),
    "members of an enum": (
        {
            "a.py": (
                "import enum\n\nclass Color(enum.Enum):\n    RED = 1\n\nclass Size(enum.Enum):\n    BIG = 1\n\n"
                "class Kind(enum.Enum):\n    ONE = 1\n\ndef f(name):\n    return Color[name], [s for s in Size], Kind\n"
            )
        },
        {"Color.RED": ["a.py:13"], "Size.BIG": ["a.py:13"], "Kind.ONE": []},
    ),
}


@pytest.mark.parametrize("case", COMPUTED)
def test_a_name_that_code_computes_may_be_meant(case: str, tmp_path: Path) -> None:
    files, expected = COMPUTED[case]

    found = usages(encoded(tmp_path, files), *expected).symbols

    assert {name: lines_left(each) for name, each in zip(expected, found, strict=True)} == expected


OF_PAGES: dict[str, str | bytes] = {
    "a.css": ".btn-primary { top: 0 }\n.card { top: 0 }\n.menu-open { top: 0 }\n.unused-thing { top: 0 }\n",
    "b.jsx": 'export function B() { return <div className="btn-primary card">x</div> }\nconst kind = "card"\n',
    "c.js": "export const f = (state) => `menu-${state}`\n// btn-primary\n",
    "d.md": "The class `unused-thing` is old.\n",
}


@pytest.mark.parametrize(
    ("name", "left"),
    [("btn-primary", ["b.jsx:1"]), ("card", ["b.jsx:1"]), ("menu-open", ["c.js:1"]), ("unused-thing", [])],
)
def test_a_name_of_a_style_sheet_may_be_meant_by_strings_of_code(name: str, left: list[str], tmp_path: Path) -> None:
    (found,) = usages(encoded(tmp_path, OF_PAGES), f"a.css::{name}").symbols

    assert lines_left(found) == left
    assert found.complete == (not left)


def test_a_target_that_a_script_runs_by_its_name_is_not_unused(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "Makefile": "build-all:\n\techo\n\ndeploy:\n\techo\n",
        "package.json": '{"scripts": {"my-task": "node a.js", "other": "node b.js"}}\n',
        "ci.sh": "#!/bin/sh\nmake -j 2 build-all\nnpm run my-task\necho deploy other\n",
    }
    root = encoded(tmp_path, files)

    build, deploy, task, other = usages(root, "build-all", "deploy", "scripts.my-task", "scripts.other").symbols

    assert [lines_left(each) for each in (build, deploy, task, other)] == [["ci.sh:2"], [], ["ci.sh:3"], []]
    assert not build.complete
    assert not task.complete


def test_what_writes_a_member_is_counted_by_the_word_that_code_has(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.rb": (
            "class Cart\n  def size=(n)\n    @size = n\n  end\n  def grow\n    self.size = 1\n  end\nend\n"
            "def fill(cart)\n  cart.size = 2\n  cart.size\nend\n"
        )
    }

    (found,) = usages(encoded(tmp_path, files), "Cart.size=").symbols

    assert found.word == "size"
    assert found.total == {"certain": 1, "unresolved": 1}
    assert found.account == {"definition": 1, "certain": 1, "unresolved": 1, "library_or_local": 2}


@pytest.mark.parametrize("case", SAID)
def test_a_place_that_may_mean_it_is_never_silently_a_librarys(case: str, tmp_path: Path) -> None:
    files, name, left = SAID[case]
    (found,) = usages(encoded(tmp_path, files), name, tests="all").symbols

    assert not found.complete
    assert list(dict.fromkeys(lines_left(found))) == left
    assert left or found.account["unresolved"] == 1


UNEXPLAINED: dict[str, str | bytes] = {
    "src/A.cs": "namespace Shop;\nusing Lib.More;\npublic class Valid<T> {\n  object Go() => new PlainThing();\n"
    "  object Other(int PlainValue) => Plain.Do(PlainValue);\n}\n",
    "src/B.cs": "namespace Else.Internal;\npublic class PlainThing {}\npublic class Plain {}\n"
    "public class PlainValue {}\n",
    "c/a.h": "struct AnchorType { int a; };\nstruct Anchor { int a; };\nstruct Named_thing { int a; };\n",
    "c/b.cpp": "#include <lib.h>\nclass Mock { MOCK_METHOD2(OnNull, void(const Mark&, AnchorType)); };\n"
    "// Named_thing\n",
    "own.py": "def make_it(): ...\n",
    "other.py": "from library import make_it\n\nmake_it()\n",
}


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("PlainThing", ["src/A.cs:4"]),  # nothing says that it is a library's
        ("Plain", []),  # a word that a library may well have, too
        ("PlainValue", []),  # a parameter
        ("AnchorType", []),  # in a macro, to which an edge leads
        ("Named_thing", []),  # in a comment
        ("own.py::make_it", []),  # a library's, by the import
    ],
)
def test_a_name_of_several_words_that_nothing_in_its_file_explains_is_not_taken_for_a_librarys(
    symbol: str, lines: list[str], tmp_path: Path
) -> None:
    (found,) = usages(encoded(tmp_path, UNEXPLAINED), symbol).symbols

    assert lines_left(found) == lines
    assert found.complete == (not lines)


def test_an_import_through_a_type_is_one_of_what_is_in_it(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/Comp.kt": (
            "package a\nimport a.Comp.Only\nimport a.Comp.Companion.limit\nimport b.Other.Only as Rest\n"
            "class Comp {\n  class Only {}\n  companion object {\n    val limit = 1\n  }\n}\n"
            "fun f() = listOf(Only(), limit)\n"
        ),
        "b/Other.kt": "package b\nclass Other { class Only }\n",
    }
    root = encoded(tmp_path, files)

    only, limit = usages(root, "Comp.Only", "Comp.limit").symbols

    assert only.account == {"definition": 1, "certain": 2, "other_definition": 2}
    assert limit.account == {"definition": 1, "certain": 2}


def test_a_base_is_named_in_full(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "A.cs": "namespace N { public class Row : System.Collections.Rows /* The row */ { public int Size => 1; } }\n"
    }
    (found,) = usages(encoded(tmp_path, files), "Row.Size").symbols

    assert "its base System.Collections.Rows, of a library" in found.reason


def test_in_code_of_which_only_symbols_are_read_every_use_of_a_name_is_left_open(tmp_path: Path) -> None:
    code = {
        "Price.hs": "module Price where\n\n-- total\ntotal :: [Int] -> Int\ntotal [] = 0\ntotal (x:xs) = x\n",
        "Shop.hs": 'module Shop where\nimport Price (total)\n\nlabel = "total"\nbuy xs = total xs + map total [xs]\n',
    }
    (each,) = usages(encoded(tmp_path, code), "total").symbols

    assert each.account["definition"] == 3
    assert lines_left(each) == ["Shop.hs:2", "Shop.hs:5", "Shop.hs:5"]
    assert "only symbols and imports" in each.reason
    assert not each.complete


def test_clauses_and_specifications_of_a_function_are_its_definition(tmp_path: Path) -> None:
    code = {
        "lib/price.ex": "defmodule Price do\n  @spec add(integer, nil | integer) :: integer\n  def add(a, nil), do: a\n"
        "  def add(a, b), do: a + b\nend\n",
        "lib/shop.ex": "defmodule Shop do\n  def buy(a), do: Price.add(a, 1)\nend\n",
    }
    (each,) = usages(encoded(tmp_path, code), "Price.add").symbols

    assert (each.account["definition"], each.account["certain"]) == (3, 1)
    assert each.complete


def test_a_module_that_is_named_by_its_path_is_counted_once(tmp_path: Path) -> None:
    code = {
        "lib/total.ex": "defmodule Shop.Cart.Total do\n  def sum(a, b), do: a + b\nend\n",
        "lib/other.ex": "defmodule Shop.Total.Other do\n  def sum(a, b), do: a + b\nend\n",
        "lib/pay.ex": "defmodule Shop.Pay do\n  @behaviour Shop.Cart.Total\n"
        "  def pay(x), do: Shop.Cart.Total.sum(x, 1) + Shop.Total.Other.sum(x, 1)\nend\n",
    }
    (each,) = usages(encoded(tmp_path, code), "Shop.Cart.Total").symbols

    assert (each.account["definition"], each.account["certain"]) == (1, 2)
    assert each.complete, each.left


def test_a_function_of_erlang_and_a_task_of_mix_are_none_of_the_repositorys_functions(tmp_path: Path) -> None:
    code = {
        "lib/shop.ex": "defmodule Shop do\n  def get(a), do: a\n  def match(a), do: a\nend\n",
        "lib/pay.ex": "defmodule Pay do\n"
        "  def pay(x), do: [:persistent_term.get(x), :binary.match(x, x), Shop.get(x), Shop.match(x)]\nend\n",
        ".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: mix deps.get --all\n"
        "      - run: mix do deps.get, match\n",
    }
    for each in usages(encoded(tmp_path, code), "Shop.get", "Shop.match").symbols:
        assert each.account["certain"] == 1
        assert each.complete, each.left


PAGES: dict[str, tuple[str, dict[str, str]]] = {
    "Razor, in an attribute": ("Gravatar", {"x.cshtml": '<img alt="a" src="@Model.Gravatar()" />\n'}),
    "Razor, with other text": ("Gravatar", {"x.cshtml": '<a href="mailto:@order.Gravatar">x</a>\n'}),
    "Razor, with a string in it": ("Gravatar", {"x.cshtml": '<a class="@(x.Any ? "a" : x.Gravatar)">x</a>\n'}),
    "Go, behind a string": ("Gravatar", {"x.html": '<img src="{{ path "/i/%s" .Icon.Gravatar }}">\n'}),
}


@pytest.mark.parametrize("where", PAGES)
def test_an_expression_of_a_page_is_code_wherever_quotes_are(where: str, tmp_path: Path) -> None:
    name, page = PAGES[where]
    code = f"namespace Shop;\npublic class Order {{ public string {name}() => null; }}\n"
    root = encoded(tmp_path, {"Order.cs": code, **page})

    [found] = usages(root, f"Order.{name}").symbols

    assert not found.complete
    assert [line.partition(":")[0] for line in lines_left(found)] == list(page)


def test_an_expression_of_erb_is_code_behind_a_string(tmp_path: Path) -> None:
    page = '<img src="<%= path "/i", order.gravatar_url %>">\n'
    code = "class Order\n  def gravatar_url\n    1\n  end\nend\n"
    root = encoded(tmp_path, {"order.rb": code, "x.html.erb": page})

    [found] = usages(root, "Order.gravatar_url").symbols

    assert not found.complete


def test_an_address_is_no_expression_of_a_page(tmp_path: Path) -> None:
    code = "namespace Shop;\npublic class Order { public string Email() => null; }\n"
    root = encoded(tmp_path, {"Order.cs": code, "x.cshtml": '<a href="mailto:me@shop.Email">Email</a>\n'})

    [found] = usages(root, "Order.Email").symbols

    assert found.complete


def test_code_of_which_only_symbols_are_read_may_name_what_another_language_defines(tmp_path: Path) -> None:
    code = {
        "Shop.swift": (
            "import Foundation\n@objc public class ShopCart: NSObject {\n"
            "  @objc public class func emptyCart() -> ShopCart { return ShopCart() }\n"
            "  @objc public func close() {}\n  @objc public func open() {}\n}\n"
        ),
        "Shop.h": (
            "#define expectCart(X) \\\n[ShopCart takeCart:(X)];\nShopCart *makeCart(void);\n#define expectOne(X) (X)\n"
        ),
        "Till.m": (
            '#import "Shop.h"\n// emptyCart in a comment\nvoid run(void) {\n  [[ShopCart emptyCart] close];\n'
            "  int open = 1;\n  expectCart(open);\n  expectOne(open);\n}\n"
        ),
        "plain.c": "int f(void) { int ShopCart = 1; return ShopCart; }\n",
    }
    root = encoded(tmp_path, code)

    made, cart, close, opened, macro = usages(
        root, "ShopCart.emptyCart", "ShopCart", "ShopCart.close", "ShopCart.open", "expectOne"
    ).symbols

    assert lines_left(made) == ["Till.m:4"]
    assert lines_left(cart) == ["Shop.h:2", "Shop.h:3", "Till.m:4"]
    assert lines_left(close) == ["Till.m:4"]
    assert lines_left(opened) == []
    assert lines_left(macro) == ["Till.m:7"]
    assert not any(each.complete for each in (made, cart, close, macro))
    assert opened.complete
