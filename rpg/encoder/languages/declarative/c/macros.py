"""Macros at positions where the grammar of C and C++ has no place for them: `API_EXPORT class Cart`, `BEGIN_NAMESPACE`.

In: the bytes of a file that does not parse. Out: the same bytes with such macros blanked, so that all else keeps its
place, and where they stood. What they are is known from where they stand alone: no macro is expanded.
"""

from __future__ import annotations

import re
from typing import Final

_DIRECTIVE: Final = rb"[ \t]*#(?:[^\n\\]|\\\n|\\.)*"
_TOKEN: Final = re.compile(
    rb"""[/"'\nA-Z_](?:"""  # where one may begin, so that all else is passed quickly:
    rb"(?<=/)/[^\n]*|(?<=/)\*.*?\*/"  # neither comments,
    rb'|(?<=")(?:[^"\\\n]|\\.)*"|' + rb"(?<=')(?:[^'\\\n]|\\.)*'"  # nor texts,
    rb"|(?<=\n)"
    + _DIRECTIVE  # nor directives
    + rb"|(?<=[A-Z_])(?<![\w.>].)(?P<macro>[A-Z0-9_]{2,})(?!\w))",
    re.DOTALL,
)
_FIRST: Final = re.compile(_DIRECTIVE, re.DOTALL)
_SPACE: Final = re.compile(rb"(?>\s+|//[^\n]*|/\*.*?\*/)*+", re.DOTALL)
_KEYWORD: Final = re.compile(
    rb"(?:auto|bool|char|class|constexpr|double|enum|explicit|extern|float|friend|inline|int|long|namespace"
    rb"|operator|short|signed|static|struct|template|typedef|typename|union|unsigned|using|virtual|void)\b"
)
_STATEMENT: Final = re.compile(rb"(?:case|default|break|return|goto|if|else|for|while|do|switch)\b")
_TYPE: Final = rb"[A-Za-z_][\w:]*+(?:<[^;{}()]{0,200}>)?"
_PROTOTYPE: Final = re.compile(
    rb"\s*(?!(?:return|else|case|goto|typedef)\b)(?>" + _TYPE + rb"[\s*&]+)+[A-Za-z_~][\w:]*+\s*\([^=]*$"
)
"""What of a statement stands before the macro in `int print(const char *, ...) LIKE_PRINTF(1, 2);`"""
_HEADER: Final = re.compile(
    rb"\s*(?!(?:return|else|case|goto|typedef|if|for|while|switch|catch|do)\b)(?>"
    + _TYPE
    + rb"[\s*&]+)*(?:operator\s*(?:\(\s*\)|[^\s\w(]+)|~?[A-Za-z_][\w:]*+)\s*\([^{};]*$"
)
"""The same for a function that is defined, or a constructor."""
_SECTION: Final = re.compile(rb"\s*(?:(?:public|protected|private)\s*:\s*)?(?:template\s*<[^;{}()]*>)?")
_BEHIND_HEADER: Final = re.compile(rb"[{;]|:(?!:)|=\s*(?:default|delete|0)\s*;|(?:override|final|const|noexcept)\b")
_MEMBER: Final = re.compile(
    rb"\s*(?:\w+\s*:(?!:)\s*)?(?!(?:return|else|case|goto|typedef|using|new|delete|throw)\b)(?>"
    + _TYPE
    + rb"[\s*&]+)+(?!(?:auto|bool|char|const|double|float|int|long|mutable|short|signed|static|unsigned|volatile)\b)"
    rb"[A-Za-z_]\w*+\s*(?:\[[^\]]*\]\s*)*$"
)
"""What stands before it in `int size_ GUARDED_BY(mutex_);`"""
_QUALIFIERS: Final = re.compile(rb"(?:static|const|constexpr|mutable|inline|volatile|extern|thread_local|struct)\b\s*")
_COMMENT: Final = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ENDS_HEADER: Final = frozenset({b"const", b"override", b"final", b"noexcept"})
_TYPES: Final = (b"class", b"struct", b"union")
_TYPEDEF_BEFORE: Final = re.compile(rb"\btypedef\b[^;{}()]*\(\s*$")
_NAMED_TYPE: Final = re.compile(rb"[A-Za-z_]\w*(?:\s+final)?\s*(?:\{|:(?!:))")
_WORD: Final = re.compile(rb"[A-Za-z_]")
_LABEL: Final = re.compile(rb":(?!:)")
_MACRO: Final = re.compile(rb"[A-Z_][A-Z0-9_]+(?![\w(])")
_CALLED: Final = re.compile(rb"[A-Z_][A-Z0-9_]+(?=\()")
_DECLARED: Final = re.compile(
    rb"(?!(?:const|volatile|return|else|case|goto|typedef|new|delete|throw|operator)\b)(?=[\w:]*[a-z])[A-Za-z_][\w:]*"
    rb"(?:<[^;{}()]{0,200}>)?[ \t*&]+[A-Za-z_][\w:]*\s*[;=({\[]"
)
"""A type and a name, which a macro stands before."""
_CONSTRUCTOR: Final = re.compile(rb"[A-Za-z_]\w*\s*(?=\()")
_INITIALIZERS: Final = re.compile(rb"\s*(?:noexcept\s*)?:\s*\w")
_MOST_IN_A_ROW: Final = 4
_LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
_NAME_ENDS: Final = frozenset(bytes([each]) for each in _LETTERS)
_TEMPLATE: Final = re.compile(rb"\btemplate\s*<[^;{}]*$")
_LINE_END: Final = 10
_PARENTHESIS: Final = re.compile(rb"[()]")
_REACH: Final = 600
"""Bytes before a macro that are looked at."""
_LONGEST_COMMENT: Final = 20_000


def blank_macros(source: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """The source with such macros blanked, and their spans."""
    spans: list[tuple[int, int]] = []
    first = _FIRST.match(source)
    directive = first.end() if first is not None else 0
    done = 0
    """Where the last directive, and the last such macro, ends."""
    for found in _TOKEN.finditer(source, directive):
        start = found.start()
        if found["macro"] is None:
            if source[start] == _LINE_END:
                directive = found.end()
            continue
        if start < done:
            continue
        begin = _find_beginning(source, start)
        before = source[max(0, begin - 1) : begin]
        end = _past_arguments(source, found.end())
        is_first = begin <= max(directive, done) or before in b";{}:" or (before == b">" and _is_head(source, begin))
        span = _span(source, start, found.end(), end, is_first, before)
        if span is not None:
            spans.append(span)
            done = span[1]
    if not spans:
        return source, []
    blanked = bytearray(source)
    for start, end in spans:
        blanked[start:end] = re.sub(rb"[^\n]", b" ", source[start:end])
    return bytes(blanked), spans


def _span(source: bytes, start: int, name_end: int, end: int, is_first: bool, before: bytes) -> tuple[int, int] | None:
    """What of a macro from `start` has no place; `end`: after its arguments, if it has some."""
    after = _SPACE.match(source, end)
    at = after.end() if after is not None else end
    ahead = source[max(0, start - _REACH) : start]
    word = _word_before(ahead)
    if word in _TYPES:
        return (start, end) if _NAMED_TYPE.match(source, at) else None
    if before == b"(" and source[at : at + 1] == b"*" and _TYPEDEF_BEFORE.search(ahead):
        return (start, end)
    if word == b"if":
        return (start, name_end) if end > name_end else None
    if _KEYWORD.match(source, _past_macros(source, at)) and (is_first or before in b">)(," or before.isalpha()):
        return (start, end)
    following = source[at : at + 1]
    if is_first and before in (b";", b"{", b"}"):
        if _LABEL.match(source, at):
            return (start, at + 1)
        if following == b"{" and end == name_end:
            return (start, end)
    if end > name_end and _is_annotation(source, at, ahead, before, word):
        return (start, end)
    if end == name_end and _ends_header(source, at, ahead, before, word):
        return (start, end)
    if is_first and following == b"~":
        return (start, end)
    if is_first and (_DECLARED.match(source, at) or _is_constructor(source, at)):
        return (start, end)
    is_line = b"\n" in source[end:at] or at == len(source)
    if is_first and is_line and following in (b"", b"#", b"}", b"["):
        return (start, end)
    if is_first and is_line and (end > name_end or _STATEMENT.match(source, at)) and _WORD.match(following):
        return (start, end)
    if end > name_end and before == b"," and following in b">," and following and _TEMPLATE.search(ahead):
        return (source.rindex(b",", 0, start), end)
    return None


def _is_annotation(source: bytes, at: int, ahead: bytes, before: bytes, word: bytes) -> bool:
    """Whether a macro with arguments, behind which `at` is, says something of what is declared before it."""
    behind = _past_calls(source, at)
    following = source[behind : behind + 1]
    is_function = before == b")" or word in _ENDS_HEADER
    if following not in ((b";", b"{") if is_function else (b";", b"=")):
        return False
    if not (is_function or before == b"]" or before in _NAME_ENDS):
        return False
    statement = _since_statement(_COMMENT.sub(b" ", ahead))
    if is_function:
        return _PROTOTYPE.match(statement) is not None
    return _MEMBER.match(_QUALIFIERS.sub(b"", statement)) is not None


def _ends_header(source: bytes, at: int, ahead: bytes, before: bytes, word: bytes) -> bool:
    """Whether a macro without arguments, behind which `at` is, ends a header: `void run() NOEXCEPT {`."""
    if before != b")" and word not in _ENDS_HEADER:
        return False
    at = _past_macros(source, at)
    if not _BEHIND_HEADER.match(source, at):
        return False
    statement = _since_statement(_COMMENT.sub(b" ", ahead))
    if statement.count(b"(") != statement.count(b")"):
        return False
    section = _SECTION.match(statement)
    pattern = _PROTOTYPE if source[at : at + 1] == b";" else _HEADER
    return pattern.match(statement, section.end() if section is not None else 0) is not None


def _past_calls(source: bytes, at: int) -> int:
    """Behind macros with arguments that follow one another."""
    for _ in range(_MOST_IN_A_ROW):
        macro = _CALLED.match(source, at)
        if macro is None:
            break
        after = _SPACE.match(source, _past_arguments(source, macro.end()))
        if after is None:
            break
        at = after.end()
    return at


def _is_head(source: bytes, end: int) -> bool:
    """Whether what ends there is `template <...>`."""
    return _TEMPLATE.search(source, max(0, end - _REACH), end) is not None


def _is_constructor(source: bytes, at: int) -> bool:
    """Whether `Cart(int size) : size_(size)` stands there."""
    name = _CONSTRUCTOR.match(source, at)
    if name is None:
        return False
    end = _past_arguments(source, name.end())
    return end > name.end() and _INITIALIZERS.match(source, end) is not None


def _past_macros(source: bytes, end: int) -> int:
    """Behind macros that follow one another, without arguments."""
    at = end
    for _ in range(_MOST_IN_A_ROW):
        macro = _MACRO.match(source, at)
        after = _SPACE.match(source, macro.end()) if macro is not None else None
        if after is None:
            return at
        at = after.end()
    return at


def _since_statement(ahead: bytes) -> bytes:
    return ahead[max(ahead.rfind(each) for each in (b";", b"{", b"}")) + 1 :]


def _word_before(ahead: bytes) -> bytes:
    """The word at the end, if space follows it. A search for it would try every place before the end."""
    trimmed = ahead.rstrip()
    if len(trimmed) == len(ahead):
        return b""
    return trimmed[len(trimmed.rstrip(_LETTERS)) :]


def _find_beginning(source: bytes, start: int) -> int:
    """Where the space and the comments before a place begin."""
    at = start
    while at:
        reach = max(0, at - _REACH)
        at = len(source[reach:at].rstrip()) + reach
        line = max(reach, source.rfind(b"\n", reach, at) + 1)
        comment = source.find(b"//", line, at)
        if comment < 0 and source.endswith(b"*/", 0, at):
            comment = source.rfind(b"/*", max(0, at - _LONGEST_COMMENT), at)
        if comment < 0:
            break
        at = comment
    return at


def _past_arguments(source: bytes, end: int) -> int:
    """Behind the parentheses that follow a name, if they do and are balanced."""
    at = end
    while source[at : at + 1] in (b" ", b"\t"):
        at += 1
    if source[at : at + 1] != b"(":
        return end
    depth = 0
    for found in _PARENTHESIS.finditer(source, at, min(len(source), at + _REACH)):
        depth += 1 if found[0] == b"(" else -1
        if not depth:
            return found.end()
    return end
