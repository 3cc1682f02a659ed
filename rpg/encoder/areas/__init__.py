"""The functional view: what a repository is for, as areas, their categories and their features above the files.

In: symbols and edges of a whole graph, reduced to a sketch of each file (sketch.py). Out: nodes of the kinds area,
category and feature, and `covers` edges from each to the next level and to directories and files. Absent: models; what
one symbol does in words, which `rpg/text/features.py` derives from the symbol alone.

Rulings.

A place is an attribute. Every file and symbol has exactly one: that of the nearest directory or file around it that a
`covers` edge names. Directories stand for everything in them, so that the view adds well under a hundredth to a graph.

The view is a function of coarse numbers. Of each file it knows the path, whether it is code or a test, and, in steps of
about a factor of two, how many symbols it has and how often it uses which other file. An ordinary edit changes none of
these, and then an incremental encode leaves the view alone; when one changes, the view is computed again from the
sketches of all files, so that it equals that of a clean encode.

Directories first, dependencies second. People named the directories, and a title can only be as good as such a name. A
directory is opened if it is too large, or if its parts are linked more with others than with each other; small parts
join the group that they depend on most. Communities of files alone find the same large groups, but move with every edit
and have no names. There are a few hundred units at most, so networkx is not used: it would cost a server that follows
edits 0.4 s and 18 MB.
"""

from rpg.encoder.areas.sketch import SKETCHES, pack_sketches, sketches, unpack_sketches
from rpg.encoder.areas.tree import functional_view

__all__ = ["SKETCHES", "functional_view", "pack_sketches", "sketches", "unpack_sketches"]
