"""Files of a repository that its graph left out, read from disk.

In: the repository's folder and a path in it. Out: lines, with secrets masked. Nothing outside the folder and nothing in
git's own folder is ever read; files that are not text are refused, and so are files that git ignores or the options
exclude.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.errors import Forbidden, InvalidPath, UnsupportedMedia
from rpg.system import filesystem

if TYPE_CHECKING:
    from rpg.encoder.options import Options

LARGEST = 4 << 20
"""Largest file whose lines are read, in bytes."""


def read_lines(
    root: Path, path: str, options: Options, *, shows_ignored: bool = False, shows_secrets: bool = False
) -> list[str]:
    """FORBIDDEN, INVALID_PATH, or UNSUPPORTED_MEDIA for a binary or too large file."""
    text = read_text(root, path, options, shows_ignored=shows_ignored, shows_secrets=shows_secrets)
    lines = text.decode().split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def read_text(
    root: Path, path: str, options: Options, *, shows_ignored: bool = False, shows_secrets: bool = False
) -> bytes:
    """The same as UTF-8, with line ends as the encoder has them."""
    from rpg.encoder.masking import mask
    from rpg.encoder.source_files.contents import BINARY, normalise, reason_to_skip
    from rpg.encoder.source_files.listing import is_ignored

    if not shows_ignored and is_ignored(root, path, options):
        raise Forbidden(f"{path!r} is ignored by git or excluded by an option: start with --ignored to allow it")
    try:
        data = filesystem.read_inside(root, path, LARGEST)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise UnsupportedMedia(
                f"{path!r} is larger than {LARGEST >> 20} MiB: open it with another program"
            ) from error
        if error.errno == errno.EINVAL:
            raise InvalidPath(f"{path!r} is not a file: `explore` lists what a directory contains") from error
        raise InvalidPath(f"{path!r} cannot be read: {error.strerror}") from error
    if reason_to_skip(path, data) == BINARY:
        raise UnsupportedMedia(f"{path!r} is binary: there is no text to show")
    text = normalise(data)
    return text if shows_secrets else mask(text, path)
