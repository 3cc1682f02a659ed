"""What comes with Elixir, and which file a module is in by convention."""

from __future__ import annotations

import re

from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.rules.attribute_types import MembersRead
from rpg.encoder.languages.tests import Tests

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OF_MODULE = re.compile(r"(?<![\w.])(?:[A-Z]\w*\.)+\Z")
_OF_MAP = re.compile(r"\bMap\.\w+[!?]?\((?:[^()]*,)?\s*:\Z")
_MESSAGE = re.compile(r":?message\b")
_ADDING = re.compile(rb"^\s*use\b|@before_compile|\bunquote|\b(?:Code|Module)\.", re.MULTILINE)
"""What may give a module functions that are not spelled in it."""
_MODULES = """
Access Agent Application ArgumentError ArithmeticError Atom BadArityError BadFunctionError Base Behaviour Bitwise
Calendar Code Collectable Config Date DateTime Dict DynamicSupervisor Enum Enumerable EnumError Exception ErlangError
ExUnit ExUnit.Assertions ExUnit.Callbacks ExUnit.Case ExUnit.CaptureIO ExUnit.CaptureLog File File.Stream Float Function
FunctionClauseError GenEvent GenServer IO IO.ANSI IO.Stream IEx Inspect Inspect.Algebra Integer JSON Kernel
Kernel.SpecialForms KeyError Keyword List List.Chars Logger Macro Macro.Env Map MapSet MatchError Mix Mix.Config
Mix.Project Mix.Task Module NaiveDateTime Node OptionParser Path Port Process Protocol Range Record Regex Registry
RuntimeError Set Stream String String.Chars StringIO Supervisor System Task Task.Supervisor Time Tuple
UndefinedFunctionError URI Version
"""
_CALLBACKS = """
__after_compile__ __after_verify__ __before_compile__ __on_definition__ application blame child_spec code_change
exception format_status handle_call handle_cast handle_continue handle_info init message project start start_link stop
terminate
"""


class Rules(DeclarativeRules):
    members_read = MembersRead(joined_by=rb"<>")
    # `alias` gives a name to a module, which only its use needs.
    imports_are_read = False
    builtins = frozenset(_MODULES.split())
    called_members = frozenset(_CALLBACKS.split())
    has_packages = True
    constants_are_capitalised = True
    holders_are_named = True
    imports = "files"
    overloads = "by number"
    member_spaces = "named by types"
    tests = Tests(files=frozenset({"test_helper.exs"}), run=("_test.exs",), runners=("mix",))

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.by_name: dict[str, list[str]] = {}
        """The last part of a path -> the files that have it."""
        for path in project.paths():
            if path.endswith((".ex", ".exs")):
                self.by_name.setdefault(path.rpartition("/")[2], []).append(path)

    @classmethod
    def is_field_meant(cls, before: str, after: str) -> bool | None:
        """`order.total` and `total: 1` name fields, `Order.total` and `total(1)` functions, `:total` either."""
        if before.endswith(".") and not after.startswith("("):
            return _OF_MODULE.search(before) is None
        if before.endswith(":"):
            return True if _OF_MAP.search(before) else None
        return after.startswith(":") and not after.startswith("::")

    @classmethod
    def sign_of(cls, name: str) -> str:
        return name.removeprefix("sigil_")

    @classmethod
    def is_implicit(cls, header: str) -> bool:
        """`Exception.message` reads the field of that name, and `raise Full, "text"` sets it."""
        return _MESSAGE.match(header) is not None

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        inner = _HUMP.sub("_", module).lower().replace(".", "/")
        wanted = f"lib/{inner}.ex"
        found = [
            path
            for path in self.by_name.get(wanted.rpartition("/")[2], ())
            if path == wanted or path.endswith(f"/{wanted}")
        ]
        return (found[0],) if len(found) == 1 else None

    def may_add_functions(self, source: bytes) -> bool:
        return _ADDING.search(source) is not None

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The template that `render` names: the first of those that it may mean."""
        return next(((path,) for path in statement.module.split("\n") if self.project.has_file(path)), ())
