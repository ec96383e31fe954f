# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a static program as nobody in a folder that is its root, in which "place" is
open to all and "closed" to nobody.

  jail.py PROGRAM FOLDER
"""

import os
import subprocess
import sys

program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
if os.getuid():
    print("not root\ndone")
    sys.exit(0)
os.chmod(os.path.join(folder, "place"), 0o777)
os.chmod(os.path.join(folder, "closed"), 0)


def enter():
    os.chroot(folder)
    os.chdir("/")
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


sys.exit(subprocess.run(["/" + os.path.basename(program)], preexec_fn=enter).returncode)
