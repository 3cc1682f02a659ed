"""What encoder and queries compute alike of names and texts: words, titles, features, fingerprints, printable text.

In: text. Out: values of it. Nothing here reads a file or an index.
"""
