"""Asks the rules of this room about one site.

In: a site that is the same before and after, and the definition that it means, of both times. Out: a finding, or None.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, CALLED, line_and_column
from rpg.encoder.resolve.breakage.findings import HIDDEN, MISFIT, Finding
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.breakage.written import branches, constructions, literals, statements
from rpg.encoder.resolve.breakage.written.families import Families
from rpg.encoder.resolve.breakage.written.literals import Misfit, Type
from rpg.encoder.resolve.breakage.written.texts import Texts
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.graph import CLASS_KINDS
from rpg.system import deadline

_ENUM = "enum"
_ANCESTORS = 8
"""How many classes above one of exceptions are looked at."""


class Written:
    def __init__(self, before: Side, after: Side, texts: Texts) -> None:
        self.before = before
        self.after = after
        self.texts = texts
        self.families = Families()

    def find(self, new: SourceFile, now: Site, had: Type, has: Type) -> Finding | None:
        rules = new.rules
        found: Misfit | None = None
        owner = has
        if rules.literals_need != "nothing":
            source = self.after.program.read(new.path)
            text, declared = self.text_of(new), self.declared(has)
            found = literals.find_misfit(text, source, new, now, had, has, declared)
        if found is None and rules.branching is not None:
            at = new.code[now.named + op.BYTE]
            if enums := _enums_of(had, has):
                deadline.check()
                owner = enums[1]
                members = branches.members_of(enums[0]), branches.members_of(owner)
                if "cfg" not in self.declared(owner):
                    found = branches.find_lacking(self.text_of(new), at, rules, *members)
            elif families := self.families_of(had, has):
                owner = families[1]
                subclasses = (
                    self.families.subclasses(self.before, families[0]),
                    self.families.subclasses(self.after, owner),
                )
                found = branches.find_lacking(self.text_of(new), at, rules, *subclasses)
        if found is None and now.role == CALLED and new.code[now.expression] == op.CALL:
            owner = has
            found = self.of_call(new, now, had, has)
        if found is None and rules.declares_apart and self.made_class(has):
            return self.of_construction(new, now, had, has)
        if found is None:
            return None
        definition = owner.file.definitions[owner.symbol]
        symbol = self.after.id_of(owner.file.index, owner.symbol)
        line, column = (now.line, now.column) if found.byte < 0 else line_and_column(new.facts, found.byte)
        return Finding(new.path, line, column, found.certain, MISFIT, definition.name, symbol, found.detail)

    def of_call(self, new: SourceFile, now: Site, had: Type, has: Type) -> Misfit | None:
        rules = new.rules
        was, is_now = had.file.definitions[had.symbol], has.file.definitions[has.symbol]
        if {was.kind, is_now.kind} - {"function", "method"}:
            return None
        begin = new.code[now.named + op.BYTE]
        if rules.has_void and statements.gives_nothing(is_now) and not statements.gives_nothing(was):
            return Misfit("gives nothing now", -1) if statements.is_result_taken(self.text_of(new), begin) else None
        added = [each for each in statements.thrown_by(is_now) if each not in statements.thrown_by(was)]
        around = new.definitions[now.maker]
        if not added or around.kind != "method":
            return None
        taker, is_through = "", statements.lets_through(self.text_of(new), begin, around)
        if not is_through:
            taker = statements.find_taker(self.text_of(new), begin, around)
        if not is_through and not rules.lets_none_through(taker):
            return None
        checked = [each for each in added if self.is_checked(has, each)]
        if not checked:
            return None
        told = f"throws `{checked[0]}` now, which is neither caught nor declared here"
        # A method of that name may be another one, which takes what may throw.
        return Misfit(f"{told}, and `{taker}` takes none" if taker else told, -1, not taker[:1].islower())

    def is_checked(self, function: Type, name: str) -> bool:
        """Whether the language demands that an exception is caught or declared, by what it inherits from."""
        if function.file.rules.must_be_caught(name):
            return True
        definition = function.file.definitions[function.symbol]
        for site in self.after.sites(function.file):
            byte = function.file.code[site.named + op.BYTE]
            if site.name != name or site.role != ANNOTATION or not definition.start_byte <= byte < definition.end_byte:
                continue
            targets = self.after.certain_targets(function.file, self.after.outcome(function.file, site))
            if len(targets) == 1:
                return self.inherits_checked(targets[0].file, targets[0].definition)
        return False

    def inherits_checked(self, file: int, index: int) -> bool:
        classes = self.after.world.evaluator.classes
        self.after.world.evaluator.start()
        entries = classes.order(file, index).entries[:_ANCESTORS]
        last = self.after.program.definition(*entries[-1][:2]) if entries else None
        if last is None:
            return False
        rules = self.after.program.files[file].rules
        words = last.signature.partition(" extends ")[2].split()
        return bool(words) and rules.must_be_caught(words[0].rpartition(".")[2])

    def families_of(self, had: Type, has: Type) -> tuple[Type, Type] | None:
        """The sealed class of which a site names a subclass, before and after."""
        before = self.families.sealed_base(self.before, had)
        after = self.families.sealed_base(self.after, has) if before is not None else None
        return (before, after) if before is not None and after is not None else None

    def made_class(self, owner: Type) -> bool:
        return owner.file.definitions[owner.symbol].kind in CLASS_KINDS

    def of_construction(self, new: SourceFile, now: Site, had: Type, has: Type) -> Finding | None:
        around = new.definitions[now.maker]
        made = constructions.find_made(self.text_of(new), new, now, around)
        if made is None:
            return None
        before = self.texts.constructors(self.before, had.file, had.symbol)
        after = self.texts.constructors(self.after, has.file, has.symbol)
        if not before or not after:
            return None
        definition = has.file.definitions[has.symbol]
        symbol = self.after.id_of(has.file.index, has.symbol)
        if detail := constructions.why_not_made(made, before, after):
            return Finding(new.path, now.line, now.column, True, MISFIT, definition.name, symbol, detail)
        is_outside = around.parent != has.symbol and around.owner != definition.qualified_name
        is_friendly = "friend" in self.declared(has)
        if is_outside and not is_friendly and constructions.is_hidden_now(made, before, after):
            return Finding(new.path, now.line, now.column, True, HIDDEN, definition.name, symbol, "constructor")
        return None

    def text_of(self, file: SourceFile) -> str:
        return self.texts.of(self.after, file)

    def declared(self, owner: Type) -> str:
        definition = owner.file.definitions[owner.symbol]
        return self.text_of(owner.file)[definition.start_byte : definition.end_byte]


def _enums_of(had: Type, has: Type) -> tuple[Type, Type] | None:
    """The enum that a site means, or of which it means a member, before and after."""
    found = []
    for each in (had, has):
        definition = each.file.definitions[each.symbol]
        index = each.symbol if definition.kind == _ENUM else definition.parent
        if each.file.definitions[index].kind != _ENUM:
            return None
        found.append(Type(each.file, index))
    return found[0], found[1]
