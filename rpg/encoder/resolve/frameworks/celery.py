"""Celery: decorators register tasks, which run later through methods that the task gets, and by their names.

Out: what registers a task, the methods that run it, and edges for names in strings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rpg.encoder.resolve.frameworks.plugin import Mention, Plugin, find_named_strings, parse_declared_name

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.source_file import SourceFile

_TASKS = frozenset({"task", "shared_task", "periodic_task"})


class Celery(Plugin):
    library = frozenset({"celery"})
    own = frozenset({"celery"})
    registrars = {"Celery": frozenset({"task"}), "": _TASKS}  # noqa: RUF012
    calls = frozenset({"delay", "apply_async", "apply"})
    mentions = frozenset({"s", "si", "signature", "subtask"})

    @cached_property
    def tasks(self) -> dict[str, list[tuple[int, int]]]:
        """Name that a decorator gives to a task -> functions. By its path, a task is named as anything is."""
        return self.program.table("tasks", _tasks_of)

    def survey(self) -> None:
        assert self.tasks is not None

    def found(self, file: SourceFile) -> Iterator[Mention]:
        for name, maker, byte in find_named_strings(file, self.tasks):
            for target in self.tasks[name]:
                definition = self.program.definition(*target)
                if target[0] != file.index or not definition.start_byte <= byte < definition.body_byte:
                    yield Mention(maker, target, byte)


def is_task(decorator: str) -> bool:
    return decorator.partition("(")[0].rpartition(".")[2] in _TASKS


def _tasks_of(file: SourceFile) -> Iterator[tuple[str, tuple[int, int]]]:
    for index in file.facts.decorators:
        for text in file.definitions[index].decorators:
            name = parse_declared_name(text) if is_task(text) else ""
            if "." in name:
                yield name, (file.index, index)
