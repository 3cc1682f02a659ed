"""Turns text into vectors and questions into answers, on this machine. Knows no graph and no store."""
