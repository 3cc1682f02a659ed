"""From one file to its facts, terms and fingerprints, in worker processes: a crash costs one file.

Nothing is parsed in the process that encodes or serves, however small the edit: grammars are C code that reads
strangers' text (worker_pool.py says what that costs). If a worker dies on a file, the file is skipped but stays in the
table `files` with its hash, like one that was read, so that freshness and the next encode know it. Text that makes a
grammar write beyond its memory never reaches it (`is_too_deep` in markdown.py).

Facts are JSON and arrays of integers, never pickle: an index may have come with a repository that nobody vouches for.
"""
