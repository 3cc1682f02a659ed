"""Where code reads a variable of the environment, or a key of its configuration.

In: a file (`Source`). Out: rows; those whose name is a parameter of the function say which, and calls of functions of
the repository say what text they pass, so that `port("PORT", 80)` reads PORT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import KEY as IS_KEY
from rpg.encoder.facts import MAKER, ROLE, SITE_WORDS, WRITE
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading
from rpg.encoder.frameworks.settings.files import VALUED
from rpg.encoder.frameworks.settings.stated import KEY, VARIABLE, plain_key
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import HOLE, OF, SAID, Text, join_parts, split_at_commas
from rpg.encoder.languages.environment import FUNCTIONS, MAPPINGS, READ_BY, READERS
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_VIPER: Final = re.compile(r"(?:^|[./])viper(?:\.New\(\))?$")
_OF_VIPER: Final = frozenset("Get GetString GetInt GetBool GetDuration GetInt64 GetFloat64 GetStringSlice".split())
_TAG: Final = re.compile(r"`[^`\n]*?\b(?:env|envconfig):\"([A-Za-z_]\w*)")
_SCHEMA: Final = re.compile(
    r"\bcleanEnv\(\s*process\.env\s*,\s*(?P<clean>\{|[A-Za-z_$][\w$]*)|\bz\.object\(\s*(?P<zod>\{)"
)
_SCHEMA_KEY: Final = re.compile(r"^\s*[\"']?([A-Z][A-Z0-9_]+)[\"']?\s*:", re.MULTILINE)
_OF_SPRING: Final = re.compile(r"@Value\(\s*(?:value\s*=\s*)?(\"(?:[^\"\\\n]|\\.)*\")")
_PLACEHOLDER: Final = re.compile(r"\$\{([\w.\-]+)")
_PREFIX: Final = re.compile(r"@ConfigurationProperties\(\s*(?:prefix\s*=\s*|value\s*=\s*)?\"([\w.\-]+)\"")
_PREFIXED: Final = re.compile(
    r"@ConfigurationProperties\(\s*(?:(?:prefix|value)\s*=\s*)?(\"[\w.\-]+\"|[A-Z][\w.]*)\s*[,)]"
)
_PROPERTY: Final = re.compile(r"\.getProperty\(\s*\"([\w.\-]+)\"")
_IN_ANNOTATION: Final = re.compile(
    r"@(?!Value\b)[A-Z]\w*\((?:[^()\"]|\"(?:[^\"\\$\n]|\\.)*\")*\"(?:[^\"\\\n$]|\\[^$\n])*\\?\$\{([\w.\-]+)"
)
"""`@Client("${shop.url}")`, `@KafkaListener(topics = "${shop.topic}")`."""
_BY_NAME: Final = re.compile(
    r"@(?:ConfigProperty|Property)\(\s*(?:name\s*=\s*|value\s*=\s*)?\"([\w.\-]+)\"\s*[),](?!\s*value)"
)
_OF_DOTNET: Final = re.compile(
    r"\b_?(?:[cC]onfig(?:uration)?|cfg)\s*"
    r"(?P<how>\[|\.(?:GetValue<[^<>()]*(?:<[^<>]*>)?>|GetSection|GetRequiredSection|GetConnectionString)\()\s*(?P<name>\$?\"[^\"\n]+\")"
)
_OF_PHP: Final = re.compile(
    r"(?:(?<![\w>:$\\])config\(|\bConfig::(?:get|has|boolean|string|integer)\(|\bconfig\(\)->get\()"
    r"\s*['\"]([\w.-]+)['\"]"
)
_OF_NODE: Final = re.compile(
    r"\b\w*[cC]onfig(?:Service)?\.(?:get|getOrThrow|has)(?:<[\w\[\]<>, ]*>)?"
    r"\(\s*[\"']([A-Za-z][\w-]*(?:\.[\w-]+)+)[\"']"
)
_OF_SHELL: Final = re.compile(r"(?<![\\$\w])\$(?:\{([A-Z][A-Z0-9_]+)(?=[:}\-=?+])|([A-Z][A-Z0-9_]+))")
_SET_BY_SHELL: Final = re.compile(
    r"^[ \t]*(?:export[ \t]+|local[ \t]+|readonly[ \t]+|declare[ \t]+(?:-\w+[ \t]+)*)?([A-Z][A-Z0-9_]+)="
    r"|\bfor[ \t]+([A-Z_]+)\b|\bread[ \t]+(?:-\w+[ \t]+)*([A-Z_]+)",
    re.MULTILINE,
)
_OF_PARAMETER: Final = re.compile(
    r"(?:\bENV(?:\[|\.fetch\(|\.fetch\s+|\.key\?\()|\bgetenv\(|GetEnvironmentVariable\(|\benv::var\(|\bvar_os\()\s*&?"
    r"(\$?[a-z]\w*)\s*[\]),]"
)
OF_RECEIVER: Final = 1000
"""The position of the value whose method is called."""
_OF_GO_TYPE: Final = re.compile(r"\bos\.(?:Getenv|LookupEnv)\(\s*string\(\s*(\w+)\s*\)\s*\)")


def readings_of(source: Source) -> Iterator[Reading]:
    if source.language in VALUED:
        yield from _by_value(source)
        yield from _passed(source)
        yield from _declared(source)
    yield from _by_text(source)


def _by_value(source: Source) -> Iterator[Reading]:
    sites, code = source.facts.sites, source.code
    for at in range(0, len(sites), SITE_WORDS):
        e, role, maker = sites[at], sites[at + ROLE], sites[at + MAKER]
        operation = code[e]
        name = 0
        if operation == op.SUBSCRIPT and role not in (WRITE, IS_KEY):
            name = code[e + op.INDEX] if _is_mapping(source, code[e + op.HOLDER]) else 0
        elif operation == op.CALL:
            name = _asked_by(source, e)
        elif operation == op.OPERATION and source.strings[code[e + op.WORD]] in ("in", "not in"):
            left, right = code[e + op.LEFT], code[e + op.RIGHT]
            name = right if _is_mapping(source, left) else left if right and _is_mapping(source, right) else 0
        elif operation in (op.ATTRIBUTE, op.PATH) and role != WRITE:
            member = source.name_of(e)
            if member.isupper() and _is_mapping(source, code[e + op.HOLDER], ".env"):
                yield _reading(source, ((SAID, member),), maker, code[e + op.BYTE])
            continue
        if name:
            text, parameter = _said(source, name, maker)
            yield _reading(source, text, maker, code[name + op.BYTE])._replace(parameter=parameter)


def _reading(source: Source, text: Text, maker: int, byte: int, space: str = VARIABLE) -> Reading:
    return Reading(space, text, source.symbol(maker), source.place(byte), is_test(source, maker))


def _is_mapping(source: Source, e: int, ending: str = "") -> bool:
    if source.code[e] not in (op.NAME, op.ATTRIBUTE, op.PATH):
        return False
    member = source.name_of(e)
    if source.code[e] != op.NAME and "env" not in member:
        return False
    return any(each in MAPPINGS and each.endswith(ending) for each in _names(source, e))


def _names(source: Source, e: int) -> list[str]:
    """What an expression is called, `import.meta` as it is written."""
    if source.code[e] in (op.ATTRIBUTE, op.PATH) and source.code[source.code[e + op.HOLDER]] == op.LITERAL:
        at = source.code[e + op.BYTE]
        return ["import.meta.env"] if source.text[max(0, at - 12) : at].endswith("import.meta.") else []
    return source.names(e)


def _asked_by(source: Source, call: int) -> int:
    """The expression of the name that a call asks for; 0 if it asks for none."""
    code = source.code
    callee = code[call + op.CALLEE]
    if code[callee] not in (op.NAME, op.ATTRIBUTE, op.PATH) or not code[call + op.ARGUMENT_COUNT]:
        return 0
    if code[call + op.KEYWORDS] != op.POSITIONAL:
        return 0
    member, first = source.name_of(callee), code[call + op.ARGUMENTS]
    if code[callee] != op.NAME and member in READERS and _is_mapping(source, code[callee + op.HOLDER]):
        return first
    if code[callee] != op.NAME and member in _OF_VIPER:
        is_viper = any(_VIPER.search(each) for each in source.names(code[callee + op.HOLDER]))
        return first if is_viper else 0
    holder = source.name_of(code[callee + op.HOLDER]) if code[callee] != op.NAME else ""
    if "env" not in member.lower() and "env" not in holder.lower() and member != "config":
        return 0
    for each in source.names(callee):
        if each in FUNCTIONS or each.startswith(
            ("environ.Env().", "environs.Env()", "starlette.config.Config()", "decouple.AutoConfig()")
        ):
            return first
    return 0


def _said(source: Source, e: int, maker: int) -> tuple[Text, int]:
    """What a name is, and which parameter of the function; -1 if it is none."""
    code = source.code
    if code[e] == op.STRING:
        return ((SAID, source.strings[code[e + op.WORD]]),), -1
    origin = source.origin(e)
    if code[origin] == op.STRING:
        return ((SAID, source.strings[code[origin + op.WORD]]),), -1
    if code[origin] == op.PARAMETER:
        return ((HOLE, ""),), _position(source, maker, origin)
    if code[e] in (op.NAME, op.ATTRIBUTE, op.PATH):
        target = source.target_at(code[e + op.BYTE])
        number = source.numbers.get(target, -1) if target else -1
        if number >= 0:
            return source.said_by(number) or ((HOLE, ""),), -1
        if target:
            return ((OF, target),), -1
    return ((HOLE, ""),), -1


def _position(source: Source, maker: int, parameter: int) -> int:
    """The position of a parameter, without a receiver; -1 if it is another function's."""
    scope = source.facts.definitions[maker].scope
    if scope < 0 or source.code[parameter + op.SCOPE] != scope:
        return -1
    receiver = source.facts.scopes[scope].receiver
    rows = source.facts.parameters.get(scope, [])
    position = source.code[parameter + op.POSITION]
    return position - 1 if receiver and rows and rows[0].name == receiver else position


def _passed(source: Source) -> Iterator[Reading]:
    """Names that functions of the repository are passed, which may read them."""
    code = source.code
    is_go = source.language == "go"
    for call, maker, callee, name in source.named_calls:
        if is_go and not code[call + op.ARGUMENT_COUNT] and code[callee] in (op.ATTRIBUTE, op.PATH):
            yield from _of_receiver(source, maker, callee, name)
        for position in range(min(3, code[call + op.ARGUMENT_COUNT])):
            at = call + op.KEYWORDS + 2 * position
            value = code[at + 1]
            if code[at] != op.POSITIONAL or code[value] != op.STRING:
                continue
            said = source.strings[code[value + op.WORD]]
            if _NAME.fullmatch(said) and (target := source.target_at(code[callee + op.BYTE])):
                found = _reading(source, ((SAID, said),), maker, code[value + op.BYTE])
                yield found._replace(through=target, parameter=position)


_OF_VARIABLE: Final = re.compile(r"(?i)env|val|get|string|lookup|read|bool|int")


def _of_receiver(source: Source, maker: int, callee: int, name: str) -> Iterator[Reading]:
    """A constant whose method is called, which may read the variable that it says."""
    holder = source.code[callee + op.HOLDER]
    if _OF_VARIABLE.match(name) is None or source.code[holder] not in (op.NAME, op.ATTRIBUTE, op.PATH):
        return
    called = source.name_of(holder)
    if "nv" not in called and not called.isupper():
        return
    target = source.target_at(source.code[callee + op.BYTE])
    if target:
        text, parameter = _said(source, holder, maker)
        if parameter < 0:
            found = _reading(source, text, maker, source.code[holder + op.BYTE])
            yield found._replace(through=target, parameter=OF_RECEIVER)


def _declared(source: Source) -> Iterator[Reading]:
    """Fields of settings, and schemas of the environment."""
    if source.language == "python" and "BaseSettings" in source.strings:
        for number, definition in enumerate(source.facts.definitions):
            if definition.kind not in CLASS_KINDS or not _is_of_settings(source, number):
                continue
            head = source.text[definition.start_byte : definition.end_byte]
            prefix = re.search(r"env_prefix\s*=\s*[\"'](\w*)[\"']", head)
            for each in source.facts.definitions:
                if each.parent == number and each.kind in ("field", "constant") and each.name[0] != "_":
                    line = source.text[each.name_byte : source.text.find("\n", each.name_byte)]
                    other = re.search(r"\b(?:env|alias|validation_alias)\s*=\s*[\"'](\w+)[\"']", line)
                    name = other[1] if other else ((prefix[1] if prefix else "") + each.name).upper()
                    if each.name != "model_config":
                        yield _reading(source, ((SAID, name),), number, each.name_byte)
    if source.language == "go" and ("env:" in source.text or "envconfig:" in source.text):
        for found in _TAG.finditer(source.text):
            if not source.is_comment(found.start(1)):
                yield _reading(source, ((SAID, found[1]),), _around(source, found.start(1)), found.start(1))
    for found in _SCHEMA.finditer(source.text) if "process.env" in source.text else ():
        yield from _of_schema(source, found)


def _is_of_settings(source: Source, number: int) -> bool:
    """Whether a class is derived from pydantic's settings."""
    for _, base in source.facts.bases.get(number, ()):
        if any(each.endswith("BaseSettings") for each in source.names(base)):
            return True
    return False


def _of_schema(source: Source, found: re.Match[str]) -> Iterator[Reading]:
    """`cleanEnv(process.env, { PORT: num() })`, or the object of a name in place of the literal."""
    if source.is_comment(found.start()):
        return
    begin = found.end() - 1
    if found["zod"] is None and found["clean"] != "{":
        stated = re.search(rf"\b{re.escape(found['clean'])}\s*=\s*\{{", source.text)
        if stated is None:
            return
        begin = stated.end() - 1
    maker = _around(source, found.start())
    for start, end in split_at_commas(source.text, begin + 1, min(len(source.text), begin + 40_000)):
        if (key := _SCHEMA_KEY.search(source.text, start, end)) is not None and not source.is_comment(key.start(1)):
            yield _reading(source, ((SAID, key[1]),), maker, key.start(1))


def _around(source: Source, byte: int) -> int:
    """The innermost function or class around a place."""
    found = 0
    for number, each in enumerate(source.facts.definitions):
        if number and each.start_byte <= byte < each.end_byte and each.kind in FUNCTION_KINDS | CLASS_KINDS:
            found = number
    return found


def _of_properties(source: Source) -> Iterator[Reading]:
    """Fields of a class that Spring binds the keys below a prefix to."""
    definitions = source.facts.definitions
    for found in _PREFIXED.finditer(source.text):
        if source.is_comment(found.start(1)):
            continue
        prefix = source.said(found.start(1), found[1], 0)
        owner = next(
            (at for at, each in enumerate(definitions) if each.kind in CLASS_KINDS and each.name_byte > found.end()), 0
        )
        for each in definitions if owner else ():
            if each.parent == owner and each.kind in ("field", "property"):
                yield _reading(source, join_parts([*prefix, (SAID, f".{each.name}")]), owner, each.name_byte, KEY)


def _in_shell(source: Source) -> Iterator[Reading]:
    own = {word for found in _SET_BY_SHELL.finditer(source.text) for word in found.groups() if word}
    for found in _OF_SHELL.finditer(source.text):
        group = 1 if found[1] else 2
        if found[group] not in own and not source.is_comment(found.start()):
            at = found.start(group)
            yield _reading(source, ((SAID, found[group]),), _around(source, at), at)


def _by_wrappers(source: Source) -> Iterator[Reading]:
    """Calls of functions of the file itself that read what they are passed."""
    for found in _OF_PARAMETER.finditer(source.text):
        maker = _around(source, found.start())
        definition = source.facts.definitions[maker]
        if not maker or definition.kind not in FUNCTION_KINDS or source.is_comment(found.start()):
            continue
        head = source.text[definition.name_byte : found.start()].split("\n", 1)[0]
        if not re.search(rf"[(,\s]{re.escape(found[1])}\b", head[len(definition.name) :]):
            continue
        for call in re.finditer(
            rf"(?<!def )\b{re.escape(definition.name)}[( ]\s*[\"']({_NAME.pattern})[\"']", source.text
        ):
            if not source.is_comment(call.start()):
                yield _reading(source, ((SAID, call[1]),), _around(source, call.start(1)), call.start(1))


def _by_type(source: Source) -> Iterator[Reading]:
    """Constants of a type of Go whose method reads the variable that it says."""
    for found in _OF_GO_TYPE.finditer(source.text):
        maker = _around(source, found.start())
        head = source.text[source.facts.definitions[maker].start_byte : found.start()]
        receiver = re.search(rf"\bfunc\s*\(\s*{re.escape(found[1])}\s+\*?(\w+)\s*\)", head)
        if receiver is None:
            continue
        reading = _reading(source, ((HOLE, ""),), maker, found.start(1))
        yield reading._replace(parameter=OF_RECEIVER)
        for each in re.finditer(rf"^\s*(?:const\s+)?(\w+)\s+{receiver[1]}\s*=\s*\"(\w+)\"", source.text, re.MULTILINE):
            number = source.innermost(each.start(1))
            yield _reading(source, ((SAID, each[2]),), number, each.start(1))


def _by_text(source: Source) -> Iterator[Reading]:
    text, language = source.text, source.language
    if language == "bash":
        yield from _in_shell(source)
        return
    if language not in VALUED:
        yield from _by_wrappers(source)
    elif language == "go":
        yield from _by_type(source)
    elif language != "python" and "onfig" in text:
        for found in _OF_NODE.finditer(text):
            if not source.is_comment(found.start()):
                said = ((SAID, plain_key(found[1])),)
                yield _reading(source, said, _around(source, found.start(1)), found.start(1), KEY)
    if language in ("php", "blade"):
        for found in _OF_PHP.finditer(text):
            if not source.is_comment(found.start()):
                said = ((SAID, plain_key(found[1])),)
                yield _reading(source, said, _around(source, found.start(1)), found.start(1), KEY)
    for row in READ_BY:
        if language not in row.languages or row.text not in text or row.by in ("@Value", "System.getProperty"):
            continue
        for found in row.pattern.finditer(text):
            if language in VALUED and row.by == "import.meta.env":
                continue
            if not source.is_comment(found.start()):
                yield _reading(source, ((SAID, found[2]),), _around(source, found.start()), found.start(2))
    if language in ("java", "kotlin"):
        for found in _OF_SPRING.finditer(text):
            for name in _PLACEHOLDER.finditer(text, found.start(1), found.end(1)):
                yield from _named(source, name)
        for found in _IN_ANNOTATION.finditer(text) if "${" in text else ():
            yield from _named(source, found)
        for found in (*_PROPERTY.finditer(text), *_BY_NAME.finditer(text)):
            yield from _named(source, found)
        if "@ConfigurationProperties" in text:
            for found in _PREFIX.finditer(text):
                for each in _named(source, found):
                    yield each._replace(known=False)  # no variable is called so
            yield from _of_properties(source)
    elif language == "csharp":
        for found in _OF_DOTNET.finditer(text):
            if not source.is_comment(found.start()):
                maker, at = _around(source, found.start()), found.start("name")
                key = source.said(at, found["name"], maker)
                if "ConnectionString" in found["how"]:
                    key = ((SAID, "ConnectionStrings:"), *key)
                yield _reading(source, key, maker, at + found["name"].index('"') + 1, KEY)


def _named(source: Source, found: re.Match[str]) -> Iterator[Reading]:
    """A variable by its capitals, else a key."""
    if source.is_comment(found.start(1)):
        return
    space = VARIABLE if re.fullmatch(r"[A-Z][A-Z0-9_]*", found[1]) else KEY
    name = found[1] if space == VARIABLE else plain_key(found[1])
    yield _reading(source, ((SAID, name),), _around(source, found.start(1)), found.start(1), space)
