"""What types say: annotations, aliases, type variables, classes, their hierarchy and where it defines a member."""
