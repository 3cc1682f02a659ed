"""Bash: functions of the repository's scripts and what calls them. A command that no script defines is a program.

In: a syntax tree. Out: facts. What is missing: commands whose names are computed.
"""

from rpg.encoder.languages.declarative.bash.rules import Rules
from rpg.encoder.languages.declarative.bash.syntax import Lowering

__all__ = ["Lowering", "Rules"]
