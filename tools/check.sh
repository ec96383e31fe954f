#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/check.sh [--long] [--benchmarks] [--hostile]
#        tools/check.sh --numa-guests
#
# Sets up whatever is missing (Debian packages as root or with sudo, BOLT's
# headers, the build in build/) and runs every test. The last line of the output
# is `N passed, N failed`; the status is 0 only if nothing failed.
#
#   --long        also run 500 random programs instead of the usual 30, all of
#                 GCC's testsuite that runs in 16 configurations instead of a sample, 5,000 damaged
#                 programs and profiles instead of 150, BOLT's own tests, those of
#                 Lua, TCC and zstd (200 MB are fetched once), and the packages and
#                 the tarball in bare systems with all that belongs to them
#   --benchmarks  also hold the deterministic benchmark figures against
#                 benchmarks/baseline/ci.json; the default if CI=true is set
#   --hostile     also run the tests of programs and passes where they have it hard:
#                 busy processors, an ordinary user, a path with blanks, another locale,
#                 a narrow terminal (tools/lib/hostile.sh); if CI=true is set, a tenth
#                 of them, chosen by the commit
#   --numa-guests only boot kernels with several memory nodes in qemu, and run
#                 there what needs them
set -euo pipefail
# shellcheck source=tools/lib/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"
# shellcheck source=tools/lib/test_copy.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/test_copy.sh"

long=0
benchmarks=0
numa_guests=0
hostile_shards=0 # of which one is run
if [ "${CI:-}" = true ]; then
  benchmarks=1
  hostile_shards=10
fi
for argument in "$@"; do
  case $argument in
    --long) long=1 ;;
    --benchmarks) benchmarks=1 ;;
    --hostile) hostile_shards=1 ;;
    --numa-guests) numa_guests=1 ;;
    -h | --help) sed -n '4,/^set -/{s/^# \{0,1\}//;/^set -/d;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) die "unknown option $argument; see --help" ;;
  esac
done

started=$EPOCHSECONDS
passed=0
failed=0
complete=0
lit_copy=

# Whatever ends the run, the last line says how it went.
# shellcheck disable=SC2317
finish() {
  local status=$?
  stop_ticker
  end_line
  [ -z "$lit_copy" ] || rm -rf "$lit_copy"
  [ $complete = 1 ] || failed=$((failed + 1))
  echo "$passed passed, $failed failed"
  [ $status != 0 ] || [ $failed = 0 ] || exit 1
}
trap finish EXIT

counts=$graupel_root/tools/lib/counts.py

# suite NAME TITLE FORMAT REPORT COMMAND...: runs a suite and adds its figures.
# counts.py reads them from REPORT, which COMMAND writes, or from its output if
# REPORT is empty. A command that fails without a failed test in its report counts
# as one failure.
suite() {
  local name=$1 title=$2 format=$3 report=$4 status=0 p f s names
  shift 4
  [ -z "$report" ] || rm -f "$report"
  run_step "$name" "$title" "$@" || status=$?
  [ -n "$report" ] || report=$step_log
  { read -r p f s && names=$(sed 's/^/    /'); } < <(python3 "$counts" "$format" "$report")
  [ "$status" = 0 ] || [ "$f" != 0 ] || f=1
  passed=$((passed + p))
  failed=$((failed + f))
  end_step "$p passed, $f failed$([ "$s" = 0 ] || echo ", $s not supported here")"
  [ "$f" = 0 ] || show_failures 80 || show_log 60
  [ -z "$names" ] || printf '%s\n' "$names"
}

# In CI nobody is there to interrupt a suite that hangs. How long one takes says
# nothing on a busy machine, but each says something now and then.
bounded() {
  if [ -t 1 ] || [ "${CI:-}" != true ]; then
    "$@"
  else
    python3 "$graupel_root/tools/lib/while_it_talks.py" 1200 "$step_log" "$@"
  fi
}

packages=("${packages_build[@]}" "${packages_test[@]}")
step_total=20
if [ $benchmarks = 1 ]; then
  packages+=("${packages_bench[@]}")
  step_total=$((step_total + 1))
fi
[ $hostile_shards = 0 ] || step_total=$((step_total + 1))
[ $long = 0 ] || step_total=$((step_total + 9))
[ $numa_guests = 0 ] || step_total=5
prepare_logs
ensure_packages "${packages[@]}"
ensure_bolt_headers
ensure_libstdcxx
ensure_configured -DGRAUPEL_BUILD_TESTS=ON
if [ $numa_guests = 1 ]; then
  ensure_built graupel graupel_numa graupel_numa_run GraupelNuma GraupelStride graupel-stride
  suite guests "Kernels with several memory nodes (qemu)" lit "$graupel_logs/guests.json" \
    bounded lit-22 -v --timeout 1800 -o "$graupel_logs/guests.json" \
    --filter 'numa/guest/' "$graupel_build/test"
  complete=1
  exit $((failed > 0))
fi
ensure_built all
# Without a network, the tests of the site are not supported here.
if run_step docs-env "Sphinx and Mermaid for the documentation" ensure_docs_env; then
  end_step "done"
else
  end_step "not possible here"
fi

suite unit "Unit tests" gtest "$graupel_logs/unit.json" \
  bounded "$graupel_build/bin/graupel-unit-tests" "--gtest_output=json:$graupel_logs/unit.json"
for part in dsm dsm-core stride numa build environment manager verify; do
  suite "unit-$part" "Unit tests ($part)" gtest "$graupel_logs/unit-$part.json" \
    bounded "$graupel_build/bin/graupel-$part-unit-tests" "--gtest_output=json:$graupel_logs/unit-$part.json"
done
# lit puts the paths of its tests into commands unquoted. If the repository's has
# a space, a copy of the tests runs, against the same build.
lit_tests=$graupel_build/test
if [[ $graupel_root == *[[:space:]]* ]]; then
  lit_copy=$(mktemp -d /tmp/graupel-lit.XXXXXX)
  copy_tests "$graupel_root" "$graupel_build" "$lit_copy"
  lit_tests=$lit_copy/build/test
fi
suite lit "Tests of programs and passes (lit)" lit "$graupel_logs/lit.json" \
  bounded lit-22 -v --timeout 1800 -o "$graupel_logs/lit.json" "$lit_tests"
if [ $hostile_shards != 0 ]; then
  commit=$(git -C "$graupel_root" rev-parse --short=7 HEAD 2>/dev/null) || commit=0
  shard=$((0x$commit % hostile_shards + 1))
  # A part of the tests is a sample, and ends in time for what comes next: CI has 90
  # minutes, also on a machine on which everything so far took twice as long as usual.
  seconds=
  if [ $hostile_shards != 1 ]; then
    seconds=$((started + 2700 - EPOCHSECONDS))
    seconds=$((seconds > 900 ? 900 : seconds < 120 ? 120 : seconds))
  fi
  suite hostile "The same under load, for an ordinary user (shard $shard of $hostile_shards)" lit \
    "$graupel_logs/hostile.json" bounded "$graupel_root/tools/lib/hostile.sh" \
    "$graupel_root" "$graupel_build" "$graupel_logs/hostile.json" "$shard" "$hostile_shards" \
    ${seconds:+"$seconds"}
fi
# Their sources are fetched once (20 MB). Without a network they are not supported here.
suite programs "Real programs' own test suites" log "" \
  bounded env "GRAUPEL_BOLT=$graupel_build/bin/graupel-bolt" \
  python3 "$graupel_root/test/programs/run.py" --ci --cache "$graupel_build/programs"
# The short runs of these are among lit's tests.
if [ $long = 1 ]; then
  suite csmith "500 random programs (csmith)" summary "" \
    env "PATH=$graupel_build/bin:$(llvm-config-22 --bindir):$PATH" \
    python3 "$graupel_root/test/csmith/differential.py" --count 500 --jobs "$(nproc)"
  suite cxx-random "300 random C++ programs full of exceptions" summary "" \
    env "PATH=$graupel_build/bin:$(llvm-config-22 --bindir):$PATH" \
    python3 "$graupel_root/test/cxx-random/differential.py" --count 300 --jobs "$(nproc)"
  suite torture "GCC's testsuite (torture)" summary "" \
    python3 "$graupel_root/test/torture/torture.py" --configs dynamic --skip-without-package
  suite fuzz "5,000 damaged programs and profiles" summary "" \
    env "PATH=$graupel_build/bin:$(llvm-config-22 --bindir):$PATH" \
    python3 "$graupel_root/test/fuzz/fuzz.py" --count 5000 --jobs "$(nproc)"
  ensure_built graupel-dsm-tsan
  suite dsm-tsan "The runtime of shared memory under ThreadSanitizer" lit "$graupel_logs/dsm-tsan.json" \
    bounded env GRAUPEL_TEST_TSAN=1 lit-22 -v --timeout 1800 -o "$graupel_logs/dsm-tsan.json" \
    --filter 'dsm/(basics|blocking|leaving|locks|mistakes|reduce|signals|stress|together|wrappers)[.]test' "$graupel_build/test"
  suite bolt-suite "BOLT's own tests with graupel-bolt" summary "" \
    bounded python3 "$graupel_root/test/bolt-suite/run.py" --build "$graupel_build"
  suite programs-long "Test suites of more real programs" log "" \
    bounded env "GRAUPEL_BOLT=$graupel_build/bin/graupel-bolt" \
    python3 "$graupel_root/test/programs/run.py" lua tcc zstd --cache "$graupel_build/programs" \
    --modes instrumented,profile,hco,random,invert
fi
suite python "Tests of the benchmark programs" python "$graupel_logs/python.json" \
  bounded python3 "$graupel_root/tools/lib/python_tests.py" "$graupel_root/benchmarks/tests" "$graupel_logs/python.json"
suite package "Tests of the installed package" log "" \
  bounded "$graupel_root/test/package/run.sh" "$graupel_build"
# Not supported for ordinary users, and without a network.
clean_root=$graupel_root/test/package/root/clean-root.sh
if [ $long = 1 ]; then
  suite deb "The Debian packages in a bare Debian 12, with clang" log "" \
    bounded "$clean_root" --make --full deb
  suite tarball "The tarball in a bare Debian 11" log "" bounded "$clean_root" --make tarball
else
  suite deb "The Debian packages in a bare Debian 12" log "" bounded "$clean_root" --make deb
fi

# shellcheck disable=SC2317
compare_benchmarks() {
  cd "$graupel_root"
  python3 benchmarks/run.py ci --json "$graupel_build/ci.json"
  if python3 benchmarks/compare.py benchmarks/baseline/ci.json "$graupel_build/ci.json"; then
    echo "ok - no figure is worse than the baseline's"
  else
    echo "not ok - compare.py benchmarks/baseline/ci.json build/ci.json"
    return 1
  fi
  # What tools/quickstart.sh ends with, with few rounds.
  if python3 benchmarks/run.py demo --quick >"$graupel_logs/demo-quick.md"; then
    echo "ok - the demo of tools/quickstart.sh"
  else
    echo "not ok - the demo of tools/quickstart.sh: benchmarks/run.py demo --quick"
    return 1
  fi
}
if [ $benchmarks = 1 ]; then
  suite benchmarks "Benchmark figures against the baseline" log "" compare_benchmarks
  python3 "$graupel_root/benchmarks/run.py" --check-published 2>&1 | sed 's/^/    /' || true
fi
complete=1
