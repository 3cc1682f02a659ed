"""What a name means: in a module, in a package, in a namespace, everywhere."""
