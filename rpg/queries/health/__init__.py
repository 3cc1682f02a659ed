"""The health of a repository: unused code, duplicates, import cycles, and hubs, which most of the code depends on.

In: an index, its header, and a filter. Out: findings, most important first. Everything is computed from the
index alone, so that an index that was kept up to date has the findings of a new one.

Absent: thresholds and exit codes (cli/audit.py).
"""
