"""The requests that a file sends, and the clients that it makes.

In: a file (`Source`). Out: rows. A call counts if its receiver is a client by the tables of clients.py, or is another
file's symbol, which may be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.addresses import hint_of
from rpg.encoder.frameworks.http.clients import BY_LANGUAGE, LIBRARIES, UNKNOWN, VERBS, Library, Sending
from rpg.encoder.frameworks.rows import Client, Passed, Request
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import (
    DEEPEST,
    DEFAULT,
    ENVIRONMENT,
    HOLE,
    OF,
    PARAMETER,
    RETURNED,
    SAID,
    Argument,
    Text,
    items,
)
from rpg.graph import FUNCTION_KINDS

_METHOD = re.compile(
    r"""(?:^|Method\.?|Method::|[."'`:])(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|[Gg]et|[Pp]ost|[Pp]ut|[Pp]atch|[Dd]elete"""
    r"""|[Hh]ead|[Oo]ptions)\b"""
)


_SENDS = re.compile(r"(?i)get|post|put|patch|del|fetch|request|api|http|send|load|query|call|ajax")
_NAMED = re.compile(r"[A-Z_a-z]\w*(?:(?:\.|::)\w+)*(?:\(.*\))?$", re.DOTALL)
"""A constant, or a function that may return an address."""
_OF_NAMED = frozenset(word for each in LIBRARIES if each.is_spelled_so for word in each.members)
_BELOW = re.compile(r"[A-Za-z][\w-]*(?:[./][\w.-]*)*(?:\?[\w=&%.,\[\]-]*)?")
_NO_PATH = re.compile(r"[\s<>\\]")
_VERB = re.compile(r"[\"'`](GET|POST|PUT|PATCH|DELETE)[\"'`]")
_STATED = re.compile(r"""\bmethod["']?\s*:\s*["'`](\w+)""")


def clients_of(source: Source) -> Iterator[Client]:
    """Constants and fields that hold a client, and functions that return one."""
    libraries = BY_LANGUAGE.get(source.language, ())
    for number, definition in enumerate(source.facts.definitions):
        if definition.kind in FUNCTION_KINDS:
            made = [name for name in source.returned_names(number) if name.endswith("()")]
            of = next((each for each in libraries if _is_held(each, made)), None) if made else None
            if of is not None:
                yield Client(f"{source.symbol(number)}()", of.name, *_base(source, of, source.returned(number)))
            continue
        if definition.kind not in ("constant", "field"):
            continue
        names = [name for name in source.names_of_definition(number) if name.endswith("()")]
        library = next((each for each in libraries if _is_held(each, names)), None) if names else None
        if library is not None:
            owner = max(definition.parent, 0)
            bound = source.bound(max(source.facts.definitions[owner].scope, 0), definition.name, -1)
            bound = bound or source.value_of_field(owner, definition.name)
            base, known = _base(source, library, bound)
            yield Client(source.symbol(number), library.name, base, known)


def _is_held(library: Library, names: list[str]) -> bool:
    """By what was called to make it."""
    return any(_is_named(name, holder) for name in names for holder in library.holders if holder.endswith("()"))


def _is_imported(source: Source, library: Library) -> bool:
    return not library.packages or any(module.startswith(library.packages) for module in source.modules)


def _is_symbol(name: str) -> bool:
    """Whether it is what another file defines, or what a function of one returns."""
    return name.startswith("@") and "::" in name and "()" not in name.removesuffix("()")


def _is_named(name: str, holder: str) -> bool:
    return name == holder or name.endswith((f".{holder}", f"/{holder}", f"\\{holder}"))


def requests_of(source: Source) -> Iterator[Request]:
    libraries = BY_LANGUAGE.get(source.language, ())
    members = frozenset(word for each in libraries for word in each.members)
    callables = {name.rpartition(".")[2]: None for each in libraries for name in each.callables}
    held = _called_fields(source, libraries)
    if members.isdisjoint(source.called_names) and source.called_names.isdisjoint(callables.keys() | held):
        return
    code = source.code
    for call, maker, callee, name in source.named_calls:
        if code[callee] != op.NAME and name in members:
            yield from _by_member(source, libraries, call, callee, name, maker)
        if name in callables or name in held:
            yield from _by_name(source, libraries, call, callee, name, maker)


def _called_fields(source: Source, libraries: tuple[Library, ...]) -> frozenset[str]:
    """Fields that hold a client which is called itself: `this.instance({ url })`."""
    made = [name for each in libraries for name in each.callables if name.endswith("()")]
    if not any(name.removesuffix("()").partition(".")[0] in source.text for name in made):
        return frozenset()
    return frozenset(
        each.name
        for number, each in enumerate(source.facts.definitions)
        if each.kind in ("field", "constant") and not set(made).isdisjoint(source.names_of_definition(number))
    )


def _by_member(
    source: Source, libraries: tuple[Library, ...], call: int, callee: int, name: str, maker: int
) -> Iterator[Request]:
    code = source.code
    if call in source.decorated or source.target_at(code[callee + op.BYTE]):
        return
    holder = code[callee + op.HOLDER]
    names = source.names(holder)
    foreign = [each[1:] for each in names if _is_symbol(each) and each[1:].removesuffix("()") not in source.numbers]
    known = [each for each in names if not _is_symbol(each)]
    for library in libraries:
        sending = library.members.get(name)
        if sending is None:
            continue
        if any(_is_named(each, held) for each in known for held in library.holders):
            yield from _request(source, library, sending, call, holder, "", maker)
            return
    if foreign and source.name_of(holder).lower().endswith("client") and (name in _OF_NAMED):
        foreign = []
    if foreign:
        for library in libraries:
            sending = library.members.get(name)
            if sending is not None:
                yield from _request(source, library, sending, call, 0, foreign[0], maker, name)
                return
    spelled = source.name_of(holder)
    for library in libraries if not known else ():
        sending = library.members.get(name)
        if (
            sending is not None
            and (spelled in library.spelled or (spelled.endswith("Client") and library.is_spelled_so))
            and (source.test or not library.in_tests)
            and _is_imported(source, library)
        ):  # fmt: skip
            yield from _request(source, library, sending, call, 0, "", maker, spelled=True)
            return


def _by_name(
    source: Source, libraries: tuple[Library, ...], call: int, callee: int, name: str, maker: int
) -> Iterator[Request]:
    code = source.code
    target = source.target_at(code[callee + op.BYTE])
    names = source.names(callee)
    if (target and not any("()" in each for each in names)) or call in source.decorated:
        return
    for library in libraries:
        for known, sending in library.callables.items():
            is_meant = known in names or (
                known == name and (bool(library.packages) or (name in library.spelled and not names))
            )
            if is_meant and (source.test or not library.in_tests) and _is_imported(source, library):
                yield from _request(source, library, sending, call, callee if known.endswith("()") else 0, "", maker)
                return


def _request(
    source: Source,
    library: Library,
    sending: Sending,
    call: int,
    holder: int,
    client: str,
    maker: int,
    member: str = "",
    spelled: bool = False,
) -> Iterator[Request]:
    arguments = source.arguments(call)
    plain = [each for each in arguments if not each.keyword]
    options = [item for each in arguments if each.text[:1] == "{" for item in items(each, source.text)]
    url = next((each for each in arguments if each.keyword in sending.url_keywords), None)
    at = sending.url
    if url is None and sending.method_at is not None and len(plain) == 1 and sending.otherwise:
        at = 0  # `cy.request("/users")`
    if url is None and at < len(plain):
        url = plain[at]
        if url.text[:1] == "{":
            url = next(
                (each for each in items(url, source.text) if (each.keyword or each.text) in sending.url_keywords), None
            )
    if url is None:
        return
    address = source.said(url.start, url.text, maker)
    parameter, name = _parameter_of(source, maker, address)
    if (
        parameter < 0
        and not is_address(
            address,
            (spelled and not library.is_spelled_alone and not source.test)
            or (bool(client) and not client.endswith("()")),
        )
        and not (client and is_relative_path(address))
        and (client or spelled or source.test or not is_computed(address))  # what is not known is counted
    ):
        return
    method = _method(source, library, sending, call, plain, [*arguments, *options])
    base, has_base = _base(source, library, holder) if holder else ((), not client and not spelled)
    yield Request(
        library.name, client, member, method, base, has_base, address, source.symbol(maker), source.place(url.start),
        is_test(source, maker), library.in_tests or source.test, library.is_relative, parameter, name,
    )  # fmt: skip


def is_test(source: Source, maker: int) -> bool:
    return source.test and source.file.is_test_function(source.facts.definitions[maker])


def _parameter_of(source: Source, maker: int, address: Text) -> tuple[int, str]:
    """The parameter that a part of an address is, by position and name."""
    definition = source.facts.definitions[maker]
    rows = source.facts.parameters.get(definition.scope, []) if definition.scope >= 0 else []
    names = [row.name.lstrip("$") for row in rows]
    receiver = source.facts.scopes[definition.scope].receiver if definition.scope >= 0 else ""
    if receiver and names[:1] == [receiver]:
        names = names[1:]
    found = -1, ""
    for at, (kind, word) in enumerate(address):
        if kind == HOLE and (name := word.lstrip("$&*")) in names and name:
            if at == 1 and found[0] >= 0:
                return names.index(name), word  # `{base}{path}`: what stands behind a base begins with a slash
            if found[0] < 0:
                found = names.index(name), word
    return found


def passed_by(source: Source) -> Iterator[Passed]:
    """Addresses that functions of the repository are passed, whose names say that they may send."""
    code = source.code
    sending = {name for name in source.called_names if _SENDS.search(name)}
    for call, maker, callee, name in source.named_calls if sending else ():
        if name not in sending:
            continue
        certain = source.target_at(code[callee + op.BYTE])
        target = certain or source.guessed_at(code[callee + op.BYTE])
        if not target:
            continue
        arguments = source.arguments(call)
        method = next(
            (
                word[1].upper()
                for each in arguments
                if (word := _STATED.search(each.text) or _VERB.fullmatch(each.text))
            ),
            "",
        )
        plain = [each for each in arguments if not each.keyword]
        for position, each in enumerate(plain[:3]):
            if each.text[:1] in "\"'`$f" or _NAMED.match(each.text):
                text = source.said(each.start, each.text, maker)
                if len(text) == 1 and text[0][0] == HOLE:
                    own, _ = _parameter_of(source, maker, text)
                    text = ((PARAMETER, str(own)),) if own >= 0 else text
                if any(
                    kind in (OF, RETURNED, PARAMETER)
                    or (kind == SAID and re.search(r"\w", word) and not re.search(r"[\s<>]", word))
                    for kind, word in text
                ):
                    yield Passed(
                        target, position, text, method, source.symbol(maker), source.place(each.start),
                        is_test(source, maker), bool(certain),
                    )  # fmt: skip


def is_address(address: Text, is_strict: bool = False) -> bool:
    """Whether a text may be an address: with a slash in what is said of it. `is_strict`: it begins with one."""
    said = [word for kind, word in address if kind in (SAID, DEFAULT)]
    if not address or not any("/" in word for word in said):
        return bool(address) and (
            address[0][0] in (OF, RETURNED)
            or (bool(hint_of(address)) and not any(re.search(r"[\s<>]", word) for word in said))
        )
    if any(character in word for word in said for character in " \n<>\\"):
        return False
    return not is_strict or address[0][0] != SAID or address[0][1].startswith(("/", "http"))


def is_computed(address: Text) -> bool:
    """Whether nothing of an address is said."""
    return bool(address) and all(kind in (HOLE, ENVIRONMENT) for kind, _ in address)


def is_relative_path(address: Text) -> bool:
    """Whether it may be a path below what its client says: `token`, `users/` and what stands behind it."""
    if not address or address[0][0] != SAID or _BELOW.fullmatch(address[0][1]) is None:
        return False
    return not any(kind == SAID and _NO_PATH.search(word) for kind, word in address[1:])


def _method(
    source: Source, library: Library, sending: Sending, call: int, plain: list[Argument], keyed: list[Argument]
) -> str:
    if sending.method:
        return sending.method
    stated = next((each for each in keyed if each.keyword in (sending.method_in, "method", "Method")), None)
    if stated is None and sending.method_at is not None and sending.method_at < len(plain) and len(plain) > sending.url:
        stated = plain[sending.method_at]
    if stated is not None:
        word = _METHOD.search(stated.text)
        return word[1].upper() if word else UNKNOWN
    if sending.otherwise and any(each.text.startswith("...") or each.text == "method" for each in keyed):
        return UNKNOWN
    if (
        sending.otherwise
        and len(plain) > 1
        and not any(each.text[:1] == "{" for each in plain[1:])
        and library.name == "fetch"
    ):
        return UNKNOWN  # its options are made elsewhere
    if library.name == "WebClient":
        held = source.names(source.code[source.code[call + op.CALLEE] + op.HOLDER])
        verb = held[0].removesuffix("()").rpartition(".")[2].upper() if held else ""
        return verb if verb in VERBS else UNKNOWN
    return sending.otherwise


def _base(source: Source, library: Library, made: int) -> tuple[Text, bool]:
    """What requests of a client are relative to, as far as the call says that makes it."""
    code = source.code
    made = source.origin(made)
    made = source.origin(source.held_by(made)) if made and source.held_by(made) else made
    for _ in range(DEEPEST):  # a function of the file that returns it
        if not made or code[made] != op.CALL:
            break
        number = source.numbers.get(source.target_at(code[code[made + op.CALLEE] + op.BYTE]), -1)
        if number < 0 or not (returned := source.returned(number)):
            break
        made = source.origin(returned)
    if not made or code[made] != op.CALL:
        return (), bool(made) and code[made] in (op.NAME, op.IMPORT, op.IMPORTED)
    arguments = source.arguments(made)
    keyed = [item for each in arguments if each.text[:1] in ("{", "[") for item in items(each, source.text)]
    for word in library.base:
        found = next((each for each in [*arguments, *keyed] if each.keyword == word), None)
        if found is None and word == "0":
            found = next((each for each in arguments if not each.keyword and each.text[:1] not in ("{", "[")), None)
        if found is not None:
            return source.said(found.start, found.text, 0), True
    return (), True


__all__ = ["HOLE", "clients_of", "is_address", "requests_of"]
