"""What `object.name` refers to: the symbols that it means for each value that the object can have.

In: one site, as far as an evaluator knows now. Out: its outcome. What a value without that member implies for the site
is decided here; guesses by name alone are in name_fallback.py.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED_BY_NAME, METHOD, PARAMETERLESS, strip_marks
from rpg.encoder.languages.rules.attribute_types import ADDED_BY_NAME
from rpg.encoder.resolve.evaluate import (
    OF_TYPE,
    WRAPPED,
    Evaluator,
    Hit,
    is_in_space,
    is_innermost,
    may_lack,
    prefer_defined,
    space_in_front,
    space_of,
)
from rpg.encoder.resolve.program.source_file import MOST_OVERLOADS, TOO_MANY_OVERLOADS, SourceFile
from rpg.encoder.resolve.references.edge_rules import is_import, is_promise, rule
from rpg.encoder.resolve.references.name_references import resolve_name
from rpg.encoder.resolve.references.outcomes import (
    GIVEN,
    NOTHING_TO_FIND,
    OUTSIDE,
    TARGET_VIA,
    UNKNOWN,
    Outcome,
    Target,
    constructors_among,
    is_callable,
    resolve_values,
    targets_of,
    weakest,
)
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, Owner
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    HELD,
    INST,
    KIND,
    MODULE,
    MODULE_PATH,
    NONE,
    OBJECT_AT,
    OWN_NAME,
    OWN_SCOPE,
    PARENT,
    SYMBOL,
    VARIABLE,
    Value,
    Values,
)
from rpg.graph import FAN_OUT_LIMIT


def member(
    evaluator: Evaluator, file: SourceFile, e: int, call: bool, as_type: bool = False, call_at: int = 0,
    is_written: bool = False,
) -> Outcome:  # fmt: skip
    """`object.name`; `as_type`: if a type and a value have that name, the type; `call_at`: the call of it;
    `is_written`: whether it is assigned."""
    if file.code[e] == op.PATH and call:
        values = evaluator.eval(file, e)
        plain = evaluator.names.attribute(file, e)
        if values and values != plain:
            return resolve_values(evaluator, values, "value")
    holder = file.code[e + op.HOLDER]
    if file.code[holder] == op.UNION and is_innermost(file, holder):
        call_at = call_at if file.rules.argument_types == "exact" else 0
        return resolve_innermost(evaluator, file, e, call, as_type, call_at, is_written)
    if file.rules.construction.variants and file.code[holder] in (op.INSTANCE, op.TYPED):
        of_variant = fields_of_variant(evaluator, file, holder, file.strings[file.code[e + op.MEMBER]])
        if of_variant:
            return Outcome(of_variant, "")
    holders = evaluator.eval(file, holder)
    if file.rules.packages_are_written and all(value[KIND] == EXTERNAL for value in holders):
        found = find_in_package(evaluator, file, e, call)
        if found:
            return Outcome(found, "")
    if not holders:
        return OUTSIDE if evaluator.package_names.is_constant_outside(file, holder) else UNKNOWN
    if file.rules.types_of_one_name == "platforms":
        holders = prefer_defined(evaluator.program, file, holders)
    if file.rules.protocols.forwards:
        holders = evaluator.members.forward_holders(holders, file.strings[file.code[e + op.MEMBER]], call)
    return _Member(evaluator, file, e, call, as_type, is_written).outcome(holders)


def fields_of_variant(evaluator: Evaluator, file: SourceFile, holder: int, name: str) -> tuple[Target, ...]:
    """The fields of that name of a variant that a literal or a pattern names."""
    made = file.code[holder + op.OPERAND]
    if file.code[made] == op.NAME:
        outcome = resolve_name(evaluator, file, made, False)
    elif file.code[made] in (op.ATTRIBUTE, op.PATH):
        outcome = member(evaluator, file, made, False)
    else:
        return ()
    found: list[Target] = []
    for target in outcome.targets:
        other = evaluator.files[target.file]
        if other.definitions[target.definition].kind == "field":
            found += [Target(target.file, index, "type", False) for index in other.children(target.definition, name)]
    return tuple(found)


def find_in_package(evaluator: Evaluator, file: SourceFile, e: int, call: bool) -> tuple[Target, ...]:
    """What `package.Name` means."""
    name = file.strings[file.code[e + op.MEMBER]]
    found: list[Target] = []
    for other in evaluator.package_names.find_by_full_name(file, e):
        declared = [(other.index, index) for index in other.children(0, name)]
        if not declared:  # of several types with the name, the one with so many type parameters
            values = [value for row in other.rows(0, name) for value in evaluator.eval(other, row.value)]
            declared = [value[FILE : SYMBOL + 1] for value in values if value[KIND] == CLASS]
        found += [Target(*each, "import", call and is_callable(evaluator, *each)) for each in declared]
    return tuple(found)


def resolve_innermost(
    evaluator: Evaluator, file: SourceFile, e: int, call: bool, as_type: bool, call_at: int, is_written: bool = False
) -> Outcome:
    """A bare name that may be a member of several enclosing classes: of the innermost that has it, else what it means
    outside them. A name that means nothing there is a member of a base outside the repository, if each class has
    one. `call_at`: the call, if what cannot take its arguments is not meant."""
    outcomes = []
    unfitting: Outcome | None = None
    items = op.items_of(file.code, file.code[e + op.HOLDER])
    for each in items:
        if file.code[each] == op.NAME and each == items[-1]:
            space = space_in_front(file, items)
            outcome = resolve_name(evaluator, file, each, call, as_type, bool(space))
            if space:
                within = tuple(
                    target
                    for target in outcome.targets
                    if is_in_space(evaluator.program.definition(target.file, target.definition).qualified_name, space)
                )
                if within:
                    return outcome._replace(targets=within)
                return OUTSIDE if evaluator.package_names.is_constant_outside(file, items[0]) else UNKNOWN
        else:
            holders = evaluator.eval(file, each)
            if file.rules.types_of_one_name == "platforms":
                holders = prefer_defined(evaluator.program, file, holders)
            if not holders and file.code[each] == op.THIS and file.scopes[file.code[each + op.SCOPE]].kind == "lambda":
                continue
            outcome = _Member(evaluator, file, e, call, as_type, is_written).outcome(holders)
            if outcome.targets and file.rules.types_of_one_name == "parts":
                outcome = without_constructors(evaluator, outcome)
        if outcome.targets:
            owners = [target[:TARGET_VIA] for target in outcome.targets]
            if not call_at or not evaluator.overloads.fits_none(file, call_at, owners):
                return outcome
            unfitting = unfitting or outcome
            continue
        # What a known type lacks is meant elsewhere.
        if not (outcome.misfit and file.rules.argument_types == "exact") or each == items[-1]:
            outcomes.append(outcome)
    if unfitting is not None:
        if OUTSIDE in outcomes or file.strings[file.code[e + op.MEMBER]] in file.rules.builtins:
            return OUTSIDE
        via = "unique-name" if len(unfitting.targets) == 1 else "fan-out"
        return unfitting._replace(targets=tuple(each._replace(via=via) for each in unfitting.targets))
    if not outcomes:
        return UNKNOWN
    first = outcomes[0]
    if first.reason == "external" and file.code[items[-1]] == op.NAME and outcomes[-1] == UNKNOWN:
        outcomes = outcomes if file.is_in_lambda(file.code[e + op.BYTE]) else outcomes[:-1]
    return first if all(each == first for each in outcomes) else UNKNOWN


def without_constructors(evaluator: Evaluator, outcome: Outcome) -> Outcome:
    """A bare name means a class, and not the constructor that a part of the class has elsewhere."""
    is_constructor = evaluator.program.is_constructor
    kept = tuple(each for each in outcome.targets if not is_constructor(*each[:TARGET_VIA]))
    return outcome._replace(targets=kept) if kept or not outcome.targets else UNKNOWN


def is_run_on_any(file: SourceFile, name: str) -> bool:
    """Whether every object has a method that returns it, or what a function returns which it passes it to."""
    return name in file.rules.gives_result or name in file.rules.returns_itself


class _Member:
    """One site while its targets are collected."""

    def __init__(
        self, evaluator: Evaluator, file: SourceFile, e: int, call: bool, as_type: bool, is_written: bool = False
    ) -> None:
        self.evaluator = evaluator
        self.file = file
        self.e = e
        self.holder: int = file.code[e + op.HOLDER]
        name = file.strings[file.code[e + op.MEMBER]]
        self.is_method = name.endswith(METHOD)
        """Whether a method is named, although it is not called."""
        self.name = strip_marks(name) if self.is_method else name
        self.call = call
        self.is_written = is_written
        self.writer = f"{name}{file.rules.writers_end}" if is_written and file.rules.writers_end else ""
        """The method that writing it runs, if there is one."""
        self.reads_accessors = file.rules.accessors == "read" and not call
        self.as_type = as_type
        self.found: list[Target] = []
        self.external = False
        """Some value has it from outside the repository."""
        self.from_library = False
        """Some value was returned by a library, and may be an object of the repository."""
        self.is_of_type = False
        """Some value was returned by a library that was asked for a type of the repository."""
        self.is_held = False
        """Some value from outside holds something of the repository that has the member."""
        self.from_base = False
        """Some value is of a class of the repository with a base outside it, which has the member if no class below
        has."""
        self.is_answered = False
        """Some value has a method that answers for missing members, and may hand the call on to anything."""
        self.lacking = False
        """Some value from outside has no such member: something else is meant."""
        self.hidden = False
        """Some value has it, but it is not a symbol."""
        self.misfit = False
        """Some value is known, and has no such member."""
        self.unsure = False
        """Some value is not known well enough to tell."""

    def outcome(self, holders: Values) -> Outcome:
        for value in holders:
            if value == NONE:
                # What else it may be is unknown: code does not look up members of nothing.
                continue
            if value[KIND] == MODULE:
                self.add_module_targets(value)
                continue
            lookup = self.evaluator.member_lookup
            hit = lookup.hit(value, self.writer, self.space(value)) if self.writer else None
            if hit is None and self.reads_accessors:
                hit = lookup.accessor(self.file, value, self.name, self.is_written)
            hit = hit or lookup.hit(value, self.name, self.space(value))
            if hit is not None and len(hit.definitions) > MOST_OVERLOADS:
                self.evaluator.limit(self.file, TOO_MANY_OVERLOADS)
                return Outcome((), "ambiguous")
            if hit is not None:
                self.has(value, hit)
            elif (
                not self.is_extended(value) and not self.is_constructor_above(value) and not self.is_of_language(value)
            ):
                self.lacks(value)
        if self.found:
            return Outcome(weakest(self.found), "unresolved" if self.is_answered else "", self.is_answered)
        if self.external or self.from_library or self.lacking or self.from_base:
            may_be_ours = self.is_held or not self.external or ((self.from_library or self.from_base) and self.call)
            is_builtin = self.name in self.file.rules.builtin_members and not self.is_of_type
            return GIVEN if may_be_ours and not is_builtin else OUTSIDE
        if self.hidden and not self.unsure:
            return NOTHING_TO_FIND
        return Outcome((), "unresolved", self.misfit and not self.unsure)

    def space(self, value: Value) -> int:
        return space_of(self.file.rules, value, self.call or self.is_method, self.name)

    def add_module_targets(self, value: Value) -> None:
        evaluator, name = self.evaluator, self.name
        targets = evaluator.modules.targets(value[MODULE_PATH], name, as_type=self.as_type)
        direct = list(targets_of(evaluator, targets, "import", self.call))
        self.hidden = self.hidden or any(target[KIND] == "directory" for target in targets)
        self.external = self.external or any(target[KIND] == "external" for target in targets)
        if self.call and (not direct or not all(target.call for target in direct)):
            called = resolve_values(evaluator, evaluator.eval(self.file, self.e), "value" if direct else "import")
            known = {target[:TARGET_VIA] for target in direct}
            self.found += direct
            self.found += [target for target in called.targets if target[:TARGET_VIA] not in known]
            if direct and not any(target.call for target in direct):
                types = evaluator.modules.targets(value[MODULE_PATH], name, as_type=True)
                self.found += constructors_among(evaluator, types, "import")
            self.external = self.external or called.reason == "external"
        else:
            self.found += direct
        if not direct and evaluator.object_members.is_of_any_object(value, name):
            self.external = True
        self.misfit = self.misfit or not (direct or self.external or self.hidden)

    def has(self, value: Value, hit: Hit) -> None:
        """A value that has the member."""
        evaluator = self.evaluator
        kind: int = value[KIND]
        via = self.rule(value, hit)
        if not hit.definitions:
            self.hidden = True
            if kind == OBJECT_AT and not self.call:
                self.found += self.expected(value)
            if kind == OBJECT_AT:
                self.found += self.listed(value)
        for other, index in hit.definitions:
            is_method = evaluator.program.definition(other, index).kind == "method"
            is_named = not CALLED_BY_NAME.isdisjoint(evaluator.program.definition(other, index).flags)
            is_called = (self.call or is_named) and (is_method or is_callable(evaluator, other, index))
            if is_called and kind != CLASS and evaluator.descriptors.is_read((other, index)):
                is_called = False
            self.found.append(Target(other, index, via, is_called))
        if self.call and not (hit.definitions and all(self.is_called_itself(each, value) for each in hit.definitions)):
            values = evaluator.members.member_values(value, self.name, self.space(value))
            called = resolve_values(evaluator, values, "value")
            self.found += called.targets
            self.hidden = self.hidden or (bool(values) and not called.targets)

    def expected(self, value: Value) -> list[Target]:
        """The field of the type that is expected where an object literal is written."""
        evaluator = self.evaluator
        types = evaluator.expected_types.find_expected(evaluator.files[value[FILE]], value[OWN_SCOPE])
        hits = [evaluator.member_lookup.hit(each, self.name) for each in types if each[KIND] == INST]
        return [Target(*each, "value", False) for hit in hits if hit is not None for each in hit.definitions]

    def listed(self, value: Value) -> list[Target]:
        """What an object literal lists under the name: `{ name }`, and what a module that is one has under another.
        What a call runs is found by its value."""
        evaluator = self.evaluator
        here = evaluator.files[value[FILE]]
        is_module = is_import(evaluator, self.file, self.holder)
        named = [
            (file, index)
            for row in here.rows(value[SYMBOL], self.name)
            if row.value and here.code[row.value] == op.NAME
            if is_module or here.strings[here.code[row.value + op.WORD]] == self.name
            for kind, file, index in evaluator.modules.named_by(here, row.value, {})
            if kind == "definition"
        ]
        if self.call:
            named = [each for each in named if not is_callable(evaluator, *each)]
        elif not named and is_module:
            values = evaluator.members.member_values(value, self.name)
            named = [(each[FILE], each[SYMBOL]) for each in values if each[KIND] in (FUNC, CLASS)]
        return [Target(*each, "import" if is_module else "value", False) for each in named]

    def rule(self, value: Value, hit: Hit) -> str:
        file, holder = self.file, self.holder
        via = rule(self.evaluator, file, holder, value, hit)
        if value[KIND] in (OBJECT_AT, FUNC) and is_import(self.evaluator, file, holder):
            return "import"
        # A literal's own fields belong to its type.
        return "type" if via == "constructor" and not self.call and file.code[holder] == op.INSTANCE else via

    def is_called_itself(self, definition: Owner, value: Value) -> bool:
        """Whether calling the member runs this definition, not what it returns or holds."""
        here = self.evaluator.program.definition(*definition)
        if here.kind in ("field", "constant", "property") or PARAMETERLESS in here.flags:
            return False
        return value[KIND] == CLASS or not self.evaluator.descriptors.is_read(definition)

    # Values without the member

    def is_extended(self, value: Value) -> bool:
        """Whether methods that are called as members stand for the one that the value lacks."""
        code, rules = self.file.code, self.file.rules
        if rules.extensions == "traits":
            return self.call and self.is_added(value)
        if rules.types_of_one_name == "spaces":
            return self.is_declared_for_library(value)
        by_name = rules.extensions in ADDED_BY_NAME
        if not by_name and not (self.call and rules.extensions == "called"):
            return False
        call = self.file.calls_of_members.get(self.e, 0)
        count = code[call + op.ARGUMENT_COUNT] if call else -1
        found = self.evaluator.extensions.of(self.file, value, self.name, count)
        if len(found) > 1 and by_name:
            found = self.evaluator.extensions.choose_named(found, self.call)
        elif len(found) > 1:
            found = tuple(self.evaluator.overloads.fitting(self.file, call, list(found)))
            if len(found) > FAN_OUT_LIMIT:
                return False
        via = "type" if by_name or len(found) == 1 else "fan-out"
        self.found += [Target(*each, via, self.call) for each in found]
        return bool(found)

    def is_declared_for_library(self, value: Value) -> bool:
        """Whether the repository adds the member to a type of the library that the value may have."""
        added = self.evaluator.added_members.of(self.file, value, self.name)
        if added is None or len(added.members) > FAN_OUT_LIMIT:
            return False
        if not added.members:
            self.from_library = self.is_of_type = True
            return True
        via = "type" if added.is_of_module else "unique-name" if len(added.members) == 1 else "fan-out"
        is_method = self.evaluator.program.definition
        self.found += [Target(*each, via, self.call and is_method(*each).kind == "method") for each in added.members]
        return True

    def is_added(self, value: Value) -> bool:
        """Whether the value has the method from a trait, or can have it from there alone."""
        methods, is_proven = self.evaluator.added_traits.of(self.file, value, self.name)
        if not methods or len(methods) > FAN_OUT_LIMIT:
            return False
        if not is_proven and self.name in self.file.rules.builtin_members:
            self.from_library = self.is_of_type = True
            return True
        via = "type" if is_proven else "unique-name" if len(methods) == 1 else "fan-out"
        self.found += [Target(*each, via, True) for each in methods]
        return True

    def is_constructor_above(self, value: Value) -> bool:
        """`super()` where no base class has a constructor: the class itself is called."""
        code, rules = self.file.code, self.file.rules
        if value[KIND] != PARENT or not self.call or code[self.e + op.BYTE] != code[self.holder + op.BYTE]:
            return False
        if rules.owners == "spaces" and self.name != rules.constructor:
            # `super` alone means the method of the same name, whatever it is called.
            return False
        above = self.evaluator.classes.order(value[FILE], value[SYMBOL]).entries[1:2]
        self.found += [Target(*entry[:ENTRY_ARGUMENTS], "super", True) for entry in above]
        self.external = self.external or not above
        return True

    def is_of_language(self, value: Value) -> bool:
        """Whether the language defines the member, or the class has a method that answers for missing members."""
        evaluator, name = self.evaluator, self.name
        kind: int = value[KIND]
        if kind == FUNC and self.is_of_functions(value):
            self.external = True
        elif self.is_settable(value) or (kind == CLASS and name in evaluator.files[value[FILE]].rules.names_of_itself):
            self.hidden = True
        elif name == self.file.rules.protocols.class_of:
            if self.call:
                self.found += self.called(value)
            self.hidden = True
        elif (self.call and is_run_on_any(self.file, name)) or (
            kind != PARENT and evaluator.object_members.is_of_any_object(value, name)
        ):
            self.external = True
        elif kind == INST and evaluator.member_lookup.gives_missing(value):
            called = self.called(value) if self.call else ()
            answering = self.answering(value) if called or not self.call else []
            self.found += [*called, *answering]
            self.is_answered = self.call or bool(answering)
        else:
            return False
        return True

    def answering(self, value: Value) -> list[Target]:
        """The method that answers for missing members, where no base of a library may have the member."""
        if not self.file.rules.protocols.derived or self.has_base_outside(value):
            return []
        hit = self.evaluator.member_lookup.find(value[FILE], value[SYMBOL], self.file.rules.protocols.missing)
        return [Target(*each, "protocol", False) for each in (hit.definitions if hit is not None else ())]

    def is_of_functions(self, value: Value) -> bool:
        methods = self.evaluator.files[value[FILE]].rules.methods
        return self.name in methods.run or self.name in methods.bind

    def is_settable(self, value: Value) -> bool:
        """Whether reading the member of an object literal or prototype tells nothing, as it may be set at any time."""
        kind: int = value[KIND]
        if self.call or kind not in (FUNC, CLASS, OBJECT_AT, PARENT):
            return False
        return bool(kind == OBJECT_AT or self.name == self.evaluator.files[value[FILE]].rules.protocols.prototype)

    def called(self, value: Value) -> tuple[Target, ...]:
        """What calling the member of a value runs."""
        values = self.evaluator.members.member_values(value, self.name, self.space(value))
        return resolve_values(self.evaluator, values, "value").targets

    def lacks(self, value: Value) -> None:
        """Records what a value that is not known to have the member implies for the site."""
        evaluator = self.evaluator
        kind: int = value[KIND]
        if kind in (OBJECT_AT, FUNC):
            outside = [
                each
                for each in evaluator.member_lookup.spread_in(evaluator.files[value[FILE]], value)
                if each[KIND] == EXTERNAL
            ]
            if outside:
                # What is copied from a library brings its members.
                for each in outside:
                    self.lacks(each)
                return
        if kind == CONTAINER and value[OWN_NAME] == "coroutine" and not self.is_awaited(value):
            self.unsure = True
        elif kind == PARENT and evaluator.object_members.means_siblings(value, self.name):
            self.misfit = True
        elif kind == EXTERNAL and OF_TYPE in value[OWN_NAME]:
            self.from_library = self.is_held = True
            self.is_of_type = not self.file.rules.types.lend_arguments
        elif (kind == CALLABLE or (kind == EXTERNAL and len(value) > HELD)) and self.may_be_given(value):
            self.from_library = self.is_of_type = self.is_held = True
        elif self.is_made_elsewhere(value):
            self.from_library = True
        elif kind in (INST, CLASS) and self.has_base_outside(value):
            self.from_base = True
        elif evaluator.members.is_external_member(value, self.name):
            if not may_lack(self.file.rules, value, self.name, self.call):
                self.external = True
            elif kind == EXTERNAL:
                self.from_library = True
            else:
                self.lacking = True
        elif kind == VARIABLE or (
            kind in (INST, CLASS) and evaluator.classes.order(value[FILE], value[SYMBOL]).unknown
        ):
            # A variable may stand for something with more members than its bound; a base created at run time brings
            # members of its own.
            self.unsure = True
        else:
            called = self.called(value) if self.call else ()
            self.found += called if evaluator.round else ()  # what is stored is known later, by what this depends on
            self.misfit = True

    def may_be_given(self, value: Value) -> bool:
        """Whether the member may be one of what a library's object gives back, or a function that is not called."""
        if value[KIND] == EXTERNAL and value[OWN_NAME].endswith(WRAPPED):
            return False  # a wrapper has members of its own, and not those of what its function gives
        names = (
            (self.name, *self.file.rules.accessors_of(self.name, self.is_written)) if not self.call else (self.name,)
        )
        return any(self.evaluator.held_members.may_give_below(value, each) for each in names)

    def has_base_outside(self, value: Value) -> bool:
        classes = self.evaluator.classes
        return classes.order(value[FILE], value[SYMBOL]).external or classes.is_below_library(value)

    def is_made_elsewhere(self, value: Value) -> bool:
        """Whether something outside the repository decides what a value is: an unknown base, a library's decorator."""
        evaluator = self.evaluator
        if value[KIND] == PARENT:
            return evaluator.classes.order(value[FILE], value[SYMBOL]).unknown
        return bool(value[KIND] == FUNC and evaluator.members.may_be_replaced(value))

    def is_awaited(self, value: Value) -> bool:
        return is_promise(self.evaluator, self.file, self.holder, self.name)
