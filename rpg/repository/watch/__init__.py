"""What changed in the sources since the index was made, found by looking at as little as possible."""
