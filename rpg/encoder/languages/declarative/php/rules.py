"""What comes with PHP: functions and classes of its library that are named most."""

from __future__ import annotations

import re
from functools import cached_property

from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.given_names import OWN_CODE, PAGES, Given, decapitalise, property_of, remove_ending, snake
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.page_templates import PageTemplates
from rpg.encoder.languages.rules.attribute_types import MembersRead, Words
from rpg.encoder.languages.standard_library import Protocols, Types
from rpg.encoder.languages.tests import Tests

_NAMES = """
assert array_filter array_flip array_key_exists array_keys array_map array_merge array_pop array_push array_reduce
array_shift array_slice array_unique array_values array_walk basename call_user_func call_user_func_array class_exists
compact count date define defined dirname end explode file_exists file_get_contents file_put_contents func_get_args
function_exists get_class get_object_vars implode in_array ini_set intval is_array is_bool is_callable is_file
is_int is_null is_numeric is_object is_string json_decode json_encode ksort ltrim max md5 method_exists microtime min
ob_get_clean ob_start preg_match preg_match_all preg_quote preg_replace preg_replace_callback preg_split
property_exists rand reset rtrim serialize sort spl_object_hash sprintf str_contains str_ends_with str_repeat
str_replace str_starts_with strlen strpos strtolower strtoupper strval substr time tap trim trigger_error ucfirst uniqid
unserialize usort var_dump
ArgumentCountError ArrayAccess ArrayIterator ArrayObject Closure Countable DateTime DateTimeImmutable DateTimeInterface
Error ErrorException Exception Generator InvalidArgumentException Iterator IteratorAggregate JsonSerializable
LogicException OutOfBoundsException RuntimeException Stringable Throwable Traversable TypeError ValueError
"""
_MEMBERS = """
add all append close count create each execute exists fetch filter find first format get getMessage getName has
isEmpty key keys last load make map merge next offsetGet offsetSet open parse pop push put read remove replace reset
rewind run save send set setUp toArray toJson update valid value values where with write
"""


_OF_FACTORIES = """
afterCreating afterMaking configure connection crossJoinSequence for forEachSequence has hasAttached recycle sequence
state trashed
"""
"""What the base of Laravel's factories has that returns the factory."""
VIEW_SUFFIXES = (".blade.php", ".html.twig", ".twig", ".php", ".html")
_VIEW_FOLDERS = frozenset(("templates", "views"))


class Rules(DeclarativeRules):
    given_names = frozenset(
        "__CLASS__ __DIR__ __FILE__ __FUNCTION__ __LINE__ __METHOD__ __NAMESPACE__ __TRAIT__".split()
    )
    members_read = MembersRead(
        by_name=re.compile(rb"::\s*(?:\$\w+\s*\(|\{)"),
        all=re.compile(rb"\s*::class\s*[,)]"),
        joined_by=rb"\.",
        all_before=re.compile(rb"\b(?:get_class_methods|ReflectionClass|ReflectionObject)\(\s*[\"']?\Z"),
    )
    labels = "of fields"
    demands_members = "of classes"
    imports_are_read = False
    leaves_parts = True
    ignores_case = True
    closing = Words(frozenset({"final"}))
    hiding = Words(frozenset({"private"}))
    classes_reach_members = False
    fixed = Words(frozenset({"readonly"}))
    refuses_fewer_arguments = True
    # A number is made a string, and a string of digits a number, unless a file says otherwise.
    literals_fit = fitting("""
        string: string int float bool
        int float: int float bool digits
    """)
    overrides_fit = "as called"
    plain_types = frozenset("int float bool string array".split())
    closing_members = Words(frozenset({"final"}))
    types_stand = "in front"
    tests = Tests(
        names=("Test",),
        functions="test",
        marks=frozenset({"Test"}),
        runners=("phpunit",),
        preparations=frozenset(("setUp", "tearDown", "setUpBeforeClass", "tearDownAfterClass")),
        preparation_marks=frozenset(("Before", "After", "BeforeClass", "AfterClass")),
    )
    builtins = frozenset(_NAMES.split())
    builtin_members = frozenset(_MEMBERS.split())
    types = Types(
        containers={"list": "list"},
        without_members=frozenset("array bool callable float int iterable null string void".split()),
        anything=frozenset({"mixed", "object"}),
        receiver=frozenset({"static"}),
    )
    constructor = "__construct"
    page_variable = "$"
    keeps_declared_types = False
    passive_marks = frozenset({"Attribute", "Deprecated", "Override", "ReturnTypeWillChange", "SensitiveParameter"})
    override_marks = frozenset({"Override"})
    gives_itself = frozenset(_OF_FACTORIES.split())
    protocols = Protocols(call="__invoke")
    unnamed_prefixes = ("__",)
    marks_name_fields = re.compile(
        rb"#\[[^\]]*\b(?:(?:One|Many)To(?:One|Many)|JoinColumn|UniqueEntity|UniqueConstraint|Index|OrderBy)\s*\Z"
    )
    unnamed_members = frozenset("getIterator jsonSerialize offsetExists offsetGet offsetSet offsetUnset".split())
    made_where = re.compile(rb"#\[(?:[^\]\n]*,)?\s*[\w\\]*\Z")
    takes_names = re.compile(
        rb"(?:::|->)(?:with|without|load|loadMissing|with(?:Count|Sum|Avg|Min|Max|Exists)|load(?:Count|Sum)|has|orHas"
        rb"|doesntHave|where(?:Has|DoesntHave|Relation)|orWhereHas|withWhereHas"
        rb"|can(?:not|t|Any)?|allows|denies|authorize(?:ForUser)?|inspect)\s*\Z"
    )
    takes_fields = re.compile(rb"(?:::|->)(?:findBy|findOneBy|count|matching|orderBy|addOrderBy)\s*\Z")
    takes_conditions = re.compile(
        rb"(?:::|->)(?:(?:and|or)?(?:[wW]here|[hH]aving)|(?:add)?(?:[oO]rderBy|[gG]roupBy|[sS]elect)"
        rb"|(?:left|inner)?[jJ]oin|set|(?:update|delete|from|createQuery|addCriteria|indexBy|partial)"
        rb"|(?:n?eq|[lg]te?|in|notIn|like|notLike|between|isNull|isNotNull|isMemberOf|andX|orX|asc|desc|max|min|avg|sum|count"
        rb"|countDistinct|lower|upper|length|concat|substring|trim|coalesce))\s*\Z"
    )
    run_unnamed = unnamed_members | frozenset({"count", "current", "key", "next", "rewind", "valid"})
    has_packages = True
    member_spaces = "read as fields"
    traits = "within"
    library_folders = frozenset({"Controller", "Controllers", "Observers", "Policies"})
    library_suffixes = ("Controller", "Observer", "Policy")

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        """Twig reads `name` of `getName`; Laravel `full_name` of `getFullNameAttribute`, `open` of `scopeOpen`."""
        if kind not in ("method", "function"):
            return ()
        read = property_of(name)
        attribute = remove_ending(read, "Attribute")
        scope = decapitalise(name.removeprefix("scope")) if name[:5] == "scope" and name[5:6].isupper() else ""
        made = [Given(read, PAGES)] if read and not attribute else []
        return (*made, *(Given(each, OWN_CODE) for each in (snake(attribute), scope) if each))

    @cached_property
    def views(self) -> PageTemplates:
        return PageTemplates(self.project, VIEW_SUFFIXES, _VIEW_FOLDERS)

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The view that is meant: the first of those that exist."""
        for name in statement.module.split("\n"):
            found = self.views.named(importer, name.rpartition("::")[2])
            if found:
                return (found,)
        return ()

    def packages_seen(self, package: str) -> tuple[str, ...]:
        return (package, "")
