"""What is known of a variable beyond its assignments: tests that prove a type, declared types."""
