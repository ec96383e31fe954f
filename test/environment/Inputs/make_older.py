# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a database what the first graupel would have made of it."""
import sqlite3
import sys

first = {"applications", "images", "image_contents", "application_images", "versions",
         "checked", "runs", "profiles", "merged"}
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA foreign_keys=OFF")
for kind, name in database.execute(
        "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'index')").fetchall():
    if kind == "table" and name not in first and not name.startswith("sqlite_"):
        database.execute(f"DROP TABLE {name}")
    elif kind == "index" and name not in ("versions_by_content", "versions_by_store") \
            and not name.startswith("sqlite_"):
        database.execute(f"DROP INDEX IF EXISTS {name}")
for table, columns in (("profiles", ("method", "aged")), ("runs", ("method", "counted"))):
    for column in columns:
        database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
database.execute("PRAGMA user_version=1")
