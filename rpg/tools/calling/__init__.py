"""What every call of a tool passes through.

In: a function with its signature, the arguments of a client. Out: schemas, checked arguments, a view of the graph in
question, an answer without secrets. Nothing here knows a tool by name.
"""
