"""The languages. Each is one file or folder here: data, and how its syntax becomes facts.

`Language` is what the rest of the encoder knows about one; no language's name appears anywhere else. table.py lists
them, rules/ has what resolution must know about one, and the functions here find the language of a file.
"""

from __future__ import annotations

from functools import cache

from rpg.encoder.languages.language import Language, Tier
from rpg.encoder.languages.project import Naming, Placed, Project, folders_of, may_configure
from rpg.encoder.languages.rules import Rules
from rpg.encoder.languages.table import LANGUAGES
from rpg.system.imports import import_in_turn

__all__ = [
    "BY_NAME",
    "LANGUAGES",
    "Language",
    "Naming",
    "Placed",
    "Project",
    "Rules",
    "Tier",
    "declaration_suffixes",
    "find_language",
    "folders_of",
    "may_configure",
    "may_hold_code",
    "may_name_code",
    "ranks_behind",
    "read_language",
    "suffix_of",
]  # fmt: skip

BY_NAME = {language.name: language for language in LANGUAGES}
_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
_BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.file_names}


@cache
def _by_interpreter() -> dict[str, Language]:
    return {name: language for language in LANGUAGES for name in language.interpreters}


def declaration_suffixes() -> tuple[str, ...]:
    """Suffixes of files that repeat what others define."""
    return tuple(suffix for language in LANGUAGES for suffix in language.declarations)


def ranks_behind(path: str, language: str) -> bool:
    """Whether search shows code first: the file repeats what others define, configures, is markup, or no parser reads
    it."""
    known = BY_NAME.get(language)
    is_behind = known is not None and (known.is_opaque or known.configures or known.is_markup)
    return path.endswith(declaration_suffixes()) or is_behind


def may_name_code(path: str, language: str, size: int) -> bool:
    """Whether a file may name code of the repository where no parser sees it, as configuration and templates do."""
    known = BY_NAME.get(language)
    if known is None or not (known.is_opaque or known.configures or known.is_template):
        return False
    return not known.is_data(path, size)


def may_hold_code(path: str) -> bool:
    """Whether a file that may name code may also contain code: configuration does not."""
    return not import_in_turn("rpg.encoder.languages.prose.text").is_configuration(path)


def suffix_of(path: str) -> str:
    """What identifies the kind of a file: the suffix of its name in lower case, or the whole name if it has none."""
    name = path.rpartition("/")[2]
    return "." + name.rpartition(".")[2].lower() if "." in name[1:] else name


def find_language(path: str, first_bytes: bytes = b"") -> Language:
    """The language of a file by its name, else by its `#!` line."""
    name = path.rpartition("/")[2]
    language = _BY_FILE_NAME.get(name)
    if language is None and "." in name[1:]:
        parts = name[1:].lower().rsplit(".", 2)
        language = _BY_SUFFIX.get(f".{parts[-2]}.{parts[-1]}") if len(parts) > 2 else None
        language = language or _BY_SUFFIX.get(f".{parts[-1]}")
    elif language is None and first_bytes.startswith(b"#!"):
        words = first_bytes[2:].split(b"\n", 1)[0].decode("latin-1").split()
        for word in words[:3]:
            program = word.rsplit("/", 1)[-1]
            language = language or _by_interpreter().get(program.rstrip("0123456789."))
    return language or BY_NAME["unparsed"]


def read_language(path: str, source: bytes) -> Language:
    """The language of a file, also by what is in it where its name may be of several."""
    return BY_NAME[find_language(path, source[:80]).choose_name(path, source)]
