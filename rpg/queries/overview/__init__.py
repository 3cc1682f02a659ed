"""A repository as a whole: one page, entry points, numbers, the most important symbols, pictures."""
