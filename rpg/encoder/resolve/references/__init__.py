"""From references to outcomes, in rounds over all files.

In: an evaluator and its program. Out: the targets of each site, with the rule that found them, or why there are none.
"""
