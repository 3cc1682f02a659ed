"""Where code and pages name the key of a translation.

In: a file (`Source`). Out: rows. A key of which only the beginning is written possibly means all that begin so. It is
known to be one where the library is imported or its function has a name that nothing else has; `t("…")` of a parameter
is possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.by_text.locales import TRANSLATION
from rpg.encoder.frameworks.by_text.words import SCRIPT
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import HOLE, SAID, Text

MOST_BYTES: Final = 1 << 19
_KEY: Final = r"\s*(?P<quote>[\"'`])(?P<key>(?:(?!(?P=quote))[^\\\n]|\\.){1,200})(?P=quote)"
_CALLED: Final = re.compile(
    r"(?<![\w$.])(?P<by>\$?tc?|(?:this\.|[\w$]+\.)?(?:\$t|\$tc|[iI]18n(?:\.global)?\.t|i18next\.t|intl\.t)"
    r"|(?:[\w$]+\.)*translat(?:e|or)?(?:Service)?\.(?:instant|get|stream|t|translate)"
    r"|(?:[\w$]+\.)*props\.t|(?:[\w$]+\.)*formatMessage)\((?:\s*\{\s*id:)?" + _KEY
)
_MARKED: Final = re.compile(
    r"(?:\b(?:i18nKey|keypath|t-key)=|<FormattedMessage\s+id=|\bv-t=)\{?[\"']?(?P<quote>[\"'])(?P<key>[\w.:-]+)(?P=quote)"
    r"|(?<![\w.])['\"](?P<piped>[\w.-]+)['\"]\s*\|\s*(?:translate|transloco|t)\b"
)
_PREFIXED: Final = re.compile(
    r"(?:const|let|var)\s+(?:\{\s*(?P<field>t)\b[^}]*\}|(?P<name>[\w$]+))\s*=\s*(?:await\s+)?"
    r"(?:(?P<keys>(?:use|get)Translations)|useTranslation)\(\s*(?:[\"'](?P<space>[\w.-]+)[\"'])?"
    r"(?:[^)]*?keyPrefix:\s*[\"'](?P<prefix>[\w.-]+)[\"'])?"
)
_RUBY: Final = re.compile(
    r"(?:(?<![\w.:@$])(?P<by>t|translate)|I18n\.(?:t|translate)!?)(?:\(\s*|[ \t]+)"
    r"(?:(?P<quote>[\"'])(?P<key>\.?[a-z_](?:[\w.-]|#\{[^}\n]*\})*)(?P=quote)|:(?P<symbol>[a-z_]\w*))"
)
_PHP: Final = re.compile(
    r"(?:(?<![\w>:$\\])(?:__|trans|trans_choice)|@lang|@choice|\bLang::(?:get|choice|has)|->trans(?:Choice)?)\(" + _KEY
)
_PYTHON: Final = re.compile(
    r"(?<![\w.])(?:_|u?n?gettext(?:_lazy|_noop)?|N_|_lazy|lazy_gettext)\(\s*(?P<quote>[\"'])"
    r"(?P<key>(?:(?!(?P=quote))[^\\\n]|\\.)+)(?P=quote)\s*[,)]"
)
_TAGS: Final = re.compile(r"\{%-?\s*(?:trans|translate)\s+(?P<quote>[\"'])(?P<key>[^\"'\n]+)(?P=quote)")
_IN_BRACES: Final = re.compile(r"\{\{-?\s*_\(\s*(?P<quote>[\"'])(?P<key>[^\"'\n]+)(?P=quote)|"
                               r"\{\{#?\s*t\s+(?P<other>[\"'])(?P<second>[\w.-]+)(?P=other)")  # fmt: skip
_THYMELEAF: Final = re.compile(
    r"(?<![\w$*])#\{(?P<key>[\w.-]+)|<(?:spring|fmt):message\s+(?:code|key)=\"(?P<tag>[\w.-]+)"
)
_JAVA: Final = re.compile(r"\.getMessage\(\s*\"(?P<key>[\w.-]+)\"|(?<![\w.])R\.string\.(?P<android>\w+)")
_DOTNET: Final = re.compile(
    r"\b(?:\w*[lL]ocalizer|L)\[\s*\"(?P<key>[^\"\n]+)\"|\b(?:Resources?|Strings?|_?\w*[rR]esourceManager)\.GetString\(\s*"
    r"\"(?P<got>[^\"\n]+)\""
)
_DART: Final = re.compile(
    r"\b(?:AppLocalizations|S)\.of\(\s*\w+\s*\)\s*[!?]?\s*\.\s*(?P<key>\w+)"
    r"|(?<!\w)['\"](?P<tr>[\w.-]+)['\"]\.tr\("
)
_GO: Final = re.compile(
    r"(?:(?P<by>[\w.]*(?:[iI]18[nN]|[lL]ocali[sz]er|[tT]ranslat(?:or|er|ion)s?|[lL]ocale))(?:\(\))?\.(?:T[a-z]{0,2}|Tr|Get|Translate"
    r"|Localize|MustLocalize)\(\s*(?:[a-z]\w*\s*,\s*)?|\bMessageID:\s*)\"(?P<key>[\w.-]+)\""
)
_HOLES: Final = re.compile(r"\$\{[^}]*\}|#\{[^}]*\}|\{\$[^}]*\}")
_I18N: Final = re.compile(r"i18n|intl|translat")


def named_translations(source: Source) -> Iterator[Reading]:
    text, language = source.text, source.language
    if len(text) > MOST_BYTES:
        return
    if language in SCRIPT:
        yield from _in_script(source)
    elif language in ("ruby", "erb", "haml"):
        yield from _in_ruby(source)
    elif language in ("php", "blade"):
        for found in _PHP.finditer(text):
            yield from _named(source, found["key"], found.start("key"), interpolated=found["quote"] == '"')
    elif language == "python":
        for found in _PYTHON.finditer(text):
            yield from _named(source, found["key"], found.start("key"))
    else:
        for pattern, word in _BY_WORD.get(language, ()):
            for found in pattern.finditer(text) if word in text else ():
                group = found.lastgroup or "key"
                group = {"quote": "key", "other": "second"}.get(group, group)
                yield from _named(source, found[group], found.start(group))


_BY_WORD: Final = {
    "html": ((_THYMELEAF, "#{"), (_MARKED, "translate"), (_TAGS, "{%")),
    "page_template": ((_TAGS, "{%"), (_IN_BRACES, "{{"), (_THYMELEAF, ":message")),
    "java": ((_JAVA, ""),),
    "kotlin": ((_JAVA, ""),),
    "csharp": ((_DOTNET, ""),),
    "dart": ((_DART, ""),),
    "go": ((_GO, ""),),
}


def _in_script(source: Source) -> Iterator[Reading]:
    text = source.text
    prefixes: dict[str, list[tuple[int, str]]] = {}
    for found in _PREFIXED.finditer(text):
        name = found["field"] or found["name"]
        space = f"{found['space']}{'.' if found['keys'] else ':'}" if found["space"] else ""
        prefixes.setdefault(name, []).append((found.end(), space + (f"{found['prefix']}." if found["prefix"] else "")))
    is_known = any(_I18N.search(each.lower()) for each in source.modules) or source.language in ("vue", "svelte")
    for found in _CALLED.finditer(text):
        by = found["by"]
        stated = [prefix for at, prefix in prefixes.get(by, ()) if at <= found.start()]
        key, at = found["key"], found.start("key")
        known = is_known or by not in ("t", "tc")
        if stated and stated[-1] and ":" not in key:
            key = stated[-1] + key
        yield from _named(source, key, at, known=known, interpolated=found["quote"] == "`")
    if any(word in text for word in ("i18nKey", "FormattedMessage", "v-t=", "keypath=", "| translate", "|translate")):
        for found in _MARKED.finditer(text):
            group = "key" if found["key"] else "piped"
            yield from _named(source, found[group], found.start(group))


def _in_ruby(source: Source) -> Iterator[Reading]:
    for found in _RUBY.finditer(source.text):
        group = "key" if found["key"] else "symbol"
        key, at = found[group], found.start(group)
        if key.startswith("."):
            scope = _lazy_scope(source, at)
            if not scope:
                continue
            key = scope + key
        known = not found["by"] or "." in key
        yield from _named(source, key, at, known=known, interpolated=found["quote"] == '"')


def _lazy_scope(source: Source, at: int) -> str:
    """What Rails puts before a key that begins with a dot: the path of the view, or the controller and its action."""
    _, found, rest = f"/{source.path}".rpartition("/app/views/")
    if found:
        path = rest.partition(".")[0]
        return ".".join(each.removeprefix("_") for each in path.split("/"))
    _, found, rest = f"/{source.path}".rpartition("/app/controllers/")
    action = source.facts.definitions[around(source, at)].name if found else ""
    name = rest.removesuffix(".rb").removesuffix("_controller").replace("/", ".")
    return f"{name}.{action}" if found and action else ""


def _named(source: Source, key: str, at: int, known: bool = True, interpolated: bool = False) -> Iterator[Reading]:
    if source.is_comment(at):
        return
    text: Text = ((SAID, _decoded(key)),)
    if interpolated and (hole := _HOLES.search(key)) is not None:
        if hole.start() < 3:
            text = ((HOLE, ""),)
        else:
            text = ((SAID, key[: hole.start()]), (HOLE, ""), (SAID, _HOLES.sub("*", key[hole.end() :])))
    maker = around(source, at)
    yield Reading(TRANSLATION, text, source.symbol(maker), source.place(at), is_test(source, maker), known=known)


def _decoded(text: str) -> str:
    if "\\" in text:
        text = re.sub(r"\\(.)", lambda escape: "\n" if escape[1] == "n" else escape[1], text)
    return text if text.isascii() else text.encode("latin-1", "replace").decode("utf-8", "replace")
