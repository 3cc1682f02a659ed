"""Base classes of every language: they walk a syntax tree and emit facts.

In: a syntax tree. Out: facts. Lowering walks the tree and runs no capture queries. A flat list of captures loses the
nesting (scopes, blocks, expressions) that the evaluator needs, and on Django a query alone costs 0.7 to 1.0 times
parsing; the walk, including all facts, costs 3 times parsing.

Source nested more than 4,000 levels deep is skipped: lowering and compiled code recurse on the C stack.
"""
