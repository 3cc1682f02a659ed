"""Routes, by what registers them in each framework."""
