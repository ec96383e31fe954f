# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ui_many.py STATE IMAGES: adds an application of many images to a database that is
there, half of them optimized and counted, as if that had been done."""

import hashlib
import os
import sqlite3
import sys
import time

state, count = os.path.join(sys.argv[1], "graupel"), int(sys.argv[2])
database = sqlite3.connect(os.path.join(state, "graupel.db"))
folder = os.path.join(sys.argv[1], "images")
os.makedirs(folder, exist_ok=True)
# The profile of a real image, if the database has one.
profile = database.execute("SELECT plan, bytes FROM profiles ORDER BY length(bytes)").fetchone()
now = int(time.time())


def add(table, **row):
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    return database.execute(f"INSERT INTO {table}({names}) VALUES({marks})",
                            list(row.values())).lastrowid


with database:
    application = add("applications", name="many", main=os.path.join(folder, "image0"),
                      mode="optimized", registered=now)
    for i in range(count):
        path = os.path.join(folder, f"image{i}")
        with open(path, "w") as out:
            out.write(str(i))
        is_at = os.stat(path)
        content = hashlib.sha256(str(i).encode()).hexdigest()
        image = add("images", path=path, content=content, build_id="", device=is_at.st_dev,
                    inode=is_at.st_ino, size=is_at.st_size, mtime=is_at.st_mtime_ns,
                    ctime=is_at.st_ctime_ns, unfit="" if i % 4 else "it was linked without relocations",
                    registered=now)
        add("application_images", application=application, image=image,
            role="needed" if i else "main")
        if i % 2 == 0:
            continue
        version = add("versions", content=content, kind="optimized", store=content, build_id="",
                      size=10000 + i, tool="", options="", profile="", made=now - i, seconds=1,
                      failure="")
        for name, before, after in (("executed_instructions", 1000, 980), ("taken_branches", 100, 70),
                                    ("lines", 50, 40), ("pages", 4, 2)):
            add("results", version=version, name=name + "_before", value=before * i)
            add("results", version=version, name=name + "_after", value=after * i)
        if profile:
            add("profiles", content=content, plan=profile[0], bytes=profile[1], files=i,
                first=now - 86400, last=now - i)
    stores = sorted(hashlib.sha256(str(i).encode()).hexdigest() for i in range(1, count, 2))
    add("measurements", application=application, command="many --work", at=now - 5400,
        versions=hashlib.sha256(" ".join(stores).encode()).hexdigest(),
        rounds="1.0 1.0 0.8 0.8 1.0 1.0\n" * 8)
    for i in range(30):
        add("runs", application=application, command="many --work",
            mode=("original", "instrumented", "optimized")[i % 3], began=now - 1000 + i, ended=now - 990 + i,
            status=0, user_seconds=(1.0, 1.6, 0.8)[i % 3], wall_seconds=(1.1, 1.7, 0.9)[i % 3])
