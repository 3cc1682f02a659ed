"""The order of hits, by words and meaning, and what is left out of it."""
