"""Which files are encoded, and their bytes: of a folder, of git, of a revision."""
