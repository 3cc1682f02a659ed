"""What comes with C++ besides C: its library's containers and pointers, methods defined in other files."""

from __future__ import annotations

import re

from rpg.encoder.languages.declarative.c import rules as c
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.results import FIRST, OF_WRITTEN_TYPE, Gives
from rpg.encoder.languages.rules.attribute_types import OnAnyObject, Words
from rpg.encoder.languages.standard_library import Methods, Protocols, Types
from rpg.encoder.languages.tests import Tests

_MEMBERS = """
append at back begin c_str capacity clear contains copy count data emplace emplace_back empty end erase find first
front get insert length load lock max min next pop pop_back push push_back rbegin release remove rend reserve reset
resize second size store str substr swap top unlock value what write
"""
_POSITIONS = """
begin cbegin cend crbegin crend end equal_range find find_if lower_bound max_element min_element rbegin rend
upper_bound
"""
"""Methods that return an iterator, which is used like what it points at."""
_FIRST = (
    "as_const cref exchange find find_if forward launder lower_bound max max_element min move next prev ref upper_bound"
)
_MAPS = "flat_hash_map map multimap unordered_map unordered_multimap"
_LISTS = "array deque forward_list initializer_list list multiset queue set span stack unordered_set vector"


_SMALL = ("bool", "char", "signed char", "unsigned char", "short", "unsigned short")
_NUMBERS = (
    *_SMALL, "int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "float", "double",
    "long double", "wchar_t", "char16_t", "char32_t",
)  # fmt: skip


class Rules(c.Rules):
    hiding = Words()
    access_stands = "in labels"
    classes_reach_members = False
    fixed = Words(frozenset({"const", "constexpr"}))
    literals_fit = fitting("""
        std::string|const std::string&|const std::string &|const char*|const char *: string null zero
        int long unsigned short size_t double float: int char float bool
    """)
    overrides_fit = "exactly"
    plain_types = frozenset("int long short char float double bool unsigned void".split())
    closing_members = Words(frozenset({"final"}), frozenset({"virtual", "override"}))
    effects_of_overrides = Words(frozenset({"const"}), frozenset({"const"}))
    types_stand = "in front"
    has_characters = True
    unnamed_prefixes = ("operator", "~")
    run_unnamed = frozenset({"begin", "end"})
    tests = Tests(
        names=("-test", "_unittest", "Test", "_test"),
        runners=("ctest", "gtest"),
    )
    builtins = c.NAMES | frozenset("std boost absl testing nullptr override final".split())
    builtin_members = frozenset(_MEMBERS.split())
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list")
        | dict.fromkeys(_MAPS.split(), "map")
        | dict.fromkeys(("pair", "tuple"), "tuple"),
        transparent=frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "atomic"}),
        without_members=frozenset({"char", "int", "bool", "size_t"}),
        numbers=frozenset(_NUMBERS),
        promoted=dict.fromkeys(_SMALL, "int") | {"float": "double"},
        of_pointers=frozenset({"bool", "void*", "const void*"}),
        null_pointer="nullptr",
        no_result="void",
        pointer_mark="*",
    )
    methods = Methods(
        element=frozenset({"at", "back", "front", "top"}),
        positions=frozenset(_POSITIONS.split()),
        held=frozenset({"at"}),
        part_members={"first": 0, "second": 1},
    )
    functions = {f"std.{name}": Gives(FIRST) for name in _FIRST.split()} | dict.fromkeys(
        ("std.make_unique", "std.make_shared", "absl.make_unique"), Gives(OF_WRITTEN_TYPE)
    )
    protocols = Protocols(item="operator[]", forwards="operator->")
    object_members = frozenset({"get", "lock", "value"})
    on_any_object = dict.fromkeys(object_members, OnAnyObject("itself"))
    base_precedence = "none"
    constructors_are_named_like_classes = True
    names_other_constructor = r"^[^{]*[:,]\s*(?:\w+::)*(?:BASE|OWN)\s*(?:<[^{};()]*>)?\s*[({]|=\s*delete\b"
    made_where = re.compile(rb"[<,]\s*(?:const\s+|typename\s+|class\s+|struct\s+)*(?:::)?(?:\w+::)*\Z")
    has_alternatives = False
    links_by_name = False
    overloads = "methods"
    argument_types = "deduced"
    argument_count = "most"
    owners = "beside"

    @classmethod
    def is_without_body(cls, signature: str) -> bool:
        return signature.removesuffix(";").rstrip().endswith("= 0")
