"""Copies of repositories, to be edited.

In: a repository, a place for its copy. Out: the copy, of which git knows the files as where it wrote them itself: those
of a mere copy it reads whole whenever it is asked what changed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def copy(repository: Path, place: Path) -> Path:
    shutil.copytree(repository, place, symlinks=True)
    if (place / ".git").exists():
        # Its status says whether files differ, and is of no matter here.
        subprocess.run(["git", "-C", place, "update-index", "-q", "--refresh"], stdout=subprocess.DEVNULL, check=False)
    return place
