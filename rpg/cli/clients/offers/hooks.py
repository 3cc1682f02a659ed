"""The hooks that `rpg install` adds: after an edit and at the end of a turn, `rpg check --hook`; after a search through
files, `rpg usages --hook`.

In: a client, the text of its file of hooks. Out: the text with ours, or without them, everything else unchanged. Each
client has its own form, which is a row in HOOKED.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from rpg.cli.clients.editing.json_with_comments import (
    add_element,
    load,
    remove_elements,
    remove_value,
    set_value,
)
from rpg.cli.clients.editing.malformed import Malformed
from rpg.errors import BadRequest

CHECK, ANSWER = "check --hook", "usages --hook"
"""What every command of ours has: what an edit broke, and what the graph knows of a name that an agent greps for."""
SECONDS = 5
"""After which a client may give up; the hook itself ends after two."""
PLUGIN = """\
// Written by `rpg install opencode --hooks`: adds to the answer of an edit what the edit broke.
import { spawnSync } from "node:child_process"

const COMMAND = %s
const EDITS = new Set(["edit", "write", "patch", "multiedit", "apply_patch"])

export const RpgCheck = async ({ directory }) => ({
  "tool.execute.after": async (input, output) => {
    if (!EDITS.has(input.tool)) return
    const event = { hook_event_name: "PostToolUse", session_id: input.sessionID, cwd: directory }
    const done = spawnSync(COMMAND[0], COMMAND.slice(1), { input: JSON.stringify(event), timeout: 3000 })
    try {
      const text = JSON.parse(done.stdout.toString()).hookSpecificOutput.additionalContext
      output.output = `${output.output ?? ""}\\n${text}`
    } catch {
      // There is nothing to tell.
    }
  },
})
"""


class Hooked(NamedTuple):
    title: str
    file: str
    """In a project, and in the user's home folder."""
    events: tuple[tuple[str, str], ...] = ()
    """The events and the tools that they are for; an event without tools has none to choose from."""
    answers: tuple[tuple[str, str], ...] = ()
    """Those after a search through files, where the client takes text then."""
    is_flat: bool = False
    """Whether an event lists commands rather than groups of them."""
    unit: int = 1
    """How many parts of a second its timeouts count."""
    note: str = ""
    user_file: str = ""
    """In the user's home folder, where it is another."""


HOOKED = {
    "claude-code": Hooked(
        "Claude Code", ".claude/settings.json", (("PostToolUse", "Edit|MultiEdit|Write|NotebookEdit"), ("Stop", "")),
        (("PostToolUse", "Grep|Bash"),),
    ),
    "cursor": Hooked(
        "Cursor", ".cursor/hooks.json", (("stop", ""),), is_flat=True,
        note="Cursor takes no text after an edit: what broke is told at the end of a turn.",
    ),
    "codex": Hooked(
        "Codex", ".codex/hooks.json", (("PostToolUse", "apply_patch|Edit|Write|Bash"), ("Stop", "")),
        (("PostToolUse", "Bash"),),
        note="Codex runs hooks if `hooks` is on under [features] of its config.toml (in older versions `codex_hooks`).",
    ),
    "gemini": Hooked(
        "Gemini CLI", ".gemini/settings.json", (("AfterTool", "write_file|replace"), ("AfterAgent", "")),
        (("AfterTool", "search_file_content|grep_search|run_shell_command"),), unit=1000,
    ),
    "opencode": Hooked("opencode", ".opencode/plugins/rpg-check.js", user_file=".config/opencode/plugins/rpg-check.js"),
}  # fmt: skip


def file_of(client: str, scope: str, root: Path) -> Path:
    if scope == "user":
        return Path.home() / (HOOKED[client].user_file or HOOKED[client].file)
    return root / HOOKED[client].file


def insert_hooks(client: str, file: Path, text: str, mark: str = CHECK) -> str:
    """The contents of the file, with ours in place of an earlier form of ours. BAD_REQUEST, with what to add by hand,
    if it cannot be changed."""
    hooked = HOOKED[client]
    events = hooked.answers if mark == ANSWER else hooked.events
    try:
        if not events:
            if text and not is_ours(text, mark):
                raise Malformed("it is another plugin")
            return PLUGIN % json.dumps(command(mark))
        settings = load(text.removeprefix("\ufeff")) if text.strip("\ufeff \t\r\n") else {}
        if hooked.is_flat and "version" not in settings:
            text = set_value(text, ("version",), 1)
        hooks = hooks_in(settings)
        for event, tools in events:
            wanted = entry(hooked, tools, mark)
            if wanted in hooks.get(event, []):
                continue
            text = remove_elements(text, ("hooks", event), lambda each: is_ours(json.dumps(each), mark))
            text = add_element(text, ("hooks", event), wanted)
    except (Malformed, AttributeError, TypeError) as error:
        reason = error if isinstance(error, Malformed) else "it has another form"
        raise BadRequest(
            f"{file} was not changed, as {reason}: add a hook that runs `{shlex.join(command(mark))}`"
        ) from None
    return text


def remove_hooks(client: str, text: str) -> str | None:
    """The contents without ours; None for a file that is ours alone."""
    if not HOOKED[client].events:
        return None if is_ours(text, CHECK) else text
    try:
        hooks = hooks_in(load(text.removeprefix("\ufeff"))) if text.strip("\ufeff \t\r\n") else {}
        for event, groups in hooks.items():
            ours = [each for each in groups if is_any_of_ours(each)]
            if ours and len(ours) == len(groups):
                text = remove_value(text, ("hooks", event))
            elif ours:
                text = remove_elements(text, ("hooks", event), is_any_of_ours)
    except Malformed:
        return text
    return text


def hooks_in(settings: Any) -> dict[str, list[Any]]:
    hooks = settings.get("hooks", {}) if isinstance(settings, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(each, list) for each in hooks.values()):
        raise Malformed("its hooks are not lists by event")
    return hooks


def is_any_of_ours(group: Any) -> bool:
    return any(is_ours(json.dumps(group), mark) for mark in (CHECK, ANSWER))


def is_ours(text: str, mark: str) -> bool:
    return mark in text.replace('", "', " ")


def entry(hooked: Hooked, tools: str, mark: str) -> dict[str, Any]:
    line = shlex.join(command(mark))
    if hooked.is_flat:
        return {"command": line}
    group: dict[str, Any] = {"matcher": tools} if tools else {}
    return group | {"hooks": [{"type": "command", "command": line, "timeout": SECONDS * hooked.unit}]}


def command(mark: str) -> list[str]:
    """`rpg check --hook`: by its plain name if that leads to this installation, for a file that others may read."""
    from rpg.cli.clients.entry import own_command

    program, *arguments = own_command()
    if arguments:  # python -m rpg serve
        return [program, *arguments[:-1], *mark.split()]
    beside = Path(program).with_name(Path(program).name.replace("rpg-mcp", "rpg"))
    on_path = shutil.which("rpg")
    is_same = on_path is not None and os.path.realpath(on_path) == os.path.realpath(beside)
    return ["rpg" if is_same else str(beside), *mark.split()]
