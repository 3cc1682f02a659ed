"""From a name as people and agents write it to symbols."""
