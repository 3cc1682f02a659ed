"""Finds what changed in the sources since the index was made, examining as little as possible."""
