"""One reference: the symbols that it means, each with the rule that found it, or why there are none.

In: a site. Out: its outcome. Nothing is guessed here (name_fallback.py), and what callers pass is followed elsewhere
(rounds.py).
"""

from __future__ import annotations

from rpg.encoder.facts import ANNOTATION, BASE, CALLED, CREATED, DECORATOR, RAISED, READ
from rpg.encoder.operations import (
    ARGUMENT_COUNT,
    ARGUMENTS,
    ATTRIBUTE,
    BINDER,
    BYTE,
    CALL,
    CALLEE,
    DEFINED,
    DEFINITION,
    HOLDER,
    IMPORT,
    IMPORTED,
    KEYED,
    MEMBER,
    NAME,
    PATH,
    SUBSCRIPT,
    WORD,
    binding_scope,
)
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.member_references import member
from rpg.encoder.resolve.references.outcomes import (
    NOTHING_TO_FIND,
    OUTSIDE,
    RUNNING,
    TARGET_VIA,
    UNKNOWN,
    Outcome,
    Target,
    constructors_among,
    is_callable,
    of_values,
    once,
    protocol,
    protocol_targets,
    targets_of,
)
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    CLASS,
    CLOSURE,
    FILE,
    FUNC,
    KIND,
    SYMBOL,
)


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
        if operation == CALL and role in (RAISED, CREATED):
            # It says what is done with the call, whose own site has the targets.
            return NOTHING_TO_FIND
        if role == RAISED:
            return self.raised(file, e)
        if operation in (NAME, ATTRIBUTE, PATH):
            call = role == DECORATOR or (role == READ and e in file.run and self.is_run(file, e))
            as_type = role in (ANNOTATION, BASE)
            found = (
                self.named(file, e, call, as_type)
                if operation == NAME
                else member(self.evaluator, file, e, call, as_type)
            )
            return self.with_parts(found) if role == BASE and found.targets else found
        if operation in RUNNING:
            return protocol(self.evaluator, file, e, role)
        if role == DECORATOR:
            # What a decorator with arguments returns is called as well; the call itself is a site of its own.
            made = of_values(self.evaluator, self.evaluator.eval(file, e), "value")
            return made if made.targets else NOTHING_TO_FIND
        return NOTHING_TO_FIND

    def raised(self, file: SourceFile, e: int) -> Outcome:
        """`raise Failure` creates an instance of a class; raising an instance is an ordinary mention."""
        outcome = self.named(file, e, False) if file.code[e] == NAME else member(self.evaluator, file, e, False)
        made = {value[FILE : SYMBOL + 1] for value in self.evaluator.eval(file, e) if value[KIND] == CLASS}
        if not made:
            return outcome
        targets = [target._replace(call=True) if target[:TARGET_VIA] in made else target for target in outcome.targets]
        named = {target[:TARGET_VIA] for target in targets}
        targets += [Target(file_index, index, "value", True) for file_index, index in sorted(made - named)]
        return Outcome(tuple(targets), "")

    def with_parts(self, outcome: Outcome) -> Outcome:
        """A base, with the parts that other modules add to it."""
        parts = self.evaluator.classes.augmentations
        added = [
            target._replace(file=part[OWNER_FILE], definition=part[OWNER_SYMBOL])
            for target in outcome.targets
            for part in parts.get(target[:TARGET_VIA], ())
        ]
        return outcome._replace(targets=outcome.targets + tuple(added)) if added else outcome

    def is_run(self, file: SourceFile, e: int) -> bool:
        """Whether a method of functions runs this expression."""
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
            return member(self.evaluator, file, callee, True)
        values = self.evaluator.eval(file, callee)
        if operation in (SUBSCRIPT, KEYED) and not values:
            return UNKNOWN
        return of_values(self.evaluator, values, "value")

    def named(self, file: SourceFile, e: int, call: bool, as_type: bool = False) -> Outcome:
        """A bare name; `as_type`: if a type and a value have that name, the type."""
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
                        found.append(Target(other, index, via, call and is_callable(self.evaluator, other, index)))
                elif kind == "module" and not call:
                    found.append(Target(other, 0, via, False))
            if operation not in (DEFINITION, IMPORT, IMPORTED):
                variable = variable or call
            elif operation == DEFINITION and call and code[row.value + DEFINED] in file.facts.decorators:
                variable = True
        if variable and found and not any(target.call for target in found):
            beside = file.types(scope, text) or [row for row in rows if code[row.value] == IMPORTED]
            for row in beside:
                found += constructors_among(
                    self.evaluator, modules.of_binding(file, scope, text, row.value, as_type=True), found[0].via
                )
        if variable or (call and not found and not external):
            values = self.evaluator.eval(file, e)
            via = "import" if rows and code[rows[0].value] in (IMPORT, IMPORTED) else "value"
            more = of_values(
                self.evaluator,
                values,
                via if any(value[KIND] != FUNC for value in values) or via == "import" else "value",
            )
            taken = {target[:TARGET_VIA] for target in found}
            found += [target for target in more.targets if target[:TARGET_VIA] not in taken]
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
                        found += targets_of(
                            self.evaluator, modules.of_binding(other, 0, text, row.value), "scope", call
                        )
        ambient = self.evaluator.global_names.bindings(file, text, as_type)
        if ambient is not None:
            other, rows = ambient
            for row in rows:
                found += targets_of(
                    self.evaluator, modules.of_binding(other, 0, text, row.value, as_type=as_type), "scope", call
                )
        external_star = False
        for index in reversed(file.stars) if not found else ():
            files = modules.files(file, index)
            external_star = external_star or files is None
            for path in files or ():
                if modules.is_public(path, text):
                    found += targets_of(self.evaluator, modules.targets(path, text), "import", call)
            if found:
                break
        if found and call and any(not target.call for target in found):
            values = of_values(self.evaluator, self.evaluator.eval(file, e), "value")
            return Outcome(
                tuple(dict.fromkeys([*(target for target in found if target.call), *values.targets])), values.reason
            )
        if found:
            return Outcome(once(found), "")
        if text in file.rules.builtins or external_star or (as_type and self.evaluator.global_names.is_declared(file)):
            return OUTSIDE
        return UNKNOWN
