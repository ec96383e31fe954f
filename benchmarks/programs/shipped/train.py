# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text, dictionaries, objects and generators, other ones than reference.py's."""
import json
import re
import sys


class Account:
    def __init__(self, name):
        self.name, self.balance, self.log = name, 0, []

    def move(self, amount):
        if self.balance + amount < 0:
            raise ValueError(self.name)
        self.balance += amount
        self.log.append((len(self.log), amount))


def primes(limit):
    sieve = bytearray([1]) * limit
    for n in range(2, limit):
        if sieve[n]:
            yield n
            for multiple in range(n * n, limit, n):
                sieve[multiple] = 0


total = 0
for turn in range(int(sys.argv[1])):
    accounts = {f"a{n}": Account(f"a{n}") for n in range(200)}
    refused = 0
    for n, prime in enumerate(primes(20000)):
        try:
            accounts[f"a{prime % 200}"].move(prime % 17 - 6)
        except ValueError:
            refused += 1
    text = json.dumps({a.name: [a.balance, a.log[:5]] for a in accounts.values()})
    found = re.findall(r"\[(\d+), (-?\d+)\]", text)
    ordered = sorted(json.loads(text).items(), key=lambda item: (-item[1][0], item[0]))
    total += refused + len(found) + ordered[0][1][0] + sum(map(len, (w.upper() for w in text.split(", "))))
print(total)
