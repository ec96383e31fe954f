#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists that must agree: graupel/dsm_library.def with what libgraupel-dsm.so exports,
and graupel/dsm.h with graupel/dsm_sequential.h.

usage: library.py LIBRARY INCLUDE
"""

import pathlib
import re
import subprocess
import sys

ENTRIES = {"load", "store", "acquire_set", "poll", "poll_acquire", "poll_acquire_set",
           "guard", "prepare_checks", "fetch_arguments", "release_arguments", "check_globals",
           "futex"}


def expanded(include, macro, body):
    source = f"#define {macro} {body}\n#include \"graupel/dsm_library.def\"\n"
    text = subprocess.run(["clang", "-E", "-P", "-xc", "-", f"-I{include}"], input=source,
                          capture_output=True, text=True, check=True).stdout
    return text.split()


def exported(library):
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True,
                          text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines()}


def main():
    library, include = sys.argv[1], pathlib.Path(sys.argv[2])
    symbols = exported(library)
    wrappers = {name for name in symbols if name.startswith("graupel_dsm_")}
    listed = {"graupel_dsm_" + name
              for name in expanded(include, "WRAPPED_AS(NAME, WRAPPER)", "WRAPPER")}
    wrong = []
    for name in sorted(wrappers ^ (listed | {"graupel_dsm_" + e for e in ENTRIES})):
        wrong.append(f"{name} is {'listed, not exported' if name in listed else 'not listed'}")
    blocking = expanded(include, "BLOCKING(NAME)", "NAME")
    for name in blocking + expanded(include, "INTERPOSED(NAME)", "NAME"):
        if name not in symbols:
            wrong.append(f"{name} is listed, but not interposed")
    fate = {}
    for macro in ("WRAPPED_AS(NAME, WRAPPER)", "UNWRAPPED(NAME, WHY)", "HARMLESS(NAME)"):
        for name in expanded(include, macro, "NAME"):
            if name in fate:
                wrong.append(f"{name} is both {fate[name]} and {macro}")
            fate[name] = macro
    header = (include / "graupel/dsm.h").read_text()
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    sequential = (include / "graupel/dsm_sequential.h").read_text()
    calls = set(re.findall(r"\b(gdsm_\w+)\(", header))
    assert len(calls) > 15 and len(listed) > 250 and len(blocking) > 100
    for name in sorted(calls):
        if not re.search(rf"GDSM_SEQUENTIAL_WEAK[^;{{]*\b{name}\(", sequential):
            wrong.append(f"{name} is missing in dsm_sequential.h")
    print("\n".join(wrong) or "all agree")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
