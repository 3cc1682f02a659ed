"""What a stranger may send: calls, lines, paths, secrets, repositories, graphs; generated, not judged."""
