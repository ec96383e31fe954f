# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# four.sh FOLDER: builds four.c there, with a script FOLDER/start that runs it.
set -e
here=$(dirname "$0")
mkdir -p "$1/bin" "$1/lib"
for letter in p q r s; do
  clang -O1 -DLIBRARY=$letter -shared -fPIC "$here/four.c" -o "$1/lib/lib$letter.so" -Wl,-q
done
clang -O1 "$here/four.c" -o "$1/bin/four" -L"$1/lib" -lp -lq -lr -Wl,-q \
  -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib'
cat > "$1/start" <<'END'
#!/bin/sh
"$(dirname "$0")/bin/four" "$@"
END
chmod +x "$1/start"
