"""Evidence for a question in words, and an answer that cites it.

In: an index and a question. Out: excerpts: what search finds, expanded along the graph and cut to a budget; with a
model, a checked text.
"""
