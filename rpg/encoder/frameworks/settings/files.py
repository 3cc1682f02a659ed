"""Which files set variables of the environment or keys of a program, by their paths, and which may read them.

In: a path and a language, or facts. Out: the kind of a file that sets something, empty if it sets nothing; whether a
file has a word that reads.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.by_text.assets import is_asset, is_asset_of_text, may_name_asset
from rpg.encoder.frameworks.by_text.components import may_have_components
from rpg.encoder.frameworks.by_text.flags import is_of_flags, may_flag
from rpg.encoder.frameworks.by_text.framework_names import may_name_parts
from rpg.encoder.frameworks.by_text.locales import is_of_translations
from rpg.encoder.frameworks.by_text.native import may_cross
from rpg.encoder.frameworks.by_text.words import may_name_text
from rpg.encoder.frameworks.data.django_models import may_have_fields
from rpg.encoder.frameworks.data.words import may_name
from rpg.encoder.frameworks.graphql.words import may_query
from rpg.encoder.frameworks.http.clients import SENDING
from rpg.encoder.languages.configuration.kinds import is_compose, is_workflow

ENVIRONMENT_FILE: Final = ".env"
COMPOSE: Final = "compose"
KUBERNETES: Final = "Kubernetes"
WORKFLOW: Final = "GitHub Actions"
DOCKERFILE: Final = "Dockerfile"
TERRAFORM: Final = "Terraform"
CHART: Final = "Helm template"
VALUES: Final = "Helm values"
KEYS: Final = "application keys"
PROPERTIES: Final = "application properties"
APPSETTINGS: Final = "appsettings"
DEPLOYMENT: Final = "deployment"
"""Other services that run programs: `serverless.yml`, `app.yaml`, `cloudbuild.yaml`."""

TRANSLATIONS: Final = "translations"
CODED_KEYS: Final = "configuration as code"
"""Nested literals of Laravel and Node, whose keys begin with the name of the file, or do not."""
WITH_CODE: Final = "configuration with code"
"""YAML of Rails, which ERB fills in."""
STATEMENTS: Final = "SQL"
GATEWAY: Final = "gateway"
"""What hands requests on: nginx, Ocelot, proxies of development servers."""
SCRIPT: Final = "script"
GRADLE: Final = "Gradle properties"
FLAGS: Final = "flags"
ASSET: Final = "static file"
NAMED_ALONE: Final = frozenset((FLAGS, ASSET))
"""Kinds of files that set nothing for a program, but are named or declare names."""

_ENVIRONMENT_FILE: Final = re.compile(
    r"\.env(?:rc)?(?:\.[\w.-]+)?|[\w-]*\.?env[.-](?:example|sample|template|dist)|[\w.-]+\.env"
)
_KEYS: Final = re.compile(r"(?:application|bootstrap)(?:-[\w-]+)?\.ya?ml")
_PROPERTIES: Final = re.compile(r"(?:application|bootstrap)(?:-[\w-]+)?\.properties")
_APPSETTINGS: Final = re.compile(r"appsettings(?:\.[\w-]+)?\.json")
_VALUES: Final = re.compile(r"(?:[\w.-]*[.-])?values(?:[.-][\w.-]+)?\.ya?ml")
_DEPLOYMENT: Final = re.compile(
    r"(?:serverless|app|cloudbuild|render|\.gitlab-ci|template|process-compose)(?:[.-][\w-]+)?\.ya?ml|app\.json"
)
_LARAVEL_KEYS: Final = re.compile(r"(?:^|/)config/(?:[\w-]+/)*(?P<name>[\w-]+)\.php")
_NODE_KEYS: Final = re.compile(
    r"(?:^|/)config/(?:(?:[\w-]+[.-])?config(?:uration)?|default|index)\.(?:[tj]s|json)$|(?:^|/)configuration\.[tj]s$"
)
_WITH_CODE: Final = re.compile(r"(?:^|/)config/[\w.-]+\.ya?ml(?:\.erb)?")
_NGINX: Final = re.compile(
    r"(?:[\w.-]*nginx[\w.-]*|default|site|app|proxy|web|frontend)\.conf(?:\.(?:template|tmpl|tpl|j2|erb|in))?|nginx\.conf[\w.-]*"
)
_OF_NGINX: Final = re.compile(r"(?:^|/)(?:nginx|sites-(?:available|enabled)|conf\.d)/")
_GATEWAY_JSON: Final = re.compile(
    r"(?:ocelot|yarp|reverseproxy)[\w.-]*\.json|proxy\.conf\.json|[\w-]*proxy[\w.-]*conf[\w.-]*\.json", re.I
)
_GATEWAY_CODE: Final = re.compile(
    r"(?:^|/)(?:(?:vite|vue|next|webpack(?:\.[\w-]+)?|rsbuild|rspack|nuxt|svelte|astro|proxy)\.conf(?:ig)?(?:\.[\w-]+)?|setupProxy)"
    r"\.[cm]?[jt]s$"
)
VALUED: Final = frozenset("python javascript typescript tsx go".split())
"""Languages whose facts have the values of calls."""
_WORDS: Final = {
    language: frozenset(words.split())
    for languages, words in (
        (
            "java kotlin scala",
            "getenv getProperty Value ConfigurationProperties ConfigProperty Property Client FeignClient KafkaListener"
            " RabbitListener Scheduled Topic",
        ),
        ("erb haml", "ENV"),
        ("ruby", "ENV"),
        ("php blade", "getenv env _ENV $_ENV _SERVER $_SERVER config Config"),
        ("rust", "env var env! option_env!"),
        (
            "csharp",
            "GetEnvironmentVariable Configuration _configuration configuration config _config cfg _cfg IConfiguration",
        ),
        ("c cpp lua", "getenv"),
        ("elixir", "get_env fetch_env fetch_env!"),
        ("swift", "environment"),
        ("dart", "environment"),
        ("vue svelte astro", "env"),
    )
    for language in languages.split()
}
_OF_NODE: Final = frozenset("javascript typescript tsx".split())
_OF_KEYS: Final = frozenset("configservice config".split())
"""Words of Node's configuration."""
_SUFFIXES: Final = (".yml", ".yaml", ".json", ".properties")


TEXT: Final = "unparsed"
"""The language of files that no parser reads."""


def setting_kind(path: str, language: str = TEXT) -> str:
    """What kind of file it is, of those that set something."""
    if language == "dockerfile":
        return DOCKERFILE
    if language == "hcl":
        return TERRAFORM
    if language == "sql":
        return STATEMENTS
    if language == "yaml":
        return COMPOSE if is_compose(path) else WORKFLOW if is_workflow(path) else KUBERNETES
    if language != TEXT:
        return _kind_of_code(path, language)
    return _kind_of_text(path) or (FLAGS if is_of_flags(path) else ASSET if is_asset_of_text(path) else "")


def _kind_of_text(path: str) -> str:
    if is_of_translations(path):
        return TRANSLATIONS
    name = path[path.rfind("/") + 1 :]
    if name.endswith(".tpl"):
        return CHART if "/templates/" in path else ""
    if (".conf" in name or "nginx" in path) and not name.endswith(_SUFFIXES):
        return GATEWAY if _NGINX.fullmatch(name) or (_OF_NGINX.search(path) and "." in name) else ""
    if name.endswith(".gradle"):
        return GRADLE
    if not name.endswith(_SUFFIXES):
        return ENVIRONMENT_FILE if "env" in name and _ENVIRONMENT_FILE.fullmatch(name) else ""
    if name.endswith(".json"):
        if name == "app.json":
            return DEPLOYMENT
        if _GATEWAY_JSON.fullmatch(name):
            return GATEWAY
        return APPSETTINGS if _APPSETTINGS.fullmatch(name) else CODED_KEYS if _NODE_KEYS.search(path) else ""
    if name.endswith(".properties"):
        return PROPERTIES if _PROPERTIES.fullmatch(name) else GRADLE if name == "gradle.properties" else ""
    if f"/{path}".rfind("/templates/") >= 0:
        return CHART
    for pattern, kind in ((_KEYS, KEYS), (_VALUES, VALUES), (_DEPLOYMENT, DEPLOYMENT)):
        if pattern.fullmatch(name):
            return kind
    return WITH_CODE if _WITH_CODE.search(path) else ""


def _kind_of_code(path: str, language: str) -> str:
    """Of code that is nothing but a literal."""
    if language == "php":
        return CODED_KEYS if _LARAVEL_KEYS.search(path) else TRANSLATIONS if is_of_translations(path) else ""
    if language in ("typescript", "javascript"):
        if _GATEWAY_CODE.search(path):
            return GATEWAY
        return CODED_KEYS if _NODE_KEYS.search(path) else TRANSLATIONS if is_of_translations(path) else ""
    return ""


def prefix_of(path: str) -> str:
    """What the keys of a file of Laravel begin with."""
    found = _LARAVEL_KEYS.search(path)
    return found["name"] if found is not None else ""


def may_set(path: str) -> bool:
    """Whether a file that no parser is known for by its name may set something."""
    return path.endswith((".yml", ".yaml")) or bool(setting_kind(path))


def may_read(facts: FileFacts) -> bool:
    """Whether a file has a word that reads one."""
    if facts.language in VALUED:
        return (
            "env" in "\n".join(facts.strings).lower()
            or "viper" in facts.strings
            or (facts.language in _OF_NODE and any(each.lower() in _OF_KEYS for each in facts.strings))
        )
    if facts.language == "bash":
        return True
    words = _WORDS.get(facts.language)
    return words is not None and not words.isdisjoint(facts.strings)


def is_configured(facts: FileFacts) -> bool:
    """Whether a file sets or may read something, declares or names tables or fields of GraphQL, names a text, or has a
    word of a library that sends requests."""
    return has_settings(facts) or may_name_text(facts) or may_send(facts) or is_named_by_string(facts)


def is_named_by_string(facts: FileFacts) -> bool:
    """Whether a file is served, or may name what is, a flag or a component, or crosses to native code."""
    return (
        is_asset(facts.path)
        or may_name_asset(facts)
        or may_flag(facts)
        or may_cross(facts)
        or may_have_components(facts)
        or may_name_parts(facts)
        or may_have_fields(facts)
    )


def may_send(facts: FileFacts) -> bool:
    words = SENDING.get(facts.language)
    return words is not None and not words.isdisjoint(facts.strings)


def has_settings(facts: FileFacts) -> bool:
    """As `is_configured`, but for texts."""
    return bool(setting_kind(facts.path, facts.language)) or may_read(facts) or may_name(facts) or may_query(facts)
