"""Rules for what the facts do not hold, and the text shows: which fields a literal writes, which members of an enum the
branches of a statement take, where the result of a call goes.

In: a site, what it means before and after, the text around it. Out: what does not fit, in a few words, and where. What
the text does not show plainly fits.
"""
