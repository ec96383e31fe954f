# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Usage: small-disk.sh FOLDER: instruments FOLDER/a with its state on a disk that
# is too small, for several sizes, and then on the same one with more room.
export XDG_STATE_HOME="$1/small"
for size in 176k 256k 336k; do
  mount -t tmpfs -o size=$size none "$1/small"
  graupel register "$1/a/bin/app" >/dev/null && echo registered
  graupel instrument app
  echo status $?
  graupel doctor | grep sound
  mount -o remount,size=10m "$1/small"
  graupel instrument app
  umount "$1/small"
done
