# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# copying.sh FOLDER: copies and overwrites FOLDER/forever while it is covered.
cd "$1" || exit 1
same() { cmp -s "$1" "$2" && echo "$3: the original" || echo "$3: something else"; }

mkdir -p copies/tree install
ln -s "$(command -v cp)" copies/duplicate
graupel learn -- sh -c './forever
  cp forever copies/by-name
  cp forever copies
  install -m 700 forever install/
  install -m 755 -D -t install/below forever
  cp -r ../"$(basename "$PWD")"/data copies/tree
  copies/duplicate forever copies/by-unknown
  copies/duplicate forever copies/tree
  copies/duplicate -p forever copies/of-the-time && chmod 4555 copies/of-the-time
  copies/duplicate forever copies/old && touch -d 2001-01-01 copies/old && chmod 400 copies/old
  : > copies/target && ln -s target copies/link && copies/duplicate forever copies/link && chmod 555 copies/target
  cp data/forever.txt copies/text' > out 2> err
echo "status $?"
for copy in copies/by-name copies/forever install/forever install/below/forever copies/by-unknown copies/tree/forever; do
  same forever "$copy" "$copy"
  stat -c "mode %a" "$copy"
done
for copy in copies/of-the-time copies/old; do
  cmp forever "$copy" && stat -c "%n: mode %a" "$copy"
done
[ copies/of-the-time -ot forever ] || [ copies/of-the-time -nt forever ] || echo the time of the original
[ copies/old -ot forever ] && echo a time of its own
stat -c "%n: mode %a" copies/target
grep "cannot be mended" err
grep -c "it has the original's content now" err
grep -c warning err

# Overwritten in place from outside: what starts next is the new program. Of `run`
# nobody waits for who takes the version away, so it may take a moment.
mkfifo ready go
overwrite() {
  "$@" sh -c './forever; echo > ready; read line < go
    until ./forever > now; grep -q other now || [ "$0" = at-once ]; do sleep 0.1; done
    cat now' "$when" > out 2> err &
  read line < ready
  cp other forever
  echo > go
  wait
  cat out
}
cp forever kept
echo learn
when=at-once
overwrite graupel learn --
cp kept forever
graupel learn -- ./forever > /dev/null 2>&1
graupel optimize forever > /dev/null
echo run
when=soon
overwrite graupel run --
same forever other "overwritten"
