#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless functions were entered as often in a profile as they really were.

  counts.py PROFILE NAME=COUNT... NAME~COUNT... NAME%COUNT...

Each count is looked up in the profile itself and, for =, in the fdata that
graupel-bolt makes of it. fdata says how often calls were executed: where control
left a caller in its middle it claims more, and ~ is for functions called there.
COUNT may be two numbers, LEAST..MOST. With %, all that the function counts must
be multiples of COUNT, since it does the same each time. @FILE has more of them.
"""

import os
import re
import subprocess
import sys

from gprofile import Profile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tools"))
from optimizer import graupel_bolt


def fields(line):
    return [re.sub(r"\\(.)", r"\1", field) for field in re.split(r"(?<!\\) ", line)]


def fdata_entries(text, name):
    """Transfers to the start of the function from elsewhere."""
    entries = 0
    for line in text.splitlines():
        _, source, _, _, to, offset, _, count = fields(line)
        if to.split("/")[0] == name and to != source and int(offset, 16) == 0:
            entries += int(count)
    return entries


def check(path, expectations, scale=1):
    """What is wrong, as lines."""
    profile = Profile(path)
    fdata = subprocess.run([graupel_bolt(), "export", path], check=True,
                           capture_output=True, text=True).stdout
    wrong = []
    for expectation in expectations:
        name, how, least, _, most = re.fullmatch(r"(.+?)([=~%])(\d+)(\.\.(\d+))?",
                                                 expectation).groups()
        least = int(least) * scale
        most = int(most) * scale if most else least
        if how == "%":
            odd = [count for count in profile.flow(name) if count % least]
            wrong += [f"{name}: {odd} are no multiples of {least}"] if odd else []
            continue
        found = {"the profile": profile.entries(name)}
        if how == "=":
            found["fdata"] = fdata_entries(fdata, name)
        for where, count in found.items():
            if not least <= count <= most:
                wrong.append(f"{name}: {count} in {where}, not {expectation[len(name) + 1:]}"
                             + (f" x {scale}" if scale > 1 else ""))
    return wrong


def main():
    expectations = []
    for argument in sys.argv[2:]:
        if argument.startswith("@"):
            with open(argument[1:]) as file:
                expectations += file.read().split()
        else:
            expectations.append(argument)
    wrong = check(sys.argv[1], expectations)
    for line in wrong:
        print(f"{sys.argv[1]}: {line}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
