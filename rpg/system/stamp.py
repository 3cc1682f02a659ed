"""Detects that a file changed, without reading it.

In: a file's status as the system reports it. Out: its `Stamp`, and whether that proves anything yet. Absent: any access
to a disk.

Size and modification time prove nothing by themselves: copying with times (`cp -p`, `rsync -t`, an image with clamped
times) gives other contents the same. The status-change time is set by the system only. When folders trade places, the
times of their files stay, but their inode numbers differ.
"""

from __future__ import annotations

import os
import sys

Stamp = tuple[int, int, int, int]
"""Size, modification time, status-change time (0 where the system has none), inode number."""

NO_STAMP: Stamp = (0, 0, 0, 0)
CLOCK_NS = 50_000_000
"""File times come from a clock that ticks a few hundred times a second: a file written within this time of being read
may have been written again without showing it."""
COARSE_CLOCK_NS = 2_000_000_000
"""The same for file systems that store whole seconds only."""
SECOND_NS = 1_000_000_000
LARGEST = (1 << 63) - 1
"""The largest value of a column of the index; inode numbers may have one bit more."""

if sys.platform == "win32":

    def stamp_of(status: os.stat_result) -> Stamp:
        """On some systems that field holds the creation time, and a new file inherits it."""
        return status.st_size, status.st_mtime_ns, 0, status.st_ino & LARGEST

else:

    def stamp_of(status: os.stat_result) -> Stamp:
        return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & LARGEST


def is_young(stamp: Stamp, seen_ns: int) -> bool:
    """Whether a file could have changed after it was seen and still have the same stamp."""
    _, written_ns, changed_ns, _ = stamp
    if changed_ns and may_be_again(changed_ns, seen_ns):
        return True
    # A modification time in the future was set by hand; the status-change time shows when.
    return (not changed_ns or written_ns <= seen_ns) and may_be_again(written_ns, seen_ns)


def may_be_again(time_ns: int, seen_ns: int) -> bool:
    """Whether the time is so recent that a later write could get the same one."""
    clock = CLOCK_NS if time_ns % SECOND_NS else COARSE_CLOCK_NS
    return time_ns + clock >= seen_ns
