"""The parts of an installation: the server, the lines of rules, the sub-agent, the skill, the hooks.

In: a client, a scope, the root of the project, a plan. Out: steps of the plan that add a part, or take out what is
found of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rpg.cli.clients.changes import Plan
from rpg.cli.clients.editing import formats, yaml_blocks
from rpg.cli.clients.editing.malformed import Malformed
from rpg.cli.clients.entry import Entry, is_of_rpg, keys_of
from rpg.cli.clients.offers import explorer, hooks, rules
from rpg.cli.clients.offers import skill as skills
from rpg.cli.clients.table import CLIENTS, NAME, PROJECT, STARTING, USER, Client, base_folder
from rpg.encoder.source_files.own_files import EXPLORER
from rpg.errors import BadRequest
from rpg.text.printable import quote_text

SERVER, RULES, AGENT, SKILL, HOOKS, ANSWERS = "server", "rules", "agent", "skill", "hooks", "answers"
PARTS = (SERVER, RULES, AGENT, SKILL, HOOKS, ANSWERS)
QUESTIONS = {
    RULES: "four lines that tell its agent when to ask the graph",
    AGENT: "a sub-agent that explores with the graph's tools",
    SKILL: "a short skill that says which call answers which question",
    HOOKS: "hooks that tell the agent what an edit broke, and which tests to run",
    ANSWERS: "a hook that adds the graph's answer when the agent greps for a name that it knows",
}
"""What each offer is, as the end of "Also add ...?"."""


class Target(NamedTuple):
    """Whose files, for whom."""

    key: str
    scope: str
    root: Path

    @property
    def client(self) -> Client:
        return CLIENTS[self.key]

    @property
    def above(self) -> Path:
        """The folder below which no symlink is followed."""
        return self.root if self.scope == PROJECT else Path.home()


def file_of(part: str, target: Target, name: str = NAME) -> Path | None:
    """Where a part is kept; None if the client has none in that scope."""
    key, scope, root = target
    client = CLIENTS[key]
    if part == SERVER:
        return client.file(scope, root, name) if client.place(scope) else None
    if part == RULES:
        if scope == PROJECT:
            return root / client.rules if client.rules else None
        if key == "codex":
            return base_folder("codex") / "AGENTS.md"
        return Path.home() / client.user_rules if client.user_rules else None
    if part == AGENT:
        known = explorer.EXPLORERS.get(key)
        return known and target.above / ((known.user_file if scope == USER else "") or known.file)
    if part == SKILL:
        return target.above / ".claude" / "skills" / skills.NAME / "SKILL.md" if key == "claude-code" else None
    known_hooks = hooks.HOOKED.get(key)
    if known_hooks is None or (part == ANSWERS and not known_hooks.answers):
        return None
    return hooks.file_of(key, scope, root)


def add(part: str, target: Target, plan: Plan, entry: Entry) -> Path:
    """Adds a part to the plan; returns its file. BAD_REQUEST if the file has something else in its place."""
    file = file_of(part, target, entry.name)
    if file is None:
        raise BadRequest(f"{target.client.title} has no place for {QUESTIONS.get(part, part)}: leave it out")
    if part == SERVER:
        add_server(target, plan, file, entry)
        return file
    text = plan.read(file, target.above)
    if part == RULES:
        plan.write(file, rules.set_lines(text or "", entry.name), target.key, part)
    elif part == AGENT:
        if text is not None and EXPLORER not in text:
            raise BadRequest(f"{file} is another agent: it was not changed")
        plan.write(file, explorer.EXPLORERS[target.key].text(entry.name), target.key, part)
    elif part == SKILL:
        if text is not None and f"\nname: {skills.NAME}\n" not in text:
            raise BadRequest(f"{file} is another skill: it was not changed")
        plan.write(file, skills.SKILL, target.key, part)
    else:
        mark = hooks.ANSWER if part == ANSWERS else hooks.CHECK
        plan.write(file, hooks.insert_hooks(target.key, file, text or "", mark), target.key, part)
    return file


def text_alone(part: str, target: Target, name: str, text: str) -> str:
    """What an offer writes into a file that has nothing but, perhaps, the text of another one."""
    if part == RULES:
        return rules.set_lines(text, name)
    if part == AGENT:
        return explorer.EXPLORERS[target.key].text(name)
    if part == SKILL:
        return skills.SKILL
    file = hooks.file_of(target.key, target.scope, target.root)
    return hooks.insert_hooks(target.key, file, text, hooks.ANSWER if part == ANSWERS else hooks.CHECK)


def add_server(target: Target, plan: Plan, file: Path, entry: Entry) -> None:
    """If the server is there already, only how it is started changes. BAD_REQUEST, with the block to add by hand, if
    the file is a symlink, is not of its format, or uses that name for another program."""
    client, place = target.client, target.client.place(target.scope)
    assert place is not None
    keys = keys_of(place, entry.name)
    block = formats.block(place.format, keys, entry.value)
    above = target.root if target.scope == PROJECT else base_folder(place.base)
    try:
        text = plan.read(file, above) or ""
    except BadRequest as refused:
        raise BadRequest(f"{refused.message}: add this to the right file\n{block}") from None
    try:
        before = formats.entries(place.format, text, keys).get(entry.name)
        if before is not None and not is_of_rpg(before):
            raise BadRequest(
                f"{file} already has a server {quote_text(entry.name)} for another program, nothing "
                "was changed: choose "
                "another name for this one with --name"
            )
        if before is None:
            if not text.strip() and place.head:
                text += yaml_blocks.head(place.head)
            new = formats.set_entry(place.format, text, keys, entry.value)
        else:
            fields = {field: value for field, value in entry.value.items() if field in STARTING}
            new = formats.set_fields(place.format, text, keys, before, fields)
    except Malformed as error:
        raise BadRequest(f"{file} was not changed, as {error}: add this\n{block}") from None
    plan.write(file, new, client_key(client), SERVER)


def client_key(client: Client) -> str:
    return next(key for key, each in CLIENTS.items() if each is client)


def remove(part: str, target: Target, plan: Plan) -> Iterator[str]:
    """Takes out what is found of a part, by its form; what cannot be changed is named instead."""
    for file in places_to_look(part, target):
        try:
            above = target.above
            if part == SERVER and target.scope == USER:
                above = base_folder(target.client.user.base)
            text = plan.read(file, above)
            if text is None:
                continue
            new = remove_part(part, target, text)
        except (BadRequest, Malformed) as error:
            yield f"{file}: {error if isinstance(error, Malformed) else error.message}"
            continue
        plan.write(file, new, target.key, part)


def places_to_look(part: str, target: Target) -> list[Path]:
    place = target.client.place(target.scope)
    if part == SERVER and place is not None and NAME in place.file:
        folder = (target.root / place.file).parent
        return sorted(folder.glob("*.yaml")) if folder.is_dir() else []
    file = file_of(part, target)
    return [file] if file is not None else []


def remove_part(part: str, target: Target, text: str) -> str | None:
    if part == SERVER:
        return remove_servers(target, text)
    if part == RULES:
        return rules.remove_lines(text) or None
    if part == AGENT:
        return None if EXPLORER in text else text
    if part == SKILL:
        return None if f"\nname: {skills.NAME}\n" in text else text
    return hooks.remove_hooks(target.key, text)


def remove_servers(target: Target, text: str) -> str | None:
    place = target.client.place(target.scope)
    assert place is not None
    known: dict[str, Any] = formats.entries(place.format, text, place.keys)
    ours = [name for name, each in known.items() if is_of_rpg(each)]
    if ours and NAME in place.file and len(ours) == len(known):
        return None  # a file of its own
    for name in ours:
        text = formats.remove_entry(place.format, text, keys_of(place, name))
    return text
