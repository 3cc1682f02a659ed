"""The skill that `rpg install claude-code` offers: which call answers which question.

In: nothing. Out: a text of at most 25 lines, for an agent that has grep as well.
"""

from __future__ import annotations

NAME = "rpg"
SKILL = """\
---
name: rpg
description: Questions about this repository's code - who calls or uses something, what a change breaks, where something
  is defined or done, how parts depend on each other. Use the rpg tools (MCP server, or `rpg` in a shell) before grep.
---
One call usually is the whole answer: lines and columns, tests counted apart, and whether the list is complete.

- Who uses, calls, creates, raises or subclasses X: `find_usages` (`kinds`: calls, instantiates, raises, inherits, ...)
- What breaks if X changes: `find_usages` with `transitive: 3`; what changed since a revision: `since: "main"`
- Where is X defined, with half a name or a description: `search`; its source, several at once: `fetch`
- Lines with a literal text or a regular expression in any file, by symbol: `search` with `mode: "text"` or `"regex"`
- What is in a folder, file or class; subclasses; the path from A to B: `explore` (`to` for paths)
- What a file or package needs, and what needs it; import cycles: `get_dependencies`
- How does something work, over several files: `query_code`, with `terms`: names and words that the code may use for it

Write X as you have it: `Type.method`, `path::Type.method`, `path:line`. Narrow with `path`, `exclude_path`, `tests`.
Ask for several symbols in one call rather than one after another. Do not repeat with grep what is marked complete,
except for fields of interfaces and dataclasses.

Grep is better for: files that you are about to read anyway, a text in files that git ignores, logs and generated files.
Read a file itself when you are going to edit it. The graph follows edits by itself; nothing has to be encoded again.
"""
