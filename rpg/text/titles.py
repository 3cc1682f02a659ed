"""Titles of tests as names of symbols.

In: titles as written. Out: the names made of them, and the parts of such names. A test is named by its title in double
quotes, and qualified by the titles around it, in one pair of quotes: `"cart > adds"`. No code has such a name, so
nothing refers to a test by chance. Titles are printable, on one line, without `"` and `::`, and of limited length, and
so are the qualified names. Encoder and queries follow the same rules.
"""

from __future__ import annotations

from typing import Final

BETWEEN: Final = " > "
TITLE_LIMIT: Final = 120
"""Code points; a longer title is cut with an ellipsis."""
CHAIN_LIMIT: Final = 320
"""Code points of all titles in a qualified name; of more, the outermost are left out."""


def clean(text: str) -> str:
    """A title as it appears in a name, without the quotes."""
    printable = "".join([each if each.isprintable() else " " for each in text])
    title = " ".join(printable.split()).replace('"', "'")
    while "::" in title:
        title = title.replace("::", ".")
    return title if len(title) <= TITLE_LIMIT else title[: TITLE_LIMIT - 1].rstrip() + "…"


def join_titles(around: str, title: str) -> str:
    """The qualified name of a test in a group of tests, whose qualified name is `around`."""
    opening = around.rfind('"', 0, len(around) - 1)
    chain = around[opening + 1 : max(opening + 1, len(around) - 1)] + BETWEEN + title
    if len(chain) > CHAIN_LIMIT:
        cut = chain.find(BETWEEN, len(chain) - CHAIN_LIMIT)
        chain = "…" + (chain[cut:] if cut >= 0 else BETWEEN + title)
    return f'{around[:opening]}"{chain}"'


def is_title(name: str) -> bool:
    """Whether a symbol's name is the title of a test."""
    return len(name) > 2 and name[0] == '"' == name[-1]


def container(name: str, qualified_name: str) -> str:
    """The qualified name of what a symbol is in; empty at the top level. Names and titles may have dots."""
    if name == qualified_name:
        return ""
    if qualified_name.endswith("." + name):
        return qualified_name[: len(qualified_name) - len(name) - 1]
    if is_title(name) and qualified_name.endswith(BETWEEN + name[1:]):
        return qualified_name[: len(qualified_name) - len(name) - len(BETWEEN) + 1] + '"'
    return qualified_name.rpartition(".")[0]


def format_after(previous: str, qualified_name: str) -> str:
    """A test's qualified name in a list, after another: `…` stands for the titles that both share."""
    around, between, title = qualified_name.rpartition(BETWEEN)
    is_same = bool(between) and previous.rpartition(BETWEEN)[0] == around
    return f'"…{BETWEEN}{title}' if is_same and is_title(f'"{title}') else qualified_name
