"""Benchmarks on real repositories, run by bin/bench. Nothing here belongs to the product.

Each file with a `main` is a benchmark of its name. They print plain tables; figures are ratios within one run, as
seconds of one machine say little on another. Paths are arguments: nothing is downloaded and no repository is changed.
"""
