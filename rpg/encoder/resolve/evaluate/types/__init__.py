"""What types say: annotations, aliases, type variables, classes and their hierarchy."""
