"""One file to its facts, its words and its fingerprints, in worker processes: a crash takes one file with it."""
