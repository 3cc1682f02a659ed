"""What search keeps in the index: postings, vectors, names, and the constants that weigh them."""
