#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that nothing was tuned for in every configuration: nodes x threads x blocks x transports.

    ports.py [--count N|all] [--seed S] [--programs P,...] [--work DIR] ...

The programs are benchmarks/dsm/ports/*.c and *.cpp; they are compiled with -fgdsm-verify. A run must
end in time with status 0 and print the result that the program has without Graupel, and UCX must have
used the transport. Options, order and what is kept are those of product.py. GRAUPEL_TEST_PORTS=N or
all takes the place of --count's number. The whole product, which goes on where it was stopped:

    ports.py
"""

import subprocess
import sys
from pathlib import Path

import product
import program as programs

PORTS = Path(__file__).resolve().parents[3] / "benchmarks" / "dsm" / "ports"
SOURCES = {path.stem: path for path in [*PORTS.glob("*.c"), *PORTS.glob("*.cpp")]}


class Ports(product.Suite):
    NAME = "ports"
    PROGRAMS = sorted(SOURCES)
    NODES = (1, 2, 3, 4, 8)
    BLOCKS = (32, 64, 128, 512, 4096)
    CHECKS = ("default",)
    ARGUMENTS = ("--size=small",)

    def build_one(self, name, kind, flags):
        source, binary = SOURCES[name], self.options.work / f"{name}.{kind}"
        compiler, standard = ("clang++", "c++17") if source.suffix == ".cpp" else ("clang", "c11")
        subprocess.run([compiler, *flags, f"-std={standard}", "-D_GNU_SOURCE", "-fno-math-errno",
                        f"-I{self.options.source}/runtime/include", source, "-o", binary, "-lm", "-pthread"],
                       check=True)
        return binary

    def compile(self, c):
        with self.lock:
            if not self.binary(c).exists():
                self.build_one(c.program, c.checks, ["-O3", f"--config={self.config}", "-mllvm", "-fgdsm-verify"])
            if c.program not in self.references:
                plain = self.build_one(c.program, "plain", ["-O1", "-DGRAUPEL_DSM_SEQUENTIAL"])
                result = programs.result_line(programs.run([plain, *self.ARGUMENTS]).stdout)
                assert result, f"{c.program} without Graupel has no result"
                self.references[c.program] = result
            return self.references[c.program]

    @staticmethod
    def judge(c, status, output, expected, transports):
        if status != 0:
            return f"status {status}: {output.strip()}"
        if programs.result_line(output) != expected:
            return f"has another result: {output.strip()}, not {expected}"
        return product.wrong_transport(c, transports) if c.nodes > 1 else None


if __name__ == "__main__":
    sys.exit(product.main(Ports, __doc__))
