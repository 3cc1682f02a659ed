"""Checks and stores texts that an agent has written.

In: texts by the mark of their subject. Out: which were kept, and why the others were not. A mark stands for the content
that was listed: after an edit it no longer exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries.lift.gone import drop_expired
from rpg.queries.lift.rules import packages_used, problem_with_feature, problem_with_title
from rpg.queries.lift.subjects import Subject, places, symbols
from rpg.stores.lifted_texts import Lifted, LiftedTexts
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

PROVENANCE = "agent"


class Judged(NamedTuple):
    kept: dict[str, str]
    """Texts by mark."""
    refused: dict[str, str]
    """Reasons by mark."""


def submit(index: Index, texts: Mapping[str, str], provenance: str = PROVENANCE) -> Judged:
    by_mark = {subject.mark: subject for subject in (*places(index), *symbols(index))} if texts else {}
    packages = packages_used(index)
    refused: dict[str, str] = {}
    kept: dict[str, Subject] = {}
    for mark, text in texts.items():
        subject = by_mark.get(mark)
        if subject is None:
            refused[mark] = f"nothing has the mark {quote_text(mark)}: it has changed since it was listed; list again"
        elif problem := problem_with(subject, text, packages):
            refused[mark] = problem
        else:
            kept[mark] = subject
    if kept:
        LiftedTexts(index.path).add({each.key: Lifted(texts[mark], provenance) for mark, each in kept.items()})
        drop_expired(index)
    return Judged({each.id: texts[mark] for mark, each in kept.items()}, refused)


def problem_with(subject: Subject, text: str, packages: frozenset[str]) -> str:
    return problem_with_title(text, packages) if subject.is_place else problem_with_feature(text, packages)
