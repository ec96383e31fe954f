#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-keys.py JSON DOCUMENT: fails unless the document names every key."""
import json
import sys

document = open(sys.argv[2], encoding="utf-8").read()
keys = set()


def collect(value):
    if isinstance(value, dict):
        keys.update(value)
        for item in value.values():
            collect(item)
    elif isinstance(value, list):
        for item in value:
            collect(item)


collect(json.load(open(sys.argv[1], encoding="utf-8")))
missing = sorted(key for key in keys if f"`{key}`" not in document)
print("not documented:", missing)
sys.exit(bool(missing))
