"""Fields that code declares or resolves: Graphene, Strawberry, Ariadne, NestJS and TypeGraphQL, Apollo's maps of
resolvers, Spring, DGS, GraphQL Java Kickstart, Hot Chocolate, graphql-ruby, gqlgen, Lighthouse.

In: a file (`Source`). Out: rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Definition
from rpg.encoder.frameworks.graphql.rows import declare, resolve
from rpg.encoder.frameworks.graphql.words import ROOTS
from rpg.encoder.frameworks.http.annotated import Annotation, annotations_of
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import pieces
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

Rows = Iterator[Setting | Reading]
MOST_READ: Final = 200_000
"""The most bytes of one map of resolvers that are read."""
_FIELD_KINDS: Final = frozenset({"field", "constant", "property"})
_NO_TYPE: Final = frozenset(
    "List NonNull Field Optional Union Annotated Task ValueTask IQueryable IEnumerable ICollection Array Promise"
    " Collection Set Connection Mono Flux CompletableFuture DjangoListField DjangoFilterConnectionField ListField"
    " ConnectionField Iterable Observable Types Type GraphQL Maybe Sequence Dict None".split()
)
_TYPE: Final = re.compile(r"\b[A-Z]\w*")
_ROOT: Final = re.compile(r"(Quer(?:y|ies)|Mutations?|Subscriptions?)$")


def rows_in_code(source: Source) -> Rows:
    reader = _READERS.get(source.language)
    if reader is not None:
        yield from reader(source)


def _of(text: str) -> str:
    """The type that an expression or annotation names."""
    return next((each for each in _TYPE.findall(text) if each not in _NO_TYPE), "")


def _root_of(name: str) -> str:
    """The type of the schema that a class adds to, by its name; empty if it is none of those where all begins."""
    found = _ROOT.search(name)
    return {"Q": "Query", "M": "Mutation", "S": "Subscription"}[found[1][0]] if found else ""


def _members(source: Source) -> dict[int, list[tuple[int, Definition]]]:
    found: dict[int, list[tuple[int, Definition]]] = {}
    for number, each in enumerate(source.facts.definitions):
        if each.parent > 0:
            found.setdefault(each.parent, []).append((number, each))
    return found


def _before(source: Source, definition: Definition) -> str:
    """What stands before the name of a definition, with its decorators."""
    return source.text[_start(source, definition) : definition.name_byte]


def _start(source: Source, definition: Definition) -> int:
    """Where its decorators begin: behind what ends before it."""
    low = max(0, definition.start_byte - 400)
    ends = [source.text.rfind(mark, low, definition.start_byte) for mark in ("}\n", ";\n", "\n\n", "{\n")]
    return min(definition.start_byte, max(low, *ends))


# Python

_GRAPHENE: Final = re.compile(r"(?:ObjectType|ObjectTypes?|Interface|InputObjectType|DjangoObjectType|object)\b")
_GRAPHENE_FIELD: Final = re.compile(
    r"\s*=\s*(?P<made>(?:\w+\.)*(?:[A-Z]\w*)(?:\.Field|\.List|\.ListField)?)\((?P<arguments>[^\n]*)"
)
_STRAWBERRY: Final = re.compile(r"@(?:\w+\.)*(?:type|input|interface)\b")


def _of_python(source: Source) -> Rows:
    text, members = source.text, _members(source)
    modules = " ".join(source.modules)
    graphene, strawberry = "graphene" in modules, "strawberry" in modules
    for number, each in enumerate(source.facts.definitions) if graphene or strawberry else ():
        if each.kind not in CLASS_KINDS:
            continue
        head = text[each.name_byte : each.name_byte + 300].partition(":\n")[0]
        is_strawberry = strawberry and _STRAWBERRY.search(_before(source, each)) is not None
        if not is_strawberry and not (graphene and _GRAPHENE.search(head)):
            continue
        types = list(dict.fromkeys(filter(None, (each.name.removesuffix("Type") or each.name, each.name))))
        types = list(dict.fromkeys([*types, *filter(None, [_root_of(each.name)])]))
        for type in types:
            yield from declare(source, type, "", "", number)
        for child, member in members.get(number, ()):
            behind = text[member.name_byte + len(member.name) : member.end_byte + 200]
            for type in types:
                yield from _python_member(source, type, child, member, behind, is_strawberry)
    yield from _of_ariadne(source)


def _python_member(source: Source, type: str, number: int, member: Definition, behind: str, typed: bool) -> Rows:
    if member.kind in FUNCTION_KINDS:
        if member.name.startswith("resolve_") and not typed:
            yield from resolve(source, type, member.name[8:], number)
        elif typed and re.search(r"@[\w.]*(?:field|mutation|subscription)\b", _before(source, member)):
            returned = re.search(r"\)\s*->\s*([^\n]+?):?\n", f"{behind}\n")
            yield from declare(source, type, member.name, _of(returned[1]) if returned else "", number)
            yield from resolve(source, type, member.name, number)
    elif member.kind in _FIELD_KINDS:
        if typed and (annotated := re.match(r"\s*:\s*([^=\n]+)", behind)) is not None:
            yield from declare(source, type, member.name, _of(annotated[1]), number)
        elif not typed and (made := _GRAPHENE_FIELD.match(behind)) is not None:
            of = _of(made["arguments"]) or (made["made"].rpartition(".")[0] if made["made"].endswith(".Field") else "")
            yield from declare(source, type, member.name, of.removesuffix("Type"), number)


def _of_ariadne(source: Source) -> Rows:
    if not any("ariadne" in each for each in source.modules):
        return
    code = source.code
    for call, maker in source.calls:
        callee = code[call + op.CALLEE]
        name = source.name_of(callee)
        if name not in ("field", "set_field") or code[callee] != op.ATTRIBUTE:
            continue
        made = source.origin(code[callee + op.HOLDER])
        arguments = source.arguments(call)
        if code[made] != op.CALL or not arguments:
            continue
        by = source.name_of(code[made + op.CALLEE])
        own = source.arguments(made)
        type = by.removesuffix("Type") if by != "ObjectType" else own[0].text.strip("\"'") if own else ""
        field = arguments[0].text.strip("\"'")
        number = source.decorated.get(call, -1)
        if number >= 0:
            yield from resolve(source, type, field, number, arguments[0].start)
        elif name == "set_field" and len(arguments) > 1 and (symbol := source.target_at(arguments[1].start)):
            yield from resolve(source, type, field, maker, arguments[0].start, symbol)


# TypeScript and JavaScript

_DECORATORS: Final = frozenset("Query Mutation Subscription ResolveField ResolveProperty FieldResolver Field".split())
_OF_CLASS: Final = re.compile(r"@(ObjectType|InputType|InterfaceType|Resolver)\(([^\n]*)")
_MAP: Final = re.compile(
    r"(?<![\w.$])(?:(?P<named>[A-Z]\w*)(?:\s*:\s*[\w.<>, |\[\]]+?\s*=|\s*[:=])"
    r"|\w+\s*:\s*(?P<typed>\w+)Resolvers(?:<[^<>\n]*>)?\s*=)\s*\{(?=\s*(?:[\w.\"']|/[/*]|\}))"
)
_ITEM: Final = re.compile(
    r"(?:\s*(?://[^\n]*\n|/\*.*?\*/))*\s*(?:async\s+|get\s+)?\*?\s*[\"']?(\w+)[\"']?\s*(?:[(<:]|$)", re.DOTALL
)


def _of_script(source: Source) -> Rows:
    text, definitions = source.text, source.facts.definitions
    if "@Resolver" in text or "@Field(" in text or "@ObjectType" in text:
        yield from _of_decorators(source)
    if "esolver" not in text and "esolver" not in source.path and "Query" not in text:
        return
    by_name: dict[str, list[int]] = {}
    for number, each in enumerate(definitions):
        if each.kind in FUNCTION_KINDS:
            by_name.setdefault(each.name, []).append(number)
    for found in _MAP.finditer(text):
        type = found["named"] or found["typed"]
        if source.is_comment(found.start()):
            continue
        for item in pieces(text, found.end(), min(len(text), found.end() + MOST_READ)):
            stated = _ITEM.match(item.text)
            field = item.keyword or (stated[1] if stated else "")
            if not field:
                continue
            where = item.start + (stated.start(1) if stated and not item.keyword else 0)
            end = item.start + len(item.text)
            inside = [each for each in by_name.get(field, ()) if item.start - 200 <= definitions[each].name_byte < end]
            inside = [each for each in inside if definitions[each].qualified_name.endswith(f"{type}.{field}")]
            last = re.search(r"(?:^|[\s:])(?:\w+\s*\.\s*)*(\w+)$", item.text)
            if inside:
                yield from resolve(source, type, field, inside[0])
            elif last is not None and (symbol := source.target_at(item.start + last.start(1))):
                yield from resolve(source, type, field, source.innermost(where), where, symbol)
            elif re.search(r"=>|\bfunction\b|\w\(", item.text):
                yield from resolve(source, type, field, source.innermost(where), where)


def _of_decorators(source: Source) -> Rows:
    members = _members(source)
    for number, each in enumerate(source.facts.definitions):
        if each.kind not in CLASS_KINDS:
            continue
        found = _OF_CLASS.search(_before(source, each))
        if found is None:
            continue
        stated = re.match(r"\s*[\"'](\w+)[\"']", found[2])
        type = stated[1] if stated else _of(found[2]) if found[1] == "Resolver" else each.name
        if found[1] != "Resolver":
            yield from declare(source, type, "", "", number)
        for child, member in members.get(number, ()):
            for decorator in annotations_of(source, child, _DECORATORS):
                yield from _decorated(source, type, found[1] == "Resolver", child, member, decorator)


def _decorated(
    source: Source, type: str, is_resolver: bool, number: int, member: Definition, decorator: Annotation
) -> Rows:
    said = ", ".join(each.text for each in decorator.arguments)
    named = re.match(r"[\"'](\w+)[\"']", said) or re.search(r"\bname\s*:\s*[\"'](\w+)[\"']", said)
    field = named[1] if named else member.name
    of = re.search(r"=>\s*\[?\s*(\w+)", said)
    behind = source.text[member.name_byte : member.end_byte]
    typed = re.match(r"\w+[!?]?\s*:\s*([^=;\n]+)", behind) or re.match(r"\w+\([^{]*?\)\s*:\s*([^{;]+)", behind)
    result = of[1] if of else _of(typed[1]) if typed else ""
    if decorator.name in ("Query", "Mutation", "Subscription"):
        type = decorator.name
    elif decorator.name != "Field" and not type:
        return
    is_declared = decorator.name == "Field" or of is not None or "()" in said
    if is_declared or not named:
        yield from declare(source, type, field, result, number)
    if is_resolver:
        yield from resolve(source, type, field, number)


# Java, Kotlin and C#

_MAPPED: Final = {
    "QueryMapping": "Query", "MutationMapping": "Mutation", "SubscriptionMapping": "Subscription",
    "DgsQuery": "Query", "DgsMutation": "Mutation", "DgsSubscription": "Subscription",
    "SchemaMapping": "", "BatchMapping": "", "DgsData": "",
}  # fmt: skip
_MAPPINGS: Final = frozenset(_MAPPED)
_FIRST_PARAMETER: Final = re.compile(
    r"\w+\s*\(\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:final\s+)?(?:\w+\s*:\s*)?(?:(?:List|Set|Collection)<)?([A-Z]\w*)"
)
_KICKSTART: Final = re.compile(r"\bGraphQL(Query|Mutation|Subscription)Resolver\b|\bGraphQLResolver<(\w+)>")


def _of_jvm(source: Source) -> Rows:
    definitions = source.facts.definitions
    members = _members(source)
    for number, each in enumerate(definitions):
        if each.kind in CLASS_KINDS:
            head = source.text[each.name_byte : each.name_byte + 400].partition("{")[0]
            for found in _KICKSTART.finditer(head):
                for child, member in members.get(number, ()):
                    if member.kind in FUNCTION_KINDS:
                        name = re.sub(r"^get(?=[A-Z])", "", member.name)
                        yield from resolve(source, found[1] or found[2], name, child)
            continue
        if each.kind not in FUNCTION_KINDS:
            continue
        for mapping in annotations_of(source, number, _MAPPINGS):
            words = {one.keyword or "value": one.text.strip('"') for one in mapping.arguments}
            field = words.get("field") or words.get("value") or words.get("name") or each.name
            type = _MAPPED[mapping.name] or words.get("typeName") or words.get("parentType", "")
            if not type and each.parent > 0:
                above = annotations_of(source, each.parent, _MAPPINGS)
                type = next(
                    (one.text.strip('"') for a in above for one in a.arguments if one.keyword == "typeName"), ""
                )
            if not type and (first := _FIRST_PARAMETER.match(source.text, each.name_byte)) is not None:
                type = first[1]
            type = type.rpartition(".")[2]
            field = field.rpartition(".")[2]
            if type:
                yield from resolve(source, {"QUERY": "Query", "MUTATION": "Mutation"}.get(type, type), field, number)


_EXTENDS: Final = re.compile(
    r"\[(?:\w+\(.*?\),\s*)?(?:ExtendObjectType(?:\(\s*(?:typeof\(|nameof\(|OperationTypeNames\.)?\"?|<)(?P<of>\w+)"
    r"|(?P<root>Query|Mutation|Subscription)Type\b|ObjectType<(?P<node>\w+)>)"
)
_DOTNET_NAME: Final = re.compile(r"^Get(?=[A-Z])|Async$")


def _of_dotnet(source: Source) -> Rows:
    members = _members(source)
    for number, each in enumerate(source.facts.definitions):
        if each.kind not in CLASS_KINDS:
            continue
        found = _EXTENDS.search(_before(source, each))
        type = (found["of"] or found["root"] or found["node"]) if found else ""
        type = type or (each.name if each.name.lower() in ROOTS else "")
        if not type:
            continue
        for child, member in members.get(number, ()):
            stated = source.text[member.start_byte : member.name_byte]
            if member.kind in FUNCTION_KINDS and "public" in stated and member.name != each.name:
                named = re.search(r"\[GraphQLName\(\"(\w+)\"", stated)
                field = named[1] if named else _DOTNET_NAME.sub("", member.name)
                yield from declare(source, type, field, _of(stated.rpartition("]")[2] + " "), child)
                yield from resolve(source, type, field, child)
            elif member.kind == "property" and "public" in stated:
                yield from declare(source, type, member.name, _of(stated.rpartition("]")[2]), child)


# Ruby

_RUBY_FIELD: Final = re.compile(r"^[ \t]*field[ (]\s*:(?P<name>\w+)(?P<rest>[^\n]*(?:,\s*\n[^\n]*)*)", re.MULTILINE)
_BY: Final = re.compile(r"\b(?:resolver|mutation|subscription)(?::|\s*=>)\s*(?:\w+::)*(\w+)")


def _of_ruby(source: Source) -> Rows:
    text, definitions, members = source.text, source.facts.definitions, _members(source)
    if "/graphql/" not in f"/{source.path}" and "GraphQL" not in text and "BaseObject" not in text:
        return
    for found in _RUBY_FIELD.finditer(text):
        number = source.innermost(found.start("name"))
        owner = definitions[number]
        if owner.kind not in CLASS_KINDS or source.is_comment(found.start()):
            continue
        stated = re.search(r"\bgraphql_name[ (]['\"](\w+)", text[owner.start_byte : owner.end_byte])
        type = stated[1] if stated else owner.name.removesuffix("Type")
        field, rest, byte = found["name"], found["rest"], found.start("name")
        yield from declare(source, type, field, _of(rest.partition(",")[2]).removesuffix("Type"), number, byte)
        by = _BY.search(rest)
        if by is not None:
            if symbol := source.target_at(found.start("rest") + by.start(1)):
                yield from resolve(source, type, field, number, byte, symbol)
            continue
        for child, member in members.get(number, ()):
            if member.name == field and member.kind in FUNCTION_KINDS:
                yield from resolve(source, type, field, child)


# Go and PHP


def _of_go(source: Source) -> Rows:
    if "Code generated by" in source.text[:400] and "gqlgen" in source.text[:400] and "resolver" not in source.path:
        return
    for number, each in enumerate(source.facts.definitions):
        struct = each.qualified_name.rpartition(".")[0]
        if each.kind == "method" and struct.endswith("esolver") and each.name[:1].isupper():
            type = struct[:-8].removeprefix("Root").removeprefix("root")
            for root in (type,) if type else ("Query", "Mutation", "Subscription"):
                yield from resolve(source, root, each.name, number)


_LIGHTHOUSE: Final = re.compile(r"(?:^|/)GraphQL/(Queries|Mutations|Subscriptions)/(\w+)\.php$")


def _of_php(source: Source) -> Rows:
    found = _LIGHTHOUSE.search(source.path)
    for number, each in enumerate(source.facts.definitions) if found else ():
        if found and each.kind in FUNCTION_KINDS and each.name in ("__invoke", "resolve"):
            yield from resolve(source, _root_of(found[1]), found[2], number)


_READERS: Final[dict[str, Callable[[Source], Rows]]] = {
    "python": _of_python,
    **dict.fromkeys(("javascript", "typescript", "tsx"), _of_script),
    **dict.fromkeys(("java", "kotlin", "scala", "groovy"), _of_jvm),
    "csharp": _of_dotnet, "ruby": _of_ruby, "go": _of_go, "php": _of_php,
}  # fmt: skip
