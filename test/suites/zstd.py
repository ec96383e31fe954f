# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""zstd's tests: of its command line, and the two programs that test its library with
random data."""

import re

from suite import C_FLAGS, LINK_FLAGS, Suite, Test, checked


class Zstd(Suite):
    name = "zstd"
    about = "zstd's tests of the command line"
    packages = ("libzstd",)
    program = "programs/zstd"
    goals = (("programs", "zstd"), ("tests", "datagen"))
    every = 6

    def compile(self, trees):
        checked(["cp", "-a", f"{trees[0]}/.", self.folder], what="copying zstd's source")
        # No hot and cold parts of the compiler's.
        flags = f"CFLAGS={' '.join(C_FLAGS)}"
        for folder, goal in self.goals:
            self.make(goal, flags, f"LDFLAGS={' '.join(LINK_FLAGS)}",
                      cwd=self.folder / folder)

    def tests(self):
        tests = self.folder / "tests"
        programs = self.folder / "programs"
        given = ["--zstd", self.folder / self.program, "--datagen", tests / "datagen",
                 "--zstdgrep", programs / "zstdgrep", "--zstdless", programs / "zstdless"]
        for path in sorted((tests / "cli-tests").glob("*/*.sh")):
            group = path.parent.name
            if group not in ("common", "bin"):
                yield Test(f"{group}/{path.name}",
                           ["python3", "run.py", *given, f"{group}/{path.name}"],
                           copies=[tests / "cli-tests"])
        yield Test("playTests", ["sh", tests / "playTests.sh"], timeout=1200,
                   env={"ZSTD_BIN": str(self.folder / self.program),
                        "DATAGEN_BIN": str(tests / "datagen")})

    def relevant(self, text):
        """Of playTests its headlines: it stops at the first failure."""
        return "\n".join(re.findall(r"^===>.*|^(?:PASS|FAIL).*", text, re.M))


class Random(Zstd):
    """A program that tests the library; its seeds decide what it does."""
    goal = ""
    every = 5
    count = 40

    def __init__(self, cache, sources):
        super().__init__(cache, sources)
        self.program = f"tests/{self.goal}"
        self.goals = (("tests", self.goal),)

    def tests(self):
        # From the first test on: number 0 has unit tests that take minutes.
        for seed in range(1, 16):
            yield Test(f"seed {seed}", [self.folder / self.program, f"-s{seed}", "-t1",
                                        f"-i{self.count}", "-v"])

    def relevant(self, text):
        """Progress is by time."""
        return "\n".join(re.findall(r"^test *\d+.*|^Error.*", text, re.M))


class Fuzzer(Random):
    name = "zstd-fuzzer"
    about = "zstd's random tests of the library"
    goal = "fuzzer"


class Stream(Random):
    name = "zstd-stream"
    about = "zstd's random tests of streams"
    goal = "zstreamtest"
