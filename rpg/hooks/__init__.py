"""What agents' clients run by themselves: `rpg check --hook` after an edit and at the end of a turn, and
`rpg usages --hook` after a search through files.

In: a client's event. Out: a few lines for the agent, or nothing; never an error, and nothing is blocked. Little is
imported: a client waits for it.
"""
