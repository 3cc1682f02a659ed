"""Calls that no longer fit what they call.

In: a file before and after, both resolved. Out: a finding for each call that fitted before and does not now, and for
each in an edited line that does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpg.encoder import operations as op
from rpg.encoder.facts import ACCESSORS, CALLED, READ
from rpg.encoder.languages.rules.attribute_types import Arguments
from rpg.encoder.resolve.breakage.findings import MISFIT, Finding
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.breakage.signatures import (
    COPY,
    arguments_of,
    fold_keywords,
    misfit,
    shape_of_declared,
    shape_of_fields,
    shape_of_own_fields,
    shape_of_record,
)
from rpg.encoder.resolve.breakage.written.texts import Texts
from rpg.encoder.resolve.incremental.fingerprints import expressions
from rpg.encoder.resolve.program.arguments_taken import Shape, shape_of
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS
from rpg.encoder.resolve.values.values import CLASS, FUNC, KIND
from rpg.graph import CLASS_KINDS

_PASSED_ON = frozenset({"value", "protocol", "framework"})
"""Rules of targets that are not called with the arguments of the site alone."""
_FUNCTIONS = frozenset({"function", "method"})
_MOST_ARGUMENTS = 255
_LONGEST = 4_000
"""The most of a call's text that is read."""


class Calls:
    def __init__(self, before: Side, after: Side) -> None:
        self.before = before
        self.after = after
        self.texts = Texts()
        self.unjudged: set[str] = set()
        """The languages of uses of functions that were checked, and whose arguments are not judged."""
        self._keeping: dict[int, dict[int, int]] = {}

    def find(self, old: SourceFile | None, site: Site | None, new: SourceFile, now: Site) -> Finding | None:
        """`site`: the same call before, if its line is still the same; `old`: its file."""
        rules = new.rules
        if now.role != CALLED or new.code[now.expression] != op.CALL or not rules.judges_arguments(new.path):
            return None
        targets = self.after.outcome(new, now).targets
        if not targets and old is not None and site is not None:
            outcome = self.before.outcome(old, site)
            targets = self.still_there(self.before.certain_targets(old, outcome) or outcome.targets)
        if not targets or any(each.via in _PASSED_ON for each in targets):
            return None
        shapes = self.shapes(self.after, new, now, targets)
        if not shapes:
            return None
        certain = bool(self.after.certain_targets(new, self.after.outcome(new, now)))
        was: list[Shape] = []
        if old is not None and site is not None:
            earlier = self.before.outcome(old, site).targets
            was = self.shapes(self.before, old, site, earlier)
            if was == shapes or not earlier:
                return None
            certain = certain or bool(self.before.certain_targets(old, self.before.outcome(old, site)))
        given = self.given(self.after, new, now)
        if given is None:
            return None
        reasons = [self.misfit(new, each, given) for each in shapes]
        if not all(reasons):
            return None
        if old is not None and site is not None and (not was or all(self.misfit(old, each, given) for each in was)):
            return None
        first = targets[0]
        decorated = self.may_be_replaced(first)
        symbol = self.after.id_of(first.file, first.definition)
        reason = reasons[0]
        fitted = [each for each in was if old is not None and not self.misfit(old, each, given)]
        if old is not None and site is not None and fitted:
            others = self.shapes(self.after, new, now, self.still_there(self.before.outcome(old, site).targets))
            meant = nearest([*shapes, *others], fitted[0])
            reason = self.misfit(new, meant, given) or reason
            shapes = [meant]
        detail = self.add_new_name(reason, was, shapes, given)
        return Finding(new.path, now.line, now.column, certain and not decorated, MISFIT, now.name, symbol, detail)

    def note(self, side: Side, targets: list[Target], new: SourceFile, now: Site) -> None:
        """A use was checked; `targets`: what it means on that side."""
        is_of_function = now.role == CALLED or any(side.definition(each).kind in _FUNCTIONS for each in targets)
        if is_of_function and not new.rules.judges_arguments(new.path):
            self.unjudged.add(new.facts.language)

    def find_other_number(
        self, was: list[Target], still: list[Target], new: SourceFile, now: Site
    ) -> tuple[Finding | None, bool]:
        """For functions that are found by name and number of arguments: a finding if no number is taken any more that
        was; else whether one of several is not. `was`, `still`: what the use certainly means, before and after."""
        if new.rules.overloads != "by number" or not still:
            return None, False
        had = self.numbers_taken(self.before, was)
        has = self.numbers_taken(self.after, [each for target in still for each in self.same_named(target)])
        if had is None or has is None or had <= has:
            return None, False
        if not had.isdisjoint(has):
            return None, True
        first = still[0]
        path = self.after.path_of(first)
        certain = not new.rules.may_add_functions(self.after.program.read(path))
        detail = f"takes {_listed(has)} now, not {' or '.join(map(str, sorted(had)))}"
        symbol = self.after.id_of(first.file, first.definition)
        return Finding(new.path, now.line, now.column, certain, MISFIT, now.name, symbol, detail), False

    def same_named(self, target: Target) -> list[Target]:
        """The definitions of a file that have the name of one of them."""
        name = self.after.definition(target).qualified_name
        found = self.after.named(self.after.path_of(target), name)
        return [target._replace(definition=index) for index in found]

    def numbers_taken(self, side: Side, targets: list[Target]) -> set[int] | None:
        """The numbers of arguments that functions take; None if one of them takes any number, or is none."""
        found: set[int] = set()
        for each in targets:
            least, most = side.world.evaluator.arity.numbers_taken((each.file, each.definition))
            if side.definition(each).kind not in _FUNCTIONS or most > _MOST_ARGUMENTS:
                return None
            found.update(range(least, most + 1))
        return found

    def find_kept(self, old: SourceFile, site: Site, new: SourceFile, now: Site) -> Finding | None:
        """For a function that is given to another, with arguments that it will be called with: `partial`."""
        if now.role != READ or not new.rules.keepers:
            return None
        call = self.keeping(new).get(now.expression)
        target = self.after.certain_targets(new, self.after.outcome(new, now))
        earlier = self.before.certain_targets(old, self.before.outcome(old, site))
        if call is None or len(target) != 1 or len(earlier) != 1:
            return None
        given = arguments_of(new, call)
        given = given._replace(number=given.number - 1)
        shapes = self.shapes(self.after, new, now, tuple(target))
        was = self.shapes(self.before, old, site, tuple(earlier))
        if len(shapes) != 1 or len(was) != 1 or misfit(was[0], given, True, False):
            return None
        reason = misfit(shapes[0], given, True, False)
        if not reason:
            return None
        symbol = self.after.id_of(target[0].file, target[0].definition)
        detail = self.add_new_name(reason, was, shapes, given)
        certain = not self.may_be_replaced(target[0])
        return Finding(new.path, now.line, now.column, certain, MISFIT, now.name, symbol, detail)

    def keeping(self, file: SourceFile) -> dict[int, int]:
        """The functions that calls keep together with arguments -> these calls."""
        known = self._keeping.get(file.index)
        if known is None:
            known = self._keeping[file.index] = {}
            code = file.code
            for e in expressions(code):
                if code[e] != op.CALL or code[code[e + op.CALLEE]] not in (op.NAME, op.ATTRIBUTE, op.PATH):
                    continue
                is_keeper = file.strings[op.find_name_word(code, code[e + op.CALLEE])] in file.rules.keepers
                if is_keeper and code[e + op.ARGUMENT_COUNT] and code[e + op.KEYWORDS] == op.POSITIONAL:
                    known[code[e + op.ARGUMENTS]] = e
        return known

    def is_misfit(self, side: Side, file: SourceFile, site: Site) -> bool:
        """Whether a call does not fit what it calls."""
        targets = side.outcome(file, site).targets
        if site.role != CALLED or file.code[site.expression] != op.CALL or not targets:
            return False
        given, shapes = self.given(side, file, site), self.shapes(side, file, site, targets)
        return given is not None and bool(shapes) and all(self.misfit(file, each, given) for each in shapes)

    def given(self, side: Side, file: SourceFile, site: Site) -> Arguments | None:
        """What a call passes; None if that cannot be told."""
        if file.rules.labels != "in text":
            return arguments_of(file, site.expression)
        begin = file.code[site.expression + op.BYTE]
        text = side.program.read(file.path)[begin : begin + _LONGEST]
        return file.rules.written_arguments(text.decode(errors="replace"))

    def misfit(self, file: SourceFile, shape: Shape, given: Arguments) -> str:
        rules = file.rules
        if rules.labels == "in text":
            given = fold_keywords(given, shape)
        return misfit(shape, given, rules.refuses_more_arguments, rules.refuses_fewer_arguments)

    def still_there(self, meant: Iterable[Target]) -> tuple[Target, ...]:
        """What a call meant, as it is now: the language may not let it mean that with these arguments."""
        found: list[Target] = []
        for target in meant:
            path, definition = self.before.path_of(target), self.before.definition(target)
            file = self.after.file(path)
            if file is not None and target.call:
                for index in self.after.named(path, definition.qualified_name):
                    found.append(Target(file.index, index, target.via, True))
        return tuple(found)

    def shapes(self, side: Side, file: SourceFile, site: Site, targets: tuple[Target, ...]) -> list[Shape]:
        """What each of the targets takes; nothing if that is not known of one of them."""
        found: list[Shape] = []
        for target in targets:
            definition = side.definition(target)
            here = side.program.files[target.file]
            if definition.kind in CLASS_KINDS:
                made = self.construction(side, target)
                if not made:
                    return []
                found += made
            elif definition.kind in ("function", "method"):
                shape = shape_of(here, target.definition, self.is_bound(side, file, site, here, target))
                found.append(self.as_declared(side, here, target.definition, shape))
            else:
                return []
        return found

    def as_declared(self, side: Side, file: SourceFile, index: int, shape: Shape) -> Shape:
        """A shape with the default arguments that only a declaration elsewhere has."""
        definition = file.definitions[index]
        is_within = definition.parent > 0 and file.definitions[definition.parent].kind in CLASS_KINDS
        if not file.rules.declares_apart or is_within:
            return shape
        found = [each.fewest for each in self.texts.declarations(side, file, index) if each.most == len(shape.names)]
        if not found and definition.owner:
            return shape._replace(needed=())
        return shape._replace(needed=shape.needed[: min(found, default=len(shape.needed))])

    def construction(self, side: Side, target: Target) -> list[Shape]:
        """What the construction of a class takes."""
        here = side.program.files[target.file]
        if here.rules.declares_apart:
            declared = self.texts.constructors(side, here, target.definition)
            return [shape_of_declared(each) for each in declared] + [COPY] if declared else []
        if made := self.constructors(side, target):
            return [shape_of(side.program.files[file], index, True) for file, index in made]
        fields = self.fields(side, target)
        return [] if fields is None else [fields]

    def constructors(self, side: Side, target: Target) -> tuple[tuple[int, int], ...]:
        """What runs when an object of a class is made; the class itself if it has the parameters."""
        here = side.program.files[target.file]
        definition = here.definitions[target.definition]
        name = here.rules.constructor
        if here.rules.constructors_are_named_like_classes:
            name = definition.name
        hit = side.world.evaluator.member_lookup.find(target.file, target.definition, name) if name else None
        if hit is not None and hit.definitions:
            return tuple(hit.definitions)
        return ((target.file, target.definition),) if definition.scope in here.facts.parameters else ()

    def fields(self, side: Side, target: Target) -> Shape | None:
        """What is taken by a class whose objects are made of their fields; None if that is not known."""
        here = side.program.files[target.file]
        if ACCESSORS in here.definitions[target.definition].flags:
            return shape_of_record(here.definitions[target.definition])
        marks = here.rules.construction.marks
        if marks is not None and marks.say_of_base(here.definitions[target.definition].signature):
            return shape_of_own_fields(here, target.definition)
        order = side.world.evaluator.classes.order(target.file, target.definition)
        if order.external or order.unknown:
            return None
        owners = [entry[:ENTRY_ARGUMENTS] for entry in reversed(order.entries)]
        return shape_of_fields([(side.program.files[file], index) for file, index in owners])

    def is_bound(self, side: Side, file: SourceFile, site: Site, here: SourceFile, target: Target) -> bool:
        """Whether what the callee is a member of is the receiver: not in `Class.method(object, ...)`."""
        definition = here.definitions[target.definition]
        if definition.scope < 0 or not here.scopes[definition.scope].receiver:
            return False
        if "classmethod" in definition.flags or file.code[site.named] not in (op.ATTRIBUTE, op.PATH):
            return True
        side.world.evaluator.start()
        holders = side.world.evaluator.eval(file, file.code[site.named + op.HOLDER])
        return not any(value[KIND] == CLASS for value in holders)

    def may_be_replaced(self, target: Target) -> bool:
        """Whether a decorator may have made something else of a function."""
        here = self.after.program.files[target.file]
        if not here.facts.decorators.get(target.definition):
            return False
        evaluator = self.after.world.evaluator
        evaluator.start()
        if evaluator.members.may_be_replaced((FUNC, target.file, target.definition, None)):
            return True
        decorators = here.facts.decorators[target.definition]
        return any(value[KIND] == FUNC for each in decorators for value in evaluator.eval(here, each))

    def add_new_name(self, reason: str, was: list[Shape], shapes: list[Shape], given: Arguments) -> str:
        """What a parameter is called now that the call names as it was called."""
        if "no parameter" not in reason or len(was) != 1 or len(shapes) != 1:
            return reason
        before, now = was[0], shapes[0]
        for name in given.keywords:
            if name in before.names and name not in now.names and len(before.names) == len(now.names):
                other = now.names[before.names.index(name)]
                if other not in before.names:
                    return f"`{name}` is `{other}` now"
        came, went = now.keywords - before.keywords, before.keywords - now.keywords
        if len(came) == len(went) == 1 and not went.isdisjoint(given.keywords):
            return f"`{min(went)}` is `{min(came)}` now"
        return reason


def nearest(shapes: list[Shape], was: Shape) -> Shape:
    """The one most like another: of several overloads, the one that a function has become."""
    names = {*was.names, *was.keywords}

    def likeness(shape: Shape) -> tuple[int, int]:
        own = {*shape.names, *shape.keywords}
        return len(own & names), -len(own ^ names)

    return max(shapes, key=likeness)


def _listed(numbers: set[int]) -> str:
    told = " or ".join(map(str, sorted(numbers)))
    return f"{told} argument{'' if numbers == {1} else 's'}"
