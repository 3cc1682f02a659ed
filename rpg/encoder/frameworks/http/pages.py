"""What pages send: forms, links and scripts in templates, and the helpers that name a route there.

In: the text of a template (`Source`): HTML, ERB, Blade, Jinja, Thymeleaf, Razor and the like. Out: requests. What a
template fills in is a hole; a helper that names a route (`route('users.show')`, `user_path`) is its name. A link says
GET, a form what it states, by a field that stands for its method as well.

Absent: addresses that the code of a page puts together, and what a component's properties hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.page_languages import LANGUAGES, OF_RAILS
from rpg.encoder.frameworks.rows import Request
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import HOLE, SAID, Part, Text, expression_at, join_parts
from rpg.graph import FUNCTION_KINDS

PAGE: Final = "page"
NAMED: Final = "n"
"""A text of this kind is the name of a route."""
_ATTRIBUTE: Final = re.compile(
    r"""(?<![\w-])(?P<name>(?:th:|data-th-)?(?:action|href|formaction)|(?:data-)?hx-(?:get|post|put|patch|delete)"""
    r"""|data-(?:url|href|remote-url|action-url)|(?:(?<=<c:url )|(?<=<spring:url ))value)"""
    r"""\s*=\s*(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)')"""
)
_METHOD: Final = re.compile(r"""(?<![\w-])(?:th:)?method\s*=\s*["'](\w+)["']""", re.IGNORECASE)
_REAL_METHOD: Final = re.compile(
    r"""@method\(\s*['"](\w+)['"]|method_field\(\s*['"](\w+)['"]|"""
    r"""name=["']_method["']\s+(?:type=["']hidden["']\s+)?value=["'](\w+)["']"""
)
_FILLED: Final = re.compile(
    r"\{\{.*?\}\}|\{!!.*?!!\}|\{%.*?%\}|<%.*?%>|<\?.*?\?>|\$\{.*?\}|#\{.*?\}|@\(.*?\)|@[A-Za-z][\w.]*"
)
_HELPER: Final = re.compile(
    r"""^(?:\{\{|\{!!)\s*(?P<word>route|url|url_for|path|asset)\(\s*['"](?P<said>[^'"]+)['"](?P<rest>.*)\)\s*(?:\}\}|!!\})$"""
    r"""|^\{%\s*url\s+['"](?P<tagged>[\w:.-]+)['"].*%\}$"""
)
_THYMELEAF: Final = re.compile(r"^@\{([^()]*)(?:\(.*\))?\}$")
_OF_PROGRAM: Final = re.compile(
    r"^(?:\$\{\s*(?:pageContext\.)?(?:request\.|rc\.)?(?:contextPath|ctx)\s*\}|<%=\s*request\.getContextPath\(\)\s*%>|~)(?=/)"
)
"""What stands in front of an address for where the program is: JSP, Freemarker, Razor."""
_RAILS: Final = re.compile(r"(?<![\w.@:])(?P<name>[a-z]\w*)_(?:path|url)\b(?!\s*=[^=])")
_RAILS_WORD: Final = re.compile(r"\b(link_to|button_to|form_tag|form_with|form_for)\b")
_RAILS_METHOD: Final = re.compile(r"""(?<![\w-])["']?method["']?\s*(?::|=>)\s*[:"'](\w+)""")
_DEFINES: Final = re.compile(r"\bdef\s+(?:self\.)?$|[:@$]$")
_SCRIPT: Final = re.compile(
    r"""(?<![\w.])(?:(?:axios|\$|jQuery|\$http)\.(?P<verb>get|post|put|patch|delete|getJSON)|(?P<fetch>fetch))\(\s*(?=["'`])"""
)
_SCRIPT_METHOD: Final = re.compile(r"""\bmethod["']?\s*:\s*["'](\w+)""")
_OF_TESTS: Final = re.compile(r"(?:^|/)(?:tests?|specs?|fixtures|__tests__|testdata)/")
"""Pages there are what tests read: they may be anybody's."""
_LONGEST_TAG: Final = 1_500


def requests_of_page(source: Source) -> Iterator[Request]:
    if source.language == "ruby":
        if OF_RAILS.search(source.path) and not source.test and ("_path" in source.text or "_url" in source.text):
            yield from _of_rails_code(source)
        return
    if source.language not in LANGUAGES or source.test or _OF_TESTS.search(source.path):
        return
    text = source.text
    if "=" in text and any(each in text for each in ("href", "action", "hx-", "-url", ":url")):
        yield from _of_attributes(source)
    if source.language in ("erb", "haml", "slim") and ("_path" in text or "_url" in text):
        yield from _of_rails(source)
    if "axios." in text or "fetch(" in text or "$." in text or "$http." in text:
        yield from _of_scripts(source)


def _request(source: Source, method: str, address: Text, at: int) -> Request:
    return Request(
        PAGE, "", "", method, (), True, address, source.symbol(0), source.place(at), False, False, True
    )  # fmt: skip


def _of_attributes(source: Source) -> Iterator[Request]:
    text = source.text
    for found in _ATTRIBUTE.finditer(text):
        value = found["double"] if found["double"] is not None else found["single"]
        name = found["name"].removeprefix("data-th-").removeprefix("th:")
        address = _address(value.strip())
        if not address or source.is_comment(found.start()):
            continue
        opening = text.rfind("<", max(0, found.start() - _LONGEST_TAG), found.start())
        tag = re.match(r"<(\w+)", text[opening : opening + 20]) if opening >= 0 else None
        word = tag[1].lower() if tag is not None else ""
        if name == "href" and word in ("link", "base", "use"):
            continue
        yield _request(source, _method(text, name, word, opening, found.end()), address, found.start())


def _method(text: str, name: str, tag: str, opening: int, end: int) -> str:
    if "hx-" in name:
        return name.rpartition("-")[2].upper()
    if name.startswith("data-"):
        return ""
    if name == "href":
        return "GET"
    closing = text.find(">", end)
    head = text[opening : closing if 0 <= closing < end + _LONGEST_TAG else end]
    stated = _METHOD.search(head)
    method = stated[1].upper() if stated is not None else "GET" if tag == "form" else ""
    if method == "POST":
        stop = text.find("</form", end)
        real = _REAL_METHOD.search(text, end, stop if stop >= 0 else min(len(text), end + _LONGEST_TAG))
        if real is not None:
            method = (real[1] or real[2] or real[3]).upper()
    return method if not re.search(r"\bdata-method=", head) else ""


def _address(value: str) -> Text:
    """Empty if it is none."""
    if not value or value[0] == "#" or value.startswith(("//", "mailto:", "javascript:", "tel:", "data:")):
        return ()
    value = _OF_PROGRAM.sub("", value)
    helper = _HELPER.match(value)
    if helper is not None:
        if helper["tagged"]:
            return ((NAMED, helper["tagged"]),)
        if helper["word"] in ("route", "url_for"):
            return ((NAMED, helper["said"]),)
        if helper["word"] == "url":
            return _filled("/" + helper["said"].lstrip("/") + ("{{}}" if "." in helper["rest"][:3] else ""))
        return ()
    thymeleaf = _THYMELEAF.match(value)
    if thymeleaf is not None:
        path = thymeleaf[1].strip("|~")
        return _filled(path) if path.startswith("/") else ()
    filled = _filled(value)
    is_known = bool(filled) and filled[0][0] == SAID and filled[0][1].startswith("/")
    return filled if is_known else ()


def _filled(value: str) -> Text:
    """With holes for what a template fills in."""
    parts: list[Part] = []
    last = 0
    for hole in _FILLED.finditer(value):
        parts += ((SAID, value[last : hole.start()]), (HOLE, ""))
        last = hole.end()
    parts.append((SAID, value[last:]))
    return join_parts(parts)


def _of_rails(source: Source) -> Iterator[Request]:
    text = source.text
    for found in _RAILS.finditer(text):
        start = max(text.rfind("<%", 0, found.start()), text.rfind("\n", 0, found.start()))
        if text[start : start + 2] == "<%":
            end = text.find("%>", found.end())
            is_code = text.rfind("%>", start, found.start()) < 0
        else:
            end = text.find("\n", found.end())
            is_code = source.language != "erb" or text.rfind("<%", 0, start) > text.rfind("%>", 0, start)
        if not is_code:
            continue
        before, behind = text[start : found.start()], text[found.end() : end if end >= 0 else len(text)]
        words = _RAILS_WORD.findall(before)
        stated = _RAILS_METHOD.search(behind) or _RAILS_METHOD.search(before)
        method = stated[1].upper() if stated is not None else ""
        if not method and words:
            method = "GET" if words[-1] == "link_to" else "POST"
        yield _request(source, method, ((NAMED, found["name"]),), found.start())


def _of_rails_code(source: Source) -> Iterator[Request]:
    """Helpers that code calls to link, or to lead on to."""
    text = source.text
    for found in _RAILS.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        before = text[start : found.start()]
        if (
            source.is_comment(found.start())
            or _DEFINES.search(before)
            or text[found.end() : found.end() + 1] in ("?", "!", ":")
        ):
            continue
        end = text.find("\n", found.end())
        stated = _RAILS_METHOD.search(text, found.end(), end if end >= 0 else len(text))
        is_got = re.search(r"\b(?:link_to|redirect_to|redirect_back_or_to)\b", before) is not None
        method = stated[1].upper() if stated is not None else "GET" if is_got else ""
        yield _request(source, method, ((NAMED, found["name"]),), found.start())._replace(
            maker=source.symbol(source.innermost(found.start(), FUNCTION_KINDS))
        )


def _of_scripts(source: Source) -> Iterator[Request]:
    text = source.text
    for found in _SCRIPT.finditer(text):
        start, written = expression_at(text, found.end())
        said = source.said(start, written, 0)
        parts: list[Part] = []
        for kind, word in said:
            parts += _filled(word) if kind == SAID else ((kind, word),)
        address = join_parts(parts)
        if not address or address[0][0] != SAID or not address[0][1].startswith("/"):
            continue
        method = (found["verb"] or "").upper().removesuffix("JSON")
        if found["fetch"]:
            behind = text[start + len(written) : start + len(written) + 300].lstrip()
            stated = _SCRIPT_METHOD.search(behind.partition("fetch(")[0])
            is_plain = behind.startswith((")", ", {", ",{"))
            method = "GET" if behind.startswith(")") else stated[1].upper() if stated and is_plain else ""
        yield _request(source, method, address, start)


__all__ = ["NAMED", "PAGE", "requests_of_page"]
