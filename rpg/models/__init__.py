"""Turns text into vectors and questions into answers, on this machine.

In: texts, terms, messages. Out: vectors, or an answer as it is written. Nothing here knows a graph or a store.
"""
