"""Base classes of what every language does: walk a syntax tree, write down facts."""
