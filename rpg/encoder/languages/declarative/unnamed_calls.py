"""Calls that the source does not name: operators, indexes, loops, patterns, delegates and resources run members
of their operands.

In: an operand, and the member that the language runs. Out: a call of that member with a site of role RUN, so that
overloads, extensions and results are found as for any other call, and nothing is missing where the operand has no such
member. What a declaration makes is such a call, too, of a constructor.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED, RUN
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_OF_LANGUAGE: Final = frozenset({op.NOTHING, op.LITERAL, op.STRING, op.FUNCTION})
"""Operations whose values have the language's own operators."""
_NAMING_TYPES: Final = frozenset({op.NAME, op.ATTRIBUTE, op.UNION})
MAKING: Final = frozenset({op.INSTANCE, op.ELEMENT, op.UNION})
"""What the callee of a call is that runs a constructor which the source does not name: an object of the type."""


def run_member(walker: DeclarativeWalker, holder: int, name: str, byte: int, *arguments: int) -> int:
    """What `holder.name(arguments)` would be; nothing if it is not known what the holder is."""
    return run_with(walker, holder, name, byte, [word for each in arguments for word in (op.POSITIONAL, each)])


def run_with(walker: DeclarativeWalker, holder: int, name: str, byte: int, row: list[int]) -> int:
    """The same with arguments that may have labels; `row`: pairs as in CALL."""
    if walker.code[holder] in _OF_LANGUAGE:
        return 0
    return run_callee(walker, walker.emit(op.ATTRIBUTE, byte, holder, walker.string(name)), byte, row)


def run_callee(walker: DeclarativeWalker, callee: int, byte: int, row: list[int]) -> int:
    """A call of what a callee means, which the source does not name as such."""
    call = walker.emit(op.CALL, byte, callee, len(row) // 2, *row)
    walker.site(call, RUN)
    return call


def construct(walker: DeclarativeWalker, made: int, byte: int, row: list[int]) -> int:
    """What makes an object of a type without calling it by its name, as a declaration does: a constructor, if the type
    has one. `made`: an expression for such an object."""
    return run_callee(walker, made, byte, row) if walker.code[made] in MAKING else 0


def construct_type(walker: DeclarativeWalker, annotation: int, row: list[int], byte: int = -1) -> int:
    """The same for a written type, at its name unless it is written elsewhere."""
    code = walker.code
    made = code[annotation + op.HOLDER] if code[annotation] == op.SUBSCRIPT else annotation
    if code[made] not in _NAMING_TYPES:
        return 0
    byte = byte if byte >= 0 else code[made + op.BYTE]
    return construct(walker, walker.emit(op.INSTANCE, byte, made), byte, row)


def offer_writer(walker: DeclarativeWalker, read: int, ending: str) -> None:
    """`cart.size += 2` reads a member, and then runs `size=` if there is such a method."""
    code = walker.code
    member = code[read + op.CALLEE] if code[read] == op.CALL else read
    if code[member] == op.ATTRIBUTE:
        name = walker.string(walker.texts[code[member + op.MEMBER]] + ending)
        walker.site(walker.emit(op.ATTRIBUTE, code[member + op.BYTE], code[member + op.HOLDER], name), OFFERED)


def close_resource(walker: DeclarativeWalker, held: int, byte: int, member: str) -> None:
    """What a block closes at its end. Like a call that is written, it is missing where it is not known what is held."""
    if held:
        walker.call(walker.emit(op.ATTRIBUTE, byte, held, walker.string(member)), byte, [])


def close_variable(walker: DeclarativeWalker, name: Node, declared_before: int, member: str) -> None:
    """The same for a variable; `declared_before`: the byte where its declaration ends."""
    held = walker.emit(op.NAME, declared_before, walker.string(walker.text_of(name)), walker.scope)
    walker.named.append(held)
    close_resource(walker, held, name.start_byte, member)
