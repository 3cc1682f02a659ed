"""What turns text into vectors and questions into answers, on this machine. No graph and no store is known here."""
