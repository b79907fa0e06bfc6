"""Letters as numbers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Content: TypeAlias = npt.NDArray[np.uint8]

ZERO, NINE = ord("0"), ord("9")

DIGITS = 18
"""So many fit into 64 bits, whatever they are."""
