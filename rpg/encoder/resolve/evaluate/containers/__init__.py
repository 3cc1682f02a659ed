"""What containers hold, and what their methods return."""
