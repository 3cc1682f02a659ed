"""The hooks that `rpg install CLIENT --hooks` adds: after an edit and at the end of a turn, `rpg check --hook`.

In: a client and a project. Out: the client's file of hooks with ours, everything else unchanged. Each client has its
own form, which is a row in HOOKED.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from rpg.cli.install.json_with_comments import Malformed, loaded, with_value
from rpg.errors import BadRequest
from rpg.system import filesystem

LARGEST = 16 << 20
MARK = "check --hook"
"""What every command of ours has."""
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
    is_flat: bool = False
    """Whether an event lists commands rather than groups of them."""
    unit: int = 1
    """How many parts of a second its timeouts count."""
    note: str = ""


HOOKED = {
    "claude-code": Hooked(
        "Claude Code", ".claude/settings.json", (("PostToolUse", "Edit|MultiEdit|Write|NotebookEdit"), ("Stop", ""))
    ),
    "cursor": Hooked(
        "Cursor", ".cursor/hooks.json", (("stop", ""),), True,
        note="Cursor takes no text after an edit: what broke is told at the end of a turn.",
    ),
    "codex": Hooked(
        "Codex", ".codex/hooks.json", (("PostToolUse", "apply_patch|Edit|Write|Bash"), ("Stop", "")),
        note="Codex runs hooks if its config.toml has `codex_hooks = true` under [features].",
    ),
    "gemini": Hooked(
        "Gemini CLI", ".gemini/settings.json", (("AfterTool", "write_file|replace"), ("AfterAgent", "")), unit=1000
    ),
    "opencode": Hooked("opencode", ".opencode/plugins/rpg-check.js"),
}  # fmt: skip


def install_hooks(client: str, scope: str, root: Path) -> tuple[Path, str]:
    """Returns the file and a note. BAD_REQUEST, with what to add by hand, if the file cannot be changed."""
    from rpg.cli.install.command import put, unfit

    hooked = HOOKED[client]
    above = root if scope == "project" else Path.home()
    file = above / hooked.file
    if scope == "user" and client == "opencode":
        file = Path.home() / ".config" / "opencode" / "plugins" / "rpg-check.js"
    what = unfit(above, file)
    text = with_hooks(hooked, file) if not what else ""
    if what:
        raise BadRequest(f"{what}, nothing was changed: add a hook that runs `{shlex.join(command())}`")
    put(file, text)
    return file, hooked.note


def with_hooks(hooked: Hooked, file: Path) -> str:
    """The contents of the file, with ours in place of an earlier form of ours."""
    import json

    try:
        text = filesystem.read_file(file, LARGEST).decode() if file.exists() else ""
        if not hooked.events:
            if text and MARK not in text.replace('", "', " "):
                raise Malformed("it is another plugin")
            return PLUGIN % json.dumps(command())
        settings = loaded(text.removeprefix("\ufeff")) if text.strip("\ufeff \t\r\n") else {}
        if hooked.is_flat and "version" not in settings:
            text = with_value(text, ("version",), 1)
        hooks = settings.get("hooks", {})
        if not isinstance(hooks, dict) or not all(isinstance(each, list) for each in hooks.values()):
            raise Malformed("its hooks are not lists by event")
        for event, tools in hooked.events:
            others = [each for each in hooks.get(event, []) if MARK not in json.dumps(each)]
            text = with_value(text, ("hooks", event), [*others, entry(hooked, tools)])
    except (Malformed, UnicodeDecodeError, OSError, AttributeError, TypeError) as error:
        reason = error if isinstance(error, Malformed) else "it cannot be read"
        raise BadRequest(
            f"{file} was not changed, as {reason}: add a hook that runs `{shlex.join(command())}`"
        ) from None
    return text


def entry(hooked: Hooked, tools: str) -> dict[str, Any]:
    line = shlex.join(command())
    if hooked.is_flat:
        return {"command": line}
    group: dict[str, Any] = {"matcher": tools} if tools else {}
    return group | {"hooks": [{"type": "command", "command": line, "timeout": SECONDS * hooked.unit}]}


def command() -> list[str]:
    """`rpg check --hook`: by its plain name if that leads to this installation, for a file that others may read."""
    from rpg.cli.install.command import own_command

    program, *arguments = own_command()
    if arguments:  # python -m rpg serve
        return [program, *arguments[:-1], *MARK.split()]
    beside = Path(program).with_name(Path(program).name.replace("rpg-mcp", "rpg"))
    on_path = shutil.which("rpg")
    is_same = on_path is not None and os.path.realpath(on_path) == os.path.realpath(beside)
    return ["rpg" if is_same else str(beside), *MARK.split()]
