"""What comes with Ruby: methods and classes that need no require; files that `require` names."""

from __future__ import annotations

import posixpath
import re
from functools import cached_property

from rpg.encoder.facts import Import, Parameter
from rpg.encoder.languages.declarative.ruby.schema import is_of_database
from rpg.encoder.languages.declarative.ruby.written_calls import parse_arguments
from rpg.encoder.languages.declarative.rules import ExtensibleRules
from rpg.encoder.languages.given_names import OWN_CODE, VALUES, Given
from rpg.encoder.languages.results import SAME
from rpg.encoder.languages.rules.attribute_types import Arguments, MembersRead
from rpg.encoder.languages.standard_library import Methods, Protocols
from rpg.encoder.languages.tests import Tests

_NAMES = """
ArgumentError Array Class Comparable Dir ENV Encoding Enumerable Exception File Float Hash IO Integer Kernel
LoadError Marshal Math Method Module Mutex NameError NoMethodError NotImplementedError Numeric Object Proc Process
Random Range Regexp RuntimeError Set StandardError String Struct Symbol Thread Time TypeError
"""
_METHODS = """
abort alias_method attr_accessor attr_reader attr_writer at_exit autoload binding block_given? caller catch class
define_method eval exit extend fail format freeze gets include instance_variable_get instance_variable_set
instance_of? is_a? kind_of? lambda loop method module_function nil? object_id p prepend print printf private
private_constant proc protected public public_send puts raise rand refine remove_const require require_relative
respond_to? send sleep sprintf srand super system tap then throw to_s undef_method using warn
"""
_MEMBERS = """
all? any? append call capitalize clear close collect compact concat count delete delete_if detect dig downcase dup
each each_with_index each_with_object empty? encoding end_with? eql? extend fetch filter find first flatten freeze
frozen? gsub has_key? hash include? index inject insert inspect instance_eval instance_methods join key? keys last
length lines map match match? max merge merge! method min name new none? nil? options pop push read reduce reject
replace reverse rewind run select send shift size slice sort sort_by split start_with? strip sub sum tap times to_a
to_h to_i to_proc to_s to_str to_sym transform_values trim uniq unshift upcase update value values write zip
"""
_QUERIES = """
all create create! create_or_find_by create_or_find_by! distinct eager_load extending find find_by find_by!
find_or_create_by find_or_create_by! find_or_initialize_by find_sole_by first first! first_or_create first_or_create!
first_or_initialize group having includes joins last last! left_joins left_outer_joins limit lock none offset or order
preload readonly reject reverse select sort sort_by to_a uniq compact filter shuffle find_each each detect
references reload reorder rewhere set sole take take! unscope unscoped where with
"""


_UNNAMED = """
as_json coerce const_missing deconstruct deconstruct_keys each eql? extended hash included inherited initialize_clone
initialize_copy initialize_dup inspect marshal_dump marshal_load method_added method_missing prepended
respond_to_missing? singleton_method_added to_a to_ary to_hash to_json to_param to_partial_path to_proc to_s to_str
"""
"""Methods that Ruby itself runs, or a library that is passed any object."""


class Rules(ExtensibleRules):
    given_names = frozenset(f"it __method__ __dir__ {' '.join(f'_{number}' for number in range(1, 10))}".split())
    members_read = MembersRead(
        by_name=re.compile(rb"\s*&?\.(?:(?:public_|__)?send(?:__)?|method|public_method|const_get)\b[ (]\s*(?![\"':])"),
        all=re.compile(rb"\s*\.(?:singleton_methods|instance_methods|public_methods|methods|constants)\b"),
    )
    configuration_files = frozenset({"importmap.rb"})
    labels = "in text"
    always_checks_arguments = False
    access_stands = "in sections"
    objects_reach_statics = False
    classes_reach_members = False
    setters_in_text = (
        (re.compile(r"\Aattr_reader\b"), "nowhere"),
        (re.compile(r"\Aattr_writer\b"), "only written"),
    )
    base_precedence = "last"
    refuses_more_arguments = True
    refuses_fewer_arguments = True
    builtins = frozenset(_NAMES.split()) | frozenset(_METHODS.split())
    builtin_members = frozenset(_MEMBERS.split()) | frozenset(_METHODS.split())
    object_members = frozenset(_METHODS.split()) | frozenset({"dup", "freeze", "hash", "inspect"})
    accessors = "called"
    sides = "apart"
    gives_itself = frozenset(_QUERIES.split())
    library_folders = frozenset({"controllers", "helpers", "views"})
    library_suffixes = ("Controller",)
    methods = Methods(
        element=frozenset("detect find first last max_by min_by pop sample shift".split()),
        results=dict.fromkeys("compact filter reject reverse select shuffle sort sort_by take uniq".split(), SAME),
    )
    protocols = Protocols(each="each", maker="new")
    constructor = "initialize"
    unnamed_members = frozenset(_UNNAMED.split())
    unnamed_signs = True
    reached_by = frozenset({"strings", "symbols"})
    writers_end = "="
    keeps_declared_types = False
    has_packages = True
    types_of_one_name = "parts"
    imports = "files"
    constants_are_capitalised = True
    page_variable = "@"
    owners = "spaces"
    tests = Tests(functions="test_", preparations=frozenset(("setup", "teardown")), runners=("rspec", "minitest"))

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        return tuple(
            Given(each, OWN_CODE) for each in (f"{name}?", f"find_by_{name}", f"{name}_changed?") if kind in VALUES
        )

    @classmethod
    def speaks_to_library(cls, path: str) -> bool:
        return is_of_database(path)

    def written_arguments(self, text: str) -> Arguments | None:
        return parse_arguments(text)

    def written_parameter(self, row: Parameter, text: str) -> Parameter | None:
        if text.startswith("&"):
            return None
        if text.startswith("**"):
            return row._replace(kind="map")
        name, colon, default = text.partition(":")
        if colon and name.isidentifier():
            return row._replace(kind="keyword", default=1 if default.strip() else 0)
        return row

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        name = module if module.endswith(".rb") else f"{module}.rb"
        if level:
            path = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], name))
            return (path,) if self.project.exists(path) else ()
        for root in ("lib/", "", "app/models/", "test/", "spec/"):
            if self.project.exists(root + name):
                return (root + name,)
        of_gems = self.of_gems.get(name, ())
        if of_gems:
            return (max(of_gems, key=lambda path: (len(posixpath.commonprefix([path, importer])), -len(path), path)),)
        return None

    @cached_property
    def of_gems(self) -> dict[str, list[str]]:
        """Files of gems that are in folders of the repository, by the names that they are required by."""
        found: dict[str, list[str]] = {}
        for path in self.project.paths():
            at = path.rfind("/lib/")
            if at > 0 and path.endswith(".rb"):
                found.setdefault(path[at + 5 :], []).append(path)
        return found

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The template that `render` names: the first of those that it may mean."""
        return next(((path,) for path in statement.module.split("\n") if self.project.has_file(path)), ())
