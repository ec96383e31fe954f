# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
declare -a heap=() words=(alpha beta gamma delta epsilon zeta eta theta)
push() { heap+=("$1"); local at=$(( ${#heap[@]} - 1 )) up
  while (( at > 0 )); do up=$(( (at - 1) / 2 )); [[ ${heap[up]} -le ${heap[at]} ]] && break
    local t=${heap[up]}; heap[up]=${heap[at]}; heap[at]=$t; at=$up; done; }
declare -A count
for (( round = 0; round < $1; ++round )); do
  heap=()
  for (( i = 0; i < 400; ++i )); do push $(( (i * 7919 + round * 31) % 4096 )); done
  line="${words[*]}"; for word in $line; do line=${line/"$word"/${word//[ae]/_}}; (( ++count[${word:0:2}] )); done
  while IFS=: read -r name _ id rest; do [[ $name =~ ^([a-z]+)[0-9]?$ ]] && out+=${BASH_REMATCH[1]:0:1}$id; done <<< "user$round:x:$round:$line
root:x:0:0"
done
printf '%s ' "${heap[@]:0:5}" "$line" "${#out}" "${count[al]}"
