"""`rpg install`: the entry for this server in a client's configuration, and a skill for its agent.

In: a graph or a folder, a client. Out: that client's file, in which everything else stays as it was.
"""
