"""Which files set variables of the environment or keys of a program, by their paths, and which may read them.

In: a path and a language, or facts. Out: the kind of a file that sets something, empty if it sets nothing; whether a
file has a word that reads.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.data.words import may_name
from rpg.encoder.frameworks.graphql.words import may_query
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

STATEMENTS: Final = "SQL"

_ENVIRONMENT_FILE: Final = re.compile(
    r"\.env(?:rc)?(?:\.[\w.-]+)?|[\w-]*\.?env[.-](?:example|sample|template|dist)|[\w.-]+\.env"
)
_KEYS: Final = re.compile(r"(?:application|bootstrap)(?:-[\w-]+)?\.ya?ml")
_PROPERTIES: Final = re.compile(r"(?:application|bootstrap)(?:-[\w-]+)?\.properties")
_APPSETTINGS: Final = re.compile(r"appsettings(?:\.[\w-]+)?\.json")
_VALUES: Final = re.compile(r"(?:[\w.-]*[.-])?values(?:[.-][\w.-]+)?\.ya?ml")
_DEPLOYMENT: Final = re.compile(r"(?:serverless|app|cloudbuild|render|\.gitlab-ci|template)(?:[.-][\w-]+)?\.ya?ml")
VALUED: Final = frozenset("python javascript typescript tsx go".split())
"""Languages whose facts have the values of calls."""
_WORDS: Final = {
    language: frozenset(words.split())
    for languages, words in (
        ("java kotlin scala", "getenv getProperty Value ConfigurationProperties"),
        ("ruby", "ENV"),
        ("php", "getenv env _ENV $_ENV _SERVER $_SERVER"),
        ("rust", "env var env! option_env!"),
        ("csharp", "GetEnvironmentVariable Configuration _configuration configuration config _config IConfiguration"),
        ("c cpp lua", "getenv"),
        ("elixir", "get_env fetch_env fetch_env!"),
        ("swift", "environment"),
        ("dart", "environment"),
        ("vue svelte astro", "env"),
    )
    for language in languages.split()
}
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
        return ""
    name = path[path.rfind("/") + 1 :]
    if not name.endswith(_SUFFIXES):
        return ENVIRONMENT_FILE if "env" in name and _ENVIRONMENT_FILE.fullmatch(name) else ""
    if name.endswith(".json"):
        return APPSETTINGS if _APPSETTINGS.fullmatch(name) else ""
    if name.endswith(".properties"):
        return PROPERTIES if _PROPERTIES.fullmatch(name) else ""
    if f"/{path}".rfind("/templates/") >= 0:
        return CHART
    for pattern, kind in ((_KEYS, KEYS), (_VALUES, VALUES), (_DEPLOYMENT, DEPLOYMENT)):
        if pattern.fullmatch(name):
            return kind
    return ""


def may_set(path: str) -> bool:
    """Whether a file that no parser is known for by its name may set something."""
    return path.endswith((".yml", ".yaml")) or bool(setting_kind(path))


def may_read(facts: FileFacts) -> bool:
    """Whether a file has a word that reads one."""
    if facts.language in VALUED:
        return "env" in "\n".join(facts.strings).lower() or "viper" in facts.strings
    words = _WORDS.get(facts.language)
    return words is not None and not words.isdisjoint(facts.strings)


def is_configured(facts: FileFacts) -> bool:
    """Whether a file sets or may read something, or declares or names tables or fields of GraphQL."""
    return bool(setting_kind(facts.path, facts.language)) or may_read(facts) or may_name(facts) or may_query(facts)
