"""A written answer: a model writes it from the evidence, and what the evidence does not support is removed or reported.

In: an index, a question, a model or none. Out: the evidence, and with a model the text, in which every citation is
valid, with a verdict on its claims. Without a model, or without evidence, nothing is written.

Absent: rendering.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from rpg.errors import BadRequest
from rpg.models.answerer import Answerer, Finished, Interrupted, Reading, Text
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.citations import Flagged, Lines, check, merge_lines, only_valid
from rpg.queries.answer.claims import Sifted, sift_claims
from rpg.queries.answer.evidence import NO_FILTERS, Candidates, Evidence, Filters, find, pack_evidence
from rpg.queries.answer.prompt import NOT_FOUND, grammar, messages
from rpg.queries.answer.retelling import retell
from rpg.queries.answer.translation import translate_question
from rpg.queries.answer.vocabulary import vocabulary
from rpg.queries.search.meaning.model_meaning import QuestionEmbedder
from rpg.stores.index.place_reads import list_names_used_among
from rpg.stores.index.symbol_reads import list_names_among

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Mode = Literal["auto", "extract"]
Report = Callable[[str, int, int], None]
"""Called with the name of a stage, how much of it is done, and how much there is."""

NOTHING_SUPPORTED = "nothing that the model wrote is supported by the evidence: read the evidence itself"
WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, kw_only=True)
class Written:
    """How it was written."""

    model: str
    load_seconds: float
    prompt_tokens: int
    tokens: int
    prompt_seconds: float
    seconds: float

    @property
    def tokens_per_second(self) -> float:
        return round(self.tokens / self.seconds, 1) if self.seconds else 0.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    evidence: Evidence
    text: str = ""
    """Every [path:start-end] in it is inside the evidence. Empty without a model."""
    found: bool = True
    """False if there is no evidence, or the model finds no answer in it."""
    grounded: bool = False
    """Every claim has a citation."""
    citations: list[Lines] = field(default_factory=list)
    removed: int = 0
    """How many citations were removed because they were not inside the evidence."""
    repeated: int = 0
    """How many claims were left out because they were made before."""
    unsupported: int = 0
    """How many were left out because the lines that they cite do not show what they name."""
    flagged: list[Flagged] = field(default_factory=list)
    """Sentences with names that neither the graph nor the evidence knows."""
    cut: bool = False
    """Whether it was stopped: at its maximum length, at the time limit, or by the caller."""
    written: Written | None = None
    note: str = ""
    vocabulary: list[str] = field(default_factory=list)
    """Words of this code close to the question, if the evidence is weak: for the `terms` of a second question."""
    terms: str = ""
    """Words of the code that the model gave for the question, if the evidence without them was weak."""
    is_of_model: bool = False
    """Whether the evidence depends on the model: on words that it gave, or on how much it reads."""


def answer(
    index: Index,
    question: str,
    *,
    max_tokens: int,
    top_k: int = weights.MOST_PIECES,
    mode: Mode = "auto",
    filters: Filters = NO_FILTERS,
    answerer: Answerer | None = None,
    model: QuestionEmbedder | None = None,
    in_code: str = "",
    repository: str = "",
    report: Report = lambda stage, done, total: None,
    on_text: Callable[[str], None] = lambda text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Answer:
    """`in_code`: words and names that the code may use for the question. If there are none and the evidence is weak,
    a model that is large enough is asked for some first.

    `max_tokens` and `top_k` limit the returned evidence: tokens (bytes / 4) and pieces. A model gets as much as its
    context holds and as it reads in a reasonable time; one that is too small to choose retells the best excerpts, one
    by one.

    `on_text` receives the text while it is written, sentence by sentence, already checked. Raises MODEL_UNAVAILABLE,
    Interrupted, and BAD_REQUEST if not even the question fits into the model's context.
    """
    found = find(index, question, filters, model, in_code)
    writes = answerer if mode == "auto" else None
    ends = time.monotonic() + (writes.seconds or float("inf")) if writes is not None else 0.0

    def is_over() -> bool:
        return cancelled() or time.monotonic() > ends

    terms = ""
    is_unclear = not in_code and not found.coverage.in_code and bool(found.question.terms)
    if writes is not None and is_unclear and chooses(writes, report):
        near = vocabulary(index, found, (), weights.EVIDENCE_TOKENS)
        try:
            terms = translate_question(index, question, near, writes, repository, report, is_over)
        except Interrupted:
            if cancelled():
                raise
        found = find(index, question, filters, model, terms) if terms else found
    room = max_tokens if found.coverage.in_code or in_code else int(max_tokens * (1 - weights.VOCABULARY_SHARE))
    evidence = pack_evidence(index, found, room, top_k)
    if not evidence.pieces:
        return Answer(evidence=evidence, found=False, note=evidence.doubt, terms=terms)
    if writes is None:
        return Answer(
            evidence=evidence, note=evidence.doubt, vocabulary=offer_vocabulary(index, found, evidence, max_tokens)
        )
    if evidence.doubt and not in_code and not chooses(writes, report):
        # What it retells of the wrong code is true, and leads nowhere: 4 of 26 such answers helped, 16 of the other 34.
        return Answer(
            evidence=evidence,
            note=join_notes(evidence.doubt, "the model is too small to be asked about it"),
            vocabulary=offer_vocabulary(index, found, evidence, max_tokens),
        )
    try:
        if chooses(writes, report):
            told = write_answer(index, found, writes, repository, report, on_text, is_over)
            told = replace(told, is_of_model=True)
        else:
            told = retold(index, evidence, writes, report, on_text, is_over)
    except Interrupted:
        if cancelled():
            raise
        told = Answer(evidence=evidence, cut=True, note=evidence.doubt)
    if told.cut and not cancelled() and is_over():
        stopped = f"the model was stopped after {writes.seconds:g} s: --time-limit gives it more"
        told = replace(told, note=join_notes(stopped, told.note))
    return replace(told, terms=terms, is_of_model=told.is_of_model or bool(terms))


def chooses(answerer: Answerer, report: Report) -> bool:
    """Whether the model is large enough to get the whole evidence, and words that it does not know the meaning of."""
    report("loading the model", 0, 1)
    return answerer.parameters() >= weights.CHOOSES_FROM


def retold(
    index: Index,
    evidence: Evidence,
    answerer: Answerer,
    report: Report,
    on_text: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> Answer:
    told = retell(index, evidence, answerer, report, on_text, cancelled)
    how = Written(
        model=answerer.name,
        load_seconds=answerer.load_seconds(),
        prompt_tokens=told.prompt_tokens,
        tokens=told.tokens,
        prompt_seconds=told.prompt_seconds,
        seconds=told.seconds,
    )
    note = "" if told.sentences else NOTHING_SUPPORTED
    return Answer(
        evidence=evidence,
        text=told.text,
        grounded=bool(told.sentences),
        citations=told.citations,
        cut=told.is_cut,
        written=how,
        note=join_notes(note, evidence.doubt),
    )


def offer_vocabulary(index: Index, found: Candidates, evidence: Evidence, max_tokens: int) -> list[str]:
    """Empty if the evidence is good, or was found by words of the code."""
    if evidence.coverage.in_code or evidence.question.in_code:
        return []
    shown = {piece.node.row for piece in (*evidence.pieces, *evidence.outlines)}
    return vocabulary(index, found, shown, max_tokens)


def write_answer(
    index: Index,
    found: Candidates,
    answerer: Answerer,
    repository: str,
    report: Report,
    on_text: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> Answer:
    context = answerer.context()
    limit = min(weights.ANSWER_TOKENS, int(context * weights.ANSWER_SHARE))
    pack = max(weights.LEAST_PACK, int(answerer.reading_speed() * weights.READING_SECONDS))
    evidence = fitting(index, found, answerer, repository, min(context - limit, pack), context)
    streamed = Streamed(evidence, on_text)
    finished = None
    tokens = 0
    for event in answerer.stream(
        messages(evidence, repository),
        grammar=grammar(evidence.lines),
        max_tokens=limit,
        cancelled=lambda: cancelled() or streamed.is_repeating,
    ):
        if isinstance(event, Reading):
            report("reading the evidence", event.read, event.of)
        elif isinstance(event, Text):
            streamed.add(event.text)
            tokens += 1
            report("writing", tokens, limit)
        else:
            finished = event
    return check_answer(index, streamed, answerer, finished)


def fitting(index: Index, found: Candidates, answerer: Answerer, repository: str, room: int, context: int) -> Evidence:
    """As much evidence as there is room for, counted by the model's own tokenizer."""
    budget = weights.EVIDENCE_TOKENS
    for _ in range(weights.ATTEMPTS):
        evidence = pack_evidence(index, found, budget)
        used = sum(answerer.count([message.content for message in messages(evidence, repository)])) + weights.MARGIN
        if used <= room:
            return evidence
        budget = int(min(budget, evidence.tokens) * min(weights.SMALLER, room / used))
        if budget < weights.LEAST_EVIDENCE:
            break
    raise BadRequest(
        f"the question and the least evidence for it do not fit into the context of {answerer.name} "
        f"({room} tokens are left for them): ask in fewer words, or give the model a larger context"
    )


def check_answer(index: Index, streamed: Streamed, answerer: Answerer, finished: Finished | None) -> Answer:
    evidence = streamed.evidence
    how = None
    if finished:
        how = Written(
            model=answerer.name,
            load_seconds=answerer.load_seconds(),
            prompt_tokens=finished.prompt_tokens,
            tokens=finished.tokens,
            prompt_seconds=finished.prompt_seconds,
            seconds=finished.seconds,
        )
    cut = finished is not None and finished.reason != "end" and not streamed.is_repeating
    claims = streamed.claims()
    text = claims.text if cut or streamed.is_repeating else claims.text + claims.rest
    if streamed.raw.strip().rstrip(".") == NOT_FOUND:
        note = join_notes("the model finds no answer in the evidence", evidence.doubt)
        return Answer(evidence=evidence, found=False, written=how, note=note)
    checked = check(text.strip(), evidence.lines, lambda names: find_known_names(index, evidence, names))
    note = ""
    if not checked.claims:
        note = NOTHING_SUPPORTED
    elif cut:
        note = "the answer was cut off at the end of the model's context"
    return Answer(
        evidence=evidence,
        text=checked.text,
        grounded=checked.grounded,
        citations=checked.citations,
        removed=checked.removed,
        repeated=claims.repeated,
        unsupported=claims.unsupported,
        flagged=checked.flagged,
        cut=cut,
        written=how,
        note=join_notes(note, evidence.doubt),
    )


def join_notes(*notes: str) -> str:
    return "; ".join(filter(None, notes))


class Streamed:
    """Incoming text; sentences are passed on once they are complete and checked."""

    def __init__(self, evidence: Evidence, on_text: Callable[[str], None]) -> None:
        self.raw = ""
        self.evidence = evidence
        self._given = merge_lines(evidence.lines)
        self._on_text = on_text
        self._out = ""
        self.is_repeating = False
        """Whether the last claims were made before, so that nothing new is to come."""

    def add(self, text: str) -> None:
        self.raw += text
        if "]" not in self.raw[-len(text) - 2 :]:
            return  # no claim can have ended here
        claims = self.claims()
        self.is_repeating = claims.last_repeated >= weights.REPEATED_CLAIMS
        ready, _ = only_valid(claims.text, self._given)
        if ready.startswith(self._out) and len(ready) > len(self._out):
            self._on_text(ready[len(self._out) :])
            self._out = ready

    def claims(self) -> Sifted:
        return sift_claims(self.raw, self.evidence)


def find_known_names(index: Index, evidence: Evidence, names: Collection[str]) -> set[str]:
    """The names that are symbols, are used by code of this repository, or occur in the evidence or the question."""
    shown = [text for piece in (*evidence.pieces, *evidence.outlines) for text in piece.texts]
    found = set(WORD.findall(" ".join([evidence.question.text, *shown]))).intersection(names)
    left = sorted(set(names) - found)
    return found.union(list_names_among(index, left), list_names_used_among(index, left))
