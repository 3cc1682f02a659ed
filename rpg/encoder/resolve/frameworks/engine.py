"""Which plug-ins a repository needs, and what they add once every name is resolved.

In: an evaluator, then outcomes. Out: values, changed outcomes, edges without a site.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, DECORATOR, MEMBER, ROLE, SITE_WORDS
from rpg.encoder.resolve.frameworks.celery import Celery
from rpg.encoder.resolve.frameworks.click import Click
from rpg.encoder.resolve.frameworks.django import Django
from rpg.encoder.resolve.frameworks.fastapi import FastAPI
from rpg.encoder.resolve.frameworks.flask import Flask
from rpg.encoder.resolve.frameworks.plugin import VIA, Mention, Plugin
from rpg.encoder.resolve.frameworks.pytest import Pytest
from rpg.encoder.resolve.frameworks.sqlalchemy import SQLAlchemy
from rpg.encoder.resolve.references.outcomes import Outcome, Target
from rpg.encoder.resolve.values.values import EXTERNAL, FILE, KIND, OWN_NAME, SYMBOL, Value, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate import Evaluator
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile

_PLUGINS: tuple[type[Plugin], ...] = (Celery, Click, Django, FastAPI, Flask, Pytest, SQLAlchemy)
_LIBRARIES = frozenset().union(*(plugin.library for plugin in _PLUGINS))


def find_frameworks(evaluator: Evaluator) -> Frameworks | None:
    """The frameworks that a repository uses; None if it uses none that is known."""
    imported = evaluator.program.table("imported", _imported_by)
    wanted = [plugin for plugin in _PLUGINS if not plugin.library.isdisjoint(imported)]
    if not wanted:
        return None
    held = packages(evaluator.program)
    plugins = [plugin(evaluator) for plugin in wanted if held.isdisjoint(plugin.own)]
    return Frameworks(evaluator, plugins) if plugins else None


def _imported_by(file: SourceFile) -> Iterator[tuple[str, int]]:
    """The framework libraries that a file imports."""
    tops = dict.fromkeys(
        each.module.partition(".")[0] for each in file.facts.imports if not each.level and each.kind != MEMBER
    )
    return ((top, file.index) for top in tops if top in _LIBRARIES)


def packages(program: Program) -> set[str]:
    """Names of the top-level packages outside tests."""
    found: set[str] = set()
    for path in program.paths():
        if not path.endswith("__init__.py"):
            continue  # most files
        folder, _, last = path.rpartition("/")
        above, _, name = folder.rpartition("/")
        inside = program.exists(f"{above}/__init__.py" if above else last)
        if last == "__init__.py" and not inside and not program.is_test(path):
            found.add(name)
    return found


class Frameworks:
    """The plug-ins in use, asked as one."""

    def __init__(self, evaluator: Evaluator, plugins: list[Plugin]) -> None:
        self.evaluator = evaluator
        self.plugins = plugins

    def parameter(self, file: SourceFile, scope: int, name: str) -> Values:
        return next(filter(None, (plugin.parameter(file, scope, name) for plugin in self.plugins)), ())

    def result(self, name: str, file: SourceFile, e: int) -> Values:
        top = name.partition(".")[0]
        return union([plugin.result(name, file, e) for plugin in self.plugins if top in plugin.library])

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

    def complete(self, file: SourceFile, outcomes: list[Outcome]) -> list[Mention]:
        """Completes the outcomes of a file's sites; returns the edges without a site."""
        self.registrations(file, outcomes)
        self.complete_method_calls(file, outcomes)
        found: list[Mention] = []
        for plugin in self.plugins:
            found += plugin.found(file)
        return found

    def registrations(self, file: SourceFile, outcomes: list[Outcome]) -> None:
        """A decorator that registers refers to the function that it decorates."""
        if not file.facts.decorators:
            return
        sites = file.facts.sites
        place = {
            sites[at]: at // SITE_WORDS for at in range(0, len(sites), SITE_WORDS) if sites[at + ROLE] == DECORATOR
        }
        for index, expressions in file.facts.decorators.items():
            for expression in expressions:
                site = place.get(expression)
                if site is not None and not outcomes[site].targets and self.registers(file, expression):
                    outcomes[site] = Outcome((Target(file.index, index, VIA, False),), "")

    def registers(self, file: SourceFile, expression: int) -> bool:
        self.evaluator.start()
        return any(
            value[KIND] == EXTERNAL and plugin.registers(value[OWN_NAME])
            for value in self.evaluator.eval(file, expression)
            for plugin in self.plugins
        )

    def complete_method_calls(self, file: SourceFile, outcomes: list[Outcome]) -> None:
        """`task.delay()` runs the function registered as the task."""
        names = {name for plugin in self.plugins for name in plugin.calls | plugin.mentions}.intersection(file.strings)
        if not names:
            return
        code, sites = file.code, file.facts.sites
        for site, outcome in enumerate(outcomes):
            if sites[SITE_WORDS * site + ROLE] != CALLED or outcome.targets:
                continue
            callee = code[sites[SITE_WORDS * site] + op.CALLEE]
            if code[callee] not in (op.ATTRIBUTE, op.PATH) or file.strings[code[callee + op.MEMBER]] not in names:
                continue
            name = file.strings[code[callee + op.MEMBER]]
            self.evaluator.start()
            targets = [
                Target(value[FILE], value[SYMBOL], VIA, name in plugin.calls)
                for value in self.evaluator.eval(file, code[callee + op.HOLDER])
                for plugin in self.plugins
                if (name in plugin.calls or name in plugin.mentions) and plugin.is_registered(value)
            ]
            if targets:
                outcomes[site] = Outcome(tuple(dict.fromkeys(targets)), "")
