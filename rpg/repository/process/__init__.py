"""Encoding in a process separate from the one that answers queries.

In: requests. Out: summaries. `shared_work.py` lets many queries wait for one job.
"""
