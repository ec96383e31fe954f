# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other commands while a manager page runs."""

import os
import subprocess
import sys

from ui_server import Manager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

with Manager() as m:
    done = subprocess.run(["graupel", "status"], capture_output=True, timeout=limit(20))
    print("graupel status:", done.returncode)
    done = subprocess.run(["graupel", "ui", "--no-browser", "--port=" + m.port],
                          capture_output=True, text=True, timeout=limit(20))
    print(done.stderr)
