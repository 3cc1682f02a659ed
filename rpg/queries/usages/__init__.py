"""Who uses a symbol, and what may be missing from that list."""
