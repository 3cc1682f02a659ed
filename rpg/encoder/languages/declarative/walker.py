"""The base of the lowering of all defined languages: parts of nodes, names in their scopes, doc comments.

In: nodes, and the language's Spec. Out: expressions. Names are lowered where they stand: a bare name of a member of the
classes around becomes a member of their object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ANNOTATION,
    ARITY,
    IMPLEMENTED,
    MAKER,
    PACKAGE_NAMES,
    READ,
    ROLE,
    SITE_WORDS,
    Definition,
    FileFacts,
    Parameter,
)
from rpg.encoder.languages.declarative.spec import Parts, Spec
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Walker

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_LINE_MARK: Final = re.compile(r"^(?:///?!?|//!|#+|--+|;+|\*+(?!/))(?: |$)?")
_HEADER_LIMIT: Final = 600
"""Bytes before a name in which its modifiers are looked for."""


class Items(NamedTuple):
    """What stands in the braces of a macro's call, if that is items."""

    root: Node
    start: int
    end: int
    unread: tuple[tuple[int, list[Node]], ...] = ()
    """Tokens that the tree leaves out, with the place of the name that they belong to; 0: to none."""


class DeclarativeWalker(Walker):
    spec: ClassVar[Spec] = Spec()

    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.class_scope = -1
        """Scope of the innermost enclosing class."""
        self.owner_scope = -1
        """Scope of the owner of the enclosing method, if the method is outside its type."""
        self.declared_types: set[tuple[int, str]] = set()
        """Scope of a class and name of a type that it declares, and that is defined outside of it."""
        self.owned_types: set[tuple[str, str]] = set()
        """Owner and name of the types that are defined outside of their class."""
        self.inner_types: set[tuple[int, str]] = set()
        self.proofs: dict[tuple[int, int, bool], list[tuple[str, int, int, bool]]] = {}
        """What parts of conditions prove if they hold, or fail."""
        self.written: dict[str, list[int]] | None = None
        """Where a name stands in front of `=`, once that was asked."""
        self.uncallable: set[tuple[int, str]] = set()
        """Parameters, by their scope, whose type has no values that can be called."""
        """(class scope, name): members that are types."""
        self.deriving: set[int] = set()
        """Class scopes with bases, whose members are not all known here."""
        self.attributes = -1
        """Where the attributes in front of the next definition begin; -1: there are none."""
        self.marks: list[str] = []
        """The names of these attributes."""
        self.offered: dict[str, None] = {}
        """Names that other files of the package see."""
        self.owner = ""
        """The type whose methods are being defined outside it."""
        self.owner_object = 0
        """An object of that type."""
        self.self_name = ""
        """What `Spec.self_types` stand for."""
        self.modules: set[str] = set()
        """Modules that the file declares and that are other files."""
        self.macros: frozenset[str] = frozenset()
        """Macros that the file defines."""
        self.macro_names: list[int] = []
        """The names of called macros, as expressions."""
        self.spaces: list[str] = []
        """The namespaces around."""
        self.items_in_macros: dict[int, list[Items]] = {}
        """Of macros that are called at the top of the file, by where the calls begin."""
        self.macros_around: list[int] = []
        """Calls of macros whose tokens are being lowered as items."""
        self.conditional: list[tuple[int, int]] = []
        """Where definitions begin and end that only some builds have."""
        self.implementing: list[tuple[str, int]] = []
        """Type and base: what is said of a type outside its definition."""
        self.result: Node | None = None
        """The declared result of the next definition, if its kind does not tell."""
        self.is_local_declaration = False
        self.receiver_value = 0
        """What the receiver of the next function is, if it is a table."""
        self.header: Node | None = None
        """What has the parameters and the body of the next function, if the node that defines it has not."""
        self.scopes_with_results: set[int] = set()
        """Functions with a return that has a value."""
        self.given: set[str] = set()
        """Variables that have been defined."""
        self.template: Node | None = None
        """Type parameters in front of the next definition."""
        self.is_of_type = False
        """Whether the members that are being defined belong to the type itself, whatever their words say."""
        self.is_type = False
        """Whether a name is lowered in type position, where the grammar has one kind for types and values."""
        self.bounds_written_elsewhere: dict[str, dict[int, list[Node]]] = {}
        """Type -> position of a type parameter -> what it is constrained by where the type's methods are."""
        self.is_base = False
        """Whether the type that is read is what a class derives from."""
        self.offers_all = False
        """Whether other files see what is not exported, too."""
        self.is_damaged = False
        """Whether the parser did not understand what is being lowered."""
        self.expected = 0
        self.tested: dict[tuple[int, int], tuple[str, int, int, bool]] = {}
        """For a test of a variable's type, by where it begins and ends: see tested_types.py."""
        """The type of the value that is being lowered, where one is declared."""
        self.subject = 0
        """What the cases around are compared with."""
        self.named_by_type: Node | None = None
        """What names the type that is being defined."""
        self.is_untagged = False
        """Whether that type has no name of its own."""
        self.tags: list[int] = []
        """The types at the top of a file that have one."""
        self.declared_functions: set[str] = set()
        """Functions that the file only declares."""
        self.base_names: dict[int, str] = {}
        """Class -> the name of its first base."""
        self.written_types: dict[int, list[int]] = {}
        """Where a name stands -> the type arguments behind it."""
        self.member_stars: list[int] = []
        """Types all of whose static members are imported."""
        self.starred_enums: list[tuple[int, int, str]] = []
        """Enums of the file all of whose variants are imported: scope and place of the import, qualified name."""
        self.written_imports: list[tuple[int, str, int, list[str]]] = []
        """Scope, bound name, number of the import and path of each `use`; a star binds nothing."""
        self.torn_classes: list[tuple[str, int, int]] = []
        """Classes that end behind what the parser took for their end: name, and what is in between, up to -1 where no
        brace closes them."""
        self.joins_overloads = not self.spec.has_overloads
        self.locals_begin_late = self.spec.locals_begin_late

    # Parts of nodes

    def part(self, node: Node, parts: Parts) -> Node | None:
        for each in parts:
            if each[0] == ":":
                kind = each[1:]
                for child in node.named_children:
                    if child.type == kind:
                        return child
            elif each == "<":
                found = node.named_children[0] if node.named_child_count else None
                if found is not None:
                    return found
            elif each == ">":
                found = node.named_children[-1] if node.named_child_count else None
                if found is not None:
                    return found
            else:
                found = node.child_by_field_name(each)
                if found is not None:
                    return found
        return None

    def all_parts(self, node: Node, parts: Parts) -> Iterator[Node]:
        """Every part of a node that one of the ways finds."""
        for each in parts:
            if each[0] == ":":
                kind = each[1:]
                for child in node.named_children:
                    if child.type == kind:
                        yield child
            else:
                yield from node.children_by_field_name(each)

    def words_before(self, start: int, name: int) -> frozenset[str]:
        """The words between the beginning of a definition and its name."""
        return frozenset(_WORD.findall(self.text(max(start, name - _HEADER_LIMIT), name)))

    # Names

    def word(self, piece: bytes) -> int:
        """Quotes around a name are no part of it."""
        quotes = self.spec.name_quotes
        if not quotes or not piece.startswith(quotes):
            return super().word(piece)
        index = self.words[piece] = super().word(piece.strip(quotes))
        return index

    def value_name(self, node: Node, role: int = READ, call: bool = False) -> int:
        """A bare name in an expression: a variable, or a member of the object around."""
        has_receivers = self.spec.lambdas_have_receivers
        if not self.spec.implicit_members or (self.class_scope < 0 and self.owner_scope < 0 and not has_receivers):
            return self.identifier(node, role)
        text = self.text_of(node)
        scopes, bound = self.scopes, self.bound
        scope = self.scope
        inheriting: list[int] = []
        is_hidden = False
        while scope > 0:
            here = scopes[scope]
            if call and (scope, text) in self.uncallable:
                is_hidden = True
                if scope == self.owner_scope:
                    inheriting.append(scope)
            elif here.kind == "class":
                # The name of the class itself means the class, and its constructor only where it is called.
                if text in bound[scope] and (call or self.definitions[here.definition].name != text):
                    if (scope, text) in self.inner_types and not call:
                        return self.name_in(scope, node, role)
                    return self.member_of([*inheriting, scope], node, role, call and has_receivers)
                if not call and self.definitions[here.definition].name == text:
                    inheriting.clear()
                elif scope in self.deriving or (has_receivers and call):
                    inheriting.append(scope)
            elif text in bound[scope]:
                return self.identifier(node, role)
            elif scope == self.owner_scope or (has_receivers and here.kind == "lambda"):
                inheriting.append(scope)
            scope = here.parent
        may_be_static = call or (self.spec.capitalised_types and (text[:1].islower() or text.isupper()))
        if not inheriting and len(self.member_stars) == 1 and may_be_static and text not in bound[0]:
            return self.member(self.member_stars[0], node, role)
        if is_hidden and not inheriting:
            return self.name_in(0, node, role)
        if not inheriting or (not call and self.may_be_type(node, text)):
            return self.identifier(node, role)
        return self.member_of(inheriting, node, role, True)

    def may_be_type(self, node: Node, text: str) -> bool:
        """Whether a bare name in an expression may be that of a type."""
        if not self.spec.capitalised_types or not text[:1].isupper():
            return False
        if not self.spec.types_are_no_values or text in self.bound[0]:
            return True
        behind = node.next_sibling
        return behind is not None and behind.type in (".", "::")

    def type_name(self, node: Node, role: int = ANNOTATION) -> int:
        """A bare name in a type: a name of the file, or a type of the classes around."""
        if self.self_name and self.text_of(node) in self.spec.self_types:
            return self.variable(self.string(self.self_name), node.start_byte)
        if self.spec.types_are_apart and self.class_scope < 0:
            return self.name_in(0, node, role)
        text = self.text_of(node)
        scope = self.scope_of_type(text) if self.class_scope >= 0 else -1
        if scope < 0 and self.spec.types_beside_members:
            may_be_inherited = self.is_base and self.spec.capitalised_types and text not in self.bound[0]
            if may_be_inherited and (deriving := self.deriving_around()):
                return self.member_of(deriving, node, role, True)
            if not self.function:
                scope = self.scope_beside_members(text)
        if scope < 0 and self.spec.types_outside_owners and (holders := self.holders_of_type(text)):
            return self.member_of(holders, node, role, True)
        return self.name_in(scope, node, role) if scope >= 0 else self.identifier(node, role)

    def holders_of_type(self, text: str) -> list[int]:
        """The classes around whose type of this name is defined outside of them: those that declare it, and the one
        that a method outside of it belongs to, if the file defines it. None if something nearer has the name."""
        scopes, scope = self.scopes, self.scope
        found: list[int] = []
        while scope > 0:
            if (scope, text) in self.declared_types:
                found.append(scope)
            elif scope == self.owner_scope:
                if (self.definitions[scopes[scope].definition].owner, text) in self.owned_types:
                    found.append(scope)
            elif text in self.bound[scope]:
                break
            scope = scopes[scope].parent
        return found

    def generic_type_name(self, node: Node, arity: int) -> int:
        """The same for a name with so many type arguments, where their number tells types apart."""
        text = f"{self.text_of(node)}{ARITY}{arity}"
        scope = self.scope_of_type(text)
        offset = self.name(text, node.start_byte, ANNOTATION)
        if scope >= 0:
            self.code[offset + op.BINDER] = scope
        return offset

    def scope_of_type(self, text: str) -> int:
        """The class around that has a type of that name; -1: none, or something nearer has the name."""
        scopes, scope = self.scopes, self.scope
        while scope > 0:
            if scopes[scope].kind == "class":
                if (scope, text) in self.inner_types:
                    return scope
            elif text in self.bound[scope]:
                break
            scope = scopes[scope].parent
        return -1

    def scope_beside_members(self, text: str) -> int:
        """The scope in which a type's name is read that stands among the members of a class and is none of them."""
        scopes, scope = self.scopes, self.scope
        while scope > 0:
            here = scopes[scope]
            if here.kind != "class" and (here.kind != "block" or text in self.bound[scope]):
                break
            scope = here.parent
        return scope

    def deriving_around(self) -> list[int]:
        """The classes around that may have inherited a type, from the innermost."""
        found: list[int] = []
        scope = self.class_scope
        while scope > 0:
            if scope in self.deriving:
                found.append(scope)
            scope = self.scopes[scope].parent
        return found

    def name_of_type(self, index: int, byte: int) -> int:
        """A type that has just been defined, as its name would be read."""
        return self.variable(self.string(self.definitions[index].name), byte)

    def name_in(self, scope: int, node: Node, role: int) -> int:
        """A name as it would be read in an enclosing class."""
        offset = len(self.code)
        self.code += (op.NAME, node.start_byte, self.word_of(node), scope)
        self.named.append(offset)
        self.sites += (offset, role, self.definition)
        return offset

    def member_of(self, scopes: list[int], node: Node, role: int, may_be_free: bool) -> int:
        """A member of the object of an enclosing class: of the innermost that has it; if none has it and it may be
        free, what the name means outside."""
        start = node.start_byte
        word = self.word_of(node)
        holders = [self.emit(op.THIS, start, scope) for scope in scopes]
        if may_be_free:
            holders.append(self.variable(word, start))
        offset = self.emit(op.ATTRIBUTE, start, self.union(holders, start), word)
        self.sites += (offset, role, self.definition)
        return offset

    def member_or_name(self, holder: int, node: Node, role: int = READ) -> int:
        """A bare name that means a member of a value if that has it, and else what it means anywhere."""
        start, word = node.start_byte, self.word_of(node)
        value = self.value_name(node, role)
        self.drop_site(value)
        holders = [holder]
        if self.code[value] == op.ATTRIBUTE:
            around = self.code[value + op.HOLDER]
            holders += op.items_of(self.code, around) if self.code[around] == op.UNION else [around]
        if self.code[holders[-1]] != op.NAME or len(holders) == 1:
            holders.append(self.variable(word, start))
        offset = self.emit(op.ATTRIBUTE, start, self.union(holders, start), word)
        self.sites += (offset, role, self.definition)
        return offset

    def member(self, holder: int, node: Node, role: int = READ) -> int:
        """`holder.name`, with its site."""
        offset = len(self.code)
        self.code += (op.ATTRIBUTE, node.start_byte, holder, self.word_of(node))
        self.sites += (offset, role, self.definition)
        return offset

    def label(self, node: Node) -> int:
        """Index of the name of the parameter that an argument's label means."""
        return self.word_of(node)

    def this_object(self, node: Node) -> int:
        """The object around; nothing outside classes."""
        scope = max(self.class_scope, self.owner_scope)
        return self.emit(op.THIS, node.start_byte, scope) if scope >= 0 else 0

    def store(self, target: int, value: int) -> None:
        """`holder.name = value`; on the object around it is a field of its class."""
        code = self.code
        holder, name = code[target + op.HOLDER], self.texts[code[target + op.MEMBER]]
        if code[holder] == op.THIS and code[holder + op.SCOPE] == self.class_scope >= 0:
            index = self.scopes[self.class_scope].definition
            self.fields.setdefault(index, []).append((name, value))
        else:
            self.members.append((holder, name, value))

    def emit_typed(self, annotation: int, byte: int) -> int:
        """A value of a type; nothing is known of it if there is none."""
        return self.emit(op.TYPED, byte, annotation, 0) if annotation else 0

    def declared_type(self, annotation: int, declarator: Node | None) -> int:
        """The type of what a declarator names, by the type in front of it."""
        return annotation

    def read_declarator(self, declarator: Node) -> None:
        """What the declarator of a parameter names besides the parameter."""

    def builtin_type(self, node: Node) -> str:
        """The name of a builtin type."""
        return self.source_of(node)

    def bind_parameter(self, name: str, rows: list[Parameter], scope: int, byte: int) -> None:
        """A parameter that the language gives."""
        self.bind(name, self.emit(op.PARAMETER, byte, scope, len(rows)), byte)
        rows.append(Parameter(name, "positional"))

    def take_apart(self, node: Node, value: int) -> None:
        """Binds the variables of a parameter that is a pattern."""

    def other_body(self, name: str) -> Node | None:
        """Where more members of a type are that is being defined."""
        return None

    def emit_member(self, holder: int, name: str, byte: int) -> int:
        """`holder.name`, without a site."""
        return self.emit(op.ATTRIBUTE, byte, holder, self.string(name))

    def adds_bases(self, node: Node, index: int) -> bool:
        """Whether the language's own walker finds the bases in a part of a header, and has added them."""
        return False

    def enter_block(self, node: Node) -> tuple[int, int]:
        """Opens a scope for what a block declares, also outside functions. Returns what to leave it with."""
        around = self.scope, self.function
        self.open_block_scope(node)
        self.function = self.function or self.scope
        return around

    def leave_block(self, around: tuple[int, int]) -> None:
        self.scope, self.function = around

    def parameters_beside(self, node: Node, scope: int) -> list[Node]:
        """Binds parameters that stand in a function's node itself, without a list around them. Returns their nodes."""
        return []

    # Comments

    def documented(self, start: int) -> tuple[int, str]:
        """The comment lines directly above a definition or its attributes, up to a blank line."""
        if 0 <= self.attributes < start:
            start = self.attributes
        begin = self.comments_above(start)
        text = self.shown[begin : max(begin, start)].decode("utf-8", "replace")
        return begin, documentation(text) if begin < start else ""

    def symbol(
        self, kind: str, name: str, name_byte: int, node: Node, body: int, *, full_name: str = "", doc: str = "",
        otherwise: str = "", shown: int = -1, end: int = -1, owner: str = "", end_marks: str = "",
        exported: bool = True, modifiers: tuple[str, ...] = (),
    ) -> int:  # fmt: skip
        """A definition in the current one, whose signature reaches from `shown` to `body` without the marks at its end.
        `full_name`: its name, if it does not follow from where it stands; `doc`: its text, which counts before that of
        comments, and `otherwise` after; `end`: where it ends, if not with the node; `owner`: the type of a member that
        stands outside it."""
        start = node.start_byte
        begin, comment = self.documented(start)
        return self.define(
            Definition(
                kind=kind,
                name=name,
                qualified_name=full_name or (f"{owner}.{name}" if owner else self.qualified(name)),
                parent=self.definition,
                owner=owner,
                start_byte=begin,
                end_byte=node.end_byte if end < 0 else end,
                name_byte=name_byte,
                body_byte=body,
                signature=self.folded(start if shown < 0 else shown, body).rstrip(end_marks),
                doc=doc or comment or otherwise,
                exported=exported,
                modifiers=modifiers,
            )
        )

    # The end

    def add_bases_written_outside(self, kinds: frozenset[str]) -> None:
        """What is said of a type outside its definition is a base of it, if the type is in the file and of one of the
        kinds; of another type it is only mentioned."""
        types = {each.name: index for index, each in reversed(list(enumerate(self.definitions))) if each.scope >= 0}
        roles = {self.sites[at]: at for at in range(0, len(self.sites), SITE_WORDS)}
        for owner, base in self.implementing:
            at = roles.get(self.code[base + op.HOLDER] if self.code[base] == op.SUBSCRIPT else base, -1)
            index = types.get(owner, -1)
            if index < 0 or self.definitions[index].kind not in kinds:
                if at >= 0:
                    self.sites[at + ROLE] = READ
                if index < 0 and owner:
                    self.bases.setdefault(0, []).append((IMPLEMENTED + owner, base))
                continue
            if at >= 0:
                self.sites[at + MAKER] = index
            self.bases.setdefault(index, []).append(("", base))

    def finish(self) -> FileFacts:
        self.settle(False)
        if self.offered:
            self.exports[PACKAGE_NAMES] = list(self.offered)
        return super().finish()


def documentation(text: str) -> str:
    """Doc comments without their markers."""
    lines = []
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith(("/**", "/*!")):
            line = line[3:].removesuffix("*/").strip()
        elif line.startswith("/*"):
            line = line[2:].removesuffix("*/").strip()
        else:
            line = line.removesuffix("*/").rstrip()
            mark = _LINE_MARK.match(line)
            line = line[mark.end() :] if mark else line
        lines.append(line)
    return "\n".join(lines).strip()
