"""Files of settings, of which one entry is added, changed or removed, and every other character stays.

In: a text, the keys that lead to the entry, its value. Out: the new text. Each edit is checked: the new text is parsed
again and must say what the old one said, but for that entry. Malformed, and no text, if anything else would change.

A module a format. JSON with comments is edited as text here, as there is no kept library for it; TOML with tomlkit;
YAML as text at the places that ruamel.yaml's nodes give, since ruamel.yaml itself writes a whole document anew.
"""
