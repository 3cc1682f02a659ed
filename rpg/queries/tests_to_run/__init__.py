"""The tests that reach what changed, and how runners are told to run them.

In: an index and symbols, or a revision. Out: tests, nearest first, each with the way from the change to it; what no
test reaches; the arguments that a runner takes for them.
"""
