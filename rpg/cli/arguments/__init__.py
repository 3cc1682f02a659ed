"""Options and values that commands share."""
