# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as Debian installs them: stripped, without relocations, never built by us.

A program names the files of it that are optimized; the first one is what its other files are
found beside. Variants are copies of those files in one folder, where the loader looks first.
"""

import random
from pathlib import Path

from bench import execute
from bench.cache import digest_of
from bench.errors import BenchError
from programs import perl
from programs.base import Program, Result, digest_tree, empty

HERE = Path(__file__).parent
LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")
LLVM = Path("/usr/lib/llvm-22")


class Shipped(Program):
    """Base of all of them."""
    files = ()          # what is optimized
    starts = None       # what runs, where that is not optimized itself
    environment = {}

    @classmethod
    def missing(cls):
        """The files that this machine lacks."""
        return [str(f) for f in (*cls.files, cls.starts) if f and not Path(f).exists()]

    def build(self, tree, work, target):
        raise BenchError(f"{self.name} is not built, but taken as it is installed")

    def baseline(self):
        if missing := self.missing():
            raise BenchError(f"{self.name}: {', '.join(missing)}: not installed")
        return Path(self.files[0]).resolve()

    def recipe_key(self):
        return digest_of(self.name, *(Path(f).resolve() for f in self.files),
                         *sorted(p for p in HERE.iterdir() if p.is_file()))

    def run(self, binary, kind, scratch, prefix=()):
        """`binary` is the first file of a folder with copies of all."""
        empty(scratch)
        total = [0.0, 0.0]
        settings = [f"{k}={v}" for k, v in self.environment.items()]
        for arguments in self.commands(kind):
            argv = [*execute.fixed_layout_prefix(), "env", f"LD_LIBRARY_PATH={binary.parent}", *settings,
                    *prefix, self.starts or binary, *arguments]
            cost = execute.run(argv, scratch, scratch / "stdout", what=f"{self.name} ({kind})")
            total = [total[0] + cost.user_time, total[1] + cost.system_time]
        return Result(total[0], digest_tree(scratch), total[1])


class Clang(Shipped):
    name = "clang-22"
    about = "Debian's clang with libclang-cpp and libLLVM, compiling C++ and C"
    starts = LLVM / "bin/clang"
    files = (LLVM / "lib/libLLVM.so.22.1", LLVM / "lib/libclang-cpp.so.22.1")

    def inputs(self):
        self.trees = {p: self.sources.tree(p) for p in ("leveldb", "yaml-cpp", "lua5.4", "duktape")}

    def commands(self, kind):
        yaml, leveldb = self.trees["yaml-cpp"], self.trees["leveldb"]
        lua, duktape = self.trees["lua5.4"] / "src", self.trees["duktape"] / "src"
        yamls = [yaml / "src" / f"{n}.cpp" for n in ("parse", "node_data", "singledocparser")]
        levels = [leveldb / "db" / f"{n}.cc" for n in ("db_impl", "version_set")]
        flags = ["-O2", "-w", "-c"]
        cxx = [*flags, "-std=c++17", f"-I{yaml}/include"]
        database = [*cxx, "-DLEVELDB_PLATFORM_POSIX=1", f"-I{leveldb}", f"-I{leveldb}/include"]
        if kind == "train":
            return [*([*cxx, f] for f in yamls), [*flags, lua / "lvm.c"], [*flags, lua / "lparser.c"]]
        if kind == "count":
            return [[*database, leveldb / "util/cache.cc"]]
        quick = [[*database, f] for f in levels]
        return quick if kind == "quick" else [*quick, [*flags, duktape / "duktape.c"]]


class Gcc(Shipped):
    name = "cc1plus"
    about = "g++ 12's compiler proper, compiling C++"
    files = (Path("/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus"),)

    def inputs(self):
        self.trees = {p: self.sources.tree(p) for p in ("leveldb", "yaml-cpp")}

    def commands(self, kind):
        yaml, leveldb = self.trees["yaml-cpp"], self.trees["leveldb"]
        flags = ["-quiet", "-O2", "-w", "-D_GNU_SOURCE", "-std=c++17", "-imultiarch", "x86_64-linux-gnu"]
        if kind == "train":
            return [[*flags, f"-I{yaml}/include", yaml / "src" / f"{n}.cpp", "-o", f"{n}.s"]
                    for n in ("parse", "node_data", "singledocparser")]
        files = {"count": ["util/cache"], "quick": ["db/version_set"],
                 "reference": ["db/db_impl", "db/version_set", "table/table"]}[kind]
        return [[*flags, "-DLEVELDB_PLATFORM_POSIX=1", f"-I{leveldb}", f"-I{leveldb}/include",
                 leveldb / f"{f}.cc", "-o", f"{Path(f).name}.s"] for f in files]


class Interpreter(Shipped):
    """Runs a script with a scale."""
    options = ()
    folder = HERE
    scripts = {}        # by the kind of workload

    def commands(self, kind):
        script, scale = self.scripts[kind]
        return [[*self.options, self.folder / script, str(scale)]]


class Python(Interpreter):
    name = "python3.11"
    about = "Debian's python3, parsing, counting, and building trees"
    files = (Path("/usr/bin/python3.11"),)
    environment = {"PYTHONHOME": "/usr", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    options = ("-S",)
    scripts = {"train": ("train.py", 4), "reference": ("reference.py", 20),
               "quick": ("reference.py", 8), "count": ("reference.py", 1)}


class Perl(Interpreter):
    name = "perl"
    about = "Debian's perl, with the scripts of our own build of it"
    files = (Path("/usr/bin/perl"),)
    folder = HERE.parent / "perl"
    scripts = perl.SCRIPTS


class Bash(Interpreter):
    name = "bash"
    about = "Debian's bash, running functions, arrays and pattern replacements"
    files = (Path("/usr/bin/bash"),)
    scripts = {"train": ("train.bash", 2), "reference": ("reference.bash", 14),
               "quick": ("reference.bash", 6), "count": ("reference.bash", 1)}


class Git(Shipped):
    name = "git"
    about = "Debian's git, with a history of a thousand changes: log -p, blame, grep"
    files = (Path("/usr/bin/git"),)
    environment = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat"}

    def inputs(self):
        self.repository = self.cache.dir("shipped") / "repository"
        self.cache.once("shipped-repository", digest_of(Path(__file__)), [self.repository / ".git"],
                        self._make, "making a repository")

    def _make(self):
        chance = random.Random(1)
        self.cache.fresh_dir("shipped", "repository")
        names = [f"file{n}.txt" for n in range(20)]
        texts = {n: [f"{chance.random()} {n}" for _ in range(400)] for n in names}
        stream, mark = ["reset refs/heads/main"], 0
        for number in range(1000):
            changed = chance.sample(names, 3) if mark else names
            for name in changed:
                lines = texts[name]
                for _ in range(5):
                    at = chance.randrange(len(lines))
                    lines[at:at + chance.randrange(3)] = [f"{chance.random()} of change {number}"]
            message = f"Change {number}"
            stream += [f"commit refs/heads/main\nmark :{number + 1}\n"
                       f"committer A <a@b> {1000000000 + number} +0000\ndata {len(message)}\n{message}"]
            if mark:
                stream.append(f"from :{mark}")
            mark = number + 1
            for name in changed:
                text = "\n".join(texts[name]) + "\n"
                stream.append(f"M 644 inline {name}\ndata {len(text)}\n{text}")
        feed = self.repository.with_name("stream")
        feed.write_text("\n".join(stream) + "\n", encoding="ascii")
        execute.run([self.files[0], "init", "-q", "-b", "main"], self.repository)
        execute.run(["sh", "-c", f"git fast-import --quiet < {feed} && git reset -q --hard main"],
                    self.repository)

    def commands(self, kind):
        there = ["-C", self.repository]
        if kind == "train":
            return [[*there, "log", "-p", "--no-renames", "-n300"], [*there, "blame", "-s", "file1.txt"],
                    [*there, "grep", "-c", "1.*2"], [*there, "diff", "HEAD~300", "--stat"]]
        scale = {"reference": 1000, "quick": 400, "count": 30}[kind]
        return [[*there, "log", "-p", f"-n{scale}", "main~5"], [*there, "blame", "-s", "file7.txt"],
                [*there, "diff", f"HEAD~{scale // 2}"]]


class Openssl(Shipped):
    name = "libcrypto"
    about = "Debian's libcrypto and libssl: hashes, ciphers, certificates"
    starts = Path("/usr/bin/openssl")
    files = (LIBRARIES / "libcrypto.so.3", LIBRARIES / "libssl.so.3")

    def inputs(self):
        self.data = self.cache.dir("shipped") / "data"
        if not self.data.exists():
            self.data.write_bytes(random.Random(2).randbytes(4000000))

    def commands(self, kind):
        key = ["-K", "00" * 32, "-iv", "00" * 16]
        parse = [["asn1parse", "-in", f] for f in self.certificates(60 if kind == "train" else 200)]
        parse += [["x509", "-noout", "-text", "-in", f]
                  for f in self.certificates({"count": 3, "quick": 40}.get(kind, 120))[::2]]
        if kind == "train":
            return [*parse[:80], ["dgst", "-sha1", self.data], ["dgst", "-md5", self.data]]
        return [*(parse if kind != "count" else parse[-2:]), ["dgst", "-blake2b512", self.data],
                ["enc", "-camellia-256-cbc", *key, "-in", self.data, "-out", "data"]]

    @staticmethod
    def certificates(number):
        return sorted(Path("/etc/ssl/certs").glob("*.pem"))[:number]


def registry():
    """All of them by name."""
    return {cls.name: cls for cls in (Clang, Gcc, Python, Perl, Bash, Git, Openssl)}
