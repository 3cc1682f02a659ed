"""Words of files that name a translation or a command.

In: facts. Out: whether a file may name one.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import FileFacts

SCRIPT: Final = frozenset("javascript typescript tsx vue svelte astro".split())
_SCRIPT_WORDS: Final = frozenset(
    "useTranslation useTranslations getTranslations i18n i18next $t FormattedMessage formatMessage Trans useI18n"
    " TranslateService translate TFunction useIntl intl $tc I18n".split()
)
_LIBRARY: Final = re.compile(r"i18n|intl|translat|gettext|babel")
_TRANSLATED: Final = {
    "ruby": frozenset("I18n t".split()),
    "erb": frozenset("t translate I18n".split()),
    "haml": frozenset("t translate I18n".split()),
    "php": frozenset("__ trans trans_choice Lang".split()),
    "java": frozenset("getMessage R".split()),
    "kotlin": frozenset("getMessage R".split()),
    "csharp": frozenset("localizer _localizer Localizer L GetString _stringLocalizer".split()),
    "go": frozenset("i18n I18n I18N localizer Localizer MustLocalize LocalizeConfig MessageID Translate".split()),
    "dart": frozenset("AppLocalizations S tr".split()),
}
RENDERED: Final = {"Render": 1, "ExecuteTemplate": 1, "HTML": 1, "RenderTemplate": 1, "Lookup": 0}
"""Methods of Go that are passed the name of a template, and where."""
_OF_QUERIES: Final = re.compile(r"/(?:sqlx|goyesql|dotsql)(?:/|$)")
_PAGES: Final = frozenset("blade html page_template".split())
_LINES: Final = frozenset("bash dockerfile makefile markdown yaml".split())
_COMMANDED: Final = {
    "php": frozenset("signature command Artisan call callSilent callSilently AsCommand".split()),
    "python": frozenset("command call_command BaseCommand".split()),
    "ruby": frozenset("task Rake rake".split()),
    "groovy": frozenset("task tasks".split()),
    "kotlin": frozenset(("tasks",)),
}


def may_translate(facts: FileFacts) -> bool:
    language = facts.language
    if language in SCRIPT:
        return not _SCRIPT_WORDS.isdisjoint(facts.strings) or (
            "t" in facts.strings and any(_LIBRARY.search(each.module) for each in facts.imports)
        )
    if language == "python":
        return any(_is_of_gettext(each.module) for each in facts.imports)
    words = _TRANSLATED.get(language)
    return language in _PAGES or (words is not None and not words.isdisjoint(facts.strings))


def _is_of_gettext(module: str) -> bool:
    return module.endswith("utils.translation") or "gettext" in module or "babel" in module


def may_render(facts: FileFacts) -> bool:
    """Whether a file may name a template or a query, or be one."""
    if facts.language == "go":
        return not RENDERED.keys().isdisjoint(facts.strings) or any(
            _OF_QUERIES.search(each.module) for each in facts.imports
        )
    return facts.language in ("html", "page_template")


def may_command(facts: FileFacts) -> bool:
    words = _COMMANDED.get(facts.language)
    return (
        facts.language in _LINES
        or (words is not None and not words.isdisjoint(facts.strings))
        or (facts.language == "json" and facts.path.endswith("package.json"))
        or facts.path.endswith((".gradle", ".gradle.kts"))
        or (facts.language == "python" and "/management/commands/" in facts.path)
    )


def may_name_text(facts: FileFacts) -> bool:
    return may_translate(facts) or may_command(facts) or may_render(facts)
