# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jq: a compiler and a backtracking interpreter of its own language, and counted values."""

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.jq import data

# kind: (seed, records)
SIZES = {"train": (5, 20000), "reference": (7, 40000), "quick": (11, 15000), "count": (13, 4000)}
HAVE = ("ALLOCA_H ATAN2 CEIL COS EXP EXP10 EXP2 FABS FLOOR FMIN FMAX FMOD FREXP GETTIMEOFDAY "
        "GMTIME_R ISATTY LDEXP LOCALTIME_R LOG LOG10 LOG2 MEMMEM MKSTEMP MODF POW "
        "PTHREAD_KEY_CREATE ROUND SIN SQRT STRFTIME STRPTIME TIMEGM TM_TM_GMT_OFF TRUNC").split()
FILTERS = {
    "train": ["map({name, total: (.parts | map(.price) | add)}) | sort_by(.total) | .[:20]",
              "group_by(.kind) | map({kind: .[0].kind, n: length, names: [.[].name] | unique})",
              "[.[] | select(.active and (.parts | length > 3)) | .tags[]] | unique | length"],
    "reference": ["[.. | numbers] | length, (add | floor)",
                  "reduce .[] as $r ({}; .[$r.kind] += ($r.parts | length)) | to_entries",
                  "[.[] | .name | ascii_downcase | explode | map(. % 7) | add] | min, max",
                  "map(.tags | join(\",\") | split(\",\") | index(\"ice\")) | map(tostring) | add",
                  "[limit(99; .[] | paths(type == \"string\")) | length] | add"],
}


class Jq(Program):
    name = "jq"
    about = "jq filtering JSON (a backtracking interpreter)"
    package = "jq"

    def build(self, tree, work, target):
        source = tree / "src"
        files = [p for p in sorted(source.glob("*.c")) if p.name != "inject_errors.c"]
        # Later versions keep decimals.
        files += [p for n in ("decContext", "decNumber")
                  if (p := source / "decNumber" / f"{n}.c").exists()]
        lines = (source / "builtin.jq").read_text().splitlines()
        (work / "builtin.inc").write_text("".join(
            '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"\n' for line in lines))
        (work / "version.h").write_text('#define JQ_VERSION "jq"\n')
        (work / "config_opts.inc").write_text('#define JQ_CONFIG ""\n')
        (work / "src").mkdir()
        for name in ("builtin.inc", "version.h", "config_opts.inc"):
            (work / "src" / name).write_text((work / name).read_text())
        checked(["gcc", *C_FLAGS, "-w", "-std=gnu99", "-D_GNU_SOURCE", "-DIEEE_8087=1",
                 "-DUSE_DECNUM=1", "-DDECUSE64=1", "-DDECLITEND=1", "-pthread",
                 *(f"-DHAVE_{name}=1" for name in HAVE), f"-I{work}", f"-I{source}",
                 f"-I{tree}", *files, "-o", target, *LINK_FLAGS, "-lm"], what="compiling jq")

    def _file(self, kind):
        return self.cache.root / "data" / f"jq-{kind}.json"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, records) in SIZES.items():
            path = self._file(kind)
            self.cache.once(f"data-jq-{kind}",
                            digest_of(self.here / "data.py", seed, records), [path],
                            lambda p=path, s=seed, n=records: data.write(p, s, n),
                            f"generating JSON ({kind})")

    def commands(self, kind):
        return [["-c", text, self._file(kind)]
                for text in FILTERS["train" if kind == "train" else "reference"]]
