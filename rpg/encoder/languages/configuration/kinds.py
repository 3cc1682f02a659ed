"""Which files configure the repository: by their names, and YAML and JSON of well-known kinds by what they begin with.

In: a path and the source of a file that no other language reads. Out: its language; empty if it is none of these.
"""

from __future__ import annotations

import re
from typing import Final

SUFFIXES: Final = (".yml", ".yaml", ".json", ".toml", ".ini", ".cfg")
_COMPOSE: Final = re.compile(r"(?!process-)(?:[\w-]+[.-])?compose(?:[.-][\w.-]+)?\.ya?ml")
_ACTION: Final = re.compile(r"action\.ya?ml")
_TYPESCRIPT: Final = re.compile(r"(?:ts|js)config(?:[.-][\w.-]+)?\.json")
_STAGED: Final = re.compile(r"(?:Dockerfile|Containerfile)[.-][\w.-]+")
_MADE: Final = re.compile(r"(?:GNUm|M|m)akefile\.\w+")
_RESOURCE: Final = re.compile(rb"^apiVersion:[ \t]*[\"']?[a-z]", re.MULTILINE)
_KIND: Final = re.compile(rb"^kind:[ \t]*[\"']?[A-Z]", re.MULTILINE)
_INTERFACE: Final = re.compile(rb"^[\"']?(?:openapi|swagger)[\"']?:[ \t]*[\"']?[23]\.", re.MULTILINE)
_INTERFACE_JSON: Final = re.compile(rb"\A\s*\{\s*\"(?:openapi|swagger)\"\s*:\s*\"[23]\.")
_BEGINNING: Final = 4 << 10
"""Bytes in which a file says what it is."""


def language_of(path: str, source: bytes) -> str:
    folder, _, name = path.rpartition("/")
    if name.endswith((".yml", ".yaml")):
        if is_workflow(path) or _COMPOSE.fullmatch(name) or _ACTION.fullmatch(name):
            return "yaml"
        begin = source[:_BEGINNING]
        if _INTERFACE.search(begin) or (is_of_resources(begin) and not _is_template(folder, source)):
            return "yaml"
    elif name.endswith(".json"):
        if _TYPESCRIPT.fullmatch(name) or _INTERFACE_JSON.match(source[:_BEGINNING]):
            return "json"
    elif _STAGED.fullmatch(name) and not name.endswith((".md", ".txt", "ignore")):
        return "dockerfile"
    elif _MADE.fullmatch(name) and not name.endswith((".md", ".txt", ".in", ".am")):
        return "makefile"
    return ""


def is_workflow(path: str) -> bool:
    return path.rpartition("/")[0].endswith(".github/workflows")


def is_compose(path: str) -> bool:
    return _COMPOSE.fullmatch(path.rpartition("/")[2]) is not None


def is_of_resources(source: bytes) -> bool:
    """Whether it describes resources of Kubernetes."""
    return _RESOURCE.search(source) is not None and _KIND.search(source) is not None


def _is_template(folder: str, source: bytes) -> bool:
    """Whether it is a template that makes such a file."""
    return b"{{" in source and (folder.endswith("templates") or "templates/" in folder or b"{{-" in source)
