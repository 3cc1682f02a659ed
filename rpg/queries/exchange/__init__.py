"""Graphs in the forms of other programs, and what they know of a repository on ours.

In: an index; or a file in another form. Out: chunks of bytes of a file (codermind.py, graphml.py, scip.py); features
and titles that a file gives to what is here (importing.py). docs/exchange.md says what means what, and what is lost.

Absent: files and their names (cli/exchange.py).
"""
