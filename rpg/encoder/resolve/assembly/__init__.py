"""From the outcomes of all sites to the graph.

In: a resolution. Out: symbols, edges and unresolved places, sorted by path and position. Nothing is decided here about
what a name refers to.
"""
