# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Learns, optimizes and runs app/start, and says what it finds.
files="bin/four lib/libp.so lib/libq.so lib/libr.so lib/libs.so"

replaced() { # replaced WHAT COMMAND...: files that others take the place of
  printf '%s:' "$1"
  shift
  for file in $files; do
    inode=$("$@" stat -c %i "app/$file")
    [ "$(stat -c %i "app/$file")" = "$inode" ] || printf ' %s' "$file"
  done
  echo
}

echo learn
graupel learn --name=app -- ./app/start 10000 3
echo status $?
graupel learn --name=clean -- env -i "$PWD/app/start" 10000
graupel learn -- app/bin/four 10000
graupel learn --name=app -- app/start 10000
graupel instrument app > /dev/null
graupel run -- app/start 10000
graupel optimize > optimized # What was learned last.
rm -rf exported
graupel export --profiles app exported > /dev/null
for file in $files; do
  graupel-bolt export "exported$PWD/app/$file.gprofile" -o counts.fdata > /dev/null
  echo "$file: $(grep -E '^0 \[unknown\] 0 1 (work_.|main) 0' counts.fdata)"
done
echo optimize: $(grep -c ^made optimized) made, $(ls state/graupel/spool | wc -l) files wait

echo run
graupel run -- ./app/start 10000 5
echo status $?
replaced replaced graupel run --
in_shell() { echo "$@" | SHELL=/bin/sh graupel shell; }
replaced "replaced in a shell" in_shell
replaced "inside of another" graupel run -- graupel run --
replaced outside env

echo rebuilt
cp app/lib/libr.so app/lib/libr.new
mv app/lib/libr.new app/lib/libr.so
replaced "same content" graupel run --
printf ' ' >> app/lib/libr.so
graupel run -- app/start 10000

echo damaged
version=$(graupel run -- stat -c %i app/lib/libq.so)
store=$(find state/graupel/store -inum "$version")
chmod u+w "$store"
printf X | dd of="$store" bs=1 seek=5000 conv=notrunc 2> /dev/null
graupel run -- app/start 10000
graupel run -- app/start 10000
graupel status | grep 'in the store.*app'
graupel optimize app > optimized
graupel run -- app/start 10000
