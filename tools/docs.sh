#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/docs.sh
#
# Makes the Markdown of this repository a site that can be searched: build/site. Fails
# if a page has a fault, names a file or an anchor that is not there, or is in no table
# of contents (docs/site). Pages of the manual are in it once `graupel` has been built.
#
# The first run fetches Sphinx and Mermaid into build/docs-env, with pip and npm.
set -euo pipefail
# shellcheck source=tools/lib/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

for argument in "$@"; do
  case $argument in
    -h | --help) sed -n '4,/^set -/{s/^# \{0,1\}//;/^set -/d;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) die "unknown option $argument; see --help" ;;
  esac
done

site=$graupel_build/site
if ! docs_env_is_ready; then
  step_total=1
  prepare_logs
  must docs-env "Fetching Sphinx and Mermaid" \
    "It takes a network, and Debian's package python3-venv." ensure_docs_env
fi
rm -rf "$site"
"$docs_env/bin/python" -m sphinx -q -E -W -c "$graupel_root/docs/site" -d "$graupel_build/docs-trees" \
  "$graupel_root" "$site" || die "the documentation has the faults above"
echo "$(find "$site" -name '*.html' | wc -l) pages: $site/index.html"
