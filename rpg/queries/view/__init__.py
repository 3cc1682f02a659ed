"""The page of a repository: what `rpg view` writes and `rpg serve --http` shows.

In: an index. Out: one HTML file, or the parts of it that a running server sends. `graph_columns.py` makes the whole
graph small, `page.py` puts it together with the scripts of `static/`, which draw it. Nothing here judges code: unused
code, cycles, routes and tests come from the queries that also answer tools.

Absent: masking, which the caller does with everything at once before it is written; a network, which the page has none
of.
"""
