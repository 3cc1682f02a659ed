"""Exit codes of errors.

In: an error. Out: 1 if nothing was found, 2 if the request is invalid, 3 if something failed.
"""

from __future__ import annotations

from rpg.errors import BadRequest, Forbidden, InvalidPath, RpgError, SymbolNotFound, UnsupportedMedia

DONE, NOTHING_FOUND, WRONG_REQUEST, FAILED = range(4)
STOPPED = 130
"""By Ctrl-C, as shells count it: 128 and the number of the signal."""


def exit_code(error: RpgError) -> int:
    if isinstance(error, SymbolNotFound):
        return NOTHING_FOUND
    if isinstance(error, BadRequest | InvalidPath | Forbidden | UnsupportedMedia):
        return WRONG_REQUEST
    return FAILED
