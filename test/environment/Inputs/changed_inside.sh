# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares what changes make of a program while it learns with what they do alone.
export XDG_STATE_HOME="$PWD/state"
umask 022
mkdir alone learning
sh changing.sh alone
graupel learn -- sh changing.sh learning
echo status $?
grep -c . alone/said
diff -r alone learning && echo all alike
