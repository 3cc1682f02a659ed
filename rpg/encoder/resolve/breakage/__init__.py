"""What an edit breaks: uses of what is gone, imports of it, calls that no longer fit.

In: the saved state of the last resolution, and what changed files contained before. Out: findings, each with its place
after the edit. Both times are resolved (worlds.py), but only in the files that may see a difference (focus.py); the
same site of both times is then compared. What was broken before is no finding, and what cannot be told is none either,
but it is counted.
"""
