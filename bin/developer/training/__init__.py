"""Trains the table of the built-in embedding (rpg/models/code_table.bin) from source trees.

Stands beside the product, not in it: it needs numpy, which rpg does without. Reading goes through the encoder, so that
terms at training are the terms of the index; docs/embedding.md says what the shipped table was trained on.
"""
