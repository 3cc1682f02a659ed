"""Messages over web sockets that no call of the tables says: channels of Phoenix, Action Cable and Django, hubs of
SignalR.

In: a file (`Source`). Out: rows of both sides. A name of each space is asked for by the other side alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.by_text.words import SCRIPT
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Handler, Sender
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

PHOENIX: Final = "phoenix"
TOPIC: Final = "phoenix topic"
CABLE: Final = "cable"
ACTION: Final = "cable action"
STREAM: Final = "cable stream"
HUB: Final = "hub"
GROUP: Final = "channel layer"
_HANDLED: Final = re.compile(r"\bdef\s+handle_in\(\s*\"(?P<key>[^\"\n]+)\"")
_CHANNEL: Final = re.compile(r"^\s*channel\s+\"(?P<key>[^\"\n]+)\"\s*,\s*(?P<target>[\w.]+)", re.MULTILINE)
_PUSHED: Final = re.compile(
    r"\b(?:broadcast(?:_from)?!?|push)\(\s*(?:\w+\s*,\s*)(?:\"[^\"\n]*\"\s*,\s*)?\"(?P<key>[^\"\n]+)\""
)
_PIPED: Final = re.compile(
    r"\.broadcast(?:_from)?!?\(\s*(?:self\(\)\s*,\s*)?(?:\"[^\"\n]*\"|[\w.<>#{}\"]+)\s*,\s*\"(?P<key>[^\"\n]+)\""
)
_JOINED: Final = re.compile(r"\.channel\(\s*[\"'`](?P<key>[\w-]+)(?P<more>:[^\"'`\n]*)?[\"'`]")
_SUBSCRIBED: Final = re.compile(
    r"\bsubscriptions\.create\(\s*(?:\{[^{}]*?\bchannel\s*:\s*)?[\"'](?P<key>\w+)[\"']|\bchannel\s*:\s*[\"'](?P<other>\w+Channel)[\"']"
)
_PERFORMED: Final = re.compile(r"\bperform\(\s*[\"'](?P<key>\w+)[\"']")
_CABLE_FILE: Final = re.compile(r"(?:^|/)app/channels/.*\.rb$")
_STREAMED: Final = re.compile(r"\bstream_from\s*\(?\s*[\"'](?P<key>[^\"'\n#]+)")
_BROADCAST: Final = re.compile(r"\bActionCable\.server\.broadcast\s*\(?\s*[\"'](?P<key>[^\"'\n#]+)")
_GROUPED: Final = re.compile(r"[\"']type[\"']\s*:\s*[\"'](?P<key>[\w.]+)[\"']")
_LAYERS: Final = re.compile(r"\b(?:group_send|channel_layer)\b")
_CONSUMER: Final = re.compile(r"\(\s*[\w.,\s]*Consumer\w*")
_HUB: Final = re.compile(r"^[^{\n]*:\s*(?:[\w.]+\.)?(?:Dynamic)?Hub\b")


def channel_handlers(source: Source) -> Iterator[Handler]:
    text, language = source.text, source.language
    if language == "elixir":
        if "handle_in" in text:
            for found in _HANDLED.finditer(text):
                yield _handler(source, "Phoenix", PHOENIX, found["key"], found.start("key"))
        for found in _CHANNEL.finditer(text) if "channel " in text else ():
            at = found.start("target")
            if target := source.target_at(at) or source.target_at(at + found["target"].rfind(".") + 1):
                name = _topic(found["key"])
                yield Handler("Phoenix", TOPIC, ((SAID, name),), target, source.line(found.start("key")))
    elif language == "ruby" and _CABLE_FILE.search(source.path):
        for number, each in enumerate(source.facts.definitions):
            if number and each.kind in CLASS_KINDS:
                yield Handler("Action Cable", CABLE, ((SAID, each.name),), source.symbol(number), each.start_line)
            elif each.kind == "method":
                yield Handler("Action Cable", ACTION, ((SAID, each.name),), source.symbol(number), each.start_line)
        for found in _STREAMED.finditer(text):
            yield _handler(source, "Action Cable", STREAM, found["key"], found.start("key"))
    elif language == "python" and "Consumer" in text:
        for number, each in enumerate(source.facts.definitions):
            if each.kind == "method" and _is_below(source, each.parent, _CONSUMER):
                yield Handler("Channels", GROUP, ((SAID, each.name),), source.symbol(number), each.start_line)
    elif language == "csharp" and "Hub" in text:
        for number, each in enumerate(source.facts.definitions):
            if each.kind == "method" and _is_below(source, each.parent, _HUB):
                yield Handler("SignalR", HUB, ((SAID, each.name),), source.symbol(number), each.start_line)


def _is_below(source: Source, owner: int, pattern: re.Pattern[str]) -> bool:
    """Whether the head of a class names one of these as its base."""
    if owner <= 0:
        return False
    start = source.facts.definitions[owner].name_byte
    return pattern.search(source.text[start : start + 200].split("\n", 1)[0]) is not None


def channel_senders(source: Source) -> Iterator[Sender]:
    text, language = source.text, source.language
    if language == "elixir":
        for pattern in (_PUSHED, _PIPED):
            for found in pattern.finditer(text) if "broadcast" in text or "push(" in text else ():
                yield from _sender(source, "Phoenix", f"{PHOENIX} client", found["key"], found.start("key"))
    elif language in SCRIPT:
        if ".channel(" in text:
            for found in _JOINED.finditer(text):
                name = _topic(found["key"] + (found["more"] or ""))
                yield from _sender(source, "Phoenix", TOPIC, name, found.start("key"))
        if "subscriptions" in text or "cable" in text:
            for found in _SUBSCRIBED.finditer(text):
                group = found.lastgroup or "key"
                yield from _sender(source, "Action Cable", CABLE, found[group], found.start(group))
            for found in _PERFORMED.finditer(text):
                yield from _sender(source, "Action Cable", ACTION, found["key"], found.start("key"))
    elif language == "ruby":
        for found in _BROADCAST.finditer(text) if "ActionCable" in text else ():
            yield from _sender(source, "Action Cable", STREAM, found["key"], found.start("key"))
    elif language == "python" and _LAYERS.search(text) is not None:
        for found in _GROUPED.finditer(text):
            name = found["key"].replace(".", "_")
            yield from _sender(source, "Channels", GROUP, name, found.start("key"))


def _topic(name: str) -> str:
    return f"{name.partition(':')[0]}:*" if ":" in name else name


def _handler(source: Source, library: str, space: str, name: str, at: int) -> Handler:
    number = source.innermost(at, FUNCTION_KINDS)
    return Handler(library, space, ((SAID, name),), source.symbol(number), source.line(at))


def _sender(source: Source, library: str, space: str, name: str, at: int) -> Iterator[Sender]:
    if not source.is_comment(at):
        maker = source.innermost(at, FUNCTION_KINDS)
        said = ((SAID, name),)
        yield Sender(library, space, said, source.symbol(maker), source.place(at), is_test(source, maker))
