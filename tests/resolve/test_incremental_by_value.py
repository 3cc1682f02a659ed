"""An edit of what others see concerns them only if it comes to something else for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import edited
from repositories import write

MANY: dict[str, str | bytes] = {
    "lib/__init__.py": "",
    "lib/words.py": """\
import re
from lib import shapes


class Word:
    def __init__(self, text):
        self.text = text

    def length(self):
        return len(self.text)

    def __iter__(self):
        return letters(self)


def letters(word):
    return [Letter()]


class Letter:
    def length(self):
        return 1

    def drawn(self):
        return shapes.Line()


def shout(text, mark="!"):
    text = text.upper()
    return re.sub("x", text, mark)


def first(words):
    word = words[0]
    return Word(word)


def label(name):
    return shout(name)


def each(words):
    for word in words:
        yield first(word)
""",
    "lib/shapes.py": "class Line:\n    def length(self):\n        return 2\n\n    def bold(self):\n        return 3\n",
    "lib/held.py": "from lib import words\n\nkept = words\n",
    **{
        f"app/part{number}.py": f"""\
import html
from lib.words import Word, each, first, label, letters, shout
from lib.held import kept

letters(Word("a"))[0].length()


def text{number}(value):
    html.escape(value)
    for letter in Word(value):
        letter.drawn().bold()
    return shout(label(first(value).text)) + kept.first(value).length()


def all{number}(values):
    return [word.length() for word in each(values)]
"""
        for number in range(30)
    },
    "app/single.py": "from lib.words import shout\n\n\ndef single(value):\n    return shout(value, 'a')\n",
}
"""More files name all of it than are resolved for one edit."""
BY_VALUE = {
    "returns-the-same-otherwise": ("lib/words.py", 're.sub("x", text, mark)', 're.sub("y", mark, text)'),
    "returns-the-same-class": ("lib/words.py", "return Word(word)", "return Word(str(word))"),
    "yields-the-same": ("lib/words.py", "yield first(word)", "yield Word(word)"),
    "found-without-its-name-and-the-same": ("lib/words.py", "return letters(self)", "return letters(Word(self))"),
    "new-import-of-a-name-that-many-use": ("lib/shapes.py", "class Line", "import html\n\n\nclass Line"),
    "new-function-of-a-name-that-many-use": ("lib/shapes.py", "class Line", "def label(x):\n    pass\n\n\nclass Line"),
}
FROM_ALL = {
    "returns-another-class": ("lib/words.py", "return Word(word)", "return Letter()"),
    "yields-another-class": ("lib/words.py", "yield first(word)", "yield Letter()"),
    "found-without-its-name": ("lib/words.py", "    return [Letter()]", "    return [shapes.Line()]"),
    "parameter": ("lib/words.py", "def first(words):", "def first(words, *more):"),
}


@pytest.mark.parametrize(("path", "old", "new"), BY_VALUE.values(), ids=BY_VALUE)
def test_what_comes_to_the_same_concerns_nobody_else(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", MANY)
    assert edited(tmp_path, path, old, new).is_alone


@pytest.mark.parametrize(("path", "old", "new"), FROM_ALL.values(), ids=FROM_ALL)
def test_what_comes_to_something_else_concerns_all_who_name_it(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", MANY)
    assert not edited(tmp_path, path, old, new).is_alone


ROUNDABOUT: dict[str, str | bytes] = {
    "lib/__init__.py": "",
    "lib/near.py": "from . import lines\n\nfor each in lines.drawn():\n    each.length()\n",
    "lib/lines.py": "class Line:\n    def length(self):\n        return 1\n\n\ndef drawn():\n    return [Line()]\n",
    "lib/boxes.py": "class Box:\n    def length(self):\n        return 4\n\n\ndef drawn():\n    return [Box()]\n",
    "lib/all.py": "from lib.lines import drawn\n",
    "lib/held.py": "from lib import all\n\nkept = all\n",
    "lib/shapes.py": """\
from lib.lines import drawn


class Shapes:
    def __iter__(self):
        return drawn()
""",
    "lib/paint.py": """\
def painter(shape):
    def paint():
        return shape

    return paint


def brush():
    return painter(1)
""",
    "lib/types.py": "from lib import boxes, lines\n\nDrawn = lines.Line | None\n",
    "app/typed.py": "from lib.types import Drawn\n\n\ndef length(each: Drawn):\n    return each.length()\n",
    "lib/__main__.py": "from lib.lines import drawn\n",
    "typed/__init__.pyi": "from lib.lines import drawn\n",
    "typed/near.py": "from . import drawn\n\nfor each in drawn():\n    each.length()\n",
    "app/started.py": "from lib.__main__ import drawn\n\nfor each in drawn():\n    each.length()\n",
    "lib/kinds.py": "from lib.lines import (  # as (s) it is\n    drawn,\n)\n\n\nclass Kinds:\n    drawn = drawn\n",
    "app/through.py": """\
from lib.held import (  # what it (the module) keeps
    kept,
)

for each in kept.drawn():
    each.length()
""",
    "app/iterating.py": "from lib.shapes import Shapes\n\nfor each in Shapes():\n    each.length()\n",
    "app/inner.py": "from lib.paint import brush\n\nbrush()().length()\n",
    "lib/bases.py": "from lib import boxes, lines\n\n_Base = lines.Line\n",
    "app/below.py": "from lib.bases import _Base\n\n\nclass Below(_Base):\n    def length(self):\n        return 0\n",
    "lib/tins.py": "from lib.lines import Line\n\n\nclass Tin(Line):\n    depth = 1\n",
    "lib/cans.py": "class Can:\n    def __init__(self):\n        self.depth = self.height = 1\n",
    "app/lacking.py": "from lib.lines import Line\n\n\ndef measure(line: Line):\n    line.depth\n    line.height\n",
    "examples/redis/__init__.py": "LIMIT = 1\n",
    "examples/redis/run.py": "from redis import Redis\n\nRedis().run()\n",
    "examples/boxes/first.py": "from boxes import Box\n\nBox().length()\n",
    "examples/second.py": "import boxes\n\nboxes.first\n",
    "web/define.js": """\
module.exports = function define(object, name, getter) {
  Object.defineProperty(object, name, { get: getter });
};
""",
    "web/app.js": "exports.app = { read() {}, on() {} };\n",
    "web/request.js": """\
const define = require("./define");
const { app } = require("./app");
const request = { read() {} };
define(request, "host", function () { this.read(); });
const derived = Object.create(request, { app: { value: app } });
request.run = function () { this.app.read(); };
module.exports = derived;
""",
    "web/used.js": 'const made = require("./request");\nmade.app.read();\nmade.read();\n',
    "app/kinds.py": "from lib.kinds import Kinds\n\nfor each in Kinds.drawn():\n    each.length()\n",
}
SEEN_ROUNDABOUT = {
    "in-a-module-that-is-held": ("lib/all.py", "from lib.lines", "from lib.boxes"),
    "through-a-method-that-the-language-calls": ("lib/lines.py", "return [Line()]", 'return [Line(), open("x")]'),
    "by-a-method-that-the-language-calls": ("lib/shapes.py", "from lib.lines", "from lib.boxes"),
    "by-a-function-inside-that-is-given-something-else": ("lib/paint.py", "painter(1)", "painter([])"),
    "in-the-package-around": ("lib/__init__.py", "", "from lib import boxes as lines\n"),
    "in-a-module-that-is-run": ("lib/__main__.py", "from lib.lines", "from lib.boxes"),
    "in-a-stub-of-the-package-around": ("typed/__init__.pyi", "from lib.lines", "from lib.boxes"),
    "by-another-name-of-a-type": ("lib/types.py", "lines.Line", "boxes.Box"),
    "as-an-accessor": ("web/define.js", "get: getter", "kept: getter"),
    "as-the-accessor-of-something-else": ("web/define.js", "(object, name, getter)", "(name, object, getter)"),
    "on-what-is-made-from-it": ("web/app.js", "read() {}, on() {}", "on() {}"),
    "in-a-subclass": ("lib/tins.py", "depth", "height"),
    "in-what-is-no-subclass": ("lib/tins.py", "Tin(Line)", "Tin"),
    "in-a-package-named-like-a-library": (
        "examples/redis/__init__.py",
        "LIMIT = 1",
        "class Redis:\n    def run(self): ...",
    ),
    "in-a-folder-named-like-a-module": ("examples/second.py", "import boxes", "import boxes.first"),
    "as-a-base": ("lib/bases.py", "lines.Line", "boxes.Box"),
    "as-a-member-of-the-same-name": ("lib/kinds.py", "from lib.lines", "from lib.boxes"),
}


@pytest.mark.invariant("encoding", "an edit affects code that uses the edited symbol under another name")
@pytest.mark.parametrize(("path", "old", "new"), SEEN_ROUNDABOUT.values(), ids=SEEN_ROUNDABOUT)
def test_what_is_seen_by_another_name_is_followed(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", ROUNDABOUT)
    edited(tmp_path, path, old, new)


def test_a_name_that_only_a_function_inside_bears_is_no_longer_external(tmp_path: Path) -> None:
    write(tmp_path / "repo", ROUNDABOUT | {"app/unknown.py": "import lib\n\nlib.wash()\nwash()\n"})
    assert edited(
        tmp_path,
        "lib/paint.py",
        "    def paint():\n        return shape\n\n    return paint",
        "    def wash():\n        return shape\n\n    return wash",
    ).is_alone


PLATFORMS: dict[str, str | bytes] = {
    "src/commonMain/kotlin/Clock.kt": """\
package shop

expect class Clock {
    fun now(): Hand
}

expect fun zone(): Hand
""",
    "src/jvmMain/kotlin/Clock.kt": """\
package shop

actual class Clock {
    actual fun now(): Hand = Hand()
}

actual fun zone(): Hand = Hand()
""",
    "src/commonMain/kotlin/Hand.kt": """\
package shop

class Hand {
    fun turn() {}
}

class Spring {
    fun turn() {}
}
""",
    "src/commonMain/kotlin/Wind.kt": """\
package shop.wind

import shop.Clock
import shop.Hand
import shop.Spring

typealias Winding = Hand.(Int) -> Unit

fun String.wound(): Hand = Hand()

fun wind(times: Int = 1, body: Winding) {}

fun Hand.turned() {}

fun Hand.clock(): Clock = Clock()

fun Hand.turned(times: Int) {}
""",
    "src/commonMain/kotlin/Other.kt": """\
package shop.other

import shop.Hand

fun Hand.turned() {}
""",
    "src/jvmTest/kotlin/Run.kt": """\
package shop

import shop.wind.clock
import shop.wind.turned
import shop.wind.wind
import shop.wind.wound

fun run(clock: Clock, hand: Hand) {
    clock.now().turn()
    zone().turn()
    "a".wound().turn()
    wind(2) { turn() }
    hand.apply { turned() }.turned(1)
    hand.let { Spring() }.turn()
    "b".wound().clock().now().turn()
}
""",
    "src/commonTest/kotlin/All.kt": """\
package shop

import shop.wind.wind

fun all(clock: Clock) {
    clock.now().turn()
    zone().turn()
    wind { turn() }
}
""",
}
SEEN_IN_KOTLIN = {
    "what-a-platform-defines": (
        "src/jvmMain/kotlin/Clock.kt",
        "fun now(): Hand = Hand()",
        "fun now(): Spring = Spring()",
    ),
    "what-is-declared-for-all": ("src/commonMain/kotlin/Clock.kt", "expect fun zone", "fun zone"),
    "that-a-platform-defines-it": ("src/jvmMain/kotlin/Clock.kt", "actual fun zone", "actual fun zones"),
    "a-class-that-a-platform-defines": ("src/jvmMain/kotlin/Clock.kt", "actual class Clock", "actual class Watch"),
    "what-an-alias-extends": ("src/commonMain/kotlin/Wind.kt", "Winding = Hand.", "Winding = Spring."),
    "what-a-function-is-passed": ("src/commonMain/kotlin/Wind.kt", "body: Winding", "body: Spring.() -> Unit"),
    "a-default": ("src/commonMain/kotlin/Wind.kt", "times: Int = 1", "times: Int"),
    "what-an-extension-returns": (
        "src/commonMain/kotlin/Wind.kt",
        "wound(): Hand = Hand()",
        "wound(): Spring = Spring()",
    ),
    "what-an-extension-extends": ("src/commonMain/kotlin/Wind.kt", "fun String.wound", "fun Long.wound"),
    "what-an-extension-takes": ("src/commonMain/kotlin/Wind.kt", "turned(times: Int)", "turned(times: String)"),
    "the-package-of-extensions": ("src/commonMain/kotlin/Wind.kt", "package shop.wind", "package shop.wound"),
    "the-package-of-other-extensions": ("src/commonMain/kotlin/Other.kt", "package shop.other", "package shop"),
    "a-method-of-its-own": ("src/commonMain/kotlin/Hand.kt", "fun turn() {}", "fun turned() {}"),
    "an-import": ("src/jvmTest/kotlin/Run.kt", "import shop.wind.wound\n", ""),
    "what-a-function-gives": ("src/jvmTest/kotlin/Run.kt", "{ Spring() }", "{ this }"),
}


@pytest.mark.parametrize(("path", "old", "new"), SEEN_IN_KOTLIN.values(), ids=SEEN_IN_KOTLIN)
def test_what_kotlin_sees_in_other_files_is_followed(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", PLATFORMS)
    edited(tmp_path, path, old, new)


RIVALS: dict[str, str | bytes] = {
    "Step1.swift": "struct Cart {\n    func total() -> Int { 1 }\n}\n",
    "Step2.swift": "struct Cart {\n    func total() -> Int { 2 }\n}\n",
    "Use.swift": "func show(cart: Cart) -> Int { cart.total() }\n",
    "More.swift": "extension Cart {\n    func more() -> Int { total() }\n}\n",
}


@pytest.mark.parametrize("new", ["struct Basket", "protocol Cart", "func Cart() -> Int { 1 }\nstruct Other"])
def test_that_another_file_declares_a_type_too_is_followed(tmp_path: Path, new: str) -> None:
    write(tmp_path / "repo", RIVALS)
    edited(tmp_path, "Step1.swift", "struct Cart", new)


MACROS: dict[str, str | bytes] = {
    "src/lib.rs": "#[macro_use]\nmod rules;\nmod sale;\n",
    "src/rules.rs": "macro_rules! priced {\n    ($e:expr) => {\n        $e\n    };\n}\n\nfn priced() {}\n",
    "src/sale.rs": "fn sale() {\n    priced!(1);\n}\n",
}


@pytest.mark.parametrize(
    ("old", "new"), [("! priced", "! sold"), ("macro_rules! priced {", "macro_rules! sold {}\nmacro_rules! priced {")]
)
def test_that_another_file_defines_a_macro_is_followed(tmp_path: Path, old: str, new: str) -> None:
    write(tmp_path / "repo", MACROS)
    edited(tmp_path, "src/rules.rs", old, new)


SHADOWED: dict[str, str | bytes] = {
    "src/lib.rs": """\
mod packing;
use packing::{packed, Crate};

fn show() {
    let packed = packed();
    packed.open();
}
""",
    "src/packing.rs": """\
pub struct Crate;
impl Crate {
    pub fn open(&self) {}
}
pub fn packed() -> Crate {
    Crate
}
""",
}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("src/packing.rs", "packed() -> Crate", "packed() -> u8"),
        ("src/packing.rs", "fn packed", "fn wrapped"),
        ("src/lib.rs", "let packed", "let wrapped"),
    ],
)
def test_that_a_variable_hides_what_it_was_made_by_is_followed(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", SHADOWED)
    edited(tmp_path, path, old, new)


VARIANTS: dict[str, str | bytes] = {
    "src/lib.rs": "mod offers;\nuse offers::Free;\n\nfn free() {\n    Free;\n    offers::Fixed;\n}\n",
    "src/offers.rs": "pub use self::Offer::*;\n\npub enum Offer {\n    Fixed,\n    Free,\n}\n",
}


@pytest.mark.parametrize(
    ("old", "new"),
    [("Free", "Until"), ("Fixed,", "Fixed(u8),"), ("pub use", "use"), ("enum Offer", "enum Sale")],
)
def test_that_another_file_imports_all_variants_is_followed(tmp_path: Path, old: str, new: str) -> None:
    write(tmp_path / "repo", VARIANTS)
    edited(tmp_path, "src/offers.rs", old, new)


ACCESSORS: dict[str, str | bytes] = {
    "Named.java": "package shop;\n\ninterface Named {\n    Line getLine();\n}\n",
    "Line.java": "package shop;\n\nclass Line {\n    void step() {}\n}\n\nclass Other {\n    void step() {}\n}\n",
    "Cart.java": """\
package shop;

import lombok.Data;

@Data
class Cart implements Named {
    private Line line;
}
""",
    "Use.java": """\
package shop;

class Use {
    void run(Cart cart) {
        cart.getLine().step();
        cart.setLine(null);
    }
}
""",
}
MADE = {
    "the-annotation": ("Cart.java", "@Data\n", ""),
    "the-import": ("Cart.java", "import lombok.Data;\n", ""),
    "the-type": ("Cart.java", "private Line line", "private Other line"),
    "the-name": ("Cart.java", "private Line line", "private Line lines"),
    "whether-it-changes": ("Cart.java", "private Line line", "private final Line line = null"),
    "that-it-is-written": ("Cart.java", "line;\n", "line;\n\n    public Line getLine() { return line; }\n"),
    "what-it-overrides": ("Named.java", "getLine", "getLines"),
}


@pytest.mark.parametrize(("path", "old", "new"), MADE.values(), ids=MADE)
def test_what_the_compiler_makes_of_a_field_is_followed(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", ACCESSORS)
    edited(tmp_path, path, old, new)


UNNAMED: dict[str, str | bytes] = {
    "User.java": "package shop;\n\nclass User {\n    private Line line;\n    Line getLine() { return line; }\n}\n",
    "Line.java": "package shop;\n\nclass Line {\n    void step() {}\n}\n",
    "Sum.kt": """\
package shop

class Sum(val line: Line) {
    operator fun plus(other: Sum): Sum = other
    operator fun component1(): Line = line
}

data class Pair(val one: Line, val two: Sum)
""",
    "Use.kt": """\
package shop

fun run(user: User, a: Sum, b: Sum, pair: Pair) {
    user.line.step()
    (a + b).line.step()
    val (line) = a
    line.step()
    val (one, two) = pair
    one.step()
}
""",
    "Read.java": "package shop;\n\nclass Read {\n    void run(Sum sum) { sum.getLine().step(); }\n}\n",
}
OTHERWISE = {
    "an-accessor": ("User.java", "getLine", "getLines"),
    "what-a-property-is": ("User.java", "private Line", "public Line"),
    "an-operator": ("Sum.kt", "fun plus", "fun minus"),
    "what-an-operator-takes": ("Sum.kt", "plus(other: Sum)", "plus(other: Line)"),
    "what-an-operator-returns": ("Sum.kt", "Sum): Sum", "Sum): Line"),
    "a-component": ("Sum.kt", "component1", "component2"),
    "the-order-of-fields": ("Sum.kt", "val one: Line, val two: Sum", "val two: Sum, val one: Line"),
    "that-parts-have-an-order": ("Sum.kt", "data class", "class"),
    "a-property": ("Sum.kt", "val line", "val lines"),
}


@pytest.mark.parametrize(("path", "old", "new"), OTHERWISE.values(), ids=OTHERWISE)
def test_what_runs_without_being_named_is_followed(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", UNNAMED)
    edited(tmp_path, path, old, new)


ABOVE: dict[str, str | bytes] = {
    "C.java": """\
package s;

class C {
    static final int MOST = 1;

    void foo() {}

    static class Inner {
        void go() {}
    }
}
""",
    "B.java": "package s;\n\nclass B {\n}\n",
    "A.java": "package s;\n\nclass A extends B {\n}\n",
    "D.java": """\
package s;

import static s.A.MOST;

class D extends A {
    int most = MOST;

    void run(Inner inner) {
        foo();
        inner.go();
    }
}
""",
}
ABOVE_EDITS = {
    "a-base": ("B.java", "class B {", "class B extends C {"),
    "a-type-in-a-base": ("B.java", "class B {", "class B {\n    static class Inner {\n        void go() {}\n    }\n"),
    "a-type-of-its-name": ("A.java", "class A", "class Inner {\n}\n\nclass A"),
    "a-constant-of-a-base": ("B.java", "class B {", "class B {\n    static final int MOST = 2;\n"),
    "a-method-of-a-base": ("B.java", "class B {", "class B {\n    void foo() {}\n"),
}


@pytest.mark.parametrize(("path", "old", "new"), ABOVE_EDITS.values(), ids=ABOVE_EDITS)
def test_what_is_inherited_from_far_above_is_followed(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", ABOVE)
    edited(tmp_path, path, old, new)


SPECS: dict[str, str | bytes] = {
    "app/models/user.rb": "class User\n  def admin?\n  end\nend\n\nclass Author\n  def admin?\n  end\nend\n",
    "spec/factories.rb": "FactoryBot.define do\n  factory :user do\n    factory :admin\n  end\nend\n",
    "spec/user_spec.rb": """\
describe User do
  let(:admin) { create(:admin) }

  it "is one" do
    admin.admin?
    subject.admin?
  end
end
""",
}
MADE_IN_SPECS = {
    "the-class": ("spec/factories.rb", "factory :user do", "factory :user, class: Author do"),
    "the-factory": ("spec/factories.rb", "factory :admin", "factory :owner"),
    "the-name": ("spec/user_spec.rb", "let(:admin)", "let(:owner)"),
    "the-group": ("spec/user_spec.rb", "describe User", "describe Author"),
    "the-title": ("spec/user_spec.rb", '"is one"', '"is another"'),
}


@pytest.mark.parametrize(("path", "old", "new"), MADE_IN_SPECS.values(), ids=MADE_IN_SPECS)
def test_what_specs_name_and_factories_make_is_followed(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", SPECS)
    edited(tmp_path, path, old, new)


GUESSED: dict[str, str | bytes] = {
    "till.py": "class Till:\n    def put(self, coin): ...\n\n    def take(self, coin, *, now): ...\n",
    "box.py": "class Box:\n    def put(self, one, two, three, four):\n        return one\n",
    "use.py": "def go(thing):\n    thing.put(1)\n    thing.put(1, 2, 3, 4)\n    thing.take(1)\n",
    "Till.java": "class Till {\n    void put(int coin) {}\n}\n",
    "Use.java": "class Use {\n    void go() {\n        missing.put(1);\n        missing.put(1, 2);\n    }\n}\n",
}
TAKEN = {
    "one-more": ("till.py", "def put(self, coin)", "def put(self, coin, other)"),
    "a-default": ("box.py", "one, two, three, four", "one, two=None, three=..., four=4"),
    "any-number": ("box.py", "one, two, three, four", "*more"),
    "a-keyword-less": ("till.py", "coin, *, now", "coin"),
    "a-keyword-with-a-default": ("till.py", "coin, *, now", "coin, *, now=1"),
    "a-decorator": ("till.py", "    def put", "    @wrapped\n    def put"),
    "the-call": ("use.py", "thing.put(1)", "thing.put(1, 2, 3)"),
    "java-one-more": ("Till.java", "int coin", "int coin, int other"),
    "java-any-number": ("Till.java", "int coin", "int... coins"),
}


@pytest.mark.parametrize(("path", "old", "new"), TAKEN.values(), ids=TAKEN)
def test_how_many_arguments_a_member_takes_concerns_who_may_call_it(
    tmp_path: Path, path: str, old: str, new: str
) -> None:
    write(tmp_path / "repo", GUESSED)
    before, after, _ = edited(tmp_path, path, old, new)
    assert before.read_bytes() != after.read_bytes()
