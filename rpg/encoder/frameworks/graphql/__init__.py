"""GraphQL as a contract: the fields that a schema declares, the functions that resolve them, the documents that select
them.

`language.py` reads GraphQL's text, `written.py` finds it in files and in strings, `in_code.py` has what code declares
or resolves, `words.py` says which files are looked at. Which field a selection means depends on the types of the fields
around it, in whatever files they are: `matching.py`. Absent: fields that a library makes of a model, schemas that
functions build (Pothos, Nexus, Absinthe), documents that are put together while the program runs.
"""
