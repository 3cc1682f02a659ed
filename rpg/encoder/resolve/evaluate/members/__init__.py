"""What a value has as members, its own and those that code elsewhere adds."""
