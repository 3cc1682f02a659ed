"""Features and titles from a local model, batch by batch.

In: an index, a model. Out: texts beside the index, stored after every batch, so that a killed run resumes where it left
off; figures about it. A grammar lets a large model write nothing but numbered lines of plain words, and a small one a
phrase at a time (phrases.py); a text that still breaks the rules is counted, not tried again with that model, and the
derived one stays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rpg.models.answerer import Answerer, Message, Text
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.prompt import fill_template, mark_for, template
from rpg.queries.graph.sources import Sources
from rpg.queries.lift.gone import drop_expired
from rpg.queries.lift.phrases import find_describable, phrase
from rpg.queries.lift.rules import FEWEST, MOST, MOST_OF_TITLE, packages_used
from rpg.queries.lift.subjects import Subject, describe_subject, subjects
from rpg.queries.lift.submissions import problem_with
from rpg.stores.lifted_texts import Lifted, LiftedTexts
from rpg.text.features import VERBS

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

BATCH = 8
TOKENS_PER_LINE = 60
MARGIN = 32
STAGE = "lift"
PROVENANCE = "model"
ROOM = "rpg.queries.lift"
FEATURES = r"""
root ::= {lines}
feature ::= verb (" " word){{{fewest},{most}}}
word ::= [a-z] [a-z0-9-]{{0,17}}
verb ::= {verbs}
"""
TITLES = r"""
root ::= {lines}
title ::= [A-Z] [a-z]{{1,17}} (" " word){{0,{most}}}
word ::= [a-zA-Z] [a-z0-9-]{{1,17}}
"""

Report = Callable[[str, int, int], None]


class Written(NamedTuple):
    kept: int
    refused: int
    """Texts of the model that break the rules: the derived ones stay."""
    lifted: int
    """How many have a text of a model or an agent now."""
    left: int
    dropped: int
    """Dropped texts of code that has been gone for long."""


def lift(
    index: Index,
    answerer: Answerer,
    repository: str,
    limit: int = 0,
    report: Report = lambda stage, done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Written:
    """Describes at most `limit` subjects; 0: all. Raises MODEL_UNAVAILABLE and Interrupted."""
    store = LiftedTexts(index.path)
    given_up = f"refused: {answerer.name}"
    found = subjects(index, lambda lifted: bool(lifted.text) or lifted.provenance == given_up)
    is_small = answerer.parameters() < weights.CHOOSES_FROM
    wanted = found.unlifted
    if is_small:
        wanted = [each for each in wanted if find_describable(index, each) is not None]
    wanted = wanted[: limit or None]
    packages = packages_used(index)
    sources = Sources(index.source)
    kept = refused = 0
    for batch in batches(wanted):
        if cancelled():
            break
        report(STAGE, kept + refused, len(wanted))
        if is_small:
            lines = phrases(index, answerer, batch, sources, cancelled)
        else:
            lines = write_lines(
                answerer, batch, [describe_subject(index, each, sources) for each in batch], repository, cancelled
            )
        texts: dict[bytes, Lifted] = {}
        for number, subject in enumerate(batch, 1):
            text = lines.get(number, "")
            if problem_with(subject, text, packages):
                texts[subject.key] = Lifted("", given_up)
                refused += 1
            else:
                texts[subject.key] = Lifted(text, PROVENANCE)
                kept += 1
        store.add(texts)
    report(STAGE, len(wanted), len(wanted))
    dropped = drop_expired(index)
    after = subjects(index)
    return Written(kept, refused, after.lifted, len(after.unlifted), dropped)


def phrases(
    index: Index, answerer: Answerer, batch: Sequence[Subject], sources: Sources, cancelled: Callable[[], bool]
) -> dict[int, str]:
    """By number, as far as the model has any."""
    nodes = [(number, find_describable(index, each)) for number, each in enumerate(batch, 1)]
    found = {number: phrase(answerer, node, sources, cancelled) for number, node in nodes if node is not None}
    return {number: text for number, text in found.items() if text}


def batches(wanted: Sequence[Subject]) -> list[list[Subject]]:
    """Titles and features in separate batches."""
    found: defaultdict[bool, list[Subject]] = defaultdict(list)
    for subject in wanted:
        found[subject.is_place].append(subject)
    return [group[at : at + BATCH] for group in (found[True], found[False]) for at in range(0, len(group), BATCH)]


def write_lines(
    answerer: Answerer,
    batch: Sequence[Subject],
    texts: list[list[str]],
    repository: str,
    cancelled: Callable[[], bool],
) -> dict[int, str]:
    """Lines by number, as far as the model wrote them."""
    most = TOKENS_PER_LINE * len(batch)
    prompt = fitting(answerer, batch, texts, repository, answerer.context() - most - MARGIN)
    if not prompt:
        return {}
    pieces = [
        event.text
        for event in answerer.stream(prompt, grammar=grammar(batch), max_tokens=most, cancelled=cancelled)
        if isinstance(event, Text)
    ]
    found: dict[int, str] = {}
    for line in "".join(pieces).split("\n"):
        number, point, text = line.partition(". ")
        if point and number.isdecimal() and len(number) < 4:
            found[int(number)] = text
    return found


def fitting(
    answerer: Answerer, batch: Sequence[Subject], texts: list[list[str]], repository: str, room: int
) -> list[Message]:
    """Messages with as many lines of each subject as fit into the model's context; empty if not even the headings
    fit."""
    lines = max(map(len, texts), default=1)
    while lines:
        prompt = messages(batch, [text[:lines] for text in texts], repository)
        if sum(answerer.count([message.content for message in prompt])) <= room:
            return prompt
        lines //= 2
    return []


def messages(batch: Sequence[Subject], texts: list[list[str]], repository: str) -> list[Message]:
    blocks = [
        "\n".join([f"{number}. {text[0] if text else each.id}", *text[1:]])
        for number, (each, text) in enumerate(zip(batch, texts, strict=True), 1)
    ]
    code = "\n\n".join(blocks)
    values = {
        "mark": mark_for(repository, code),
        "repository": repository or "this repository",
        "code": code,
        "number": str(len(batch)),
        "fewest": str(FEWEST),
        "most": str(MOST),
        "most_of_title": str(MOST_OF_TITLE),
    }
    name = "titles.txt" if batch[0].is_place else "features.txt"
    return [Message(role, fill_template(text, values)) for role, text in template(name, ROOM)]


def grammar(batch: Sequence[Subject]) -> str:
    """A grammar for as many numbered lines as there are subjects. Verbs are grouped by their first letter: a grammar
    takes longer the more alternatives it has at once."""
    rule = "title" if batch[0].is_place else "feature"
    lines = r' "\n" '.join(f'"{number}. " {rule}' for number in range(1, len(batch) + 1))
    if rule == "title":
        return TITLES.format(lines=lines, most=MOST_OF_TITLE - 1).strip()
    rests: defaultdict[str, list[str]] = defaultdict(list)
    for verb in sorted(VERBS):
        rests[verb[0]].append(f'"{verb[1:]}"')
    verbs = " | ".join(f'"{letter}" ({" | ".join(ends)})' for letter, ends in rests.items())
    return FEATURES.format(lines=lines, fewest=FEWEST - 1, most=MOST - 1, verbs=verbs).strip()
