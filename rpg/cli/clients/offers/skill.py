"""The skill that `rpg install claude-code` offers: which call answers which question.

In: nothing. Out: a text of at most 25 lines, for an agent that has grep as well.
"""

from __future__ import annotations

from rpg.cli.clients.offers.wording import BREAKS, CHECKS, EXPLAINS, FINDS, NEEDS, OUTLINES, USES, WHY

NAME = "rpg"
SKILL = f"""\
---
name: rpg
description: Questions about this repository's code - who calls or uses something, what a change breaks, where something
  is defined or done, how parts depend on each other. Ask the rpg tools (MCP server, or `rpg` in a shell) before grep.
---
{WHY}
One call usually is the whole answer: lines and columns, tests counted apart, and whether the list is complete.

- {USES} (`kinds`: calls, instantiates, raises, inherits, ...)
- {BREAKS}; what changed since a revision: `since: "main"`
- {FINDS}, several at once
- Lines with a literal text or a regular expression in any file, by symbol: `search` with `mode: "text"` or `"regex"`
- {OUTLINES} (`to` for paths)
- {NEEDS}; import cycles
- {EXPLAINS}, with `terms`: names and words that the code may use for it
- {CHECKS}

Write X as you have it: `Type.method`, `path::Type.method`, `path:line`. Narrow with `path`, `exclude_path`, `tests`.
Ask for several symbols in one call, and without a grep in the same turn: the answer accounts for every place that has
the word, so "complete" leaves grep nothing to find.

Grep is better for: files that you are about to read anyway, a text in files that git ignores, logs and generated files.
Read a file itself when you are going to edit it. The graph follows edits by itself; nothing has to be encoded again.
"""
