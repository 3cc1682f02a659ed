"""The only import of numpy, done once there is certainly enough memory for it.

Out: numpy. Raises TooLittleMemory otherwise (memory.py says why that is checked first).
"""

from __future__ import annotations

import sys

from rpg.system.memory import NUMPY_BYTES, require

if "numpy" not in sys.modules:
    require(NUMPY_BYTES)

import numpy as numpy
