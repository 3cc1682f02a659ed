"""The packages of a repository, those from outside that it imports, and who uses a package's names."""
