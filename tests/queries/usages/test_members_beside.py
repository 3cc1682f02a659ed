"""Where a class inherits a member from two others, a call of the one may run the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, usages

PYTHON = """\
class Model:
    def perform(self):
        return self.clean()

    def clean(self):
        return 1


class Mixin:
    def clean(self):
        return 2


class Late:
    def clean(self):
        return 3


class Delete(Mixin, Model, Late):
    pass
"""
JAVA = """\
package p;
interface Greets { String greet(); }
class Base { public String greet() { return "x"; } }
class Apart { public String greet() { return "y"; } }
class Both extends Base implements Greets {}
class Use { String go(Greets g) { return g.greet(); } }
"""
RUBY = """\
class Job
  def run
    prepare
  end

  def prepare
    1
  end
end

module Loud
  def shout
    prepare
  end

  def prepare
    2
  end
end

class Alarm < Job
  include Loud
end
"""
KOTLIN = """\
package q
interface Pings { fun ping(): Int = 0 }
open class Basis { fun ping(): Int = 1 }
class Twin : Basis(), Pings
fun go(p: Pings) = p.ping()
fun come(b: Basis) = b.ping()
"""
CPP = """\
struct First { virtual int turn() { return 1; } };
struct Second { virtual int turn() { return 2; } };
struct Third : First, Second {};
int go(First& one) { return one.turn(); }
"""


@pytest.mark.parametrize(
    ("path", "text", "symbol", "possible"),
    [
        pytest.param("a.py", PYTHON, "Mixin.clean", ["3:21"], id="the base that is named first"),
        pytest.param("a.py", PYTHON, "Late.clean", [], id="a base that is named later"),
        pytest.param("B.java", JAVA, "Base.greet", ["6:44"], id="a class, of an interface"),
        pytest.param("B.java", JAVA, "Apart.greet", [], id="a class that nothing inherits"),
        pytest.param("c.rb", RUBY, "Loud.prepare", ["3:5"], id="a module, of a superclass"),
        pytest.param("c.rb", RUBY, "Job.prepare", [], id="a superclass, of a module"),
        pytest.param("d.kt", KOTLIN, "Basis.ping", ["5:22"], id="a class, of an interface with a body"),
        pytest.param("d.kt", KOTLIN, "Pings.ping", [], id="an interface, of a class"),
        pytest.param("e.cpp", CPP, "Second.turn", [], id="C++ runs none of another base"),
    ],
)
def test_a_call_of_one_base_may_run_the_other(
    path: str, text: str, symbol: str, possible: list[str], tmp_path: Path
) -> None:
    root = encoded(tmp_path, {path: text})

    (found,) = usages(root, symbol).symbols

    assert [usage.site for group in found.possible for usage in group.usages] == possible
    assert found.complete == (not possible)


def test_a_library_may_call_what_takes_the_place_of_its_member_in_a_class_below(tmp_path: Path) -> None:
    text = (
        "from django.views.generic import ListView\n\n\n"
        "class Mixin:\n    def get_queryset(self):\n        return 2\n\n\n"
        "class Things(Mixin, ListView):\n    pass\n\n\nclass Plain:\n    def get_queryset(self):\n        return 3\n"
    )
    root = encoded(tmp_path, {"a.py": text})

    mixin, plain = usages(root, "Mixin.get_queryset", "Plain.get_queryset").symbols

    assert "ListView of a library, the base of a class below its own, may call it" in f"{mixin.note} {mixin.reason}"
    assert "ListView" not in f"{plain.note} {plain.reason}"


APART = """\
class Base:
    def save(self):
        return 1


class Mixin:
    def save(self):
        return super().save()


class Full(Mixin, Base):
    pass


class Wide(Base):
    def keep(self):
        return self.save()

    def save(self):
        return super().save()


class Bare(Base):
    def hold(self):
        return self.save()


class Loose(Base):
    def hold(self):
        return self.save()


class Tight(Mixin, Loose):
    pass


def go(base: Base):
    return base.save()
"""


def test_the_object_of_a_class_that_has_no_subclass_in_common_runs_no_other_member(tmp_path: Path) -> None:
    (found,) = usages(encoded(tmp_path, {"a.py": APART}), "Mixin.save").symbols

    # Neither its own super(), nor those of Wide and Bare; Loose shares Tight with it, and any Base may be a Full.
    assert [usage.site for group in found.possible for usage in group.usages] == ["30:21", "38:17"]
    assert not found.certain


SIDEWAYS = """\
class Low:
    def ring(self): ...

class One(Low):
    def ring(self):
        return super().ring()

class Two(Low):
    def ring(self): ...

class Both(One, Two):
    pass

class Three(Low):
    def ring(self):
        return super().ring()
"""


def test_super_runs_what_is_beside_only_in_a_class_with_a_common_subclass(tmp_path: Path) -> None:
    (found,) = usages(encoded(tmp_path, {"a.py": SIDEWAYS}), "Two.ring").symbols

    assert [usage.site for group in found.possible for usage in group.usages] == ["6:24"]


ASSIGNED = """\
class Clock {
  constructor(fixed) {
    if (fixed) this.now = () => fixed;
    const later = () => fixed;
    this.later = 1;
  }
  run() { return this.now() + this.later(); }
  now() { return 1; }
  later() { return 3; }
}
"""


def test_a_function_that_is_assigned_to_a_member_may_run_in_the_place_of_the_method(tmp_path: Path) -> None:
    root = encoded(tmp_path, {"clock.js": ASSIGNED})
    given, local = usages(root, "Clock.constructor.now", "Clock.constructor.later").symbols

    assert not given.complete
    assert "7:23" in [place.site for each in given.possible for place in each.usages]
    assert not local.possible
