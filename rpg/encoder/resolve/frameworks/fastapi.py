"""FastAPI: decorators register path operations and hooks; `Depends(f)` is the result of f.

In: decorators and calls. Out: registrations, and values of parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.resolve.frameworks.plugin import Plugin
from rpg.encoder.resolve.values.values import CLASS, FILE, FUNC, KIND, SYMBOL, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.source_file import SourceFile

_OPERATIONS = frozenset(
    "get put post delete options head patch trace api_route websocket route websocket_route on_event".split()
)


class FastAPI(Plugin):
    library = frozenset({"fastapi", "starlette"})
    own = frozenset({"fastapi", "starlette"})
    registrars = {  # noqa: RUF012
        "FastAPI": _OPERATIONS | {"middleware", "exception_handler"},
        "Starlette": _OPERATIONS | {"middleware", "exception_handler"},
        "APIRouter": _OPERATIONS,
    }

    def result(self, name: str, file: SourceFile, e: int) -> Values:
        if name.rpartition(".")[2] not in ("Depends", "Security"):
            return ()
        calls, containers = self.evaluator.calls, self.evaluator.containers
        found: list[Values] = []
        for value in calls.argument(file, e, 0, "dependency"):
            if value[KIND] not in (FUNC, CLASS):
                continue
            made = calls.result(value, None, 0)
            if value[KIND] == FUNC:
                here = self.files[value[FILE]]
                definition = here.definitions[value[SYMBOL]]
                if definition.scope in here.facts.yields:
                    made = containers.elements(made)
                elif "async" in definition.modifiers:
                    made = containers.await_values(made)
            found.append(made)
        return union(found)
