"""The graph file and its index: how they are written and read. Nothing is resolved and no query is answered here."""
