# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# What tools/check.sh and tools/lib/hostile.sh share; sourced by them.

# copy_tests ROOT BUILD COPY: everything that lit's tests read of the repository at ROOT goes
# to the folder COPY. `lit COPY/build/test` then runs them there, against what is in BUILD.
copy_tests() {
  local part
  mkdir -p "$3/build/test"
  for part in .clang-format .codespellrc test docs bolt-plugins benchmarks runtime tools llvm-passes lib; do
    [ ! -e "$1/$part" ] || cp -r "$1/$part" "$3/"
  done
  ln -s "$2/test/plugins" "$3/build/test/plugins"
  sed -e "s|^config.graupel_source_dir = .*|config.graupel_source_dir = '$3'|" \
    -e "s|^config.graupel_obj_root = .*|config.graupel_obj_root = '$3/build/test'|" \
    "$2/test/lit.site.cfg.py" >"$3/build/test/lit.site.cfg.py"
}
