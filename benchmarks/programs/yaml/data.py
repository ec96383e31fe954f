# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents for the YAML benchmark, from a fixed seed, separated by lines of `%%`.

Training sees descriptions of services: nested block maps with short plain scalars. Reference
sees measurements and a catalog: flow collections, quoted and literal scalars, anchors, tags,
numbers that do not convert. One document in ten of either is broken, each in another way.
"""

import random

SEPARATOR = "%%\n"
WORDS = ("hail rime sleet graupel snow fog frost dew mist drizzle cloud ice").split()


def _service(rng, number):
    lines = [f"name: {rng.choice(WORDS)}-{number}", "spec:", "  replicas: " + str(rng.randrange(9)),
             "  template:", "    labels:"]
    lines += [f"      {rng.choice(WORDS)}{i}: {rng.choice(WORDS)}" for i in range(5)]
    lines.append("    containers:")
    for i in range(rng.randrange(1, 5)):
        lines += [f"      - name: {rng.choice(WORDS)}", f"        image: registry/{i}:v{i}.2",
                  "        ports:", f"          - {rng.randrange(1024, 9999)}",
                  f"          - {rng.randrange(1024, 9999)}", "        env:"]
        lines += [f"          - key: K{j}\n            value: {rng.random():.3f}"
                  for j in range(rng.randrange(6))]
    lines += ["  # how long to wait", f"  timeout: {rng.randrange(100)}",
              f"  ready: {number % 2 == 0}"]
    return "\n".join(lines).replace("True", "true").replace("False", "false") + "\n"


def _catalog(rng, number):
    lines = ["--- !catalog", f"? [{number}, {rng.choice(WORDS)}]", f": &item {{id: {number}, "
             f"price: {rng.random() * 100:.2f}, unit: '{rng.choice(WORDS)}''s'}}", "also: *item"]
    lines.append("series: [" + ", ".join(f"{rng.uniform(-9, 9):.4f}" if rng.random() < 0.9 else
                                         rng.choice(WORDS) for _ in range(40)) + "]")
    lines.append('"quoted key\\t%d": "tab\\tand \\u00e9 and \\x41"' % number)
    lines.append("text: |")
    lines += ["  " + " ".join(rng.choices(WORDS, k=9)) for _ in range(6)]
    lines.append("folded: >-")
    lines += ["  " + " ".join(rng.choices(WORDS, k=7)) for _ in range(4)]
    lines.append("rows:")
    lines += [f"- {{x: 0x{rng.randrange(4096):x}, y: {rng.randrange(100)}, tags: "
              f"[{rng.choice(WORDS)}, \"{rng.choice(WORDS)}\", ~]}}" for _ in range(12)]
    return "\n".join(lines) + "\n"


def _broken(rng, text):
    """A line in the middle that ends the parser's patience."""
    lines = text.splitlines()
    at = rng.randrange(len(lines) // 2, len(lines))
    broken = ["key: [1, 2", "\t- tab", "a: b: c: d", "x: *nowhere", "{]", "'open"]
    lines.insert(at, rng.choice(broken))
    return "\n".join(lines) + "\n"


def documents(kind, seed, count):
    rng = random.Random(seed)
    make = _service if kind == "train" else _catalog
    for number in range(count):
        text = make(rng, number)
        yield _broken(rng, text) if number % 10 == 9 else text


def write(path, kind, seed, count):
    with open(path, "w", encoding="utf-8") as file:
        file.write(SEPARATOR.join(documents(kind, seed, count)))
