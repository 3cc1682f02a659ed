"""Django: related fields hold instances of their models, managers return them, strings name models and modules.

In: expressions and values of an evaluator. Out: values, and edges for names in strings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, MAKER, ROLE, SITE_WORDS
from rpg.encoder.resolve.frameworks.plugin import Mention, Plugin, classes_of, name_byte
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    INST,
    IS_SELF,
    KIND,
    OWN_NAME,
    PRIMITIVE,
    SPELLING,
    SYMBOL,
    TEXT,
    TYPE_ARGUMENTS,
    Value,
    Values,
)
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.source_file import SourceFile

_RELATED = frozenset({"ForeignKey", "OneToOneField", "ParentalKey"})
_MANY = frozenset({"ManyToManyField"})
_ONE = frozenset("get first last latest earliest create aget afirst alast acreate".split())
"""Methods of a manager or query set that return one instance."""
_PAIR = frozenset("get_or_create update_or_create aget_or_create aupdate_or_create".split())
_SAME = frozenset(
    """
    all filter exclude order_by distinct reverse select_related prefetch_related annotate alias defer only using none
    union intersection difference select_for_update iterator aiterator complex_filter extra raw
    """.split()
)
"""Methods that return a query set of the same instances."""
_SETTINGS = ("INSTALLED_APPS", "ROOT_URLCONF", "MIDDLEWARE", "WSGI_APPLICATION")
"""One of them makes a module one of settings."""
_OF_MODULES = frozenset({"INSTALLED_APPS", "ROOT_URLCONF"})
"""Settings whose strings are names of modules."""
_TAGS = frozenset({"filter", "tag", "simple_tag", "simple_block_tag", "inclusion_tag"})
_BASES = {"Model": "model", "Manager": "manager", "BaseManager": "manager", "QuerySet": "query"}


class Django(Plugin):
    library = frozenset({"django"})
    own = frozenset({"django"})
    registrars = {"": frozenset({"receiver", "register"})}  # noqa: RUF012

    def registers(self, name: str) -> bool:
        head = name.removesuffix("()").rpartition(".")[0]
        if head.endswith("()"):
            # A template tag library.
            last = name.removesuffix("()").rpartition(".")[2]
            return head.startswith("django.") and head.endswith(".Library()") and last in _TAGS
        return super().registers(name)

    # Values

    def result(self, name: str, file: SourceFile, e: int) -> Values:
        last = name.rpartition(".")[2]
        if last not in _RELATED and last not in _MANY:
            return ()
        found = []
        for value in self.evaluator.calls.argument(file, e, 0, "to"):
            if value[KIND] == CLASS:
                found.append((value[FILE], value[SYMBOL]))
            elif value[KIND] == TEXT:
                found += self.models_named(file, e, value[SPELLING])
        instances = tuple(self.instance(owner) for owner in dict.fromkeys(found))
        return self.query(instances) if instances and last in _MANY else instances

    def missing(self, value: Value, name: str) -> Values:
        if value[KIND] == CONTAINER and value[OWN_NAME] == "query":
            return self.find_query_member(name, value, value[CONTENTS][0])
        if value[KIND] not in (INST, CLASS):
            return ()
        kind = self.kind(value[FILE], value[SYMBOL])
        if kind == "model" and name in ("objects", "_default_manager", "_base_manager") and value[KIND] == CLASS:
            return self.query((self.instance((value[FILE], value[SYMBOL])),))
        if kind == "query" and name == "as_manager" and value[KIND] == CLASS:
            return ((CALLABLE, (self.instance((value[FILE], value[SYMBOL])),)),)
        if kind in ("manager", "query") and value[KIND] == INST:
            return self.find_query_member(name, value, value[TYPE_ARGUMENTS][0] if value[TYPE_ARGUMENTS] else ())
        return ()

    def find_query_member(self, name: str, itself: Value, held: Values) -> Values:
        if name in _SAME:
            return ((CALLABLE, (itself,)),)
        if name in _ONE and held:
            return ((CALLABLE, held),)
        if name in _PAIR and held:
            return ((CALLABLE, ((CONTAINER, "tuple", (held, ((PRIMITIVE, "bool"),))),)),)
        return ()

    def query(self, instances: Values) -> Values:
        return ((CONTAINER, "query", (instances,)),)

    def bound(self, value: Value, receiver: Value) -> Value:
        """A manager read through a model's class returns that model's instances."""
        if value[KIND] != INST or value[TYPE_ARGUMENTS] or receiver[KIND] != CLASS:
            return value
        if self.kind(value[FILE], value[SYMBOL]) in ("manager", "query"):
            return (*value[:TYPE_ARGUMENTS], ((self.instance((receiver[FILE], receiver[SYMBOL])),),), *value[IS_SELF:])
        return value

    def kind(self, file: int, index: int) -> str:
        """Which of the framework's classes a class descends from."""
        evaluator = self.evaluator
        for entry in evaluator.classes.order(file, index).entries:
            here = self.files[entry[OWNER_FILE]]
            for keyword, expression in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                for value in evaluator.annotations.typed(here, expression) if not keyword else ():
                    if value[KIND] == EXTERNAL and value[OWN_NAME].startswith("django."):
                        last = value[OWN_NAME].removesuffix("()").rpartition(".")[2]
                        if last in _BASES:
                            return _BASES[last]
        return ""

    # Names in strings

    @cached_property
    def classes_by_name(self) -> dict[str, list[tuple[int, int]]]:
        return self.program.table("classes", classes_of)

    def survey(self) -> None:
        assert self.classes_by_name is not None

    def models_named(self, file: SourceFile, e: int, text: str) -> list[tuple[int, int]]:
        """A model named by a string: `self`, a class of the same app, or `app.Model`."""
        if text == "self":
            around = [
                (definition.end_byte - definition.start_byte, index)
                for index, definition in enumerate(file.definitions)
                if definition.kind in CLASS_KINDS
                and definition.start_byte <= file.code[e + op.BYTE] < definition.end_byte
            ]
            return [(file.index, min(around)[1])] if around else []
        app, _, name = text.rpartition(".")
        candidates = self.classes_by_name.get(name, [])
        same_file = [each for each in candidates if each[OWNER_FILE] == file.index]
        if not app and same_file:
            return same_file
        folder = file.path.rpartition("/")[0]
        if not app:
            fitting = [each for each in candidates if self.files[each[OWNER_FILE]].path.rpartition("/")[0] == folder]
        else:
            fitting = [each for each in candidates if app in self.files[each[OWNER_FILE]].path.split("/")[:-1]]
        return fitting if len(fitting) == 1 else []

    def found(self, file: SourceFile) -> Iterator[Mention]:
        yield from self.set_by(file)
        yield from self.named_in_calls(file)

    def set_by(self, file: SourceFile) -> Iterator[Mention]:
        """The modules that a module of settings names without a dot; a dotted path names what it leads to anyway."""
        if not any(file.binds(0, name) for name in _SETTINGS):
            return
        code = file.code
        for binding in file.facts.bindings:
            if binding.scope or binding.name not in _OF_MODULES:
                continue
            for e in _strings_in(code, binding.value):
                text = file.strings[code[e + op.WORD]]
                targets = self.module_named(file, text) if text.isidentifier() else []
                if len(targets) == 1:
                    yield Mention(0, targets[0], name_byte(file, e))

    def named_in_calls(self, file: SourceFile) -> Iterator[Mention]:
        if not {"include", *_RELATED, *_MANY}.intersection(file.strings):
            return
        code, sites = file.code, file.facts.sites
        for at in range(0, len(sites), SITE_WORDS):
            e = sites[at]
            if sites[at + ROLE] != CALLED or not code[e + op.ARGUMENT_COUNT]:
                continue
            callee = code[e + op.CALLEE]
            if code[callee] not in (op.NAME, op.ATTRIBUTE, op.PATH):
                continue
            name = file.strings[op.find_name_word(code, callee)]
            related = name in _RELATED or name in _MANY
            if name != "include" and not related:
                continue
            argument = code[e + op.ARGUMENTS]
            if not related and code[argument] in (op.TUPLE, op.LIST) and code[argument + op.ITEM_COUNT]:
                argument = code[argument + op.ITEMS]
            self.evaluator.start()
            if code[argument] != op.STRING or not any(
                value[KIND] == EXTERNAL and value[OWN_NAME].startswith("django.")
                for value in self.evaluator.eval(file, callee)
            ):
                continue
            text = file.strings[code[argument + op.WORD]]
            if not related and not text.isidentifier():
                continue
            targets = self.models_named(file, e, text) if related else self.module_named(file, text)
            for target in targets:
                yield Mention(sites[at + MAKER], target, name_byte(file, argument))

    def module_named(self, file: SourceFile, text: str) -> list[tuple[int, int]]:
        files = file.rules.module(file.path, text, 0) or ()
        return [(other.index, 0) for path in files if (other := self.program.file_at(path)) is not None]


def _strings_in(code: Any, value: int) -> Iterator[int]:
    """The strings that a literal of lists and dictionaries holds, also where it is added to another; keys aside."""
    pending = [value]
    while pending:
        e = pending.pop()
        operation = code[e]
        if operation == op.STRING:
            yield e
        elif operation in (op.LIST, op.TUPLE, op.SET):
            pending += reversed(op.items_of(code, e))
        elif operation == op.DICTIONARY:
            pending += [code[e + op.ITEMS + 2 * at + 1] for at in reversed(range(code[e + op.ITEM_COUNT]))]
        elif operation == op.OPERATION:
            pending += [code[e + op.RIGHT], code[e + op.LEFT]]
