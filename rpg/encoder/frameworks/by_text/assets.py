"""Files that a browser asks for, by the string that names them: `{% static 'cart.js' %}`, `asset('css/app.css')`,
`javascript_include_tag 'application'`, `src="/icons/logo.svg"`.

In: a file (`Source`). Out: rows: each file below a folder that is served, by the paths that may mean it, and each
picture, font, sound and film wherever it is; the places that name one. Scripts and style sheets that a page loads by a
path are imports as such. Absent: names that bundlers put a hash into.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.by_text.words import SCRIPT
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.page_languages import LANGUAGES
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID

STATIC: Final = "static file"
BY: Final = "static files"
MOST_BYTES: Final = 1 << 19
MOST_ROOTS: Final = 4
_MEDIA: Final = r"svg|png|jpe?g|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|m4a|mov|wav|ogg|webm|wasm"
_PLAIN: Final = rf"(?:{_MEDIA}|json|webmanifest|xml|[cm]?js|css)"
_SUFFIX: Final = rf"(?:[cm]?js|css|s[ac]ss|less|{_MEDIA}|json|webmanifest|xml|html|coffee|tsx?|jsx)"
_SERVED: Final = re.compile(rf"\.{_SUFFIX}(?:\.erb)?$")
_OF_TEXT: Final = re.compile(rf"\.(?:json|webmanifest|xml|coffee|sass|less|erb|{_MEDIA})$", re.IGNORECASE)
_ANYWHERE: Final = re.compile(rf"\.(?:{_MEDIA})$", re.IGNORECASE)
"""What is named by its path also where its folder is not served."""
HERE: Final = "./"
"""In front of the whole path of a file, as the name that paths relative to another one mean."""
_ROOT: Final = re.compile(
    r"(?:^|/)(?P<name>public|static|assets|wwwroot|www|htdocs|webroot|resources|packs|entrypoints"
    r"|javascripts?|stylesheets|images|img)(?=/)"
)
_KEY: Final = r"\(\s*[\"'](?P<key>[^\"'\n{}$<>]+)[\"']"
_HELPER: Final = re.compile(
    r"\{%-?\s*static\s+[\"'](?P<tag>[^\"'\n]+)[\"']"
    r"|\burl_for\(\s*[\"'](?:[\w.]*\.)?static[\"']\s*,\s*(?:filename|path)\s*=\s*[\"'](?P<filename>[^\"'\n]+)[\"']"
    r"|(?<![\w$>.:])(?:static|asset|secure_asset|mix|elixir|public_path|resource_path|vite_asset)" + _KEY
    + r"|\bVite::asset\(\s*[\"'](?P<vite>[^\"'\n{}$<>]+)[\"']"
)  # fmt: skip
_LISTED: Final = re.compile(r"@vite\(([^()]*)\)")
_TAGGED: Final = re.compile(
    r"\b(?:(?P<script>(?:javascript|vite_(?:javascript|typescript))_(?:include|pack|packs_with_chunks)?_?tag)"
    r"|(?P<style>(?:stylesheet|vite_stylesheet)_(?:link|pack)?_?tag)"
    r"|(?:image_(?:pack_)?(?:tag|path|url)|(?:asset|image)_(?:pack_)?(?:path|url)|inline_svg(?:_tag|_pack_tag)?"
    r"|favicon_link_tag|auto_discovery_link_tag))[\s(]+(?=[\"'])"
)
_STRINGS: Final = re.compile(r"\s*[\"'](?P<key>[^\"'\n#{}]+)[\"']\s*(,?)")
_STRING: Final = re.compile(r"[\"'](?P<key>[^\"'\n{}$]+)[\"']")
_ATTRIBUTE: Final = re.compile(
    rf"(?<![\w$-])(?:src|href|xlink:href|poster|data|content|srcset|data-src|icon|image|logo|avatar)\s*=\s*\{{?\s*[\"'`]"
    rf"(?P<key>[\w./@~%-]+\.{_PLAIN})(?:[?#][^\"'\n]*)?[\"'`]",
    re.IGNORECASE,
)
_LITERAL: Final = re.compile(
    rf"(?<![=\w])\s*[\"'`](?P<key>/[\w.@-]+(?:/[\w.@-]+)*\.{_PLAIN}"
    rf"|(?:[@~]/|\.{{1,2}}/)*[\w@-][\w.@-]*(?:/[\w.@-]+)*\.(?:{_MEDIA}))[\"'`]"
)
_ADDRESS: Final = re.compile(
    rf"\burl\(\s*(?P<quote>[\"']?)(?P<key>[\w./@~%-]+\.(?:{_MEDIA}))(?:[?#][^\"')\n]*)?(?P=quote)\s*\)", re.IGNORECASE
)
_NAMED_SO: Final = re.compile(rf"^/[^\n]{{1,300}}\.{_PLAIN}$|[\w-]\.(?:{_MEDIA})$|\burl\(", re.MULTILINE)
_SHOWN: Final = re.compile(rf"!\[[^\]\n]*\]\(\s*<?(?P<key>[\w./@%-]+\.(?:{_MEDIA}))(?:[?#][^)\s]*)?>?", re.IGNORECASE)
"""A picture of Markdown."""
_WITH_MARKUP: Final = frozenset("vue svelte astro".split())
"""Scripts of which the strings in markup are no facts."""
_CALLED: Final = {"python": frozenset({"static", "url_for"}), "php": frozenset("asset mix public_path Vite".split())}
_LEADING: Final = re.compile(r"^(?:~?@/|~/|\.{1,2}/|/)+")


def is_asset(path: str) -> bool:
    """Whether a file is below a folder that is served, or is what pages show."""
    return (_SERVED.search(path) is not None and _ROOT.search(path) is not None) or _ANYWHERE.search(path) is not None


def is_asset_of_text(path: str) -> bool:
    """The same of files that no parser reads."""
    return _OF_TEXT.search(path) is not None and is_asset(path)


def may_name_asset(facts: FileFacts) -> bool:
    language = facts.language
    if language in LANGUAGES or language in ("css", "scss", "markdown"):
        return True
    if language in _WITH_MARKUP:
        return True
    if language in SCRIPT or language == "dart":
        return _NAMED_SO.search("\n".join(facts.strings)) is not None
    words = _CALLED.get(language)
    return words is not None and not words.isdisjoint(facts.strings)


def assets_of(source: Source) -> Iterator[Setting]:
    path = source.path
    if _ANYWHERE.search(path):
        yield Setting(STATIC, HERE + path, source.symbol(0), 1, BY, "", True)
    for root in list(_ROOT.finditer(path))[:MOST_ROOTS]:
        above = path[: root.start("name")]
        for name in (path[root.start("name") :], path[root.end() + 1 :]):
            yield Setting(STATIC, name.removesuffix(".erb"), source.symbol(0), 1, BY, above, True)


def named_assets(source: Source) -> Iterator[Reading]:
    text, language = source.text, source.language
    if len(text) > MOST_BYTES:
        return
    if language in ("css", "scss"):
        for found in _ADDRESS.finditer(text) if "url(" in text else ():
            yield from _reading(source, found["key"], found.start("key"), False)
        return
    if language == "markdown":
        for found in _SHOWN.finditer(text) if "![" in text else ():
            yield from _reading(source, found["key"], found.start("key"), False)
        return
    for found in _HELPER.finditer(text):
        group = found.lastgroup or "key"
        yield from _reading(source, found[group], found.start(group), True)
    if language in ("erb", "haml", "slim", "ruby"):
        yield from _of_rails(source)
    for listed in _LISTED.finditer(text) if "@vite" in text else ():
        for found in _STRING.finditer(text, listed.start(1), listed.end(1)):
            yield from _reading(source, found["key"], found.start("key"), True)
    if language in LANGUAGES or language in SCRIPT:
        for found in _ATTRIBUTE.finditer(text):
            yield from _reading(source, found["key"], found.start("key"), False)
        for found in _ADDRESS.finditer(text) if "url(" in text else ():
            yield from _reading(source, found["key"], found.start("key"), False)
    if language in SCRIPT or language == "dart":
        for found in _LITERAL.finditer(text):
            yield from _reading(source, found["key"], found.start("key"), False)


def _of_rails(source: Source) -> Iterator[Reading]:
    for tag in _TAGGED.finditer(source.text):
        at = tag.end()
        ending = ".js" if tag["script"] else ".css" if tag["style"] else ""
        while (found := _STRINGS.match(source.text, at)) is not None:
            name = found["key"]
            yield from _reading(
                source, name if not ending or name.endswith(ending) else name + ending, found.start("key"), True
            )
            if not found[2]:
                break
            at = found.end()


def _reading(source: Source, name: str, at: int, known: bool) -> Iterator[Reading]:
    """`known`: whether what names it can mean nothing else."""
    written = name.split("?", 1)[0].replace("%20", " ")
    name = _LEADING.sub("", written)
    at += len(written) - len(name)
    if not name or "//" in name or source.is_comment(at):
        return
    site = source.place(at)
    if any(f"/{each}".endswith(f"/{name}") for each in source.imported.get(site[0], ())):
        return
    if _ANYWHERE.search(name) and written[:1] not in "/~@":
        name = written  # it may be relative to the file
    maker = around(source, at)
    yield Reading(STATIC, ((SAID, name),), source.symbol(maker), site, is_test(source, maker), known=known)


def whole_path(name: str, path: str) -> str:
    """The path that a name means which is relative to a file; empty if it leads out."""
    parts = path.split("/")[:-1]
    for part in name.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return HERE + "/".join(parts)


def plain_name(name: str) -> str:
    return _LEADING.sub("", name)


FORMS: Final = {
    ".js": (".ts", ".tsx", ".jsx", ".mjs", ".coffee", ".js.coffee"),
    ".css": (".scss", ".sass", ".less", ".css.scss"),
}
"""How the source of what is served may end."""


def forms_of(name: str) -> Iterator[str]:
    yield name
    stem, dot, suffix = name.rpartition(".")
    for each in FORMS.get(dot + suffix, ()):
        yield stem + each
