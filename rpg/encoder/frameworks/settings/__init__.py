"""Configuration as a contract: what sets a variable of the environment or a key, and the code that reads it.

`files.py` says which files set something and which may read, `yaml_lines.py` reads YAML that may be a template,
`stated.py` has what a file sets, `readings.py` what code reads, `matching.py` which of them belong together. Absent:
values.
"""
