# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and trains with the state in memory.
state=$(mktemp -d -p /dev/shm) || exit
trap 'rm -rf "$state"' EXIT
rm -f program
graupel build --only=program --state="$state" --train='./program 10' -- make -s program
graupel build --state="$state" --restore 2>&1
LC_ALL=C make program
