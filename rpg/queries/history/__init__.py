"""What differs between two states of a repository: changed, renamed and deleted symbols, two graphs compared."""
