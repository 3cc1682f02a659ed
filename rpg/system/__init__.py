"""What rpg needs of the machine: files that somebody else may have prepared, memory and its limits,
time, stamps of files, compressed blocks.

Nothing here knows of graphs.
"""
