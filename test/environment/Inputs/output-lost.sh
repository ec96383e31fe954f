# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Commands whose standard output is full, or closed; then those of others.
for command in "status" "status --json" "doctor" "completion zsh" "man" "man gc" \
               "gc" "--version" "--help" "gc --help"; do
  graupel $command > /dev/full; echo "status $?"
  graupel $command >&-; echo "status $?"
done
graupel run -- true 2> /dev/null > /dev/full; echo "run $?"
graupel run -- sh -c 'exit 3' 2> /dev/null >&-; echo "run $?"
