"""Bundles: graph, facts and texts of a commit in one file, from which another machine starts.

In: a graph; or a bundle and a folder. Out: the file; or the graph of that folder, of which only what differs from the
bundle was encoded.

What is believed: the source of a file does not show whether the facts beside it are true, so nothing in a bundle is
used unless its seal says that somebody with the same key made it, or the user says so (`--trust`). Either way every
file is then compared with the folder's, by the hash of its content, so that an old bundle, or one of another
repository, costs time and changes no answer. Recomputing a sample of the facts was rejected: it finds a bundle that is
false everywhere, and not the one edge that somebody wants to hide.

Absent: where bundles are kept, and any network.
"""
