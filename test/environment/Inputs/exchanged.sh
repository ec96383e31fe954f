# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exchanged.sh PROGRAM: starts it in several ways; it has to do the same each time.
program=$1
want=$("$program")
same() {
  if [ "$2" = "$want" ]; then echo "$1: the same"; else echo "$1: $2"; fi
}
all=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  all="$all$("$program" once)
$("$program")
"
done
same '50 times' "$(echo "$all" | sort -u | sed /./!d)"
same 'little room' "$(ulimit -v 400000; "$program")"
same 'a small stack' "$(ulimit -s 256; "$program")"
same 'no randomization' "$(setarch -R "$program")"
if type strace > /dev/null 2>&1; then
  same traced "$(strace -f -o /dev/null "$program")"
else
  same traced "$want"
fi
