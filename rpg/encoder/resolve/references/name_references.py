"""What a bare name refers to: the symbols that its bindings stand for, in its file, its package or globally.

In: one site, as far as an evaluator knows now. Out: its outcome. Members are in member_references.py, guesses by name
alone in name_fallback.py.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED_BY_NAME, CONSTANT, TAG, Binding, strip_marks
from rpg.encoder.resolve.evaluate import Evaluator, View
from rpg.encoder.resolve.program.source_file import TOO_MANY_OVERLOADS, SourceFile
from rpg.encoder.resolve.references.outcomes import (
    NOTHING_TO_FIND,
    OUTSIDE,
    TARGET_VIA,
    UNKNOWN,
    Outcome,
    Target,
    constructors_among,
    is_callable,
    once,
    protocol_targets,
    resolve_values,
    targets_of,
)
from rpg.graph import CLASS_KINDS

_HOLDERS: Final = frozenset(("constant", "field", "type"))
"""Kinds of symbols that may hold what is called."""


def resolve_name(
    evaluator: Evaluator, file: SourceFile, e: int, call: bool, as_type: bool = False, is_spaced: bool = False
) -> Outcome:
    """A bare name; `as_type`: if a type and a value have that name, the type; `is_spaced`: a namespace precedes it."""
    name = _Name(evaluator, file, e, call, as_type, is_spaced)
    return name.unbound() if file.code[e + op.BINDER] == -1 else name.bound()


def unbound(evaluator: Evaluator, file: SourceFile, e: int) -> Outcome:
    """A type's name, as if nothing in the file bound it."""
    return _Name(evaluator, file, e, False, True).unbound()


def builtin(evaluator: Evaluator, file: SourceFile, callee: int, e: int) -> Outcome:
    """`len(x)` and the like run a method of their argument."""
    code = file.code
    protocols = file.rules.protocols
    name = protocols.functions.get(file.strings[code[callee + op.WORD]])
    if name is None or code[callee + op.BINDER] != -1 or not code[e + op.ARGUMENT_COUNT]:
        return OUTSIDE
    argument = evaluator.eval(file, code[e + op.ARGUMENTS])
    found = protocol_targets(evaluator, protocols, argument, name, False)
    return Outcome(once(found), "") if found else OUTSIDE


class _Name:
    """One site while its targets are collected."""

    def __init__(
        self, evaluator: Evaluator, file: SourceFile, e: int, call: bool, as_type: bool, is_spaced: bool = False
    ) -> None:
        self.evaluator = evaluator
        self.modules = evaluator.modules
        self.file = file
        self.e = e
        self.text = file.strings[file.code[e + op.WORD]]
        self.call = call
        self.as_type = as_type
        self.is_spaced = is_spaced
        self.found: list[Target] = []
        self.is_external = False
        """Whether a binding leads out of the repository."""
        self.is_directory = False
        """Whether a binding is a folder that is not a module."""
        self.is_variable = False
        """Whether a variable holds what is called, so that its values tell more than its bindings."""

    # Names that are bound in their file

    def bound(self) -> Outcome:
        code = self.file.code
        scope, rows = self.visible()
        if not rows and scope >= 0 and self.file.has_too_many_overloads(scope, self.text):
            self.evaluator.limit(self.file, TOO_MANY_OVERLOADS)
            return Outcome((), "ambiguous")
        for row in rows:
            self.add(scope, row)
        if self.is_variable and self.found and not self.has_call():
            self.add_constructors(scope, rows)
        if self.is_variable or (self.call and not self.found and not self.is_external):
            values = self.add_values(rows)
            if not self.found or (self.call and not values.targets and not self.has_call()):
                return values._replace(targets=once(self.found))
        if self.found:
            return Outcome(once(self.found), "")
        if self.is_external:
            return OUTSIDE
        if self.call:
            return UNKNOWN
        if self.is_directory:
            return NOTHING_TO_FIND
        is_local = rows and all(code[row.value] not in (op.IMPORT, op.IMPORTED) for row in rows)
        return NOTHING_TO_FIND if is_local else UNKNOWN

    def visible(self) -> tuple[int, list[Binding]]:
        """The scope that binds the name, and its bindings that may hold at the site."""
        code, e = self.file.code, self.e
        binder = code[e + op.BINDER]
        scope = op.binding_scope(binder)
        rows = self.file.types(scope, self.text) if self.as_type else []
        return (scope, rows) if rows else self.file.visible(scope, self.text, code[e + op.BYTE], binder >= 0)

    def add(self, scope: int, row: Binding) -> None:
        """What one binding stands for."""
        code, call = self.file.code, self.call
        operation = code[row.value]
        via = "import" if operation in (op.IMPORT, op.IMPORTED) else "scope"
        for kind, other, index in self.modules.find_bound_values(
            self.file, scope, self.text, row.value, as_type=self.as_type
        ):
            if kind == "external":
                self.is_external = True
            elif kind == "directory":
                self.is_directory = True
            elif kind == "definition":
                if (
                    call
                    and self.file.rules.types_of_one_name == "spaces"
                    and self.evaluator.files[other].is_namespace(index)
                ):
                    continue  # what has its name is called
                holds_another = call and self.evaluator.program.definition(other, index).kind in _HOLDERS
                self.is_variable = self.is_variable or holds_another
                is_named = not CALLED_BY_NAME.isdisjoint(self.evaluator.program.definition(other, index).flags)
                is_call = (call or is_named) and not holds_another and is_callable(self.evaluator, other, index)
                self.found.append(Target(other, index, via, is_call))
            elif kind == "module" and not call:
                self.found.append(Target(other, 0, via, False))
        if call and (
            operation not in (op.DEFINITION, op.IMPORT, op.IMPORTED)
            or (operation == op.DEFINITION and code[row.value + op.DEFINED] in self.file.facts.decorators)
        ):
            self.is_variable = True

    def add_constructors(self, scope: int, rows: list[Binding]) -> None:
        """The targets of a call of a type that shares its name with a variable."""
        code = self.file.code
        types = self.file.types(scope, self.text) or [row for row in rows if code[row.value] == op.IMPORTED]
        for row in types:
            targets = self.modules.find_bound_values(self.file, scope, self.text, row.value, as_type=True)
            self.found += constructors_among(self.evaluator, targets, self.found[0].via)

    def add_values(self, rows: list[Binding]) -> Outcome:
        """Adds what the values of a variable stand for beyond its bindings. Returns all of it."""
        via = "import" if rows and self.file.code[rows[0].value] in (op.IMPORT, op.IMPORTED) else "value"
        values = resolve_values(self.evaluator, self.evaluator.eval(self.file, self.e), via)
        known = {target[:TARGET_VIA] for target in self.found}
        self.found += [target for target in values.targets if target[:TARGET_VIA] not in known]
        return values

    def has_call(self) -> bool:
        return any(target.call for target in self.found)

    # Names that nothing in their file binds

    def unbound(self) -> Outcome:
        """A name of the package, of all files, of a star import, of the language."""
        self.add_of_package()
        if self.file.rules.has_packages:
            self.add_of_declared_package()
            if not self.found and not self.call:
                self.add_constant()
        self.add_of_all_files()
        if not self.found and self.text.endswith(TAG):
            self.add_type_definition()
        if not self.found and self.file.rules.inherits_types:
            self.add_inherited_type()
        is_open = not self.found and self.add_of_stars()
        if self.found and self.call and any(not target.call for target in self.found):
            values = resolve_values(self.evaluator, self.evaluator.eval(self.file, self.e), "value")
            known = {target[:TARGET_VIA] for target in self.found}
            self.found += [target for target in values.targets if target[:TARGET_VIA] not in known]
        if self.found:
            return Outcome(once(self.found), "")
        rules = self.file.rules
        text = strip_marks(self.text)
        is_outside = self.is_external or text in rules.builtins or is_open or rules.unknown_is_outside
        is_outside = is_outside or rules.is_in_headers(text)
        is_outside = is_outside or self.evaluator.package_names.is_outside(self.file, self.text)
        if is_outside or (self.as_type and self.evaluator.global_names.is_declared(self.file)):
            return OUTSIDE
        return UNKNOWN

    def add_of_package(self) -> None:
        file = self.file
        if not file.rules.shares_package_scope:
            return
        for other in self.evaluator.program.files_sharing_scope(file):
            if other is not file and other.facts.package == file.facts.package:
                for row in other.rows(0, self.text):
                    targets = self.modules.find_bound_values(other, 0, self.text, row.value)
                    self.found += targets_of(self.evaluator, targets, "scope", self.call)

    def add_of_declared_package(self) -> None:
        found: list[Target] = []
        package_names = self.evaluator.package_names
        declaring = package_names.declaring(self.file, self.text)
        via = "fan-out" if package_names.are_rivals(declaring, self.text) else "scope"
        for other in declaring:
            for row in other.rows(0, self.text):
                targets = self.modules.find_bound_values(other, 0, self.text, row.value, as_type=self.as_type)
                found += targets_of(self.evaluator, targets, via, self.call)
        if found and self.file.rules.owners == "spaces" and not self.is_spaced:
            definition_of = self.evaluator.program.definition
            names = [definition_of(each.file, each.definition).qualified_name for each in found]
            seen = View(self.file, self.file.code[self.e + op.BYTE]).nearest(names)
            found = [each for each, is_seen in zip(found, seen, strict=True) if is_seen]
        self.found += found

    def add_constant(self) -> None:
        """A constant of a namespace around, which another part of it declares, or of a base."""
        held = self.text + CONSTANT
        found = [
            target
            for other in self.evaluator.package_names.holding(self.file, self.text)
            for row in other.rows(0, held)
            for target in targets_of(
                self.evaluator, self.modules.find_bound_values(other, 0, held, row.value), "scope", self.call
            )
        ]
        if found and not self.is_spaced:
            definition_of = self.evaluator.program.definition
            names = [definition_of(each.file, each.definition).qualified_name for each in found]
            seen = View(self.file, self.file.code[self.e + op.BYTE]).nearest(names)
            found = [each for each, is_seen in zip(found, seen, strict=True) if is_seen]
        self.found += found

    def add_type_definition(self) -> None:
        """`struct x`, of which nothing is known but that `typedef` or a macro gives the name: no function or variable
        is meant."""
        self.text = strip_marks(self.text)
        self.found += [Target(self.file.index, each, "scope", False) for each in self.file.children(0, self.text)]
        if not self.found:
            self.add_of_declared_package()
        definition_of = self.evaluator.program.definition
        self.found = [
            each
            for each in self.found
            if (definition := definition_of(each.file, each.definition)).kind in CLASS_KINDS
            or definition.signature.startswith("#")
        ]

    def add_inherited_type(self) -> None:
        found = self.evaluator.inherited_types.find(self.file, self.text, self.file.code[self.e + op.BYTE])
        if found is not None:
            self.found.append(Target(*found, "inherited", self.call and is_callable(self.evaluator, *found)))

    def add_of_all_files(self) -> None:
        ambient = self.evaluator.global_names.bindings(self.file, self.text, self.as_type)
        if ambient is None:
            self.add_of_offers()
            return
        other, rows = ambient
        for row in rows:
            targets = self.modules.find_bound_values(other, 0, self.text, row.value, as_type=self.as_type)
            self.is_external = self.is_external or any(kind == "external" for kind, _, _ in targets)
            self.found += targets_of(self.evaluator, targets, "scope", self.call)

    def add_of_offers(self) -> None:
        for path, member in self.evaluator.global_names.offered(self.file, self.text):
            targets = self.modules.targets(path, member, None, self.as_type)
            self.is_external = self.is_external or any(kind == "external" for kind, _, _ in targets)
            self.found += targets_of(self.evaluator, targets, "scope", self.call)

    def add_of_stars(self) -> bool:
        """What star imports bring, the last one first. Whether one of them leads out of the repository."""
        is_open = False
        for index in reversed(self.file.stars):
            files = self.modules.files(self.file, index)
            is_open = is_open or files is None
            if self.file.rules.stars_are_packages:
                continue
            for path in files or ():
                if self.modules.is_public(path, self.text):
                    targets = self.modules.targets(path, self.text)
                    self.found += targets_of(self.evaluator, targets, "import", self.call)
            if self.found:
                break
        return is_open
