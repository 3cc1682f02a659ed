"""What a call means and returns: overloads, extensions, arguments, parameters, callbacks, expected types."""
