"""What says who is meant by a message: a text, a type, a symbol.

In: a file (`Source`) and a call of it. Out: text, or a symbol as text that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rpg.encoder import operations as op
from rpg.encoder.frameworks.named.tables import By
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import OF, SAID, Argument, Text, items, pieces

MADE = r"\(\)"
"""Ends patterns of receivers that are known by what made them, which another file may have done."""
_CHAIN = re.compile(r"[\w$]+(?:\??\.[\w$]+|\([^()\n]*\))*\??\.$")
LONGEST_CHAIN = 200
_LAST = re.compile(r"[\w$]+$")


def has_package(source: Source, packages: tuple[str, ...]) -> bool:
    """Whether a file imports one of these; one in front of which is a star, as the last part of a module."""
    return not packages or any(
        module.endswith(each[1:]) if each[0] == "*" else module.replace("\\", ".").startswith(each)
        for module in source.modules
        for each in packages
    )


def is_received(source: Source, call: int, pattern: str) -> bool:
    """Whether the name of a receiver, or what made it, is as a pattern says."""
    if not pattern:
        return True
    callee = source.code[call + op.CALLEE]
    if source.code[callee] == op.NAME:
        return re.search(pattern, "") is not None or re.search(pattern, source.name_of(callee)) is not None
    holder = source.code[callee + op.HOLDER]
    made = source.names(holder)
    if not made and source.code[holder] == op.CALL:
        made = [_chain(source, source.code[callee + op.BYTE])]
    return any(re.search(pattern, each) for each in (source.name_of(holder), *made)) or (
        pattern.endswith(MADE) and any(each.startswith("@") and each[1:] not in source.numbers for each in made)
    )


def _chain(source: Source, at: int) -> str:
    """The members and calls in front of a name, as written but for their arguments: `socket.to()`."""
    found = _CHAIN.search(source.text, max(0, at - LONGEST_CHAIN), at)
    return re.sub(r"\([^()]*\)", "()", found[0].rstrip("?.")) if found is not None else ""


def find_name(
    source: Source,
    by: By,
    call: int,
    position: int,
    keywords: tuple[str, ...],
    arguments: list[Argument],
    maker: int,
) -> Iterator[tuple[Text, int]]:
    """What a call says who is meant, and where; nothing if it says that in no way that is known."""
    code = source.code
    callee = code[call + op.CALLEE]
    holder = code[callee + op.HOLDER] if code[callee] in (op.ATTRIBUTE, op.PATH) else 0
    plain = [each for each in arguments if not each.keyword]
    if by in ("class", "symbol", "queue"):
        for each in _made_with(source, holder) if by == "queue" else [symbol_of(source, holder)]:
            if each:
                yield each, code[callee + op.BYTE]
        return
    named = next((each for each in arguments if each.keyword and each.keyword in keywords), None)
    if named is None:
        named = next(
            (each for options in plain for each in _options(source, options) if each.keyword in keywords), None
        )
    if named is None and position < len(plain):
        named = plain[position]
    if named is None:
        return
    if by == "text":
        for each in name_texts(source, named, keywords, maker):
            yield each, named.start
    elif by == "argument" and (key := find_symbol_key(source, named.start)):
        yield key, named.start
    elif by == "type":
        values = [code[at] for at in _plain_values(source, call)]
        for name in source.names(values[position]) if position < len(values) else ():
            if name.startswith("@") and name.endswith("()") and "()" not in name[:-2]:
                yield ((OF, name[1:-2]),), named.start
                return


def _options(source: Source, argument: Argument) -> Iterator[Argument]:
    """What an object of options says."""
    for each in items(argument, source.text) if argument.text[:1] == "{" else ():
        yield each if each.keyword else each._replace(keyword=each.text)  # `{ topic }`


def name_texts(source: Source, argument: Argument, keywords: tuple[str, ...], maker: int) -> Iterator[Text]:
    """The names that an argument says; several if it is a list."""
    listed = [argument._replace(keyword="")]
    if argument.text[:1] in ("[", "{", "(") and argument.text[-1:] in ("]", "}", ")"):
        listed = list(pieces(source.text, argument.start + 1, argument.start + len(argument.text)))
    elif (found := re.match(r"\[\]\w+\{", argument.text)) is not None:
        listed = list(pieces(source.text, argument.start + found.end(), argument.start + len(argument.text)))
    for each in listed:
        if each.keyword and each.keyword not in keywords:
            continue
        if source.language == "java" and (plain := re.fullmatch(r'"([^"\\]*)"', each.text)) is not None:
            yield ((SAID, plain[1]),)  # `${key}` is no part of the language
        else:
            yield source.said(each.start, each.text, maker)


def symbol_of(source: Source, e: int) -> Text:
    """The symbol that an expression names."""
    if source.code[e] not in (op.NAME, op.ATTRIBUTE, op.PATH):
        return ()
    target = source.target_at(source.code[e + op.BYTE])
    return ((OF, target),) if target else ()


def find_symbol_key(source: Source, byte: int) -> Text:
    """The symbol that a name in the source means, where it may be a path."""
    found = re.match(r"[\w$]+(?:(?:\.|\\|::)[\w$]+)*", source.text[byte : byte + 200].lstrip("\\"))
    if found is None:
        return ()
    start = byte + len(source.text[byte : byte + 200]) - len(source.text[byte : byte + 200].lstrip("\\"))
    for suffix in (".class", "::class"):
        if found[0].endswith(suffix):
            found = re.match(re.escape(found[0].removesuffix(suffix)), source.text[start:])
            assert found is not None
    last = _LAST.search(found[0])
    for at in (start + (last.start() if last else 0), start, byte):
        if target := source.target_at(at):
            return ((OF, target),)
    return ()


def _plain_values(source: Source, call: int) -> Iterator[int]:
    """Where the expressions of positional arguments are kept."""
    code = source.code
    for at in range(call + op.KEYWORDS, call + op.KEYWORDS + 2 * code[call + op.ARGUMENT_COUNT], 2):
        if code[at] < 0:
            yield at + 1


def _made_with(source: Source, holder: int) -> Iterator[Text]:
    """The text that the receiver was made with, `new Queue("mail")`; another file's constant by its id."""
    code = source.code
    if not holder:
        return
    origin = source.origin(holder)
    if code[origin] == op.CALL:
        first = next((each for each in source.arguments(origin) if not each.keyword), None)
        if first is not None:
            yield source.said(first.start, first.text, 0)
        return
    if key := symbol_of(source, holder):
        yield key
