"""gRPC: what a service declares in a `.proto`, the class that serves it, and the calls of its clients.

In: a file (`Source`). Out: rows, named by service and method, `cart/additem`, as each language spells methods in its
own way. Generated code has no rows: what it calls is the same method again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Handler, Sender
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, Text, items
from rpg.graph import CLASS_KINDS

LIBRARY: Final = "gRPC"
DECLARED: Final = "proto"
"""The space of what a `.proto` declares."""
SERVED: Final = "grpc"
OF_STRUCT: Final = "grpc struct"
"""Go: which service a struct serves, whose methods may stand in other files of its folder."""
GO_METHOD: Final = "grpc method"
ACTION: Final = "action"
"""The space of controllers' methods, which routes name: `CartController@show`."""
BASE: Final = "action-base"
"""Of rows that name what a controller has methods from: its class, or a trait."""
REMOTE: Final = frozenset({DECLARED, SERVED, OF_STRUCT, GO_METHOD, ACTION, BASE})

_GENERATED: Final = re.compile(
    r"(_pb2(_grpc)?\.pyi?|\.pb(\.gw)?\.go|_(grpc_)?pb\.[\w.]+|Grpc(Kt)?\.(java|cs|kt)|\.connect\.go)$"
)
_MAY_BE_GENERATED: Final = re.compile(r"(?i)proto|grpc|_pb|\.pb|gen(erated)?/")
_BASES: Final = {
    "python": re.compile(r"\b(\w+)Servicer\b"),
    "java": re.compile(r"\bextends\s+(?:\w+\.)*(\w+?)ImplBase\b"),
    "kotlin": re.compile(r":\s*(?:\w+\.)*(\w+?)(?:Coroutine)?ImplBase\b"),
    "csharp": re.compile(r":\s*(?:\w+\.)*(\w+)\.\1Base\b"),
    "ruby": re.compile(r"<\s*(?:\w+::)*(\w+)::Service\b"),
    "cpp": re.compile(r":\s*public\s+(?:\w*::)*(\w+)::(?:Service|AsyncService|CallbackService)\b"),
    "scala": re.compile(r"\bextends\s+(?:\w+\.)*(\w+)Grpc\.\w+"),
}
"""By language: the service in the head of a class that serves it."""
_EMBEDDED: Final = re.compile(r"\b(?:Unimplemented|Unsafe)(\w+?)Server\b")
_REGISTERED: Final = re.compile(r"^Register(\w+?)Server$")
_IMPLEMENTED: Final = re.compile(r"\bimpl(?:<[^>{]*>)?\s+(?:\w+::)*(\w+)\s+for\s+\w+")
_MADE: Final = (
    re.compile(r"New(\w+?)Client\(\)$"),
    re.compile(r"(\w+)Grpc(?:Kt)?\.new\w*Stub\(\)(?:\.with\w+\(\))*$"),
    re.compile(r"(\w+?)(?:Blocking|BlockingV2|Future|Coroutine)?Stub(?:\.new)?\(\)(?:\.with\w+\(\))*$"),
    re.compile(r"(\w+)[.:]+Stub(?:\.new)?\(\)$"),
    re.compile(r"(\w+)Client(?:\.(?:new|connect|with_interceptor))?\(\)$"),
    re.compile(r"[./](\w+)\(\)$"),
)
"""What made a client, with the service."""
_MENTIONED: Final = ("grpc", "proto", "stub", "connectrpc", "tonic", "_pb")
"""What every file with a client has somewhere, in whatever case, or else the package `pb`."""
_PACKAGE: Final = re.compile(r"\bpb\.")
_ADDING: Final = frozenset({"addService", "GrpcMethod", "GrpcStreamMethod"})
_SPELLED: Final = re.compile(r"(?i)(stub|client|grpc)$")
_GO_SIGNATURE: Final = re.compile(r"\w+\s*\(\s*(?:\w+\s+)?(?:context\.Context|\*?\w+\.\w+_\w+Server|[^)]*ServerStream)")
_HEAD: Final = 400
_HEAD_END: Final = re.compile(r"[^{]*?(?=\{|:\s*\n|\n\s*\n|\n\s*def )")
ANY_SERVICE: Final = "*"


def key_of(service: str, method: str) -> Text:
    return ((SAID, f"{service.lower()}/{method.replace('_', '').lower()}"),)


def declared(source: Source) -> Iterator[Handler]:
    definitions = source.facts.definitions
    for number, each in enumerate(definitions):
        if each.kind == "method" and each.parent > 0:
            key = key_of(definitions[each.parent].name, each.name)
            yield Handler(LIBRARY, DECLARED, key, source.symbol(number), each.start_line)


def served(source: Source) -> Iterator[Handler | Sender]:
    """The methods that serve, and that they do what is declared."""
    if _GENERATED.search(source.path):
        return
    if source.language == "go":
        yield from _served_by_structs(source)
        return
    definitions = source.facts.definitions
    pattern = _BASES.get(source.language)
    serving: dict[str, list[str]] = {}
    for number, each in enumerate(definitions) if pattern else ():
        if each.kind in CLASS_KINDS and pattern is not None:
            start = each.name_byte
            until = _HEAD_END.match(source.text[start : start + _HEAD])
            head = until[0] if until else source.text[start : start + _HEAD].partition("\n")[0]
            services = [found[1] for found in pattern.finditer(head)]
            for base in re.findall(r"\w+", head)[1:] if serving else ():
                services += serving.get(base, ())
            if services:
                serving[each.name] = services
            for service in dict.fromkeys(services):
                yield from _methods(source, number, each.start_byte, each.end_byte, service)
    if source.language == "rust":
        for found in _IMPLEMENTED.finditer(source.text):
            end = source.text.find("\n}", found.end())
            yield from _methods(source, -1, found.end(), end if end >= 0 else len(source.text), found[1])
    yield from _added(source)


def _methods(source: Source, owner: int, start: int, end: int, service: str) -> Iterator[Handler | Sender]:
    for number, each in enumerate(source.facts.definitions):
        if each.kind not in ("method", "function") or not start <= each.start_byte < end:
            continue
        if owner < 0 or each.parent == owner:
            yield from _method(source, number, service, each.name)


def _method(source: Source, number: int, service: str, name: str) -> Iterator[Handler | Sender]:
    definition, key = source.facts.definitions[number], key_of(service, name)
    yield Handler(LIBRARY, SERVED, key, source.symbol(number), definition.start_line)
    yield Sender(LIBRARY, DECLARED, key, source.symbol(number), source.place(definition.name_byte), False)


def _served_by_structs(source: Source) -> Iterator[Handler | Sender]:
    folder = source.path.rpartition("/")[0]
    for number, each in enumerate(source.facts.definitions):
        if each.kind == "struct":
            for found in _EMBEDDED.finditer(source.text, each.name_byte, each.end_byte):
                yield Handler(LIBRARY, OF_STRUCT, ((SAID, f"{folder}:{each.name}"),), found[1], each.start_line)
        elif each.kind == "method" and _GO_SIGNATURE.match(source.text, each.name_byte):
            struct = each.qualified_name.rpartition(".")[0]
            name = f"{folder}:{struct}/{each.name}"
            yield Handler(LIBRARY, GO_METHOD, ((SAID, name),), source.symbol(number), each.start_line)
            place = source.place(each.name_byte)
            yield Sender(LIBRARY, GO_METHOD, ((SAID, name),), source.symbol(number), place, False)
    for call, _, _, name in source.named_calls:
        registered = _REGISTERED.match(name)
        arguments = source.arguments(call) if registered else []
        if registered is None or len(arguments) != 2:
            continue
        made = re.match(r"&?(\w+)\{|new\((\w+)\)", arguments[1].text)
        if made is not None:
            struct = made[1] or made[2]
            line = source.line(arguments[1].start)
            yield Handler(LIBRARY, OF_STRUCT, ((SAID, f"{folder}:{struct}"),), registered[1], line)


def _added(source: Source) -> Iterator[Handler | Sender]:
    """`server.addService(proto.Cart.service, { addItem })`, and NestJS's `@GrpcMethod("Cart", "AddItem")`."""
    for call, maker, _, name in source.named_calls if not _ADDING.isdisjoint(source.called_names) else ():
        arguments = source.arguments(call) if name in _ADDING else []
        if name == "addService" and len(arguments) == 2:
            found = re.search(r"(\w+?)\s*\.\s*service$|(\w+?)(?:Service)?(?:Definition)?$", arguments[0].text)
            services = dict.fromkeys(filter(None, (found[1], found[2], f"{found[2]}Service"))) if found else {}
            for each in items(arguments[1], source.text) if arguments[1].text[:1] == "{" else ():
                method = each.keyword or each.text
                target = re.match(r"(?:[\w$]+\.)*([\w$]+)(?:\.bind\(\w+\))?$", each.text)
                handler = source.target_at(each.start + target.start(1)) if target else ""
                for service in services if re.fullmatch(r"\w+", method) else ():
                    key = key_of(service, method)
                    yield Handler(LIBRARY, SERVED, key, handler or source.symbol(maker), source.line(each.start))
                    yield Sender(LIBRARY, DECLARED, key, source.symbol(maker), source.place(each.start), False)
        elif arguments and call in source.decorated:
            number = source.decorated[call]
            said = [source.said(each.start, each.text, 0) for each in arguments]
            words = [each[0][1] for each in said if len(each) == 1 and each[0][0] == SAID]
            if words:
                own = source.facts.definitions[number].name
                yield from _method(source, number, words[0], words[1] if len(words) > 1 else own)


def called(source: Source) -> Iterator[Sender]:
    """The calls of clients, and what they call as it is declared."""
    if _GENERATED.search(source.path) or not _is_mentioned(source.lower):
        return
    code = source.code
    for call, maker, callee, name in source.named_calls:
        if code[callee] not in (op.ATTRIBUTE, op.PATH) or call in source.decorated:
            continue
        target = source.target_at(code[callee + op.BYTE])
        if target and not _MAY_BE_GENERATED.search(target.partition("::")[0]):
            continue
        services = _services(source, code[callee + op.HOLDER], target)
        if not services:
            continue
        site = source.place(code[callee + op.BYTE])
        tests = is_test(source, maker)
        for service in services:
            for method in dict.fromkeys((name, name.removesuffix("Async"))):
                for space in (SERVED, DECLARED):
                    yield Sender(LIBRARY, space, key_of(service, method), source.symbol(maker), site, tests)


def _is_mentioned(text: str) -> bool:
    """Whether a text, which is in lower case, may have a client."""
    return any(word in text for word in _MENTIONED) or ("pb." in text and _PACKAGE.search(text) is not None)


def _services(source: Source, holder: int, target: str) -> list[str]:
    """The services that a receiver may be a client of; ANY_SERVICE where only its name says that it is one."""
    code = source.code
    if target:
        owner = target.partition("::")[2].rpartition(".")[0].rpartition(".")[2]
        found = re.fullmatch(r"(\w+?)(?:Blocking|Future|Coroutine)?(?:Client|Stub)", owner)
        return [found[1]] if found else []
    names = source.names(holder)
    made_by = _MADE if source.language in ("javascript", "typescript", "tsx") else _MADE[:-1]
    services = {
        found[1]: None
        for name in names
        if name.endswith("()")
        for made in made_by
        if (found := made.search(name)) is not None
    }
    origin = source.origin(holder)
    if code[origin] == op.CALL:
        arguments = source.arguments(origin)
        made = source.name_of(code[origin + op.CALLEE])
        if made in ("createClient", "createPromiseClient", "createCallbackClient", "getService") and arguments:
            services[re.sub(r"[\"'`]|Definition$", "", arguments[0].text)] = None
    is_known = any("()" in name and not name.startswith("@") for name in names)
    if not services and not is_known and _SPELLED.search(source.name_of(holder)):
        return [ANY_SERVICE]
    return list(services)
