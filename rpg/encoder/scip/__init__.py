"""What a compiler said of a repository, from a SCIP index that an indexer made: `rpg encode --scip index.scip`.

In: the bytes of an index, and the files as they are now. Out: what each name of a matching file refers to (`Compiled`),
which the assembly of edges (rpg/encoder/resolve/assembly/) prefers to what rpg has resolved.

An index is read, never believed: it may be of other files, of earlier ones, or made to harm. Its paths are only looked
up among the files that are encoded; a file whose text does not have what the index says stands there (matching.py) is
left out; and an index that cannot be read says nothing at all. What reading costs grows with its bytes, which are
bounded, and so are the messages in it. Absent: opening files, and edges.

`scip_pb2.py` is generated, from `scip.proto` beside it.
"""

from rpg.encoder.scip.compiled import NO_INDEX, Compiled, Named, load_compiled, pack_compiled
from rpg.encoder.scip.matching import compile_index, is_of_text

__all__ = ["NO_INDEX", "Compiled", "Named", "compile_index", "is_of_text", "load_compiled", "pack_compiled"]
