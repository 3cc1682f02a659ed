"""Files of translations: i18next, vue-i18n, next-intl, Laravel, Rails, Symfony, gettext, Spring, .NET, Flutter.

In: a path; a file (`Source`). Out: whether it is one that code is written against, English or without a language in its
name; its keys as rows. Translations into other languages name the same keys, and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.by_text.literals import LineCounter, keys_of
from rpg.encoder.frameworks.rows import Setting
from rpg.encoder.frameworks.settings.yaml_lines import entries
from rpg.encoder.frameworks.source import Source

TRANSLATION: Final = "translation"
FILED: Final = "translations by file"
"""The kind of a file whose name is the first part of its keys."""
KEYED: Final = "translations"
MOST_BYTES: Final = 1 << 21
_FOLDER: Final = re.compile(r"(?i)[\w.-]*(?:locale|i18n|l10n|translation)[\w.-]*|langs?|languages?|messages|intl")
_ENGLISH: Final = re.compile(r"(?i)en(?:[-_](?:us|gb))?")
_ENDING: Final = re.compile(r"(?i)[\w-]+[._-]en(?:[-_](?:us|gb))?")
_MESSAGES: Final = re.compile(
    r"(?:[\w-]*[Mm]essages|labels|i18n|texts?|strings|translations?)(?:_en(?:_(?:US|GB))?)?\.properties"
)
_NESTED: Final = (".json", ".js", ".ts", ".php", ".yml", ".yaml")
_SUFFIXES: Final = (*_NESTED, ".properties", ".po", ".pot", ".resx", ".arb", "strings.xml")
_PROPERTY: Final = re.compile(r"^[ \t]*(?![#!])((?:[^\s=:\\]|\\.)+)[ \t]*[=:]", re.MULTILINE)
_MESSAGE: Final = re.compile(r"^msgid[ \t]+\"(.*)\"[ \t]*\n((?:\".*\"[ \t]*\n)*)", re.MULTILINE)
_NAMED: Final = re.compile(r"<(?:data|string|plurals|string-array)\s+name=\"([^\"]+)\"")
_PART: Final = re.compile(r"\"(.*)\"")


def is_of_translations(path: str) -> bool:
    if not path.endswith(_SUFFIXES):
        return False
    folder, _, name = path.rpartition("/")
    stem, _, suffix = name.rpartition(".")
    folders = folder.split("/")
    if suffix in ("json", "js", "ts", "php", "yml", "yaml"):
        is_english = _ENGLISH.fullmatch(stem) or _ENDING.fullmatch(stem)
        if not is_english and not any(_ENGLISH.fullmatch(each) for each in folders):
            return False
        return any(_FOLDER.fullmatch(each) for each in folders)
    if suffix == "properties":
        return _MESSAGES.fullmatch(name) is not None
    if suffix == "po":
        return "LC_MESSAGES" in folders and any(_ENGLISH.fullmatch(each) for each in folders)
    if suffix == "resx":
        return "." not in stem or _ENDING.fullmatch(stem) is not None
    if suffix == "arb":
        return _ENGLISH.fullmatch(stem) is not None or _ENDING.fullmatch(stem) is not None
    return suffix == "pot" or (name == "strings.xml" and folders[-1] == "values")


def translations_of(source: Source) -> Iterator[Setting]:
    text, path = source.text, source.path
    if len(text) > MOST_BYTES:
        return
    suffix = path.rpartition(".")[2]
    of = _space_of(path)
    lines = LineCounter(text)
    if suffix in ("json", "arb", "js", "ts", "php"):
        by = FILED if suffix == "php" else KEYED
        for key in keys_of(text):
            around = key.around[1:] if key.around and _ENGLISH.fullmatch(key.around[0]) else key.around
            if not key.name.startswith("@"):
                yield _row(source, ".".join([*around, _decoded(key.name)]), key.line, of, by)
    elif suffix in ("yml", "yaml"):
        for each in entries(text):
            if each.key:
                around = each.around[1:] if each.around and _ENGLISH.fullmatch(each.around[0]) else each.around
                yield _row(source, ".".join([*around, each.key]), each.line, "", KEYED)
    elif suffix == "properties":
        for found in _PROPERTY.finditer(text):
            yield _row(source, found[1], lines.line(found.start(1)), "", KEYED)
    elif suffix in ("po", "pot"):
        for found in _MESSAGE.finditer(text):
            said = found[1] + "".join(_PART.findall(found[2]))
            if said:
                yield _row(source, _decoded(said), lines.line(found.start(1)), "", KEYED)
    else:
        for found in _NAMED.finditer(text):
            yield _row(source, found[1], lines.line(found.start(1)), "", KEYED)


def _row(source: Source, name: str, line: int, of: str, by: str) -> Setting:
    return Setting(TRANSLATION, name, source.symbol(0), line, by, of, True)


def _decoded(text: str) -> str:
    text = text.replace('\\"', '"').replace("\\'", "'").replace("\\n", "\n").replace("\\/", "/")
    return text if text.isascii() else text.encode("latin-1", "replace").decode("utf-8", "replace")


def _space_of(path: str) -> str:
    """The name that a file's keys are found by, if its language is that of its folder."""
    parts = path.rpartition(".")[0].split("/")
    for at in range(len(parts) - 2, -1, -1):
        if _ENGLISH.fullmatch(parts[at]):
            return "/".join(parts[at + 1 :])
    return ""
