"""Inventories: routes, commands, tasks, signals, models, environment variables, public names, packages.

`lists.py` is the entry. There is a module for each list, modules with tables of frameworks, and modules that read facts
for them.
"""
