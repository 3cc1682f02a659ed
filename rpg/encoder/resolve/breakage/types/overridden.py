"""Members that override or implement another one, and do not fit it any more.

In: a member of a class before and after, and what it overrode and overrides. Out: what does not fit: the number of its
parameters, their types, its result, what it throws, whether it is static, async or visible, and whether it may override
at all. A text that was the same on both sides before and is not now is of another type; that is certain only of builtin
types, for others may be named in several ways.

Absent: what a language takes from an override without complaint (Rules.overrides_fit).
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final, NamedTuple

from rpg.encoder.facts import Definition
from rpg.encoder.resolve.breakage.types.literal_types import type_of_parameter
from rpg.encoder.resolve.breakage.written.statements import thrown_by
from rpg.encoder.resolve.program.arguments_taken import find_closing, parameter_texts, shape_of
from rpg.encoder.resolve.program.source_file import SourceFile

OVERRIDDEN: Final = "\0"
_CONTRACTS: Final = frozenset({"interface", "trait"})
_WORD: Final = re.compile(r"\w+")
_QUALIFIER: Final = re.compile(r"(?:\w+(?:\.|::|\\))+(?=\w)")
_MARK: Final = re.compile(r"@[\w.]+(?:\([^()]*\))?|\bfinal\b|\bcrossinline\b|\bnoinline\b")
_OF_RECEIVER: Final = re.compile(r"(?<=&)'\w+\s+|\A\s*mut\s+")
"""A lifetime, and what only the body sees."""
_GENERIC: Final = re.compile(r"\w[\w ]*[<\[][^|?]*[>\]]\Z")
_VARIABLE: Final = re.compile(r"[A-Z]\d?\Z")
_VISIBLE: Final = {"private": 0, "package": 1, "protected": 2, "public": 3}
_LONGEST: Final = 80


class Member(NamedTuple):
    file: SourceFile
    number: int

    @property
    def definition(self) -> Definition:
        return self.file.definitions[self.number]

    @property
    def owner(self) -> Definition:
        return self.file.definitions[self.definition.parent]


class Misfit(NamedTuple):
    detail: str
    """Behind the name of the member; OVERRIDDEN stands for the one that it overrides."""
    certain: bool


def find_misfit(had: tuple[Member, Member], has: tuple[Member, Member], changed: Set[str]) -> Misfit | None:
    """`had`, `has`: a member and what it overrides, before and after. `changed`: names of what came, went or looks
    different, of which nothing is said again."""
    rules = has[0].file.rules
    if rules.overrides_fit == "loosely":
        return None
    if not _takes(*had) or not _says_alike(*had):
        return None  # it was not understood how it fitted
    closed = _why_closed(had[1], has[1])
    if closed:
        return Misfit(closed, True)
    if not _takes(*has):
        return Misfit(
            f"is not as {OVERRIDDEN} has it: ({_shortened(', '.join(parameter_texts(has[1].definition)))})", True
        )
    if not _says_alike(*has):
        return Misfit(_unlike(*has), True)
    return _of_types(had, has, changed) or _of_result(had, has) or _of_exceptions(had, has)


# What it takes


def _takes(own: Member, base: Member) -> bool:
    """Whether a member takes every call that what it overrides takes, as far as numbers and labels tell."""
    ours, theirs = (shape_of(each.file, each.number, True) for each in (own, base))
    fit = own.file.rules.overrides_fit
    if fit == "exactly":
        is_same = (len(ours.names), ours.takes_more) == (len(theirs.names), theirs.takes_more)
        return is_same and ours.keywords == theirs.keywords
    if fit == "with fewer":
        return theirs.takes_more or ours.takes_more or len(ours.needed) <= len(theirs.names)
    if not ours.takes_any_keyword and not theirs.keywords <= ours.keywords | set(ours.names):
        return False
    is_enough = len(ours.needed) <= len(theirs.needed) and ours.needed_keywords <= theirs.needed_keywords
    return is_enough and (ours.takes_more or len(ours.names) >= len(theirs.names))


# What stands around its name


def _says_alike(own: Member, base: Member) -> bool:
    return not _unlike(own, base)


def _unlike(own: Member, base: Member) -> str:
    ours, theirs = own.definition, base.definition
    if ("static" in ours.modifiers) != ("static" in theirs.modifiers) or _has_receiver(own) != _has_receiver(base):
        return f"is {'' if 'static' in ours.modifiers else 'not '}static, unlike {OVERRIDDEN}"
    rules = own.file.rules
    effects = rules.effects_of_overrides
    own_words, base_words = find_words_around(ours), find_words_around(theirs)
    for word in sorted(effects.that_say_so):
        if word in own_words and word not in base_words:
            return f"is `{word}`, unlike {OVERRIDDEN}"
    for word in sorted(effects.that_say_no):
        if word in base_words and word not in own_words:
            return f"is not `{word}`, unlike {OVERRIDDEN}"
    if rules.overrides_fit == "exactly" and _receiver(own) != _receiver(base):
        return f"takes `{_receiver(own)}`, and {OVERRIDDEN} `{_receiver(base)}`"
    if rules.hiding.that_say_so and _visibility(own) < _visibility(base):
        return f"can be seen from fewer places than {OVERRIDDEN}"
    return ""


def _has_receiver(member: Member) -> bool:
    """Whether a member lists its receiver among its parameters."""
    scope = member.definition.scope
    rows = member.file.facts.parameters.get(scope, []) if scope >= 0 else []
    return bool(rows) and rows[0].name == member.file.scopes[scope].receiver != ""


def _receiver(member: Member) -> str:
    """How a member takes the receiver that it lists among its parameters."""
    texts = parameter_texts(member.definition) if _has_receiver(member) else []
    return _OF_RECEIVER.sub("", texts[0]).strip() if texts else ""


def _visibility(member: Member) -> int:
    rules, owner = member.file.rules, member.owner
    words = find_words_around(member.definition)
    said = [_VISIBLE[each] for each in words & _VISIBLE.keys()]
    if said:
        return min(said)
    return _VISIBLE["public"] if owner.kind in _CONTRACTS else _VISIBLE[rules.unsaid_visibility]


def _why_closed(had: Member, has: Member) -> str:
    closing = has.file.rules.closing_members
    was, now = find_words_around(had.definition), find_words_around(has.definition)
    if has.owner.kind in _CONTRACTS:
        return ""
    if closing.is_said_now(was, now):
        return f"overrides {OVERRIDDEN}, which cannot be overridden any more"
    is_hidden = not (now - was).isdisjoint(has.file.rules.hiding.that_say_so)
    return f"overrides {OVERRIDDEN}, which cannot be seen any more" if is_hidden else ""


def find_words_around(definition: Definition) -> frozenset[str]:
    """The words of a signature but for its parameters, its result and what stands behind that."""
    signature, name = definition.signature, definition.name
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", signature)
    if found is None:
        return frozenset(_WORD.findall(signature))
    start = signature.find("(", found.end())
    closing = find_closing(signature, start) if start >= 0 else -1
    behind = signature[closing + 1 :] if closing >= 0 else ""
    qualifiers, throws, _ = re.split(r"->|:|=|\{|\bwhere\b", behind, maxsplit=1)[0].partition("throws ")
    words = _WORD.findall(f"{signature[: found.start()]} {qualifiers} {throws}")
    return frozenset(words)


# Types


def _of_types(had: tuple[Member, Member], has: tuple[Member, Member], changed: Set[str]) -> Misfit | None:
    was, now = [_types(each) for each in had], [_types(each) for each in has]
    if len({len(each) for each in (*was, *now)}) != 1:
        return None
    rules = has[0].file.rules
    variables = {word for each in (*had, *has) for word in _variables(each)}
    for ours, theirs, our_old, their_old in zip(now[0], now[1], was[0], was[1], strict=True):
        if not ours or not theirs or ours == theirs or our_old != their_old:
            continue
        words = {*_WORD.findall(ours), *_WORD.findall(theirs)}
        if any(_VARIABLE.match(each) or each in variables for each in words) or words & changed:
            continue
        is_certain = {ours, theirs} <= rules.plain_types
        if not is_certain and rules.overrides_fit != "exactly":
            continue
        return Misfit(_unlike_parameters(has[1]), is_certain)
    return None


def _types(member: Member) -> list[str]:
    """The types of the parameters but the receiver, in one way of writing."""
    precedes = member.file.rules.types_stand == "in front"
    texts = parameter_texts(member.definition)[_has_receiver(member) :]
    return [_plain(type_of_parameter(_MARK.sub("", text).strip(), precedes)) for text in texts]


def _plain(declared: str) -> str:
    return re.sub(r"\s+", " ", _QUALIFIER.sub("", _MARK.sub("", declared))).strip()


def _variables(member: Member) -> set[str]:
    """The names in the angle brackets of a member's signature and of its class's."""
    return {
        word
        for text in (member.definition.signature.partition("(")[0], member.owner.signature)
        for part in re.findall(r"[<\[]([^<>\[\]]*)[>\]]", text)
        for word in _WORD.findall(part)
    }


def _of_result(had: tuple[Member, Member], has: tuple[Member, Member]) -> Misfit | None:
    was, now = ([_plain(each.definition.returns) for each in pair] for pair in (had, has))
    if was[0] != was[1] or now[0] == now[1]:
        return None
    plain = has[0].file.rules.plain_types
    made = [each for each in now if each not in plain]
    if made:
        # Of a plain type and one that is made of others, the one is rarely the other.
        variables = {word for each in (*had, *has) for word in _variables(each)}
        words = {*_WORD.findall(made[0])} - plain
        is_another = len(made) == 1 and _GENERIC.match(made[0]) and has[0].file.rules.overrides_fit == "exactly"
        if not is_another or words & variables or any(map(_VARIABLE.match, words)):
            return None
    is_certain = not made or not any(each in plain and each[0].isupper() for each in now)
    return Misfit(f"gives `{now[0]}`, and {OVERRIDDEN} `{now[1]}`", is_certain)


def _of_exceptions(had: tuple[Member, Member], has: tuple[Member, Member]) -> Misfit | None:
    if has[0].file.rules.overrides_fit != "exactly" or thrown_by(has[1].definition):
        return None
    had_fitted = not thrown_by(had[0].definition) or bool(thrown_by(had[1].definition))
    checked = [each for each in thrown_by(has[0].definition) if has[0].file.rules.must_be_caught(each)]
    return Misfit(f"throws `{checked[0]}`, unlike {OVERRIDDEN}", True) if had_fitted and checked else None


def _unlike_parameters(base: Member) -> str:
    return f"is not as {OVERRIDDEN} has it: ({_shortened(', '.join(parameter_texts(base.definition)))})"


def _shortened(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
