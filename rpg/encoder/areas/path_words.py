"""Words of paths, as titles write them.

In: names of directories and files. Out: words and phrases (`db_utils` gives `database utilities`).
"""

from __future__ import annotations

from typing import Final

from rpg.text.words import STOP_WORDS, parts

WRITTEN_OUT: Final = {
    "admin": "admin", "alg": "algorithms", "algo": "algorithms", "app": "application", "apps": "applications",
    "arg": "arguments", "args": "arguments", "async": "async", "attr": "attributes", "auth": "authentication",
    "cfg": "configuration", "chars": "characters", "cjs": "CommonJS", "bin": "executables", "cmd": "commands",
    "cmds": "commands", "conf": "configuration", "config": "configuration", "conn": "connections",
    "contrib": "contributed packages", "ctx": "context", "db": "database", "deps": "dependencies",
    "dev": "development", "doc": "documentation", "docs": "documentation", "env": "environment", "err": "errors",
    "exc": "exceptions", "ext": "extensions", "func": "functions", "funcs": "functions", "gen": "generation",
    "i18n": "internationalization", "impl": "implementation", "l10n": "localization", "lang": "languages",
    "langs": "languages", "lib": "library", "libs": "libraries", "mgmt": "management", "mod": "modules",
    "msg": "messages", "msgs": "messages", "nav": "navigation", "obj": "objects", "ops": "operations",
    "opts": "options", "param": "parameters", "params": "parameters", "pkg": "packages", "prefs": "preferences",
    "proc": "processes", "proto": "protocol buffers", "ref": "references", "refs": "references", "repo": "repositories",
    "req": "requests", "resp": "responses", "schedule": "schedules", "seq": "sequences", "spec": "specification",
    "srv": "server", "stmt": "statements", "str": "strings", "sync": "sync", "sys": "system", "temp": "temporary",
    "tmp": "temporary", "tmpl": "templates", "tpl": "templates", "ts": "TypeScript", "wasm": "WebAssembly",
    "ui": "user interface", "util": "utilities", "staticfiles": "static files", "templatetags": "template tags",
    "contenttypes": "content types", "flatpages": "flat pages", "datastructures": "data structures",
    "readwrite": "reading and writing", "linalg": "linear algebra", "routergroup": "router groups",
    "middlewares": "middleware", "querysets": "query sets", "typeadapters": "type adapters",
    "filesystem": "file system", "fs": "file system", "jsvm": "JavaScript VM", "utils": "utilities", "val": "values",
    "var": "variables", "vars": "variables", "ws": "web sockets",
}  # fmt: skip
_IN_COMPOUNDS = """
active adjacency admin agent alias array asset atom attribute auto back base batch block board boot bound box branch
break buffer build bulk button byte cache call card case chain change channel char check child choice class clean
client clip clock close cloud code codec color column command comment commit common compile concurrent config connect
console content context control convert copy core count counter cover create cross curve cycle dash data date debug
deep default degree delete deploy depth dialog diff direct disk display doc docs document drag draw drop dump dynamic
edge edit editor element email empty encode end engine entry enum env error event exec expand export expression feed
fetch field file filter find flag flash flat float flow focus folder font foot form format formatter formset frame
front full func function generator global grammar graph graphs grid group handle handler hash head header heap height
help helper hidden hist history home hook host hover hyper icon image import index info inline input insert inspect
item iter job join journal key keyboard keyword label lang language last layer layout lazy leaf level library life
light line link list load loader local lock log login lookup loop macro mail make manager map mark mask match media
member memory menu merge message meta method metric mime minute mock model module monitor mouse move multi name native
network node note notify null number object offset open operation option order output pack package page pair panel
param parent parse parser part pass password patch path pattern picker pipe pixel plan platform play player plugin
point points pool pop port position post print process profile profiler progress project prompt property protocol
proxy pull push query queue quick quote random range rank rate read reader record redirect reduce reference refresh
register registry release reload remote remove render renderer replace report request reset resource response rest
result retry return ring role root route router row rule run runner runtime safe sample save scale scan schedule
schema scope score screen script scroll search secret section security segment select send sequence serial server
service session set setting settings setup shadow share shell shift show side sign signal simple single site size skip
slice slot smart snap snapshot socket sort source space span spec split stack stage standard start state statement
static stats status step stop storage store stream string struct style submit sum swap switch symbol sync syntax
system tab table tag task team template term terminal test text theme thread tick ticket time timer tips title token
tool tools trace track transfer transform tree trigger tuple turn type under undo union unique unit update upload
uploader url user util valid value variable vector version video view viewer visit volume wait walk warning watch
watcher web wide widget width window word work worker wrap wrapper write writer zone zoom
"""
COMPOUND_OF: Final = frozenset(_IN_COMPOUNDS.split())
"""Words that names run together: `boundfield`, `defaulttags`, `uploadhandler`. A name is split if both halves are
among these."""
WHOLE_WORDS: Final = frozenset(
    """
    backend breakpoint callback changelog checkbox checkpoint dashboard database dataset feedback fieldset filename
    formset framework hostname keyboard keyword makefile multigraph namespace password passport pathname textbox
    timestamp timezone typeset whitespace workspace
    """.split()
)
"""Those among them that people write as one word."""
SHORTEST_HALF: Final = 3
_UPPER = """
ai amqp ansi api ascii asgi ast aws bson cdn cgi ci cli cors cpu cql crs csp csrf css csv dag db2 dbapi ddl dml dns
dom dsl dtd elf esm ffi ftp gc gcp gdal geos gexf gis gml gpu grpc gui hmr html http http2 http3 https id imap io ip
ipv4 ipv6 ir jit jpeg js json jsx jvm jwt kml ldap llm llvm lru lsp mcp mime ml mqtt mssql nat ndjson nlp oidc orm os
pdf pem php pki png posix qr ram rbac rest rpc rpm rss saml scss sdk sms smtp sql ssa ssh ssl sso ssr svg tcp tls toml
tsx tty tui udp uri url utc uuid vm vpc wkt wsgi x509 xhtml xml xpath xsd xslt yaml
"""
CAPITALS: Final = {
    **{word: word.upper() for word in _UPPER.split()},
    "apis": "APIs", "uris": "URIs", "urls": "URLs", "mysql": "MySQL", "postgresql": "PostgreSQL",
    "postgres": "PostgreSQL", "sqlite": "SQLite", "sqlite3": "SQLite", "mongodb": "MongoDB", "redis": "Redis",
    "oracle": "Oracle", "github": "GitHub", "linux": "Linux", "macos": "macOS", "windows": "Windows",
    "win32": "Windows", "dynamodb": "DynamoDB", "numpy": "NumPy", "geojson": "GeoJSON", "oauth": "OAuth",
}  # fmt: skip
"""The spelling of acronyms and proper names."""
MOST_WORDS: Final = 4
EMPTY: Final = frozenset({"", "init", "index", "main", "mod"})
"""Files with these names stand for their directory: their names say nothing."""
SHORT: Final = 2
"""A name of at most this many letters that is not a known word is a code, for instance of a language: it says nothing
to a reader."""
WEAK: Final = frozenset(
    """
    base basic common contrib core dist ext general generic global globals helper helpers impl index init internal
    internals lib libs main misc mod module modules other others package packages pkg shared source sources src std
    stuff support tool tools top type types typing util utilities utils vendor version exceptions errors exc compat
    com org net io github java kotlin scala groovy
    """.split()
)
"""Names that say little: a title uses them only if there is nothing else."""


def name_of(path: str) -> str:
    """The last name of a path, without its suffixes."""
    name = path.rstrip("/").rpartition("/")[2]
    return name if path.endswith("/") else name.lstrip(".").partition(".")[0]


def is_weak(path: str) -> bool:
    """Whether its name says little."""
    words = parts(name_of(path))
    return all(word in WEAK or len(word) < 2 or word.isdigit() for word in words)


def is_code(path: str) -> bool:
    """Whether its name consists of such codes: `pt-br`."""
    words = parts(name_of(path))
    return bool(words) and all(len(word) <= SHORT and word.isalpha() and spell_word(word) == word for word in words)


def phrase(path: str) -> str:
    """The name of a directory or file in words, at most four of them. Numbers and single letters stay where they are:
    `h2`, `ginS`. A file that is what its directory is has the directory's name."""
    own = name_of(path)
    if own.strip("_").lower() in EMPTY and "/" in path.rstrip("/") and not path.endswith("/"):
        own = name_of(path[: path.rfind("/") + 1])
    name = own.lower()
    words: list[str] = []
    at = 0
    for word in parts(own):
        found = name.find(word, at)
        if words and found == at and (word.isdigit() or len(word) == 1):
            words[-1] += word
        else:
            words += halves(word)
        at = max(found, 0) + len(word)
    words_written = " ".join([spell_word(word) for word in words]).split()
    words_written = [word for at, word in enumerate(words_written) if not at or word != words_written[at - 1]]
    shown = words_written[:MOST_WORDS]
    while len(words_written) > MOST_WORDS and len(shown) > 1 and shown[-1] in STOP_WORDS:
        del shown[-1]
    return " ".join(shown)


def halves(word: str) -> list[str]:
    """The two words that a name runs together; else the name itself."""
    if word in COMPOUND_OF or word in WRITTEN_OUT or word in CAPITALS or word.removesuffix("s") in WHOLE_WORDS:
        return [word]
    for at in range(SHORTEST_HALF, len(word) - SHORTEST_HALF + 1):
        if word[:at] in COMPOUND_OF and (word[at:] in COMPOUND_OF or word[at:].removesuffix("s") in COMPOUND_OF):
            return [word[:at], word[at:]]
    return [word]


def spell_word(word: str) -> str:
    letters = word.rstrip("0123456789")
    return CAPITALS.get(word) or WRITTEN_OUT.get(word) or f"{CAPITALS.get(letters, letters)}{word[len(letters) :]}"


def stem_words(path: str) -> list[str]:
    """The words of a path that say something, in one form for singular and plural."""
    words = [word for part in path.split("/") for word in parts(part.partition(".")[0])]
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words if word not in WEAK]
