"""Facts of all files in; the graph's symbols, edges and unresolved places out. The only room that sees two files at
once.

One entry each: `resolve` for all files, `update` for those that an edit affects, `parts_of_text` for files that refer
to nothing, `part_of_folder` for folders, `resolution` to explain an outcome, `find_breakage` for what an edit breaks,
`count_arguments_taken` and `count_parameters` for how many arguments a function takes.
"""

from rpg.encoder.resolve.assembly.assembly import Resolved, resolve, resolve_libraries
from rpg.encoder.resolve.assembly.library_names import LibraryFiles
from rpg.encoder.resolve.assembly.symbols import list_children, part_of_folder, parts_of_text
from rpg.encoder.resolve.breakage.breakage import Breakage, find_breakage
from rpg.encoder.resolve.breakage.findings import Finding
from rpg.encoder.resolve.breakage.focus import find_changed_words, find_words_of_text, look_of
from rpg.encoder.resolve.breakage.worlds import Contents
from rpg.encoder.resolve.incremental.file_difference import NotIncremental
from rpg.encoder.resolve.incremental.saved_state import Kept, survey_part
from rpg.encoder.resolve.incremental_update import Last, MovedPaths, Updated, update
from rpg.encoder.resolve.program.arguments_taken import count_arguments_taken, count_parameters
from rpg.encoder.resolve.resolved_sites import Resolution, resolution

__all__ = [
    "Breakage",
    "Contents",
    "Finding",
    "Kept",
    "Last",
    "LibraryFiles",
    "MovedPaths",
    "NotIncremental",
    "Resolution",
    "Resolved",
    "Updated",
    "count_arguments_taken",
    "count_parameters",
    "find_breakage",
    "find_changed_words",
    "find_words_of_text",
    "list_children",
    "look_of",
    "part_of_folder",
    "parts_of_text",
    "resolution",
    "resolve",
    "resolve_libraries",
    "survey_part",
    "update",
]  # fmt: skip
