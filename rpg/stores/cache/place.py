"""Where the cache is, and how large it may grow, by the environment.

In: RPG_CACHE, a folder or `off`; RPG_CACHE_MB. Out: the folder, or None for no cache. Nothing is made here.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

OFF = ("off", "none", "no", "0")
MEGABYTE = 1_000_000
USUAL_MEGABYTES = 1_000
FACTS = "facts"


def cache_folder() -> Path | None:
    """The folder of facts; None if the user switched the cache off, or there is no home folder."""
    chosen = os.environ.get("RPG_CACHE", "")
    if chosen.strip().lower() in OFF or most_bytes() <= 0:
        return None
    try:
        top = Path(chosen).expanduser().absolute() if chosen else _folder_of_platform()
    except RuntimeError:  # an unknown home folder
        return None
    return top / FACTS


def most_bytes() -> int:
    """How large it may grow; what cannot be read as a number means the usual size."""
    try:
        return int(os.environ.get("RPG_CACHE_MB", "") or USUAL_MEGABYTES) * MEGABYTE
    except ValueError:
        return USUAL_MEGABYTES * MEGABYTE


def _folder_of_platform() -> Path:
    """XDG_CACHE_HOME is honoured on every platform."""
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared).expanduser().absolute() / "rpg"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "rpg" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rpg"
    return Path.home() / ".cache" / "rpg"
