"""Compose: services are structs; what they depend on, the Dockerfile that builds them, files that they are given.

In: a document. Out: symbols and references.
"""

from __future__ import annotations

from rpg.encoder.languages.configuration.commands import Commands
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.values import Value


def read(walker: ConfigurationLowering, value: Value) -> None:
    for pair in value.entries("services"):
        service = pair.value
        index = walker.symbol(
            "struct", pair.key, pair.start, pair.end, pair.key_byte, f"service {pair.key}", 0, f"services.{pair.key}"
        )
        for depended in service.texts("depends_on"):
            walker.means(f"service {depended.text}", depended.byte, index)
        for depended_on in service.entries("depends_on"):
            walker.means(f"service {depended_on.key}", depended_on.key_byte, index)
        for linked in service.texts("links"):
            walker.means(f"service {linked.text.partition(':')[0]}", linked.byte, index)
        _lower_extended_service(walker, service, index)
        context = _build(walker, service)
        _files(walker, service)
        for key in ("command", "entrypoint"):
            script = service.get(key)
            if script is not None:
                Commands(walker, (walker.folder, context), index).read(script.start, script.end)
    for key in ("configs", "secrets"):
        for each in value.entries(key):
            for text in each.value.texts("file"):
                walker.names_file(text.byte, [join_path(walker.folder, text.text)])
    for text in value.texts("include"):
        walker.names_file(text.byte, [join_path(walker.folder, text.text)])


def _lower_extended_service(walker: ConfigurationLowering, service: Value, maker: int) -> None:
    named = service.get("extends", "service") or service.get("extends")
    files = service.texts("extends", "file")
    for text in files:
        walker.names_file(text.byte, [join_path(walker.folder, text.text)])
    if named is not None and named.text and not files:
        walker.means(f"service {named.text}", named.byte, maker)


def _build(walker: ConfigurationLowering, service: Value) -> str:
    """Names the Dockerfile; returns the folder that is its context."""
    build = service.get("build")
    if build is None:
        return walker.folder
    context = build if build.text else build.get("context")
    folder = walker.folder if context is None or context.text in (".", "./") else join_path(walker.folder, context.text)
    if context is not None and not folder and context.text not in (".", "./"):
        return walker.folder
    file = build.get("dockerfile")
    if file is not None:
        walker.names_file(file.byte, [join_path(folder, file.text)])
    elif context is not None:
        walker.names_file(context.byte, [join_path(folder, "Dockerfile")])
    return folder


def _files(walker: ConfigurationLowering, service: Value) -> None:
    given = service.get("env_file")
    texts = service.texts("env_file")
    for each in given.items if given is not None else ():
        texts += each.texts("path")
    for text in texts:
        walker.names_file(text.byte, [join_path(walker.folder, text.text)])
    for text in service.texts("volumes"):
        source = text.text.partition(":")[0]
        if source.startswith("."):
            walker.names_file(text.byte, [join_path(walker.folder, source)])
