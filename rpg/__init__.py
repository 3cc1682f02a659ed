"""rpg: the code graph a coding agent can believe."""

__version__ = "0.1.0"
