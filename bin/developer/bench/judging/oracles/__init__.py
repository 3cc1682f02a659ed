"""What compilers know of public repositories, to judge a graph by: each oracle runs as a process of its own.

In: a checkout. Out: every name that the compiler resolved, with its target. Absent: anything of rpg's resolver.
"""
