"""Namespaces that all files of a C# project see without a `using` of their own.

In: project files, `Directory.Build.props`, and the files that by convention contain `global using`. Out: the
namespaces, by the folder below which they are seen. A project file is found by the name of its folder.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.project import Project, folders_of

FILES_OF_USINGS: Final = frozenset({"GlobalUsing.cs", "GlobalUsings.cs", "Usings.cs"})
_SETTINGS: Final = ("Directory.Build.props", "Directory.Build.targets")
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_ITEM: Final = re.compile(r"<Using\s([^>]*)>")
_INCLUDED: Final = re.compile(r"\bInclude\s*=\s*\"([\w.;\s]+)\"")
_OF_MEMBERS: Final = re.compile(r"\b(?:Alias|Static)\s*=")
_GLOBAL: Final = re.compile(r"^\s*global\s+using\s+(?:global::)?([\w.]+)\s*;", re.MULTILINE)


def namespaces_of_projects(project: Project) -> dict[str, tuple[str, ...]]:
    paths = [path for path in project.paths() if path.endswith(".cs")]
    found: dict[str, list[str]] = {}
    projects: set[str] = set()
    for folder in sorted(folders_of(paths)):
        start, name = (f"{folder}/" if folder else ""), folder.rpartition("/")[2]
        texts = [project.read(start + file).decode("utf-8", "replace") for file in (f"{name}.csproj", *_SETTINGS)]
        if texts[0]:
            projects.add(folder)
        found[folder] = [namespace for text in texts for namespace in list_included_namespaces(text)]
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name in FILES_OF_USINGS:
            around = next((each for each in upwards(folder) if each in projects), folder)
            text = project.read(path).decode("utf-8", "replace")
            found.setdefault(around, []).extend(named[1] for named in _GLOBAL.finditer(text))
    return {folder: tuple(dict.fromkeys(names)) for folder, names in found.items() if names}


def list_included_namespaces(text: str) -> list[str]:
    """The namespaces of `<Using Include="A.B" />` in a project file."""
    found: list[str] = []
    for item in _ITEM.finditer(_COMMENT.sub("", text)):
        names = _INCLUDED.search(item[1])
        if names and not _OF_MEMBERS.search(item[1]):
            found += [name.strip() for name in names[1].split(";") if name.strip()]
    return found


def upwards(folder: str) -> list[str]:
    """A folder and those around it, the root last."""
    found = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        found.append(folder)
    return found
