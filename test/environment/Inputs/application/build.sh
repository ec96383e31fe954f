#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: build.sh FOLDER: makes bin/app, lib/lib*.so and app.sh, which starts it.
set -e
here=$(dirname "$0")
mkdir -p "$1/bin" "$1/lib"
flags="-O1 -Wl,--emit-relocs"
for name in first second third fourth; do
  clang $flags -shared -fPIC -DNAME=$name "$here/library.c" -o "$1/lib/lib$name.so"
done
clang $flags "$here/main.c" -L"$1/lib" -lfirst -lsecond -lthird \
  -Wl,-rpath,'$ORIGIN/../lib' -o "$1/bin/app"
printf '#!/bin/sh\nexec "$(dirname "$0")/bin/app" "$@"\n' >"$1/app.sh"
chmod +x "$1/app.sh"
