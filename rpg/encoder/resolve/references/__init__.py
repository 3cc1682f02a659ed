"""From references to outcomes: each site's targets with the rule that found them, round by round over all files."""
