# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
declare -A seen
fib() { (( $1 < 2 )) && { r=$1; return; }; fib $(( $1 - 1 )); local s=$r; fib $(( $1 - 2 )); (( r += s )); }
for (( i = 0; i < $1 * 4000; ++i )); do
  key=k$(( i * 7919 % 1009 )); seen[$key]=$(( ${seen[$key]:-0} + 1 ))
  case $key in *1?) text+=${key^^};; *7*|*3) text=${text%?};; esac
done
fib 15
printf '%s ' "${#seen[@]}" "${#text}" "$r"
