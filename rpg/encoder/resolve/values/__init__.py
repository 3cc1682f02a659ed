"""What expressions can stand for, how sets of that are computed and kept, and how they flow from file to file.

Invariant: no file is known here but by its number, and no syntax but by the offset of an expression.
"""
