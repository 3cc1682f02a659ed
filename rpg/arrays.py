"""Numpy, for who computes with arrays: imported here and nowhere else, once it is certain that there is room for it.

Out: numpy. TooLittleMemory where there is not (memory.py says why that is asked first).
"""

from __future__ import annotations

import sys

from rpg.memory import NUMPY_BYTES, require

if "numpy" not in sys.modules:
    require(NUMPY_BYTES)

import numpy as numpy
