# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Usage: read-only.sh FOLDER: what works where nothing can be written.
mkdir -p "$1/disk"
mount -t tmpfs none "$1/disk"
export XDG_STATE_HOME="$1/disk"
graupel register "$1/a/bin/app" >/dev/null
graupel instrument app >/dev/null
mount -o remount,ro "$1/disk"
graupel status
graupel instrument app
graupel doctor
