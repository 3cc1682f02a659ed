"""A repository on one page: what it is, its areas and how they depend on each other, where it begins, where its tests
are, how it is built and run, and what was not understood.

In: an index and its header. Out: an `Overview`, cached until the index changes. No model is involved: the introduction
comes from the README, everything else is counted or read from metadata.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.filters import format_count
from rpg.queries.graph.functional_view import APART, View, area_of, functional_view, links_between_areas, sizes
from rpg.queries.graph.lifted import memoize
from rpg.queries.overview.entry_points import EntryPoint
from rpg.queries.overview.listed_entry_points import list_entry_points
from rpg.queries.overview.statistics import share
from rpg.queries.packages.package_files import json_of, table, text_of, toml_of
from rpg.queries.packages.recipes import Recipe, recipes
from rpg.stores.graph_file.tiers import read_as
from rpg.stores.index.overview_reads import list_docs_of_modules, list_outermost_by_users
from rpg.stores.index.reader import list_paths_in_any_order, list_test_modules
from rpg.stores.index.symbol_reads import count_symbols_by_file

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

INTRODUCTIONS = ("readme.md", "readme.rst", "readme.txt", "readme", "readme.adoc", "readme.markdown")
READMES_READ = 8
"""The README at the top may be a link to that of the main package."""
INTRODUCTION_LIMIT = 500
"""The most characters of the introduction."""
NAMELESS = frozenset({"default", "main"})
"""Names that say nothing about what they name."""
MOST_CENTRAL = 4_000
"""Symbols of the whole repository among which those of each area are looked for."""
CENTRAL = 2
"""How many central symbols of an area are named."""
AREAS_USED = 3
"""How many areas that an area uses are named."""
GROUNDS = 3
"""How many directories of an area are named."""
ALMOST_ALL = 0.8
"""The share of an area's code that makes a directory stand for its files."""
LEAST_LINKS = 0.08
"""An area is said to use another if this share of its links leads there."""
TEST_FOLDERS = 4
PROBLEMS_NAMED = 2
"""How many files with syntax errors are named."""
FEW_REFERENCES = 50
UNRESOLVED_NAMED = 0.1
"""A language is named if more than this share of its references is unresolved."""


@dataclass(frozen=True, kw_only=True)
class AreaInShort:
    name: str
    symbols: int
    central: list[str]
    built_on: list[str] = field(default_factory=list)
    """The areas that it depends on most."""
    covers: list[str] = field(default_factory=list)
    titled_by: str = ""
    """The author if the title was written: model, agent or import."""


@dataclass(frozen=True, kw_only=True)
class Overview:
    name: str
    introduction: str
    read_as: str
    areas: list[AreaInShort]
    entry_points: list[EntryPoint]
    tests: dict[str, int]
    """Files of tests by folder."""
    recipes: list[Recipe]
    not_understood: list[str]


def overview(index: Index, header: dict[str, Any]) -> Overview:
    return memoize(index, "overview", lambda: _overview(index, header))


def _overview(index: Index, header: dict[str, Any]) -> Overview:
    return Overview(
        name=str(header.get("repository", {}).get("name", "")),
        introduction=introduction(index, str(header.get("repository", {}).get("name", ""))),
        read_as=read_as(header),
        areas=areas(index),
        entry_points=list_entry_points(index),
        tests=test_folders(index),
        recipes=recipes(index),
        not_understood=not_understood(header),
    )


def introduction(index: Index, repository: str) -> str:
    """The README's first paragraph that says what it is."""
    paths = sorted(
        [path for path in list_paths_in_any_order(index) if "readme" in path.lower()],
        key=lambda path: (path.count("/"), repository not in path.split("/"), len(path), path),
    )
    for path in paths[:READMES_READ]:
        if path.rpartition("/")[2].lower() in INTRODUCTIONS:
            paragraph = first_paragraph(index.source(path).decode("utf-8", "replace"), repository)
            if paragraph:
                is_about_it = repository.lower() in paragraph[:OPENING].lower() or _SAYS_WHAT.search(paragraph)
                return paragraph if is_about_it else find_description(index, repository) or paragraph
    return find_description(index, repository)


def find_description(index: Index, repository: str) -> str:
    """What package metadata at the top, or the docstring of the package of that name, says that it is."""
    pyproject, package = toml_of(index, "pyproject.toml"), json_of(index, "package.json")
    in_setup = _DESCRIPTION.search(text_of(index, "setup.cfg")) or _DESCRIPTION.search(text_of(index, "setup.py"))
    tables = (table(pyproject, "project"), table(table(pyproject, "tool"), "poetry"), package,
              table(toml_of(index, "Cargo.toml"), "package"), json_of(index, "composer.json"))  # fmt: skip
    found = [each.get("description") for each in tables]
    if in_setup:
        found.append(next(filter(None, in_setup.groups()), ""))
    name = repository.replace("-", "_").lower()
    found += list_docs_of_modules(index, [f"{name}/__init__.py", f"src/{name}/__init__.py"])
    description = next((each for each in found if isinstance(each, str) and each.strip()), "")
    return _cut(" ".join(description.split()))


_DESCRIPTION = re.compile(r"^\s*description\s*=\s*(?:[\"']([^\"'\n]+)[\"']|([^\s\"'(\[][^\n(\[]+)$)", re.MULTILINE)
_HTML = re.compile(r"<!--.*?-->|<[^>\n]{0,500}>", re.DOTALL)
_IMAGE = re.compile(r"\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\](?:\([^)]*\)|\[[^\]]*\]))?")
_LINK = re.compile(r"\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])?")
_RST_LINK = re.compile(r"`([^`<]+?)\s*<[^>]+>`_{1,2}|`([^`]+)`_{1,2}|:\w+:`([^`]*)`")
_NO_PROSE = re.compile(r"^(\.\. |::|[=\-~^\"'#*+]{3,}\s*$|#{1,6} |[-*+] |\d+[.)] |\||```|>\s*\[!|:\w+:|\[[^\]]+\]:)")


_EMPHASIS = re.compile(r"[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)")
_ARTICLE = re.compile(r"^(?:An?|The|One)\b")
_IS_LIST = re.compile(r"\W*(?:\w+\W+){0,3}(?:is|are):")
"""A paragraph whose sentence is a list that follows it: "Plug is:"."""


_UNDERLINE = re.compile(r"^\s*[=\-~^\"'#*+]{3,}\s*$")
_ASKS = re.compile(r"\b(please|sponsor\w*|fund\w*|donat\w+|news|announc\w+|hiring|deprecated)\b", re.IGNORECASE)
_LEADS_TO_A_LIST = re.compile(r"(?<=[.!?]) [^.!?]*:$")
"""The last sentence of a paragraph that a list follows."""
_SAYS_WHAT = re.compile(r"\b(is|are) (a|an|the|one|just|not)\b|\b(provides|implements|helps|lets|makes|aims)\b")
PARAGRAPHS_READ = 60
PARAGRAPHS_TO_ITS_NAME = 12
"""How many of the first paragraphs are searched for one that begins with the repository's name."""
LEAST_OUTSIDE_LINKS = 3
"""Words that a paragraph must have outside its links."""
SENTENCE = 160
"""Characters at the beginning of a paragraph in which it must say what something is."""
OPENING = 16
"""Characters at the beginning of a paragraph that name what it is about."""


def first_paragraph(text: str, repository: str = "") -> str:
    """The first paragraph that begins with the repository's name and says what that is, else the first one: news and
    sponsors may come before it. Badges, headings, lists, tables and markup are removed."""
    found: list[str] = []
    fenced = False
    begun = ""
    text = _IMAGE.sub(" ", _HTML.sub(" ", text[:40_000]))
    for paragraph in re.split(r"\n\s*\n", text):
        lines = []
        for line in paragraph.split("\n"):
            if line.lstrip().startswith(("```", "~~~")):
                fenced = not fenced
                continue
            if not fenced:
                lines.append(line)
        if not lines or any(line.startswith(("    ", "\t", "  :", "   :")) for line in lines[:1]):
            continue
        # An underlined line is a heading.
        lines = [line for line, under in zip(lines, [*lines[1:], ""], strict=True) if not _UNDERLINE.match(under)]
        prose = [line.strip() for line in lines if line.strip() and not _NO_PROSE.match(line.strip())]
        if begun and not prose:
            items = [item[1].strip().rstrip(".;,") for line in lines if (item := _ITEM.match(line))]
            prose = [f"{begun[:-1]} {_ARTICLE.sub(lambda found: found[0].lower(), '; '.join(items))}."] if items else []
        begun = " ".join(prose) if len(prose) == 1 and _IS_LIST.fullmatch(prose[0]) else ""
        if len(prose) < len([line for line in lines if line.strip()]) and not prose:
            continue
        plain = " ".join(prose)
        if len(re.findall(r"\w{2,}", _LINK.sub(" ", plain))) < LEAST_OUTSIDE_LINKS:
            continue  # a row of links: languages, badges, pages
        plain = _LINK.sub(r"\1", plain)
        plain = _RST_LINK.sub(lambda match: next(filter(None, match.groups()), ""), plain)
        plain = " ".join(_EMPHASIS.sub("", plain).split())
        if len(plain.split()) >= 6 and re.search(r"[a-z]{3}", plain) and re.search(r"[.!:]|\w{4}", plain):
            found.append(_cut(re.sub(r":$", ".", _LEADS_TO_A_LIST.sub("", plain))))
        if len(found) == PARAGRAPHS_READ:
            break
    named = re.compile(rf"\W*(?:\w+\W+)?{re.escape(repository)}(?![\w-])", re.IGNORECASE)
    is_named = (
        paragraph for paragraph in found[:PARAGRAPHS_TO_ITS_NAME] if repository and named.match(paragraph[:OPENING])
    )
    what = (
        paragraph for paragraph in is_named if _SAYS_WHAT.search(paragraph[:SENTENCE]) and not _ASKS.search(paragraph)
    )
    return next(
        what, next((paragraph for paragraph in found if not _ASKS.search(paragraph)), found[0] if found else "")
    )


def _cut(text: str) -> str:
    """The text, cut to the length of an introduction, at the end of a sentence if there is one."""
    if len(text) <= INTRODUCTION_LIMIT:
        return text
    shown = text[: INTRODUCTION_LIMIT - 1]
    end = max(shown.rfind(mark) for mark in (". ", "! ", "? "))
    return shown[: end + 1] if end > INTRODUCTION_LIMIT / 2 else f"{shown.rstrip()}…"


def areas(index: Index) -> list[AreaInShort]:
    view = functional_view(index)
    if not view.by_name:
        return []
    counts, links, central = sizes(index), links_between_areas(index), central_symbols(index)
    on_ground: Counter[str] = Counter()
    for path, number in count_symbols_by_file(index, ""):
        on_ground[view.ground_of(path)] += number
    whole = _folders_of_areas(view, on_ground)
    found = []
    for area in view.below(""):
        is_code = area not in APART and not view.by_name[area].test
        out = {to: number for (of, to), number in links.items() if of == area and is_code}
        every = sum(out.values())
        uses = sorted((to for to, number in out.items() if number >= LEAST_LINKS * every), key=lambda to: -out[to])
        shown: Counter[str] = Counter()
        for ground in view.grounds(area):
            shown[whole.get((area, _folder(ground)), ground)] += on_ground[ground]
        tops = sorted(shown, key=lambda path: (-shown[path], path))
        found.append(
            AreaInShort(
                name=area,
                symbols=counts.get(area, 0),
                central=central.get(area, [])[:CENTRAL],
                built_on=uses[:AREAS_USED],
                covers=_outermost(tops)[:GROUNDS],
                titled_by=view.titled_by.get(area, ""),
            )
        )
    return found


def _folders_of_areas(view: View, on_ground: Counter[str]) -> dict[tuple[str, str], str]:
    """By area and directory: the directory, if almost all code files in it belong to the area."""
    weights: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for area in view.below(""):
        if area not in APART and not view.by_name[area].test:
            for ground in view.grounds(area):
                if not ground.endswith("/"):
                    weights[_folder(ground)][area] += on_ground[ground]
    found = {}
    for folder, by_area in weights.items():
        area, most = by_area.most_common(1)[0]
        if folder and most >= ALMOST_ALL * sum(by_area.values()):
            found[area, folder] = folder
    return found


def _folder(path: str) -> str:
    """The directories around a file; empty for a directory."""
    return "" if path.endswith("/") else path[: path.rfind("/") + 1]


def _outermost(paths: list[str]) -> list[str]:
    """The folders without those inside another one."""
    return [path for path in paths if not any(path != other and path.startswith(other) for other in paths)]


def central_symbols(index: Index) -> dict[str, list[str]]:
    """By area, the classes, functions and objects that most other files use, including tests and documents, which use
    the same names as people do. A use of a member is a use of its class."""
    view = functional_view(index)
    rows = list_outermost_by_users(index, sorted(CLASS_KINDS | FUNCTION_KINDS | {"constant"}), MOST_CENTRAL)
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, path, language, kind in rows:
        is_value = kind == "constant" and (
            name.isupper() or BY_NAME[language].is_markup or BY_NAME[language].configures
        )
        if not is_value and name[0].isalpha() and name not in NAMELESS:
            found[area_of(view.place_of(path))].setdefault(_distinct(name), name)
    return {area: list(names.values()) for area, names in found.items()}


def _distinct(name: str) -> str:
    """A name that a class shares with its base and its one instance: `Apps` and `apps`, `Form` and `BaseForm`."""
    return re.sub(r"_|^(base|abstract)", "", name.lower()) or name


def test_folders(index: Index) -> dict[str, int]:
    counts = Counter(
        "/".join(path.split("/")[:2][: path.count("/")]) + "/" if "/" in path else "./"
        for path in list_test_modules(index)
    )
    return dict(counts.most_common(TEST_FOLDERS))


def not_understood(header: dict[str, Any]) -> list[str]:
    gaps = []
    for language, counts in header.get("references", {}).items():
        inside = sum(number for name, number in counts.items() if name != "external")
        if (
            header.get("tiers", {}).get(language) != "text"
            and inside > FEW_REFERENCES
            and 1.0 - share(counts) > UNRESOLVED_NAMED
        ):
            gaps.append(f"{1.0 - share(counts):.0%} of references in {language}")
    reasons = Counter(each["reason"] for each in header.get("skipped", ()))
    gaps += [f"{format_count(number, 'file')} skipped: {reason}" for reason, number in reasons.most_common(3)]
    problems = [str(each["path"]) for each in header.get("problems", ())]
    if problems:
        more = ", …" if len(problems) > PROBLEMS_NAMED else ""
        named = ", ".join(problems[:PROBLEMS_NAMED])
        gaps.append(f"{format_count(len(problems), 'file')} with syntax errors ({named}{more})")
    kinds = [f"{number} {kind}" for kind, number in list(header.get("not_parsed", {}).items())[:4]]
    if kinds:
        gaps.append(f"no parser for {', '.join(kinds)}")
    return gaps
