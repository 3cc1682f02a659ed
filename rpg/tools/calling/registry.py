"""Turns a function into a tool: schemas from its signature, arguments checked against it, its answer as plain values.

In: a function whose first parameter is the `Call`, whose others are annotated with what clients are told, and which
returns a frozen dataclass. Out: input and output schema, description, and `run`. Nothing here knows MCP or a terminal,
and nothing is imported or built before it is needed.

Invariant: an argument that the tool does not have is refused by name, never dropped.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin

from rpg.errors import BadRequest, GraphNotLoaded
from rpg.queries.graph.budget import text_written
from rpg.system.imports import import_in_turn
from rpg.text.printable import make_printable, quote_text, shorten
from rpg.tools.calling.field import Field

if TYPE_CHECKING:
    from pydantic import BaseModel

    from rpg.tools.calling.call import Call

LONGEST_TEXT = 1_000
"""Length limit of an argument without its own limit, and of each item of a list."""
LONGEST_LIST = 100
STRICT = "strict"
"""The argument that makes a call about several graphs fail if one of them cannot answer."""
COMPLAINTS = 3
"""How many invalid arguments are listed; the rest is counted."""


class Tool(NamedTuple):
    """`module` contains a function of the tool's name, `text`, which renders its result, and, if the answer may be
    empty, `found`."""

    name: str
    command: str
    """Its name on the command line."""
    summary: str
    """For lists of commands."""
    read_only: bool = True
    destructive: bool = False
    network: bool = False
    lists_graphs: bool = False
    """Whether one answer has a part for each graph; other tools give a separate answer for each."""
    merging: str = ""
    """The module that makes one list of the hits of several graphs; empty: their answers follow one another."""
    across: str = ""
    """The module that finds what leads from one graph to another."""

    @property
    def module(self) -> str:
        return f"rpg.tools.{self.name}"

    @property
    def function(self) -> Callable[..., Any]:
        return getattr(import_in_turn(self.module), self.name)  # type: ignore[no-any-return]

    @property
    def description(self) -> str:
        return inspect.cleandoc(self.function.__doc__ or "")

    def text(self, result: Any) -> str:
        """The same answer as compact text."""
        if is_of_several(result):
            from rpg.tools.across.several import text_of_several

            return text_of_several(self, result)
        return text_written(result, import_in_turn(self.module).text).rstrip("\n")

    def found(self, result: Any) -> bool:
        """Whether the answer contains anything."""
        if is_of_several(result):
            from rpg.tools.across.several import has_found

            return has_found(result)
        predicate = getattr(import_in_turn(self.module), "found", None)
        return predicate is None or bool(predicate(result))

    def hits(self, result: Any) -> int:
        """How many of its results the answer of one graph contains."""
        counted = getattr(import_in_turn(self.module), "hits", None)
        return int(counted(result)) if counted is not None else int(self.found(result))

    def is_weak(self, result: Any) -> bool:
        """Whether the answer of one graph only comes close to the question."""
        predicate = getattr(import_in_turn(self.module), "is_weak", None)
        return predicate is not None and bool(predicate(result))

    def gains_from_budget(self, result: Any) -> bool:
        """Whether the answer of one graph, asked again with a larger budget, says more at little cost."""
        predicate = getattr(import_in_turn(self.module), "gains_from_budget", None)
        return predicate is not None and bool(predicate(result))

    def run(self, call: Call, arguments: Mapping[str, Any]) -> Any:
        """The answer of one graph or of several, with secrets masked. BAD_REQUEST for invalid arguments; whatever the
        tool itself raises."""
        import_in_turn("rpg.repository")  # which every answer needs, and whose parts other threads may import
        passed = check_arguments(self, arguments)
        is_strict = passed.pop(STRICT, False)
        if is_strict:
            call = call._replace(is_strict=True)
        several = call.graphs.served.select_graphs(passed.get("graph", "")) if self.answers_for_several else []
        if len(several) > 1:
            from rpg.tools.across.several import answer_of_several

            result: Any = answer_of_several(self, call, passed, several)
        else:
            result = self.answered(call, passed | ({"graph": str(several[0])} if several else {}))
        if call.graphs.settings.shows_secrets:
            return result
        from rpg.tools.calling.masked import mask_answer

        return mask_answer(result)

    @property
    def answers_for_several(self) -> bool:
        return self.read_only and not self.lists_graphs and "graph" in parameters(self)

    def answered(self, call: Call, arguments: Mapping[str, Any]) -> Any:
        """If the index turns out to be damaged, repeats the call on the rebuilt one."""
        try:
            return self.function(call, **arguments)
        except GraphNotLoaded as error:
            if not (self.read_only and error.is_repaired_on_retry):
                raise
        return self.function(call, **arguments)


def is_of_several(result: Any) -> bool:
    return type(result).__name__ == "AnswerOfSeveral"


@cache
def parameters(tool: Tool) -> dict[str, inspect.Parameter]:
    """The arguments that a client may pass: those of the function, and `strict` for several graphs."""
    signature = inspect.signature(tool.function, eval_str=True)
    passed = dict(list(signature.parameters.items())[1:])
    if tool.read_only and "graph" in passed:
        passed[STRICT] = inspect.Parameter(
            STRICT, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, Field(is_shown=False)]
        )
    return passed


@cache
def model(tool: Tool) -> type[BaseModel]:
    from pydantic import ConfigDict, create_model

    fields: dict[str, Any] = {
        name: (build_pydantic_type(each.annotation), ... if each.default is inspect.Parameter.empty else each.default)
        for name, each in parameters(tool).items()
    }
    return create_model(tool.name, __config__=ConfigDict(extra="forbid"), **fields)


def build_pydantic_type(annotation: Any) -> Any:
    from pydantic import Field as Judged

    constraints = [Judged(**each.judged()) if isinstance(each, Field) else each for each in metadata(annotation)]
    kind = bare(annotation)
    longest = most(annotation)
    if kind == list[str]:
        kind = list[Annotated[str, Judged(max_length=LONGEST_TEXT)]]
    if longest:
        constraints.append(Judged(max_length=longest))
    return Annotated[kind, *constraints] if constraints else annotation


def most(annotation: Any) -> int:
    """How many characters or items an argument may have: its own limit, else the general one; 0 if there is none."""
    for each in metadata(annotation):
        if isinstance(each, Field) and each.max_length is not None:
            return each.max_length
    kind = bare(annotation)
    return LONGEST_LIST if get_origin(kind) is list else LONGEST_TEXT if kind is str else 0


def bare(annotation: Any) -> Any:
    """The schema of just the type."""
    return annotation.__origin__ if metadata(annotation) else annotation


def metadata(annotation: Any) -> tuple[Any, ...]:
    return getattr(annotation, "__metadata__", ())


@cache
def input_schema(tool: Tool) -> dict[str, Any]:
    schema: dict[str, Any] = lean(model(tool).model_json_schema())
    return schema


@cache
def client_schema(tool: Tool, of_several: bool = False) -> dict[str, Any]:
    """The input schema as clients get it; they show all of it to a model before its first question: every argument with
    its type. Bounds that nobody reaches by accident, and unknown arguments, are not mentioned: the refusal says what to
    write instead. The first value of a choice is its default. `of_several`: whether there may be more than one
    graph."""
    schema: dict[str, Any] = brief(input_schema(tool))
    schema.pop("additionalProperties", None)
    if not of_several:
        schema["properties"].pop(STRICT, None)
    for name, each in parameters(tool).items():
        if name not in schema["properties"]:
            continue
        entry = schema["properties"][name]
        fields = [field for field in metadata(each.annotation) if isinstance(field, Field)]
        listed = entry.get("items", {})
        if "enum" in listed:
            listed["enum"] = [value for value in listed["enum"] if not any(value in field.synonyms for field in fields)]
        if "enum" in entry:
            entry["enum"] = [value for value in entry["enum"] if not any(value in field.synonyms for field in fields)]
            if entry.get("default") == entry["enum"][0]:
                del entry["default"]
        if not all(field.is_shown for field in fields):
            entry.pop("description", None)
            entry.pop("default", None)
            if "enum" in entry.get("items", ()):
                entry["items"] = {"type": "string"}
        if any(field.is_repeated for field in fields):
            schema["properties"][name] = {"type": "string"}
    return schema


UNSHOWN = frozenset({"maxLength", "maxItems", "minLength", "minItems", "minimum", "maximum"})


def brief(schema: Any) -> Any:
    if isinstance(schema, list):
        return [brief(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    shortened: dict[str, Any] = {}
    for key, value in schema.items():
        if key in UNSHOWN or (key == "type" and "enum" in schema):
            continue
        if key == "properties":
            shortened[key] = {name: brief(item) for name, item in value.items()}
        else:
            shortened[key] = [item for item in value if item] if key == "enum" else brief(value)
    return shortened


@cache
def output_schema(tool: Tool) -> dict[str, Any]:
    from pydantic import TypeAdapter

    result = inspect.signature(tool.function, eval_str=True).return_annotation
    schema: dict[str, Any] = lean(TypeAdapter(result).json_schema(mode="serialization"))
    return schema


@cache
def schema_of_answers(tool: Tool) -> dict[str, Any]:
    """The schema of whatever a server sends: the answer of one graph or of several."""
    one = output_schema(tool)
    if not tool.answers_for_several:
        return one
    from pydantic import TypeAdapter

    from rpg.tools.across.several import AnswerOfSeveral

    several = lean(TypeAdapter(AnswerOfSeveral).json_schema(mode="serialization"))
    definitions = {**several.pop("$defs", {}), **one.get("$defs", {})}
    alternatives = [{key: value for key, value in one.items() if key != "$defs"}, several]
    return {"type": "object", "anyOf": alternatives, "$defs": definitions}


def lean(schema: Any) -> Any:
    """The schema without titles, without defaults that mean the same as leaving the argument out, and without the docs
    of result classes."""
    if isinstance(schema, list):
        return [lean(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    shortened = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue
        if key == "default" and value in ("", [], None, False, {}):
            continue
        if key == "description" and "properties" in schema:
            continue
        if key in ("properties", "$defs"):
            shortened[key] = {name: lean(item) for name, item in value.items()}
        else:
            shortened[key] = lean(value)
    return shortened


def check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the function takes them; BAD_REQUEST lists everything that is wrong with them."""
    passed = prepare_arguments(tool, arguments)
    known = parameters(tool)
    needed = {name for name, each in known.items() if each.default is inspect.Parameter.empty}
    if needed <= passed.keys() <= known.keys() and all(is_plainly_right(known[name], passed[name]) for name in passed):
        return passed
    return check_with_pydantic(tool, passed)


def is_plainly_right(parameter: inspect.Parameter, value: Any) -> bool:
    """Whether no check is needed: a value of exactly the type, if that has no limits."""
    if any(not isinstance(each, Field) or each.is_bounded for each in metadata(parameter.annotation)):
        return False
    kind = bare(parameter.annotation)
    if get_origin(kind) is list:
        is_list = type(value) is list and len(value) <= LONGEST_LIST and get_args(kind) == (str,)
        return is_list and all(type(each) is str and len(each) <= LONGEST_TEXT for each in value)
    return type(value) is kind and (kind is bool or (kind is str and len(value) <= LONGEST_TEXT))


def check_with_pydantic(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    from pydantic import ValidationError

    try:
        valid = model(tool).model_validate(arguments)
    except ValidationError as error:
        wrong = error.errors()
        more = f"; and {len(wrong) - COMPLAINTS} more" if len(wrong) > COMPLAINTS else ""
        raise BadRequest("; ".join(complaint(tool, each) for each in wrong[:COMPLAINTS]) + more) from None
    return {name: getattr(valid, name) for name in parameters(tool)}


def prepare_arguments(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Accepts what clients mean: null for an argument not given, one value for a list of one, a list for several
    graphs."""
    known = parameters(tool)
    out = {}
    for name, value in arguments.items():
        if value is None:
            continue
        if not all(is_writable(each) for each in (value if isinstance(value, list) else (value,))):
            raise BadRequest(f"argument {quote_text(name)} of {tool.name} contains a NUL, or text that is not UTF-8")
        if name in known and isinstance(value, str) and takes_list(known[name].annotation):
            value = parse_json_list(value) if value.lstrip().startswith("[") else [value] if value else []
        elif name in known and isinstance(value, list) and takes_joined(known[name].annotation):
            value = ",".join(value) if all(isinstance(each, str) for each in value) else value
        if name in known and isinstance(value, str):
            value = guesses_of(known[name].annotation).get(value, value)
        out[name] = value
    return out


def takes_list(annotation: Any) -> bool:
    return get_origin(bare(annotation)) is list


def guesses_of(annotation: Any) -> Mapping[str, str]:
    """What words mean that are not values of an argument, but are plainly meant as one."""
    return next((each.guesses for each in metadata(annotation) if isinstance(each, Field) and each.guesses), {})


def takes_joined(annotation: Any) -> bool:
    return any(isinstance(each, Field) and each.is_joined for each in metadata(annotation))


def is_writable(value: Any) -> bool:
    """Whether it is safe in file names, databases and answers."""
    if not isinstance(value, str):
        return True
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
    return "\0" not in value


def parse_json_list(value: str) -> Any:
    import orjson

    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return [value]


def complaint(tool: Tool, error: Any) -> str:
    name = ".".join(map(str, error["loc"]))[:200]
    if error["type"] == "extra_forbidden":
        from difflib import get_close_matches

        close = get_close_matches(name, parameters(tool), 1)
        suggestion = f" (did you mean {close[0]!r}?)" if close else ""
        return f"{tool.name} has no argument {quote_text(name)}{suggestion}; it takes: {', '.join(parameters(tool))}"
    if error["type"] == "missing":
        return f"{tool.name} needs the argument {name!r}"
    message = error["msg"][:1].lower() + error["msg"][1:]
    passed = error["input"]
    if error["type"] in ("string_too_long", "too_long"):
        return f"argument {quote_text(name)} of {tool.name}: {message}, not {len(passed):,}"
    shown = (
        quote_text(passed)
        if isinstance(passed, str)
        else shorten(make_printable(f"{type(passed).__name__} {passed!r:.200}"), 99)
    )
    return f"argument {quote_text(name)} of {tool.name}: {message}, not {shown}"
