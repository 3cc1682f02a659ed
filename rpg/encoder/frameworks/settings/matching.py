"""Which settings a reading means.

In: the rows of all files. Out: for each reading what sets it, certainly or possibly. It is certain where it is known
that what sets it belongs to the program that reads it: by the folder that an image is built from, an image that is
called as the program's folder, or the folder of a file of settings, the nearest one around. What is set for another
program is not meant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from posixpath import commonpath
from typing import Final, NamedTuple

from rpg.encoder.frameworks.by_text.assets import STATIC, forms_of, plain_name, whole_path
from rpg.encoder.frameworks.by_text.charts import PART
from rpg.encoder.frameworks.by_text.commands import COMMAND
from rpg.encoder.frameworks.by_text.components import COMPONENT
from rpg.encoder.frameworks.by_text.flags import FLAG
from rpg.encoder.frameworks.by_text.framework_names import BASE, PART_OF
from rpg.encoder.frameworks.by_text.locales import FILED, TRANSLATION
from rpg.encoder.frameworks.by_text.native import NATIVE
from rpg.encoder.frameworks.by_text.templates import BY_FILE, QUERY, TEMPLATE
from rpg.encoder.frameworks.data.declared import COLUMN, MIGRATION, MODEL, STATEMENT, TABLE
from rpg.encoder.frameworks.graphql.matching import find_selected
from rpg.encoder.frameworks.graphql.rows import CODE, RESOLVED, SCHEMA
from rpg.encoder.frameworks.graphql.words import DOCUMENT, FIELD, RESOLVER
from rpg.encoder.frameworks.rows import FileRows, Reading, Setting
from rpg.encoder.frameworks.settings import files
from rpg.encoder.frameworks.settings.stated import GIVEN, KEY, VALUE, VARIABLE, plain_key
from rpg.encoder.frameworks.text import HOLE, SAID, Text
from rpg.encoder.languages.page_templates import SUFFIXES

DECLARING: Final = (STATEMENT, MIGRATION, MODEL, SCHEMA, CODE, RESOLVED)
"""What declares tables and columns, and fields of GraphQL, best first."""
DECLARED: Final = frozenset({TABLE, COLUMN, FIELD, RESOLVER})
STORED: Final = frozenset({TABLE, COLUMN})
"""What a migration and a model declare both."""
MOST_POSSIBLE: Final = 5
MOST_SETTING: Final = 12
"""The same of variables and keys, whose names are long and whose files are many."""
MOST: Final = 30
NO, MAY, DOES = 0, 1, 2
OF_PROGRAM: Final = -1
"""The depth of what is set for a program wherever the file is."""
KEY_FILES: Final = frozenset({files.KEYS, files.PROPERTIES})
"""Configuration that belongs to a program and reads variables itself."""
NAMED: Final = frozenset({TRANSLATION, COMMAND, TEMPLATE, QUERY, STATIC, FLAG, PART, NATIVE, COMPONENT, PART_OF})
"""What any file may name, whatever program it is of."""
_FORMS: Final = ("_one", "_other", "_plural", "_zero", "_many", ".one", ".other", "_0")
"""What i18next and Rails put behind a key that depends on a number."""
_RELAXED: Final = (".java", ".kt", ".scala", ".groovy", ".cs", ".fs", ".vb")
"""Files of programs whose keys are set by variables of the same words."""
_HERE: Final = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b")
_RESOURCES: Final = re.compile(r"(?:^|/)(?:src/(?:main|test)/resources|src/main|config|conf|resources)(?:/.*)?$")


class Set(NamedTuple):
    """What a reading means."""

    reading: Reading
    name: str
    """Empty if it is not known before the program runs."""
    certain: tuple[tuple[Setting, str], ...]
    """With the path of the file that sets it."""
    possible: tuple[tuple[Setting, str], ...]
    left_out: int
    """How many more may be meant."""


class Settings:
    def __init__(self, every: Mapping[str, FileRows], text: Callable[[Text], Text]) -> None:
        self.files = every
        self._text = text
        self.settings: dict[tuple[str, str], list[tuple[Setting, str]]] = {}
        self._given: dict[str, list[tuple[str, str]]] = {}
        self._by_space: dict[str, list[str]] = {}
        self._readers: set[tuple[str, int]] = set()
        """Functions that read what they are passed, with the position of the parameter."""
        folders: set[str] = set()
        for path, rows in every.items():
            for setting in rows.settings:
                if setting.space == GIVEN:
                    self._given.setdefault(setting.name, []).append((setting.of, path))
                else:
                    self.settings.setdefault((setting.space, setting.name), []).append((setting, path))
            for reading in rows.readings:
                if reading.parameter >= 0 and not reading.through:
                    self._readers.add((reading.maker, reading.parameter))
            if any(
                (not reading.by or reading.by in KEY_FILES) and reading.space not in NAMED for reading in rows.readings
            ):
                folder = path
                while folder:
                    folder = folder.rpartition("/")[0]
                    folders.add(folder)
        self._folders = folders
        self._called: dict[str, list[str]] = defaultdict(list)
        for folder in sorted(folders, key=lambda each: (each.count("/"), each)):
            known = self._called[_plain(folder.rpartition("/")[2])] if folder else []
            if not known or known[0].count("/") == folder.count("/"):
                known.append(folder)

    @cached_property
    def _by_relaxed(self) -> dict[str, list[tuple[Setting, str]]]:
        """Variables by their letters alone, as Spring and .NET bind them to keys."""
        found: dict[str, list[tuple[Setting, str]]] = {}
        for (space, name), settings in self.settings.items():
            if space == VARIABLE:
                found.setdefault(name.replace("_", "").lower(), []).extend(settings)
        return found

    def outcomes(self, rows: FileRows) -> Iterable[Set]:
        for reading in rows.readings:
            if reading.through:
                if (reading.through, reading.parameter) not in self._readers:
                    continue
            elif reading.parameter >= 0:
                continue
            name = self._name(reading.name)
            if reading.space in NAMED:
                yield self._named(reading, name, rows.path)
                continue
            if reading.space == VALUE:
                yield self._of_chart(reading, name, rows.path)
                continue
            if reading.space == DOCUMENT:
                key = find_selected(self.settings, name, rows.path) if name else ""
                for space in (FIELD, RESOLVER):
                    yield self._stored(reading._replace(space=space), key, rows.path)
                continue
            meant = self._stored if reading.space in DECLARED else self._meant
            yield meant(reading, name, rows.path)

    def find_url(self, name: str, path: str) -> str:
        """The address that a variable has where the program of a file runs; empty if it has none or several."""
        if (VARIABLE, name) not in self._with_urls:
            return ""
        meant = self._meant(Reading(VARIABLE, (), path, (0, 0), False), name, path)
        urls = {each.url.rstrip("/") for each, _ in (meant.certain or meant.possible) if each.url}
        away = {each for each in urls if not _HERE.match(each)}
        return (away or urls).pop() if len(away or urls) == 1 else ""

    @cached_property
    def _with_urls(self) -> set[tuple[str, str]]:
        return {key for key, found in self.settings.items() if any(each.url for each, _ in found)}

    def _name(self, text: Text) -> str:
        said = self._text(text)
        return "".join(word for _, word in said) if said and all(kind == SAID for kind, _ in said) else ""

    def _named(self, reading: Reading, name: str, path: str) -> Set:
        """Of translations and commands: the nearest that is called so."""
        if not name:
            return self._begun(reading, path)
        if reading.space == STATIC:
            return self._of_asset(reading, name, path)
        found = list(self._called_so(reading.space, name))
        if not found and reading.space == TEMPLATE:
            return self._of_file(reading, name, path)
        if not found and reading.space == TRANSLATION:
            found = [each for form in _FORMS for each in self._called_so(TRANSLATION, name + form)]
        if reading.space == COMPONENT:
            found = [each for each in found if each[0].of] or found
        nearest = self._nearest(found, path)
        distinct = {each[0].symbol for each in nearest}
        if len(distinct) == 1 and reading.known:
            return Set(reading, name, tuple(nearest[:1]), (), 0)
        bases = [each for each in nearest if each[0].by == BASE]
        if len({each[0].symbol for each in bases}) == 1:
            rest = tuple(each for each in nearest if each not in bases)[:MOST_POSSIBLE]
            return Set(reading, name, tuple(bases[:1]), rest, 0)
        left_out = len(nearest) if len(distinct) > MOST_POSSIBLE else 0
        return Set(reading, name, (), tuple(nearest) if not left_out else (), left_out)

    def _of_file(self, reading: Reading, name: str, path: str) -> Set:
        """A template that nothing defines: the file of its name, if it is the only one; possibly one whose suffix the
        name leaves out, which a program may have cut off."""
        for suffix in ("", *SUFFIXES):
            called = f"{name.lstrip('/')}{suffix}"
            files_called = self.settings.get((TEMPLATE, called.rpartition("/")[2]), ())
            found = [each for each in files_called if each[0].by == BY_FILE and f"/{each[1]}".endswith(f"/{called}")]
            if not self.files[path].test:
                found = [each for each in found if not self.files[each[1]].test] or found
            if len(found) == 1 and not suffix and reading.known:
                return Set(reading, name, tuple(found), (), 0)
            if found:
                is_few = len(found) <= MOST_POSSIBLE
                return Set(reading, name, (), tuple(found) if is_few else (), 0 if is_few else len(found))
        return Set(reading, name, (), (), 0)

    def _of_asset(self, reading: Reading, name: str, path: str) -> Set:
        """The nearest file that is served by that path: for sure where a helper of a framework names it, or the folder
        that it is served from stands beside or above what names it."""
        beside = self.settings.get((STATIC, whole_path(name, path)), ())
        if beside:
            return Set(reading, name, tuple(beside[:1]), (), 0)
        for form in forms_of(plain_name(name)):
            found = [each for each in self.settings.get((STATIC, form), ()) if each[1] != path]
            nearest = self._nearest(found, path)
            if not nearest:
                continue
            if len({there for _, there in nearest}) > MOST_POSSIBLE:
                return Set(reading, name, (), (), len(nearest))
            is_sure = reading.known or path.startswith(nearest[0][0].of)
            if len({there for _, there in nearest}) == 1 and is_sure:
                return Set(reading, name, tuple(nearest[:1]), (), 0)
            return Set(reading, name, (), tuple(nearest), 0)
        return Set(reading, name, (), (), 0)

    def _called_so(self, space: str, name: str) -> Iterator[tuple[Setting, str]]:
        for each in self.settings.get((space, name), ()):
            if each[0].by not in (FILED, BY_FILE):
                yield each
        if space == TRANSLATION:
            for mark in (":", "."):
                first, _, rest = name.partition(mark)
                for each in self.settings.get((space, rest), ()) if rest else ():
                    if each[0].of == first or each[0].of.endswith(f"/{first}"):
                        yield each

    def _begun(self, reading: Reading, path: str) -> Set:
        """A name of which the beginning is written possibly is any that begins and ends so."""
        text = self._text(reading.name)
        if len(text) != 3 or text[0][0] != SAID or text[1][0] != HOLE or len(text[0][1]) < 3:
            return Set(reading, "", (), (), 0)
        first, last = text[0][1], text[2][1] if text[2][0] == SAID and "*" not in text[2][1] else ""
        found = [
            each
            for name in self._names_of(reading.space)
            if name.startswith(first) and name.endswith(last) and len(name) > len(first) + len(last)
            for each in self.settings[reading.space, name]
        ]
        nearest = self._nearest(found, path)
        is_few = len({each[0].symbol for each in nearest}) <= MOST_POSSIBLE
        return Set(reading, "", (), tuple(nearest) if is_few else (), 0 if is_few else len(nearest))

    def _names_of(self, space: str) -> list[str]:
        found = self._by_space.get(space)
        if found is None:
            found = self._by_space[space] = [name for each, name in self.settings if each == space]
        return found

    def _nearest(self, found: list[tuple[Setting, str]], path: str) -> list[tuple[Setting, str]]:
        if len(found) > 1 and not self.files[path].test:
            found = [each for each in found if not self.files[each[1]].test] or found
        near = [len([part for part in commonpath([path, there]).split("/") if part]) for _, there in found]
        return [each for each, parts in zip(found, near, strict=True) if parts == max(near)]

    def _of_chart(self, reading: Reading, name: str, path: str) -> Set:
        """What a template of Helm is filled in with: the chart's own values, possibly those of an environment."""
        chart = path.rpartition("/templates/")[0]
        found = [each for each in self.settings.get((VALUE, name), ()) if each[0].of == f"chart:{chart}"]
        certain = [each for each in found if each[0].known]
        possible = [each for each in found if not each[0].known]
        return Set(reading, name, tuple(certain[:MOST]), tuple(possible[:MOST_POSSIBLE]), 0)

    def _stored(self, reading: Reading, name: str, path: str) -> Set:
        """Of tables and columns: what a statement, a migration and a model declare; of GraphQL a schema, else code."""
        found = self.settings.get((reading.space, name), ()) if name else ()
        if len(found) > 1 and not self.files[path].test:
            found = [each for each in found if not self.files[each[1]].test] or found
        kinds = [by for by in DECLARING if any(each[0].by == by for each in found)]
        if reading.by and kinds[:1] == [reading.by]:
            return Set(reading, name, (), (), 0)
        if STATEMENT in kinds and MIGRATION in kinds:
            kinds.remove(MIGRATION)  # they are the history of what a schema says
        certain: list[tuple[Setting, str]] = []
        possible: list[tuple[Setting, str]] = []
        left_out = 0
        for kind in kinds if reading.space in STORED else kinds[:1]:
            nearest = self._nearest([each for each in found if each[0].by == kind != reading.by], path)
            distinct = {each[0].symbol for each in nearest}
            if len(distinct) == 1 and reading.known:
                certain.append(nearest[0])
            elif len(distinct) > MOST_POSSIBLE:
                left_out += len(nearest)
            else:
                possible += nearest
        return Set(reading, name, tuple(certain), tuple(possible), left_out)

    def _meant(self, reading: Reading, name: str, path: str) -> Set:
        name = plain_key(name) if reading.space == KEY else name
        candidates = list(self.settings.get((reading.space, name), ())) if name else []
        if reading.space == KEY and name and reading.known and path.endswith(_RELAXED):
            candidates += self._by_relaxed.get(name.replace(".", ""), ())
        if reading.by == files.DOCKERFILE:
            candidates = [each for each in candidates if each[0].by == files.COMPOSE]
        if reading.by == files.COMPOSE:
            candidates = [each for each in candidates if each[0].by == files.ENVIRONMENT_FILE]
        sure: list[tuple[int, tuple[Setting, str]]] = []
        possible: list[tuple[Setting, str]] = []
        for each in candidates:
            relation, depth = self._relation(each[0], each[1], path) if each[1] != path else (NO, OF_PROGRAM)
            if relation == DOES and (each[0].known or reading.by == files.DOCKERFILE):
                sure.append((depth, each))
            elif relation != NO:
                possible.append(each)
        nearest = max((depth for depth, _ in sure), default=OF_PROGRAM)
        certain = [each for depth, each in sure if depth in (OF_PROGRAM, nearest)]
        possible += [each for depth, each in sure if depth not in (OF_PROGRAM, nearest)]
        if certain:  # who is named by a folder or an image is another program
            possible = [each for each in possible if not each[0].of.startswith(("folder:", "image:"))]
        left_out = len(possible) if len(possible) > MOST_SETTING else 0
        return Set(reading, name, tuple(certain[:MOST]), tuple(possible) if not left_out else (), left_out)

    def _relation(self, setting: Setting, path: str, reader: str) -> tuple[int, int]:
        """Whether what is set is set for a reader, and how deep the folder is that says so, if one does."""
        if setting.of and not setting.of.startswith("file:"):
            return self._of_program(setting.of, path, reader), OF_PROGRAM
        given = self._given.get(f"file/{path}", ()) if setting.of else ()
        if given:
            found = max(self._of_program(of, there, reader) for of, there in given)
            if found == DOES:
                return DOES, OF_PROGRAM
        folder = _scope(path)
        if _is_below(reader, folder):
            return DOES, folder.count("/") + 1 if folder else 0
        if setting.space == KEY:  # a library of .NET is configured by the program that takes it
            return (MAY if reader.endswith(".cs") and setting.by == files.APPSETTINGS else NO), OF_PROGRAM
        return (NO if folder in self._folders else MAY), OF_PROGRAM

    def _of_program(self, of: str, path: str, reader: str, depth: int = 0) -> int:
        strong: list[str] = []
        weak: list[str] = []
        for word in of.split():
            kind, _, value = word.partition(":")
            if kind == "taken":
                given = self._given.get(value, ())
                near = [each for each in given if each[1].rpartition("/")[0] == path.rpartition("/")[0]] or given
                if near and not depth:
                    return max(self._of_program(each, there, reader, 1) for each, there in near)
            elif kind == "folder":
                strong.append(value)
            else:
                (strong if kind == "image" else weak).extend(self._called.get(_plain(value), ()))
        strong = [each for each in strong if each in self._folders]
        strong = [
            each.rpartition("/")[0].rpartition("/")[0] if each.rpartition("/")[0].endswith("lib") else each
            for each in strong
        ]  # a library of the program that is called so, as in Ruby
        if strong:
            return DOES if any(_is_below(reader, each) for each in strong) else NO
        if weak:
            return MAY if any(_is_below(reader, each) for each in weak) else NO
        return MAY


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _scope(path: str) -> str:
    """The folder of the program that a file of settings is of."""
    return _RESOURCES.sub("", path.rpartition("/")[0])
