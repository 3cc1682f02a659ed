"""Ruby's kinds of nodes. A bare name that is not a variable is a call of a method.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    BASE,
    CONSTANT,
    CREATED,
    MIXIN,
    PARTIAL,
    READ,
    SHORTENED,
    SITE_WORDS,
    WRITE,
    FileFacts,
    Import,
)
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import arguments_of, branch, lower_repeated
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.ruby.arguments import block_of, constant_named
from rpg.encoder.languages.declarative.ruby.blocks import block as element_block
from rpg.encoder.languages.declarative.ruby.blocks import call_on_each, passes_elements
from rpg.encoder.languages.declarative.ruby.class_macros import BODIES, HELPER, MACROS, define_alias, offer_helper
from rpg.encoder.languages.declarative.ruby.named_members import NONE, lower_named_member, names_class
from rpg.encoder.languages.declarative.ruby.operators import HANDLERS as OPERATORS
from rpg.encoder.languages.declarative.ruby.operators import assign_index, run_each
from rpg.encoder.languages.declarative.ruby.queries import attributes, has_attributes
from rpg.encoder.languages.declarative.ruby.routes import Around, has_routes, routes, routes_in
from rpg.encoder.languages.declarative.ruby.rules import Rules
from rpg.encoder.languages.declarative.ruby.schema import is_of_database, is_schema, table
from rpg.encoder.languages.declarative.ruby.specs import NO_MEANING, is_described, lower_spec_call
from rpg.encoder.languages.declarative.ruby.templates import controller_of, has_helpers, is_view, render
from rpg.encoder.languages.declarative.ruby.tested_classes import case, note_asked_class
from rpg.encoder.languages.declarative.spec import Form, Slot, Spec
from rpg.encoder.languages.declarative.tested_types import choice, guarded
from rpg.encoder.languages.declarative.variables import field
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Handlers

_METHOD_NAME: Final = re.compile(r"[a-z_]\w*[?!=]?")
_METHOD: Final = Form("function", inside="method", generics=())
_CLASS: Final = Form("class", bases=("superclass",), generics=())
_MODULE: Final = Form("class", generics=())
_JOBS: Final = re.compile(r"perform_(?:later|now|async|inline|in|at)")
_OF_LANGUAGE: Final = Rules.builtins
_OF_CHOICES: Final = frozenset(("as", "dependent", "format", "on", "status", "via"))
"""Options whose symbols are one of several words, and no names."""
_SETTING_CONSTANTS: Final = frozenset({"const_set", "stub_const"})
_MIXINS: Final = frozenset({"include", "extend", "prepend"})


def constant(walker: DeclarativeWalker, node: Node) -> int:
    """A constant of a class around, also in its methods; else a type."""
    text, scope = walker.text_of(node), walker.scope
    while scope > 0:
        here = walker.scopes[scope]
        if here.kind == "class" and text in walker.bound[scope]:
            return walker.name_in(scope, node, READ)
        scope = here.parent
    return walker.type_name(node, READ)


def symbol(walker: DeclarativeWalker, node: Node) -> int:
    """`:name` is the name of a method: of the class that is being defined, else of any. In routes and migrations it is
    none."""
    if has_routes(walker.path) or is_of_database(walker.path):
        return walker.literal("Symbol", node.start_byte)
    text = walker.source_of(node)
    start = node.start_byte + text.startswith(":")
    text = text.removeprefix(":")
    if _METHOD_NAME.fullmatch(text):
        holder = 0
        if walker.class_scope >= 0 and walker.scope == walker.class_scope:
            holder = walker.emit(op.THIS, start, walker.class_scope)
        walker.site(walker.emit(op.ATTRIBUTE, start, holder, walker.string(text)), READ)
    return walker.literal("Symbol", node.start_byte)


def pair(walker: DeclarativeWalker, node: Node) -> int:
    """`on: :create` names no method; `total:` without a value is `total: total`."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if value is None and key is not None and _METHOD_NAME.fullmatch(walker.source_of(key)):
        return identifier(walker, key)
    if key is None or value is None or walker.source_of(key).strip(":") not in _OF_CHOICES:
        return walker.through(node)
    return 0 if value.type in ("simple_symbol", "array") else walker.walk(value)


def keyword_pattern(walker: DeclarativeWalker, node: Node) -> int:
    """`in { total: }` binds a variable."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if value is not None:
        return walker.walk(value)
    if key is not None:
        walker.bind(walker.source_of(key), 0, node.end_byte)
    return 0


def scope_resolution(walker: DeclarativeWalker, node: Node) -> int:
    """`A::B`: B in A, or B wherever it is if A is only a name before it."""
    scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
    if name is None:
        return 0
    if scope is None:
        return walker.type_name(name, READ)
    holder = walker.walk(scope)
    free = walker.variable(walker.word_of(name), name.start_byte)
    both = walker.emit(op.UNION, name.start_byte, 2, holder, free) if holder else free
    return walker.member(both, name) if holder else free


def identifier(walker: DeclarativeWalker, node: Node) -> int:
    """A variable, or a call without arguments."""
    text = walker.text_of(node)
    if text == "end":  # what is damaged: it closes a block, and names nothing
        return 0
    if walker.scope_of(text) > 0:
        return walker.identifier(node)
    callee = walker.value_name(node, READ, True)
    walker.drop_site(callee)
    return walker.call(callee, node.start_byte, [])


def instance_variable(walker: DeclarativeWalker, node: Node) -> int:
    """It has no site: it is no symbol. In a template it is the controller's."""
    start = node.start_byte
    if walker.class_scope >= 0:
        return walker.emit(op.ATTRIBUTE, start, walker.this_object(node), walker.word_of(node))
    controller = controller_of(walker.path)
    if not controller:
        return 0
    holder = walker.emit(op.INSTANCE, start, constant_named(walker, controller, start))
    return walker.emit(op.ATTRIBUTE, start, holder, walker.word_of(node))


def call(walker: DeclarativeWalker, node: Node) -> int:
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    arguments, block = node.child_by_field_name("arguments"), node.child_by_field_name("block")
    if method is None:
        return call_object(walker, node, receiver, arguments)
    text = walker.source_of(method)
    value = lower_spec_call(walker, text, node, receiver, arguments)
    if value != NO_MEANING:
        return value
    if receiver is None and special(walker, text, node, arguments):
        return 0
    if text in _SETTING_CONSTANTS and arguments is not None and arguments.named_child_count:
        offer_set(walker, arguments.named_children[0])
    if text == "render" and receiver is None:
        render(walker, arguments)
    value = lower_named_member(walker, text, receiver, arguments)
    if value != NONE:
        if block is not None:
            walker.walk(block)
        return value
    if text == "draw" and block is not None and has_routes(walker.path):
        routes_in(walker, block, Around())
        return 0
    holder = walker.walk(receiver) if receiver is not None else 0
    first = len(walker.sites)
    if receiver is not None and text == "new" and is_class(walker, receiver):
        byte = walker.code[holder + op.BYTE]
        walker.drop_site(holder)
        row = arguments_of(walker, arguments) if arguments is not None else []
        value = walker.call(holder, byte, row)
        walker.sites += (value, CREATED, walker.definition)
    else:
        if method.type == "super":
            callee = find_super_method(walker, method)
        elif receiver is not None:
            callee = walker.member(holder, method)
            if _JOBS.fullmatch(text) and is_job(walker, receiver):
                walker.code[callee + op.MEMBER] = walker.string("perform")
        elif walker.scope_of(text) > 0:
            callee = walker.identifier(method)
        else:
            callee = walker.value_name(method, READ, True)
        if len(walker.sites) > first:
            walker.drop_site(callee)
        row = row_of(walker, text, node, arguments, holder) if arguments is not None else []
        value = walker.call(callee, method.start_byte, row)
        if holder:
            run_each(walker, text, holder, method.start_byte)
            note_asked_class(walker, node, value)
    if block is not None:
        if holder and passes_elements(text):
            element_block(walker, block, holder)
        else:
            walker.walk(block)
    return value


def call_object(walker: DeclarativeWalker, node: Node, receiver: Node | None, arguments: Node | None) -> int:
    """`cart.(1)` runs `call`."""
    if receiver is None:
        return walker.through(node)
    holder, byte = walker.walk(receiver), receiver.end_byte
    row = arguments_of(walker, arguments) if arguments is not None else []
    return walker.call(walker.emit(op.ATTRIBUTE, byte, holder, walker.string("call")), byte, row)


def is_class(walker: DeclarativeWalker, node: Node) -> bool:
    """Whether a node names a class."""
    return node.type in ("constant", "scope_resolution") or is_described(walker, node) or names_class(walker, node)


def row_of(walker: DeclarativeWalker, text: str, node: Node, arguments: Node, holder: int) -> list[int]:
    """The arguments of a call."""
    asked = 0
    if has_attributes(text):
        asked = holder or (walker.this_object(node) if node.child_by_field_name("receiver") is None else 0)
    if asked:
        return attributes(walker, text, asked, arguments)
    parts = arguments.named_children
    if holder and len(parts) == 1 and parts[0].type == "block_argument" and passes_elements(text):
        inner = parts[0].named_children
        name = walker.source_of(inner[0])[1:] if inner and inner[0].type == "simple_symbol" else ""
        if _METHOD_NAME.fullmatch(name):
            call_on_each(walker, inner[0], name, holder)
            return []
    return arguments_of(walker, arguments)


def is_job(walker: DeclarativeWalker, node: Node) -> bool:
    """Whether it is a constant, `Job`, or `Job.set(...)`: what runs later is the method `perform` of the class."""
    method = node.child_by_field_name("method") if node.type == "call" else None
    inner = node.child_by_field_name("receiver")
    if method is not None and inner is not None and walker.source_of(method) == "set":
        node = inner
    return node.type in ("constant", "scope_resolution")


def find_super_method(walker: DeclarativeWalker, node: Node) -> int:
    """The method of that name in the bases."""
    name = walker.definitions[walker.definition].name
    if walker.class_scope < 0:
        return 0
    parent = walker.emit(op.SUPER, node.start_byte, walker.class_scope, 0)
    return walker.emit(op.ATTRIBUTE, node.start_byte, parent, walker.string(name))


def super_call(walker: DeclarativeWalker, node: Node) -> int:
    callee = find_super_method(walker, node)
    return walker.call(callee, node.start_byte, []) if callee else 0


def special(walker: DeclarativeWalker, text: str, node: Node, arguments: Node | None) -> bool:
    """Calls that declare something."""
    if text in BODIES and walker.scope == walker.class_scope:
        block = block_of(node)
        body = block.child_by_field_name("body") if block is not None else None
        if body is not None:
            lower = lower_singleton_class if text == "class_methods" else last_of
            lower(walker, body)
            return True
    if arguments is None:
        return False
    parts = arguments.named_children
    if text in ("require", "require_relative") and parts and parts[0].type == "string":
        inner = parts[0].named_children
        if inner:
            start = inner[0].start_byte
            walker.imports.append(Import(walker.source_of(inner[0]), int(text != "require"), start, 0, "side-effect"))
        return True
    if text in ("change_table", "create_table") and is_of_database(walker.path):
        if is_schema(walker.path):
            table(walker, node, arguments)
        return True
    if walker.scope != walker.class_scope:
        return False
    macro = MACROS.get(text)
    if macro is not None:
        macro(walker, node, arguments)
        return True
    if text in _MIXINS:
        index = walker.scopes[walker.class_scope].definition
        for each in parts:
            first = len(walker.sites)
            base = walker.walk(each)
            if base:
                walker.set_role_in_type(base, first, BASE)
                walker.bases.setdefault(index, []).append(("", base))
                walker.deriving.add(walker.class_scope)
        return True
    return False


def assignment(walker: DeclarativeWalker, node: Node) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = walker.walk(right) if right is not None else 0
    kind = left.type if left is not None else ""
    if left is None:
        return value
    if kind == "identifier":
        walker.bind(walker.text_of(left), value, node.end_byte)
    elif kind == "instance_variable":
        if walker.class_scope >= 0 and value:
            index = walker.scopes[walker.class_scope].definition
            walker.fields.setdefault(index, []).append((walker.text_of(left), value))
    elif kind == "constant" and walker.scopes[walker.scope].kind in ("class", "module"):
        offer_constant(walker, left, field(walker, left, node, 0, value, "constant"))
    elif kind == "call" and left.child_by_field_name("receiver") is not None:
        holder, method = walker.field(left, "receiver"), left.child_by_field_name("method")
        if method is not None:
            walker.member(holder, method, WRITE)
    elif kind == "left_assignment_list":
        for each in left.named_children:
            if each.type == "identifier":
                walker.bind(walker.text_of(each), 0, node.end_byte)
    elif kind == "element_reference":
        assign_index(walker, left, value)
    else:
        walker.walk(left)
    return value


def offer_constant(walker: DeclarativeWalker, name: Node, index: int) -> None:
    """Other files that open the module around see its constants, as they see its classes."""
    if walker.scope > 0:
        text = walker.text_of(name) + CONSTANT
        around, walker.block = walker.block, 0
        walker.bind(text, walker.definition_value(index), 0, "", 0)
        walker.block = around
        walker.offered[text] = None


def offer_set(walker: DeclarativeWalker, name: Node) -> None:
    """`stub_const("Cart", ...)`: no library has the constant."""
    last = walker.source_of(name).strip("\"':").rpartition("::")[2]
    if last.isidentifier():
        walker.offered[last + SHORTENED] = None


def method(walker: DeclarativeWalker, node: Node) -> int:
    name = walker.name_node(node)
    if name is None:
        return walker.through(node)
    define(walker, node, _METHOD, name)
    return 0


def class_or_module(walker: DeclarativeWalker, node: Node) -> int:
    """`class A::B` defines B in A."""
    name = walker.name_node(node)
    if name is None:
        return walker.through(node)
    scope = name.child_by_field_name("scope") if name.type == "scope_resolution" else None
    inner = name.child_by_field_name("name") if name.type == "scope_resolution" else name
    if scope is not None:
        walker.walk(scope)
    space = ".".join(walker.source_of(scope).split("::")).strip(".") if scope is not None else ""
    index = define(walker, node, _CLASS if node.type == "class" else _MODULE, inner or name, space=space)
    flags = (PARTIAL, MIXIN) if node.type == "module" else (PARTIAL,)
    walker.definitions[index].flags = (*walker.definitions[index].flags, *flags)
    return 0


def lower_singleton_class(walker: DeclarativeWalker, node: Node) -> int:
    """`class << self`"""
    around, walker.is_of_type = walker.is_of_type, True
    walker.through(node)
    walker.is_of_type = around
    return 0


def alias(walker: DeclarativeWalker, node: Node) -> int:
    """`alias new old`"""
    if walker.scope == walker.class_scope:
        define_alias(walker, node, node.child_by_field_name("name"), node.child_by_field_name("alias"))
    return 0


def last_of(walker: DeclarativeWalker, node: Node) -> int:
    value = 0
    for child in node.named_children:
        value = walker.walk(child)
    return value


SPEC: Final[Spec] = Spec(
    definitions={
        "class": _CLASS,
        "module": _MODULE,
        "method": _METHOD,
        "singleton_method": _METHOD,
    },
    parameters={
        "optional_parameter": Slot(default=("value",)),
        "keyword_parameter": Slot(default=("value",)),
        "splat_parameter": Slot(is_list=True),
        "hash_splat_parameter": Slot(),
        "block_parameter": Slot(),
    },
    names=frozenset({"identifier", "constant"}),
    alternatives={"conditional": ("consequence", "alternative")},
    wrappers=frozenset({"parenthesized_statements"}),
    literals={"string": "String", "integer": "Integer", "float": "Float", "simple_symbol": "Symbol", "true": "bool",
              "false": "bool"},
    this=frozenset({"self"}),
    lambdas={"block": ("parameters",), "do_block": ("parameters",), "lambda": ("parameters",)},
    returns=frozenset({"return"}),
    blocks_have_values=True,
    skipped=frozenset({"undef"}),
    handlers={
        **OPERATORS,
        "constant": constant,
        "simple_symbol": symbol,
        "bare_symbol": symbol,
        "pair": pair,
        "keyword_pattern": keyword_pattern,
        "scope_resolution": scope_resolution,
        "identifier": identifier,
        "instance_variable": instance_variable,
        "call": call,
        "super": super_call,
        "assignment": assignment,
        "method": method,
        "singleton_method": method,
        "class": class_or_module,
        "module": class_or_module,
        "singleton_class": lower_singleton_class,
        "alias": alias,
        "body_statement": last_of,
        "block_body": last_of,
        "if": guarded,
        "unless": guarded,
        "elsif": guarded,
        "else": branch,
        "when": branch,
        "case": case,
        "while": lower_repeated,
        "until": lower_repeated,
        "if_modifier": guarded,
        "unless_modifier": guarded,
        "conditional": choice,
    },
    base_kinds=frozenset({"constant", "scope_resolution"}),
    modifiers={"self": "static"},
    implicit_members=True,
    member_groups=frozenset({"argument_list", "call"}),
    capitalised_types=True,
    offers_nested=True,
    is_global=True,
)  # fmt: skip


class Lowering(DeclarativeLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.joins_overloads = False
        self.offers_helpers = has_helpers(path)
        self.sees_helpers = self.offers_helpers or is_view(path)

    def value_name(self, node: Node, role: int = READ, call: bool = False) -> int:
        """In a template, a name that nothing there binds is a method of a helper; in a module, perhaps of a class that
        includes it."""
        is_open = call and not self.sees_helpers and self.is_in_module() and self.text_of(node) not in _OF_LANGUAGE
        if is_open:
            self.deriving.add(self.class_scope)
        value = super().value_name(node, role, call)
        if is_open:
            self.deriving.discard(self.class_scope)
        if not (self.sees_helpers and call) or self.code[value] != op.NAME:
            return value
        text = self.text_of(node)
        if text in self.bound[0] or text in _OF_LANGUAGE:
            return value
        start = node.start_byte
        holder = self.variable(self.string(HELPER.format(text)), start)
        member = self.emit(op.ATTRIBUTE, start, holder, self.word_of(node))
        self.sites[-SITE_WORDS] = member
        return member

    def is_in_module(self) -> bool:
        """Whether the innermost type is a module that includes no other."""
        scope = self.class_scope
        if scope < 0 or scope in self.deriving:
            return False
        return self.definitions[self.scopes[scope].definition].signature.startswith("module ")

    def words_before(self, start: int, name: int) -> frozenset[str]:
        words = super().words_before(start, name)
        return words | {"self"} if self.is_of_type and self.scope == self.class_scope else words

    def this_object(self, node: Node) -> int:
        """In a method of the class itself, the class."""
        here = self.definitions[self.definition]
        if self.class_scope >= 0 and "static" in here.modifiers and here.scope >= 0:
            return self.emit(op.THIS, node.start_byte, here.scope)
        return super().this_object(node)

    def member_of(self, scopes: list[int], node: Node, role: int, may_be_free: bool) -> int:
        here = self.definitions[self.definition]
        if "static" in here.modifiers and here.scope >= 0:
            scopes = [here.scope if each == self.class_scope else each for each in scopes]
        return super().member_of(scopes, node, role, may_be_free)

    def finish(self) -> FileFacts:
        if self.offers_helpers:
            for each in list(self.definitions):
                if each.kind == "method" and self.definitions[each.parent].kind == "class":
                    offer_helper(self, each.name, each.parent)
        return super().finish()

    def walk_top(self, root: Node) -> None:
        if has_routes(self.path) and not self.path.endswith("config/routes.rb"):
            for child in root.named_children:
                routes(self, child, Around())
        else:
            self.through(root)
