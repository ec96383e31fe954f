# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links the same program in many ways.
set -e
export LC_ALL=C # What linkers say is compared.
real=$(PATH=/usr/local/bin:/usr/bin:/bin command -v ld)

ld --version | head -n 1
echo 'int missing(void); int main(void) { return missing(); }' > conftest.c
gcc conftest.c -o conftest || echo failed
echo 'int main(void) { return 0; }' > conftest.c
gcc conftest.c -o conftest && ./conftest && rm conftest*
gcc -print-prog-name=ld > found

link() { # link NAME COMMAND...: outputs differ, so that each has a row
  name=$1
  shift
  "$@" -Wl,-rpath,"/$name" -O1 main.c work.c -o "$name"
}
link by-gcc gcc
link by-gcc-bfd gcc -fuse-ld=bfd
link by-gcc-lto gcc -flto
echo "-g" > response
link by-gcc-response gcc @response
link by-gcc-x gcc -Wl,-x
link by-gcc-q-s gcc -Wl,-q,-s
link by-clang clang
link by-clang-lld clang -fuse-ld=lld
link by-lld-stripped clang -fuse-ld=lld -s
link by-thin-lto clang -flto=thin -fuse-ld=lld
link by-static-pie gcc -static-pie -fPIE
link by-path clang --ld-path="$real"
if command -v ld.gold > /dev/null; then link by-gcc-gold gcc -fuse-ld=gold; fi
if [ -x /usr/libexec/mold/ld ]; then link by-gcc-mold gcc -B/usr/libexec/mold; fi
