"""Lets tests import ``oracles``, the slow and plain answers beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
