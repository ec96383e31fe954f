# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hints.py SOURCE HINTS STALE: hints for the lines that say which, and wrong ones."""

import sys

source, good, stale = sys.argv[1:]
with open(good, "w") as out:
    out.write("graupel-fgdsm-hints 1\n# Of a test.\n\n")
    for number, line in enumerate(open(source), 1):
        text, mark, value = line.rpartition("// HINT ")
        if mark:
            kind = "loop" if "trips" in value else "alloc"
            out.write(f"{kind} Fgdsm/hints.c:{number} {value.strip()}  # {text.strip()}\n")
with open(stale, "w") as out:
    out.write("graupel-fgdsm-hints 1\nalloc hints.c:1 block=100\nalloc hints.c block=128\n"
              "loop hints.c:7 block=128\nalloc hints.c:1 block=128\nalloc other.c:1 block=128\n")
