#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# in-own-namespace.sh PROGRAM...: what `graupel dsm run` starts: even nodes run in
# the first of $NAMESPACES, odd ones in the second.
set -eu
node=${GRAUPEL_DSM_LAUNCHER#*,*,}
node=${node%,*}
# shellcheck disable=SC2086 # two words
set -- $NAMESPACES "$@"
if [ $((node % 2)) = 0 ]; then namespace=$1; else namespace=$2; fi
shift 2
exec ip netns exec "$namespace" "$@"
