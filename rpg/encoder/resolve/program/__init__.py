"""All files together, as tables: definitions, scopes, modules by path.

In: the facts of all files. Out: a `Program`. Nothing is inferred here.
"""
