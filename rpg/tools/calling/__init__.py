"""What every call of a tool passes through.

In: a function with its signature, the arguments of a client. Out: schemas, checked arguments, a view of the graph that
is meant, an answer without secrets. No tool is known here by its name.
"""
