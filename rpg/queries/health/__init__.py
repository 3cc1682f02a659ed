"""The health of a repository: what nothing uses, what is written twice, what imports itself, what most depends on.

In: an index, its header, and a filter. Out: findings, in the order of their weight. Everything is computed from the
index alone, so that an index that was kept up to date has the findings of a new one.

Absent: thresholds and exit codes, which `rpg audit` knows.
"""
