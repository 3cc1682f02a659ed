"""What tells that a file is another than before, without reading it.

In: what the system says of a file. Out: its `Stamp`, and whether that proves anything yet. Absent: any look at a disk.

Size and time of the contents alone prove nothing: whoever copies with times (`cp -p`, `rsync -t`, an image whose times
were clamped) gives other contents the same. The time of the status is the system's own and nobody sets it. What stays
when folders change places are the times of the files in them, and there the number of the file is another.
"""

from __future__ import annotations

import os
import sys

Stamp = tuple[int, int, int, int]
"""Size, time of the contents, time of the status (0 where the system keeps none), number of the file."""

NO_STAMP: Stamp = (0, 0, 0, 0)
CLOCK_NS = 50_000_000
"""Times of files come from a clock that ticks some hundred times a second: a file written within this of its reading
may have been written once more without showing it."""
COARSE_CLOCK_NS = 2_000_000_000
"""Likewise where a file system keeps whole seconds only."""
SECOND_NS = 1_000_000_000
LARGEST = (1 << 63) - 1
"""What a column of the index takes; numbers of files may have one bit more."""

if sys.platform == "win32":

    def stamp_of(status: os.stat_result) -> Stamp:
        """What is called the time of the status there is when the file was made, and is inherited by a new one."""
        return status.st_size, status.st_mtime_ns, 0, status.st_ino & LARGEST

else:

    def stamp_of(status: os.stat_result) -> Stamp:
        return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & LARGEST


def is_young(stamp: Stamp, seen_ns: int) -> bool:
    """Whether a file could have been changed again after it was seen, and still show the same stamp."""
    _, written_ns, changed_ns, _ = stamp
    if changed_ns and may_be_again(changed_ns, seen_ns):
        return True
    # What was written in the future was only dated so, and the time of the status says when.
    return (not changed_ns or written_ns <= seen_ns) and may_be_again(written_ns, seen_ns)


def may_be_again(time_ns: int, seen_ns: int) -> bool:
    """Whether a time so shortly before it was seen may be given once more."""
    clock = CLOCK_NS if time_ns % SECOND_NS else COARSE_CLOCK_NS
    return time_ns + clock >= seen_ns
