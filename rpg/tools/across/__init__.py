"""One question to several graphs.

In: a tool and its arguments, graphs. Out: what each answers, one list of all hits, and the uses that lead from one
repository to another.
"""
