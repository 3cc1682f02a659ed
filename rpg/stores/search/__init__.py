"""What search stores in the index: postings, vectors, names, and the constants that weigh them.

In: the graph and the terms of its files. Out: tables. Queries are in queries/search/.
"""
