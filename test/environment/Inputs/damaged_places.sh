# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# damaged_places.sh FOLDER COMMAND...: runs a command with each of some files that
# are no table of places.
agent=$(dirname "$(command -v graupel)")/../lib/libgraupel-agent.so
folder=$1
shift
set -- "$@"
for size in 0 1 23 24 40 100 104; do
  head -c $size "$folder"/state/graupel/places/* > "$folder/damaged"
  env LD_AUDIT="$agent" GRAUPEL_PLACES="$folder/damaged" "$@" || exit
done
env LD_AUDIT="$agent" GRAUPEL_PLACES="$folder/nosuch" "$@"
