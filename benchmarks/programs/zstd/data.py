# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Deterministic files to compress: text with a skewed vocabulary, logs, and binary records.

Purely random bytes would not compress and repeated ones would compress too well;
these have repeats at many distances, like real files do. The generator is a plain
linear congruential one so that the bytes do not depend on the Python version.
"""

SYLLABLES = ("an", "ber", "cor", "dil", "en", "fal", "gra", "hin", "il", "jor", "kel", "lum",
             "mar", "nor", "op", "pel", "qua", "ri", "sto", "tun", "ul", "ver", "wo", "xi")


class Random:
    """Knuth's MMIX constants; the high half of the state is the number."""

    def __init__(self, seed):
        self.state = seed * 2654435761 + 1

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 32) % bound


def _words(rng, count):
    return ["".join(SYLLABLES[rng.below(len(SYLLABLES))] for _ in range(1 + rng.below(3)))
            for _ in range(count)]


def _prose(rng):
    vocabulary = _words(rng, 1500)
    while True:
        # The product of two uniform numbers favors the front of the vocabulary.
        word = vocabulary[rng.below(40) * rng.below(38)]
        yield (word + (" ", " ", " ", ", ", ".\n")[rng.below(5)]).encode()


def _log(rng):
    hosts, verbs = _words(rng, 12), _words(rng, 30)
    clock = 1_000_000
    while True:
        clock += rng.below(90)
        yield (f"{clock:09d} {hosts[rng.below(12)]} [{rng.below(4)}] {verbs[rng.below(30)]} "
               f"id={rng.below(1 << 20):x} took={rng.below(500)}us\n").encode()


def _records(rng):
    serial = 0
    while True:
        serial += 1 + rng.below(3)
        yield (serial.to_bytes(4, "little") + rng.below(1 << 12).to_bytes(2, "little")
               + bytes((rng.below(6), 0, 255, rng.below(256))) + b"\0" * rng.below(7))


def write(path, kind, seed, size):
    """About `size` bytes; training leans on logs and records, the others on prose."""
    _write(path, seed, size, ((_log, 5), (_records, 3), (_prose, 2)) if kind == "train" else
           ((_prose, 5), (_log, 2), (_records, 3)))


def write_text(path, kind, seed, size):
    """The same without binary records."""
    _write(path, seed, size, ((_log, 8), (_prose, 2)) if kind == "train" else
           ((_prose, 7), (_log, 3)))


def _write(path, seed, size, shares):
    """Piece by piece, so that this process stays small (see bench/execute.py)."""
    rng = Random(seed)
    with open(path, "wb") as file:
        for source, share in shares:
            left = size * share // 10
            for piece in source(rng):
                file.write(piece)
                left -= len(piece)
                if left <= 0:
                    break
