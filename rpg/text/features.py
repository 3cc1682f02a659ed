"""What a symbol is for, in a few plain words: a verb and its object.

In: kind, name and doc of a symbol. Out: the words, lower-case, and where they come from. They depend on the symbol
alone, so nothing is stored: the same symbol always has the same feature.

Absent: models, whose words are stored in a separate file.

Ruling: words of callers and tests are not used. They would change with edits elsewhere, and would say something in 11
of 22,257 functions outside tests (Django, Flask, Celery, networkx, zod, TypeORM, gin, gson): 1,579 have no doc and a
name like `run` or `handle`, but of all except 62 the class or function around them says what they are for, and of these
51 have no caller whose name says more.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.text.titles import container, is_title
from rpg.text.words import parts

LONGEST: Final = 8
"""Words of a feature."""
_SENTENCE: Final = re.compile(r"(?<=[a-z0-9)\]`'\"])[.:;](?:\s|$)|\n\s*\n|\s--?\s|\s—\s")
_MARKUP: Final = re.compile(r":\w+:`~?([^`]*)`|[`*_]{1,3}")
VERBS: Final = frozenset(
    """
    abort accept acquire add adjust aggregate allocate allow analyze append apply ask assemble assert assign attach
    authenticate await begin bind block bootstrap build cache calculate call cancel capture cast change check choose
    classify clean clear clone close coerce collapse collect combine commit compare compile complete compress compute
    concat configure connect construct consume contain convert copy count create cut deactivate debug decode decorate
    decrypt defer define delete delegate deliver deploy derive describe deserialize destroy detach detect determine
    diff disable disconnect discover dispatch display divide do download draw drop dump echo edit emit enable encode
    encrypt end enqueue ensure enter enumerate escape evaluate exclude execute exit expand expect expire explain export
    extend extract fail fetch fill filter find finish fire fix flag flatten flush fold follow force forget format
    forward free generate get give grant group guess handle has hash hide highlight hold identify ignore import include
    increment index infer init initialize inject insert inspect install instantiate interpolate intersect invalidate
    invert invoke is issue iterate join keep kill label launch lay lex limit link list listen load localize locate lock
    log login logout look lookup lower make manage map mark mask match measure merge migrate mock modify monitor mount
    move name negate normalize notify observe offer open optimize order override pack pad paginate paint parse partition
    pass patch pause peek perform persist pick ping place plan play poll pop populate post prefix prepare prepend
    preserve preview print process produce project promote prompt propagate protect prove provide prune publish pull
    purge push put query queue quote raise rank read rebuild receive record recover redirect reduce refresh refuse
    register reject release reload remove rename render reorder repair repeat replace reply report represent request
    require reset resize resolve respond restart restore restrict resume retrieve retry return reverse revert revoke
    rewrite roll rotate round route run sample sanitize save scale scan schedule scroll search seed seek select send
    separate serialize serve set setup shift show shuffle shut shutdown sign simplify simulate skip sleep slice sort
    spawn specify split stack start stop store stream strip style submit subscribe substitute subtract sum support
    suppress suspend swap switch sync synchronize tag take teardown tell terminate test throw tidy toggle tokenize touch
    trace track train transfer transform translate traverse trigger trim truncate try tune turn unbind uncompress undo
    unescape unlink unlock unpack unquote unregister unset unsubscribe unwrap update upgrade upload upsert use validate
    verify view visit wait walk warn watch wrap write yield zip
    """.split()
)
_PREPOSITIONS: Final = {
    "from": "from", "to": "convert to", "as": "show as", "with": "use", "on": "handle", "is": "tell whether",
    "has": "tell whether it has", "can": "tell whether it can", "should": "tell whether to", "new": "create",
    "init": "set up",
}  # fmt: skip
"""What a name means if it begins with such a word."""
_LOOSE_ENDS: Final = frozenset("of to and or in for with by that from on is as".split())
"""A feature does not end with these."""
_ROLES: Final = {
    "error": "report", "exception": "report", "warning": "report", "handler": "handle", "parser": "parse",
    "builder": "build", "factory": "create", "manager": "manage", "reader": "read", "writer": "write",
    "loader": "load", "encoder": "encode", "decoder": "decode", "serializer": "serialize", "validator": "validate",
    "formatter": "format", "renderer": "render", "iterator": "iterate over", "listener": "listen to",
    "provider": "provide", "resolver": "resolve", "converter": "convert", "generator": "generate",
    "compiler": "compile", "dispatcher": "dispatch", "scheduler": "schedule", "router": "route", "filter": "filter",
    "visitor": "visit",
    "adapter": "adapt", "client": "call", "server": "serve", "middleware": "process", "test": "test", "tests": "test",
}  # fmt: skip
"""What a class does, judged by the last word of its name."""


class Feature(NamedTuple):
    text: str
    provenance: str
    """doc or name; or model, agent or import, if it was written for this symbol (stores/lifted_texts.py)."""


def feature_of(kind: str, name: str, qualified_name: str, doc: str) -> Feature:
    """Empty for kinds that do nothing: fields, constants, sections, directories."""
    if kind in CLASS_KINDS or kind in FUNCTION_KINDS or kind in ("module", "file"):
        sentence = _of_doc(doc)
        if sentence:
            return Feature(sentence, "doc")
        return Feature(_of_name(kind, name, container(name, qualified_name)), "name")
    return Feature("", "")


def _of_doc(doc: str) -> str:
    """The first sentence, if it begins with a verb: in the imperative, without articles."""
    sentence = _SENTENCE.split(_MARKUP.sub(r"\1", doc.strip()), maxsplit=1)[0]
    words = [
        word for word in re.findall(r"[^\W_][\w'./-]*", sentence.replace("\n", " ")) if word not in ("the", "a", "an")
    ]
    if len(words) < 2:
        return ""
    verb = _order(words[0].lower())
    if not verb:
        return ""
    if len(words) > LONGEST:
        words = words[:LONGEST]
        while len(words) > 2 and words[-1].lower() in _LOOSE_ENDS:
            words.pop()
    return " ".join([verb, *(word.rstrip(".,").lower() for word in words[1:])])


def _order(word: str) -> str:
    """A verb in the imperative; empty for any other word."""
    if word in VERBS:
        return word
    for end, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(end) and (found := word[: len(word) - len(end)] + instead) in VERBS:
            return found
    return ""


def _of_name(kind: str, name: str, around: str) -> str:
    if is_title(name):
        return f"test that {name[1:-1].lower()}"
    words = parts(name.rpartition("/")[2].partition(".")[0] if kind in ("module", "file") else name)
    inside = parts(around.rpartition(".")[2]) if around and not is_title(around) else []
    if not words:
        return ""
    if kind in CLASS_KINDS:
        verb = _ROLES.get(words[-1], "")
        return _short([verb, *words[:-1]]) if verb and len(words) > 1 else _short(["represent", *words])
    if kind in ("module", "file"):
        return _short([_order(words[0]) or "hold", *(words[1:] if _order(words[0]) and len(words) > 1 else words)])
    if words[0] in _PREPOSITIONS:
        return _short([*_PREPOSITIONS[words[0]].split(), *(words[1:] or inside)])
    verb = _order(words[0])
    if verb:
        return _short([verb, *(words[1:] or inside)])
    return _short(["get" if kind == "property" or inside else "provide", *words, *(["of", *inside] if inside else [])])


def _short(words: list[str]) -> str:
    return " ".join(words[:LONGEST])
