"""After an edit: which files it affects, and resolving those alone from the saved state of the last resolution."""
