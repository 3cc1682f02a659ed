"""One place and what is around it: its text, outline, neighbours, dependencies, paths, and why an edge is there."""
