"""What a literal is in which a place stands: it may name the symbol as a member, a route, a field of a query.

In: the symbol that is sought, and what surrounds a place. Out: one of CLASSES, and why it may mean the symbol; empty if
it cannot. All places in one literal have the same class.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import ANYWHERE, VALUES
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.literals import calls_in_expression, is_command, is_plain, is_query, names_in, stands_alone
from rpg.queries.account.occurrences import find_words
from rpg.queries.account.places import CERTAIN, LIBRARY, LITERAL, NAMED_IN_STRING, OF_ENVIRONMENT, OTHER, PROSE, TOLD
from rpg.queries.usages.text_mentions import is_name
from rpg.queries.usages.usage_sites import means

if TYPE_CHECKING:
    from rpg.queries.account.places import Placed
    from rpg.queries.account.placing.sought import Sought
    from rpg.queries.account.placing.surroundings import Surroundings

_ENVIRONMENT: Final = re.compile(
    rb"\b(?:environ|env|ENV|getenv|[Gg]et[Ee]nv\w*|LookupEnv|GetEnvironmentVariable)\b[^\n]{0,20}\Z"
)
_WORDS: Final = re.compile(rb"[%~][wWiI](?:\[[^\]]*|\([^)]*|\{[^}]*|<[^>]*|\|[^|]*)(?<=[\[({<|\s])\Z")
"""The begin of a list of words, up to one of them."""
_END_OF_WORD: Final = (b" ", b"\n", b"\t", b"\r", b"]", b")", b"}", b">", b"|", b"")
FARTHEST: Final = 2_000
_FORM: Final = re.compile(rb"[\"'`](\w+)(?:\[[^\[\]\s\"']*\])*\[\Z")
_QUOTE: Final = re.compile(rb"[\"'`]")
_TOLD: Final = re.compile(rb"-?[\w./]+(?::[\w,]+)?")
_KEYED: Final = re.compile(rb"[\w\"'\]]\s*:\s*\Z")
"""What stands in front of the value of a key, which is data."""
_KEY_BEHIND: Final = re.compile(rb"\s*(?::(?!:)|=>)")
_COMPARED: Final = re.compile(rb"(?:[=!]=|\bin|\bis|\bcase|\bwhen)\s*\(?\s*$")
_COMPARES: Final = re.compile(rb"\s*(?:[=!]=|\bin\b|\bnot\b)")
_SUBSCRIPT: Final = re.compile(rb"[\w)\]]\s*\[\s*$")
_CODE_ATTRIBUTE: Final = re.compile(rb"\s(?:[(\[*@:]|v-|x-|ng-|on)[\w.()\[\]:-]*\s*=\s*\Z")
"""An attribute of a page whose value is code: an event, or what a framework of scripts binds."""
_OF_FIELDS: Final = re.compile(rb"\s*%\s*(?:vars\(|[\w.]+\.__dict__)")
_IN_FIELDS: Final = re.compile(rb"(?:__dict__|\bvars\([\w.\[\]]+\))\s*(?:\[|\.\w+\()\s*\Z")
"""What stands in front of a key of an object's fields: `vars(cart)["total"]`."""
_HOST_EVENT: Final = re.compile(rb"[\"'][(\[][\w.:-]+[)\]][\"']\s*:\s*\Z")
"""The key of an event or property of a component's host, whose value is code: `"(window:resize)": "fit($event)"`."""
_LOOKED_UP: Final = re.compile(rb"\.(?:get|pop|setdefault|has|delete|set|getItem|setItem|getlist|add_argument)\(\s*$")


def is_told(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a library's function is told it that finds members by name."""
    pattern = BY_NAME[around.file.language].rules.takes_names
    if pattern is None or not sought.may_be_told or not means(sought.node, around.file.language):
        return False
    return pattern.search(around.brackets.function_around(offset)) is not None


def _is_in_mark(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether an attribute of a library is told a field by name: `#[arg(conflicts_with = "quiet")]`."""
    pattern = BY_NAME[around.file.language].rules.marks_name_fields
    if pattern is None or sought.node.kind not in VALUES or not means(sought.node, around.file.language):
        return False
    return sought.is_in_class and pattern.search(around.brackets.function_around(offset)) is not None


def is_told_field(sought: Sought, around: Surroundings, literal: tuple[int, int], inside: bytes) -> bool:
    """Whether a library's function is told a field by it: by its name, or behind a dot in a part of a query."""
    rules = BY_NAME[around.file.language].rules
    if rules.takes_conditions is None or sought.node.kind not in VALUES or not sought.is_in_class:
        return False
    is_whole = inside == sought.word
    pattern = rules.takes_fields if is_whole else rules.takes_conditions
    if pattern is None or not means(sought.node, around.file.language):
        return False
    if not is_whole and re.search(rb"\w\." + re.escape(sought.word) + rb"(?!\w)", inside) is None:
        return False
    return pattern.search(around.brackets.function_around(literal[0])) is not None


def _kind_of_literal(sought: Sought, around: Surroundings, literal: tuple[int, int], placed: Placed) -> str:
    """The class of a literal that is a use as a whole, quotes or not; empty if it is none."""
    for offset in (literal[0], literal[0] + 1):
        place = (around.file.path, *around.lines.place(offset))
        known = sought.explained.known.get(place, LIBRARY)
        if known != LIBRARY:  # a name in quotes that led nowhere is judged as the literal that it is
            placed.met.add(place)
            return known
        if place in sought.explained.others:
            placed.others.add(sought.explained.others[place])
            return OTHER
    return ""


def kind_of_export(sought: Sought, around: Surroundings, literal: tuple[int, int]) -> str:
    """The class of a name in the list of those that a module offers; empty for another literal. A name without
    quotes is what the file binds."""
    pattern, text, begin = BY_NAME[around.file.language].rules.exports, around.text, literal[0]
    if pattern is None:
        return ""
    is_quoted = _QUOTE.match(text, begin) is not None
    if is_quoted and not stands_alone(text[begin + 1 : literal[1] - 1]):
        return ""
    if is_quoted or pattern.search(text, max(0, begin - 40), begin) is None:
        holder = around.brackets.holder_at(begin)
        if holder is None or pattern.search(holder.before) is None:
            return ""
    if sought.node.qualified_name != sought.node.name:
        return LIBRARY
    path = around.file.path
    if not is_quoted:
        is_own = sought.importers.binds(path, sought.node.name)
    else:
        is_own = path == sought.node.path or sought.importers.reach(path)
    if is_own:
        return CERTAIN
    return OTHER if sought.explained.others else LIBRARY


def judge_literal(
    sought: Sought, around: Surroundings, literal: tuple[int, int], offset: int, is_page: bool, placed: Placed
) -> tuple[str, str]:
    """`offset`: the first place in it. A page may name code of any language: whoever renders it does, or a script that
    binds to its attributes."""
    known = _kind_of_literal(sought, around, literal, placed) or kind_of_export(sought, around, literal)
    if known:
        return known, ""
    begin, end = literal
    text, word = around.text, sought.word
    if sought.is_of_environment and _is_of_environment(text, begin):
        return LITERAL, OF_ENVIRONMENT
    if is_page and _CODE_ATTRIBUTE.search(text, max(0, begin - 80), begin):
        is_used = text.startswith(b"(", offset + len(word)) or text[offset - 1 : offset] == b"."
        return LITERAL, NAMED_IN_STRING if is_used or not is_plain(word) else ""
    if sought.is_in_class and _is_path(sought, text, literal):
        return LITERAL, NAMED_IN_STRING
    quotes = 3 if text[begin : begin + 3] in (b'"""', b"'''") else 1
    inside = text[begin + quotes : end - quotes]
    parts = names_in(inside, word)
    if not (is_page or sought.is_contract or sought.given == ANYWHERE or means(sought.node, around.file.language)):
        return (PROSE if parts is None else LITERAL), ""
    rules = BY_NAME[around.file.language].rules
    if "commands" in rules.reached_by and not is_plain(word) and is_command(inside, word):
        return LITERAL, NAMED_IN_STRING
    is_key = text[end : end + 1] == b":"
    if (
        not is_key
        and _TOLD.fullmatch(inside)
        and (is_told(sought, around, begin) or _is_in_mark(sought, around, begin))
    ):
        return LITERAL, TOLD
    if is_told_field(sought, around, literal, inside):
        return LITERAL, TOLD
    if "strings" not in rules.reached_by and not sought.given and not sought.is_contract and b'"plugin"' not in text:
        if parts is None and calls_in_expression(inside, word):
            return PROSE, ""
        if parts is not None and not sought.is_in_class and stands_alone(inside):
            return LITERAL, ""
    if parts is None:
        is_code = quotes == 1 and _KEYED.search(text, max(0, begin - 80), begin) is None
        is_named = is_code and sought.node.kind in FUNCTION_KINDS and calls_in_expression(inside, word)
        is_named = is_named or _is_in_query(sought, inside) or _is_formatted(sought, text, end, inside)
        is_named = is_named or _HOST_EVENT.search(text, max(0, begin - 80), begin) is not None
        return (LITERAL, NAMED_IN_STRING) if is_named else (PROSE, "")
    if is_page and len(parts) == 1 and not stands_alone(inside):
        first = begin + quotes
        places = (first + at for at in find_words(inside, word))
        is_named = any(is_name(around.marks, at, at + len(word), is_plain(word)) for at in places)
        return LITERAL, NAMED_IN_STRING if is_named else ""
    if sought.is_key and inside == word and sought.is_near(around.file.path) and _is_data(text, begin, end):
        return LITERAL, NAMED_IN_STRING
    if len(parts) == 1 and (
        (sought.is_in_class and _IN_FIELDS.search(text, max(0, begin - 80), begin))
        or _is_field(sought, around, literal)
    ):
        return LITERAL, NAMED_IN_STRING
    is_data = len(parts) == 1 and _is_data(text, begin, end) and not _is_setting(sought, around, literal)
    if is_data or not _may_be_named(sought, around, literal, parts):
        return LITERAL, ""
    return LITERAL, NAMED_IN_STRING


def is_in_words(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it is one of the strings of a list of words, `%w[a b]`, of which code may make names."""
    if not means(sought.node, around.file.language):
        return False
    text, end = around.text, offset + len(sought.word)
    found = _WORDS.search(text, max(0, offset - FARTHEST), offset)
    if found is None or text[end : end + 1] not in _END_OF_WORD:
        return False
    if not is_plain(sought.word) or sought.node.kind in CLASS_KINDS:
        return not is_plain(sought.word)
    is_near = around.file.path == sought.node.path or around.reflects
    return is_near or around.is_looked_up(found.start())


def _is_of_environment(text: bytes, begin: int) -> bool:
    return _ENVIRONMENT.search(text, max(0, begin - 80), begin) is not None


def _is_path(sought: Sought, text: bytes, literal: tuple[int, int]) -> bool:
    """Whether a literal is the path of a member of more than one word, in data that may be an object of its class:
    `rows.totalCount`."""
    begin, end = literal
    word = re.escape(sought.word)
    if is_plain(sought.word) or text[end : end + 1] == b":":
        return False
    return re.fullmatch(rb"\w+(?:\.\w+)*\." + word, text[begin + 1 : end - 1]) is not None


def is_field_of_form(sought: Sought, text: bytes, offset: int) -> bool:
    """Whether a string names the field of a form there, for an object of its class: `"order[note]"`."""
    if text[offset - 1 : offset] != b"[" or text[offset + len(sought.word) : offset + len(sought.word) + 1] != b"]":
        return False
    found = _FORM.search(text, max(0, offset - 80), offset)
    return sought.is_in_class and found is not None and found[1].decode() in sought.names_of_class


def _is_setting(sought: Sought, around: Surroundings, literal: tuple[int, int]) -> bool:
    """Whether a constant is read by its name from what a framework made of it, as `app.config["ADMINS"]` is."""
    if not sought.is_setting:
        return False
    before = around.text[max(0, literal[0] - 80) : literal[0]]
    is_read = _SUBSCRIPT.search(before) is not None or _LOOKED_UP.search(before) is not None
    return is_read and _ENVIRONMENT.search(before) is None


def _is_field(sought: Sought, around: Surroundings, literal: tuple[int, int]) -> bool:
    """Whether a field of a library's class is read by its name from what the library made of all fields of an object,
    as `form.cleaned_data["city"]` is."""
    pattern = BY_NAME[around.file.language].rules.members_read.by_key_before
    if pattern is None or sought.node.kind not in VALUES or not sought.bases_outside:
        return False
    is_read = pattern.search(around.text, max(0, literal[0] - 80), literal[0]) is not None
    return is_read and sought.is_near(around.file.path)


def _is_in_query(sought: Sought, literal: bytes) -> bool:
    """Whether a literal is a query that may name it: a table or column, a class or a field of one."""
    if not (sought.is_contract or sought.given or sought.node.kind in CLASS_KINDS | VALUES) or not is_query(literal):
        return False
    before = rb"\." if is_plain(sought.word) and not sought.is_contract else rb"(?<!\w)"
    return re.search(before + re.escape(sought.word) + rb"(?!\w)", literal) is not None


def _is_formatted(sought: Sought, text: bytes, end: int, literal: bytes) -> bool:
    """Whether a literal takes it from an object's fields: `"%(name)s" % self.__dict__`."""
    is_named = sought.node.kind in VALUES and b"%(" + sought.word + b")" in literal
    return is_named and _OF_FIELDS.match(text, end, end + 80) is not None


def _may_be_named(sought: Sought, around: Surroundings, literal: tuple[int, int], parts: list[bytes]) -> bool:
    at = len(parts) - 1 - parts[::-1].index(sought.word)
    if at:
        return parts[at - 1] in sought.around or sought.is_in_package(parts[:at])
    if len(parts) > 1:
        return sought.node.kind in CLASS_KINDS or sought.node.is_file
    if not is_plain(sought.word) or sought.is_contract or _is_reached(sought, around, literal):
        return True
    holder = around.brackets.holder_at(literal[0]) if sought.is_command else None
    return holder is not None and holder.is_list


def _is_reached(sought: Sought, around: Surroundings, literal: tuple[int, int]) -> bool:
    """Whether a word of plain language is the name of a member: code reaches members by the names in such a list,
    or by this one."""
    holder = around.brackets.holder_at(literal[0])
    if holder is None or sought.node.kind in CLASS_KINDS:
        return False
    is_near = around.file.path == sought.node.path or around.reflects
    if holder.reflects or not holder.is_list or is_near or holder.in_class:
        return holder.reflects or holder.is_list
    return around.is_looked_up(next(around.brackets.around(literal[0])))


def _is_data(text: bytes, begin: int, end: int) -> bool:
    """Whether a literal is a key, is compared, or is looked up."""
    before = text[max(0, begin - 80) : begin].removesuffix(b"f").removesuffix(b"r").removesuffix(b"b")
    behind = text[end : end + 20]
    if _KEY_BEHIND.match(behind) or _COMPARES.match(behind):
        return True
    return any(pattern.search(before) for pattern in (_COMPARED, _SUBSCRIPT, _LOOKED_UP))
