"""How values and types get into names: what an expression gives in a language that its syntax does not say."""

from __future__ import annotations


class ValueRules:
    async_returns_wrapped = True
    """Whether the return annotation of an async function names what awaiting it returns."""
    calls_await = False
    """Whether a call of an async function waits for its result, and gives that."""
    keeps_declared_types = False
    """Whether a variable keeps its declared type, whatever is assigned to it."""
    types_precede_names = False
    """Whether a declaration is a type and a name: `int open(char *path);`."""
    follows_declared_functions = True
    """Whether values are followed through parameters, results and fields with declared function types."""
