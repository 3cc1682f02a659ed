"""What search stores in the index: postings, vectors, names, and their weights.

In: the graph and the terms of its files. Out: tables. Queries are in queries/search/.
"""
