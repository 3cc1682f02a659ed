"""One reference: the symbols that it means, each with the rule that found it, or why there are none.

In: a site. Out: its outcome. Nothing is guessed here (name_fallback.py), and what callers pass is followed elsewhere
(rounds.py).
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ANNOTATION,
    BASE,
    CALLED,
    CREATED,
    DECORATOR,
    KEY,
    OFFERED,
    RAISED,
    READ,
    RUN,
    SINGLETON,
    WRITE,
    strip_marks,
)
from rpg.encoder.resolve.evaluate import Evaluator, filter_by_platform
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.companions import add_named, resolve_companions
from rpg.encoder.resolve.references.constructions import find_constructors
from rpg.encoder.resolve.references.dispatchers import find_dispatched
from rpg.encoder.resolve.references.keys import key, position
from rpg.encoder.resolve.references.member_references import member
from rpg.encoder.resolve.references.name_references import builtin, resolve_name, unbound
from rpg.encoder.resolve.references.outcomes import (
    NOTHING_TO_FIND,
    OUTSIDE,
    RUNNING,
    TARGET_VIA,
    UNKNOWN,
    Outcome,
    Target,
    once,
    protocol,
    resolve_values,
)
from rpg.encoder.resolve.references.overloaded import add_included, doubt, narrow
from rpg.encoder.resolve.references.special_methods import add_special_methods
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import CLASS, CLOSURE, FILE, FUNC, KIND, SYMBOL, Values, union
from rpg.graph import CLASS_KINDS, POSSIBLE_VIAS

_MAKING: Final = frozenset({op.INSTANCE, op.ELEMENT, op.UNION})
"""What stands for an object that is made without naming the call of its constructor."""
_VARIABLES: Final = frozenset({"constant", "field"})


class References:
    """What sites refer to, as far as an evaluator knows now."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.files = evaluator.files

    def outcome(self, file: SourceFile, e: int, role: int) -> Outcome:
        if role == RUN:
            return self.run_unnamed(file, e)
        found = self.found(file, e, role)
        if found.targets and file.rules.protocols.derived:
            found = add_special_methods(self.evaluator, file, e, role, found)
        if len(found.targets) > 1 and self.files[found.targets[0].file].rules.types_of_one_name == "platforms":
            found = self.filter_targets(file, found)
        if len(found.targets) > 1 and file.rules.extensions == "imported":
            found = self.drop_unseen_extensions(file, found)
        named = found.targets if role == CALLED and file.rules.sides == "companions" else ()
        if found.targets and file.rules.sides == "companions":
            found = resolve_companions(self.evaluator, file, e, role, found)
        if len(found.targets) > 1 and file.rules.overloads != "none":
            found = narrow(self.evaluator, file, e, role, found)
        if role == CALLED and found.targets and file.rules.argument_types == "deduced":
            found = add_included(self.evaluator, file, e, found)
        if named:
            found = add_named(self.evaluator, named, found)
        if role == CALLED and found.targets and file.rules.argument_count != "any":
            return doubt(self.evaluator, file, e, found)
        return found

    def run_unnamed(self, file: SourceFile, e: int) -> Outcome:
        """What the language runs without a name: only what takes the operands, as everything else has operators of the
        language's own."""
        code, callee = file.code, file.code[e + op.CALLEE]
        if code[callee] in _MAKING:
            return find_constructors(self.evaluator, file, e)
        is_free = code[callee] == op.NAME or file.strings[code[callee + op.MEMBER]] == file.rules.protocols.converts
        if not is_free and not file.strings[code[callee + op.MEMBER]].isidentifier() and self.is_type(file, callee):
            return NOTHING_TO_FIND
        kept = tuple(
            each._replace(via=each.via if each.via in POSSIBLE_VIAS else "protocol", call=False)
            for each in self.outcome(file, e, CALLED).targets
            if not self.evaluator.overloads.fits_none(file, e, [each[:TARGET_VIA]])
            and (not is_free or self.evaluator.overloads.is_proven(file, e, each[:TARGET_VIA]))
            and self.makes_attributes(each)
        )
        if kept and not is_free and self.may_be_of_another(file, callee, e):
            kept = tuple(each._replace(via="unique-name") for each in kept)
        if len(kept) > 1 and file.rules.member_spaces != "one":
            kept = self.choose_fitting(file, e, kept)
        return Outcome(once([*kept]), "") if kept else NOTHING_TO_FIND

    def may_be_of_another(self, file: SourceFile, callee: int, e: int) -> bool:
        """Whether an operator is looked for in the type of a later operand, and nothing is known of the first one."""
        code = file.code
        operands = [code[e + op.ARGUMENTS + 2 * at] for at in range(code[e + op.ARGUMENT_COUNT])]
        if code[callee + op.HOLDER] not in operands[1:] or code[callee + op.HOLDER] == operands[0]:
            return False
        return not self.evaluator.eval(file, operands[0])

    def makes_attributes(self, target: Target) -> bool:
        """Whether what runs unnamed, if it is a constructor, is one of a class whose objects are attributes: derived
        from such a class, which its name tells."""
        file = self.files[target.file]
        is_attribute, definition = file.rules.is_attribute, file.definitions[target.definition]
        around = file.definitions[definition.parent]
        if definition.name != around.name or is_attribute(around.name):
            return True
        for each in self.evaluator.classes.order(target.file, definition.parent).entries:
            for here, _, base in self.evaluator.classes.list_written_bases((each[OWNER_FILE], each[OWNER_SYMBOL])):
                named = here.code[base + op.HOLDER] if here.code[base] == op.SUBSCRIPT else base
                is_name = here.code[named] in (op.NAME, op.ATTRIBUTE)
                if is_name and is_attribute(strip_marks(here.strings[op.find_name_word(here.code, named)])):
                    return True
        return False

    def choose_fitting(self, file: SourceFile, e: int, targets: tuple[Target, ...]) -> tuple[Target, ...]:
        """Of the methods by which a type implements one trait for several others, those that fit the operands best:
        which of several is meant is not known."""
        fitting = self.evaluator.overloads.fitting(file, e, [each[:TARGET_VIA] for each in targets])
        kept = tuple(each for each in targets if each[:TARGET_VIA] in fitting)
        return kept if len(kept) < 2 else tuple(each._replace(via="fan-out") for each in kept)

    def is_type(self, file: SourceFile, callee: int) -> bool:
        """Whether a member is taken of a type that has instances: what looks like an operator is none."""
        return any(
            value[KIND] == CLASS and SINGLETON not in self.program.definition(*value[FILE : SYMBOL + 1]).flags
            for value in self.evaluator.eval(file, file.code[callee + op.HOLDER])
        )

    def filter_targets(self, file: SourceFile, outcome: Outcome) -> Outcome:
        """The targets that code for a file's platform means."""
        kept = set(filter_by_platform(self.program, file, [each[:TARGET_VIA] for each in outcome.targets]))
        return outcome._replace(targets=tuple(each for each in outcome.targets if each[:TARGET_VIA] in kept))

    def drop_unseen_extensions(self, file: SourceFile, outcome: Outcome) -> Outcome:
        """Without the members that others add to a type and that the file does not see, if that leaves any."""
        kept = tuple(
            each
            for each in outcome.targets
            if not (definition := self.program.definition(each.file, each.definition)).owner
            or self.evaluator.extensions.is_seen(file, (each.file, each.definition), definition.name)
        )
        return outcome._replace(targets=kept) if kept else outcome

    def found(self, file: SourceFile, e: int, role: int) -> Outcome:
        code = file.code
        operation = code[e]
        if role == CALLED:
            return self.called(file, code[e + op.CALLEE], e)
        if role == KEY:
            return key(self.evaluator, file, e)
        if operation == op.CALL and role in (RAISED, CREATED):
            # It says what is done with the call, whose own site has the targets.
            return NOTHING_TO_FIND
        if role == RAISED:
            return self.resolve_raised(file, e)
        if role == OFFERED:
            return self.offered(file, e)
        if role == WRITE and operation == op.ATTRIBUTE:
            return self.written(file, e)
        if operation in (op.NAME, op.ATTRIBUTE, op.PATH):
            if self.is_instantiated(file, e):
                # The site of the call has the targets.
                return NOTHING_TO_FIND
            call = role == DECORATOR or (role == READ and e in file.run and self.is_run(file, e))
            as_type = role in (ANNOTATION, BASE)
            found = (
                resolve_name(self.evaluator, file, e, call, as_type)
                if operation == op.NAME
                else member(self.evaluator, file, e, call, as_type)
            )
            if role == BASE:
                found = self.drop_itself(file, e, self.with_classes(file, e, found))
            return self.add_augmentations(found) if role == BASE and found.targets else found
        if operation == op.ITEM:
            return position(self.evaluator, file, e)
        if operation in RUNNING:
            return protocol(self.evaluator, file, e, role)
        if role == DECORATOR:
            # What a decorator with arguments returns is called as well; the call itself is a separate site.
            made = resolve_values(self.evaluator, self.evaluator.eval(file, e), "value")
            return made if made.targets else NOTHING_TO_FIND
        return NOTHING_TO_FIND

    def offered(self, file: SourceFile, e: int) -> Outcome:
        """What a convention names, which need not exist; no module of which it names a member."""
        found = (
            resolve_name(self.evaluator, file, e, False)
            if file.code[e] == op.NAME
            else member(self.evaluator, file, e, False)
        )
        if not found.targets or (e in file.offering and all(not each.definition for each in found.targets)):
            return NOTHING_TO_FIND
        return found

    def written(self, file: SourceFile, e: int) -> Outcome:
        """What an assignment to a member changes; the member that it defines is not a reference."""
        outcome = member(self.evaluator, file, e, False, is_written=True)
        byte = file.code[e + op.BYTE]
        for target in outcome.targets:
            if target.file == file.index:
                definition = file.definitions[target.definition]
                if definition.start_byte <= byte < definition.body_byte:
                    return NOTHING_TO_FIND
        return outcome

    def resolve_raised(self, file: SourceFile, e: int) -> Outcome:
        """`raise Failure` creates an instance of a class; raising an instance is an ordinary mention."""
        outcome = (
            resolve_name(self.evaluator, file, e, False)
            if file.code[e] == op.NAME
            else member(self.evaluator, file, e, False)
        )
        made = {value[FILE : SYMBOL + 1] for value in self.evaluator.eval(file, e) if value[KIND] == CLASS}
        if not made:
            return outcome
        targets = [target._replace(call=True) if target[:TARGET_VIA] in made else target for target in outcome.targets]
        known = {target[:TARGET_VIA] for target in targets}
        targets += [Target(file_index, index, "value", True) for file_index, index in sorted(made - known)]
        return Outcome(tuple(targets), "")

    def with_classes(self, file: SourceFile, e: int, outcome: Outcome) -> Outcome:
        """A base that a variable holds, with the classes that it may be."""
        definition_of = self.program.definition
        if any(definition_of(target.file, target.definition).kind not in _VARIABLES for target in outcome.targets):
            return outcome
        classes = [value for value in self.evaluator.eval(file, e) if value[KIND] == CLASS]
        added = tuple(Target(value[FILE], value[SYMBOL], "value", False) for value in classes)
        return Outcome(outcome.targets + added, "") if added else outcome

    def drop_itself(self, file: SourceFile, e: int, outcome: Outcome) -> Outcome:
        """No class is its own base: in its bases, its name means what it would mean without the class."""
        if not file.rules.has_packages:
            return outcome
        others = tuple(
            target
            for target in outcome.targets
            if target.file != file.index or not self.evaluator.classes.is_base_of(file, e, target.definition)
        )
        if others or not outcome.targets:
            return outcome if len(others) == len(outcome.targets) else outcome._replace(targets=others)
        return unbound(self.evaluator, file, e) if file.code[e] == op.NAME else UNKNOWN

    def add_augmentations(self, outcome: Outcome) -> Outcome:
        """A base, with the parts that other modules add to it."""
        parts = self.evaluator.classes.augmentations
        added = [
            target._replace(file=part[OWNER_FILE], definition=part[OWNER_SYMBOL])
            for target in outcome.targets
            for part in parts.get(target[:TARGET_VIA], ())
        ]
        return outcome._replace(targets=outcome.targets + tuple(added)) if added else outcome

    def is_run(self, file: SourceFile, e: int) -> bool:
        """Whether a method of function objects (`f.call(x)`) runs this expression."""
        name = file.strings[file.code[file.code[file.run[e] + op.CALLEE] + op.MEMBER]]
        values = self.evaluator.eval(file, e)
        return bool(values) and all(
            value[KIND] in (FUNC, CLOSURE) and self.evaluator.member_lookup.hit(value, name) is None for value in values
        )

    def find_held_functions(self, file: SourceFile, e: int) -> Values:
        """The functions that a local variable holds at first which is declared to be of an interface that functions
        stand for, also constructors; none if it may hold anything else then."""
        code, kinds = file.code, (FUNC, CLASS) if file.rules.types.of_one_method else (FUNC,)
        scope = op.binding_scope(code[e + op.BINDER]) if code[e] == op.NAME else -1
        if scope < 0 or file.scopes[scope].kind == "class":
            return ()
        found: list[Values] = []
        for row in file.rows(scope, file.strings[code[e + op.WORD]]):
            value = code[row.value + op.TYPED_VALUE] if code[row.value] == op.TYPED else row.value
            held = self.evaluator.eval(file, value) if value else ()
            if not held or any(each[KIND] not in kinds for each in held):
                return ()
            found.append(held)
        return union(found)

    def made(self, file: SourceFile, outcome: Outcome) -> Outcome:
        """A call of a class with a method that makes its instances is a call of that method."""
        maker = file.rules.protocols.maker
        if not maker:
            return outcome
        own: list[Target] = []
        names: set[str] = set()
        for target in outcome.targets:
            definition = self.program.definition(target.file, target.definition)
            if target.call and definition.kind in CLASS_KINDS:
                hit = self.evaluator.member_lookup.find(target.file, target.definition, maker)
                if hit is not None and hit.definitions:
                    own += [Target(*each, "type", True) for each in hit.definitions]
                    names.add(definition.qualified_name)
        if not own:
            return outcome
        others = [
            target
            for target in outcome.targets
            if self.program.definition(target.file, target.definition).qualified_name not in names
        ]
        named = [each._replace(call=False) for each in outcome.targets if each not in others]
        return outcome._replace(targets=once([*own, *others, *named]))

    def is_instantiated(self, file: SourceFile, e: int) -> bool:
        """Whether the `f` of a callee `f[T]` is a function with a type, and no element is called."""
        if e not in file.followed_by_types:
            return False
        return any(value[KIND] in (FUNC, CLASS) for value in self.evaluator.eval(file, e))

    def is_builtin(self, file: SourceFile, callee: int, e: int, outcome: Outcome) -> bool:
        """Whether a name of the language is called, as no function of that name takes the arguments."""
        rules = file.rules
        if (
            rules.argument_types != "exact"
            or not outcome.targets
            or file.strings[file.code[callee + op.WORD]] not in rules.builtins
        ):
            return False
        return self.evaluator.overloads.fits_none(file, e, [each[:TARGET_VIA] for each in outcome.targets])

    def called(self, file: SourceFile, callee: int, e: int) -> Outcome:
        operation = file.code[callee]
        if operation == op.NAME:
            outcome = resolve_name(self.evaluator, file, callee, True)
            if self.is_builtin(file, callee, e, outcome):
                return OUTSIDE
            return builtin(self.evaluator, file, callee, e) if outcome is OUTSIDE else self.made(file, outcome)
        if operation in (op.ATTRIBUTE, op.PATH):
            holder = file.code[callee + op.HOLDER]
            if holder in file.run and self.is_run(file, holder):
                if holder in file.sited:
                    return NOTHING_TO_FIND
                return resolve_values(self.evaluator, self.evaluator.eval(file, holder), "fan-out")
            outcome = self.made(file, member(self.evaluator, file, callee, True, call_at=e))
            held = self.find_held_functions(file, holder) if holder in file.run and holder not in file.sited else ()
            if held:
                # It may be assigned again.
                found = resolve_values(self.evaluator, held, "fan-out").targets
                return Outcome(once([*outcome.targets, *found]), "") if found else outcome
            if file.rules.dispatching and file.strings[file.code[callee + op.MEMBER]] in file.rules.dispatching:
                run = find_dispatched(self.evaluator, file, callee, e)
                return Outcome(once([*outcome.targets, *run]), "") if run else outcome
            return outcome
        if operation == op.SUBSCRIPT and self.is_instantiated(file, file.code[callee + op.HOLDER]):
            return self.called(file, file.code[callee + op.HOLDER], e)
        values = self.evaluator.eval(file, callee)
        if operation in (op.SUBSCRIPT, op.KEYED, op.TYPE_OF) and not values:
            return UNKNOWN
        if operation == op.TYPE_OF:
            return self.made(file, resolve_values(self.evaluator, values, "type"))
        return resolve_values(self.evaluator, values, "value")
