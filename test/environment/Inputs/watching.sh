# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Watches until the first line appears. The state is in FOLDER/state.
export XDG_STATE_HOME="$1/state"
graupel watch --every=1 > "$1/watched" 2>&1 &
watching=$!
tries=0
while [ ! -s "$1/watched" ] && [ $tries -lt 300 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
kill $watching
wait $watching 2> /dev/null
cat "$1/watched"
