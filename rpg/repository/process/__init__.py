"""Encoding in a process separate from the one that answers queries."""
