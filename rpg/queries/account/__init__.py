"""The account of a name: every place of the repository that has it as a word, each in exactly one class.

In: an index, a symbol, and the uses that were found. Out: counts that add up to what `git grep -ow NAME` finds, and the
places that may mean the symbol although no edge says so. `occurrences.py` finds the words, `placing.py` says what each
is, `recorded.py` and `literals.py` read the file around it, `imports.py` follows the lines that import the name,
`unread.py` counts in files that the graph leaves out. Whether a list is complete follows from the account alone.

Absent: what a use is. That is decided when the graph is made.
"""
