"""Encoding outside the process that answers questions."""
