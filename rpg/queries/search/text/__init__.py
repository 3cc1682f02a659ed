"""Lines of text for a pattern."""
