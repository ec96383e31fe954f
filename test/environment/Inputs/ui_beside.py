# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other commands while a manager page runs."""

import subprocess

from ui_server import Manager

with Manager() as m:
    done = subprocess.run(["graupel", "status"], capture_output=True, timeout=20)
    print("graupel status:", done.returncode)
    done = subprocess.run(["graupel", "ui", "--no-browser", "--port=" + m.port],
                          capture_output=True, text=True, timeout=20)
    print(done.stderr)
