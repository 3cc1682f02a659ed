"""What was made of the content of files, kept for every repository of this user: blocks by name, in the user's cache
folder.

In: names and blocks, both bytes. Out: the block of a name, or nothing. Anything may be missing at any time, so nobody
depends on it. Absent: what blocks mean, and what belongs into their names (encoder/parsing/shared_facts.py).
"""
