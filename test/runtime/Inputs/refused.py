# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that cannot write its profile; it must end well.

Usage: refused.py PROGRAM readonly|full|growing|holes
"""

import os
import shutil
import subprocess
import sys
import tempfile

program, why = sys.argv[1:]
if os.getuid() != 0:
    print("not root")
    sys.exit()


def run(profile, program=program, **options):
    subprocess.run([program], env=dict(os.environ, GRAUPEL_PROFILE=profile),
                   check=True, **options)


def fill(folder):
    with open(os.path.join(folder, "filler"), "wb", 0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass


# Below /tmp, where other users get to.
with tempfile.TemporaryDirectory(dir="/tmp") as folder:
    os.chmod(folder, 0o755)
    profile = os.path.join(folder, "profile")
    if why == "readonly":
        # Where the program is, the user may not get to.
        copy = shutil.copy(program, os.path.join(folder, "program"))
        run(profile, program=copy, user=65534)
        sys.exit()
    size = 4 if why == "full" else 36
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "none",
                       folder]).returncode:
        print("not root enough to mount")
        sys.exit()
    try:
        if why == "growing":
            # Room for the slot of the first process, none for its child's.
            run(profile)
            fill(folder)
            first = subprocess.Popen(
                [sys.executable, "-c", "import time; time.sleep(3600)"])
            # Its slot becomes that of a living process.
            with open(profile, "r+b") as file:
                file.seek(8192)
                owner = bytearray(file.read(48))
                stat = open(f"/proc/{first.pid}/stat").read()
                owner[0:8] = first.pid.to_bytes(8, "little")
                start = int(stat.rsplit(")", 1)[1].split()[19])
                owner[16:24] = start.to_bytes(8, "little")
                file.seek(8192)
                file.write(owner)
            run(profile)
            first.kill()
            first.wait()
        elif why == "holes":
            run(profile)
            with open(profile, "r+b") as file:
                size = file.seek(0, os.SEEK_END)
                file.truncate(8192 + 4096)  # the owner stays
                file.truncate(size)
            fill(folder)
            run(profile)
        else:
            run(profile)
            assert not os.listdir(folder), os.listdir(folder)
    finally:
        subprocess.run(["umount", folder], check=True)
