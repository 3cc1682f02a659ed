"""Places that may mean a symbol although nothing resolves them: a list of uses that has one is not complete."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from accounts import encoded, lines_left, usages


class Case(NamedTuple):
    symbol: str
    files: dict[str, str | bytes]
    places: tuple[str, ...] = ()
    """`path:line` of those that may mean it; none: the list is complete."""


def may_mean(found: object) -> set[str]:
    places = set(lines_left(found))  # type: ignore[arg-type]
    for files in (found.certain, found.possible, found.unresolved):  # type: ignore[attr-defined]
        places |= {f"{each.path}:{use.site.partition(':')[0]}" for each in files for use in each.usages}
    return places


def check(case: Case, root: Path) -> None:
    [found] = usages(encoded(root, case.files), case.symbol).symbols

    assert may_mean(found) >= set(case.places), found
    assert found.complete == (not case.places), found


DERIVED = {
    "php": Case(
        "Mine.refresh",
        {
            "Mine.php": "<?php\nuse Lib\\Adapter;\nclass Mine implements Adapter {\n"
            "    public function refresh($x) { return $x; }\n}\n",
            "P.php": "<?php\nuse Lib\\Adapter;\nclass P {\n    private Adapter $a;\n    private Other $o;\n"
            "    public function f() { return $this->a->refresh(1); }\n"
            "    public function g() { return $this->o->refresh(1); }\n}\n",
        },
        ("P.php:6",),
    ),
    "java": Case(
        "Mine.refresh",
        {
            "Mine.java": "package p;\nimport lib.Adapter;\npublic class Mine implements Adapter {\n"
            "    public void refresh(int x) { }\n}\n",
            "P.java": "package p;\nimport lib.Adapter;\npublic class P {\n    private Adapter a;\n"
            "    void f() { a.refresh(1); }\n}\n",
        },
        ("P.java:5",),
    ),
    "typescript": Case(
        "Mine.refresh",
        {
            "mine.ts": "import { Adapter } from 'lib';\nexport class Mine implements Adapter {\n"
            "  refresh(x: number) { return x; }\n}\n",
            "p.ts": "import { Adapter } from 'lib';\nexport class P {\n  constructor(private a: Adapter) {}\n"
            "  f() { return this.a.refresh(1); }\n}\n",
        },
        ("p.ts:4",),
    ),
    "python": Case(
        "Mine.refresh",
        {
            "mine.py": "from lib import Adapter\n\n\nclass Mine(Adapter):\n"
            "    def refresh(self, x):\n        return x\n",
            "p.py": "from lib import Adapter\n\n\nclass P:\n    def __init__(self, a: Adapter):\n        self.a = a\n\n"
            "    def f(self):\n        return self.a.refresh(1)\n",
        },
        ("p.py:9",),
    ),
    "go": Case(
        "Mine.Refresh",
        {
            "go.mod": "module x\n\ngo 1.20\n",
            "mine.go": 'package p\n\nimport "lib.org/lib"\n\ntype Mine struct{}\n\n'
            "func (m *Mine) Refresh(x int) int { return x }\n\nvar _ lib.Adapter = &Mine{}\n",
            "p.go": 'package p\n\nimport "lib.org/lib"\n\ntype P struct{ a lib.Adapter }\n\n'
            "func (p *P) F() int { return p.a.Refresh(1) }\n",
        },
        ("p.go:7",),
    ),
    **{
        language: Case("Mine.refresh", files, places)
        for language, files, places in (
            (
                "kotlin",
                {
                    "Mine.kt": "package p\nimport lib.Adapter\n"
                    "class Mine : Adapter {\n    fun refresh(x: Int) = x\n}\n",
                    "P.kt": "package p\nimport lib.Adapter\nclass P(private val a: Adapter) {\n"
                    "    fun f() = a.refresh(1)\n}\n",
                },
                ("P.kt:4",),
            ),
            (
                "rust",
                {
                    "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n[dependencies]\nlib = "1"\n',
                    "src/lib.rs": "pub mod mine;\npub mod p;\n",
                    "src/mine.rs": "use lib::Adapter;\npub struct Mine;\nimpl Adapter for Mine {\n"
                    "    fn refresh(&self, x: i32) -> i32 { x }\n}\n",
                    "src/p.rs": "use lib::Adapter;\npub fn f(a: &dyn Adapter) -> i32 { a.refresh(1) }\n",
                },
                ("src/p.rs:2",),
            ),
        )
    },
}


@pytest.mark.parametrize("language", DERIVED)
def test_a_call_on_a_type_of_a_library_may_run_a_member_of_a_class_that_is_derived_from_it(
    language: str, tmp_path: Path
) -> None:
    check(DERIVED[language], tmp_path)


PROFILE = "class Profile:\n    @property\n    def can_add_page(self):\n        return True\n"
UNTYPED = {
    "read from what a base of a library has": Case(
        "Profile.can_add_page",
        {
            "profiles.py": PROFILE,
            "views.py": "from lib import View\n\n\nclass Add(View):\n    def test(self):\n"
            "        return self.request.user.profile.can_add_page\n",
        },
        ("views.py:6",),
    ),
    "read from an imported module": Case(
        "Profile.can_add_page",
        {
            "profiles.py": PROFILE,
            "views.py": "import lib\nfrom lib import tools\n\nX = lib.can_add_page, tools.can_add_page\n",
        },
    ),
    "read from what a library of the language makes": Case(
        "Profile.can_add_page",
        {"profiles.py": PROFILE, "views.py": "import subprocess\n\nx = subprocess.run('1')\nprint(x.can_add_page)\n"},
    ),
    "another class has it as well": Case(
        "Profile.can_add_page",
        {
            "profiles.py": PROFILE + "\n\nclass Other:\n    can_add_page = 1\n",
            "views.py": "from lib import View\n\n\nclass Add(View):\n    def test(self):\n"
            "        return self.request.user.profile.can_add_page\n",
        },
    ),
    "called on a parameter of a type that says nothing": Case(
        "Filters.addFilter",
        {
            "Filters.php": "<?php\nabstract class Filters { public function addFilter($x) { return $x; } }\n",
            "S.php": "<?php\nclass S {\n    public static function f(int $m, mixed $s) {\n"
            "        if ($m > 0) {\n            return match ($m) {\n"
            "                1 => $s->addFilter('x'),\n            };\n        }\n    }\n}\n",
        },
        ("S.php:6",),
    ),
}


@pytest.mark.parametrize("case", UNTYPED)
def test_a_member_that_one_class_alone_has_may_be_meant_where_nothing_says_whose_it_is(
    case: str, tmp_path: Path
) -> None:
    check(UNTYPED[case], tmp_path)


EDITOR = (
    "<?php\nnamespace App\\Livewire;\nuse Livewire\\Component;\nclass PageEditor extends Component {\n"
    "    public $size = 1;\n    private $secret = 1;\n"
    "    public function render() { return view('livewire.page-editor'); }\n}\n"
)
VIEWS: dict[str, str | bytes] = {
    "app/Livewire/PageEditor.php": EDITOR,
    "resources/views/livewire/page-editor.blade.php": "<p>@if ($size) {{ $secret }} @endif</p>\n@include('part')\n",
    "resources/views/part.blade.php": "<p>\n{{ $size }}</p>\n",
    "resources/views/show.blade.php": "{{ $size }}\n<livewire:page-editor\n  size='1'\n/>\n"
    "<livewire:other size='2'/>\n",
}
SHOWN = {
    "a public property, in its page, a part of it and its tag": Case(
        "PageEditor.size",
        VIEWS,
        (
            "resources/views/livewire/page-editor.blade.php:1",
            "resources/views/part.blade.php:2",
            "resources/views/show.blade.php:3",
        ),
    ),
    "a private property": Case("PageEditor.secret", VIEWS),
    "a parameter of a constructor": Case(
        "Welcome.receiver",
        {
            "app/Welcome.php": "<?php\nnamespace App;\nuse Illuminate\\Mail\\Mailable;\n"
            "class Welcome extends Mailable {\n"
            "    public function __construct(public $receiver) {}\n"
            "    public function build() { return $this->markdown('emails.m'); }\n}\n",
            "resources/views/emails/m.blade.php": "Hello\n{{ $receiver }}\n",
        },
        ("resources/views/emails/m.blade.php:2",),
    ),
    "a page of the name of the class": Case(
        "Welcome.receiver",
        {
            "app/Welcome.php": "<?php\nnamespace App;\nuse Illuminate\\View\\Component;\n"
            "class Welcome extends Component {\n"
            "    public $receiver;\n}\n",
            "resources/views/components/welcome.blade.php": "{{ $receiver }}\n",
        },
        ("resources/views/components/welcome.blade.php:1",),
    ),
    "an attribute, in a page of ERB": Case(
        "UserCard.size",
        {
            "app/user_card.rb": "class UserCard < ViewComponent::Base\n  attr_reader :size\nend\n",
            "app/user_card.html.erb": "<p>\n<%= @size %></p>\n",
            "app/other.html.erb": "<p><%= @size %></p>\n",
        },
        ("app/user_card.html.erb:2",),
    ),
    "a class without a base of a library": Case(
        "Welcome.receiver",
        {
            "app/Welcome.php": "<?php\nclass Welcome {\n    public $receiver;\n"
            "    public function build() { return view('welcome'); }\n}\n",
            "resources/views/welcome.blade.php": "{{ $receiver }}\n",
        },
    ),
}


@pytest.mark.parametrize("case", SHOWN)
def test_a_variable_of_a_page_may_be_a_member_of_the_object_that_it_shows(case: str, tmp_path: Path) -> None:
    check(SHOWN[case], tmp_path)


PAGE = (
    "package p;\npublic class Page {\n    private int totalCount;\n    int getTotalCount() { return totalCount; }\n}\n"
)
LOCATION = (
    "class Location\n  KEYS = %w[latitude latlng]\n  def latlng\n    1\n  end\n"
    "  def missing(key)\n    @object.__send__(key)\n  end\nend\n"
)
SCRIPT = "#!/bin/bash\nPORT=1\nexport PORT\n"
STRINGS = {
    "the path of a field": Case(
        "Page.totalCount", {"Page.java": PAGE, "a.js": 'x = {a: "data.totalCount"}\n'}, ("a.js:1",)
    ),
    "the path of what an accessor reads": Case(
        "Page.getTotalCount", {"Page.java": PAGE, "a.js": 'x = {a: "data.totalCount"}\n'}, ("a.js:1",)
    ),
    "a path as a key": Case("Page.totalCount", {"Page.java": PAGE, "a.js": 'x = {"data.totalCount": 1}\n'}),
    "a path to a plain word": Case(
        "Page.count", {"Page.java": PAGE.replace("totalCount", "count"), "a.js": 'x = {a: "data.count"}\n'}
    ),
    "a word of a list": Case("Location.latlng", {"l.rb": LOCATION}, ("l.rb:2",)),
    "a word of a list elsewhere, of plain language": Case(
        "Location.latlng", {"l.rb": LOCATION.replace(" latlng]", "]"), "k.rb": "WORDS = %w[other latlng]\n"}
    ),
    "a word of a list elsewhere that code which sends names reads": Case(
        "Location.latlng", {"l.rb": LOCATION.replace(" latlng]", "]"), "k.rb": "KEYS = %w[other latlng]\n"}, ("k.rb:1",)
    ),
    "a word of a list elsewhere, of two words": Case(
        "add_file", {"l.rb": "def add_file(x)\n  x\nend\n", "k.rb": "KEYS = %w(other add_file)\n"}, ("k.rb:1",)
    ),
    "the field of a form": Case(
        "ScenarioImport.merges",
        {
            "s.rb": "class ScenarioImport\n  attr_accessor :merges\nend\n",
            "x.html.erb": '<%= label_tag "scenario_import[merges][#{index}]" %>\n',
            "y.html": '<input name="scenario_import[merges]">\n',
        },
        ("x.html.erb:1", "y.html:1"),
    ),
    "the field of a form for another class": Case(
        "ScenarioImport.merges",
        {
            "s.rb": "class ScenarioImport\n  attr_accessor :merges\nend\n",
            "y.html": '<input name="branch[merges]">\n',
        },
    ),
    "a variable of a script": Case(
        "setup.sh::PORT",
        {
            "setup.sh": SCRIPT,
            "a.rb": 'port ENV.fetch("PORT") { 1 }\n',
            "a.py": "import os\n\nX = os.environ['PORT']\n",
            "a.js": "console.log(process.env.PORT);\n",
            "a.go": 'package a\n\nimport "os"\n\nvar x = os.Getenv("PORT")\n',
        },
        ("a.rb:1", "a.py:3", "a.js:1", "a.go:5"),
    ),
    "a key of the name of a script's variable": Case(
        "setup.sh::PORT", {"setup.sh": SCRIPT, "a.py": "X = {'PORT': 1}\nprint(X['PORT'])\n"}
    ),
}


@pytest.mark.parametrize("case", STRINGS)
def test_a_string_may_name_it_as_a_path_a_field_of_a_form_a_word_of_a_list_or_a_variable(
    case: str, tmp_path: Path
) -> None:
    check(STRINGS[case], tmp_path)


COLOURS = (
    "class Colours\n  RED = 1\n  def of(name)\n    self.class.const_get(name.upcase)\n  end\nend\n"
    "class Light < Colours\n  BLUE = 2\nend\nclass Other\n  GREEN = 3\nend\n"
)
TABLE = (
    "from lib import Base\n\n\ndef check_order(x):\n    return x\n\n\nclass Order(Base):\n    class Meta:\n"
    "        permissions = {'a': check_order}\n\n    @classmethod\n    def run(cls, key, x):\n"
)
UNNAMED = {
    "a constant, by a computed name": Case("Colours.RED", {"c.rb": COLOURS}, ("c.rb:4",)),
    "a constant of a class that is derived": Case("Light.BLUE", {"c.rb": COLOURS}, ("c.rb:4",)),
    "a constant of another class": Case("Other.GREEN", {"c.rb": COLOURS}),
    "a constant, by a name in capitals": Case(
        "Colours.RED",
        {
            "c.py": "class Colours:\n    RED = 1\n\n"
            "    def of(self, name):\n        return getattr(self, name.upper())\n"
        },
        ("c.py:5",),
    ),
    "a constant, by a text": Case(
        "Colours.RED",
        {
            "c.php": "<?php\nclass Colours {\n    const RED = 1;\n"
            "    function of($name) { return constant('self::' . $name); }\n}\n"
        },
        ("c.php:4",),
    ),
    "a function of a table that a class keeps": Case(
        "check_order", {"a.py": f"{TABLE}        return cls._meta.permissions[key](x)\n"}, ("a.py:14",)
    ),
    "a table that is read and not called": Case(
        "check_order", {"a.py": f"{TABLE}        return cls._meta.permissions[key]\n"}
    ),
    "a command of which a part is computed": Case(
        "run_tests", {"x.sh": "run_tests() {\n  echo\n}\nrun_$1\n"}, ("x.sh:4",)
    ),
    "a command of which another part is computed": Case(
        "run_tests", {"x.sh": "run_tests() {\n  echo\n}\nmake_$1\necho run_$1\n"}
    ),
    "a script that runs its arguments": Case("build", {"x.sh": 'build() {\n  echo\n}\n"$@"\n'}, ("x.sh:4",)),
    "a function that runs its arguments": Case(
        "build", {"x.sh": 'build() {\n  echo\n}\nquiet() {\n  "$@" >/dev/null\n}\n'}
    ),
}


@pytest.mark.parametrize("case", UNNAMED)
def test_what_code_runs_or_reads_without_its_name_is_left_open(case: str, tmp_path: Path) -> None:
    check(UNNAMED[case], tmp_path)


def test_a_target_is_found_behind_variables_of_another(tmp_path: Path) -> None:
    text = "a: X=1\na: H=' (with ä)'\na: b\n\t@echo\n\nall: clean b\n\t@echo\n\nclean:\n\trm x\n\nb:\n\techo\n"
    [found] = usages(encoded(tmp_path, {"Makefile": text}), "Makefile::clean").symbols

    assert found.complete
    assert [use.site for files in found.certain for use in files.usages] == ["6:6"]


def test_a_target_in_a_part_of_a_file_that_does_not_parse_is_left_open(tmp_path: Path) -> None:
    text = "clean:\n\trm x\n\na: b (\n\t@echo\n\nall: clean b\n\t@echo\n"
    [found] = usages(encoded(tmp_path, {"Makefile": text}), "Makefile::clean").symbols

    assert not found.complete
    assert lines_left(found) == ["Makefile:7"]


def test_what_may_call_the_functions_of_an_object_that_is_of_a_type_of_a_library_is_said(tmp_path: Path) -> None:
    text = (
        "interface Own { flush(): number }\n"
        "export const traps: ProxyHandler<any> = {\n  getPrototypeOf(state) { return state; },\n};\n"
        "export const own: Own = {\n  flush() { return 1; },\n};\n"
    )
    [trap, own] = usages(encoded(tmp_path, {"a.ts": text}), "traps.getPrototypeOf", "own.flush").symbols

    assert "the type of its object, ProxyHandler of a library" in trap.reason
    assert "outside the repository" not in own.reason


def test_words_of_a_document_that_git_takes_for_text_are_in_the_account(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.py": "def total():\n    return 1\n",
        "a.pdf": b"%PDF-1.4\n/total <<\n",
        "b.pdf": b"%PDF-1.4\n/total \0<<\n",
    }
    [found] = usages(encoded(tmp_path, files), "total").symbols

    assert found.account == {"definition": 1, "not_read": 1}
    assert found.complete


ACTIONS = """export interface Action { label: string; hint?: string; perform: (count: number) => number }
export const register = <T extends Action>(action: T) => action as T & {};
export const added = register({ label: "add", perform: (count) => count + 1 });
const texts = { label: "spread" };
export const spread = { ...texts, perform: (count: number) => count + 2 };
export const other = { perform: (count: number) => count - 1 };
export function run(action: Action) { return action.perform(1); }
export function replace(action: Action) { action.perform = (count) => count; }
"""


@pytest.mark.parametrize(
    ("symbol", "lines"), [("added.perform", ["a.ts:7"]), ("spread.perform", ["a.ts:7"]), ("other.perform", [])]
)
def test_a_function_of_an_object_may_be_called_as_a_member_of_a_type_that_it_fits(
    tmp_path: Path, symbol: str, lines: list[str]
) -> None:
    (found,) = usages(encoded(tmp_path, {"a.ts": ACTIONS}), symbol).symbols

    assert lines_left(found) == lines
    assert found.complete == (not lines)


ACCESSORS = """import type { Cart, Hook } from './types'
const hook = (() => () => {
  return {
    get total() { return 1 },
    get unread() { return 1 },
  }
}) as unknown as any
export const useCart = wrap(hook) as Hook
export const held = { get total() { return 2 }, get count() { return 3 } } as unknown
"""
TYPES = "export interface Cart { total: number; count: number }\nexport type Hook = () => Cart\n"
READS = """import { useCart } from './made'
const { total } = useCart()
export function show() { return useCart().count }
"""


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("hook.total", ["use.ts:2"]),
        ("hook.unread", []),
        ("held.total", ["use.ts:2"]),
        ("held.count", ["use.ts:3"]),
    ],
)
def test_an_accessor_of_an_object_that_is_cast_may_be_read_as_a_member_of_a_type(
    tmp_path: Path, symbol: str, lines: list[str]
) -> None:
    files = {"made.ts": ACCESSORS, "types.ts": TYPES, "use.ts": READS}
    (found,) = usages(encoded(tmp_path, files), symbol).symbols

    assert lines_left(found) == lines
    assert found.complete == (not lines)


HANDED_OUT = """import type { Hook } from './types'
export function count() { return 3 }
const hook = (() => () => {
  const stop = () => 1
  function reset() { return 2 }
  const idle = () => 3
  return { stop, reset, count }
}) as unknown as any
const lone = () => () => {
  const stop = () => 4
  return { stop, other: 1 }
}
const spread = () => (rest: object) => {
  const stop = () => 5
  return { ...rest, stop }
}
export const useCart = wrap(hook) as Hook
"""


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("hook.stop", ["use.ts:2"]),
        ("hook.reset", ["use.ts:3"]),
        ("hook.idle", []),
        ("count", ["use.ts:4"]),
        ("lone.stop", []),
        ("spread.stop", ["use.ts:2"]),
    ],
)
def test_a_function_that_a_literal_hands_out_may_be_meant_as_a_member_of_a_type_with_the_same_members(
    tmp_path: Path, symbol: str, lines: list[str]
) -> None:
    files = {
        "made.ts": HANDED_OUT,
        "types.ts": "export interface Cart { stop(): number; reset: () => number; count(): number; idle?(): number }\n"
        "export type Hook = () => Cart\n",
        "use.ts": "import { useCart } from './made'\nconst { stop } = useCart()\n"
        "export const again = useCart().reset()\nexport const all = useCart().count()\n",
    }
    (found,) = usages(encoded(tmp_path, files), symbol).symbols

    assert lines_left(found) == lines
    assert found.complete == (not lines)


def test_a_member_whose_name_is_a_value_may_be_used_anywhere(tmp_path: Path) -> None:
    text = "const KEY = 'key'\nexport function make() {\n  return { [KEY]: () => 1, plain: () => 2 }\n}\n"
    [computed, plain] = usages(encoded(tmp_path, {"a.ts": text}), "make.[KEY]", "make.plain").symbols

    assert not computed.complete
    assert "its name is a value" in computed.reason
    assert plain.complete


CHOICES: dict[str, dict[str, str | bytes]] = {
    "typescript": {
        "t.ts": "export interface Sums { totals: number; views: number; left: number }\n",
        "a.ts": "export function show(data: any) {\n  const { totals }: any = data || {};\n"
        "  const { left } = { right: 1 } as any;\n  return totals + left;\n}\n"
        "export function count(options = {}) {\n  return (options as any).views;\n}\n",
    },
    "lua": {
        "t.lua": "local Sums = {}\nfunction Sums:totals() return 1 end\nfunction Sums:views() return 2 end\n"
        "return Sums\n",
        "a.lua": "local function show(data)\n  data = data or {}\n  return data:totals()\nend\n",
    },
}


@pytest.mark.parametrize(
    ("language", "symbol", "places"),
    [
        ("typescript", "Sums.totals", {"a.ts:2"}),
        ("typescript", "Sums.views", {"a.ts:7"}),
        ("typescript", "Sums.left", set()),
        ("lua", "Sums.totals", {"a.lua:3"}),
    ],
)
def test_what_is_not_known_beside_an_empty_object_may_have_any_member(
    tmp_path: Path, language: str, symbol: str, places: set[str]
) -> None:
    (found,) = usages(encoded(tmp_path, CHOICES[language]), symbol).symbols

    assert may_mean(found) == places
    assert found.complete == (not places)


def test_a_function_that_too_many_callers_pass_may_be_called_where_a_type_takes_it(tmp_path: Path) -> None:
    callers = "".join(
        f"export function make{each}() {{\n  return run({{ loadPage: (n: number) => n + {each} }})\n}}\n"
        for each in range(14)
    )
    files: dict[str, str | bytes] = {
        "run.ts": "import type { Options } from 'lib'\n"
        "export function run({ loadPage, ...rest }: Omit<Options, 'x'> & { loadPage: (n: number) => number }) {\n"
        "  return { go: () => loadPage(1), ...rest }\n}\n",
        "make.ts": f"import {{ run }} from './run'\n{callers}",
    }
    (found,) = usages(encoded(tmp_path, files), "make3.loadPage").symbols

    assert "run.ts:3" in may_mean(found)
    assert not found.complete
