#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# in-namespaces.sh COMMAND...: runs a command that finds two network namespaces
# joined by a cable, in $NAMESPACES, and removes them. Takes root.
set -eu
a=graupel-$$-a b=graupel-$$-b
trap 'ip netns delete $a 2>/dev/null; ip netns delete $b 2>/dev/null' EXIT
trap 'exit 143' TERM INT HUP
ip netns add $a
ip netns add $b
ip link add graupel0 netns $a type veth peer name graupel0 netns $b
ip -n $a addr add 10.77.0.1/24 dev graupel0
ip -n $b addr add 10.77.0.2/24 dev graupel0
ip -n $a link set graupel0 up
ip -n $b link set graupel0 up
for end in $a $b; do
  ip -n $end link set lo up
  until ip -n $end link show graupel0 | grep -q 'state UP'; do sleep 0.1; done
done
status=0
NAMESPACES="$a $b" "$@" || status=$?
exit $status
