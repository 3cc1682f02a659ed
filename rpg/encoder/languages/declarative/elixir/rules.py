"""What comes with Elixir, and which file a module is in by convention."""

from __future__ import annotations

import re

from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.tests import Tests

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
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
    builtins = frozenset(_MODULES.split())
    called_members = frozenset(_CALLBACKS.split())
    has_packages = True
    constants_are_capitalised = True
    holders_are_named = True
    imports = "files"
    overloads = "methods"
    counts_select_functions = True
    tests = Tests(files=frozenset({"test_helper.exs"}), run=("_test.exs",))

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.by_name: dict[str, list[str]] = {}
        """The last part of a path -> the files that have it."""
        for path in project.paths():
            if path.endswith((".ex", ".exs")):
                self.by_name.setdefault(path.rpartition("/")[2], []).append(path)

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
