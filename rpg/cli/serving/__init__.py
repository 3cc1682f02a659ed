"""Commands that keep running: servers and the watcher, and what a server needs."""
