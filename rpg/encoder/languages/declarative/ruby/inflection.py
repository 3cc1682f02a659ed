"""Rails' rules for names: `stories` are of `Story`, `user_id` belongs to `User`, `admin/users` is `Admin::Users`.

In: a word as an association, a table or a route has it. Out: the word that a class or a controller has. A repository's
own rules (`config/initializers/inflections.rb`) are not read.
"""

from __future__ import annotations

import re
from typing import Final

_UNCOUNTABLE: Final = frozenset(
    ("equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "jeans", "police", "news")
)
_IRREGULAR: Final = (("person", "people"), ("man", "men"), ("child", "children"), ("move", "moves"), ("ox", "oxen"))
_SINGULAR: Final = tuple(
    (re.compile(pattern), made)
    for pattern, made in (
        (r"(ss)$", r"\1"),
        (r"(database)s$", r"\1"),
        (r"(quiz)zes$", r"\1"),
        (r"(matr)ices$", r"\1ix"),
        (r"(vert|ind)ices$", r"\1ex"),
        (r"(alias|status)(es)?$", r"\1"),
        (r"(octop|vir)(us|i)$", r"\1us"),
        (r"^(a)x[ie]s$", r"\1xis"),
        (r"(cris|test)(is|es)$", r"\1is"),
        (r"(shoe)s$", r"\1"),
        (r"(o)es$", r"\1"),
        (r"(bus)(es)?$", r"\1"),
        (r"^(m|l)ice$", r"\1ouse"),
        (r"(x|ch|ss|sh)es$", r"\1"),
        (r"(m)ovies$", r"\1ovie"),
        (r"([^aeiouy]|qu)ies$", r"\1y"),
        (r"([lr])ves$", r"\1f"),
        (r"(tive|hive)s$", r"\1"),
        (r"([^f])ves$", r"\1fe"),
        (r"(analy|ba|diagno|parenthe|progno|synop|the)(sis|ses)$", r"\1sis"),
        (r"([ti])a$", r"\1um"),
        (r"s$", ""),
    )
)
_PLURAL: Final = tuple(
    (re.compile(pattern), made)
    for pattern, made in (
        (r"(quiz)$", r"\1zes"),
        (r"(matr|vert|ind)(?:ix|ex)$", r"\1ices"),
        (r"(x|ch|ss|sh|alias|status|bus)$", r"\1es"),
        (r"([^aeiouy]|qu)y$", r"\1ies"),
        (r"(?:([^f])fe|([lr])f)$", r"\1\2ves"),
        (r"sis$", "ses"),
        (r"(buffal|tomat|her)o$", r"\1oes"),
        (r"s$", "s"),
        (r"$", "s"),
    )
)


def singular(word: str) -> str:
    """`stories`: `story`; the last of words that underscores join counts."""
    return _inflect(word, _SINGULAR, is_plural=False)


def plural(word: str) -> str:
    """`story`: `stories`."""
    return _inflect(word, _PLURAL, is_plural=True)


def _inflect(word: str, rules: tuple[tuple[re.Pattern[str], str], ...], is_plural: bool) -> str:
    head, joint, last = word.rpartition("_")
    if last in _UNCOUNTABLE:
        return word
    for one, many in _IRREGULAR:
        if last in (one, many):
            return head + joint + (many if is_plural else one)
    for pattern, made in rules:
        found, count = pattern.subn(made, last, count=1)
        if count:
            return head + joint + found
    return word


def camelize(word: str) -> str:
    """`hidden_story`: `HiddenStory`."""
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))


def constants(path: str) -> list[str]:
    """`admin/hat_requests`: `Admin`, `HatRequests`."""
    return [camelize(part) for part in path.split("/") if part]
