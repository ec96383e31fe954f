# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Substitutions, ranges, matches and arithmetic.

function gcd(a, b) { return b ? gcd(b, a % b) : a }

BEGIN { FS = "[ ,]+" }
/0[0-9]+ [a-m]/, /id=[0-9a-f]*7/ { ++inside }
{
  text = $0
  changed += gsub(/(an|ber)+/, "<&>", text)
  sub(/^[0-9]+ */, "", text)
  if (match(text, /[aeiou][^aeiou ]+[aeiou]/))
    places[RSTART % 10] += RLENGTH
  upper = toupper(substr(text, 3, 12))
  at += index(text, "or")
  hash = (hash * 31 + length(upper) + NF) % 1000003
  if ($1 ~ /^[0-9]+$/)
    divisors += gcd($1 + 0, 360)
}
NF > 4 {
  $3 = "x"
  joined += length($0)
}
END {
  for (i = 0; i < 10; ++i)
    printf "%d:%d ", i, places[i]
  for (i = 1; i < 400; ++i)
    wave += sin(i / 10) * exp(-i / 100) + int(sqrt(i))
  printf "%d %d %d %d %d %d %.4f\n", inside, changed, at, hash, divisors, joined, wave
}
