"""Lifting: features and titles that a local model or the connected agent writes in place of the derived ones.

In: what is not lifted yet (subjects.py). Out: texts that follow the rules (rules.py), each under the hash of what it
describes, from a model (writing.py) or an agent (submissions.py); stores/lifted_texts.py stores them.
"""
