"""What a question asks for: which way to walk the graph, and which symbols it names explicitly.

In: a sentence. Out: one of five kinds of question, and names spelled like code. Nothing is looked up, so the result
does not depend on the repository.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from rpg.text.words import is_word, text_terms

Asks = Literal["how", "where", "who", "breaks", "overview"]

_OVERVIEW = re.compile(
    r"\b(overview|architecture|entry ?points?)\b"
    r"|\bmain (parts?|components?|concepts?|modules?|classes|pieces|building blocks)\b"
    r"|\bwhat (is|does) this (repository|repo|project|package|library|codebase|code base|code|program|tool)\b"
    r"|\bwhere (should|do|can) (i|we|one) (start|begin)\b|\bstart reading\b"
    r"|\bhow is (this|the|it) ?(repository|repo|project|package|library|codebase|code base|code)? ?"
    r"(organi[sz]ed|structured|laid out)\b",
    re.IGNORECASE,
)
_BREAKS = re.compile(
    r"\b(break|breaks|broken|impact|impacts|affects?|affected|blast radius|consequences?)\b"
    r"|\bif (i|we|you|one|someone) (change|changed|remove|removed|rename|renamed|delete|deleted|replace|replaced)\b"
    r"|\bwhat depends on\b",
    re.IGNORECASE,
)
_USED = (
    r"(calls?|called|uses?|used|using|invokes?|invoked|imports?|imported|references?|referenced|instantiates?|instantiated"
    r"|inherits?|extends?|subclass(?:es)?|implements?|overrides?|depends? on|callers?|usages?|users?)"
)
_WHO = re.compile(
    rf"^\W*(who|what|which|where|list|find|show|all)\b.*\b{_USED}\b|^\W*(all |the )?(callers|usages|users|uses)\b",
    re.IGNORECASE,
)
_HOW = re.compile(r"^\W*(how|why|explain|describe|what happens|what does|when)\b", re.IGNORECASE)
_WHERE = re.compile(
    r"\bwhere\b|\bcomes? from\b|\b(who|what) (sets?|creates?|assigns?|makes?|defines?|computes?|writes?|produces?)\b",
    re.IGNORECASE,
)
_ABOUT_A_CHANGE = re.compile(
    r"\b(would|could|should|might|will|can|may)( (i|we|you|one|someone|somebody))?( (have|need) to)?"
    r" (be affected|affect|break|change|edit|modify)\b"
    r"|\b(if|when) (i|we|you|one|someone|somebody) (change|changed|modify|modified|edit|edited)\b"
    r"|\bwhat (all )?(breaks|is affected|depends on|relies on|rests on)\b|\bmak(es?|ing) use of\b",
    re.IGNORECASE,
)
"""Words that mark a question about a change, and are not its subject."""
_QUOTED = re.compile(r"`([^`\n]+)`|(?<!\w)'([\w.:]+)'|\"([\w.:]+)\"")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*(?:\(\))?")
_LIKE_CODE = re.compile(r"_\w|\w_|[a-z0-9][A-Z]|[a-zA-Z_]\.[a-zA-Z_]|::|#|->|\(\)")
_ASKING = frozenset(
    text_terms(
        """
        able actual actually again allow allowed already also another answer around ask become begin behind better
        between call calls case cases cause causes choose chooses chosen code come comes compute computed concept
        considered deal decide decided decision decisions describe different done empty end every everything exactly
        explain far few find finds first follow found from function functions get gets give given gives go goes going
        guess guessed handle handled handles happen happens help here idea instead into itself keep keeps kept kind
        know known last less let lets line lines long look looks main make makes many mean meaning means method
        methods more most move moved moves name names need new next notice notices object old one only order own part
        parts pick picked picks place possible put putting react reacts really reason remember remembered return
        returned returns run runs say several short show shown single something start starts take taken takes tell
        thing things through together treat treated tried tries trying turn turned turns two type used value values
        want wanted way ways well within without work worked works write written
        """
    )
)
"""Stems of the phrasing of questions, or of words that any code has: the subject of a question is the rest."""
_EVERYDAY = frozenset(
    text_terms(
        """
        aboard above across against along alongside amid among around aside astride away back backward behind below
        beneath beside besides beyond despite downward elsewhere inside like near nearby nowhere outside since toward
        towards underneath unless unlike versus whereas whereby
        anybody anyone anything anywhere everybody everyone everything everywhere herself himself itself myself nobody
        nothing oneself ourselves somebody somehow someone something sometime sometimes somewhere themselves themself
        whatever whenever wherever whichever whoever whose yourself
        almost already altogether always anyway apart barely else ever hardly indeed instead later maybe meanwhile
        merely mostly nearly never nevertheless often otherwise perhaps probably quite rarely rather really seldom
        somewhat soon still suddenly usually yet
        couple dozen enough handful less lot lots many much plenty several various whole
        detail details fact kind manner matter piece pieces place places reason sake stuff thing things
        became become began behave believe bother bring brought came care come concern consider fall fell felt feel gave
        gone gotten guess happen hear heard held hold hope intend keep kept knew know laid lay left live lose lost love
        meant meet met occur prefer realise realize reach rely remain said sat saw say see seem seen speak spend spoke
        stand stay stood suppose talk tell think thought told took understand understood want wanted went wish wonder
        bad better best big certain difficult easy fine good great hard nice obvious odd ordinary possible proper sure
        """
    )
)
"""Stems of everyday English that are no evidence of what a question is about, by class: prepositions and adverbs of
place, pronouns, adverbs of degree and time, quantities, nouns for anything, verbs that any story has, adjectives that
fit anything. Left out is what code uses in a sense of its own: sort, bit, round, except, complete."""
_SAYS_NOTHING = _ASKING | _EVERYDAY
MOST_NAMES = 24
"""How many names of a long text are looked up: the first ones say what it is about."""
_ORDINARY = frozenset({"e.g", "i.e", "etc", "vs"})


class Question(NamedTuple):
    text: str
    asks: Asks
    names: tuple[str, ...]
    """Names written like code, in the order of the sentence."""
    capitals: tuple[str, ...]
    """Single capitalised words inside the sentence: names, perhaps."""
    terms: tuple[str, ...]
    """The terms to find, as search compares them; each once."""
    in_code: str = ""
    """Words and names that, according to the caller, the code may use for it."""
    search_text: str = ""
    """The text as search gets it: without the name of the repository itself."""

    @property
    def about(self) -> str:
        """What is asked about the named symbols, in its informative words; empty if there are none."""
        rest = self.text
        for name in self.names:
            rest = rest.replace(name, " ")
        words = dict.fromkeys(term for term in text_terms(rest) if is_word(term))
        return " ".join(term for term in words if term not in _ASKING) if self.names else ""

    @property
    def subject(self) -> list[str]:
        """The terms that name the subject of the question, or all terms if there are no such. If words of the code came
        with the question, just these."""
        if self.in_code:
            return list(dict.fromkeys(text_terms(self.in_code))) or list(self.terms)
        return [term for term in self.terms if term not in _SAYS_NOTHING] or list(self.terms)


def analyse_question(text: str, in_code: str = "", search_text: str = "") -> Question:
    """`search_text`: the text as search gets it, if that differs."""
    names = code_names(text)[:MOST_NAMES]
    search_text = search_text or text
    words = [term for term in text_terms(_ABOUT_A_CHANGE.sub(" ", search_text)) if is_word(term)]
    return Question(
        text,
        kind_of_question(text, bool(names)),
        tuple(names),
        tuple(capitals(text, names)[:MOST_NAMES]),
        tuple(dict.fromkeys(words)),
        in_code.strip(),
        search_text,
    )


def kind_of_question(text: str, names_a_symbol: bool) -> Asks:
    if "\n" in text.strip():
        return "how"  # a report of what happened, whose words ask for nothing
    if _OVERVIEW.search(text) and not names_a_symbol:
        return "overview"
    if _BREAKS.search(text):
        return "breaks"
    if names_a_symbol and _WHO.search(text) and not _HOW.search(text):
        return "who"
    if _WHERE.search(text) and not _HOW.search(text):
        return "where"
    return "how"


def code_names(text: str) -> list[str]:
    found = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    found += [
        match[0]
        for match in _NAME.finditer(_QUOTED.sub(" ", text))
        if _LIKE_CODE.search(match[0]) and match[0].lower() not in _ORDINARY
    ]
    return list(dict.fromkeys(name.removesuffix("()") for name in found))


def capitals(text: str, names: list[str]) -> list[str]:
    known = {part for name in names for part in re.split(r"\W+", name)}
    inside = [match[0] for match in re.finditer(r"(?<=[\w,;] )[A-Z][a-z]\w+\b", text)]
    return [word for word in dict.fromkeys(inside) if word not in known]
