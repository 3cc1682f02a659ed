"""What a page shows of a view, and how everything on it is masked and escaped.

In: a view, a revision. Out: the review of the change; one function through which all data of a page goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpg.text.printable import make_printable
from rpg.tools.calling.masked import mask_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from rpg.queries.review.review import Review
    from rpg.queries.view.page import Shown
    from rpg.tools.calling.call import View


def build_shown(view: View, since: str, *, live: bool = False, found: Review | None = None) -> Shown:
    """`found`: the review since then, at which the page opens; else it is made. BAD_REQUEST if there is no such
    revision."""
    from dataclasses import asdict

    from rpg.queries.review.review import review
    from rpg.queries.tests_to_run.changed_code import find_changed_code
    from rpg.queries.view.page import Shown
    from rpg.repository import commit_of

    opens = "#/review" if found else ""
    changed: list[str] = []
    if since:
        root = view.root("`--since` compares with git")
        found = found or review(view.index, view.header, root, since, "")
        changed = [node.id for node in find_changed_code(view.index, root, commit_of(root, since)) if not node.is_file]
    return Shown(
        name=view.name,
        commit=view.state.commit,
        dirty=view.state.dirty,
        since=since,
        changed=changed,
        review=asdict(found) if found else None,
        opens=opens,
        live=live,
    )


def build_cleaner(view: View) -> Callable[[Any], Any]:
    """Masks secrets, unless the user shows them, and escapes what commands a terminal or turns the reading
    direction."""

    def cleaned(value: Any) -> Any:
        return printable(value if view.shows_secrets else mask_answer(value))

    return cleaned


def printable(value: Any) -> Any:
    if isinstance(value, str):
        return make_printable(value)
    if isinstance(value, list):
        return [printable(item) for item in value]
    if isinstance(value, dict):
        return {key: printable(item) for key, item in value.items()}
    return value
