"""One reference: the symbols that it means, each with the rule that found it, or why there are none.

Nothing is guessed here (name_fallback.py), and what callers pass is followed elsewhere (rounds.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from rpg.encoder.facts import ANNOTATION, BASE, CALLED, DECORATOR, RAISED, READ
from rpg.encoder.operations import (
    ARGUMENT_COUNT,
    ARGUMENTS,
    ATTRIBUTE,
    BINDER,
    BYTE,
    CALLEE,
    DEFINED,
    DEFINITION,
    HOLDER,
    IMPORT,
    IMPORTED,
    INSTANCE,
    KEYED,
    MEMBER,
    NAME,
    PATH,
    SUBSCRIPT,
    WORD,
    binding_scope,
)
from rpg.encoder.resolve.evaluate import Evaluator, beside_alone, is_of_any_object, may_lack
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import (
    GIVEN,
    NOTHING_TO_FIND,
    OUTSIDE,
    RUNNING,
    UNKNOWN,
    Outcome,
    Target,
    of_values,
    once,
    protocol,
    protocol_targets,
    weakest,
)
from rpg.encoder.resolve.references.rules import is_import, is_promise, rule
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    MODULE,
    MODULE_PATH,
    NONE,
    OBJECT_AT,
    OWN_NAME,
    PARENT,
    SYMBOL,
    VARIABLE,
    Value,
)
from rpg.graph import CLASS_KINDS


class References:
    """What sites refer to, as far as an evaluator knows now."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.files = evaluator.files

    def outcome(self, file: SourceFile, e: int, role: int) -> Outcome:
        code = file.code
        operation = code[e]
        if role == CALLED:
            return self.called(file, code[e + CALLEE], e)
        if role == RAISED:
            return self.raised(file, e)
        if operation in (NAME, ATTRIBUTE, PATH):
            call = role == DECORATOR or (role == READ and e in file.run and self.is_run(file, e))
            as_type = role in (ANNOTATION, BASE)
            found = self.named(file, e, call, as_type) if operation == NAME else self.member(file, e, call, as_type)
            return self.with_parts(found) if role == BASE and found.targets else found
        if operation in RUNNING:
            return protocol(self.evaluator, file, e, role)
        if role == DECORATOR:
            # What a decorator with arguments returned is called as well; the call itself is a site of its own.
            made = of_values(self.evaluator, self.evaluator.eval(file, e), "value")
            return made if made.targets else NOTHING_TO_FIND
        return NOTHING_TO_FIND

    def raised(self, file: SourceFile, e: int) -> Outcome:
        """`raise Failure` makes an instance of a class; raising an instance is a mention like any other."""
        outcome = self.named(file, e, False) if file.code[e] == NAME else self.member(file, e, False)
        made = {value[FILE : SYMBOL + 1] for value in self.evaluator.eval(file, e) if value[KIND] == CLASS}
        if not made:
            return outcome
        targets = [target._replace(call=True) if target[:2] in made else target for target in outcome.targets]
        named = {target[:2] for target in targets}
        targets += [Target(file_index, index, "value", True) for file_index, index in sorted(made - named)]
        return Outcome(tuple(targets), "")

    def with_parts(self, outcome: Outcome) -> Outcome:
        """A base with the parts that other modules add to it."""
        parts = self.evaluator.classes.augmentations
        added = [
            target._replace(file=part[OWNER_FILE], definition=part[OWNER_SYMBOL])
            for target in outcome.targets
            for part in parts.get(target[:2], ())
        ]
        return outcome._replace(targets=outcome.targets + tuple(added)) if added else outcome

    def is_run(self, file: SourceFile, e: int) -> bool:
        """Whether a method of functions runs what this stands for."""
        name = file.strings[file.code[file.code[file.run[e] + CALLEE] + MEMBER]]
        values = self.evaluator.eval(file, e)
        return bool(values) and all(
            value[KIND] in (FUNC, CLOSURE) and self.evaluator.classes.hit(value, name) is None for value in values
        )

    def called(self, file: SourceFile, callee: int, e: int) -> Outcome:
        operation = file.code[callee]
        if operation == NAME:
            outcome = self.named(file, callee, True)
            return self.builtin(file, callee, e) if outcome is OUTSIDE else outcome
        if operation in (ATTRIBUTE, PATH):
            if file.code[callee + HOLDER] in file.run and self.is_run(file, file.code[callee + HOLDER]):
                return NOTHING_TO_FIND
            return self.member(file, callee, True)
        values = self.evaluator.eval(file, callee)
        if operation in (SUBSCRIPT, KEYED) and not values:
            return UNKNOWN
        return of_values(self.evaluator, values, "value")

    def named(self, file: SourceFile, e: int, call: bool, as_type: bool = False) -> Outcome:
        """A bare name; `as_type`: where a type and a value bear it, the type."""
        code = file.code
        scope, text = code[e + BINDER], file.strings[code[e + WORD]]
        modules = self.evaluator.modules
        if scope == -1:
            return self.free(file, e, text, call, as_type)
        in_flow = scope >= 0
        scope = binding_scope(scope)
        rows = file.types(scope, text) if as_type else []
        if not rows:
            scope, rows = file.visible(scope, text, code[e + BYTE], in_flow)
        found: list[Target] = []
        external = False
        directory = False
        variable = False
        for row in rows:
            operation = code[row.value]
            via = "import" if operation in (IMPORT, IMPORTED) else "scope"
            for kind, other, index in modules.of_binding(file, scope, text, row.value, as_type=as_type):
                if kind == "external":
                    external = True
                elif kind == "directory":
                    directory = True
                elif kind == "definition":
                    if call and self.program.definition(other, index).kind in ("constant", "field", "type"):
                        variable = True
                        found.append(Target(other, index, via, False))
                    else:
                        found.append(Target(other, index, via, call and self.is_callable(other, index)))
                elif kind == "module" and not call:
                    found.append(Target(other, 0, via, False))
            if operation not in (DEFINITION, IMPORT, IMPORTED):
                variable = variable or call
            elif operation == DEFINITION and call and code[row.value + DEFINED] in file.facts.decorators:
                variable = True
        if variable and found and not any(target.call for target in found):
            beside = file.types(scope, text) or [row for row in rows if code[row.value] == IMPORTED]
            for row in beside:
                found += self.made_by(modules.of_binding(file, scope, text, row.value, as_type=True), found[0].via)
        if variable or (call and not found and not external):
            values = self.evaluator.eval(file, e)
            via = "import" if rows and code[rows[0].value] in (IMPORT, IMPORTED) else "value"
            more = of_values(
                self.evaluator,
                values,
                via if any(value[KIND] != FUNC for value in values) or via == "import" else "value",
            )
            taken = {target[:2] for target in found}
            found += [target for target in more.targets if target[:2] not in taken]
            if not found or (call and not more.targets and not any(target.call for target in found)):
                return more._replace(targets=once(found))
        if found:
            return Outcome(once(found), "")
        if external:
            return OUTSIDE
        if directory and not call:
            return NOTHING_TO_FIND
        if not call and rows and all(code[row.value] not in (IMPORT, IMPORTED) for row in rows):
            return NOTHING_TO_FIND
        return UNKNOWN

    def made_by(self, targets: list[tuple[str, int, int]], via: str) -> Iterator[Target]:
        """A constant beside an interface of its name is a class in two parts: calling it makes one of these."""
        for kind, file, index in targets:
            if kind == "definition" and self.program.definition(file, index).kind == "interface":
                yield Target(file, index, via, True)

    def builtin(self, file: SourceFile, callee: int, e: int) -> Outcome:
        """`len(x)` and the like run a method of their argument."""
        code = file.code
        protocols = file.rules.protocols
        name = protocols.functions.get(file.strings[code[callee + WORD]])
        if name is None or code[callee + BINDER] != -1 or not code[e + ARGUMENT_COUNT]:
            return OUTSIDE
        argument = self.evaluator.eval(file, code[e + ARGUMENTS])
        found = protocol_targets(self.evaluator, protocols, argument, name, False)
        return Outcome(once(found), "") if found else OUTSIDE

    def free(self, file: SourceFile, e: int, text: str, call: bool, as_type: bool) -> Outcome:
        """A name that nothing in its file binds: of the package, of a star import, of the language."""
        modules = self.evaluator.modules
        found: list[Target] = []
        if file.rules.shares_package_scope:
            for other in self.program.beside(file):
                if other is not file and other.facts.package == file.facts.package:
                    for row in other.rows(0, text):
                        found += self.plain(modules.of_binding(other, 0, text, row.value), "scope", call)
        ambient = self.evaluator.ambient.bindings(file, text, as_type)
        if ambient is not None:
            other, rows = ambient
            for row in rows:
                found += self.plain(modules.of_binding(other, 0, text, row.value, as_type=as_type), "scope", call)
        external_star = False
        for index in reversed(file.stars) if not found else ():
            files = modules.files(file, index)
            external_star = external_star or files is None
            for path in files or ():
                if modules.is_public(path, text):
                    found += self.plain(modules.targets(path, text), "import", call)
            if found:
                break
        if found and call and any(not target.call for target in found):
            values = of_values(self.evaluator, self.evaluator.eval(file, e), "value")
            return Outcome(
                tuple(dict.fromkeys([*(target for target in found if target.call), *values.targets])), values.reason
            )
        if found:
            return Outcome(once(found), "")
        if text in file.rules.builtins or external_star or (as_type and self.evaluator.ambient.is_declared(file)):
            return OUTSIDE
        return UNKNOWN

    def plain(self, targets: list[tuple[str, int, int]], via: str, call: bool) -> Iterator[Target]:
        for kind, file, index in targets:
            if kind == "definition" or (kind == "module" and not call):
                yield Target(file, index, via, call and self.is_callable(file, index))

    def is_callable(self, file: int, index: int) -> bool:
        definition = self.program.definition(file, index)
        if definition.kind in CLASS_KINDS:
            return self.files[file].rules.classes_are_called
        return definition.kind in ("function", "method")

    def member(self, file: SourceFile, e: int, call: bool, as_type: bool = False) -> Outcome:
        """`object.name`."""
        evaluator, code = self.evaluator, file.code
        name = file.strings[code[e + MEMBER]]
        if code[e] == PATH and call:
            values = evaluator.eval(file, e)
            plain = evaluator.attribute(file, e)
            if values and values != plain:
                return of_values(evaluator, values, "value")
        holders = evaluator.eval(file, code[e + HOLDER])
        if not holders:
            return UNKNOWN
        found: list[Target] = []
        external = given = lacking = hidden = misfit = unsure = False
        for value in holders:
            kind: int = value[KIND]
            if value == NONE:
                # What it is otherwise is not known: nobody asks for members of nothing.
                continue
            if kind == MODULE:
                targets = evaluator.modules.targets(value[MODULE_PATH], name, as_type=as_type)
                direct = list(self.plain(targets, "import", call))
                hidden = hidden or any(target[KIND] == "directory" for target in targets)
                external = external or any(target[KIND] == "external" for target in targets)
                if call and (not direct or not all(target.call for target in direct)):
                    values = evaluator.eval(file, e)
                    called = of_values(evaluator, values, "value" if direct else "import")
                    found += [target for target in direct if target.call]
                    found += called.targets
                    if direct and not any(target.call for target in direct):
                        found += self.made_by(
                            evaluator.modules.targets(value[MODULE_PATH], name, as_type=True), "import"
                        )
                    external = external or called.reason == "external"
                else:
                    found += direct
                if not direct and is_of_any_object(evaluator, value, name):
                    external = True
                misfit = misfit or not (direct or external or hidden)
                continue
            hit = evaluator.classes.hit(value, name)
            if hit is None:
                rules = self.files[value[FILE]].rules if kind in (FUNC, CLASS, OBJECT_AT, PARENT) else None
                if rules is not None and kind == PARENT and call and code[e + BYTE] == code[code[e + HOLDER] + BYTE]:
                    # `super()` where no class above has a constructor: the class itself is what is called.
                    above = evaluator.classes.order(value[FILE], value[SYMBOL]).entries[1:2]
                    found += [Target(*entry[:ENTRY_ARGUMENTS], "super", True) for entry in above]
                    external = external or not above
                    continue
                if rules is not None and kind == FUNC and (name in rules.methods.run or name in rules.methods.bind):
                    external = True
                    continue
                if rules is not None and not call and (kind == OBJECT_AT or name == rules.prototype):
                    hidden = True
                    continue
                if name == file.rules.protocols.class_of:
                    if call:
                        found += of_values(evaluator, evaluator.members.member_values(value, name), "value").targets
                    hidden = True
                    continue
                if kind != PARENT and is_of_any_object(evaluator, value, name):
                    external = True
                    continue
                if kind == INST and evaluator.classes.gives_missing(value):
                    more = (
                        of_values(evaluator, evaluator.members.member_values(value, name), "value") if call else UNKNOWN
                    )
                    found += more.targets
                    continue
                if (
                    kind == CONTAINER
                    and value[OWN_NAME] == "coroutine"
                    and not is_promise(evaluator, file, code[e + HOLDER], name)
                ):
                    unsure = True
                elif kind == PARENT and beside_alone(evaluator, value):
                    misfit = True
                elif evaluator.members.is_external_member(value, name):
                    if not may_lack(file.rules, value, name, call):
                        external = True
                    elif kind == EXTERNAL:
                        given = True
                    else:
                        lacking = True
                elif kind in (INST, CLASS) and evaluator.classes.order(value[FILE], value[SYMBOL]).unknown:
                    # A base that is made while the program runs brings members of its own.
                    unsure = True
                elif kind == VARIABLE:
                    # What it stands for here was not found out: it may have more members than its bound.
                    unsure = True
                elif evaluator.round and call:
                    found += of_values(evaluator, evaluator.members.member_values(value, name), "value").targets
                    misfit = True
                else:
                    misfit = True
                continue
            via = rule(evaluator, file, code[e + HOLDER], value, hit)
            if kind in (OBJECT_AT, FUNC) and is_import(evaluator, file, code[e + HOLDER]):
                via = "import"
            if via == "constructor" and not call and code[code[e + HOLDER]] == INSTANCE:
                # A literal's own fields belong to its type.
                via = "type"
            if not hit.definitions:
                hidden = True
            for other, index in hit.definitions:
                kind_of = self.program.definition(other, index).kind
                is_called = call and (kind_of == "method" or self.is_callable(other, index))
                if is_called and kind != CLASS and evaluator.descriptors.is_read((other, index)):
                    is_called = False
                found.append(Target(other, index, via, is_called))
            if call and not all(self.calls_directly(each, value) for each in hit.definitions or ((-1, -1),)):
                values = evaluator.members.member_values(value, name)
                more = of_values(evaluator, values, "value")
                found += more.targets
                hidden = hidden or (bool(values) and not more.targets)
        if found:
            return Outcome(weakest(found), "")
        if external or given or lacking:
            may_be_ours = not external or (given and call)
            return GIVEN if may_be_ours and name not in file.rules.builtin_members else OUTSIDE
        if hidden:
            return NOTHING_TO_FIND
        return Outcome((), "unresolved", misfit and not unsure)

    def calls_directly(self, definition: tuple[int, int], value: Value) -> bool:
        if definition[OWNER_FILE] < 0 or self.program.definition(*definition).kind in ("field", "constant", "property"):
            return False
        return value[KIND] == CLASS or not self.evaluator.descriptors.is_read(definition)
