"""How the files of a graph were read, in words: resolved, defined, or as text, and what no parser reads; and of which
files a compiler's index was used.

In: a graph's header, which may say anything. Out: one line; the caller escapes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TIERS = ("resolved", "defined", "outlined", "text")
LANGUAGES_NAMED = 6
KINDS_NAMED = 4


def read_as(header: Mapping[str, Any]) -> str:
    """Languages with their numbers of files, by how they are read, most frequent first; empty if there are none."""
    tiers = _table(header, "tiers")
    numbers = {
        language: files
        for language, counts in _table(header, "languages").items()
        if isinstance(counts, dict) and type(files := counts.get("files")) is int
    }
    clauses = []
    for tier in TIERS:
        of_tier = {name: files for name, files in numbers.items() if tiers.get(name, TIERS[0]) == tier}
        if of_tier:
            ordered = sorted(of_tier.items(), key=lambda item: (-item[1], item[0]))[:LANGUAGES_NAMED]
            listed = ", ".join(f"{language} {files} files" for language, files in ordered)
            clauses.append(listed if tier == TIERS[0] else f"{tier}: {listed.replace(' files', '')}")
    kinds = not_parsed(header, KINDS_NAMED)
    return "; ".join([*clauses, f"no parser for {kinds}"] if kinds else clauses)


def not_parsed(header: Mapping[str, Any], most: int) -> str:
    """The most frequent kinds of files that no parser reads."""
    kinds = [(kind, number) for kind, number in _table(header, "not_parsed").items() if type(number) is int]
    kinds.sort(key=lambda kind: (-kind[1], kind[0]))
    listed = [f"{number} {kind}" if number > 1 else kind for kind, number in kinds[:most]]
    return ", ".join([*listed, "…"] if len(kinds) > most else listed)


def compiled_by(header: Mapping[str, Any], most: int = 0) -> str:
    """Which files have edges of a compiler's index, `most` by their paths, and which it has with another text; empty
    if no index was given."""
    about = _table(header, "compiler")
    if not about:
        return ""
    clauses = [f"{about.get('index', '')} for {_files(_paths(about, 'files'), most)}"]
    if others := _paths(about, "other_text"):
        clauses.append(f"made of another text of {_files(others, most)}: make it again")
    if problem := about.get("problem"):
        clauses.append(f"not used: {problem}")
    return "; ".join(clauses)


def libraries_read(header: Mapping[str, Any]) -> str:
    """The libraries that were read, with their versions and numbers of files; empty if none were."""
    found = header.get("libraries")
    listed = []
    for each in found if isinstance(found, list) else ():
        name, files = " ".join(filter(None, (str(each["name"]), str(each["version"])))), each["files"]
        skipped = f", {each['skipped']} left out" if each.get("skipped") else ""
        listed.append(f"{name} ({files} {'file' if files == 1 else 'files'}{skipped})")
    return ", ".join(listed)


def _files(paths: list[str], most: int) -> str:
    number = f"{len(paths)} {'file' if len(paths) == 1 else 'files'}"
    named = ", ".join([*paths[:most], "…"] if len(paths) > most else paths)
    return f"{number} ({named})" if most and paths else number


def _paths(about: Mapping[str, Any], name: str) -> list[str]:
    found = about.get(name)
    return [path for path in found if isinstance(path, str)] if isinstance(found, list) else []


def _table(header: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = header.get(name)
    return found if isinstance(found, dict) else {}
