"""Evidence for a question in words: what search finds, expanded along the graph, cut to excerpts; and an answer that
cites it."""
