# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shipped.sh FOLDER: builds four.c there without relocations and symbols.
set -e
here=$(dirname "$0")
mkdir -p "$1/bin" "$1/lib"
for letter in p q r s; do
  gcc -O1 -DLIBRARY=$letter -shared -fPIC -s "$here/four.c" -o "$1/lib/lib$letter.so"
done
gcc -O1 -s "$here/four.c" -o "$1/bin/four" -L"$1/lib" -lp -lq -lr \
  -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib'
