"""What there is of a kind: routes, commands, tasks, signals, models, environment variables, public names, packages.

`lists.py` is the door. Below it a file for each list, the tables of frameworks, and what reads facts for them.
"""
