"""Configuration: what builds, tests and runs the repository, and the edges from it to the code.

In: files of a few well-known kinds. Out: symbols for what somebody would ask for by name (targets, jobs, services,
stages, scripts, resources, operations), what they mean of one another, and certain edges to the files that they name by
path and to the symbols that entry points name. A path or a name that is not exactly there gives no edge.

`kinds.py` tells which files these are, `values.py` reads YAML, JSON and TOML alike, `lowering.py` has symbols and
references, `commands.py` the files in command lines, `rules.py` which file is meant. Each kind has a module of its own.
All of them see code of any language, and no code sees them (`Language.configures`).
"""
