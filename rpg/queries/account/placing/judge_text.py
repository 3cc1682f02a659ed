"""What a place is in a file whose syntax is not known, in a page or a style sheet, or in the text of a command.

In: the symbol that is sought, and what surrounds a place. Out: one of CLASSES, and why it may mean the symbol; empty if
it cannot.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME, may_name_code
from rpg.encoder.languages.given_names import STRINGS, VALUES
from rpg.queries.account.literals import is_plain
from rpg.queries.account.places import IN_PAGE, IN_SELECTOR, LIBRARY, LITERAL, NAMED_IN_STRING, PROSE, UNRESOLVED
from rpg.queries.account.placing.sought import WEB
from rpg.queries.usages.text_mentions import is_name

if TYPE_CHECKING:
    from rpg.queries.account.placing.sought import Sought
    from rpg.queries.account.placing.surroundings import Surroundings

_CAPITALISED: Final = re.compile(rb"[A-Z][a-z]+")
_BEFORE_ATTRIBUTE: Final = (b" ", b"\n", b"\t", b":", b"@", b".")
_STYLING: Final = re.compile(rb"(?i)class|style|query|select|getElement|closest|matches|\$\(|css|\bcx\(|\bcn\(|theme")
"""Code that names what style sheets define: as a word of plain language, a string means that only there."""
_STYLED: Final = re.compile(rb"\b(?:class|id)\s*=\s*(?:\"[^\"<>]*|'[^'<>]*)(?<![\w-])\Z")
"""The attribute of a tag that names classes or the mark, up to a name in it."""
_SELECTS: Final = re.compile(rb"(?:[\"'`]|[\"'`][^\"'`]*[\s.#>,+~(])\Z")
_END_OF_SELECTED: Final = re.compile(rb"[\"'`\s.#>,+~:)\[]")
_RUNS: Final = re.compile(
    rb"(?:\b(?:g?make|run|run-script|run-many|npx|yarn|pnpm|bun|just|task|turbo|nx|tox|nox|rake)|[)}])"
    rb"(?:[ \t]+[^\s;|&\"']+)*[ \t]+\Z"
)
"""What runs a target or a script that is named behind it."""
_TASK: Final = re.compile(rb"\bmix[ \t](?:[a-z0-9_., \t]*[ \t.])?\Z")
"""A command up to a word of a task of Mix: that is a module, `Mix.Tasks.Deps.Get`."""
_OF_CLASS: Final = re.compile(rb"^[ \t]*[\"']?(?:\w+\\)+(\w+)[\"']?:", re.MULTILINE)
"""The key of a class in configuration."""
_OF_ALL: Final = re.compile(rb"^([ \t]*)bind:[ \t]*\r?\n(?:\1[ \t]+[^\n]*\n|[ \t]*(?:#[^\n]*)?\n)*\Z", re.MULTILINE)
"""The key whose entries are for all classes of a container, up to one of these."""
_FARTHEST_OWNER: Final = 2_000
_MODULE: Final = re.compile(rb"(?<![\w.:/])(\w+(?:\.\w+)*):\Z")
_ATTRIBUTE: Final = re.compile(rb"\s(?P<key>[^\s\"'<>=/]+)\s*=\s*(?:\"(?P<double>[^\"]*)|'(?P<single>[^']*))\Z")
"""An attribute of a tag, up to a place in its value."""
_OF_CODE: Final = re.compile(rb"on\w+|_|[(\[*@:#].+|(?!aria-|accept-)\w[\w.]*[-:].*")
"""Attributes with code: of events, and those that no page has by itself, which a framework of scripts reads."""
_OF_PROSE: Final = frozenset(
    b"abbr alt class content d data-content data-label data-title data-tooltip label media name pattern placeholder "
    b"points sizes srcset style summary title transform value viewbox".split()
)
"""Attributes whose parentheses call nothing that scripts define."""
_PACKAGE: Final = re.compile(rb"(?<![\w.\\])(\w+(?:[.\\]+\w+)*)[.\\]+\Z")
_LONGEST_HANDLER: Final = 300


def judge_style(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """A name of a style sheet or a page, outside these: code has it in strings, templates in what they make."""
    language, text = BY_NAME.get(around.file.language), around.text
    if language is None or language.is_prose or language.configures:
        return PROSE, ""
    if language.family == WEB:
        is_page = language.has_regions or language.is_template
        return (_judge_in_page if is_page else _judge_in_sheet)(sought, around, offset)
    if around.recorded is not None and around.recorded.is_in_comment(offset):
        return PROSE, ""
    literal = around.literals.around(offset)
    is_page = language.is_template or language.has_regions
    if literal is None:
        is_made = is_page and text[offset - 1 : offset] in (b".", b"#")
        return (LITERAL, IN_PAGE) if is_made else (LIBRARY, "")
    start = max(text.rfind(b"\n", 0, literal[0]) + 1, literal[0] - 80)
    is_told = text[offset - 1 : offset] == b"#" or _STYLING.search(text, start, literal[0]) is not None
    if is_plain(sought.word) and not is_told:
        return PROSE, ""
    return LITERAL, IN_PAGE if is_page else NAMED_IN_STRING


def _judge_in_sheet(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """A selector that led to nothing: the mark of one of several pages, or a class in the argument of another one."""
    text, end = around.text, offset + len(sought.word)
    mark = text[offset - 1 : offset]
    if around.recorded is None or mark not in (b".", b"#") or text[end : end + 1] in (b"(", b"-"):
        return PROSE, ""
    if around.recorded.is_in_comment(offset) or around.literals.around(offset):
        return PROSE, ""
    is_mark = BY_NAME[sought.node.language].has_regions or BY_NAME[sought.node.language].is_template
    return (UNRESOLVED, IN_SELECTOR) if is_mark == (mark == b"#") else (PROSE, "")


def _judge_in_page(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """In a script of a page, which may write a page in turn, or in a template: `<script type="text/template">`."""
    text, first = around.text, max(0, offset - _LONGEST_HANDLER)
    is_script = around.marks.opening_of(offset, b"<script", b"</script") >= 0
    is_script = is_script or _is_in_attribute_of_code(text, offset, offset + len(sought.word))
    if not is_script or around.marks.is_in_comment(offset):
        return PROSE, ""
    before = text[max(text.rfind(b"\n", first, offset) + 1, first) : offset]
    if _STYLED.search(before):
        return LITERAL, IN_PAGE
    is_quoted = _SELECTS.search(before) is not None and _END_OF_SELECTED.match(text, offset + len(sought.word))
    if not is_quoted or (is_plain(sought.word) and before[-1:] != b"#" and not _STYLING.search(before)):
        return PROSE, ""
    return LITERAL, IN_PAGE


def _is_in_attribute_of_code(text: bytes, offset: int, end: int) -> bool:
    """Whether what stands there is in an attribute whose value is code, or is called in any that is not prose."""
    found = _ATTRIBUTE.search(text, max(0, offset - _LONGEST_HANDLER), offset)
    if found is None:
        return False
    key, before = found["key"].lower(), found["double"] if found["double"] is not None else found["single"]
    if _OF_CODE.fullmatch(key) or before.lstrip().startswith(b"javascript:"):
        return key not in _OF_PROSE
    return text[end : end + 1] == b"(" and key not in _OF_PROSE and not key.startswith(b"aria-")


def judge_text(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """In a file whose syntax is not known, or not code."""
    file, end = around.file, offset + len(sought.word)
    if not may_name_code(file.path, file.language, file.size):
        return (LITERAL, "named in a file read as text") if _is_qualified(sought, around, offset) else (PROSE, "")
    if sought.given == STRINGS and BY_NAME[file.language].is_template:
        return PROSE, ""
    if sought.is_function_of_paths and _TASK.search(around.text, max(0, offset - 80), offset):
        return PROSE, ""
    if _is_argument(sought, around, offset) or _is_behind_module(sought, around, offset):
        return LITERAL, "named in a file read as text"
    is_ordinary = is_plain(sought.word)
    if not is_ordinary and BY_NAME[file.language].is_template:
        # In a page, the first word of a sentence is no name, unless it is one of a tag.
        is_ordinary = _CAPITALISED.fullmatch(sought.word) is not None and around.text[offset - 1 : offset] != b"<"
    if not is_name(around.marks, offset, end, is_ordinary) or around.marks.is_in_comment(offset):
        return PROSE, ""
    return LITERAL, "named in a file read as text"


def _is_behind_module(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it stands behind the path of its module, as what runs a program names it: `app.wsgi:application`."""
    path = _MODULE.search(around.text, max(0, offset - 200), offset)
    if path is None or sought.given or sought.is_in_class:
        return False
    parts = path[1].split(b".")
    return sought.around.issuperset(parts) and parts[-1].decode("utf-8", "replace") == sought.module


def _is_qualified(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether the name of its package or namespace stands before it: that names it in data, too, such as a large layout
    of views."""
    before = _PACKAGE.search(around.text, max(0, offset - _LONGEST_HANDLER), offset)
    return before is not None and sought.is_in_package(re.split(rb"[.\\]+", before[1]))


def _is_argument(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether configuration names an argument of a constructor that is a field, below the name of its class
    (`$cache: '@redis'` below `App\\Shop\\Till:`), or for all classes, below `bind:`."""
    mark, text = BY_NAME[sought.node.language].rules.page_variable.encode(), around.text
    end, first = offset + len(sought.word), max(0, offset - _LONGEST_HANDLER)
    if not mark or text[offset - len(mark) : offset] != mark or text[end : end + 1] != b":":
        return False
    start = text.rfind(b"\n", first, offset) + 1
    if text[start:offset].strip() != mark or sought.node.kind not in VALUES:
        return False
    before = text[max(0, start - _FARTHEST_OWNER) : start]
    if (bound := _OF_ALL.search(before)) and bound[1] < text[start : offset - len(mark)]:
        return True
    owners = [each[1] for each in _OF_CLASS.finditer(before)]
    return bool(owners) and owners[-1].decode("utf-8", "replace") == sought.class_name


def is_in_script(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it is in a script of a page in another language, which runs with all that other scripts define."""
    language, of = BY_NAME.get(around.file.language), BY_NAME.get(sought.node.language)
    if (
        language is None
        or of is None
        or of.rules.members_read.of_page is None
        or language.family == of.family
        or sought.given
    ):
        return False
    is_page = language.has_regions or language.is_template
    if not is_page and around.recorded is not None and around.recorded.is_reference(offset):
        return False
    begin = around.text.rfind(b"<script", 0, offset)
    if begin >= 0 and around.text.find(b"</script", begin, offset) < 0:
        return True
    return _is_in_attribute_of_code(around.text, offset, offset + len(sought.word))


def judge_script(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """In a script of a page."""
    end = offset + len(sought.word)
    is_named = is_name(around.marks, offset, end, is_plain(sought.word)) and not around.marks.is_in_comment(offset)
    return (LITERAL, IN_PAGE) if is_named else (PROSE, "")


def judge_tag(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """A name of tags and attributes, which only pages have."""
    language, text, end = BY_NAME.get(around.file.language), around.text, offset + len(sought.word)
    if language is None or not (language.has_regions or language.is_template):
        return PROSE, ""
    is_tag = text[offset - 1 : offset] == b"<"
    is_attribute = text[offset - 1 : offset] in _BEFORE_ATTRIBUTE and text[end : end + 1] == b"="
    return (LITERAL, IN_PAGE) if is_tag or is_attribute else (PROSE, "")


def is_run(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it stands where a command runs a target or a script by its name."""
    language, text = BY_NAME.get(around.file.language), around.text
    if language is not None and language.is_prose:
        return False
    start = text.rfind(b"\n", 0, offset) + 1
    return _RUNS.search(text, max(start, offset - 120), offset) is not None
