#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# repeat.sh N COMMAND...
n=$1
shift
while [ "$n" -gt 0 ]; do
  "$@" > /dev/null
  n=$((n - 1))
done
