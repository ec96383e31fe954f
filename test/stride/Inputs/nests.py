# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C program of random nests of affine loops.

usage: nests.py SEED KERNELS > PROGRAM.c

Each kernel is a function with loops of depth 1 to 4, whose numbers of iterations are
parameters (also 0), constants, or those of an outer loop; up, down, in steps; with
references at each level, under conditions that do not change or do; to arrays of the
kernel or of all kernels, so that references of one stream have different steps.
main calls each several times, with the same and with other parameters."""

import random
import sys

COUNTS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 33]
TYPES = ["double", "float", "int", "long", "short", "char"]


class Kernel:
    def __init__(self, rng, number):
        self.rng, self.number, self.lines = rng, number, []
        self.arrays = []       # (name, type, elements)
        self.parameters = 0    # numbers of iterations
        self.values = []       # their largest values
        self.budget = 3000

    def line(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def index(self, loops):
        """An affine index, and how many elements it needs."""
        parts, low, high = [], 0, 0
        for name, last in loops:
            c = self.rng.choice([0, 0, 1, 1, 1, 1, -1, 2, 3, -2, 5, 8, 40, 41, -40])
            if c:
                parts.append(f"{c} * {name}")
                low += min(0, c * last)
                high += max(0, c * last)
        parts.append(str(-low + self.rng.choice([0, 0, 1, 2, 7])))
        return " + ".join(parts), high - low + 8

    def reference(self, loops):
        index, elements = self.index(loops)
        if self.rng.random() < 0.3:
            name = self.rng.choice(["shared_d", "shared_i"])
            if elements <= 20000:
                return f"{name}[{index}]"
        known = [k for k, a in enumerate(self.arrays)]
        if known and self.rng.random() < 0.6:
            k = self.rng.choice(known)
            name, kind, size = self.arrays[k]
            self.arrays[k] = name, kind, max(size, elements)
        else:
            name = f"k{self.number}_{chr(ord('a') + len(self.arrays))}"
            self.arrays.append((name, self.rng.choice(TYPES), elements))
        return f"{name}[{index}]"

    def statement(self, depth, loops):
        form = self.rng.randrange(5)
        a, b, c = (self.reference(loops) for _ in range(3))
        text = [f"{a} = {b} + 1;", f"{a} += {b};", f"s += {a};", f"{a} = {b} + 3 * {c};",
                f"{a} = 5;"][form]
        kind = self.rng.random()
        if kind < 0.12:
            text = f"if (p{self.rng.randrange(3)}) {text}"
        elif kind < 0.16:
            text = f"if (s > 3) {text}"
        self.line(depth, text)

    def trip(self, loops):
        """The text of a number of iterations, and the most it can be."""
        kind = self.rng.random()
        if kind < 0.15 and loops:
            name, last = self.rng.choice(loops)
            return f"{name} + {self.rng.randrange(2)}", last + 1
        most = self.rng.choice([c for c in COUNTS if c <= max(4, self.budget // 4)])
        if kind < 0.35:
            return str(most), most
        self.values.append(most)
        self.parameters += 1
        return f"n{self.parameters - 1}", most

    def loop(self, depth, loops):
        name = "ijkl"[len(loops)]
        count, most = self.trip(loops)
        step = self.rng.choice([1, 1, 1, 1, 2, 3])
        form = self.rng.randrange(4)
        if form == 0:
            head, last = f"for (long {name} = ({count}); {name}-- > 0;)", most
        elif form == 1 and step > 1:
            head, last = f"for (long {name} = 0; {name} < {step} * ({count}); {name} += {step})", step * most
        elif form == 2:
            head, last = f"for (int {name} = 0; {name} < ({count}); ++{name})", most
        else:
            head, last = f"for (long {name} = 0; {name} < ({count}); ++{name})", most
        if self.rng.random() < 0.08:
            head = f"if (p{self.rng.randrange(3)}) " + head
        self.line(depth, head + " {")
        saved = self.budget
        self.budget = self.budget // max(1, most)
        self.body(depth + 1, loops + [(name, last)])
        self.budget = saved
        self.line(depth, "}")

    def body(self, depth, loops):
        parts = self.rng.randrange(1, 4)
        for part in range(parts):
            inner = len(loops) < 4 and self.budget >= 8 and self.rng.random() < (0.75 if len(loops) < 3 else 0.4)
            if inner:
                self.loop(depth, loops)
            else:
                self.statement(depth, loops)

    def write(self):
        self.loop(0, [])
        for name, kind, size in self.arrays:
            print(f"{kind} {name}[{size}];")
        arguments = ", ".join([f"int p{k}" for k in range(3)] + [f"long n{k}" for k in range(self.parameters)])
        print(f"__attribute__((noinline)) void kernel{self.number}({arguments}) {{\n  double s = 0;")
        print("\n".join(self.lines))
        print("  keep = s;\n}\n")

    def calls(self):
        def call(values):
            guards = [str(self.rng.randrange(2)) for _ in range(3)]
            print(f"  kernel{self.number}({', '.join(guards + [str(v) for v in values])});")
        call(self.values)
        call(self.values)
        for _ in range(2):
            call([self.rng.randrange(v + 1) if self.rng.random() < 0.5 else v for v in self.values])


def main():
    seed, kernels = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print(f"// Seed {seed}.\nvolatile double keep;\ndouble shared_d[20100];\nint shared_i[20100];\n")
    all_kernels = [Kernel(rng, n) for n in range(kernels)]
    for kernel in all_kernels:
        kernel.write()
    print("int main(void) {")
    for kernel in all_kernels:
        kernel.calls()
    print("  return 0;\n}")


if __name__ == "__main__":
    main()
