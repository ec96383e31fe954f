# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: sharing.py REPORT.json: which lines threads take from each other, in words
that do not depend on how threads were scheduled."""

import json
import sys

report = json.load(open(sys.argv[1]))
lines = report["sharing"]
for kind in ("false", "true"):
    print(kind, "many" if sum(line[kind] for line in lines) > 100000 else "few")
for line in lines[:1]:
    if line["false"] + line["true"] > 100000:
        print("object", line["object"], line["other_object"], "offset", line["offset"],
              line["writer"]["kind"], line["writer"]["function"])
print("issues", *[i["issue"] for i in report["issues"] if i["issue"].endswith("sharing")])
