# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# patched.sh DIR LENGTH: gives DIR/program a path of LENGTH characters to search
# for libraries, and rewrites the result.
cd "$1"
patchelf --set-rpath "/$(printf "%0$2d" 0)" --output changed program
./changed > expected
graupel-bolt changed -o faster -verify
./faster > printed
cmp expected printed
graupel-bolt changed -o instrumented -instrument -verify
./instrumented > printed
cmp expected printed
