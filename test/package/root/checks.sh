# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh
#
# What inside.sh and plugins.sh share.
failed=0

check() { # check NAME COMMAND...: its output is shown only if it failed
  name=$1
  shift
  if "$@" >log 2>&1; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    sed 's/^/    /' log | tail -n 30
    # shellcheck disable=SC2034
    failed=1
  fi
}

says() { # says TEXT COMMAND...
  text=$1
  shift
  output=$("$@" 2>&1) || { echo "$output"; return 1; }
  echo "$output"
  case $output in *"$text"*) ;; *) return 1 ;; esac
}

same() { # same FILE COMMAND...: the output is what is in FILE
  expected=$1
  shift
  "$@" >output && cmp output "$expected"
}
