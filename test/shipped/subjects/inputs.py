# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that many subjects share: NAME1.* to learn from, and a larger NAME2.* to compare."""
import json
import math
import random
import struct
import wave
import zlib


def words(seed, count):
    """Text of made up words."""
    chance = random.Random(seed)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    vocabulary = ["".join(chance.choice(letters[:chance.randint(6, 26)]) for _ in range(chance.randint(2, 9)))
                  for _ in range(5000)]
    vocabulary += [prefix + w + "s" for prefix in ("un", "in") for w in vocabulary[:300]]
    return "".join(" ".join(vocabulary[min(int(chance.expovariate(0.002)), 5599)]
                            for _ in range(chance.randint(4, 12))) + "\n" for _ in range(count))


def source(seed, count):
    """A program in C of `count` functions."""
    chance = random.Random(seed)
    parts = ["struct s { int a[16]; long b; struct s *n; };\nextern int ext(struct s *, long);\n"]
    for i in range(count):
        cases = "".join(f"    case {c}: r += s->a[{chance.randrange(16)}] {chance.choice('+-*^|')} {chance.randrange(99)}; break;\n"
                        for c in range(chance.randint(3, 12)))
        parts.append(f"static int f{i}(struct s *s, int x) {{\n  int r = {i};\n  for (int i = 0; i < x; ++i)\n"
                     f"    switch (s->a[i & 15] & 15) {{\n{cases}    default: r ^= ext(s, r);\n    }}\n"
                     f"  while (s->n && r > {chance.randrange(50)}) s = s->n, r -= s->b;\n"
                     f"  return r{f' + f{chance.randrange(i)}(s, r & 3)' if i else ''};\n}}\n")
    parts.append(f"int main(int c, char **v) {{ struct s s = {{0}}; return f{count - 1}(&s, c); }}\n"
                 "int ext(struct s *s, long x) { return s->b + x; }\n")
    return "".join(parts)


def table(seed, count):
    """Rows of a name, a kind, and numbers."""
    chance = random.Random(seed)
    return [{"id": i, "name": "".join(chance.choice("abcdefghij") for _ in range(chance.randint(3, 9))),
             "kind": chance.choice(["red", "green", "blue", "gray"]), "size": chance.randrange(10000),
             "weight": round(chance.uniform(-50, 50), 3)} for i in range(count)]


def documents(seed, count):
    """The table as CSV, JSON, YAML, XML, HTML and Markdown."""
    rows, text = table(seed, count), words(seed + 10, count).splitlines()
    yield "csv", "id,name,kind,size,weight\n" + "".join(
        ",".join(str(v) for v in row.values()) + "\n" for row in rows)
    yield "json", json.dumps([{**row, "tags": t.split(), "in": {"x": row["id"] % 7, "y": None}}
                              for row, t in zip(rows, text)])
    yield "yaml", "".join(f"- name: {r['name']}\n  size: {r['size']}\n  tags: [{', '.join(t.split()[:4])}]\n"
                          f"  text: |\n    {t}\n" for r, t in zip(rows, text))
    yield "xml", "<?xml version=\"1.0\"?>\n<rows>\n" + "".join(
        f"<row id='{r['id']}' kind=\"{r['kind']}\"><name>{r['name']}</name><size>{r['size']}</size>"
        f"<text>{t} &amp; &#65;</text><!-- {r['weight']} --></row>\n" for r, t in zip(rows, text)) + "</rows>\n"
    yield "html", "<html><head><title>Rows</title></head><body><h1>Rows</h1>\n<table>" + "".join(
        f"<tr><td><a href='#{r['id']}'>{r['name']}</a><td>{r['size']} &amp; <b>{r['kind']}</b></tr>\n"
        for r in rows) + "</table>\n" + "".join(f"<p>{t}<br>&lt;<i>x</i>\n" for t in text) + "</body></html>\n"
    yield "md", "# Rows\n\n" + "".join(
        f"## {r['name']}\n\n{t}, *{r['kind']}* and **{r['size']}** in `code`.\n\n* one [link](http://x/{r['id']})\n"
        f"* two\n    * three\n\n> {t}\n\n" + ("| a | b |\n|---|---|\n| 1 | 2 |\n\n" if r["id"] % 5 == 0 else "")
        for r, t in zip(rows, text))


def pixels(seed, size):
    """A picture of waves with noise, in bytes of red, green and blue."""
    chance = random.Random(seed)
    return bytes(int(127 + 90 * math.sin((x * (c + 1) + y * seed) / 17) + chance.randrange(30)) & 255
                 for y in range(size) for x in range(size) for c in range(3))


def png(size, data):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    lines = b"".join(b"\0" + data[y * size * 3:(y + 1) * size * 3] for y in range(size))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def sound(path, seed, seconds):
    chance = random.Random(seed)
    with wave.open(str(path), "wb") as f:
        f.setnchannels(2)
        f.setsampwidth(2)
        f.setframerate(44100)
        f.writeframes(b"".join(struct.pack("<hh", int(9000 * math.sin(i / (9 + seed))) + chance.randrange(900),
                                           int(9000 * math.sin(i * i / 3e6))) for i in range(seconds * 44100)))


def video(seed, frames):
    """YUV4MPEG of 96 x 64."""
    chance = random.Random(seed)
    out = [b"YUV4MPEG2 W96 H64 F25:1 Ip A1:1 C420jpeg\n"]
    for n in range(frames):
        luma = bytes(int(128 + 80 * math.sin((x + 3 * n) / 9) * math.cos((y - n) / 7) + chance.randrange(6)) & 255
                     for y in range(64) for x in range(96))
        out.append(b"FRAME\n" + luma + bytes((x * 2 + n) & 255 for x in range(48 * 32)) + bytes(48 * 32))
    return b"".join(out)


def clauses(seed, variables):
    """A satisfiable problem of three literals for each clause, in DIMACS."""
    chance = random.Random(seed)
    truth = [chance.choice([-1, 1]) for _ in range(variables + 1)]
    lines = []
    while len(lines) < variables * 4:
        three = [v * chance.choice([-1, 1]) for v in chance.sample(range(1, variables + 1), 3)]
        if any(v * truth[abs(v)] > 0 for v in three):
            lines.append(" ".join(map(str, three)) + " 0")
    return f"p cnf {variables} {len(lines)}\n" + "\n".join(lines) + "\n"


def pigeons(count):
    """`count` + 1 pigeons in `count` holes: not satisfiable."""
    lines = [" ".join(str(p * count + h + 1) for h in range(count)) + " 0" for p in range(count + 1)]
    lines += [f"-{p * count + h + 1} -{q * count + h + 1} 0" for h in range(count)
              for p in range(count + 1) for q in range(p)]
    return f"p cnf {count * (count + 1)} {len(lines)}\n" + "\n".join(lines) + "\n"


def dna(seed, count):
    """(reference in FASTA, reads with mistakes in FASTQ, related sequences in FASTA)."""
    chance = random.Random(seed)
    genome = "".join(chance.choice("ACGT") for _ in range(count * 40))

    def mutate(text, rate):
        return "".join(chance.choice("ACGT") if chance.random() < rate else c for c in text)
    reads = []
    for i in range(count):
        start = chance.randrange(len(genome) - 100)
        reads.append(f"@r{i}\n{mutate(genome[start:start + 100], 0.02)}\n+\n{'I' * 100}\n")
    family = "".join(f">s{i}\n{mutate(genome[:300], 0.02 * i)}\n" for i in range(4 + count // 100))
    return f">chr\n{genome}\n", "".join(reads), family


def packets(seed, count):
    """A capture of UDP packets, in pcap."""
    chance = random.Random(seed)
    out = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)]
    for i in range(count):
        body = bytes(chance.randrange(256) for _ in range(chance.randint(4, 60)))
        port = chance.choice([53, 123, 161, 69, 5000, 514])
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + len(body), i & 65535, 0, 64, 17, 0,
                         bytes([10, 0, 0, chance.randrange(9)]), bytes([10, 0, 1, chance.randrange(9)]))
        data = bytes(12) + b"\x08\0" + ip + struct.pack(">HHHH", 40000 + i % 100, port, 8 + len(body), 0) + body
        out.append(struct.pack("<IIII", 1000000000 + i, i, len(data), len(data)) + data)
    return b"".join(out)


def graph(seed, count):
    chance = random.Random(seed)
    edges = "".join(f"  n{chance.randrange(i)} -> n{i} [label=\"{i}\"];\n" for i in range(1, count))
    return f"digraph g {{\n  node [shape=box];\n{edges}  subgraph cluster_a {{ n1; n2; n3; }}\n}}\n"


def dimensions(seed, count):
    chance = random.Random(seed)
    return f"3\n{count}\n" + "".join(" ".join(f"{chance.uniform(-1, 1):.4f}" for _ in range(3)) + "\n"
                                     for _ in range(count))


def linear(seed, count):
    """A knapsack with some limits, in the format of CPLEX."""
    chance = random.Random(seed)
    names = [f"x{i}" for i in range(count)]

    def total():
        return " + ".join(f"{chance.randint(1, 40)} {n}" for n in names)
    limits = "".join(f" c{i}: {total()} <= {count * 10 + i}\n" for i in range(4))
    return (f"Maximize\n o: {total()}\nSubject To\n{limits}Bounds\n" + "".join(f" 0 <= {n} <= 3\n" for n in names) +
            "General\n " + " ".join(names[::2]) + "\nEnd\n")


def make_shared(folder):
    """Writes all of these there."""
    for n in (1, 2):
        genome, reads, family = dna(n, 300 * n)
        size = 32 + 48 * n
        data = pixels(n, size)
        files = {"words.txt": words(n, 8000 * n), "source.c": source(n, 30 + 30 * n), "sat.cnf": clauses(n, 80 * n),
                 "unsat.cnf": pigeons(4 + n), "genome.fa": genome, "reads.fq": reads, "family.fa": family,
                 "graph.dot": graph(n, 25 * n), "points.txt": dimensions(n, 200 * n), "problem.lp": linear(n, 6 + 6 * n),
                 "image.png": png(size, data), "image.ppm": b"P6\n%d %d\n255\n" % (size, size) + data,
                 "packets.pcap": packets(n, 200 * n), "video.y4m": video(n, 6 * n),
                 **{f"data.{kind}": text for kind, text in documents(n, 150 * n)}}
        for name, text in files.items():
            stem, kind = name.split(".")
            (folder / f"{stem}{n}.{kind}").write_bytes(text if isinstance(text, bytes) else text.encode())
        sound(folder / f"sound{n}.wav", n, n)
