"""What `rpg install` offers besides the server, so that an agent uses it: each is asked for, or named by an option.

In: a client, a scope, the root of the project, a plan. Out: steps of the plan; and the same things taken out again,
found by their form where nothing is remembered of them.
"""
