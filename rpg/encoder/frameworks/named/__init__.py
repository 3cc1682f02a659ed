"""Contracts by a name or a type: messages, jobs and events, from what sends them to what handles them.

In: files (`Source`). Out: rows of who sends and who takes, then what the rows of all files make together.
`tables.py` has the libraries. Absent: queues behind exchanges. Names that a program puts together while it runs are
counted as senders without a known name.
"""
