# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to damage a profile: one function for each format, and what fits all. A
new format needs an entry in FORMATS and a file of its own in corpus.py. Each
takes bytes and a random.Random, and returns (bytes, what was done)."""

import re

import gprofilemutators

NUMBERS = ["0", "1", "-1", "18446744073709551615", "18446744073709551616",
           "99999999999999999999999", "9223372036854775808", "4294967296", "00", "0x10",
           "1e9", "nan", "", "ffffffffffffffff", "7fffffff"]
NAMES = ["", "\\", "\\ ", "a\\ b", "main/1", "main/9999", "_start", "[unknown]", "%s%n",
         "x" * 70000, "\u00e9", "\0", "main main", "PLT"]


def blind(data, rng):
    """What can befall any file."""
    data = bytearray(data)
    kind = rng.randrange(6)
    if kind == 0 or not data:
        size = rng.randrange(len(data) + 1)
        return bytes(data[:size]), f"cut to {size}"
    at = rng.randrange(len(data))
    if kind == 1:
        for _ in range(rng.choice([1, 4, 32])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(data), "bits flipped"
    if kind == 2:
        return bytes(data[:at] + rng.randbytes(rng.choice([1, 16, 4096])) + data[at:]), "noise"
    if kind == 3:
        return bytes(data[:at] + b"\0" * rng.choice([1, 4096]) + data[at:]), "zeros"
    if kind == 4:
        return bytes(data[at:]), f"the first {at} bytes lost"
    return bytes(data * rng.choice([2, 50])), "repeated"


def fdata(data, rng):
    lines = data.decode(errors="replace").splitlines()
    for _ in range(rng.choice([1, 1, 2, 10])):
        index = rng.randrange(len(lines))
        fields = lines[index].split(" ")
        kind = rng.randrange(9)
        if kind == 0:
            fields[rng.randrange(len(fields))] = rng.choice(NUMBERS)
        elif kind == 1:
            fields[-1] = rng.choice(NUMBERS)
        elif kind == 2 and len(fields) > 5:
            fields[rng.choice([1, 4])] = rng.choice(NAMES)
        elif kind == 3:
            del fields[rng.randrange(len(fields))]
        elif kind == 4:
            fields.insert(rng.randrange(len(fields) + 1), rng.choice(NUMBERS + NAMES))
        elif kind == 5:  # a branch from everywhere to everywhere
            other = rng.choice(lines).split(" ")
            fields = fields[:3] + other[3:]
        elif kind == 6 and len(fields) > 5:  # into the middle of an instruction
            place = rng.choice([2, 5])
            try:
                fields[place] = f"{int(fields[place], 16) + rng.choice([1, 3, 1 << 20]):x}"
            except ValueError:
                pass
        elif kind == 7:
            lines.insert(index, rng.choice(["no_lbr", "no_lbr cycles:", "boltedcollection", "",
                                            "# comment", "1 main 0 1 main 0 0", " "]))
        else:
            fields[-1] = "18446744073709551615"
        lines[index % len(lines)] = " ".join(fields)
    return ("\n".join(lines) + "\n").encode(errors="replace"), "fdata lines"


def yaml(data, rng):
    lines = data.decode(errors="replace").splitlines()
    done = []
    for _ in range(rng.choice([1, 1, 2, 10])):
        index = rng.randrange(len(lines))
        kind = rng.randrange(7)
        if kind == 0:
            numbers = list(re.finditer(r"\b(0x)?[0-9A-Fa-f]+\b", lines[index]))
            if numbers:
                m = rng.choice(numbers)
                lines[index] = (lines[index][:m.start()] + rng.choice(NUMBERS)
                                + lines[index][m.end():])
        elif kind == 1:
            del lines[index]
        elif kind == 2:
            lines.insert(index, lines[rng.randrange(len(lines))])
        elif kind == 3:
            lines[index] = " " * rng.randrange(1, 9) + lines[index]
        elif kind == 4:
            lines[index] = re.sub(r"name: .*", lambda _: f"name: {rng.choice(NAMES)!r}", lines[index])
        elif kind == 5:
            lines.insert(index, rng.choice(["- [", "&a *a", "---", "...", "? x", "{{{{",
                                            "  blocks: [ " + "{ bid: 1, succ: [" * 50]))
        else:
            lines[index] = lines[index].replace(":", "", 1)
        done.append(str(kind))
        if not lines:
            break
    return ("\n".join(lines) + "\n").encode(errors="replace"), "yaml " + ",".join(done)


def perf(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 2, 6])):
        at = rng.randrange(0, min(len(data), 240), 8)
        value = rng.choice([0, 1, 0x7f, 0xffff, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1,
                            rng.getrandbits(64), len(data), 104])
        data[at:at + 8] = value.to_bytes(8, "little")
    return bytes(data), "perf.data header"


FORMATS = {"fdata": fdata, "yaml": yaml, "perf": perf, "gprofile": gprofilemutators.mutate}


def mutate(form, data, rng):
    return (blind if rng.random() < .3 else FORMATS[form])(data, rng)
