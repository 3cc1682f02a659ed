"""Feature flags, by name: files that declare them, and calls that ask whether one is on.

In: a file (`Source`). Out: rows of both sides. Files are known by their names (`feature_flags.yml`, `demo.flagd.json`,
`config/feature_flags/*.yml`, `FeatureManagement` of .NET), code by the functions of libraries that declare one. That a
call asks for one is known where something declares one of that name. Absent: flags that only a service knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.by_text.literals import LineCounter, keys_of
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.settings.yaml_lines import entries
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID

FLAG: Final = "flag"
BY: Final = "flags"
MOST_BYTES: Final = 1 << 19
_FILE: Final = re.compile(
    r"(?:^|/)(?:[\w-]*[._-])?(?:feature[-_.]?(?:flag|toggle|switch)e?s?|flags|flagd|toggles|features|experiments|flipper)"
    r"(?:\.[\w-]+)?\.(?:ya?ml|json)$",
    re.I,
)
_FOLDER: Final = re.compile(r"(?:^|/)(?:feature[-_]?flags|flags)/(?:[\w-]+/)*[\w-]+\.ya?ml$")
"""A file a flag, which it names."""
_OF_DOTNET: Final = re.compile(r"(?:^|/)appsettings(?:\.[\w-]+)?\.json$")
_AROUND: Final = frozenset(("flags", "features", "toggles", "feature_flags", "featureFlags", "FeatureManagement"))
_OTHERS: Final = frozenset("$schema version metadata defaults default".split())
_TOLD: Final = r"\s*[(]?\s*(?:[\w.]+\s*,\s*)?(?P<mark>:|[\"'`])(?P<key>[A-Za-z][\w.:/-]*)"
_ASKED: Final = re.compile(
    r"(?:(?<![\w$])(?:use(?:Feature)?Flag(?:Enabled|Value)?|useFeature(?:Enabled|IsOn|Value|FlagEnabled)?|useBooleanFlag\w*|useVariant"
    r"|isFeature(?:Enabled|Active|On)|is_feature_(?:enabled|active)|feature_(?:enabled|active|flag_enabled)\??|featureEnabled"
    r"|flag_(?:enabled|disabled|is_active)|switch_is_active|sample_is_active|waffle_(?:flag|switch)|FeatureGate|IsFeatureEnabled"
    r"|hasFeature(?:Flag)?|has_feature(?:_flag)?\??)"
    r"|\.(?:isFeature(?:Enabled|Active|On)|IsFeatureEnabled|is_feature_enabled|feature_enabled\?|isEnabled|IsEnabled(?:Async)?|is_enabled"
    r"|(?:bool(?:ean)?|string|json|int|double|number)?_?[vV]ariation|[gG]et(?:Boolean|String|Number|Object|Integer|Float)Value(?:Async)?"
    r"|get_(?:boolean|string|integer|float|object)_value|BooleanValue|StringValue|IntValue|FloatValue|ObjectValue|evalFeature|getFeatureValue"
    r"|getVariant|isOn|is_on|isOff|flagEnabled|checkGate|check_gate|getFeatureFlag)"
    r"|\b(?:Flipper|Feature|Features|FeatureFlags?|Rollout|Toggle|Pennant|Unleash)(?:\.|::)(?:enabled\?|disabled\?|enabled|disabled|active|inactive"
    r"|activate|deactivate|value|when|unless|enable|disable|isEnabled|is_enabled|active\?))" + _TOLD
)
_TAGGED: Final = re.compile(
    r"\{%-?\s*(?:flag|switch|ifflag|flag_enabled)\s+[\"']?(?P<key>[A-Za-z][\w.-]*)|@feature\(\s*['\"](?P<blade>[\w.-]+)['\"]"
    r"|<(?:Feature|FeatureFlag|Toggle|IfFeatureEnabled|FlagGate)\s+(?:name|feature|flag|flagKey|featureKey|feature_key)="
    r"\{?[\"'](?P<tag>[\w.:-]+)"
)
_DECLARED: Final = re.compile(
    r"\b(?:Feature::define|Flipper\.(?:add|register)|(?:WaffleFlag|WaffleSwitch|CourseWaffleFlag|SettingToggle)"
    r"|(?:Flag|Switch)\.objects\.(?:get_or_create|update_or_create|create))\(?\s*(?:name\s*=\s*)?(?P<mark>:|[\"'])(?P<key>[A-Za-z][\w.:-]*)"
)
_OF_DJANGO: Final = re.compile(r"^(?:FLAGS|WAFFLE_FLAGS|FEATURES)\s*(?::[^=\n]+)?=\s*\{", re.MULTILINE)
_WORDS: Final = frozenset(
    "useFlag useFeatureFlag useFlagEnabled useFlagValue useFeature useFeatureEnabled useFeatureIsOn"
    " useFeatureValue useFeatureFlagEnabled useBooleanFlagValue useBooleanFlagDetails useVariant isFeatureEnabled"
    " isFeatureActive isFeatureOn is_feature_enabled is_feature_active feature_enabled feature_enabled?"
    " feature_active feature_active? feature_flag_enabled feature_flag_enabled? featureEnabled flag_enabled"
    " flag_disabled flag_is_active switch_is_active sample_is_active waffle_flag waffle_switch FeatureGate"
    " IsFeatureEnabled hasFeature hasFeatureFlag has_feature has_feature? has_feature_flag has_feature_flag?"
    " isEnabled IsEnabled IsEnabledAsync is_enabled variation Variation boolVariation BoolVariation bool_variation"
    " booleanVariation stringVariation StringVariation string_variation jsonVariation intVariation IntVariation"
    " doubleVariation numberVariation getBooleanValue GetBooleanValue GetBooleanValueAsync getStringValue"
    " GetStringValueAsync getNumberValue getObjectValue getIntegerValue getFloatValue get_boolean_value"
    " get_string_value get_integer_value get_float_value get_object_value BooleanValue StringValue IntValue"
    " FloatValue ObjectValue evalFeature getFeatureValue getVariant isOn is_on isOff flagEnabled checkGate"
    " check_gate getFeatureFlag Flipper Feature Features FeatureFlag FeatureFlags Rollout Toggle Pennant Unleash"
    " Flag Switch WaffleFlag WaffleSwitch CourseWaffleFlag SettingToggle FLAGS WAFFLE_FLAGS FEATURES"
    " IfFeatureEnabled FlagGate".split()
)
_IN_TEMPLATES: Final = ("flag", "switch", "feature", "Flipper", "Feature")
_TEMPLATES: Final = frozenset("page_template blade erb haml".split())
_LANGUAGES: Final = frozenset(
    "python javascript typescript tsx vue svelte go java kotlin ruby erb haml php blade csharp rust swift dart scala"
    " page_template".split()
)


def is_of_flags(path: str) -> bool:
    """Whether a file declares flags, by its name."""
    return _FILE.search(path) is not None or _FOLDER.search(path) is not None


def may_flag(facts: FileFacts) -> bool:
    """Whether a file has a word of flags."""
    return facts.language in _TEMPLATES or (facts.language in _LANGUAGES and not _WORDS.isdisjoint(facts.strings))


def flags_of(source: Source) -> Iterator[Setting]:
    text, path = source.text, source.path
    if len(text) > MOST_BYTES:
        return
    if path.endswith((".yml", ".yaml")) and is_of_flags(path):
        yield from _of_yaml(source)
    elif path.endswith(".json") and is_of_flags(path):
        keys = [each for each in keys_of(text) if each.name not in _OTHERS]
        inside = {each for each in keys if len(each.around) == 1 and each.around[0] in _AROUND}
        for each in inside or {each for each in keys if not each.around}:
            yield _row(source, each.name, 0, each.line)
    elif _OF_DOTNET.search(path):
        for each in keys_of(text) if "FeatureManagement" in text else ():
            if each.around == ("FeatureManagement",):
                yield _row(source, each.name, 0, each.line)
    elif may_flag(source.facts):
        for found in _DECLARED.finditer(text):
            if not source.is_comment(found.start()):
                yield _row(source, found["key"], around(source, found.start()), source.line(found.start()))
        if source.language == "python" and (stated := _OF_DJANGO.search(text)) is not None:
            end = text.find("\n}", stated.end())
            lines = LineCounter(text)
            for found in re.finditer(r"^ {4}[\"'](?P<key>[\w.-]+)[\"']\s*:", text[: max(end, 0)], re.MULTILINE):
                if found.start() > stated.start():
                    yield _row(source, found["key"], 0, lines.line(found.start("key")))


def _of_yaml(source: Source) -> Iterator[Setting]:
    found = list(entries(source.text))
    own = [each for each in found if each.key == "name" and not each.around and _FOLDER.search(source.path)]
    for each in own:
        yield _row(source, each.value, 0, each.line)
    if own or not _FILE.search(source.path):
        return
    listed = [
        each
        for each in found
        if each.key in ("name", "key", "flag", "id") and each.around and each.around[-1][0] == "-"
    ]
    for each in listed:
        yield _row(source, each.value, 0, each.line)
    if listed:
        return
    inside = [each for each in found if len(each.around) == 1 and each.around[0] in _AROUND and each.key]
    for each in inside or [each for each in found if not each.around and each.key and each.key not in _OTHERS]:
        yield _row(source, each.key, 0, each.line)
    if not inside:  # below the name of an environment
        names = {each.key for each in found if not each.around}
        for each in found:
            if len(each.around) == 1 and each.around[0] in _ENVIRONMENTS & names and each.key:
                yield _row(source, each.key, 0, each.line)


_ENVIRONMENTS: Final = frozenset("default defaults development production test shared".split())


def _row(source: Source, name: str, number: int, line: int) -> Setting:
    return Setting(FLAG, name, source.symbol(number), line, BY, "", True)


def named_flags(source: Source) -> Iterator[Reading]:
    text = source.text
    if len(text) > MOST_BYTES or (source.language in _TEMPLATES and not any(each in text for each in _IN_TEMPLATES)):
        return
    for pattern in (_ASKED, _TAGGED):
        for found in pattern.finditer(text):
            group = found.lastgroup or "key"
            at = found.start(group)
            if not source.is_comment(at):
                maker = around(source, at)
                said = ((SAID, found[group]),)
                yield Reading(FLAG, said, source.symbol(maker), source.place(at), is_test(source, maker))
