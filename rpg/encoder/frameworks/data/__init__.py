"""Data as a contract: the tables and columns that statements and models declare, and the code that names them.

`declared.py` has what a file declares or maps, `queries.py` the statements in its strings, `statements.py` reads one,
`words.py` says which files are looked at. Which of several is meant, `settings/matching.py` says. Absent: tables that
only a convention names, statements that are put together while the program runs.
"""
