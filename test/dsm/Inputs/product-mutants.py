# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""product-mutants.py FOLDER: product.py in FOLDER must notice a dimension that had no effect."""

import sys

sys.path.insert(0, sys.argv[1])
from product import Configuration, not_as_told  # noqa: E402

LINE = "configuration: nodes {} threads {} blocks {} to {} in {} arrays\n"
told = Configuration("lu", 2, 3, 64, "shm", "default")
right = LINE.format(2, 3, 64, 64, 4), {"sysv"}
wrong = {
    "no line": ("", {"sysv"}),
    "nodes": (LINE.format(1, 3, 64, 64, 4), {"sysv"}),
    "threads": (LINE.format(2, 1, 64, 64, 4), {"sysv"}),
    "the program's own blocks": (LINE.format(2, 3, 64, 2048, 4), {"sysv"}),
    "other blocks": (LINE.format(2, 3, 128, 128, 4), {"sysv"}),
    "nothing measured": (LINE.format(2, 3, 0, 0, 0), {"sysv"}),
    "other transport": (right[0], {"tcp"}),
    "two transports": (right[0], {"sysv", "tcp"}),
    "unknown transport": (right[0], set()),
}
assert not_as_told(told, *right) is None
assert not_as_told(told._replace(transport="tcp"), right[0], {"tcp"}) is None
for name, case in wrong.items():
    assert not_as_told(told, *case), f"product.py did not notice: {name}"
