# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random program of raw accesses: generate(seed, features) is the text of ops.inc.

The program is some steps with a barrier after each; in a step each node runs operations on
bytes that no other node writes. An operation is a function of the memory's start, private
scratch and its offset, which it gets as a constant or as a variable; its result is a digest
of what it has read. It is compiled twice (driver.c): with checks for shared memory, and
without for the model, which runs the operations of all nodes on private memory.
"""

import random

BYTES = 3 * 4096 + 1024
SCRATCH = 8192

INTEGERS = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8}
# Name in C, bytes, bytes that count.
SCALARS = [("uint8_t", 1), ("uint16_t", 2), ("uint32_t", 4), ("uint64_t", 8), ("float", 4),
           ("double", 8), ("void *", 8)]
VECTORS = [("v16", 16), ("v32", 32), ("v64", 64)]


class Op:
    """Its body, with M + O for the address; the bytes that it reads and writes."""

    def __init__(self, body, reads=(), writes=()):
        self.body, self.reads, self.writes = body, list(reads), list(writes)


class Generator:
    def __init__(self, seed, features):
        self.random = random.Random(seed)
        self.features = features

    def offset(self, size):
        """Near an edge of something, mostly across it."""
        r = self.random
        edge = r.choice([32, 32, 64, 128, 256, 512, 1024, 2048, 4096])
        at = edge * r.randrange(0, BYTES // edge + 1) - r.randrange(0, size + 2)
        if r.random() < 0.1:
            at = BYTES - size  # The end.
        return min(max(at, 0), BYTES - size)

    def number(self, bits=64):
        return f"0x{self.random.getrandbits(bits):x}u"

    def access(self, kind, address, qualifier=""):
        """An lvalue of the type at any address: undefined by a cast, or packed."""
        if self.random.random() < 0.5:
            return f"(*({qualifier} {kind} *)({address}))"
        return f"((({qualifier} struct {{ {kind} v; }} __attribute__((packed)) *)({address}))->v)"

    # Operations: each gets the text of its address, its offset and returns an Op.

    def scalar(self, a, o):
        kind, size = self.scalar_kind
        place = self.access(kind, a, self.random.choice(["", "", "volatile"]))
        value = {"void *": f"(void *){self.number()}", "float": f"{self.random.randrange(10**6)}.5f",
                 "double": f"{self.random.randrange(10**9)}.25"}.get(kind, f"({kind}){self.number()}")
        span = range(o, o + size)
        what = self.random.randrange(3)
        if what == 0:
            return Op(f"{kind} x = {place}; D(x);", reads=span)
        if what == 1:
            return Op(f"{place} = {value};", writes=span)
        return Op(f"{kind} x = {place}; D(x); {place} = {value};", writes=span)

    def long_double(self, a, o):
        place = f"(((struct {{ long double v; }} __attribute__((packed)) *)({a}))->v)"
        span = range(o, o + 10)
        if self.random.random() < 0.5:
            return Op(f"{place} = {self.random.randrange(10**9)}.125L;", writes=span)
        # Any bytes are a value; arithmetic on some would not be.
        return Op(f"long double x = {place}; memcpy(s, &x, 10); DB(s, 10);", reads=span)

    def wide(self, a, o):
        place = f"(((struct {{ __int128 v; }} __attribute__((packed)) *)({a}))->v)"
        span = range(o, o + 16)
        if self.random.random() < 0.5:
            return Op(f"{place} = (__int128){self.number()} << 64 | {self.number()};", writes=span)
        return Op(f"__int128 x = {place}; D(x);", reads=span)

    def vector(self, a, o):
        kind, size = self.vector_kind
        place = f"(*({kind}u *)({a}))"
        span = range(o, o + size)
        what = self.random.randrange(4)
        if what == 0:
            return Op(f"{kind}u x = {place}; D(x);", reads=span)
        if what == 1:
            return Op(f"{place} = {place} * {self.number(32)} + {self.number(32)};", writes=span)
        if what == 2:
            return Op(f"{kind}u x; memset(&x, {self.random.randrange(256)}, sizeof x); {place} = x;",
                      writes=span)
        # Believed to be aligned; the alignment has to be taken back.
        if o % size == 0:
            return Op(f"{kind} x = *({kind} *)({a}); D(x); *({kind} *)({a}) = x + {self.number(32)};",
                      writes=span)
        return Op(f"{kind}u x = {place}; D(x); {place} = x ^ {self.number(32)};", writes=span)

    def masked(self, a, o):
        bits = self.random.getrandbits(8)
        lanes = [b for b in range(8) if bits >> b & 1]
        span = [o + 4 * lane + byte for lane in lanes for byte in range(4)]
        mask = ", ".join("-1" if b in lanes else "0" for b in range(8))
        if self.random.random() < 0.5:
            return Op(f"_mm256_maskstore_epi32((int *)({a}), _mm256_setr_epi32({mask}), "
                      f"_mm256_set1_epi32((int){self.number(32)}));", writes=span)
        return Op(f"__m256i x = _mm256_maskload_epi32((int *)({a}), _mm256_setr_epi32({mask})); D(x);",
                  reads=span)

    def masked_512(self, a, o):
        bits = self.random.getrandbits(16)
        lanes = [b for b in range(16) if bits >> b & 1]
        what = self.random.randrange(3)
        value = f"_mm512_set1_epi32((int){self.number(32)})"
        if what == 0:
            span = [o + 4 * lane + byte for lane in lanes for byte in range(4)]
            return Op(f"_mm512_mask_storeu_epi32({a}, {bits}, {value});", writes=span)
        if what == 1:
            return Op(f"_mm512_mask_compressstoreu_epi32({a}, {bits}, {value});",
                      writes=range(o, o + 4 * len(lanes)))
        span = [o + 4 * lane + byte for lane in lanes for byte in range(4)]
        return Op(f"__m512i x = _mm512_maskz_loadu_epi32({bits}, {a}); D(x);", reads=span)

    def bit_field(self, a, o):
        width = self.random.randrange(1, 31)
        before = self.random.randrange(0, 12)
        place = (f"((struct {{ uint64_t a : {before}; uint64_t b : {width}; uint64_t c : {64 - before - width}; }}"
                 f" __attribute__((packed)) *)({a}))->b")
        if before == 0:
            place = place.replace("uint64_t a : 0; ", "")
        return Op(f"uint64_t x = {place}; D(x); {place} = {self.number(30)};", writes=range(o, o + 8))

    def block(self, a, o):
        """memcpy, memmove, memset: constant and variable lengths."""
        n = self.block_size
        size = self.random.choice([f"{n}", f"var({n})"])
        at = self.random.randrange(SCRATCH - n + 1)
        span = range(o, o + n)
        name = self.random.choice(["memcpy", "memmove", "__builtin_memcpy"])
        what = self.random.randrange(4)
        if what == 0:
            return Op(f"{name}(s + {at}, {a}, {size}); DB(s + {at}, {n});", reads=span)
        if what == 1:
            return Op(f"{name}({a}, s + {at}, {size});", writes=span)
        if what == 2:
            return Op(f"memset({a}, {self.random.randrange(256)}, {size});", writes=span)
        other = self.offset(n)
        name = "memmove" if abs(other - o) < n else name
        return Op(f"{name}({a}, m + {other}, {size});", reads=range(other, other + n), writes=span)

    def string_instruction(self, a, o):
        """Assembly that names its memory as an operand."""
        n = self.block_size + 1
        span = range(o, o + n)
        what = self.random.randrange(3)
        if what == 0:
            return Op(f"uint64_t x = {self.number(8)}; __asm__(\"addb %b1, %0\" : \"+m\"(*({a})) : \"q\"(x) : \"cc\");",
                      writes=range(o, o + 1))
        if what == 1:
            return Op(f"__asm__(\"addq %1, %0\" : \"+m\"(*(struct {{ char v[8]; }} *)({a})) : \"r\"((uint64_t){self.number(63)}) : \"cc\");",
                      writes=range(o, o + 8))
        return Op(f"uint64_t x; __asm__(\"movq %1, %0\" : \"=r\"(x) : \"m\"(*(struct {{ char v[8]; }} *)({a}))); D(x);",
                  reads=range(o, o + 8))

    def atomic(self, a, o):
        kind, size = self.random.choice(list(INTEGERS.items()))
        place = f"({kind} *)({a})"
        span = range(o, o + size)
        call = self.random.choice([
            f"{kind} x = __atomic_fetch_add({place}, ({kind}){self.number()}, __ATOMIC_SEQ_CST); D(x);",
            f"{kind} x = __atomic_exchange_n({place}, ({kind}){self.number()}, __ATOMIC_ACQ_REL); D(x);",
            f"{kind} x = __atomic_fetch_xor({place}, ({kind}){self.number()}, __ATOMIC_RELAXED); D(x);",
            f"{kind} x = 5; D(__atomic_compare_exchange_n({place}, &x, ({kind}){self.number()}, 0, __ATOMIC_SEQ_CST, "
            "__ATOMIC_RELAXED)); D(x);"])
        return Op(call, writes=span)

    def wide_atomic(self, a, o):
        return Op(f"__int128 x = *(__int128 *)({a}), y = {self.number()}; "
                  f"D(__atomic_compare_exchange_n((__int128 *)({a}), &x, y, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); D(x);",
                  writes=range(o, o + 16))

    def loop(self, a, o):
        """Strips, vectorized loops, conditions and gathers."""
        kind, size, stride, n = self.loop_shape
        place = f"(({kind}p *)({a}))[i * {stride}].v"
        span = [o + i * stride * size + byte for i in range(n) for byte in range(size)]
        what = self.random.randrange(5)
        trips = f"var({n})"
        if what == 0:
            return Op(f"for (long i = 0; i < {trips}; ++i) D({place});", reads=span)
        if what == 1:
            return Op(f"for (long i = 0, e = {trips}; i < e; ++i) {place} = ({kind})(i * {self.number(31)});", writes=span)
        if what == 2:
            return Op(f"for (long i = 0, e = {trips}; i < e; ++i) {place} += ({kind}){self.number(31)};", writes=span)
        if what == 3:
            return Op(f"for (long i = {n} - 1; i >= 0; --i) if (s[i] & 1) {place} ^= ({kind}){self.number(31)};", writes=span)
        return Op(f"uint64_t x = 0; for (long i = 0, e = {trips}; i < e; ++i) x += (({kind}p *)({a}))[(i * 7 % {n}) * {stride}].v; D(x);",
                  reads=span)

    def sum(self, a, o):
        """What a loop only adds up is tested behind it. Which NaN a NaN is may differ."""
        kind, stride, n = self.sum_shape
        size = {"float": 4, "double": 8}[kind]
        span = [o + i * stride * size + byte for i in range(n) for byte in range(size)]
        place = f"(({kind} *)({a}))[(i * 7 % {n}) * {stride}]"
        step = self.random.choice([f"x += {place};", f"x -= {place} * ({kind})1.5;",
                                   f"x += {place}; y = y * ({kind})0.5 + (double){place};",
                                   f"x = x * ({kind})0.25 - {place} / ({kind})3; last = x;"])
        unroll = self.random.choice(["", "_Pragma(\"clang loop unroll(disable)\") "])
        return Op(f"{kind} x = 1, last = 2; double y = 3; {unroll}for (long i = 0, e = var({n}); i < e; ++i) {{ {step} }} "
                  f"D(x == x ? x : 0); D(y == y ? y : 0); D(last == last ? last : 0);", reads=span)

    def structure(self, a, o):
        """Assigned, passed and returned by value."""
        n = self.block_size + 1
        kind = f"struct {{ char v[{n}]; }}"
        self.types.append(f"typedef {kind} pass{self.index};\n"
                          f"static __attribute__((noinline)) uint64_t N(sum{self.index})(pass{self.index} p) {{ return digest(p.v, {n}); }}\n"
                          f"static __attribute__((noinline)) pass{self.index} N(make{self.index})(int x) {{ pass{self.index} p; memset(p.v, x, {n}); p.v[{n} / 2] ^= 1; return p; }}\n")
        span = range(o, o + n)
        place = f"(*(pass{self.index} *)({a}))"
        what = self.random.randrange(3)
        if what == 0:
            return Op(f"D(N(sum{self.index})({place}));", reads=span)
        if what == 1:
            return Op(f"{place} = N(make{self.index})({self.random.randrange(256)});", writes=span)
        return Op(f"pass{self.index} x = {place}; x.v[{n} - 1] += 3; {place} = x;", writes=span)

    def helper(self, a, o):
        """A pointer that a local function believes in."""
        kind, size = self.random.choice(list(INTEGERS.items()))
        self.types.append(f"static __attribute__((noinline)) void N(put{self.index})({kind} *p, {kind} x) {{ *p += x; }}\n"
                          f"static __attribute__((noinline)) {kind} *N(at{self.index})(char *p) {{ return ({kind} *)p; }}\n")
        if self.random.random() < 0.5:
            return Op(f"N(put{self.index})(({kind} *)({a}), ({kind}){self.number(31)});", writes=range(o, o + size))
        return Op(f"*N(at{self.index})({a}) ^= ({kind}){self.number(31)};", writes=range(o, o + size))

    def operation(self):
        r = self.random
        self.scalar_kind = r.choice(SCALARS)
        vectors = [v for v in VECTORS if v[1] == 16 or (v[1] == 32 and "avx2" in self.features) or "avx512f" in self.features]
        self.vector_kind = r.choice(vectors)
        self.block_size = r.choice([r.randrange(0, 70), r.randrange(0, 300), r.randrange(0, 5000)])
        kind, size = r.choice(list(INTEGERS.items()))
        stride, n = r.choice([1, 1, 1, 2, 3, 9]), r.choice([3, 17, 40, 130])
        self.loop_shape = kind, size, stride, n
        number = r.choice(["float", "double"])
        self.sum_shape = number, stride, n
        sum_size = {"float": 4, "double": 8}[number] * (stride * (n - 1) + 1)
        choices = [(self.scalar, self.scalar_kind[1], 6), (self.long_double, 16, 1), (self.wide, 16, 1),
                   (self.vector, self.vector_kind[1], 3), (self.bit_field, 8, 1), (self.block, self.block_size, 3),
                   (self.string_instruction, max(self.block_size + 1, 8), 1), (self.atomic, 8, 2),
                   (self.loop, size * (stride * (n - 1) + 1), 3), (self.structure, self.block_size + 1, 1),
                   (self.helper, 8, 1), (self.sum, sum_size, 3)]
        if "avx2" in self.features:
            choices.append((self.masked, 32, 2))
        if "avx512f" in self.features:
            choices.append((self.masked_512, 64, 2))
        if "cx16" in self.features:
            choices.append((self.wide_atomic, 16, 1))
        make, size, _ = r.choices(choices, [c[2] for c in choices])[0]
        o = self.offset(size)
        if make in (self.wide_atomic, self.sum):
            o = o // 16 * 16
        address = r.choice([f"(m + {o})", "(m + o)", f"(m + o / {r.choice([1, 1, 1])})",
                            f"(char *)((uintptr_t)m + o)"])
        return make("(" + address + ")", o), o

    def program(self, nodes, steps, each):
        self.types, bodies, calls = [], [], []
        self.index = 0
        for step in range(steps):
            writer, readers = {}, {}
            for node in self.random.choices(range(nodes), k=each * nodes):
                for _ in range(20):
                    self.index += 1
                    kept = len(self.types)
                    op, o = self.operation()
                    touched = set(op.reads) | set(op.writes)
                    if (all(writer.get(b, node) == node for b in touched) and
                            all(readers.get(b, {node}) <= {node} for b in op.writes)):
                        break
                    del self.types[kept:]
                else:
                    continue
                for b in op.writes:
                    writer[b] = node
                for b in op.reads:
                    readers.setdefault(b, set()).add(node)
                bodies.append(f"uint64_t N(op{self.index})(char *m, char *s, long o) {{ uint64_t d = 1; (void)s; (void)o; {op.body} return d; }}\n")
                calls.append((step, node, self.index, o))
        table = "".join(f"  {{{s}, {n}, {i}, {o}, shared_op{i}, plain_op{i}}},\n" for s, n, i, o in calls)
        names = "".join(f"function shared_op{i}, plain_op{i};\n" for _, _, i, _ in calls)
        return "".join(self.types) + "".join(bodies), names + "static const struct call calls[] = {\n" + table + "};\n"
