"""One step of an encode by itself, as a script in a process of its own whose cost is measured."""
