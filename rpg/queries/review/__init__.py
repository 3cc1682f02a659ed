"""The review of a change: what it broke, what is at risk, what no test reaches, and what it touches.

In: an index and revisions. Out: a `Review`, and its renderings for people, for continuous integration and for forges.
"""
