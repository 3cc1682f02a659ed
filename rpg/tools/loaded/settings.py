"""What the user decided when starting a process that queries graphs.

In: the options of a command. Out: the same, typed. Absent: which graphs these are (graphs.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rpg.models.answerer import Answerer


@dataclass(frozen=True, kw_only=True)
class Settings:
    repository: Path | None = None
    """The folder of the sources, if it is not the recorded one."""
    patience: float | None = None
    """Seconds that an answer waits for changed files to be encoded before it lists the stale ones instead; None: until
    they are."""
    shows_ignored: bool = False
    """Whether files that git ignores or the options exclude are read."""
    shows_secrets: bool = False
    """Whether secrets stay unmasked, in what is encoded and in answers."""

    model: str | None = None
    """A GGUF file that answers, loaded by the first question."""
    answerer: Answerer | None = None
    """A model that answers and exists already."""
    embedder: str | None = None
    """`minilm` or a GGUF file that makes vectors, else the one that RPG_EMBEDDER names."""
    embeds_behind: bool = False
    """Whether vectors are made in the background, and no call waits for them."""

    scip: str = ""
    """A compiler's index in the repository that is encoded, for its edges."""
    libraries: tuple[str, ...] = ()
    """Libraries whose sources on this machine are read as well."""
    library_folders: tuple[str, ...] = ()
    """Where they are looked for first."""
    bundle: Path | None = None
    """What a graph starts from if there is none yet."""
    workers: int | None = None
    """How many processes parse; None: as many as there are cores."""
    encodes_in_child: bool = False
    """Whether `encode` works in a separate process, so that this long-lived one does not grow."""
    output_folder: Path | None = None
    """Where graphs of URLs go, and what `output` is relative to; None: next to the loaded graph, else the user's data
    folder."""
    anywhere: bool = False
    """Whether a graph may be written wherever the user says, and goes into its repository if the user says nothing.
    Otherwise it may only be written below the user's library, in the output folder and in the folders of the served
    graphs."""
    allows_files: bool = False
    """Whether `file:` URLs are fetched, from any repository on this machine. With `anywhere` they always are: the user
    wrote them."""
    force: bool = False
    """Whether files that rpg did not write are overwritten."""
    trust: bool = False
    """Whether indexes that another installation made of the given graphs are used as they are, and bundles whatever
    their seal."""
