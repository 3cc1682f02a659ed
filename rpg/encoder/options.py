"""The user's choices for an encode, and where they come from.

In: options from the command line or a tool, and the repository's `rpg.toml` or `[tool.rpg]` in its `pyproject.toml`.
Out: one frozen `Options`, stored in the graph's header and in the index, so that every refresh uses the same ones.
Absent on purpose: anything that executes. A repository can choose files, nothing else.
"""

from __future__ import annotations

import errno
import re
import unicodedata
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rpg.encoder import patterns
from rpg.errors import BadRequest, GraphNotLoaded
from rpg.system import filesystem
from rpg.text.printable import quote_text, shorten

MEBIBYTE = 1 << 20
MOST_PATTERNS = 500
LONGEST_STRING = 500
_NESTED = re.compile(rb"[\[{](?:\s*+[\[{]){49}|(?<![\w\"'.-])(?:[\w\"'-]++\s*+\.\s*+){50}")
"""Nested brackets or dotted names; each part is examined once."""
_OURS = re.compile(rb"""^[ \t]*\[?[ \t]*["']?tool["']?[ \t]*(?:\.[ \t]*["']?rpg|\])""", re.MULTILINE)
"""What a project file must contain to have options for rpg."""
_MOSTLY_OUTPUT = (".ipynb",)
_OUTPUT_FACTOR = 8
"""How many times larger files may be that consist mostly of data that is not parsed: pictures in notebooks."""
LARGEST_FILE = 64 * MEBIBYTE
"""Upper bound of max_bytes: a parser's tree takes some thirty times its source."""
LARGEST_OPTIONS, LARGEST_PROJECT = 64 << 10, 256 << 10
"""Bytes of rpg.toml and of pyproject.toml: the TOML parser takes time that grows with the square of a file of tables.
"""


class Options(NamedTuple):
    include: tuple[str, ...] = ()
    """Patterns as in .gitignore, relative to the repository's root; empty: everything."""
    exclude: tuple[str, ...] = ()
    """In the same form; wins over include."""
    max_bytes: int = MEBIBYTE
    """Larger files are skipped."""
    roots: tuple[str, ...] = ()
    """Folders from which imports are looked up, in this order; empty: found from the layout."""
    vendored: bool = False
    """Whether vendored trees are read as well."""
    mask_secrets: bool = True
    """Whether passwords, tokens and keys in the sources are masked in everything made from them."""
    embedder: str = ""
    """Name of the user's model whose vectors are next to the index; empty: only the built-in table."""
    scip: str = ""
    """A SCIP index in the repository that says what names refer to; empty: none."""
    libraries: tuple[str, ...] = ()
    """Names of libraries whose sources on this machine are read as well, so that calls end in them."""
    library_folders: tuple[str, ...] = ()
    """Where they are looked for first: environments, site-packages, node_modules. Not in the header of a graph."""

    def most_bytes(self, path: str) -> int:
        """How large a file of that path may be."""
        return self.max_bytes * (_OUTPUT_FACTOR if path.lower().endswith(_MOSTLY_OUTPUT) else 1)


DEFAULT = Options()
USER_CHOOSES = ("embedder", "mask_secrets", "scip", "libraries", "library_folders")
"""Only the user decides which model runs, whether secrets are shown, which index is believed, and which folders besides
the repository are read."""
_LEFT_OUT_IF_EMPTY = ("embedder", "scip", "libraries", "library_folders")
REPOSITORY_CHOOSES = tuple(name for name in Options._fields if name not in USER_CHOOSES)
NOT_FOLLOWED = ("mask_secrets",)
"""Accepted in a repository's options, and ignored."""


def options_for(root: Path, overrides: Mapping[str, Any] | None = None) -> Options:
    """The repository's own options, overridden by those passed (None means not passed).

    Reads `rpg.toml` if it exists, else `[tool.rpg]` of `pyproject.toml`. BadRequest for an unknown option or an invalid
    value, naming the place and what is allowed.
    """
    chosen = {name: value for name, value in (overrides or {}).items() if value is not None}
    place, found = _repository_table(root)
    table = {name: value for name, value in found.items() if name not in NOT_FOLLOWED}
    _refuse_unknown(chosen, "options", Options._fields)
    _refuse_unknown(table, place, REPOSITORY_CHOOSES)
    return Options(**(_check_values(table, place) | _check_values(chosen, "options")))


def dump_options(options: Options) -> dict[str, Any]:
    """Canonical: every option, in one order, so that equal options are equal bytes. A model, an index or libraries are
    included if there are any."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in zip(Options._fields, options, strict=True)
        if name not in _LEFT_OUT_IF_EMPTY or value
    }


def parse_options(values: Mapping[str, Any]) -> Options:
    """The options of a graph header. Unknown ones come from a newer encoder and are left out; missing ones get the
    default."""
    known = {name: values[name] for name in Options._fields if name in values}
    return Options(**_check_values(known, "options of the graph"))


def parse_foreign_options(values: object) -> Options:
    """The options in the header of a graph file that anybody may have written. Like a repository's own, they choose
    files. They choose neither a model, an index nor libraries, nor keep secrets readable: that is up to the user.
    GraphNotLoaded for a header that no encoder wrote."""
    if not isinstance(values, dict):
        return DEFAULT
    try:
        options = parse_options(values)
    except BadRequest as error:
        raise GraphNotLoaded(f"the header of the graph file is damaged ({error.message}): encode again") from error
    return options._replace(embedder="", mask_secrets=True, scip="", libraries=(), library_folders=())


def _repository_table(root: Path) -> tuple[str, dict[str, Any]]:
    document = _toml(root, "rpg.toml")
    if document is not None:
        return "rpg.toml", document
    document = _toml(root, "pyproject.toml")
    tool = (document or {}).get("tool", {})
    table = tool.get("rpg", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise BadRequest("pyproject.toml: tool.rpg must be a table, as in [tool.rpg]")
    return "[tool.rpg] in pyproject.toml", table


def _toml(root: Path, name: str) -> dict[str, Any] | None:
    """None if the file is missing, is not a regular file of this folder (a link could lead out of it), or is a project
    file that does not mention rpg."""
    is_of_project = name == "pyproject.toml"
    largest = LARGEST_PROJECT if is_of_project else LARGEST_OPTIONS
    try:
        data = filesystem.read_below(root, name, LARGEST_FILE if is_of_project else largest)
    except OSError as error:
        if error.errno == errno.EFBIG and not is_of_project:
            raise _too_large(name, largest) from error
        return None
    if is_of_project and not (b"rpg" in data and b"tool" in data):
        return None
    if len(data) > largest:
        if _OURS.search(data):
            raise _too_large(name, largest)
        return None
    import tomllib  # takes 15 ms, which a server that has its options from the index saves

    try:
        if _NESTED.search(data):
            raise BadRequest(f"{name}: brackets or names are nested deeper than any option needs; correct it")
        return tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except ValueError as error:  # not UTF-8, not TOML, or a number of thousands of digits
        raise BadRequest(f"{name}: not valid TOML ({shorten(str(error), 200)}); correct it") from error
    except RecursionError:
        raise BadRequest(f"{name}: nested deeper than any option needs; correct it") from None


def _too_large(name: str, largest: int) -> BadRequest:
    what_to_do = "move the options into rpg.toml" if name == "pyproject.toml" else "move it away or shorten it"
    return BadRequest(f"{name}: larger than {largest >> 10} KiB; {what_to_do}")


def _refuse_unknown(values: Mapping[str, Any], place: str, allowed: Collection[str]) -> None:
    unknown = sorted(set(values) - set(allowed))
    if unknown:
        names = ", ".join(quote_text(name) for name in unknown[:10])
        raise BadRequest(f"{place}: unknown {names}; allowed: {', '.join(sorted(allowed))}")


def _check_values(values: Mapping[str, Any], place: str) -> dict[str, Any]:
    return {name: _CHECKS[name](value, f"{place}: {name}") for name, value in values.items()}


def _patterns(value: Any, place: str) -> tuple[str, ...]:
    found = _strings(value, place)
    if len(found) > MOST_PATTERNS:
        raise BadRequest(
            f"{place}: {len(found):,} patterns, and each is tried on each file: write at most {MOST_PATTERNS}, of "
            "folders where that is possible"
        )
    for pattern in found:
        if fault := patterns.problem_with_pattern(pattern):
            raise BadRequest(f"{place}: {quote_text(pattern)} {fault}; write it as in .gitignore")
        if patterns.compile_patterns([pattern]).patterns[0].include is None:
            raise BadRequest(f"{place}: {quote_text(pattern)} can match nothing; write it as in .gitignore")
    return found


def _folders(value: Any, place: str) -> tuple[str, ...]:
    folders: list[str] = []
    for folder in _strings(value, place):
        parts = [part for part in folder.split("/") if part not in ("", ".")]
        if folder.startswith("/") or ".." in parts or "\\" in folder or ":" in folder:
            raise BadRequest(
                f"{place}: {quote_text(folder)} must be a folder of the repository, written relative with '/'"
            )
        name = unicodedata.normalize("NFC", "/".join(parts)) or "."
        if name not in folders:
            folders.append(name)
    return tuple(folders)


def _strings(value: Any, place: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise BadRequest(f'{place} must be a list of strings, as in ["src"]')
    for item in value:
        if not isinstance(item, str) or not item.strip() or "\0" in item or "\n" in item:
            raise BadRequest(f"{place}: {_show_value(item)} must be a string of one line that is not empty")
        if len(item) > LONGEST_STRING:
            raise BadRequest(f"{place}: {quote_text(item)} is longer than {LONGEST_STRING} characters; shorten it")
    return tuple(unicodedata.normalize("NFC", item) for item in value)


def _bytes(value: Any, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LARGEST_FILE:
        raise BadRequest(f"{place}: {_show_value(value)} must be a whole number of bytes from 1 to {LARGEST_FILE}")
    return value


def _name(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise BadRequest(f"{place}: {_show_value(value)} must be a name")
    return value


def _file(value: Any, place: str) -> str:
    return _folders([value], place)[0] if value != "" else ""


def _show_value(value: Any) -> str:
    try:
        return shorten(repr(value), 160)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists in lists
        return "this value"


def _flag(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise BadRequest(f"{place}: {_show_value(value)} must be true or false")
    return value


_CHECKS = {
    "include": _patterns,
    "exclude": _patterns,
    "max_bytes": _bytes,
    "roots": _folders,
    "vendored": _flag,
    "mask_secrets": _flag,
    "embedder": _name,
    "scip": _file,
    "libraries": _strings,
    "library_folders": _strings,
}
