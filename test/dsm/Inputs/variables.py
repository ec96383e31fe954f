#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""variables.py SOURCE: each variable of the environment that runtime/dsm, what it shares
with others, and graupel read or set for it is documented in docs/dsm.md, and no other."""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
used = set()
for folder in ("runtime/dsm", "runtime/include/graupel", "tools/graupel"):
    for path in (source / folder).rglob("*"):
        if path.suffix in (".cpp", ".h"):
            used |= set(re.findall(r'"(GRAUPEL_DSM(?:_[A-Z]+)*)["=]', path.read_text()))
used = {name for name in used if not name.startswith("GRAUPEL_DSM_VERSION")}
described = set(re.findall(r"^\| `(GRAUPEL_DSM\w*)", (source / "docs/dsm.md").read_text(),
                           re.M))
assert len(used) > 3
for name in sorted(used ^ described):
    print(f"{name} is {'not documented' if name in used else 'documented, and not used'}")
print("all agree" if used == described else "")
sys.exit(used != described)
