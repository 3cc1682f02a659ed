"""What a call means and returns: overloads, arguments, parameters, callbacks."""
