"""How languages read a variable of the environment: by objects and functions, and as patterns over their text.

In: nothing. Out: names of what reads, where facts hold the values of calls; for other languages a row for each
construct: what its name is, a text that every file with it holds, and the pattern.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Reading(NamedTuple):
    """How the languages without values in their facts read a variable: the first group is what must be a reference, the
    second the name."""

    by: str
    text: str
    pattern: re.Pattern[str]
    languages: frozenset[str]


def _row(by: str, text: str, pattern: str, languages: str) -> Reading:
    return Reading(by, text, re.compile(pattern), frozenset(languages.split()))


MAPPINGS = {"os.environ": "os.environ", "process.env": "process.env", "node:process.env": "process.env",
            "import.meta.env": "import.meta.env", "Deno.env": "Deno.env"}  # fmt: skip
"""Objects that contain all variables -> how they are shown."""
READERS = frozenset({"get", "pop", "setdefault", "has"})
"""Methods of these objects that take a name."""
FUNCTIONS = {
    "os.getenv": "os.getenv", "os.Getenv": "os.Getenv", "os.LookupEnv": "os.LookupEnv", "decouple.config": "decouple",
    "environ.Env()": "environ.Env", "syscall.Getenv": "syscall.Getenv",
}  # fmt: skip
"""Functions that take a name first."""

_TEXT = r"""["']([^"'\\\s]{1,200})["']"""
READ_BY = (
    _row("System.getenv", "System.getenv", rf"System\s*\.\s*(getenv)\(\s*{_TEXT}", "java kotlin scala"),
    _row("System.getProperty", "System.getProperty", rf"System\s*\.\s*(getProperty)\(\s*{_TEXT}", "java kotlin scala"),
    _row("@Value", "@Value", r"@(Value)\(\s*(?:value\s*=\s*)?\"\$\{([\w.\-]+)", "java kotlin"),
    _row("ENV", "ENV", rf"\b(ENV)(?:\[|\.fetch\(|\.fetch\s+|\.key\?\()\s*{_TEXT}", "ruby"),
    _row("env::var", "env::var", rf"\b(var|var_os)\(\s*{_TEXT}", "rust"),
    _row("env!", "env!", rf"\b(env|option_env)!\(\s*{_TEXT}", "rust"),
    _row("Environment", "GetEnvironmentVariable", rf"(GetEnvironmentVariable)\(\s*{_TEXT}", "csharp"),
    _row("getenv", "getenv", rf"\b(getenv)\(\s*{_TEXT}", "c cpp php lua"),
    _row("$_ENV", "$_ENV", rf"(\$_ENV|\$_SERVER)\[\s*{_TEXT}", "php"),
    _row("env()", "env(", rf"\b(env)\(\s*{_TEXT}", "php"),
    _row("System.get_env", "System.", rf"System\.(get_env|fetch_env!?)\(\s*{_TEXT}", "elixir"),
    _row(
        "import.meta.env",
        "import.meta.env",
        r"\bimport\.meta\.(env)\.([A-Z]\w*)",
        "typescript javascript tsx vue svelte astro",
    ),
    _row("process.env", "process.env", r"\bprocess\.(env)\.([A-Z]\w*)", "vue svelte astro"),
    _row("processInfo", "environment", rf"\.(environment)\[\s*{_TEXT}", "swift"),
    _row("Platform.environment", "Platform.environment", rf"Platform\.(environment)\[\s*{_TEXT}", "dart"),
)
