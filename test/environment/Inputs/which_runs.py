# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""which_runs.py STATE FILE...: what is in the place of each file: `original`, or
the kind of a version and its number among those of that kind, the newest first."""
import hashlib
import os
import sqlite3
import sys

database = sqlite3.connect(f"file:{sys.argv[1]}/graupel/graupel.db?mode=ro", uri=True)
for path in sys.argv[2:]:
    store = hashlib.sha256(open(path, "rb").read()).hexdigest()
    row = database.execute("SELECT kind, content FROM versions WHERE store=?", [store]).fetchone()
    if not row:
        print(os.path.basename(path) + ": original")
        continue
    names = [r[0] for r in database.execute(
        "SELECT store FROM versions WHERE kind=? AND content=? AND store!='' ORDER BY id DESC", row)]
    names = list(dict.fromkeys(names))
    print(f"{os.path.basename(path)}: {row[0]} {names.index(store) + 1} of {len(names)}")
