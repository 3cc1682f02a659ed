"""From the files of a repository to a graph. Nothing is written, nothing of theirs is run, nothing is fetched."""
