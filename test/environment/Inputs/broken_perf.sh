#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# As perf: runs a command, and records what it cannot read itself.
if [ "$1" != record ]; then
  echo 'bad data' >&2
  exit 9
fi
while [ "$1" != -- ]; do
  [ "$1" = -o ] && file=$2
  shift
done
shift
"$@"
status=$?
echo nothing > "$file"
exit $status
