"""What a stranger may try: generated cases, and what must hold for each of them.

Generators (`inputs/`) know what to try and not what is right; `oracles` and
`canaries` know what is right and not what was tried. Every case comes from a seed, so that it is the same again
everywhere. Each run takes a share of the cases; `bin/test --attack tests/attack` takes all of them. Nothing here
measures time: what hangs is caught by a generous limit on the process.
"""
