"""From the files of a repository to a graph. Writes nothing, runs no repository code, fetches nothing."""
