"""What a file sets: variables of the environment, and keys of a program's own configuration.

In: a file (`Source`). Out: rows, which say for which program they are set, as far as the file says it: the folder that
its image is built from, the image, names; and what configuration reads itself (`${PORT}` of Compose).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.by_text.assets import assets_of
from rpg.encoder.frameworks.by_text.charts import named_parts, parts_of
from rpg.encoder.frameworks.by_text.flags import flags_of, is_of_flags
from rpg.encoder.frameworks.by_text.framework_names import PART_OF
from rpg.encoder.frameworks.by_text.literals import LineCounter, keys_of
from rpg.encoder.frameworks.by_text.locales import translations_of
from rpg.encoder.frameworks.by_text.templates import queries_of
from rpg.encoder.frameworks.http.gateways.files import GATEWAY_KINDS, rules_of
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.settings import files
from rpg.encoder.frameworks.settings.yaml_lines import Entry, entries
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.encoder.languages.configuration.lowering import join_path

VARIABLE: Final = "environment"
KEY: Final = "key"
GIVEN: Final = "given"
"""The space of what hands all that another one sets to a program: `envFrom`, `env_file`."""
VALUE: Final = "value"
"""The space of what charts of Helm are filled in with."""
MOST_BYTES: Final = 1 << 20

_URL: Final = re.compile(r"https?://[a-z][\w.-]*(?::\d+)?(?:/[\w./-]*)?")
"""The address of a service: without a user, a question and what is filled in."""
_VARIABLE: Final = re.compile(r"[A-Za-z_]\w*")
_CAPITALS: Final = re.compile(r"[A-Z][A-Z0-9_]+")
_LINE: Final = re.compile(r"^[ \t]*(?P<comment>#[ \t]*)?(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*=", re.MULTILINE)
_INSTRUCTION: Final = re.compile(r"^[ \t]*(?P<word>ENV|ARG)[ \t]+(?P<rest>(?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE | re.I)
_ASSIGNED: Final = re.compile(r"(?:^|(?<=\s))([A-Za-z_]\w*)(?==)")
_IN_TERRAFORM: Final = re.compile(
    r"^[ \t]*(?:\"?(?P<key>[A-Z][A-Z0-9_]+)\"?[ \t]*=(?!=)"
    r"|\{?[ \t]*\"?name\"?[ \t]*[=:][ \t]*\"(?P<name>[A-Z][A-Z0-9_]+)\")",
    re.MULTILINE,
)
_INTERPOLATED: Final = re.compile(r"(?<!\$)\$(?:\{([A-Za-z_]\w*)|([A-Za-z_]\w*))")
_PLACEHOLDER: Final = re.compile(r"\$\{([A-Z][A-Z0-9_]*)(?=[:}])")
_BY_CODE: Final = re.compile(r"\bENV(?:\[|\.fetch\(|\.fetch\s+)\s*[\"']([A-Za-z_]\w*)")
_OF_CHART: Final = re.compile(r"(?<![\w)])\$?\.Values\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")
_PROPERTY: Final = re.compile(r"^[ \t]*([A-Za-z][\w.\[\]-]*)[ \t]*[=:]", re.MULTILINE)
_JSON: Final = re.compile(r"\"(?P<text>(?:[^\"\\\n]|\\.)*)\"(?P<colon>\s*:)?|(?P<bracket>[{}\[\]])|//[^\n]*")
_OF_VARIABLES: Final = frozenset(
    "env environment envVars env_vars env_variables extraEnv extraEnvs extraEnvVars environmentVariables environments"
    " variables".split()
)
_EXPORTED: Final = re.compile(r"^[ \t]*export[ \t]+([A-Z][A-Z0-9_]+)=", re.MULTILINE)
_ARGUMENT: Final = re.compile(r"^[ \t]*ARG[ \t]+([A-Za-z_]\w*)", re.MULTILINE | re.IGNORECASE)
_INFRASTRUCTURE: Final = frozenset(
    "postgres postgresql mysql mariadb redis mongo mongodb nginx rabbitmq kafka zookeeper elasticsearch minio vault"
    " consul traefik grafana prometheus jaeger memcached adminer pgadmin4 mailhog localstack keycloak".split()
)
"""Images of programs that no repository means by a folder of that name."""


def settings_of(source: Source) -> Iterator[Setting]:
    kind = files.setting_kind(source.path, source.language)
    if source.language == "bash":
        for found in _EXPORTED.finditer(source.text) if "export" in source.text else ():
            if not source.is_comment(found.start()):
                yield _variable(source, found[1], _line(source, found.start(1)), files.SCRIPT, "", False)
        return
    if kind == files.GRADLE:
        for found in _PROPERTY.finditer(source.text) if source.path.endswith(".properties") else ():
            line = _line(source, found.start(1))
            yield Setting(PART_OF, f"gradle {found[1]}", source.symbol(0), line, kind, "", True)
        return
    if kind == files.TRANSLATIONS:
        yield from translations_of(source)
        return
    if kind == files.ASSET:
        yield from assets_of(source)
    elif kind == files.APPSETTINGS or is_of_flags(source.path):
        yield from flags_of(source)
    if kind in files.NAMED_ALONE:
        return
    if kind == files.STATEMENTS and len(source.text) <= MOST_BYTES:
        yield from queries_of(source)
    if len(source.text) > MOST_BYTES or kind in ("", files.STATEMENTS, files.WITH_CODE):
        return
    if kind in GATEWAY_KINDS:
        yield from rules_of(source)
    if kind == files.GATEWAY:
        return
    if kind == files.CODED_KEYS:
        prefix = files.prefix_of(source.path)
        for one in keys_of(source.text):
            around = (prefix, *one.around) if prefix else one.around
            yield _key(source, ".".join([*around, one.name]), one.line, kind)
    elif kind == files.ENVIRONMENT_FILE:
        for found in _LINE.finditer(source.text):
            yield _variable(
                source,
                found["name"],
                _line(source, found.start("name")),
                kind,
                f"file:{source.path}",
                not found["comment"],
                source.text[found.end() : source.text.find("\n", found.end())],
            )
    elif kind == files.DOCKERFILE:
        for found in _INSTRUCTION.finditer(source.text):
            rest = found["rest"]
            plain = rest.split(maxsplit=1)[0] if rest.split() and "=" not in rest.split()[0] else ""
            for each in [(plain, 0)] if plain else [(name[1], name.start()) for name in _ASSIGNED.finditer(rest)]:
                if _VARIABLE.fullmatch(each[0]):
                    line = _line(source, found.start("rest") + each[1])
                    yield _variable(source, each[0], line, kind, "", found["word"].upper() == "ENV")
    elif kind == files.TERRAFORM:
        for found in _IN_TERRAFORM.finditer(source.text):
            name = found["key"] or found["name"]
            yield _variable(source, name, _line(source, found.start()), kind, "", False)
    elif kind == files.PROPERTIES:
        for found in _PROPERTY.finditer(source.text):
            yield _key(source, found[1], _line(source, found.start(1)), kind)
    elif kind == files.APPSETTINGS:
        yield from _of_json(source, kind)
    elif source.path.endswith("app.json"):
        for one in keys_of(source.text):
            if one.around == ("env",) and _CAPITALS.fullmatch(one.name):
                yield _variable(source, one.name, one.line, kind, "", False)
    elif source.path.endswith(".tpl"):
        yield from parts_of(source)
    else:
        if kind == files.CHART:
            yield from parts_of(source)
        yield from _OF_YAML[kind](source, list(entries(source.text)), kind)


def interpolated(source: Source) -> Iterator[Reading]:
    """Variables that configuration fills in itself."""
    kind = files.setting_kind(source.path, source.language)
    if kind == files.KUBERNETES and "KeyRef" in source.text and len(source.text) <= MOST_BYTES:
        yield from _keys_of_resources(source)
    if kind == files.DOCKERFILE:
        for found in _ARGUMENT.finditer(source.text):
            at = _line(source, found.start())
            site = at, found.start(1) - source.text.rfind("\n", 0, found.start(1))
            yield Reading(VARIABLE, ((SAID, found[1]),), _symbol(source, at), site, False, kind)
        return
    if kind == files.CHART or (kind == files.KUBERNETES and "/templates/" in source.path):
        yield from _of_chart(source)
        yield from named_parts(source)
        return
    pattern = {
        files.COMPOSE: _INTERPOLATED, files.KEYS: _PLACEHOLDER, files.PROPERTIES: _PLACEHOLDER,
        files.WITH_CODE: _BY_CODE,
    }.get(kind)  # fmt: skip
    if pattern is None or not ("$" in source.text or "ENV" in source.text) or len(source.text) > MOST_BYTES:
        return
    for number, line in enumerate(source.text.split("\n"), 1):
        for found in pattern.finditer(line) if line.lstrip()[:1] != "#" else ():
            group = 1 if found[1] else 2
            site = number, len(line[: found.start(group)].encode("latin-1").decode("utf-8", "replace")) + 1
            yield Reading(VARIABLE, ((SAID, found[group]),), _symbol(source, number), site, False, kind)


def _keys_of_resources(source: Source) -> Iterator[Reading]:
    """Keys of secrets and maps that a container's variables are taken from."""
    found = list(entries(source.text))
    names = {(each.document, each.around): each.value for each in found if each.key == "name"}
    for each in found:
        if each.key == "key" and each.around and each.around[-1] in ("secretKeyRef", "configMapKeyRef"):
            of = "Secret" if each.around[-1] == "secretKeyRef" else "ConfigMap"
            name = names.get((each.document, each.around), "")
            if name and "{" not in name + each.value:
                said = ((SAID, f"{of}/{name}.{each.value}"),)
                yield Reading(PART_OF, said, _symbol(source, each.line), (each.line, 1), False, files.KUBERNETES)


def _of_chart(source: Source) -> Iterator[Reading]:
    if ".Values." not in source.text or len(source.text) > MOST_BYTES:
        return
    lines = LineCounter(source.text)
    for found in _OF_CHART.finditer(source.text):
        line = lines.line(found.start())
        site = line, found.start(1) - source.text.rfind("\n", 0, found.start())
        yield Reading(VALUE, ((SAID, found[1]),), _symbol(source, line), site, False, files.CHART)


def _line(source: Source, at: int) -> int:
    return source.text.count("\n", 0, at) + 1


def _symbol(source: Source, line: int) -> str:
    """What a line belongs to: a service, a job, a resource, or the file."""
    found = 0
    for number, each in enumerate(source.facts.definitions):
        if number and each.start_line <= line <= each.end_line:
            found = number
    return source.symbol(found)


def _variable(source: Source, name: str, line: int, kind: str, of: str, known: bool = True, value: str = "") -> Setting:
    url = _URL.fullmatch(value.strip("\"' ")) if "://" in value else None
    return Setting(VARIABLE, name, _symbol(source, line), line, kind, of, known, url[0] if url is not None else "")


def _key(source: Source, name: str, line: int, kind: str) -> Setting:
    return Setting(KEY, plain_key(name), _symbol(source, line), line, kind, "", True)


def plain_key(name: str) -> str:
    """A key as all spellings of it have it."""
    return re.sub(r"[-_]", "", name.replace("__", ".").replace(":", ".")).lower()


def _named(words: list[str]) -> str:
    return " ".join(dict.fromkeys(each for each in words if each and " " not in each))


def _image(written: str) -> str:
    """The last part of an image's name."""
    name = re.split(r"[:@]", written.rpartition("/")[2])[0]
    return f"image:{name}" if name and "{" not in name and "$" not in name and name not in _INFRASTRUCTURE else ""


def _of_compose(source: Source, found: list[Entry], kind: str) -> Iterator[Setting]:
    folder = source.path.rpartition("/")[0]
    of: dict[str, list[str]] = {}
    contexts: dict[str, str] = {}
    built: dict[str, str] = {}
    """By service: the Dockerfile that it names."""
    for each in found:
        if len(each.around) >= 2 and each.around[0] == "services":
            service = each.around[1]
            if each.key == "image":
                of.setdefault(service, []).append(_image(each.value))
            elif (each.key == "build" and len(each.around) == 2 and each.value) or (
                each.key == "context" and each.around[2:] == ("build",)
            ):
                is_here = each.value in (".", "./")
                contexts[service] = folder if is_here else join_path(folder, each.value) or "?"
            elif each.key in ("dockerfile", "target") and each.around[2:] == ("build",):
                built[service] = built.get(service, "") + each.value
    words: dict[str, str] = {}
    for service in {each.around[1] for each in found if len(each.around) >= 2 and each.around[0] == "services"}:
        context = contexts.get(service, "?")
        by = {built.get(each, "") for each, other in contexts.items() if other == context}
        is_own = context != "?" and len(by) == 1  # services of one image are one program
        named = [f"folder:{context}"] if is_own else [*of.get(service, ()), f"name:{service}"]
        words[service] = _named(named) or f"name:{service}"
    for each in found:
        if len(each.around) < 2 or each.around[0] != "services":
            continue
        service, inside = each.around[1], each.around[2:]
        if inside[:1] == ("environment",) and len(inside) == (1 if each.key else 2):
            name = each.key or re.split(r"[=:\s]", each.value)[0]
            if _VARIABLE.fullmatch(name):
                value = each.value if each.key else each.value.partition("=")[2]
                yield _variable(source, name, each.line, kind, words[service], value=value)
        if inside[:2] == ("build", "args") and len(inside) == (2 if each.key else 3):
            name = each.key or re.split(r"[=:\s]", each.value)[0]
            if _VARIABLE.fullmatch(name):
                yield _variable(source, name, each.line, kind, words[service], False)
        taken = (
            each.value if each.key == "env_file" or (inside[:1] == ("env_file",) and each.key in ("", "path")) else ""
        )
        if taken and (path := join_path(folder, taken)):
            yield Setting(GIVEN, f"file/{path}", _symbol(source, each.line), each.line, kind, words[service], True)


def _of_resources(source: Source, found: list[Entry], kind: str) -> Iterator[Setting]:
    """Kubernetes, and templates of it."""
    chart = f"/{source.path}".rpartition("/templates/")[0].rpartition("/")[2] if kind == files.CHART else ""
    resources: dict[int, dict[str, str]] = {}
    of: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    values = {(each.document, each.around): each.value for each in found if each.key == "value"}
    for each in found:
        resource = resources.setdefault(each.document, {})
        if each.key == "kind" and not each.around:
            resource["kind"] = each.value
        elif each.key == "name" and each.around == ("metadata",):
            resource["name"] = each.value
        elif each.key in ("image", "name") and (container := _container(each.around)) == each.around and container:
            word = _image(each.value) if each.key == "image" else f"name:{each.value}"
            of.setdefault((each.document, container), []).append(word)
    for each in found:
        resource = resources[each.document]
        sets = resource.get("kind", "")
        if sets in ("ConfigMap", "Secret"):
            if each.around in (("data",), ("stringData",)) and each.key and resource.get("name"):
                name = f"{sets}/{resource['name']}.{each.key}"
                yield Setting(PART_OF, name, _symbol(source, each.line), each.line, kind, "", True)
            if each.around in (("data",), ("stringData",)) and _CAPITALS.fullmatch(each.key):
                taken = f"taken:{sets}/{resource.get('name', '')}"
                yield _variable(source, each.key, each.line, kind, _named([taken]) or "taken:?", value=each.value)
            continue
        container = _container(each.around)
        if not container or len(each.around) < len(container) + 2 or each.key != "name":
            continue
        inside = each.around[len(container) :]
        known = [f"name:{resource['name']}"] if "name" in resource and "{" not in resource["name"] else []
        words = _named([*of.get((each.document, container), ()), *known, f"name:{chart}" if chart else ""])
        if inside[0] == "env" and len(inside) == 2 and _VARIABLE.fullmatch(each.value):
            value = values.get((each.document, each.around), "")
            yield _variable(source, each.value, each.line, kind, words or "name:?", value=value)
        elif inside[0] == "envFrom" and inside[-1] in ("configMapRef", "secretRef"):
            given = ("ConfigMap/" if inside[-1] == "configMapRef" else "Secret/") + each.value
            yield Setting(GIVEN, given, _symbol(source, each.line), each.line, kind, words or "name:?", True)


def _container(around: tuple[str, ...]) -> tuple[str, ...]:
    """The item of a list of containers."""
    for at, each in enumerate(around[:-1]):
        if each in ("containers", "initContainers") and around[at + 1][0] == "-":
            return around[: at + 2]
    return ()


def _of_workflow(source: Source, found: list[Entry], kind: str) -> Iterator[Setting]:
    """Also of other files whose maps or lists of variables are called so. Whether what runs is this program is not
    known."""
    for each in found:
        around = [name for name in each.around if name[0] != "-"]
        if not around or around[-1] not in _OF_VARIABLES or "services" in around:
            continue
        name = each.key or each.value.partition("=")[0]
        if each.key == "name" and each.around[-1][0] == "-":
            name = each.value
        if _VARIABLE.fullmatch(name) and (kind == files.WORKFLOW or _CAPITALS.fullmatch(name)):
            yield _variable(source, name, each.line, kind, "", False)


def _of_values(source: Source, found: list[Entry], kind: str) -> Iterator[Setting]:
    folder = source.path.rpartition("/")[0]
    chart = folder.rpartition("/")[2]
    is_default = source.path.endswith(("/values.yaml", "/values.yml")) or not folder
    for each in found:
        if each.key and not any(name[0] == "-" for name in each.around):
            name = ".".join([*each.around, each.key])
            yield Setting(VALUE, name, _symbol(source, each.line), each.line, kind, f"chart:{folder}", is_default)
        around = [name for name in each.around if name[0] != "-"]
        is_listed = each.key == "name" and each.around[-1:] != () and each.around[-1][0] == "-" and around[-1:] != []
        name = each.value if is_listed and around[-1] in _OF_VARIABLES else each.key
        if _CAPITALS.fullmatch(name):
            words = [f"name:{word}" for word in around if word not in _OF_VARIABLES]
            yield _variable(source, name, each.line, kind, _named([*words, f"name:{chart}"]), False)


def _of_keys(source: Source, found: list[Entry], kind: str) -> Iterator[Setting]:
    for each in found:
        if each.key and not each.value.startswith(("|", ">")):
            around = [name for name in each.around if name[0] != "-"]
            yield _key(source, ".".join([*around, each.key]), each.line, kind)


def _of_json(source: Source, kind: str) -> Iterator[Setting]:
    around: list[str] = []
    key = ""
    for found in _JSON.finditer(source.text):
        if found["colon"]:
            key = found["text"]
            yield _key(source, ".".join([*filter(None, around), key]), _line(source, found.start()), kind)
        elif found["bracket"] in ("{", "["):
            around.append(key)
            key = ""
        elif found["bracket"] and around:
            around.pop()


_OF_YAML: Final = {
    files.COMPOSE: _of_compose,
    files.KUBERNETES: _of_resources,
    files.CHART: _of_resources,
    files.WORKFLOW: _of_workflow,
    files.DEPLOYMENT: _of_workflow,
    files.VALUES: _of_values,
    files.KEYS: _of_keys,
}
