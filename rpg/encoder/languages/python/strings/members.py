"""Lowers strings that name something: members by their name alone (`getattr(cart, "total")`), modules and what is in
them by dotted paths (`"shop.cart.Cart"`).

In: a string, and the call that it is an argument of. Out: the member as an expression with its site, at the name in the
string. What a known function is told to look up is a reference like any other; any other dotted string names what it
leads to, if that is there.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import DELETED, KEY, MEMBER, OFFERED, READ, ROLE, SITE_WORDS, WRITE, Import
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.node import Node

_PATH: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,9}(?::[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,3})?", re.ASCII)
"""A dotted path; what is in a module may stand behind a colon."""
_ENTRY: Final = re.compile(
    r"^[ \t]*[\w.-]+[ \t]*=[ \t]*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,9}:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,3})"
    r"[ \t]*(?:\[[\w, \t-]*\][ \t]*)?$",
    re.ASCII | re.MULTILINE,
)
"""A line of entry points: `shop = shop.cli:main`."""
_PART: Final = re.compile(r"\w+")
_MEMBER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_MEMBERS: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)

_BUILTIN: Final = {"getattr": READ, "hasattr": READ, "setattr": WRITE, "delattr": DELETED}
"""Builtin functions of an object and the name of its member -> what they do with it."""
_LOOKING: Final = {
    "getattr_static": READ, "setattr": WRITE, "delattr": DELETED, "__setattr__": WRITE, "__delattr__": DELETED,
    "__getattribute__": READ, "object": WRITE, "spy": WRITE,
}  # fmt: skip
"""The same by the last part of the names of other functions."""
_HOLDERS: Final = {"object": "patch", "spy": "mocker"}
"""Those that only what is called so has."""
_PATCHING: Final = {"patch": WRITE, "setattr": WRITE, "delattr": DELETED, "resolve_name": READ, "import_string": READ}
"""By the same: functions whose first argument is a dotted path -> what they do with what it names."""
_OF_PATCH: Final = frozenset(("spec", "create", "spec_set", "autospec", "new_callable"))
"""Keywords of `patch.multiple` that say how it replaces."""
_UNDER_KEY: Final = frozenset(("get", "pop", "setdefault"))
"""Methods of dictionaries that take a key."""
_GETTERS: Final = frozenset(("attrgetter", "methodcaller"))
"""Functions that make a function which looks up a member of what it is passed."""
_SORTING: Final = frozenset(("sorted", "min", "max", "groupby", "nlargest", "nsmallest", "sort"))
"""Functions that pass the elements of an argument to their `key` -> see `element_of`."""
_MAPPING: Final = frozenset(("map", "filter", "filterfalse", "takewhile", "dropwhile"))
"""Functions that pass the elements of their second argument to the first one."""


def path_in(walker: PythonWalker, text: str, byte: int) -> None:
    """A string that may be a dotted path, or entry points with such paths: its parts are named, if they lead to
    something."""
    if _PATH.fullmatch(text) is not None:
        lower_path(walker, text, byte)
    elif ":" in text and "=" in text:
        for entry in _ENTRY.finditer(text):
            lower_path(walker, entry.group(1), byte + len(text[: entry.start(1)].encode()))


def lower_path(walker: PythonWalker, text: str, byte: int, is_seen: bool = False) -> int:
    """`is_seen`: whether its parts are named already."""
    parts = list(_PART.finditer(text))
    first, second = parts[0].group(), parts[1].group()
    key = f"{first}.{second}"
    value = walker.named_modules.get(key, -1)
    if value < 0:
        walker.imports.append(Import(first, 0, byte, 0, MEMBER, (second,)))
        value = walker.named_modules[key] = walker.emit(op.IMPORT, byte, len(walker.imports) - 1)
    for part in parts[1:]:
        value = walker.emit(op.ATTRIBUTE, byte + part.start(), value, walker.string(part.group()))
        if not is_seen:
            walker.site(value, OFFERED)
    return value


def argument_names(walker: PythonWalker, callee: int, row: list[int], node: Node) -> None:
    """Looks at a string that was lowered last as an argument, the last of `row`."""
    code, texts = walker.code, walker.texts
    if code[callee] not in (op.NAME, op.ATTRIBUTE, op.PATH) or code[row[-1]] != op.STRING:
        return
    name = texts[op.find_name_word(code, callee)]
    if name == "attrgetter":
        lower_getter(walker, name, node)
    elif name in _UNDER_KEY and code[callee] != op.NAME and len(row) == 2:
        key_named(walker, code[callee + op.HOLDER], row[1])
    elif len(row) == 2 and row[0] == op.POSITIONAL:
        if name in _PATCHING:
            path_is_looked_up(walker, _PATCHING[name])
        elif name in _GETTERS:
            lower_getter(walker, name, node)
    elif len(row) == 4 and row[0] == row[2] == op.POSITIONAL:
        role = _BUILTIN.get(name, -1) if code[callee] == op.NAME else _LOOKING.get(name, -1)
        if role < 0 or (name in _HOLDERS and _HOLDERS[name] not in last_of(walker, code[callee + op.HOLDER])):
            return
        text = texts[code[row[3] + op.WORD]]
        if _MEMBER.fullmatch(text) is not None:
            member_of(walker, row[1], text, start_of(walker, node), role)


def replace_members(walker: PythonWalker, callee: int, row: list[int], arguments: Node) -> None:
    """`patch.multiple("shop.cart", total=1)`: the members that keywords name."""
    code = walker.code
    if last_of(walker, callee) != "multiple" or code[callee] == op.NAME or not row or row[0] != op.POSITIONAL:
        return
    if last_of(walker, code[callee + op.HOLDER]) != "patch":
        return
    holder = row[1]
    if code[holder] == op.STRING:
        text = walker.texts[code[holder + op.WORD]]
        byte = code[holder + op.BYTE] + 1
        if _PATH.fullmatch(text) is not None:
            holder = lower_path(walker, text, byte, is_seen=True)
        elif _MEMBER.fullmatch(text) is not None:
            walker.imports.append(Import(text, 0, byte, 0))
            holder = walker.emit(op.IMPORT, byte, len(walker.imports) - 1)
        else:
            return
    for argument in arguments.named_children:
        name = argument.child_by_field_name("name") if argument.type == "keyword_argument" else None
        if name is not None and walker.source_of(name) not in _OF_PATCH:
            member_of(walker, holder, walker.source_of(name), name.start_byte + walker.shift, WRITE)


def member_of(walker: PythonWalker, holder: int, text: str, byte: int, role: int) -> int:
    value = walker.emit(op.ATTRIBUTE, byte, holder, walker.string(text))
    walker.site(value, role)
    return value


def key_named(walker: PythonWalker, holder: int, key: int) -> None:
    """`cart["total"]`: the key may be declared."""
    code = walker.code
    if code[key] == op.STRING and walker.texts[code[key + op.WORD]].isidentifier():
        walker.site(walker.emit(op.SUBSCRIPT, code[key + op.BYTE] + 1, holder, key), KEY)


def lower_declared_keys(walker: PythonWalker, annotation: int, value: int) -> None:
    """`cart: Cart = {"total": 1}`: the keys of a dictionary of a declared type; of each in a list or a dictionary of
    such: `carts: list[Cart] = [{"total": 1}]`."""
    code = walker.code
    index = code[annotation + op.INDEX] if code[annotation] == op.SUBSCRIPT else 0
    if code[value] == op.COMPREHENSION and index and code[index] != op.TUPLE:
        lower_declared_keys(walker, index, code[value + op.YIELDED])
    elif code[value] == op.LIST and index and code[index] != op.TUPLE:
        for item in list(op.items_of(code, value)):
            lower_declared_keys(walker, index, item)
    elif code[value] == op.DICTIONARY:
        pairs = list(code[value + op.ITEMS : value + op.ITEMS + 2 * code[value + op.ITEM_COUNT]])
        if index and code[index] == op.TUPLE and code[index + op.ITEM_COUNT] == 2:
            for each in pairs[1::2]:
                lower_declared_keys(walker, code[index + op.ITEMS + 1], each)
            return
        made = walker.emit(op.INSTANCE, code[value + op.BYTE], annotation)
        for key in pairs[::2]:
            key_named(walker, made, key)


def store_member(walker: PythonWalker, callee: int, row: list[int]) -> None:
    """`setattr(cart, "total", 1)` stores what an assignment would."""
    code = walker.code
    name = walker.texts[op.find_name_word(code, callee)]
    is_store = (name == "setattr" and code[callee] == op.NAME) or (name == "__setattr__" and code[callee] != op.NAME)
    if not is_store or len(row) != 6 or code[row[3]] != op.STRING or not row[5]:
        return
    member, holder = walker.texts[code[row[3] + op.WORD]], row[1]
    if code[holder] == op.NAME:
        for receiver, owner in reversed(walker.receivers):
            if receiver == walker.texts[code[holder + op.WORD]]:
                walker.fields.setdefault(owner, []).append((member, row[5]))
                return
    walker.members.append((holder, member, row[5]))


def last_of(walker: PythonWalker, e: int) -> str:
    """The last part of a dotted name; else empty."""
    return walker.texts[op.find_name_word(walker.code, e)] if walker.code[e] in (op.NAME, op.ATTRIBUTE, op.PATH) else ""


def start_of(walker: PythonWalker, node: Node) -> int:
    """Where the text of a string begins."""
    return node.named_children[1].start_byte + walker.shift


def path_is_looked_up(walker: PythonWalker, role: int) -> None:
    """What the last string names as a path is not only offered: it has to be there."""
    if walker.sites and walker.sites[ROLE - SITE_WORDS] == OFFERED:
        walker.sites[ROLE - SITE_WORDS] = role


def lower_getter(walker: PythonWalker, name: str, node: Node) -> None:
    """`attrgetter("size")`: a member of something that is not known here; see `pass_to_getters`."""
    text = walker.source_of(node.named_children[1])
    if (_MEMBER if name == "methodcaller" else _MEMBERS).fullmatch(text) is None:
        return
    if name == "methodcaller":
        callee = walker.emit(op.ATTRIBUTE, start_of(walker, node), 0, walker.string(text))
        walker.call(callee, start_of(walker, node), [])
        walker.getters.append(callee)
        return
    value = 0
    for part in _PART.finditer(text):
        value = member_of(walker, value, part.group(), start_of(walker, node) + part.start(), READ)
        if part.start() == 0:
            walker.getters.append(value)


def pass_to_getters(walker: PythonWalker, callee: int, row: list[int], first: int) -> None:
    """A call with getters among its arguments, `walker.getters[first:]`, or of one: what they are passed, if the
    function is known to pass it."""
    code, getters = walker.code, walker.getters
    name = last_of(walker, callee)
    if name in _GETTERS:
        return
    holder = 0
    if name in _SORTING:
        if name == "sort" and code[callee] != op.NAME:
            holder = element_of(walker, code[callee + op.HOLDER])
        elif name in ("min", "max") and len(row) > 3 and row[2] == op.POSITIONAL:
            holder = row[1]
        else:
            listed = row[3] if name in ("nlargest", "nsmallest") and len(row) > 3 else row[1] if row else 0
            holder = element_of(walker, listed)
    elif name in _MAPPING and len(row) > 3:
        holder = element_of(walker, row[3])
    elif (
        code[callee] == op.CALL
        and row
        and row[0] == op.POSITIONAL
        and last_of(walker, code[callee + op.HOLDER]) in _GETTERS
    ):
        holder = row[1]
    for getter in getters[first:] if holder else ():
        code[getter + op.HOLDER] = holder
    del getters[first:]


def element_of(walker: PythonWalker, e: int) -> int:
    return walker.emit(op.ELEMENT, walker.code[e + op.BYTE], e) if e else 0
