"""What comes with Lua, and which file `require` names."""

from __future__ import annotations

import re

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.rules.attribute_types import MembersRead
from rpg.encoder.languages.tests import Tests

_NAMES = """
_G _VERSION assert collectgarbage coroutine debug dofile error getfenv getmetatable io ipairs load loadfile loadstring
math module next os package pairs pcall print rawequal rawget rawlen rawset require select setfenv setmetatable string
table tonumber tostring type unpack utf8 xpcall describe it before_each after_each spy
"""
_MEMBERS = """
byte char close concat find flush format gmatch gsub insert len lines lower match open pack read remove rep reverse seek
sort sub unpack upper write get set new append
"""


class Rules(DeclarativeRules):
    members_read = MembersRead(
        by_name=re.compile(rb"\s*\[\s*(?=[\w(])(?!\d)"),
        all_before=re.compile(rb"\bpairs\(\s*\Z"),
        by_index=True,
        joined_by=rb"\.\.",
    )
    builtins = frozenset(_NAMES.split())
    builtin_members = frozenset(_MEMBERS.split())
    keeps_declared_types = False
    unnamed_prefixes = ("__",)
    has_packages = True
    imports = "files"
    tests = Tests(functions="test", endings=("_test", "_spec"), runners=("busted",))
    looked_up_prefixes = ("__",)

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.by_name: dict[str, list[str]] = {}
        for path in project.paths():
            if path.endswith(".lua"):
                self.by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        inner = module.replace(".", "/")
        for wanted in (f"{inner}.lua", f"{inner}/init.lua"):
            candidates = self.by_name.get(wanted.rpartition("/")[2], ())
            found = [path for path in candidates if path == wanted or path.endswith(f"/{wanted}")]
            if found:
                return (min(found, key=lambda path: (path.count("/"), path)),)
        return None
