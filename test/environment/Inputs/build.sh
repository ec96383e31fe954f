# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# build.sh FOLDER [MARK]: the program of views.c, its two libraries and a static
# one, as FOLDER/bin/views, FOLDER/lib/lib*.so and FOLDER/bin/static.
set -e
here=$(dirname "$0")
mark="-DMARK=\"${2:-original}\""
mkdir -p "$1/bin" "$1/lib"
for name in linked loaded; do
  clang -O1 "$mark" -shared -fPIC "$here/$name.c" -o "$1/lib/lib$name.so" \
    -Wl,-soname,lib$name.so -Wl,-q
done
clang -O1 "$mark" "$here/views.c" -o "$1/bin/views" -L"$1/lib" -llinked \
  -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib' -Wl,-q
clang -O1 "$mark" -DSTATIC -static "$here/views.c" -o "$1/bin/static" -Wl,-q
