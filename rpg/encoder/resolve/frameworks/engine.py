"""Which plug-ins a repository needs, and what they add to it once every name is resolved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder.facts import ATTRIBUTE, CALLED, DECORATOR, PATH
from rpg.encoder.resolve.frameworks.celery import Celery
from rpg.encoder.resolve.frameworks.click import Click
from rpg.encoder.resolve.frameworks.django import Django
from rpg.encoder.resolve.frameworks.fastapi import FastAPI
from rpg.encoder.resolve.frameworks.flask import Flask
from rpg.encoder.resolve.frameworks.plugin import VIA, Mention, Plugin
from rpg.encoder.resolve.frameworks.pytest import Pytest
from rpg.encoder.resolve.program.test_files import is_test
from rpg.encoder.resolve.references.outcomes import Outcome, Target
from rpg.encoder.resolve.values.values import EXTERNAL, Value, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate import Inference
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.unit import Unit

_PLUGINS: tuple[type[Plugin], ...] = (Celery, Click, Django, FastAPI, Flask, Pytest)
_LIBRARIES = frozenset().union(*(plugin.library for plugin in _PLUGINS))


def in_use(inference: Inference) -> Frameworks | None:
    """The frameworks that a repository uses; None where it uses none that is known."""
    imported = inference.program.table("imported", _imported_by)
    wanted = [plugin for plugin in _PLUGINS if not plugin.library.isdisjoint(imported)]
    if not wanted:
        return None
    held = packages(inference.program)
    plugins = [plugin(inference) for plugin in wanted if held.isdisjoint(plugin.own)]
    return Frameworks(inference, plugins) if plugins else None


def _imported_by(unit: Unit) -> Iterator[tuple[str, int]]:
    """The frameworks' libraries that a file names."""
    tops = dict.fromkeys(each.module.partition(".")[0] for each in unit.facts.imports if not each.level)
    return ((top, unit.index) for top in tops if top in _LIBRARIES)


def packages(program: Program) -> set[str]:
    """Names of the packages outside tests that stand in no other package."""
    found: set[str] = set()
    for path in program.paths():
        folder, _, last = path.rpartition("/")
        above, _, name = folder.rpartition("/")
        inside = program.exists(f"{above}/__init__.py" if above else last)
        if last == "__init__.py" and not inside and not is_test(path):
            found.add(name)
    return found


class Frameworks:
    """The plug-ins at work, asked as one."""

    def __init__(self, inference: Inference, plugins: list[Plugin]) -> None:
        self.inference = inference
        self.plugins = plugins

    def parameter(self, unit: Unit, scope: int, name: str) -> Values:
        return next(filter(None, (plugin.parameter(unit, scope, name) for plugin in self.plugins)), ())

    def result(self, name: str, unit: Unit, e: int) -> Values:
        top = name.partition(".")[0]
        return union([plugin.result(name, unit, e) for plugin in self.plugins if top in plugin.library])

    def missing(self, value: Value, name: str) -> Values:
        return next(filter(None, (plugin.missing(value, name) for plugin in self.plugins)), ())

    def bound(self, value: Value, receiver: Value) -> Value:
        for plugin in self.plugins:
            value = plugin.bound(value, receiver)
        return value

    def survey(self) -> None:
        for plugin in self.plugins:
            plugin.survey()

    # After resolution

    def complete(self, unit: Unit, outcomes: list[Outcome]) -> list[Mention]:
        """Bring the outcomes of a unit's sites up to date; returns the edges that have no site."""
        self.registrations(unit, outcomes)
        self.through_methods(unit, outcomes)
        found: list[Mention] = []
        for plugin in self.plugins:
            found += plugin.found(unit)
        return found

    def registrations(self, unit: Unit, outcomes: list[Outcome]) -> None:
        """A decorator that registers refers to what it stands over."""
        if not unit.facts.decorators:
            return
        sites = unit.facts.sites
        place = {sites[at]: at // 3 for at in range(0, len(sites), 3) if sites[at + 1] == DECORATOR}
        for index, expressions in unit.facts.decorators.items():
            for expression in expressions:
                site = place.get(expression)
                if site is not None and not outcomes[site].targets and self.registers(unit, expression):
                    outcomes[site] = Outcome((Target(unit.index, index, VIA, False),), "")

    def registers(self, unit: Unit, expression: int) -> bool:
        self.inference.start()
        return any(
            value[0] == EXTERNAL and plugin.registers(value[1])
            for value in self.inference.eval(unit, expression)
            for plugin in self.plugins
        )

    def through_methods(self, unit: Unit, outcomes: list[Outcome]) -> None:
        """`task.delay()` runs the function that was registered as the task."""
        names = {name for plugin in self.plugins for name in plugin.calls | plugin.mentions}.intersection(unit.strings)
        if not names:
            return
        code, sites = unit.code, unit.facts.sites
        for site, outcome in enumerate(outcomes):
            if sites[3 * site + 1] != CALLED or outcome.targets:
                continue
            callee = code[sites[3 * site] + 2]
            if code[callee] not in (ATTRIBUTE, PATH) or unit.strings[code[callee + 3]] not in names:
                continue
            name = unit.strings[code[callee + 3]]
            self.inference.start()
            targets = [
                Target(value[1], value[2], VIA, name in plugin.calls)
                for value in self.inference.eval(unit, code[callee + 2])
                for plugin in self.plugins
                if (name in plugin.calls or name in plugin.mentions) and plugin.is_registered(value)
            ]
            if targets:
                outcomes[site] = Outcome(tuple(dict.fromkeys(targets)), "")
