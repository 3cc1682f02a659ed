"""What a name means: at a place, in a module, in a namespace, as a member."""
