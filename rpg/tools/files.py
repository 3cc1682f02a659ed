"""Files of a repository that its graph left out, read where they stand.

In: the repository's folder and a path in it. Out: lines. Nothing outside the folder and nothing in git's own folder is
ever read; what is no text is refused.
"""

from __future__ import annotations

import errno
from pathlib import Path

from rpg import filesystem
from rpg.errors import InvalidPath, UnsupportedMedia

LARGEST = 4 << 20
"""Bytes of a file that is read for its lines."""


def read_lines(root: Path, path: str) -> list[str]:
    """FORBIDDEN, INVALID_PATH, or UNSUPPORTED_MEDIA for what is binary or too large to be read."""
    from rpg.encoder.contents import BINARY, decode, reason_to_skip

    try:
        data = filesystem.read_inside(root, path, LARGEST)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise UnsupportedMedia(
                f"{path!r} is larger than {LARGEST >> 20} MiB: open it with another program"
            ) from error
        if error.errno == errno.EINVAL:
            raise InvalidPath(f"{path!r} is no file: `explore` lists what a directory holds") from error
        raise InvalidPath(f"{path!r} cannot be read: {error.strerror}") from error
    if reason_to_skip(path, data) == BINARY:
        raise UnsupportedMedia(f"{path!r} is binary: there is no text to show")
    lines = decode(data).text.split("\n")
    return lines[:-1] if lines and not lines[-1] else lines
