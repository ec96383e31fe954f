#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""code-block.py FILE.md LANGUAGE N: prints the Nth fenced block of LANGUAGE."""
import re
import sys

file, language, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
blocks = re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", open(file).read(),
                    re.DOTALL | re.MULTILINE)
if len(blocks) < number:
    sys.exit(f"{file}: has {len(blocks)} blocks of {language}, not {number}")
sys.stdout.write(blocks[number - 1])
