# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# changes.sh FOLDER: changes originals and images between the time when they
# were known and the time when they are to be replaced.
cd "$1" || exit 1

say() { # say FILE TEXT: a program that prints the text
  printf '#!/bin/sh\necho %s\n' "$2" > "$1"
  chmod 755 "$1"
}

anew() {
  echo "$1"
  rm -f one two image known
  say one original
  say two original
  say image substituted
  for file in one two; do
    substitution-test know "$PWD/$file" "$PWD/image"
  done > known
}

both='echo $(./one) $(./two)'
run() { substitution-test run known sh -c "$both"; }

anew "nothing changed"
run
anew "written in place"
say one changed
run
anew "same content, another file"
cp -p one three
mv three one
run
anew "as old and as long"
touch -r one time
say one Original
touch -r time one
run
anew gone
rm one
substitution-test run known sh -c 'echo "$(./one)" $(./two)'
anew "a damaged image"
cp image good
sed "s|/image .*|/good $(substitution-test know one good | cut -d' ' -f8-)|" known | tail -n 1 > second
head -n 1 known > first
cat first second > known
say image damaged
run
anew "no image"
cp image good
sed "s|/image .*|/good $(substitution-test know one good | cut -d' ' -f8-)|" known | tail -n 1 > second
head -n 1 known > first
cat first second > known
rm image
run
anew set-user-id
chmod u+s one
substitution-test know "$PWD/one" "$PWD/image" > first
tail -n 1 known >> first
mv first known
run
anew "written inside"
substitution-test run known sh -c "echo overwritten > one; $both"
substitution-test run known cat image | tail -n 1 | grep -q substituted || echo "the image was written"
sed -i 1d known
run
anew "replaced outside while it runs"
mkfifo go gone 2> /dev/null
substitution-test run known sh -c 'one=$(./one); echo > go; read line < gone; echo $one $(./one)' &
read line < go
say newer newer
mv newer one
echo > gone
wait
anew "inside of another one"
substitution-test run known substitution-test run known sh -c "$both"
