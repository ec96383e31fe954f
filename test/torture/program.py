# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs made of GCC's tests: compiled, rewritten in each mode, and compared.

1. A Single is one test. A Batch is many: each is compiled on its own, gets names of
   its own (so `main` becomes `main.7`), and all are linked with a driver (Inputs/driver.c)
   that runs each in a child process. One run of graupel-bolt then serves all of them.
2. The original runs twice. A test that fails, takes too long or prints something
   else each time is not compared. A Batch leaves it to a Single, as it leaves tests
   that need the whole program: those with constructors, or with options for the linker.
3. The program is instrumented; its profile serves the modes with "-data".
4. Each mode's output must be verified, and each of its tests must do what it did.
   If graupel-bolt refuses a Batch, or one does not link, halves of it are tried.
"""
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tools")]
from limits import limit, of_processor_time
from optimizer import difference, end_of, graupel_bolt, shell

# Options by mode. "-data" stands for the profile that "instrumented" leaves.
MODES = {
    "rewrite": [],
    "instrumented": ["-instrument"],
    "atomic": ["-instrument", "-atomic"],
    # The profile decides which edges are counted.
    "recounted": ["-instrument", "-data"],
    "profiled": ["-data"],
    "spike": ["-data", "-layout=spike"],
    "cold": ["-data", "-layout=spike", "-cold-share=50"],
    "stress-1": ["-stress-layout=1"],
    "stress-2": ["-data", "-stress-layout=2"],
    "hco": ["-data", "-hco"],
    "hco-random": ["-data", "-hco", "-hco-random=1"],
    "hco-invert": ["-data", "-hco", "-hco-invert"],
}
COMPILERS = {"gcc": ("gcc-12", "g++-12", "gcc", "g++"),
             "clang": ("clang-22", "clang++-22", "clang", "clang++")}
LINKS = {"pie": ["-fPIE", "-pie"], "nopie": ["-fno-pie", "-no-pie"],
         "static": ["-fno-pie", "-static"], "staticpie": ["-fPIE", "-static-pie"]}
CONFIGS = [f"{compiler}-{level}-{link}" for compiler in COMPILERS
           for level in ("O0", "O1", "O2", "O3") for link in LINKS]
# Half of the tests are older than the rules that clang enforces.
OLD_C = ["-Wno-implicit-int", "-Wno-implicit-function-declaration", "-Wno-int-conversion",
         "-Wno-incompatible-pointer-types", "-Wno-return-mismatch"]


class Skip(Exception):
    """This program tests nothing here."""


class Divide(Exception):
    """These tests cannot be one program."""


class Toolchain:
    """How one configuration compiles and links."""

    def __init__(self, config, flags):
        self.compiler, self.level, self.link = config.split("-")
        self.more = flags.split()

    def driver(self, is_cxx):
        names = COMPILERS[self.compiler][is_cxx::2]
        found = next(filter(None, map(shutil.which, names)), None)
        if not found:
            raise Skip(f"{names[0]} was not found")
        return found

    def flags(self, is_cxx):
        flags = ["-w", f"-{self.level}", *LINKS[self.link], *self.more]
        if self.compiler == "clang":
            flags = ["-fuse-ld=lld", *([] if is_cxx else OLD_C), *flags]
        return flags

    def compiled(self, test, output):
        """The command that makes an object file of \\p test."""
        return [self.driver(test.is_cxx), *self.flags(test.is_cxx), *test.flags(), "-c",
                str(test.path), "-o", str(output)]

    def linked(self, inputs, output, is_cxx, flags=()):
        return [self.driver(is_cxx), *self.flags(is_cxx), "-Wl,--emit-relocs", *flags,
                *map(str, inputs), "-o", str(output), "-lm"]


def succeeds(command, folder):
    """True if a compiler or one of binutils did what it should."""
    try:
        result = subprocess.run(command, capture_output=True, timeout=limit(60), cwd=folder,
                                stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return False
    return result.returncode == 0


def rewrite(command):
    """The outcome of a run of graupel-bolt, and what there is to say about it."""
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                text=True, errors="replace", timeout=limit(120))
    except subprocess.TimeoutExpired:
        return "failed", "graupel-bolt does not end"
    said = result.stdout + result.stderr
    if not result.returncode:
        if "graupel-bolt: verified" not in said:
            return "failed", "the output was not verified"
        return "passed", None
    crashed = re.search(r".*(graupel-bolt crashed|Stack dump|PLEASE submit).*", said)
    if result.returncode != 1 or crashed:
        return "failed", (f"graupel-bolt: {end_of(result.returncode)}"
                          f"{': ' + crashed[0].strip() if crashed else ''}")
    reason = re.search(r".*(error: |BOLT-ERROR).*", said)
    if not reason:
        return "failed", "graupel-bolt gives up without a word"
    # -verify found the output broken.
    defect = re.search(r".*the output would be wrong.*", said)
    return ("failed", defect[0]) if defect else ("refused", reason[0])


class Program:
    """Tests that are one program in one configuration."""

    def __init__(self, tests, config, args, folder):
        self.tests, self.config, self.args, self.folder = tests, config, args, folder
        self.tools = Toolchain(config, args.flags)
        self.program = folder / "program"
        # By test: mode to passed, failed, refused or skipped.
        self.outcomes = {test.name: {} for test in tests}
        self.expected = {}  # by test: what it does
        self.complaints, self.refusals = [], []

    def run(self):
        """Fills outcomes, complaints and refusals."""
        self.compile()
        self.expected = self.settle()
        modes = self.args.modes
        needing = [mode for mode in modes if "-data" in MODES[mode]]
        if needing and "instrumented" not in modes:
            modes = ["instrumented", *modes]
        for mode in sorted(modes, key=lambda mode: mode in needing):
            if mode in needing and not self.profile("instrumented").exists():
                self.record(mode, "skipped")
            else:
                self.attempt(mode)

    def record(self, mode, outcome):
        for name in self.expected:
            self.outcomes[name][mode] = outcome

    def profile(self, mode):
        return self.folder / f"{mode}.gprofile"

    def attempt(self, mode):
        output = self.folder / mode
        command = [graupel_bolt(), str(self.program), "-o", str(output), "-verify",
                   *self.args.options.split()]
        for option in MODES[mode]:
            command.append(option if option != "-data"
                           else f"-data={self.profile('instrumented')}")
        if "-instrument" in MODES[mode]:
            command.append(f"-instrumentation-file={self.profile(mode)}")
        outcome, said = rewrite(command)
        self.record(mode, outcome)
        if outcome == "refused":
            self.refuse(mode, said)
        elif outcome == "failed":
            self.complain(mode, self.title(), said, command)
        else:
            self.compare(mode, output, command)

    def compare(self, mode, output, command):
        """Looks for tests that do something else in \\p output."""
        seen = self.observe(output, 3 * self.args.timeout)
        wrong = {name: difference(wanted, seen[name])
                 for name, wanted in self.expected.items()}
        wrong = {name: what for name, what in wrong.items() if what}
        if wrong:
            # Some tests print addresses or measure time.
            again = self.observe(self.program, self.args.timeout)
            for name in [name for name in wrong if again[name] != self.expected[name]]:
                del wrong[name], self.expected[name]
                self.outcomes[name] = {"all": "skipped"}
        if not wrong and "-instrument" in MODES[mode] and not self.profile(mode).exists():
            wrong = {name: "no profile was written" for name in self.expected}
        for name, what in wrong.items():
            self.outcomes[name][mode] = "failed"
            self.complain(mode, name, what, [*command, "&&", *self.command(output, name)])
        if not wrong:
            output.unlink()

    def complain(self, mode, name, what, command):
        self.complaints.append(f"FAILED: {name} {self.config} {mode}: {what}\n"
                               f"  reproduce with: {shell(command)}".replace("'&&'", "&&"))


class Single(Program):
    """One test, linked as it is."""

    def title(self):
        return self.tests[0].name

    def compile(self):
        test = self.tests[0]
        if not succeeds(self.tools.linked([test.path], self.program, test.is_cxx, test.flags()),
                        self.folder):
            raise Skip("does not compile")

    def observe(self, program, timeout):
        """Exit status and output of a run; all runs have the same argv. None if it
        took too long."""
        try:
            result = subprocess.run(["program"], executable=program, cwd=self.folder,
                                    timeout=limit(timeout), stdin=subprocess.DEVNULL,
                                    preexec_fn=of_processor_time(timeout), capture_output=True)
        except subprocess.TimeoutExpired:
            return {self.title(): None}
        seen = (result.returncode, result.stdout, result.stderr)
        return {self.title(): None if result.returncode == -signal.SIGXCPU else seen}

    def command(self, program, _):
        return [str(program)]

    def settle(self):
        seen = self.observe(self.program, self.args.timeout)
        if seen[self.title()] is None:
            raise Skip("takes too long")
        if seen[self.title()][0]:
            raise Skip("the original fails")
        return seen

    def refuse(self, mode, said):
        self.refusals.append(f"refused: {self.title()} {self.config} {mode}: {said}")


class Batch(Program):
    """Many tests behind one driver."""

    SYMBOL = re.compile(r"^ *\d+: [0-9a-f]+ +\S+ +\S+ +(\S+) +\S+ +(\S+) (\S+)", re.M)
    # What runs before main, or after it.
    AROUND_MAIN = re.compile(r"\.(preinit_array|init_array|fini_array|ctors|dtors)\b")
    FOR_THE_LINKER = ("-l", "-Wl,", "-static", "-pthread", "-fopenmp", "-fsanitize", "-flto",
                      "-fsplit-stack", "-pg", "-p", "-shared", "-nost", "-m")
    MARK = re.compile(rb"\n@@ (\d+) (-?\d+)\n")

    def __init__(self, tests, config, args, folder):
        super().__init__(tests, config, args, folder)
        self.number = {test.name: number for number, test in enumerate(tests)}
        self.alone = []  # tests for Singles

    def title(self):
        return f"{len(self.tests)} tests from {self.tests[0].name}"

    def compile(self):
        objects = [*filter(None, map(self.compile_one, enumerate(self.tests)))]
        self.tests = [test for test in self.tests if test not in self.alone]
        if not objects:
            raise Skip("no test can be one of many")
        names = self.folder / "names.h"
        names.write_text("".join(f"TEST({o.stem[1:]})\n" for o in objects), encoding="utf-8")
        driver = self.folder / "driver.o"
        c = [self.tools.driver(False), "-O1", "-c", f"-I{self.folder}",
             str(HERE / "Inputs" / "driver.c"), *LINKS[self.tools.link],
             "-Wno-unused-command-line-argument", "-o", str(driver)]
        is_cxx = any(test.is_cxx for test in self.tests)
        if not (succeeds(c, self.folder) and succeeds(
                self.tools.linked([driver, *objects], self.program, is_cxx), self.folder)):
            raise Divide

    def compile_one(self, item):
        """The object of a test, with names of its own; None if it has to be alone."""
        number, test = item
        compiled = self.folder / "compiled.o"
        if (any(flag.startswith(self.FOR_THE_LINKER) for flag in test.flags())
                or not succeeds(self.tools.compiled(test, compiled), self.folder)):
            self.alone.append(test)
            return None
        listing = subprocess.run(["readelf", "-SsW", str(compiled)], capture_output=True,
                                 text=True, check=True).stdout
        symbols = [(bind, name) for bind, where, name in self.SYMBOL.findall(listing)
                   if where != "UND"]
        defined = {name for bind, name in symbols if bind != "LOCAL"}
        if (self.AROUND_MAIN.search(listing) or "main" not in defined
                or any("@" in name for name in defined)):
            self.alone.append(test)
            return None
        names, output = self.folder / "names", self.folder / f"t{number}.o"
        new = {name: f"{name}.{number}" for name in defined}
        for _, name in symbols:
            function, cold, rest = name.partition(".cold")
            if cold and function in defined:
                new[name] = f"{new[function]}{cold}{rest}"
        names.write_text("".join(f"{a} {b}\n" for a, b in new.items()), encoding="utf-8")
        subprocess.run(["objcopy", f"--redefine-syms={names}", str(compiled), str(output)],
                       check=True)
        return output

    def observe(self, program, timeout):
        """As Single.observe, for each test that is compared."""
        seen = dict.fromkeys(self.expected)
        chosen = [str(self.number[name]) for name in seen]
        wall = limit(timeout)
        try:
            result = subprocess.run(
                ["program", str(int(timeout)), str(int(wall)), *chosen], executable=program,
                cwd=self.folder, timeout=wall * len(chosen), stdin=subprocess.DEVNULL,
                capture_output=True)
        except subprocess.TimeoutExpired:
            return seen
        out, err = self.MARK.split(result.stdout), self.MARK.split(result.stderr)
        names = {number: name for name, number in self.number.items()}
        for i in range(0, min(len(out), len(err)) - 3, 3):
            status = int(out[i + 2])
            if status != -signal.SIGXCPU:
                seen[names[int(out[i + 1])]] = status, out[i], err[i]
        return seen

    def command(self, program, name):
        return [str(program), str(self.args.timeout), "100", str(self.number[name])]

    def settle(self):
        self.expected = dict.fromkeys(test.name for test in self.tests)
        first, second = (self.observe(self.program, self.args.timeout) for _ in range(2))
        good = {name: seen for name, seen in first.items()
                if seen and not seen[0] and seen == second[name]}
        self.alone += [test for test in self.tests if test.name not in good]
        if not good:
            raise Skip("no test can be one of many")
        return good

    def refuse(self, mode, said):
        raise Divide
