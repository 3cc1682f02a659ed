"""After an edit: which files it affects, and resolving only those from the saved state of the last resolution.

Other files see a file by its names. So an edit is followed by name:

1. Both versions of each edited file are compared as trees; the names whose items differ are searched in the text of all
other files (visible_names.py, file_difference.py). An index of names would cost every encode something; the index of
trigrams that search has anyway says which few texts to look into.

2. In the files found, items that look up such a name count as changed as well, and so on until nothing is added
(affected_files.py). Two rules stop this early. A function that differs only in what it returns or yields is evaluated
in both versions, and affects others only if the results differ (`Calls.fixed_results`). A name that a Python module
binds is visible only to files that name the module, unless some file holds the module as a value (importers.py).

3. The affected files are resolved twice, before and after the edit (replay.py), with what each round of the last
resolution found for all other files (saved_state.py). What they store and pass is compared by value; a difference adds
the files that it reaches (affected_resolution.py).

Definitions that are in another order in their file, or have another id, count as gone and as come (counterparts.py).
Where a class with several bases changes, so may what `super()` means in all classes above it, which are found by name
(ancestry.py). No code names what configuration defines, and no file what a document defines.

A file that comes or goes is one that was empty before, or is afterwards (moved_files.py). Other files find it by its
place, as its language says (`Rules.placed`): those that name the place are affected. Members of its classes affect the
files in which a class above lacked such a member, which the survey records (`MISSED`). A language that does not say
how its files are found has everything resolved again.

Everything is resolved again for changes that can be reached without naming them (operators, whole modules), for edits
that reach too far, and for references whose cost exceeds their budget.

Invariant: the result is the same, byte for byte, as resolving everything. This is why a round never reads what it finds
itself, and why values have a canonical order.
"""
