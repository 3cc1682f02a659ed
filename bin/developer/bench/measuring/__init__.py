"""The parts that benchmarks share: clones, processes and what they cost, a conversation with a server, tables."""
