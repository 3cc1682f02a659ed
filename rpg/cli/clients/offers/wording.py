"""What an agent is told to ask the graph: the same words in the lines of rules, the skill and the sub-agent.

In: nothing. Out: questions, each with the tool that answers it. What they say is what the tools do, no more: an agent
that was promised too much asks once.
"""

from __future__ import annotations

USES = "Who uses, calls, creates or subclasses X: `find_usages`, which accounts for all that `git grep -ow X` finds"
BREAKS = "What breaks if X changes: `find_usages` with `transitive: 3`"
FINDS = "Where is X, with half a name or a description of what it does: `search`; its source: `fetch`"
OUTLINES = "What is in a folder, file or class; how one thing reaches another: `explore`"
NEEDS = "What a file or package needs, and what needs it: `get_dependencies`"
EXPLAINS = "How something works, over several files: `query_code`"
CHECKS = "After an edit, what it broke: `check`"
WHY = (
    "Grep finds a name also where it means another thing, and misses aliases and overrides; the graph finds what is "
    "meant."
)
