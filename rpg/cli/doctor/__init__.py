"""`rpg doctor`: what is wrong with an installation, and the one command that mends it.

In: the folder that it is run in. Out: a line for each thing that was looked at. Nothing is written, and nothing is
encoded.
"""
