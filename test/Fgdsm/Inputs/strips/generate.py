#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random C programs that are nothing but loops over arrays.

Every index stays inside of its array by construction, and the only output is a
checksum of all arrays. A program is a function of its seed.
"""

import random
import sys

TYPES = ["double", "double", "float", "int", "long", "unsigned char", "short"]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.size = self.r.choice([60, 700, 3000, 9000])
        self.arrays = [(f"a{i}", self.r.choice(TYPES))
                       for i in range(self.r.randint(2, 5))]

    def value(self, name, kind, index):
        """A load, as the double that everything is computed in."""
        return f"(double){name}[{index}]"

    def store(self, name, kind, index, value):
        if kind in ("double", "float"):
            return f"{name}[{index}] = ({kind})({value});"
        return f"{name}[{index}] = ({kind})(long)({value});"

    def bounded(self, value):
        return f"({value}) * 0.25 + 1"

    def array(self):
        return self.r.choice(self.arrays)

    def read(self, var, margin, scale=1):
        """A load near scale * var, at most margin elements away."""
        name, kind = self.array()
        offset = self.r.choice([0, 0, 0, 1, -1, min(2, margin), -margin, margin])
        return self.value(name, kind, f"{scale} * {var} + {offset}")

    def simple(self, index):
        r = self.r
        n = self.size
        scale = r.choice([1, 1, 1, 1, 2, 3, 5])
        margin = min(r.choice([1, 2, 3, 8, 40]), n // (4 * scale))
        step = r.choice([1, 1, 1, 1, 2, 3])
        kind = r.choice(["int", "int", "long", "unsigned", "unsigned long", "short"])
        low = r.choice([margin, margin, f"{margin} + lo"])
        high = f"n / {scale} - {margin}"
        if r.random() < 0.2:
            high = f"{margin} + {r.randint(0, min(20, n // scale - 2 * margin))}"
            low = margin
        unsigned = "unsigned" in kind
        if r.random() < 0.25 and not unsigned:
            head = f"for ({kind} i = ({high}) - 1; i >= {low}; i -= {step})"
        else:
            head = f"for ({kind} i = {low}; i < ({kind})({high}); i += {step})"
        reads = " + ".join(self.read("i", margin, scale)
                           for _ in range(r.randint(1, 4)))
        name, ty = self.array()
        shape = r.random()
        if shape < 0.5:
            body = self.store(name, ty, f"{scale} * i", self.bounded(reads))
        elif shape < 0.65:
            body = f"s += {self.bounded(reads)};"
        elif shape < 0.75:
            body = (f"if ({self.value(name, ty, f'{scale} * i')} > 1) "
                    + self.store(name, ty, f"{scale} * i", self.bounded(reads)))
        elif shape < 0.82:
            body = (f"prev = {self.value(name, ty, f'{scale} * i')} - prev * 0.5; "
                    + self.store(name, ty, f"{scale} * i", "prev"))
        elif shape < 0.9:
            at = f"{self.array()[0]}[{scale} * i]"
            body = (f"s += {self.value(name, ty, f'(unsigned long)(long)({at}) % n')}; "
                    + self.store(name, ty, f"{scale} * i", self.bounded(reads)))
        elif shape < 0.95:
            body = (f"s += {reads}; if (s > 1e6) break; "
                    + self.store(name, ty, f"{scale} * i", self.bounded("s")))
        else:
            body = (f"s += outside({reads}); "
                    + self.store(name, ty, f"{scale} * i", self.bounded("s")))
        return f"  {head} {{ {body} }}\n"

    def pointers(self, index):
        """Loops that advance pointers."""
        name, ty = self.array()
        other, oty = self.array()
        step = self.r.choice([1, 1, 2, 4])
        body = self.store("q", ty, "0", self.bounded(f"(double)p[0] + (double)q[0]"))
        down = self.r.random() < 0.3
        if down:
            return (f"  {{ {oty} *p = {other} + n; {ty} *q = {name} + n;\n"
                    f"    while (p >= {other} + {step}) "
                    f"{{ p -= {step}; q -= {step}; {body} }} }}\n")
        return (f"  {{ {oty} *p = {other}, *e = {other} + n / {step} * {step}; "
                f"{ty} *q = {name};\n"
                f"    for (; p != e; p += {step}, q += {step}) {{ {body} }} }}\n")

    def nest(self, index):
        """A matrix in an array, by rows, dense or not, of known or unknown size."""
        r = self.r
        width = r.choice([3, 8, 16, 16, 24, 50, 64])
        width = min(width, max(3, self.size // 10))
        rows = self.size // width
        pad = r.choice([0, 0, 0, 1, 8])
        known = r.random() < 0.5
        w = str(width) if known else f"(n / {rows})"
        if not known:
            width = self.size // rows
        m = r.randint(1, rows) if known and r.random() < 0.4 else f"n / {width}"
        inner = f"{w} - {pad}" if width > pad + 3 else w
        (a, at), (b, bt), (c, ct) = self.array(), self.array(), self.array()
        shape = r.random()
        if shape < 0.35:
            body = self.store(a, at, f"i * {w} + j", self.bounded(
                self.value(b, bt, f"i * {w} + j")))
        elif shape < 0.6:
            # matrix times vector, and a row used again and again
            body = self.store(a, at, "j", self.bounded(
                f"{self.value(a, at, 'j')} * 0.5 + {self.value(b, bt, f'i * {w} + j')}"))
        elif shape < 0.8:
            body = f"s += {self.value(b, bt, f'i * {w} + j')} * {self.value(c, ct, 'j')};"
        else:
            body = self.store(a, at, f"i * {w} + j", self.bounded(
                f"{self.value(b, bt, f'(i ? i - 1 : 0) * {w} + j')} + "
                f"{self.value(b, bt, f'i * {w} + (j ? j - 1 : 0)')}"))
        three = ""
        if r.random() < 0.3 and self.size < 1000:
            three = f"for (int k = 0; k < {r.choice(['3', 'n / 100'])}; k++) "
        return (f"  {three}for (int i = 0; i < {m}; i++) "
                f"for (int j = 0; j < {inner}; j++) {{ {body} }}\n")

    def rows(self, index):
        """Rows whose lengths are data, and what is read and written once a row."""
        r = self.r
        (a, at), (b, bt), (c, ct) = self.array(), self.array(), self.array()
        step = r.choice([1, 1, 1, 2])
        longest = r.choice([3, 6, min(400, self.size // 2)])
        inner = self.value(c, ct, f"i + {r.choice(['j', 'j', f'(j * 7 % {longest})'])}")
        between = r.choice(["", "", f"if (t > 9) break; ", f"t *= {self.value(b, bt, 'i + 1')} * 1e-3; "])
        return (f"  for (long i = 0; i < n - {longest} - 1; i += {step}) {{ double t = 0; "
                f"long m = (unsigned long)(long){b}[i] % {longest}; "
                f"for (long j = 0; j < m; j++) {{ {between}t += {inner}; }} "
                f"{self.store(a, at, 'i', self.bounded(f't * 0.5 / {longest}'))} }}\n")

    def counters(self, index):
        """Elements that a few bits of other ones find; also more than are an area."""
        r = self.r
        (a, at), (b, bt) = self.array(), self.array()
        bits = r.randint(2, self.size.bit_length() - 2)
        mask = r.choice([f"{(1 << bits) - 1}", "mask"])
        kind = r.choice(["int", "long", "unsigned"])
        find = f"(({kind})(long){b}[i] {r.choice(['', '>> 1', '+ i'])}) & {mask}"
        body = r.choice([
            f"long k = {find}; " + self.store(a, at, "k", self.bounded(
                f"{self.value(a, at, 'k')} + 1")),
            f"s += {self.value(a, at, find)} + {self.value(a, at, f'({find}) + 1')};",
            f"if ({self.value(b, bt, 'i')} > 3) "
            + self.store(a, at, f"({find}) + 1", "i")])
        return (f"  {{ {kind} mask = (1l << ({bits} - (lo > 1))) - 1; (void)mask;\n"
                f"    for (long i = 0; i < n; i++) {{ {body} }} }}\n")

    def structs(self, index):
        count = self.size // 8
        f = self.r.choice(["x", "y", "z", "w"])
        g = self.r.choice(["x", "y", "z", "w"])
        return (f"  for (int i = 0; i < {count}; i++) "
                f"st[i].{f} = st[i].{g} * 0.5f + 1;\n")

    def text(self):
        out = ["#include <stdio.h>", "#include <stdlib.h>",
               "struct s { double x, y; float z; char pad[%d]; float w; };"
               % self.r.choice([4, 12, 24, 60]),
               "double outside(double x);"]
        parameters = ", ".join(f"{ty} *{'restrict ' if self.r.random() < .4 else ''}{n}"
                               for n, ty in self.arrays)
        calls = []
        for i in range(self.r.randint(2, 5)):
            make = self.r.choices([self.simple, self.nest, self.pointers, self.rows, self.structs,
                                   self.counters],
                                  [6, 4, 2, 3, 1, 2])[0]
            body = "".join(make(i) for _ in range(self.r.randint(1, 2)))
            out.append(f"double f{i}(long n, long lo, struct s *st, {parameters}) {{\n"
                       f"  double s = 0, prev = 0; (void)lo; (void)prev;\n{body}"
                       f"  return s + prev;\n}}")
            calls.append(f"  sum += f{i}(n, lo, st, "
                         + ", ".join(n for n, _ in self.arrays) + ");")
        out.append("__attribute__((noinline)) int main(int argc, char **argv) {")
        out.append(f"  long n = {self.size}; long lo = argc - 1; double sum = 0;")
        out.append("  (void)argv;")
        # Memory of malloc is not shared, and the passes know.
        launder = '__asm__("" : "+r"(%s)); '
        out.append(f"  struct s *st = malloc(sizeof *st * {self.size}); "
                   f"{launder % 'st'}for (int i = 0; i < {self.size}; i++) "
                   "{ st[i].x = i; st[i].y = 1; st[i].z = st[i].w = i % 7; }")
        for name, ty in self.arrays:
            out.append(f"  {ty} *{name} = malloc(sizeof({ty}) * n); {launder % name}"
                       f"for (long i = 0; i < n; i++) {name}[i] = i * 7 % 23;")
        out += calls
        out.append(f"  for (int i = 0; i < {self.size}; i++) "
                   "sum = sum * 0.75 + st[i].x + st[i].y + st[i].z + st[i].w;")
        for name, ty in self.arrays:
            out.append(f"  for (long i = 0; i < n; i++) "
                       f"sum = sum * 0.75 + (double){name}[i];")
        out.append('  printf("%a\\n", sum);\n  return 0;\n}')
        return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(Program(int(sys.argv[1])).text())
