"""Whether a member that resolution takes for a library's may be the symbol, by what it is taken of.

In: the symbol that is sought, and what surrounds a place. Out: yes if its object is declared to be of a library's type
from which the symbol's class is derived, or that its file names where methods alone make an implementation; or if
nothing says what the object is, and the symbol's class alone has a member of that name, which is more than one word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import words_of
from rpg.queries.usages.usage_sites import means

if TYPE_CHECKING:
    from rpg.queries.account.placing.sought import Sought
    from rpg.queries.account.placing.surroundings import Surroundings

_RECEIVER: Final = re.compile(rb"([A-Za-z_]\w*)\s*(?:\?\.|\?->|!{1,2}\.|->|\.)\s*\Z")
_CAST: Final = (
    re.compile(rb"\.\(\*?(?:\w+\.)*([A-Z]\w*)\)\.\s*\Z"),
    re.compile(rb"\bas[?!]?\s+(?:\w+\.)*([A-Z]\w*)(?:<[^<>\n]*>)?[?!]?\s*\)\s*[?!]*\.\s*\Z"),
    re.compile(rb"\(\((?:\w+\.)*([A-Z]\w*)(?:<[^<>\n]*>)?\)\s*\w+\)\s*\??\.\s*\Z"),
)
"""What says on the spot which type a receiver is of: `x.(io.Closer).`, `(x as Closer).`, `((Closer) x).`."""
_ASSIGNED: Final = re.compile(rb"\s*=(?![=>~])")
_DECLARED: Final = (
    rb"(?<![\w.\\])(?:[\w]+[.\\])*([A-Z]\w*)(?:<[^<>\n]*>|\[\])?\s*[?*&]?\s*\$?(?:this\.)?%s\b",
    rb"(?<![\w.])%s\s*[?!]?\s*:\s*[&?\"']?(?:dyn |any |impl |mut )*(?:Optional\[|Option<)?(?:\w+[.\\])*([A-Z]\w*)",
    rb"(?<![\w.])%s\s+\*?(?:\w+\.)?([A-Z]\w*)",
)
"""How files say the type of a variable or field: in front of its name, behind a colon, behind it."""


def may_be_of_value(sought: Sought, around: Surroundings, offset: int) -> bool:
    rules, recorded = BY_NAME[around.file.language].rules, around.recorded
    if recorded is None or not sought.is_member or not means(sought.node, around.file.language):
        return False
    if sought.node.name in rules.builtin_members or sought.node.name in rules.object_members:
        return False
    bases = sought.bases_outside
    is_distinctive = len(words_of(sought.node.name)) > 1
    is_by_shape = rules.method_sets.make_implementers
    is_of_any = is_distinctive and (bases or not rules.keeps_declared_types or is_by_shape)
    if not (bases or is_of_any or is_by_shape) or _ASSIGNED.match(around.text, offset + len(sought.word)):
        return False
    receiver = _RECEIVER.search(around.text, max(0, offset - 80), offset)
    types = _types_of(around, receiver[1]) if receiver is not None else _types_of_cast(around.text, offset)
    if not types.isdisjoint(bases) or (is_by_shape and sought.has_in_file(types - {sought.class_name})):
        return True
    if not is_of_any or (types and not is_by_shape):
        return False
    return sought.is_only_member and recorded.is_taken_of_value(offset, rules)


def _types_of_cast(text: bytes, offset: int) -> frozenset[str]:
    """The type that a receiver is cast to in front of its member."""
    casts = (pattern.search(text, max(0, offset - 80), offset) for pattern in _CAST)
    return frozenset(each[1].decode() for each in casts if each is not None)


def _types_of(around: Surroundings, name: bytes) -> frozenset[str]:
    """The types that a file declares variables and fields of that name to be of, by the last part of their names."""
    if name not in around.types:
        found = {
            match[1].decode()
            for pattern in _DECLARED
            for match in re.finditer(pattern.replace(b"%s", re.escape(name)), around.text)
        }
        around.types[name] = frozenset(found)
    return around.types[name]
