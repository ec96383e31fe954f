# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds a program, runs it, and builds it again, as `make check` may; then
# replaces and removes it.
cd "$1" || exit 9
export TMPDIR="$PWD" # For clang.
covered() {
  grep -c "$PWD/$1 " /proc/self/mountinfo
}
for number in 1 2 3; do
  clang -O1 -DNUMBER=$number -Wl,--emit-relocs number.c -o number || exit 8
  ./number || exit 7
  echo "covered: $(covered number)"
done
mkdir bin && cp number bin && bin/number || exit 6
clang -O1 -DNUMBER=4 -Wl,--emit-relocs number.c -o other || exit 5
cp other bin/number && bin/number || exit 4
mv other number && ./number || exit 3
clang -O1 -DNUMBER=5 -Wl,--emit-relocs number.c -o other || exit 5
cmake -E rename other number && ./number || exit 3
echo "covered: $(covered number)"
rm number && rm -r bin || exit 2
echo "covered: $(covered number)"
