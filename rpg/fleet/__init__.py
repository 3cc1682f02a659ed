"""Many repositories, encoded by the workers of a Dask cluster into one library of graphs.

In: a list of repositories, a library (a folder, or a place that fsspec knows), a cluster: this machine's cores, or the
address of a scheduler. Out: a graph file for each repository, and an outcome for each, done or failed with the reason.

Each repository is one task, so that a worker that dies costs one task, which is tried again elsewhere. One huge
repository can be split instead: facts depend on one file each and are made by all workers; one process resolves.
Workers and scheduler are trusted, as Dask's protocol demands; repositories are not.

Absent: a scheduler, a queue, a protocol of our own.
"""

from rpg.fleet.encoding import Fleet, encode_all
from rpg.fleet.listed import Listed, read_list
from rpg.fleet.outcomes import Outcome
from rpg.fleet.splitting import encode_split

__all__ = ["Fleet", "Listed", "Outcome", "encode_all", "encode_split", "read_list"]
