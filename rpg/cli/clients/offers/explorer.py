"""The definition of a sub-agent that explores the repository with the graph's tools, which only read.

In: a client, the server's name. Out: the file's place and text, in the client's form; nothing for clients without
sub-agents. The page that documents the form stands above each row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from rpg.cli.clients.offers.wording import BREAKS, EXPLAINS, FINDS, NEEDS, OUTLINES, USES
from rpg.encoder.source_files.own_files import EXPLORER

NAME = "rpg-explore"
DESCRIPTION = (
    f"{EXPLORER}: who uses or calls something, what a change breaks, where something is defined or done, how parts "
    "depend on each other. Use it for questions about structure before any search through files."
)
TASK = f"""\
Answer the question about this repository with the tools of its code graph, and nothing else. Change nothing.

- {USES}. {BREAKS}.
- {FINDS}, several at once.
- {OUTLINES}. {NEEDS}.
- {EXPLAINS}.

Answer in a few lines, each with `path:line`. Say whether the list that you answer from was marked complete; if it was
not, say what is left.
"""


class Explorer(NamedTuple):
    file: str
    """Relative to the project, and to the user's home folder."""
    text: Callable[[str], str]
    """By the server's name."""
    user_file: str = ""
    """Where it is another."""


def tools() -> list[str]:
    from rpg.tools import TOOLS

    return [tool.name for tool in TOOLS.values() if tool.read_only]


def add_head(fields: Mapping[str, str]) -> str:
    head = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{head}---\n\n{TASK}"


def build_for_claude(name: str) -> str:
    known = ", ".join(f"mcp__{name}__{tool}" for tool in tools())
    return add_head({"name": NAME, "description": json.dumps(DESCRIPTION), "tools": known})


def build_for_cursor(name: str) -> str:
    return add_head({"name": NAME, "description": json.dumps(DESCRIPTION), "model": "inherit", "readonly": "true"})


def build_for_vscode(name: str) -> str:
    known = json.dumps([f"{name}/{tool}" for tool in tools()])
    return add_head({"name": NAME, "description": json.dumps(DESCRIPTION), "tools": known})


def build_for_gemini(name: str) -> str:
    known = json.dumps([f"mcp_{name}_{tool}" for tool in tools()])
    return add_head({"name": NAME, "kind": "local", "description": json.dumps(DESCRIPTION), "tools": known})


def build_for_opencode(name: str) -> str:
    permission = "{ edit: deny, bash: deny, webfetch: deny }"
    return add_head({"description": json.dumps(DESCRIPTION), "mode": "subagent", "permission": permission})


def build_for_codex(name: str) -> str:
    import tomlkit

    return tomlkit.dumps(
        {
            "name": NAME,
            "description": DESCRIPTION,
            "sandbox_mode": "read-only",
            "developer_instructions": tomlkit.string(TASK, multiline=True),
        }
    )


EXPLORERS = {
    # https://code.claude.com/docs/en/sub-agents
    "claude-code": Explorer(f".claude/agents/{NAME}.md", build_for_claude),
    # https://cursor.com/docs/context/subagents
    "cursor": Explorer(f".cursor/agents/{NAME}.md", build_for_cursor),
    # https://code.visualstudio.com/docs/copilot/customization/custom-agents
    "vscode": Explorer(f".github/agents/{NAME}.agent.md", build_for_vscode, f".copilot/agents/{NAME}.agent.md"),
    # https://developers.openai.com/codex/subagents
    "codex": Explorer(f".codex/agents/{NAME}.toml", build_for_codex),
    # https://geminicli.com/docs/core/subagents
    "gemini": Explorer(f".gemini/agents/{NAME}.md", build_for_gemini),
    # https://opencode.ai/docs/agents
    "opencode": Explorer(f".opencode/agents/{NAME}.md", build_for_opencode, f".config/opencode/agents/{NAME}.md"),
}
