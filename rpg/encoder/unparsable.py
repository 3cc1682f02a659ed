"""Why a file is left out when it is parsed.

In: what the parser or the lowering of a language finds. Out: the reason, which the graph tells of the file; lists of
uses doubt a name that stands in it.
"""

from __future__ import annotations

from typing import Final

TOO_DEEP: Final = "nested too deeply to parse"
NOT_CLOSED: Final = "too much in it is never closed"
SLOW: Final = "too much work to parse for its size"


class Unparsable(Exception):
    """A source that would take more time than it is worth. The text is the reason."""
