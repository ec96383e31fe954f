# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# watching_again.sh FOLDER: watches FOLDER/app while nothing can be written to the
# store, and then while it can be.
export XDG_STATE_HOME="$1/state"
graupel learn -- "$1/app" > "$1/learned" 2>&1
graupel optimize --no-measure app -- -hco-report=json "-hco-report-file=$1/a report" > "$1/made" 2>&1
graupel learn -- "$1/app" 100000 mixed > "$1/learned" 2>&1
wait_for() {
  tries=0
  until grep -q "$1" "$2" || [ $tries -gt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
}
chmod 500 "$1/state/graupel/store/making"
graupel watch --every=1 > "$1/watched" 2>&1 &
watching=$!
wait_for 'cannot be written' "$1/watched"
sleep 3
chmod 700 "$1/state/graupel/store/making"
wait_for 'app: made' "$1/watched"
kill $watching
wait $watching 2> /dev/null
cat "$1/watched"
graupel show "$1/app" --json | jq -r '.. | .options? // empty'
