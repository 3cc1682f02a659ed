"""Asks whether a member can still be reached as a site reaches it.

In: a site before and after, and what it certainly meant. Out: a finding, or None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, PARTIAL, READ, UPDATED, WRITE
from rpg.encoder.resolve.breakage.access.labelled import PACKAGE, PRIVATE, PROTECTED, PUBLIC, find_labelled
from rpg.encoder.resolve.breakage.access.shown import CLASS, CONSTRUCTOR, LITERAL, OUTSIDE, Shown, show, text_of
from rpg.encoder.resolve.breakage.findings import HIDDEN, MISFIT, Finding
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import BUILTIN, INST, IS_SELF, KIND
from rpg.encoder.resolve.values.values import CLASS as CLASS_VALUE
from rpg.graph import CLASS_KINDS

_REACHING: Final = frozenset({CALLED, READ, WRITE, UPDATED})
_FUNCTIONS: Final = frozenset({"function", "method"})
_OBJECT, _ITSELF, _OF_CLASS = "object", "itself", "class"
_ASSIGNED: Final = re.compile(r"\s*(?:=(?![=>~])|(?:[-+*/%&|^.]|<<|>>>?|\*\*|\?\?|\|\||&&)=(?!=)|\+\+|--)")
_POINTED_AT: Final = re.compile(r"&\s*(?:\w+\s*::\s*)+\Z")
"""What stands in front of a member of which a pointer is made: `&Shop::size`."""
_COUNTED: Final = re.compile(r"(?:\+\+|--)\s*(?:\w+\s*(?:\.|->)\s*)*\Z")


class Pair(NamedTuple):
    """The definitions of a name before and after, and the class that has them."""

    had: Shown
    has: Shown
    owner: Owner | None
    """After."""
    kind: str
    symbol: int


class Access:
    def __init__(self, before: Side, after: Side) -> None:
        self.before = before
        self.after = after
        self._pairs: dict[tuple[str, str], Pair | None] = {}
        self._labelled: dict[tuple[int, str, str], dict[str, int]] = {}

    def find(self, old: SourceFile, site: Site, new: SourceFile, now: Site) -> Finding | None:
        if now.role not in _REACHING:
            return None
        was = self.before.certain_targets(old, self.before.outcome(old, site))
        if len(was) != 1 or not was[0].definition:
            return None
        pair = self.pair(was[0], new, now)
        if pair is None or pair.had == pair.has:
            return None
        kind, detail = self.judge(new, now, pair)
        if not kind:
            return None
        path = self.before.path_of(was[0])
        file = self.after.file(path)
        symbol = self.after.id_of(file.index, pair.symbol) if file is not None else ""
        return Finding(new.path, now.line, now.column, True, kind, now.name, symbol, detail)

    def judge(self, new: SourceFile, now: Site, pair: Pair) -> tuple[str, str]:
        """A kind of finding and its detail."""
        if pair.has.seen < pair.had.seen and self.is_hidden(new, now, pair):
            return HIDDEN, ""
        is_other_side = pair.had.is_static is not None and pair.has.is_static is (not pair.had.is_static)
        if is_other_side and (detail := self.of_side(new, now, pair)):
            return MISFIT, detail
        if pair.kind in _FUNCTIONS:
            return "", ""
        if self.is_written(new, now):
            if self.is_loose(new):
                return "", ""
            places = self.places(new, now, pair)
            if pair.had.written & places and not pair.has.written & places:
                told = "cannot be written here any more" if pair.has.written else "cannot be written any more"
                return MISFIT, told
        elif pair.had.is_read and not pair.has.is_read:
            return MISFIT, "cannot be read any more"
        return "", ""

    # Definitions

    def pair(self, target: Target, new: SourceFile, now: Site) -> Pair | None:
        """What a site meant, then and now; None if it is gone."""
        path, definition = self.before.path_of(target), self.before.definition(target)
        key = (path, definition.qualified_name)
        if key not in self._pairs:
            self._pairs[key] = self.make_pair(target, path)
        found = self._pairs[key]
        return found if found is not None else self.moved_pair(target, new, now)

    def make_pair(self, target: Target, path: str) -> Pair | None:
        definition = self.before.definition(target)
        old, new = self.before.program.files[target.file], self.after.file(path)
        if new is None or old.facts is new.facts:
            return None
        name = definition.qualified_name
        found = self.after.named(path, name)
        if not found:
            return None
        had = self.shown(self.before, old, self.before.named(path, name) or [target.definition])
        has = self.shown(self.after, new, found)
        return Pair(had, has, self.owner(self.after, new, found[0]), new.definitions[found[0]].kind, found[0])

    def moved_pair(self, target: Target, new: SourceFile, now: Site) -> Pair | None:
        """For a member that stands beside its class now, or does not any more: what the site means then is in the same
        file, and has another full name."""
        path, name = self.before.path_of(target), self.before.definition(target).qualified_name
        still = self.after.certain_targets(new, self.after.outcome(new, now))
        old, file = self.before.program.files[target.file], self.after.file(path)
        if file is None or old.facts is file.facts or len(still) != 1 or still[0].file != file.index:
            return None
        if self.after.named(path, name) or not still[0].definition:
            return None
        had = self.shown(self.before, old, [target.definition])
        has = self.shown(self.after, file, [still[0].definition])
        owner = self.owner(self.after, file, still[0].definition)
        return Pair(had, has, owner, file.definitions[still[0].definition].kind, still[0].definition)

    def shown(self, side: Side, file: SourceFile, found: list[int]) -> Shown:
        first = file.definitions[found[0]]
        owner = self.owner(side, file, found[0])
        around = first if owner is None else side.program.definition(*owner)
        labelled = (
            {} if owner is None else self.labelled(side, side.program.files[owner[OWNER_FILE]], owner[OWNER_SYMBOL])
        )
        receivers: dict[int, bool] = {}
        if file.rules.owners == "named":
            scopes = {index: file.definitions[index].scope for index in found if file.definitions[index].owner}
            receivers = {index: bool(file.scopes[scope].receiver) for index, scope in scopes.items() if scope >= 0}
        return show(file.definitions, found, side.program.read(file.path), file.rules, labelled, receivers, around)

    def labelled(self, side: Side, file: SourceFile, index: int) -> dict[str, int]:
        if file.rules.access_stands == "in words":
            return {}
        definition = file.definitions[index]
        key = (id(side), file.path, definition.qualified_name)
        known = self._labelled.get(key)
        if known is None:
            text = text_of(file.facts, side.program.read(file.path), file.rules)
            known = self._labelled[key] = dict(find_labelled(definition, text, file.rules))
        return known

    def owner(self, side: Side, file: SourceFile, index: int) -> Owner | None:
        side.world.evaluator.start()
        return side.world.evaluator.receivers.of_member(file, index)

    # Where a site stands

    def around(self, new: SourceFile, now: Site) -> Iterator[Owner]:
        """The classes around a site, the innermost first."""
        index = now.maker
        while index > 0:
            definition = new.definitions[index]
            if definition.kind in CLASS_KINDS:
                yield new.index, index
            elif definition.owner and (owner := self.owner(self.after, new, index)) is not None:
                yield owner
            index = definition.parent

    def is_within(self, owner: Owner, new: SourceFile, now: Site) -> bool:
        """Whether a site stands in a class, or in one that has the same outermost class."""
        file, definition = self.after.program.files[owner[OWNER_FILE]], self.after.program.definition(*owner)
        outermost = definition.qualified_name.partition(".")[0]
        for number, index in self.around(new, now):
            here, each = self.after.program.files[number], self.after.program.definition(number, index)
            is_same_file = here.path == file.path or PARTIAL in definition.flags
            if is_same_file and each.qualified_name.partition(".")[0] == outermost:
                return True
        return False

    def inherits(self, owner: Owner, new: SourceFile, now: Site) -> bool:
        """Whether a site stands in a class that inherits from another one, as far as is known."""
        classes = self.after.world.evaluator.classes
        for each in self.around(new, now):
            self.after.world.evaluator.start()
            order = classes.order(*each)
            if order.unknown or any(entry[:ENTRY_ARGUMENTS] == owner for entry in order.entries):
                return True
        return False

    # From where it can be seen

    def is_hidden(self, new: SourceFile, now: Site, pair: Pair) -> bool:
        rules = new.rules
        if pair.owner is None or pair.has.seen == PUBLIC or self.is_loose(new):
            return False
        file = self.after.program.files[pair.owner[OWNER_FILE]]
        if rules.access_stands == "in sections":
            # What is hidden there is only called without an object in front.
            return pair.has.seen == PRIVATE and self.holder(new, now) == _OBJECT
        if self.is_within(pair.owner, new, now):
            return False
        if pair.has.seen == PRIVATE:
            return (
                not self.may_be_friend(file, pair.owner) and file.definitions[pair.owner[OWNER_SYMBOL]].kind != "trait"
            )
        if rules.unsaid_visibility == "package" and _folder(new.path, 3) == _folder(file.path, 3):
            return False  # a folder of tests is of the same package
        if pair.has.seen == PROTECTED:
            return not self.inherits(pair.owner, new, now) and not self.may_be_friend(file, pair.owner)
        return pair.has.seen == PACKAGE

    def is_loose(self, new: SourceFile) -> bool:
        """Whether a file is not held to what another one says of its members."""
        return (
            not new.rules.always_checks_arguments
            and not new.rules.declares_members(new.path)
            and (new.rules.access_stands == "in words")
        )

    def may_be_friend(self, file: SourceFile, owner: Owner) -> bool:
        if file.rules.access_stands != "in labels":
            return False
        definition = file.definitions[owner[OWNER_SYMBOL]]
        return b"friend" in self.after.program.read(file.path)[definition.start_byte : definition.end_byte]

    # Through what it is reached

    def of_side(self, new: SourceFile, now: Site, pair: Pair) -> str:
        rules = new.rules
        is_called = now.role == CALLED and new.code[now.expression] == op.CALL
        if pair.kind in _FUNCTIONS and not is_called:
            return ""
        holder = self.holder(new, now)
        if pair.has.is_static:
            return "is static now: by its class" if holder == _OBJECT and not rules.objects_reach_statics else ""
        if rules.classes_reach_members or pair.owner is None:
            return ""
        if holder == _OF_CLASS and not self.inherits(pair.owner, new, now):
            return "" if self.is_pointed_at(new, now) else "is not static any more: by an object"
        if holder == _ITSELF and "static" in new.definitions[now.maker].modifiers:
            return "is not static any more: by an object"
        return ""

    def holder(self, new: SourceFile, now: Site) -> str:
        """What a member is taken of; empty if that is not known."""
        code = new.code
        if code[now.named] == op.NAME:
            return _ITSELF
        if code[now.named] not in (op.ATTRIBUTE, op.PATH):
            return ""
        held = code[now.named + op.HOLDER]
        if code[held] in (op.THIS, op.SUPER):
            return _ITSELF
        evaluator = self.after.world.evaluator
        evaluator.start()
        values = evaluator.eval(new, held)
        if any(value[KIND] == INST and value[IS_SELF] for value in values):
            return _ITSELF
        kinds = {value[KIND] for value in values} - {BUILTIN}
        return {CLASS_VALUE: _OF_CLASS, INST: _OBJECT}.get(kinds.pop(), "") if len(kinds) == 1 else ""

    def is_pointed_at(self, new: SourceFile, now: Site) -> bool:
        """Whether a member is named without an object to point at it."""
        return now.role == READ and _POINTED_AT.search(self.text_before(new, now)) is not None

    # Writing

    def is_written(self, new: SourceFile, now: Site) -> bool:
        if now.role in (WRITE, UPDATED):
            return True
        if now.role != READ:
            return False
        begin = new.code[now.named + op.BYTE]
        behind = self.after.program.read(new.path)[begin : begin + len(now.name) + 20].decode("latin-1")
        if not behind.startswith(now.name):
            return False
        return bool(_ASSIGNED.match(behind, len(now.name)) or _COUNTED.search(self.text_before(new, now)))

    def places(self, new: SourceFile, now: Site, pair: Pair) -> frozenset[str]:
        """From where a site writes."""
        code = new.code
        is_member = code[now.named] in (op.ATTRIBUTE, op.PATH)
        if is_member and code[code[now.named + op.HOLDER]] == op.INSTANCE:
            return frozenset({LITERAL})
        if pair.owner is None:
            return frozenset({OUTSIDE})
        if not self.is_within(pair.owner, new, now) and not self.inherits(pair.owner, new, now):
            return frozenset({OUTSIDE})
        maker, rules = new.definitions[now.maker], new.rules
        owner = self.after.program.definition(*pair.owner)
        constructor = owner.name if rules.constructors_are_named_like_classes else rules.constructor
        is_making = maker.kind in CLASS_KINDS or maker.name == constructor
        return frozenset({CLASS, CONSTRUCTOR} if is_making else {CLASS})

    def text_before(self, new: SourceFile, now: Site) -> str:
        begin = new.code[now.named + op.BYTE]
        text = self.after.program.read(new.path)[max(0, begin - 80) : begin]
        return text[text.rfind(b"\n") + 1 :].decode("latin-1")


def _folder(path: str, most: int) -> str:
    """The last folders of a path, where files of one package are."""
    return "/".join(path.split("/")[:-1][-most:])
