"""Routes that chains of calls state as values: Spring's functional endpoints, services of Actix.

In: a file (`Source`). Out: rows. The text of the chain is read; what a chain is put below is the bracket around it.
"""
