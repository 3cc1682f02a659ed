"""Which exit code an error has.

In: an error. Out: 1 where nothing was found, 2 where the request is wrong, 3 where something failed.
"""

from __future__ import annotations

from rpg.errors import BadRequest, Forbidden, InvalidPath, RpgError, SymbolNotFound, UnsupportedMedia

DONE, NOTHING_FOUND, WRONG_REQUEST, FAILED = range(4)


def exit_code(error: RpgError) -> int:
    if isinstance(error, SymbolNotFound):
        return NOTHING_FOUND
    if isinstance(error, BadRequest | InvalidPath | Forbidden | UnsupportedMedia):
        return WRONG_REQUEST
    return FAILED
