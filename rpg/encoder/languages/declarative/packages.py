"""Imports by package: `import a.b.C` names what C is in the files that say they belong to package a.b.

In: the text of an import. Out: its facts and bindings. Where a package is, resolution knows: see `Rules.has_packages`.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.walker import DeclarativeWalker


def parts_of_import(text: str, separator: str = ".") -> tuple[str, str]:
    """Package and name: what begins with the first capitalised part is a type, and what is in it."""
    parts = text.replace(separator, ".").split(".")
    at = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[:at]), ".".join(parts[at:])


def bind_import(
    walker: DeclarativeWalker,
    text: str,
    byte: int,
    is_star: bool = False,
    alias: str = "",
    package: str = "",
    name: str = "",
    binds: bool = True,
) -> None:
    """`a.b.C`, `a.b.C.member`, `a.b.*`, `a.b.C.*`; package and name, if the text does not tell where they meet;
    `binds`: whether the file gets to know what is imported."""
    text = "".join(text.split())
    last = text.rpartition(".")[2]
    if is_star and not name and not last[:1].isupper():
        walker.imports.append(Import(text, 0, byte, 0, "star"))
        return
    if not name:
        package, name = parts_of_import(text)
    walker.imports.append(Import(package, 0, byte, 0, "", (name,)))
    if not binds:
        return
    value = walker.emit(op.IMPORTED, byte, len(walker.imports) - 1, walker.string(name))
    if is_star:
        walker.member_stars.append(value)
    else:
        walker.bind(alias or last, value, 0, "", 0)
