#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: fake-sysfs.sh FOLDER
#
# Writes what /sys of a machine with nodes 0, 1 and 4 would have: distances, HMAT
# of node 0, memory without processors on node 4, a network card near node 1.
set -eu
system=$1/devices/system
for node in "0 0-1 10 20 40" "1 2-3 20 10 40" "4 - 40 40 10"; do
  set -- "$1" $node
  folder=$system/node/node$2
  mkdir -p "$folder"
  [ "$3" != - ] && echo "$3" >"$folder/cpulist" || echo >"$folder/cpulist"
  echo "$4 $5 $6" >"$folder/distance"
  printf 'Node %s MemTotal:  1048576 kB\nNode %s MemFree:  524288 kB\n' "$2" "$2" >"$folder/meminfo"
done
echo 0-1,4 >"$system/node/online"
for processor in 0 1 2 3; do
  folder=$system/cpu/cpu$processor
  mkdir -p "$folder/topology" "$folder/cache/index3"
  echo $((processor / 2)) >"$folder/topology/physical_package_id"
  echo $((processor & 2))-$(((processor & 2) + 1)) >"$folder/cache/index3/shared_cpu_list"
done
mkdir -p "$system/node/node0/access0/initiators"
echo 95 >"$system/node/node0/access0/initiators/read_latency"
echo 12000 >"$system/node/node0/access0/initiators/read_bandwidth"
mkdir -p "$1/class/net/eth7/device"
echo 1 >"$1/class/net/eth7/device/numa_node"
