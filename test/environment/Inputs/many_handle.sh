# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# many_handle.sh FOLDER ROUNDS: copies FOLDER/app in two loops while it runs in two
# others. Says how many copies are not the original of FOLDER/other.
cd "$1" || exit 9
./app > /dev/null
loop() {
  round=0
  while [ $round -lt "$rounds" ]; do
    round=$((round + 1))
    "$@"
  done
}
rounds=$2
copy() { cp app made/copy$round && mv made/copy$round made/copied$round; }
append() { cat app > made/by-cat$round; }
mkdir made
loop ./app > /dev/null &
loop env -i ./app > /dev/null &
loop copy &
loop append
wait
for file in made/*; do
  cmp -s other "$file" || echo "$file: something else"
done
ls made | wc -l
