"""What calls of libraries and frameworks mean beyond a call."""
