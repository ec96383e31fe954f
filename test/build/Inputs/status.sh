# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# status.sh COMMAND...: all that a command says, and its exit status.
"$@" 2>&1
echo status $?
