"""Fields of Django's models, and the strings and keywords that name them: lookups of queries, options of serializers,
views, filters and the admin.

In: a file (`Source`). Out: rows of both sides. A lookup through a relation names the field that it begins with, and
possibly the one that it ends with. Absent: fields that code puts together, models that are made while it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.by_text.framework_names import PART_OF
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, pieces
from rpg.graph import CLASS_KINDS

_FIELD: Final = re.compile(
    r"\w+\s*(?::[^=\n]*)?=\s*(?:\w+\.)*(?P<kind>\w*(?:Field|ForeignKey|OneToOneField|ManyToManyField))\("
)
_BASES: Final = re.compile(r"\w+\s*\(([^)]*)\)\s*:")
_QUERIED: Final = re.compile(
    r"(?:(?<![\w.])(?P<model>[A-Z]\w*)\.objects(?:\.\w+\(\))?|(?P<chained>\)|\w))\s*\.\s*"
    r"(?:filter|exclude|get|order_by|values|values_list|create|update|only|defer|get_or_create|update_or_create|aggregate"
    r"|select_related|prefetch_related|distinct)\("
)
_Q: Final = re.compile(r"(?<![\w.])(?:models\.)?[QF]\(")
_OPTION: Final = re.compile(
    r"^[ \t]*(?:fields|list_display|list_filter|search_fields|ordering_fields|ordering|filterset_fields|readonly_fields"
    r"|list_editable|list_select_related|raw_id_fields|autocomplete_fields|read_only_fields)\s*(?::[^=\n]*)?=\s*(?P<list>[(\[])",
    re.MULTILINE,
)
_MODEL: Final = re.compile(
    r"^[ \t]+(?:model|queryset)\s*=\s*(?P<model>[A-Z]\w*)|\b(?P<queried>[A-Z]\w*)\.objects\b", re.MULTILINE
)
_REGISTERED: Final = re.compile(
    r"@admin\.register\(\s*(?P<model>[A-Z]\w*)[^)]*\)\s*class\s+(?P<by>\w+)|admin\.site\.register\(\s*(?P<other>[A-Z]\w*)\s*,\s*(?P<admin>\w+)"
)
_NAME: Final = re.compile(r"[\"'][-+^=@$]?(?P<key>[a-z_]\w*)[\"']")
_LOOKUPS: Final = frozenset(
    "in gt gte lt lte exact iexact contains icontains startswith istartswith endswith iendswith isnull range date year"
    " month day week hour minute second regex iregex search pk count defaults flat".split()
)


def may_have_fields(facts: FileFacts) -> bool:
    if facts.language != "python":
        return False
    return any(
        each.module.partition(".")[0] in ("django", "rest_framework", "django_filters") for each in facts.imports
    )


def fields_of(source: Source) -> Iterator[Setting]:
    definitions = source.facts.definitions
    own: dict[int, list[tuple[str, int]]] = {}
    for number, each in enumerate(definitions):
        if number and each.kind in ("field", "constant", "property") and each.parent > 0:
            found = _FIELD.match(source.text, each.name_byte, each.end_byte + 1)
            if found is not None and "serializers." not in found[0] and "filters." not in found[0]:
                own.setdefault(each.parent, []).append((each.name, number))
                if found["kind"].endswith(("ForeignKey", "OneToOneField")):
                    own[each.parent].append((f"{each.name}_id", number))
    names = {definitions[number].name: number for number in own}
    for number, each in enumerate(definitions):
        if not number or each.kind not in CLASS_KINDS:
            continue
        bases = _BASES.match(source.text, each.name_byte)
        inherited = [names[base] for base in re.findall(r"\w+", bases[1]) if base in names] if bases else []
        for of in (number, *inherited):
            for name, field in own.get(of, ()):
                symbol, line = source.symbol(field), definitions[field].start_line
                yield Setting(PART_OF, f"field {each.name}.{name}".lower(), symbol, line, "", "", True)
                if of == number:
                    yield Setting(PART_OF, f"field .{name}", symbol, line, "", "", True)


def named_fields(source: Source) -> Iterator[Reading]:
    text = source.text
    models = {}
    for found in _REGISTERED.finditer(text) if "admin" in text else ():
        models[found["by"] or found["admin"]] = found["model"] or found["other"]
    if ".objects" in text or "filter(" in text or "Q(" in text:
        for pattern in (_QUERIED, _Q):
            for found in pattern.finditer(text):
                model = found.groupdict().get("model") or ""
                for each in pieces(text, found.end(), min(len(text), found.end() + 2_000)):
                    if each.keyword:
                        at = text.rfind(each.keyword, found.end() - 1, each.start)
                        yield from _lookup(source, model, each.keyword, at)
                    elif model and (named := _NAME.fullmatch(each.text)) is not None:
                        yield from _lookup(source, model, named["key"], each.start + 1)
    for found in _OPTION.finditer(text):
        number = source.innermost(found.start("list"), CLASS_KINDS)
        model = ""
        while number > 0 and not model:
            definition = source.facts.definitions[number]
            model = models.get(definition.name, "")
            stated = _MODEL.search(text, definition.start_byte, definition.end_byte) if not model else None
            model = (stated["model"] or stated["queried"]) if stated is not None else model
            number = definition.parent
        for each in pieces(text, found.end("list"), min(len(text), found.end() + 2_000)):
            named = _NAME.fullmatch(each.text)
            if named is not None and model:
                yield from _lookup(source, model, named["key"], each.start + 1)


def _lookup(source: Source, model: str, written: str, at: int) -> Iterator[Reading]:
    parts = written.split("__")
    while len(parts) > 1 and parts[-1] in _LOOKUPS:
        parts.pop()
    if at < 0 or parts[0] in _LOOKUPS or source.is_comment(at):
        return
    if model:
        yield _reading(source, f"field {model}.{parts[0]}".lower(), at, True)
    if len(parts) > 1:
        yield _reading(source, f"field .{parts[-1]}", at, False)


def _reading(source: Source, name: str, at: int, known: bool) -> Reading:
    maker = around(source, at)
    said = ((SAID, name),)
    return Reading(PART_OF, said, source.symbol(maker), source.place(at), is_test(source, maker), known=known)
