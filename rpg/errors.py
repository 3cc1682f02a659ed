"""Every error that a user or an agent can see, by code.

    RpgError                 code, message: what is wrong and what to do next
    ├── GraphNotLoaded       GRAPH_NOT_LOADED    no graph, a damaged one, or one of a newer format
    ├── SymbolNotFound       SYMBOL_NOT_FOUND    the message lists the nearest names
    ├── InvalidPath          INVALID_PATH        a path that does not exist
    ├── Forbidden            FORBIDDEN           an absolute path, or one that leaves the tree by `..` or a link
    ├── UnsupportedMedia     UNSUPPORTED_MEDIA   a binary file where text is needed
    ├── BadRequest           BAD_REQUEST         invalid arguments, an ambiguous name
    ├── EncodeFailed         ENCODE_FAILED       nothing was replaced: the old graph remains
    ├── ModelUnavailable     MODEL_UNAVAILABLE   no model, not a model file, too little memory
    ├── TooLittleMemory      TOO_LITTLE_MEMORY   a memory limit of this process is reached
    └── TimedOut             TIMED_OUT           a call took too long, or came while too many were running

Invariant: no room above turns an error into a normal-looking answer.
"""

from __future__ import annotations


class RpgError(Exception):
    """An error with a stable code and a message that says what to do next."""

    code = "FAILED"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class GraphNotLoaded(RpgError):
    code = "GRAPH_NOT_LOADED"
    is_repaired_on_retry = False


class SymbolNotFound(RpgError):
    code = "SYMBOL_NOT_FOUND"


class InvalidPath(RpgError):
    code = "INVALID_PATH"


class Forbidden(RpgError):
    code = "FORBIDDEN"


class UnsupportedMedia(RpgError):
    code = "UNSUPPORTED_MEDIA"


class BadRequest(RpgError):
    code = "BAD_REQUEST"


class EncodeFailed(RpgError):
    code = "ENCODE_FAILED"


class ModelUnavailable(RpgError):
    code = "MODEL_UNAVAILABLE"


class TimedOut(RpgError):
    code = "TIMED_OUT"


class TooLittleMemory(RpgError):
    code = "TOO_LITTLE_MEMORY"
