"""The version of what is made of a file in a language: a hash of the code that makes it.

In: a language. Out: a word. Only modules that parsing the language imports count, so that work on one language, or on
resolution, leaves what was made of the others usable. Found by reading imports, not by running them: a language is
not imported to look a file up.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path

import rpg
from rpg.encoder.languages import BY_NAME, LANGUAGES

PARSERS = ("tree-sitter", "tree-sitter-language-pack")
ONE_FILE = "rpg.encoder.parsing.one_file"
"""Makes everything that is stored of a file."""
LANGUAGES_ROOM = "rpg.encoder.languages"
DATA = (".json", ".bin")
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(rpg[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|.+)|import[ \t]+(rpg[\w.]*))", re.M)
_OF_GRAPHS = re.compile(rb"^(?:RULES_VERSION|__version__)\b.*$", re.M)
"""Says how graphs are made, and nothing of one file."""


@cache
def lowering_version(language: str) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for parser in PARSERS:
        digest.update(f"{parser} {version(parser)}\n".encode())
    for module in sorted(modules_of(language)):
        digest.update(f"{module} {_digest(module)}\n".encode())
    return digest.hexdigest()


def modules_of(language: str) -> set[str]:
    """The modules that what is made of a file in the language depends on. Where a document's examples are in other
    languages, those of all."""
    known = BY_NAME[language]
    spoken = LANGUAGES if known.has_examples else (known,)
    found: set[str] = set()
    waiting = [ONE_FILE, *(f"{LANGUAGES_ROOM}.{each.module}" for each in spoken)]
    while waiting:
        module = waiting.pop()
        if module in found or _path(module) is None:
            continue
        found.add(module)
        waiting += _list_imported(module)
        waiting.append(module.rpartition(".")[0])  # importing a module runs the packages around it
    return found


@cache
def _path(module: str) -> Path | None:
    if not module:
        return None
    top = Path(rpg.__file__).parent
    place = top.joinpath(*module.split(".")[1:])
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


@cache
def _text(module: str) -> bytes:
    path = _path(module)
    assert path is not None
    return path.read_bytes()


@cache
def _list_imported(module: str) -> list[str]:
    found: list[str] = []
    for package, names, plain in _IMPORT.findall(_text(module).decode()):
        if plain:
            found.append(plain)
            continue
        found.append(package)
        found += [f"{package}.{name}" for name in re.findall(r"\w+", re.sub(r"#.*", "", names))]
    return found


@cache
def _digest(module: str) -> str:
    """Of its code, and of the data beside it."""
    digest = hashlib.blake2b(_OF_GRAPHS.sub(b"", _text(module)), digest_size=12)
    path = _path(module)
    assert path is not None
    if path.name == "__init__.py":
        for data in sorted(each for each in path.parent.iterdir() if each.suffix in DATA):
            digest.update(data.name.encode() + data.read_bytes())
    return digest.hexdigest()
