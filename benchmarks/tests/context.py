# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the benchmark modules importable from the tests, wherever unittest runs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
