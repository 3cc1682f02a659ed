"""Words of paths, as titles write them.

In: names of directories and files. Out: words and phrases (`db_utils` gives `database utilities`).
"""

from __future__ import annotations

from typing import Final

from rpg.words import parts

WRITTEN_OUT: Final = {
    "admin": "admin", "algo": "algorithms", "app": "application", "apps": "applications", "arg": "arguments",
    "args": "arguments", "async": "async", "attr": "attributes", "auth": "authentication", "cfg": "configuration",
    "cmd": "commands", "cmds": "commands", "conf": "configuration", "config": "configuration",
    "conn": "connections", "contrib": "contributed packages", "ctx": "context", "db": "database", "deps":
    "dependencies",
    "dev": "development", "doc": "documentation", "docs": "documentation", "env": "environment", "err": "errors",
    "exc": "exceptions", "ext": "extensions", "func": "functions", "funcs": "functions", "gen": "generation",
    "i18n": "internationalization", "impl": "implementation", "l10n": "localization", "lib": "library",
    "libs": "libraries", "mgmt": "management", "mod": "modules", "msg": "messages", "msgs": "messages", "nav":
    "navigation",
    "obj": "objects", "ops": "operations", "opts": "options", "param": "parameters", "params": "parameters",
    "pkg": "packages", "prefs": "preferences", "proc": "processes", "proto": "protocol", "ref": "references",
    "refs": "references", "repo": "repositories", "req": "requests", "resp": "responses", "schedule": "schedules",
    "spec": "specification", "srv": "server", "stmt": "statements", "str": "strings", "sync": "sync", "sys": "system",
    "temp": "temporary", "tmp": "temporary", "tmpl": "templates", "ui": "user interface", "util": "utilities",
    "staticfiles": "static files", "templatetags": "template tags", "contenttypes": "content types", "flatpages":
    "flat pages", "datastructures": "data structures", "readwrite": "reading and writing", "linalg": "linear algebra",
    "routergroup": "router groups", "middlewares": "middleware", "querysets": "query sets", "typeadapters":
    "type adapters", "filesystem": "file system", "fs": "file system", "jsvm": "JavaScript VM",
    "utils": "utilities", "val": "values", "var": "variables", "vars": "variables", "ws": "web sockets",
}  # fmt: skip
_UPPER = """
ai amqp api ascii asgi ast aws bson cdn cgi ci cli cors cpu cql crs css csp csrf csv db2 dbapi ddl dml dns dom dsl dtd
elf ffi ftp gc gcp gdal geos gis gpu grpc gui html http http2 http3 https id imap io ip ipv4 ipv6 ir jit jpeg js json
jsx jvm jwt kml ldap llm llvm lru lsp mcp mime ml mqtt mssql ndjson nlp nat oidc orm os pdf pem php pki png posix qr ram
rbac rest rpc rpm rss saml scss sdk sms smtp sql ssa ssh ssl sso svg tcp tls toml tsx tty tui udp uri url utc uuid vm
vpc wsgi wkt x509 xhtml xml xpath xsd xslt yaml
"""
CAPITALS: Final = {
    **{word: word.upper() for word in _UPPER.split()},
    "apis": "APIs", "uris": "URIs", "urls": "URLs", "mysql": "MySQL", "postgresql": "PostgreSQL",
    "postgres": "PostgreSQL", "sqlite": "SQLite", "sqlite3": "SQLite", "mongodb": "MongoDB", "redis": "Redis",
    "oracle": "Oracle", "github": "GitHub", "linux": "Linux", "macos": "macOS", "windows": "Windows",
    "win32": "Windows", "dynamodb": "DynamoDB", "numpy": "NumPy", "geojson": "GeoJSON", "oauth": "OAuth",
}  # fmt: skip
"""How words are written that are not plain ones."""
SHORT: Final = 2
"""A name of no more letters that is no word here is a code, as of a language: it says nothing to a reader."""
WEAK: Final = frozenset(
    """
    base basic common contrib core dist ext general generic global globals helper helpers impl index init internal
    internals lib libs main misc mod module modules other others package packages pkg shared source sources src std
    stuff support tool tools top type types typing util utilities utils vendor version exceptions errors exc compat
    com org net io github java kotlin scala groovy
    """.split()
)
"""Names that say little: a title has them only where there is nothing else."""


def name_of(path: str) -> str:
    """The last name of a path, without its suffixes."""
    name = path.rstrip("/").rpartition("/")[2]
    return name if path.endswith("/") else name.lstrip(".").partition(".")[0]


def is_weak(path: str) -> bool:
    """Whether its name says little."""
    words = parts(name_of(path))
    return all(word in WEAK or len(word) < 2 or word.isdigit() for word in words)


def is_code(path: str) -> bool:
    """Whether its name is made of such: `pt-br`."""
    words = parts(name_of(path))
    return bool(words) and all(len(word) <= SHORT and word.isalpha() and written(word) == word for word in words)


def phrase(path: str) -> str:
    """The name of a directory or file in words, at most three of them. Numbers and single letters stay where they are:
    `h2`, `ginS`."""
    name = name_of(path).lower()
    words: list[str] = []
    at = 0
    for word in parts(name_of(path)):
        found = name.find(word, at)
        if words and found == at and (word.isdigit() or len(word) == 1):
            words[-1] += word
        else:
            words.append(word)
        at = max(found, 0) + len(word)
    return " ".join(" ".join([written(word) for word in words]).split()[:3])


def written(word: str) -> str:
    letters = word.rstrip("0123456789")
    return CAPITALS.get(word) or WRITTEN_OUT.get(word) or f"{CAPITALS.get(letters, letters)}{word[len(letters) :]}"


def stem_words(path: str) -> list[str]:
    """The words of a path that say something, in one form for singular and plural."""
    words = [word for part in path.split("/") for word in parts(part.partition(".")[0])]
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words if word not in WEAK]
