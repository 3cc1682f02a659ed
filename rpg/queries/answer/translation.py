"""Translates a question of somebody who does not know the code into words of the code, with a local model.

In: a question whose evidence is weak, the repository's vocabulary near it, a model. Out: words and names for a second
search, or none: a grammar lets nothing else through, and of what the model writes only words that stand in the
repository are kept. A model that writes nothing useful changes nothing.

Absent: the search, and whether it is needed (answer.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rpg.models.answerer import Answerer, Message, Reading, Text
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.prompt import LONGEST_QUESTION, fill_template, mark_for, template
from rpg.stores.search.tables import term_key
from rpg.stores.search.unit_reads import list_known_terms
from rpg.text.words import is_word, text_terms

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

TEMPLATE = "translation.txt"
GRAMMAR = r"""
root ::= word (" " word){{0,{more}}}
word ::= [A-Za-z_] [A-Za-z0-9_.]{{1,{letters}}}
"""

Report = Callable[[str, int, int], None]


def translate_question(
    index: Index,
    question: str,
    vocabulary: list[str],
    answerer: Answerer,
    repository: str,
    report: Report = lambda stage, done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> str:
    """Words of the code for the question, separated by blanks; empty if the model has none. Raises MODEL_UNAVAILABLE
    and Interrupted."""
    report("loading the model", 0, 1)
    prompt = fitting(question, vocabulary, answerer, repository)
    if not prompt:
        return ""
    written = ""
    for event in answerer.stream(prompt, grammar=grammar(), max_tokens=weights.TRANSLATION_TOKENS, cancelled=cancelled):
        if isinstance(event, Reading):
            report("translating the question", event.read, event.of)
        elif isinstance(event, Text):
            written += event.text
    return " ".join(keep_known_words(index, written.split()))


def grammar() -> str:
    return GRAMMAR.format(more=weights.TRANSLATED_WORDS - 1, letters=weights.LONGEST_TRANSLATED - 1).strip()


def fitting(question: str, vocabulary: list[str], answerer: Answerer, repository: str) -> list[Message]:
    """With as much of the vocabulary as the model's context has room for; empty if not even the question fits."""
    room = answerer.context() - weights.TRANSLATION_TOKENS - weights.MARGIN
    names = "\n".join(vocabulary)
    while True:
        prompt = messages(question, names, repository)
        if sum(answerer.count([message.content for message in prompt])) <= room:
            return prompt
        if not names:
            return []
        names = names[: len(names) // 2]


def messages(question: str, names: str, repository: str) -> list[Message]:
    shortened = " ".join(question.split())[:LONGEST_QUESTION]
    values = {
        "mark": mark_for(shortened, names),
        "most": str(weights.TRANSLATED_WORDS),
        "names": names,
        "repository": repository or "this repository",
        "question": shortened,
    }
    return [Message(role, fill_template(text, values)) for role, text in template(TEMPLATE)]


def keep_known_words(index: Index, words: list[str]) -> list[str]:
    """The words of which an informative part occurs in the repository, each once."""
    parts = {word: [term for term in text_terms(word) if is_word(term)] for word in dict.fromkeys(words)}
    keys = {term_key(term): term for terms in parts.values() for term in terms}
    known = {keys[key] for key in list_known_terms(index, keys)}
    return [word for word, terms in parts.items() if known.intersection(terms)]
