"""What resolution must know about a language: `Rules`, which each language fills in and overrides.

In: what a language may ask about the repository (`Project`). Out: tables and a few methods, with the defaults of a
plain language. The rooms that resolve ask for these and know no language themselves. A module here has the rules of one
subject, and its class is never used alone. Tables are read in hot places: put one into a local variable before a loop.
"""

from __future__ import annotations

from rpg.encoder.languages.project import Project
from rpg.encoder.languages.rules.access import AccessRules
from rpg.encoder.languages.rules.calls import CallRules
from rpg.encoder.languages.rules.libraries import LibraryRules
from rpg.encoder.languages.rules.members import MemberRules
from rpg.encoder.languages.rules.mentions import MentionRules
from rpg.encoder.languages.rules.names import NameRules
from rpg.encoder.languages.rules.packages import PackageRules
from rpg.encoder.languages.rules.test_code import TestRules
from rpg.encoder.languages.rules.unnamed_uses import UnnamedUseRules
from rpg.encoder.languages.rules.values import ValueRules
from rpg.encoder.languages.rules.verdicts import VerdictRules


class Rules(
    NameRules,
    LibraryRules,
    UnnamedUseRules,
    ValueRules,
    MemberRules,
    PackageRules,
    CallRules,
    VerdictRules,
    AccessRules,
    MentionRules,
    TestRules,
):
    """What resolution must know about a language, made once per repository. The defaults are those of a plain
    language."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def finds_alike(self, before: Rules) -> bool:
        """Whether files are looked for in the same folders as by the rules before an edit, but for those that came or
        went."""
        return True

    def is_looked_up(self, name: str) -> bool:
        """Whether the language itself looks up a member of that name."""
        if name in self.looked_up or name in self.run_unnamed or name.startswith(self.looked_up_prefixes):
            return True
        return bool(self.run_unnamed) and name.startswith(self.unnamed_prefixes) and name != self.constructor
