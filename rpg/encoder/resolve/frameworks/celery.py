"""Celery: decorators register tasks, which run later through methods that the task gets.

Out: what registers a task, and the methods that run it.
"""

from __future__ import annotations

from rpg.encoder.resolve.frameworks.plugin import Plugin


class Celery(Plugin):
    library = frozenset({"celery"})
    own = frozenset({"celery"})
    registrars = {"Celery": frozenset({"task"}), "": frozenset({"shared_task", "task", "periodic_task"})}  # noqa: RUF012
    calls = frozenset({"delay", "apply_async", "apply"})
    mentions = frozenset({"s", "si", "signature", "subtask"})
