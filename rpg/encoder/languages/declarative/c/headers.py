"""Whether a header is C or C++, by what is in it.

In: the bytes of a header. Out: whether something in it is C++ and not C: what only C++ has as syntax, members of a
struct that are functions or have values. What a header keeps from C (`#ifdef __cplusplus`) says nothing, nor do
comments and strings. Who includes it says nothing either: a header that both languages could read means the same in
both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_NO_CODE: Final = re.compile(rb'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
_CONDITION: Final = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)$", re.MULTILINE)
_DIRECTIVE: Final = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
_LIBRARY: Final = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<\w+>", re.MULTILINE)
_OBJECTIVE: Final = re.compile(rb"^[ \t]*@(?:interface|protocol|class|import|end)\b", re.MULTILINE)
_REFERENCE: Final = rb"\b\w+[ \t]*&&?[ \t]*\w*[ \t]*[,)]"
_SIGNS: Final = tuple(
    (needle, re.compile(pattern, re.MULTILINE))
    for needle, pattern in (
        (b"::", rb"\w::~?\w"),
        (b"class", rb"^[ \t]*class[ \t]+\w|\benum\s+class\s+\w"),
        (b"namespace", rb"^[ \t]*(?:inline[ \t]+)?namespace\b"),
        (b"template", rb"^[ \t]*template[ \t]*<"),
        (b"using", rb"^[ \t]*using[ \t]+\w"),
        (b"virtual", rb"^[ \t]*virtual[ \t]+[~\w]"),
        (b"explicit", rb"^[ \t]*explicit[ \t]+\w"),
        (b"friend", rb"^[ \t]*friend[ \t]+\w"),
        (b"mutable", rb"^[ \t]*mutable[ \t]+\w"),
        (b"public", rb"\bpublic[ \t]*:"),
        (b"private", rb"\bprivate[ \t]*:"),
        (b"protected", rb"\bprotected[ \t]*:"),
        (b"operator", rb"\boperator\s*(?:[-+*/%^&|~!<>=]{1,3}|\(\s*\)|\[\s*\]|new\b|delete\b)\s*\("),
        (b"noexcept", rb"\)\s*(?:const\s*)?noexcept\b"),
        (b"override", rb"\)\s*(?:const\s*)?override\b"),
        (b"_cast", rb"\b(?:static|const|dynamic|reinterpret)_cast\s*<"),
        (b"enum", rb"\benum\s+(?:struct\s+\w|\w+\s*:\s*\w)"),
        (b"struct", rb"\bstruct\s+\w+\s*(?:final\s*)?:\s*\w"),
        (b"const", rb"\)\s*const\s*[{;=]"),
        (b"&", rb"\bconst\s+\w+\s*&"),
        (
            b"&",
            rb"^[ \t]*(?!return\b|else\b|goto\b|case\b)(?:\w+[ \t*&]+)+\w+[ \t]*"
            rb"\([^()\n]*\b\w+[ \t]*&&?[ \t]*\w*[ \t]*[,)]",
        ),
    )
)
"""What a sign contains, and the sign; the last is a parameter that is a reference, in a declaration that begins its
line."""
_BRACE: Final = re.compile(rb"\b(?:struct|union)\b[ \t]*(\w*)\s*\{|[{};]")
_METHOD: Final = re.compile(rb"^(?:[\w:<>,]+[\s*&]+)+(\w+)\s*\([^()*]*\)\s*$")
_FUNCTION: Final = re.compile(rb"^(?:\w+[ \t*]+)+(\w+)[ \t]*\(([^()]*)\)\s*[;{]", re.MULTILINE)
_PARAMETER_NAME: Final = re.compile(rb"(?<=[\w*&>]) ?\b(?!(?:int|char|long|short|double|float|unsigned)\b)\w+$")
_IF: Final = re.compile(rb"^[ \t]*#[ \t]*(?:if|else|elif)", re.MULTILINE)
_VALUE: Final = re.compile(rb"\w\s*=\s*[^=]")


def is_cpp(source: bytes) -> bool:
    """Whether a header cannot be C."""
    code = _NO_CODE.sub(b" ", source)
    in_both = remove_guarded(code)
    code = in_both if _BRACE.search(_DIRECTIVE.sub(b"", in_both)) else code  # else nothing is left for C
    if _OBJECTIVE.search(code):
        return False
    if _LIBRARY.search(code):
        return True
    code = _DIRECTIVE.sub(b"", code)
    has_sign = any(needle in code and sign.search(code) for needle, sign in _SIGNS)
    if has_sign or any(is_cpp_member(*each) for each in members_of_structs(code)):
        return True
    return len(_IF.findall(in_both)) < 2 and has_overloads(code)  # else they may be alternatives


def remove_guarded(code: bytes) -> bytes:
    """The text without what only a C++ compiler sees, which a C header keeps from the others."""
    if b"__cplusplus" not in code:
        return code
    kept: list[bytes] = []
    guards: list[bool] = []
    """For each condition around: whether this branch of it is for C++ alone."""
    otherwise: list[bool] = []
    """Whether the branches behind it are."""
    at = 0
    for found in _CONDITION.finditer(code):
        if not any(guards):
            kept.append(code[at : found.start()])
        at = found.end()
        word, rest = found[1], found[2]
        is_about, is_not = b"__cplusplus" in rest, word == b"ifndef" or b"!" in rest
        if word.startswith(b"if"):
            guards.append(is_about and not is_not)
            otherwise.append(is_about and is_not)
        elif word == b"endif" and guards:
            guards.pop()
            otherwise.pop()
        elif guards:
            guards[-1] = otherwise[-1] or (is_about and not is_not)
    if not any(guards):
        kept.append(code[at:])
    return b"\n".join(kept)


def members_of_structs(code: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The name of a struct and the text of a member, without what is in its braces."""
    around: list[bytes | None] = []
    """For each brace around the name of the struct that it opens; None for all others."""
    start = 0
    for found in _BRACE.finditer(code):
        inner = around[-1] if around else None
        if inner is not None:
            yield inner, code[start : found.start()].strip()
        if found[0].endswith(b"{"):
            around.append(found[1])
        elif found[0] == b"}" and around:
            around.pop()
        start = found.end()


def has_overloads(code: bytes) -> bool:
    """Whether two functions of one name take different types. Names of parameters are no part of that."""
    known: dict[bytes, list[bytes]] = {}
    for name, parameters in _FUNCTION.findall(code):
        types = [_PARAMETER_NAME.sub(b"", b" ".join(each.split())) for each in parameters.split(b",")]
        if known.setdefault(name, types) != types:
            return True
    return False


def is_cpp_member(name: bytes, member: bytes) -> bool:
    """Whether a member of a struct is a constructor, a function or a value: what looks so in C is a macro, or an
    attribute."""
    if name and member.startswith((name + b"(", name + b" (", b"~" + name)):
        return True
    found = _METHOD.match(member)
    if found is not None and not found[1].startswith(b"__") and not found[1].isupper():
        return True
    return b"(" not in member and _VALUE.search(member) is not None
