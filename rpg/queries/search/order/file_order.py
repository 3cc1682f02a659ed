"""One order of files and symbols for a query in words: each file stands where its best symbols together put it, and its
further symbols come after other files.

In: hits by score, best first, and what was asked. Out: the same hits in the order in which they are shown, with scores
that fall.

    file  = (score of its best hit + OTHERS * sum of its other hits, each counting OTHERS_FALL of the one before)
            * (1 + NAMED_FILE * share of the words of its name that are asked for) * SET_ASIDE for old and side code
            * OF_PLATFORM for what is only for one that is not asked for
    hit   = file * score of the hit / score of the file's best * AGAIN for every better hit of the file

Whoever describes in a sentence what a function does wants that function, whatever is around it: then only AGAIN counts.
Absent: which hits there are (ranked_hits.py, question_order.py), names (own_name.py, names.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from rpg.queries.graph.filters import find_platform, is_set_aside, version_of
from rpg.queries.search.hits import Hit
from rpg.queries.search.order import ranking_weights as weights
from rpg.queries.search.order.question_order import begins_like_question
from rpg.text import words

_WORD = re.compile(r"[A-Za-z']+")
_LEADING = re.compile(r"^\W*(\([^)]*\)\s*)?")
_STATES = re.compile(r"(is|are|should|can|must|will|was|has|have)\b", re.IGNORECASE)
_HEADED = re.compile(r"[\w./-]+(\([^)]*\))?!?:\s")
"""What messages begin with that name a kind of change or a part first: `fix(parser): `, `tree: `."""
_LIST = re.compile(r"\w+\s*(,|and\b|or\b|&)", re.IGNORECASE)
_FOR_FOLDER = frozenset({"__init__", "index", "init", "mod"})
"""Names of files that stand for their folder."""
_PATH = re.compile(r"[\w.@+/-]*[\w@+-]\.[A-Za-z]\w{0,4}(?=[:,;)\]\"'`\s]|$)")
"""A path or the name of a file in a text."""
_OF_SENTENCES = frozenset(
    "a an are be been has have if is it its must not should that the these this those was were when whether"
    " will".split()
)
"""Words that a sentence has, and a topic or a title seldom: `the`, `is`, `if`."""
_ACTS = frozenset(
    "add allow apply avoid build calculate call change check close compare compute convert copy count create decode"
    " delete deprecate determine disable document drop enable encode ensure export extract fetch find fix flush format"
    " generate get group handle improve include initialize insert iterate join keep load make merge open optimize parse"
    " print provide raise read receive register remove render replace report reset return rewrite run save send set"
    " split start stop support throw transform update use validate warn wrap write yield".split()
)
"""Verbs with which a comment begins that says what a function does, or a message that says what was done to it."""


def is_sentence(text: str) -> bool:
    """Whether a query says in a sentence what code does, as comments and messages do; not a topic, not a question."""
    text = _LEADING.sub("", text.strip())
    if "\n" in text or _HEADED.match(text):
        return True
    spoken = [word.lower() for word in _WORD.findall(text)]
    states = _STATES.match(text) is not None and not text.endswith("?")
    if not spoken or (begins_like_question(text) and not states) or spoken[0].endswith("ing"):
        return False
    if len(spoken) > 2 and text.endswith(".") and not text.endswith(".."):
        return True
    acts = len(spoken) > 2 and (spoken[0] in _ACTS or _plain(spoken[0]) in _ACTS)
    if spoken[0] in _ACTS and _LIST.match(text):
        return False  # several acts are a topic: "insert and batch insert operations"
    return acts or not _OF_SENTENCES.isdisjoint(spoken)


def _plain(verb: str) -> str:
    """`returns` as `return`, `applies` as `apply`, `fetches` as `fetch`."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith("es") and verb[:-2] in _ACTS:
        return verb[:-2]
    return verb.removesuffix("s")


def order_by_file(hits: list[Hit], query: str, terms: Collection[str]) -> list[Hit]:
    """`terms`: of the query. Hits after the first FILE_HITS keep their place behind all others."""
    first, rest = hits[: weights.FILE_HITS], hits[weights.FILE_HITS :]
    by_path: dict[str, list[Hit]] = {}
    for hit in first:
        by_path.setdefault(hit.node.path or hit.node.id, []).append(hit)
    sentence = is_sentence(query)
    again = weights.AGAIN_IN_SENTENCE if sentence else weights.AGAIN
    share = 0.0 if sentence else _share(len(terms))
    newest = _newest(by_path)
    written = files_in(query)
    asks_platform = any(find_platform(word) for word in _WORD.findall(query))
    scored: list[tuple[float, Hit]] = []
    for path, found in by_path.items():
        best = found[0].score
        others = sum(hit.score * weights.OTHERS_FALL**at for at, hit in enumerate(found[1:]))
        score = best + share * weights.OTHERS * others
        if not all(map(_is_bare, found)):
            score *= 1 + share * weights.NAMED_FILE * share_named(path, terms)
        if any(path.endswith(each) for each in written):
            score *= weights.WRITTEN_FILE
        if is_set_aside(path) or _is_older(path, newest):
            score *= weights.SET_ASIDE
        if not asks_platform and find_platform(path):
            score *= weights.OF_PLATFORM
        scored += [(score * (hit.score / best if best else 0.0) * again**at, hit) for at, hit in enumerate(found)]
    scored.sort(key=lambda each: -each[0])
    scale = max((hit.score for hit in first), default=0.0) / (scored[0][0] or 1.0) if scored else 0.0
    least = scored[-1][0] * scale if scored else 1.0
    return [
        *(_score(hit, score * scale) for score, hit in scored),
        *(_score(hit, min(least, hit.score)) for hit in rest),
    ]


def files_in(text: str) -> set[str]:
    """The ends of the paths that a text has, as the frames of a stack trace and the lines of a message have them:
    folder and name, or the name alone."""
    found = set()
    for match in _PATH.finditer(text.replace("\\", "/")):
        parts = match[0].strip("./").split("/")
        found.add("/".join(parts[-2:]))
    return found


def share_named(path: str, terms: Collection[str]) -> float:
    """The share of the words of a file's name, or of the folder that it stands for, that are asked for; a word counts
    too that begins like one of those."""
    *folders, name = path.split("/")
    name = name.split(".")[0]
    if name in _FOR_FOLDER and folders:
        name = folders[-1]
    own = [
        part
        for token in words.tokens(name)
        for found in (words.terms(token),)
        for part in (found[:-1] if len(found) > 1 else found)
    ]
    if not own:
        return 0.0
    return sum(1 for word in own if word in terms or _is_alike(word, terms)) / len(own)


def _is_bare(hit: Hit) -> bool:
    """Whether it is a file of no more than a line, as many an `__init__.py`: its name is all that it has."""
    return hit.node.is_file and hit.node.end_line <= 1


def _is_alike(word: str, terms: Collection[str]) -> bool:
    if len(word) < weights.SHORTEST_ALIKE:
        return False
    return any(
        len(term) >= weights.SHORTEST_ALIKE and (term.startswith(word) or word.startswith(term)) for term in terms
    )


def _share(length: int) -> float:
    """How much files count for a query of so many words: a long text has the name of many a file by chance."""
    fall = (length - weights.FEW_WORDS) / (weights.MANY_WORDS - weights.FEW_WORDS)
    return min(1.0, max(0.0, 1.0 - fall))


def _newest(paths: Collection[str]) -> dict[str, int]:
    """By what stands before a version in a path, the highest version of it that was found."""
    newest: dict[str, int] = {}
    for path in paths:
        version = version_of(path)
        if version is not None:
            before, number = version
            newest[before] = max(newest.get(before, number), number)
    return newest


def _is_older(path: str, newest: dict[str, int]) -> bool:
    version = version_of(path)
    return version is not None and version[1] < newest[version[0]]


def _score(hit: Hit, score: float) -> Hit:
    return Hit(node=hit.node, score=score, how=hit.how, text=hit.text, copies=hit.copies)
