"""Graphs in the formats of other programs, and features and titles imported from them.

In: an index; or a file in another format. Out: chunks of bytes of a file (codermind.py, graphml.py, scip.py); features
and titles of a file for symbols of the graph (importing.py). docs/exchange.md says how the fields correspond, and what
is lost.

Absent: files and their names (cli/exchange.py).
"""
