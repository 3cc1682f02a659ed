"""The tool that takes features and titles from the connected agent. Served only if the user asks for it.

In: texts by mark. Out: how many were kept, and why each of the others was not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from rpg.queries.lift.submissions import submit
from rpg.tools.calling.arguments import GraphName
from rpg.tools.calling.call import Call, State
from rpg.tools.calling.field import Field

MOST = 100


@dataclass(frozen=True, kw_only=True)
class Submitted:
    kept: dict[str, str]
    """Texts by mark."""
    refused: dict[str, str]
    """Reasons by mark."""
    state: State = field(default_factory=State)


def submit_lifted(
    call: Call,
    texts: Annotated[dict[str, str], Field(min_length=1, max_length=MOST, description="Feature or title by mark")],
    graph: GraphName = "",
) -> Submitted:
    """Keep features and titles that you wrote for what list_unlifted listed. What breaks a rule is refused with the
    reason: rewrite it."""
    with call.view(graph) as view:
        judged = submit(view.index, texts)
        return Submitted(kept=judged.kept, refused=judged.refused, state=view.state)


def text(result: Submitted) -> str:
    refused = [f"  {mark}: {reason}" for mark, reason in result.refused.items()]
    head = f"kept {len(result.kept)}" + (f", refused {len(refused)}:" if refused else "")
    return "\n".join([head, *refused, *result.state.lines("")])


def found(result: Submitted) -> bool:
    return bool(result.kept)
