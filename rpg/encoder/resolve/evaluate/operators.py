"""Results of operators. On objects of the repository, an operator returns what its method returns.

In: an operation. Out: values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CLASS,
    CONTAINER,
    CONTENTS,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_KIND,
    OWN_NAME,
    PRIMITIVE,
    SPELLING,
    SYMBOL,
    TEXT,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.results import Calls
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile


_JOINING: Final = "+"
_MOST_TEXTS: Final = 4
_LONGEST_TEXT: Final = 100
"""Texts that are joined are names of members; longer ones name nothing."""


class Operators:
    def __init__(
        self, evaluator: Context, annotations: Annotations, type_variables: TypeVariables, calls: Calls
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.type_variables = type_variables
        self.calls = calls

    def operation(self, file: SourceFile, e: int) -> Values:
        evaluator = self.evaluator
        code = file.code
        left = evaluator.eval(file, code[e + op.LEFT])
        operator = file.strings[code[e + op.WORD]]
        protocols = file.rules.protocols
        mark = file.rules.types.pointer_mark
        if mark and not code[e + op.RIGHT] and operator in (mark, "&"):
            return convert_pointers(left, mark, operator == mark)
        if operator == protocols.union and any(value[KIND] in (CLASS, BUILTIN) for value in left):
            return union([left, evaluator.eval(file, code[e + op.RIGHT])])
        if operator == _JOINING and left and left[0][KIND] == TEXT and code[e + op.RIGHT]:
            joined = join_texts(left, evaluator.eval(file, code[e + op.RIGHT]))
            if joined:
                return joined
        methods = protocols.operators.get(operator, ())
        found = []
        for value in left:
            if value[KIND] == INST:
                found += [self.calls.method_result(value, method) for method in methods]
            elif value[KIND] in (TEXT, PRIMITIVE):
                found.append(((PRIMITIVE, "str" if value[KIND] == TEXT else value[OWN_NAME]),))
            elif value[KIND] != INST:
                found.append((value,))
        result = union(found)
        reflected = protocols.reflected.get(methods[0], "") if code[e + op.RIGHT] and len(methods) == 1 else ""
        if reflected and not any(value[KIND] == INST for value in left):
            right = evaluator.eval(file, code[e + op.RIGHT])
            return (
                union([self.calls.method_result(value, reflected) for value in right if value[KIND] == INST]) or result
            )
        return result

    def yielded(self, file: SourceFile, e: int) -> Values:
        """The value of `yield`: what is sent, by the generator's declared type; of `yield from g()`, the generator's
        return value."""
        evaluator = self.evaluator
        code = file.code
        call = code[e + op.DELEGATED]
        if not call:
            annotation = file.facts.annotations.get(code[e + op.YIELD_SCOPE], 0)
            declared = self.annotations.typed(file, annotation)
            return union(
                [value[CONTENTS][1] for value in declared if value[KIND] == CONTAINER and len(value[CONTENTS]) > 1]
            )
        declared = evaluator.eval(file, call)
        found = [
            value[CONTENTS][2]
            for value in declared
            if value[KIND] == CONTAINER and value[OWN_NAME] == "list" and len(value[CONTENTS]) > 2
        ]
        if found or code[call] != op.CALL:
            return union(found)
        for callee in evaluator.eval(file, code[call + op.CALLEE]):
            if callee[KIND] == FUNC:
                here = evaluator.files[callee[FILE]]
                scope = here.definitions[callee[SYMBOL]].scope
                if scope in here.facts.yields:
                    found += [evaluator.eval(here, each) for each in here.facts.returns.get(scope, ())]
        return self.type_variables.replace_self(union(found), None)


def join_texts(left: Values, right: Values) -> Values:
    """`"a" + "b"`; nothing if a side may be anything else than one of a few short texts."""
    if not right or len(left) * len(right) > _MOST_TEXTS:
        return ()
    if any(each[KIND] != TEXT or each[LITERAL_KIND] != op.STRING for each in (*left, *right)):
        return ()
    found = tuple((TEXT, a[SPELLING] + b[SPELLING], op.STRING) for a in left for b in right)
    return () if any(len(each[SPELLING]) > _LONGEST_TEXT for each in found) else union([found])


def convert_pointers(values: Values, mark: str, is_followed: bool) -> Values:
    """What pointers point at, or pointers to values; one to an object is used like it. Whether the value behind a
    pointer to a builtin one is constant is not known."""
    if not is_followed:
        return tuple(value for value in values if value[KIND] != PRIMITIVE)
    return tuple((PRIMITIVE, _behind(value[OWN_NAME], mark)) if value[KIND] == PRIMITIVE else value for value in values)


def _behind(name: str, mark: str) -> str:
    name = name.removesuffix(mark)
    return name if name.endswith(mark) else name.removeprefix("const ")
