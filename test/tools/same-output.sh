#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# same-output.sh A B
# Fails unless A and B are byte for byte the same once the note in which BOLT
# records its version and command line is gone.
set -e
for file in "$1" "$2"; do
  llvm-readelf -S "$file" | grep -q '\.note\.bolt_info' ||
    { echo "$file was not written by BOLT" >&2; exit 1; }
  llvm-objcopy --remove-section=.note.bolt_info "$file" "$file.without-note"
done
cmp "$1.without-note" "$2.without-note"
