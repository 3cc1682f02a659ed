"""What strings of Python name: members and modules, types, and what templates know by a name."""
