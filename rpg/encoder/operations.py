"""The representation of expressions: operations, and where their operands are.

Expressions are a flat array of ints, `code`. An expression is an offset `e` into it: its operation, the byte at which
the source names it, then its operands, which are strings (indexes into `strings`), scopes, definitions, numbers or
other expressions. Offset 0 is the expression NOTHING, so that 0 means "none".

Other modules say `from rpg.encoder import operations as op` and read operands by name, `code[e + op.CALLEE]`; an
operand that several operations have has one name. Compiled, the names cost nothing: they are numbers then.
"""

from __future__ import annotations

from typing import Any, Final

# Operations: name, operands. `e` is an expression, `s` a string, `#` a number.
NOTHING: Final = 0  #        not needed for resolution, but evaluated
NAME: Final = 1  #           s name, # scope that binds it; -1: none in this file; -2 - scope: read in a closure
ATTRIBUTE: Final = 2  #      e object, s name: position is the member's
CALL: Final = 3  #           e callee, # n, then n times (s keyword | POSITIONAL | STARRED | DOUBLE_STARRED, e value)
SUBSCRIPT: Final = 4  #      e object, e index
STRING: Final = 5  #         s value
NUMBER: Final = 6  #         s text
LITERAL: Final = 7  #        s name of the builtin type: bool, int, float, bytes, None, ...
LIST: Final = 8  #           # n, e items
TUPLE: Final = 9  #          # n, e items
SET: Final = 10  #           # n, e items
DICTIONARY: Final = 11  #    # n, n times (e key, e value); key 0 is a spread
UNION: Final = 12  #         # n, e any of them: `or`, `and`, conditional expressions
OPERATION: Final = 13  #     s operator, e left, e right (0 for a unary one)
AWAIT: Final = 14  #         e
YIELD: Final = 15  #         e generator that is delegated to (0: none), # scope: the value of the expression itself
FUNCTION: Final = 16  #      # scope: a lambda or nameless callback
COMPREHENSION: Final = 17  # s list | set | dict | generator, e element, e value (of a dictionary, else 0)
ELEMENT: Final = 18  #       e: what iterating over it yields
ENTERED: Final = 19  #       e: what `with e as x` binds
ITEM: Final = 20  #          e, # index: the i-th part of an unpacking; negative counts from the end
DEFINITION: Final = 21  #    # definition
PARAMETER: Final = 22  #     # scope, # index into its parameters
IMPORT: Final = 23  #        # index into imports: the module
IMPORTED: Final = 24  #      # index into imports, s name: a member of that module
NARROWED: Final = 25  #      e value, e class or tuple of classes, # 1: is not one of them
TYPED: Final = 26  #         e annotation, e value (0: none): a value of the annotated type
INSTANCE: Final = 27  #      e class: an instance made without a call (composite literals)
THIS: Final = 28  #          # scope: the receiver of the method whose scope that is
SUPER: Final = 29  #         # scope of the method, e class after which to look (0: the one around the scope)
FUNCTION_TYPE: Final = 30  # e returned type, e tuple of the parameters' types (0: none known): the type of a function
OBJECT: Final = 31  #        # scope: an object literal whose members are that scope's bindings
TYPE_OF: Final = 32  #       e: in an annotation, the type of that value; 0: the class that is expected in this place
CAUGHT: Final = 33  #        e class or tuple of classes: what `except e as x` binds
PATH: Final = 34  #          e object, s name, # scope, s dotted path: an attribute whose path is bound in the scope
TYPE_VARIABLE: Final = 35  # s name, e bound (0: none)
SLICE: Final = 36  #         e start, e stop, e step (0: none each): an index
KEYED: Final = 37  #         e subscript, # scope, s path: a subscript with a constant key, assigned in the scope
LEFT_IN: Final = 38  #       e call, # position of an argument: what the call leaves in it (`out var x`)

OPERANDS: Final[tuple[str, ...]] = (
    "", "s#", "es", "e*se", "ee", "s", "s", "s", "*e", "*e",  # NOTHING to TUPLE
    "*e", "*ee", "*e", "see", "e", "e#", "#", "see", "e", "e",  # SET to ENTERED
    "e#", "#", "##", "#", "#s", "ee#", "ee", "e", "#", "#e",  # ITEM to SUPER
    "ee", "#", "e", "e", "es#s", "se", "eee", "e#s", "e#",  # FUNCTION_TYPE to LEFT_IN
)  # fmt: skip
"""By operation a letter for each operand, as above; `*`: a number, followed by that many repetitions of the rest."""

# Positions of operands, counted from the operation.
BYTE: Final = 1  #            of every operation
WORD: Final = 2  #            s of NAME, STRING, NUMBER, LITERAL, OPERATION, COMPREHENSION, TYPE_VARIABLE
BINDER: Final = 3  #          # of NAME: the scope that binds it, see `closure_scope`
HOLDER: Final = 2  #          e of ATTRIBUTE, PATH, SUBSCRIPT: what the member or index is taken of
MEMBER: Final = 3  #          s of ATTRIBUTE, PATH, IMPORTED
PATH_SCOPE: Final = 4
PATH_WORD: Final = 5  #       s dotted path
INDEX: Final = 3  #           e of SUBSCRIPT
CALLEE: Final = 2
ARGUMENT_COUNT: Final = 3
KEYWORDS: Final = 4  #        of CALL: the first of pairs of keyword and value
ARGUMENTS: Final = 5  #       the first value of these pairs
ITEM_COUNT: Final = 2  #      of LIST, TUPLE, SET, UNION; pairs of a DICTIONARY
ITEMS: Final = 3  #           the first
LEFT: Final = 3  #            of OPERATION
RIGHT: Final = 4
OPERAND: Final = (
    2  #         the expression of AWAIT, ELEMENT, ENTERED, ITEM, NARROWED, INSTANCE, TYPE_OF, CAUGHT, LEFT_IN
)
DELEGATED: Final = 2  #       e of YIELD
YIELD_SCOPE: Final = 3
SCOPE: Final = 2  #           # of FUNCTION, PARAMETER, THIS, SUPER, OBJECT
POSITION: Final = 3  #        # of PARAMETER
AFTER: Final = 3  #           e of SUPER
YIELDED: Final = 3  #         e element of COMPREHENSION
YIELDED_VALUE: Final = 4
PART: Final = 3  #            # of ITEM, LEFT_IN
DEFINED: Final = 2  #         # of DEFINITION
STATEMENT: Final = 2  #       # of IMPORT, IMPORTED: index into imports
GUARD: Final = 3  #           e class or classes of NARROWED
IS_EXCLUDED: Final = 4  #     # of NARROWED
ANNOTATED: Final = 2  #       e annotation of TYPED
TYPED_VALUE: Final = 3  #     e
RETURNED: Final = 2  #        of FUNCTION_TYPE
PARAMETER_TYPES: Final = 3
BOUND: Final = 3  #           e of TYPE_VARIABLE
START: Final = 2  #           of SLICE
STOP: Final = 3
STEP: Final = 4
SUBSCRIPTED: Final = 2  #     e of KEYED
KEYED_SCOPE: Final = 3
KEYED_WORD: Final = 4

POSITIONAL: Final = -1
STARRED: Final = -2
DOUBLE_STARRED: Final = -3

_PLAIN: Final = tuple(2 + len(operands.partition("*")[0]) + ("*" in operands) for operands in OPERANDS)
"""Words of each operation without its repeated part, including the operation and its byte."""
_REPEATED: Final = tuple(len(operands.partition("*")[2]) for operands in OPERANDS)


def length(code: Any, e: int) -> int:
    """Words of an expression."""
    operation: int = code[e]
    words: int = _PLAIN[operation]
    repeated: int = _REPEATED[operation]
    if repeated:
        count: int = code[e + words - 1]
        words += repeated * count
    return words


def items_of(code: Any, e: int) -> Any:
    """The expressions of a LIST, TUPLE, SET or UNION, as a slice of `code`."""
    return code[e + ITEMS : e + ITEMS + code[e + ITEM_COUNT]]


def expected_class(code: Any, e: int) -> int:
    """The class that only the place of an expression names: at the head of `new()`, `.member`, `.member()`; 0: none."""
    head: int = code[e + CALLEE] if code[e] == CALL else e
    head = code[head + HOLDER] if code[head] == ATTRIBUTE else head
    return head if code[head] == TYPE_OF and not code[head + OPERAND] else 0


def find_name_word(code: Any, e: int) -> int:
    """The string that is the name of a NAME, ATTRIBUTE or PATH."""
    word: int = code[e + WORD] if code[e] == NAME else code[e + MEMBER]
    return word


def is_closure(binder: int) -> bool:
    """Whether a NAME is read in a closure of the scope that binds it, and so possibly at any time."""
    return binder < -1


def closure_scope(binder: int) -> int:
    """The scope of such a binder."""
    return -2 - binder


def binding_scope(binder: int) -> int:
    """The scope that binds a NAME, wherever it is read; -1: none in this file."""
    return binder if binder >= -1 else -2 - binder


def closure_binder(scope: int) -> int:
    """And back."""
    return -2 - scope
