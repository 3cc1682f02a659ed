"""Which files are encoded, and their bytes: from a folder, from git, from a revision.

In: a folder and options. Out: a listing, then the bytes of each file. Absent: languages, parsing, writing.
"""
