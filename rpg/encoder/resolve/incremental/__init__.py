"""After an edit: which files it affects, and resolving only those from the saved state of the last resolution.

Other files see a file by its names. So an edit is followed by name:

1. Both versions of each edited file are compared as trees; the names whose items differ are looked for in the text of
   all other files (visible_names.py, file_difference.py). Searching text costs less than an index of names, which
   every encode would have to build.
2. Items of the files found that look up such a name differ as well, and so on until nothing more does
   (affected_files.py). Two rules stop this early. A function that differs only in what it returns or yields is
   evaluated in both versions, and affects others only if the results differ (`Calls.given`). What a Python module
   binds is seen only by files that name the module, unless some file holds the module as a value (importers.py).
3. The affected files are resolved twice, as they were and as they are (replay.py), with what each round of the last
   resolution found for all other files (saved_state.py). What they store and pass is compared by value; a difference
   adds the files that it reaches (affected_resolution.py).

Everything is resolved again for what is found without its name (operators, what `super()` meets beside a class, whole
modules), for edits that reach too far, and for references whose cost exceeds their budget.

Invariant: the result is the same, byte for byte, as resolving everything. For this a round never reads what it finds
itself, and values have an order of their own.
"""
