#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/quickstart.sh [--setup-only] [--all-benchmarks]
#
# Sets everything up on Debian 12, builds graupel-bolt and graupel (with what
# `graupel dsm` needs), and speeds up three programs by `graupel learn` and `graupel
# optimize`: the table at the end compares the results with the compiler's programs
# and with llvm-bolt's. Can be run again at any time; what is in place is not redone.
#
#   --setup-only      stop after the build
#   --all-benchmarks  also install what the complete benchmarks need
#
# Installs Debian packages as root or with sudo (which is used for nothing
# else), downloads into build/ and changes nothing outside of it.
set -euo pipefail
# shellcheck source=tools/lib/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

setup_only=0
packages=("${packages_build[@]}" "${packages_bench[@]}")
for argument in "$@"; do
  case $argument in
    --setup-only) setup_only=1 ;;
    --all-benchmarks) packages+=("${packages_bench_all[@]}") ;;
    -h | --help) sed -n '4,/^set -/{s/^# \{0,1\}//;/^set -/d;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) die "unknown option $argument; see --help" ;;
  esac
done

step_total=$((6 - setup_only))
prepare_logs
ensure_packages "${packages[@]}"
ensure_bolt_headers
ensure_libstdcxx
# shellcheck disable=SC2119
ensure_configured
ensure_built graupel-bolt graupel graupel-dsm GraupelPasses
if [ $setup_only = 1 ]; then
  echo "graupel-bolt and graupel are in $graupel_build/bin"
  exit 0
fi

demo() {
  python3 "$graupel_root/benchmarks/run.py" demo --json "$graupel_logs/demo.json" \
    >"$graupel_logs/demo.md"
}
must demo "Learning, optimizing and measuring three programs" \
  "The last lines name the cause; without a network, start again with one." demo
sed '1,/^## What it brought/d' "$graupel_logs/demo.md"
echo
echo "All figures: $graupel_logs/demo.md"
