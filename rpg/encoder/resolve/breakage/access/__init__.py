"""Members that are there still, and cannot be reached as they are reached: from there, through an object or through the
class, or to be written.

In: a site before and after, and the definitions of what it means, of both times. Out: a finding. Nothing is said of
sites of which it is not known around which classes they stand.
"""
