"""A page of findings, for the tools that list them.

In: a view and what to list. Out: the findings that fit, their number by confidence, and their lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from rpg.queries.graph import budget
from rpg.queries.graph.budget import fit_answer, rows
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.unread import find_unread_languages, format_unread, languages_of
from rpg.queries.health.findings import Finding, HealthQuery
from rpg.queries.health.lines import finding_lines
from rpg.queries.names.notations import plain_path
from rpg.tools.calling.call import State, View
from rpg.tools.inventory import Page

Answer = TypeVar("Answer")

HEALTH_KINDS = ("unused", "duplicates", "cycles", "hubs")


@dataclass(frozen=True, kw_only=True)
class Findings:
    of: str
    total: dict[str, int] = field(default_factory=dict)
    """Number of all by confidence, listed or not."""
    findings: list[Finding] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Languages of which no use is read, if it is about what is unused: what they define is not among the findings."""
    next: str = ""
    state: State = field(default_factory=State)


def findings_page(
    view: View, page: Page, answer: Callable[[Findings], Answer], text: Callable[[Answer], str]
) -> Answer:
    from rpg.queries.health.audit import findings

    chosen = Filter(plain_path(page.path, view.folder), plain_path(page.exclude_path, view.folder))
    is_whole = not page.path and not page.exclude_path
    question = HealthQuery(
        view.index,
        view.header,
        chosen,
        is_whole,
        of_tests=page.tests == "only",
        from_graph_only=view.graph_only,
        folder=view.folder,
    )
    found = [each for each in findings(question, page.of) if page.name in each.what]
    unread = find_unread_languages(view.index, languages_of(view.index)) if page.of == "unused" else []
    request = (page.of, page.name, page.path, page.exclude_path, page.tests)
    first = budget.offset(page.cursor, *request)

    def head(parts: int) -> Answer:
        last = first + parts
        return answer(
            Findings(
                of=page.of,
                total=dict(Counter(each.confidence for each in found)),
                findings=found[first:last],
                unread=unread,
                next=budget.cursor(last, *request) if last < len(found) else "",
                state=view.state,
            )
        )

    return fit_answer(rows(len(found) - first, page.limit), head, text, page.max_tokens)


def findings_lines(each: Findings) -> Iterator[str]:
    total = ", ".join(f"{number} {confidence}" for confidence, number in each.total.items())
    none = f"none is known; {format_unread(each.unread)}" if each.unread else "none"
    yield f"{each.of}: {total or none}"
    for finding in each.findings:
        yield from finding_lines(each.of, finding)
    if each.unread and total:
        yield f"nothing of {' and '.join(each.unread)} is listed: {format_unread(each.unread)}"
    yield from each.state.lines(each.next)
