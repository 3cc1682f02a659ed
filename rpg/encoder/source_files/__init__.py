"""Which files are encoded, and their bytes: from a folder, from git, from a revision."""
