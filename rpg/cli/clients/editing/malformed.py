"""Why a text was left alone.

In: a reason, as the end of "it was not changed, as ...". Out: an exception.
"""

from __future__ import annotations


class Malformed(Exception):
    """The text is not of its format, or has a form that cannot be changed safely."""


UNSAFE = "it has a form that cannot be changed safely"
NOT_A_TABLE = "it has something other than an object where the servers belong"
