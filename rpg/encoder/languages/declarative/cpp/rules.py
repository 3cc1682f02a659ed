"""What comes with C++ besides C: its library's containers and pointers, methods defined in other files."""

from __future__ import annotations

from rpg.encoder.languages.declarative.c import rules as c
from rpg.encoder.languages.results import SAME
from rpg.encoder.languages.rules import Methods, Tests, Types

_MEMBERS = """
append at back begin c_str capacity clear contains copy count data emplace emplace_back empty end erase find first
front get insert length load lock max min next pop pop_back push push_back rbegin release remove rend reserve reset
resize second size store str substr swap top unlock value what write
"""
_LISTS = "array deque forward_list initializer_list list multiset queue set span stack unordered_set vector"


class Rules(c.Rules):
    unnamed_prefixes = ("operator", "~")
    tests = Tests(names=("-test", "_unittest", "Test", "_test"))
    builtins = c.NAMES | frozenset("std boost absl testing nullptr override final".split())
    builtin_members = frozenset(_MEMBERS.split())
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list") | dict.fromkeys(("map", "unordered_map"), "dict"),
        transparent=frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "atomic"}),
        without_members=frozenset({"char", "int", "bool", "size_t"}),
    )
    methods = Methods(
        results=dict.fromkeys(("begin", "end"), SAME),
        element=frozenset({"at", "back", "front", "top"}),
        held=frozenset({"at"}),
    )
    constructors_are_named_like_classes = True
    has_alternatives = False
    links_by_name = False
    has_overloads = True
    converts_arguments = True
    counts_arguments = True
    owners_anywhere = True
