"""What frameworks find by a name that code states: settings of Django, models by their labels, layouts, middleware and
plugins of Nuxt, parts of a store of Vuex.

In: a file (`Source`). Out: rows of both sides. Absent: names that are computed, settings that plugins declare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.graph import CLASS_KINDS

PART_OF: Final = "named by a framework"
BASE: Final = "base"
"""Of settings: what other files of settings build on."""
_SETTINGS_FILE: Final = re.compile(r"(?:^|/)(?:\w*settings\w*\.py|settings/\w+\.py)$")
_BASE_FILE: Final = re.compile(r"(?:^|/)(?:settings|base|common|defaults|__init__)\.py$")
_READ: Final = re.compile(
    r"(?<![\w.])settings\.(?P<key>[A-Z][A-Z0-9_]+)|\bgetattr\(\s*settings\s*,\s*[\"'](?P<named>[A-Z][A-Z0-9_]+)[\"']"
)
_MODELS: Final = re.compile(r"(?:^|/)(?P<app>\w+)/models(?:/\w+)?\.py$")
_MODEL: Final = re.compile(
    r"\bget_model\(\s*[\"'](?P<app>\w+)[\"']\s*,\s*[\"'](?P<key>\w+)[\"']|\bget_model\(\s*[\"'](?P<whole>\w+\.\w+)[\"']"
)
_OF_NUXT: Final = re.compile(r"(?:^|/)(?P<kind>layouts|middleware|plugins)/(?P<name>[\w./-]+?)\.(?:vue|[jt]s)$")
_LAYOUT: Final = re.compile(
    r"(?<![\w.])layout\s*:\s*[\"'](?P<key>[\w/-]+)[\"']|\bsetPageLayout\(\s*[\"'](?P<set>[\w/-]+)[\"']|<NuxtLayout\s+name=\"(?P<tag>[\w/-]+)\""
)
_MIDDLEWARE: Final = re.compile(r"(?<![\w.])middleware\s*:\s*(?P<list>\[[^\]]*\]|[\"'][\w/-]+[\"'])")
_PLUGIN: Final = re.compile(r"[\"'][~@]{1,2}/(?P<key>(?:plugins|middleware)/[\w./-]+?)(?:\.[jt]s)?[\"']")
_QUOTED: Final = re.compile(r"[\"'](?P<key>[\w/.-]+)[\"']")
_STORE: Final = re.compile(r"(?:^|/)store/(?:modules/)?(?P<name>[\w/-]+?)(?:/index)?\.[jt]s$")
_PARTS: Final = re.compile(
    r"(?:\bexport\s+const\s+|^[ \t]*)(?P<kind>actions|mutations|getters)\s*(?::[^={\n]*)?[=:]\s*(?:\w+\()?\{",
    re.MULTILINE,
)
_DISPATCHED: Final = re.compile(
    r"\b(?:dispatch|commit)\(\s*[\"'](?P<key>[\w/]+)[\"']|\bgetters\[\s*[\"'](?P<getter>[\w/]+)[\"']\s*\]"
)
_MAPPED: Final = re.compile(
    r"\bmap(?:Actions|Mutations|Getters)\(\s*(?:[\"'](?P<space>[\w/]+)[\"']\s*,\s*)?(?P<list>\[[^\]]*\]|\{[^}]*\})"
)
_MEMBER: Final = re.compile(
    r"^(?P<indent>[ \t]+)(?:async\s+)?(?P<key>\w+)\s*(?:\(|:\s*(?:async\s*)?(?:\(|function|\w+\s*=>))", re.MULTILINE
)
_SCRIPT: Final = frozenset("javascript typescript vue tsx".split())


def may_name_parts(facts: FileFacts) -> bool:
    if facts.language == "python":
        return (
            "get_model" in facts.strings
            or _SETTINGS_FILE.search(facts.path) is not None
            or _MODELS.search(facts.path) is not None
            or any(each.module.startswith("django.conf") for each in facts.imports)
        )
    if facts.path.endswith(_OF_GRADLE):
        return True
    return facts.language in _SCRIPT and (
        _OF_NUXT.search(facts.path) is not None
        or _STORE.search(facts.path) is not None
        or not _WORDS.isdisjoint(facts.strings)
        or "nuxt.config" in facts.path
    )


_OF_GRADLE: Final = (".gradle", ".gradle.kts")
_PROPERTY: Final = re.compile(r"(?<![\w.])[a-z]+[A-Z]\w*(?![\w(])|(?<=\$)\{?(?P<filled>[A-Za-z]\w*)")
_WORDS: Final = frozenset(
    "layout middleware dispatch commit getters mapActions mapMutations mapGetters setPageLayout definePageMeta".split()
)


def _row(source: Source, name: str, number: int, at: int, by: str = "") -> Setting:
    return Setting(PART_OF, name, source.symbol(number), source.line(at) if at else 1, by, "", True)


def parts_of(source: Source) -> Iterator[Setting]:
    definitions = source.facts.definitions
    if source.language == "python":
        if _SETTINGS_FILE.search(source.path):
            by = BASE if _BASE_FILE.search(source.path) else ""
            for number, each in enumerate(definitions):
                if number and each.parent == 0 and each.name.isupper():
                    yield _row(source, f"setting {each.name}", number, each.name_byte, by)
        models = _MODELS.search(source.path)
        app = models["app"] if models is not None else ""
        for number, each in enumerate(definitions) if app else ():
            if number and each.parent == 0 and each.kind in CLASS_KINDS:
                yield _row(source, f"model {app}.{each.name}".lower(), number, each.name_byte)
        return
    found = _OF_NUXT.search(source.path)
    if found is not None:
        yield _row(source, f"{found['kind']} {found['name']}", 0, 0)
    store = _STORE.search(source.path)
    if store is not None:
        name = store["name"].removesuffix("index").rstrip("/")
        for part in _PARTS.finditer(source.text):
            yield from _members(source, name, part)


def _members(source: Source, name: str, part: re.Match[str]) -> Iterator[Setting]:
    """The members of an object, which are indented alike."""
    text = source.text
    end, depth = part.end(), 1
    while end < len(text) and depth:
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1
    indent = ""
    for found in _MEMBER.finditer(text, part.end(), end):
        indent = indent or found["indent"]
        if found["indent"] == indent:
            kind = "getter" if part["kind"] == "getters" else "mutation" if part["kind"] == "mutations" else "action"
            whole = f"{name}/{found['key']}" if name else found["key"]
            number = source.innermost(found.start("key"))
            yield _row(source, f"{kind} {whole}", number, found.start("key"))


def named_parts(source: Source) -> Iterator[Reading]:
    text = source.text
    if source.language == "python":
        if any(each.startswith("django.conf") for each in source.modules):
            for found in _READ.finditer(text):
                group = found.lastgroup or "key"
                yield from _reading(source, f"setting {found[group]}", found.start(group))
        for found in _MODEL.finditer(text) if "get_model" in text else ():
            name = found["whole"] or f"{found['app']}.{found['key']}"
            yield from _reading(source, f"model {name}".lower(), found.start())
        return
    if source.path.endswith(_OF_GRADLE):
        for found in _PROPERTY.finditer(text):
            name = found["filled"] or found[0]
            line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
            if "//" in line.replace("://", "") or line.lstrip().startswith("*"):
                continue
            yield from _reading(source, f"gradle {name}", found.start())
        return
    for found in _LAYOUT.finditer(text) if "ayout" in text else ():
        group = found.lastgroup or "key"
        yield from _reading(source, f"layouts {found[group]}", found.start(group))
    for found in _MIDDLEWARE.finditer(text) if "middleware" in text else ():
        for each in _QUOTED.finditer(text, found.start("list"), found.end("list")):
            yield from _reading(source, f"middleware {each['key']}", each.start("key"))
    for found in _PLUGIN.finditer(text) if "nuxt.config" in source.path else ():
        kind, _, name = found["key"].partition("/")
        yield from _reading(source, f"{kind} {name}", found.start("key"))
    for found in _DISPATCHED.finditer(text) if "dispatch(" in text or "commit(" in text or "getters[" in text else ():
        kind = "getter" if found["getter"] else "mutation" if found[0].startswith("commit") else "action"
        group = found.lastgroup or "key"
        yield from _reading(source, f"{kind} {_own_space(source, found[group])}", found.start(group))
    for found in _MAPPED.finditer(text) if "map" in text else ():
        kind = {"A": "action", "M": "mutation", "G": "getter"}[found[0][3]]
        for each in _QUOTED.finditer(text, found.start("list"), found.end("list")):
            name = f"{found['space']}/{each['key']}" if found["space"] else each["key"]
            yield from _reading(source, f"{kind} {name}", each.start("key"))


def _own_space(source: Source, name: str) -> str:
    """Within a module of a store, names without a slash are its own."""
    store = _STORE.search(source.path)
    return f"{store['name']}/{name}" if store is not None and "/" not in name and store["name"] != "index" else name


def _reading(source: Source, name: str, at: int) -> Iterator[Reading]:
    if not source.is_comment(at):
        maker = around(source, at)
        said = ((SAID, name),)
        yield Reading(PART_OF, said, source.symbol(maker), source.place(at), is_test(source, maker))
