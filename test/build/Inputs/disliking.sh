# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Trains, and fails later if the program is an optimized one.
./program 10
if [ ! -e trained ]; then
  touch trained
  exit
fi
test -z "$(sh "$(dirname "$0")/having.sh" .note.bolt_info program)"
