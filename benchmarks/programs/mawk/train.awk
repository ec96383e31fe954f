# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fields, sums and words of a log.

function longest(list, n,    i, best) {
  for (i = 1; i <= n; ++i)
    if (length(list[i]) > length(best))
      best = list[i]
  return best
}

/took=/ {
  split($NF, part, "=")
  sum[$2] += part[2]
  ++count[$2]
  kind[substr($3, 2, 1)]++
}
!/took=/ {
  n = split($0, words, " ")
  for (i = 1; i <= n; ++i)
    ++seen[words[i]]
  total += length(longest(words, n))
}
NR % 7 == 0 { line[NR % 100] = $1 " " $NF }

END {
  for (host in sum)
    hosts[++h] = sprintf("%s %d %.2f", host, count[host], sum[host] / count[host])
  # The order of a table is its implementation's.
  for (i = 1; i <= h; ++i)
    for (j = i + 1; j <= h; ++j)
      if (hosts[j] < hosts[i]) {
        swap = hosts[i]
        hosts[i] = hosts[j]
        hosts[j] = swap
      }
  for (i = 1; i <= h; ++i)
    print hosts[i]
  for (word in seen)
    if (seen[word] > 20)
      ++often
  print often, total, kind[0], kind[1]
}
