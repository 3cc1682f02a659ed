"""Facts of all files in, the graph's symbols, edges and places out. The only room that sees two files at once."""

from rpg.encoder.resolve.assembly import Resolved, resolve

__all__ = ["Resolved", "resolve"]
