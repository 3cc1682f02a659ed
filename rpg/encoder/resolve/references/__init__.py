"""From references to outcomes: the targets of each site with the rule that found them, in rounds over all files."""
