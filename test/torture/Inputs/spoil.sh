#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# graupel-bolt, but what mode "spike" writes loses its first test, and mode "cold"
# refuses programs of more than three tests.
output=$3
case ${output##*/} in
cold)
  if [ "$(nm "$1" | grep -c ' T main\.')" -gt 3 ]; then
    echo "error: so many tests" >&2
    exit 1
  fi
  ;;
esac
graupel-bolt "$@" || exit
case ${output##*/} in
spike)
  mv "$output" "$output.whole"
  printf '#!/bin/sh\ncpu=$1 wall=$2\nshift 3\nexec %s.whole $cpu $wall "$@"\n' "$output" >"$output"
  chmod +x "$output"
  ;;
esac
