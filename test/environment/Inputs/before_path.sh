# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# before_path.sh FOLDERS COMMAND...: runs a command with these folders before those of PATH.
PATH=$1:$PATH
export PATH
shift
exec "$@"
