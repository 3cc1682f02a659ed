"""The files that command lines name, and the targets and scripts that they run.

In: a part of a file that is read by a shell. Out: what it names: a word that is a path, whatever is done with it;
`make TARGET`, `npm run SCRIPT`, `python -m MODULE`. After `cd`, paths are below that folder; if it is computed, nothing
is known any more.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import Final

from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path

_WORDS: Final = re.compile(
    rb"\\\r?\n|[@+-]*\$[({]MAKE[)}]|[\w./@+=-]*\$[({][\w.-]+[)}][\w./@+=-]*|(?<![\w$&/.-])#[^\n]*|&&|\|\||[;|&\n()<>]|[^\s\"';|&()<>,`=\[\]]+=?|[\"'`=,\[\]]"
)
_ENDS: Final = frozenset((b"&&", b"||", b";", b"|", b"&", b"\n", b"(", b")", b"`"))
_QUIET: Final = frozenset((b'"', b"'", b",", b"[", b"]", b"=", b"<", b">"))
_BEFORE: Final = frozenset(
    b"sudo env exec time nice then do else if ! @ + - poetry uv pipenv hatch pdm run command".split()
)
"""Words before a command that change nothing about it."""
_IS_PATH: Final = re.compile(rb"(?:\./)?[\w.@+-]+(?:/[\w.@+-]+)*")
_MAKES: Final = re.compile(rb"[@+-]*(?:g?make|\$[({]MAKE[)}])")
_PACKAGERS: Final = frozenset((b"npm", b"pnpm", b"yarn", b"bun"))
_OF_PACKAGERS: Final = frozenset((b"test", b"start", b"stop"))
_TARGET: Final = re.compile(rb"[A-Za-z][\w.-]*")
_SCRIPT: Final = re.compile(rb"[A-Za-z][\w:.-]*")
_MODULE: Final = re.compile(rb"[A-Za-z_]\w*(?:\.\w+)*")
_MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
_PYTHONS: Final = re.compile(rb"@?(?:python|pypy)[\d.]*")


class Commands:
    """One reading of a script. `folders`: where its paths may begin."""

    def __init__(self, walker: ConfigurationLowering, folders: Sequence[str], maker: int) -> None:
        self.walker = walker
        self.first = tuple(dict.fromkeys(folders))
        self.folders = self.first
        self.maker = maker

    def read(self, start: int, end: int) -> None:
        self.folders = self.first
        command: list[tuple[bytes, int]] = []
        """The words of the command so far, and where they begin."""
        for found in _WORDS.finditer(self.walker.source, start, end):
            word = found[0]
            if word in _ENDS:
                self.run(command)
                command = []
                if word == b")":
                    self.folders = self.first
            elif word[:1] in b"\\#" or word in _QUIET:
                continue
            elif command or not (word in _BEFORE or word.endswith(b"=")):
                if not command and word[:1] in b"@-+" and len(word) > 1 and _MAKES.fullmatch(word) is None:
                    command.append((word[1:], found.start() + 1))
                else:
                    command.append((word, found.start()))
        self.run(command)

    def run(self, command: list[tuple[bytes, int]]) -> None:
        if not command or not self.folders:
            return
        first = command[0][0]
        if first in (b"cd", b"pushd"):
            self.enter(command[1][0] if len(command) > 1 else b"")
            return
        if _MAKES.fullmatch(first) is not None:
            self.make(command)
        elif first in _PACKAGERS:
            self.script(command)
        is_module = False
        for at, (word, byte) in enumerate(command):
            if is_module and _MODULE.fullmatch(word):
                self.walker.names_module(word.decode(), byte)
            is_module = word == b"-m" and at > 0 and _PYTHONS.fullmatch(command[at - 1][0]) is not None
            if is_path(word):
                text = word.decode()
                self.walker.names_file(byte, [join_path(folder, text) for folder in self.folders])

    def enter(self, word: bytes) -> None:
        text = word.decode("utf-8", "replace")
        inside = [posixpath.normpath(posixpath.join(folder, text)) for folder in self.folders]
        is_known = _IS_PATH.fullmatch(word) is not None and not any(path.startswith("..") for path in inside)
        self.folders = tuple("" if path == "." else path for path in inside) if is_known else ()

    def make(self, command: list[tuple[bytes, int]]) -> None:
        folders = self.folders
        words = iter(command[1:])
        for word, byte in words:
            if word == b"-C":
                inside = next(words, (b"", 0))[0].decode("utf-8", "replace")
                folders = tuple(path for folder in folders if (path := join_path(folder, inside)))
            elif word in (b"-f", b"-j"):
                next(words, None)
            elif word.startswith(b"-") or word.endswith(b"="):
                continue
            elif _TARGET.fullmatch(word):
                self.means_target(word.decode(), byte, folders)

    def means_target(self, name: str, byte: int, folders: Sequence[str]) -> None:
        paths = [f"{folder}/{each}" if folder else each for folder in folders for each in _MAKEFILES]
        if self.walker.path in paths:
            self.walker.means(name, byte, self.maker)
        elif paths:
            self.walker.names_member(paths, name, byte, self.maker)

    def script(self, command: list[tuple[bytes, int]]) -> None:
        words = [each for each in command[1:] if not each[0].startswith(b"-")]
        if not words:
            return
        word, byte = words[0]
        if word in (b"run", b"run-script") and len(words) > 1:
            word, byte = words[1]
        elif word not in _OF_PACKAGERS:
            return
        if any(
            each[0] in (b"-w", b"--workspace", b"--filter", b"-F", b"--prefix", b"--cwd", b"-C") for each in command
        ):
            return
        if _SCRIPT.fullmatch(word):
            paths = [f"{folder}/package.json" if folder else "package.json" for folder in self.folders]
            if self.walker.path in paths:
                self.walker.means(word.decode(), byte, self.maker)
            else:
                self.walker.names_member(paths, word.decode(), byte, self.maker)


def is_path(word: bytes) -> bool:
    """Whether a word may be a path of a file: it has a folder or a suffix."""
    return _IS_PATH.fullmatch(word) is not None and (b"/" in word or b"." in word.strip(b".")) and word[:1] != b"-"
