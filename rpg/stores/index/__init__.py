"""The index, NAME.graph.db: its tables and rows, how they are made and updated, and the seal that says who did."""
