"""What expressions may evaluate to, how sets of values are computed and cached, and how they flow between files.

Invariant: a file is known here only by its number, and syntax only by the offset of an expression.
"""
