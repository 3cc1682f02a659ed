"""Languages that are outlined: their symbols, doc comments and imports, from a table of node kinds each; nothing is
known of what refers to what.

In: a syntax tree. Out: facts without references. `outline.py` has the words of a table and its lowering; each further
module is one language.
"""
