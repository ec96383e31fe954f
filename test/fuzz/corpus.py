# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that fuzz.py damages: small, of every shape a linker makes, each
with its profiles. All are built from Inputs/."""

import os
import struct
import sys
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "tools"))
from optimizer import Failure, must, observe, shell  # noqa: E402

# name: (compiler, source, flags)
PROGRAMS = {
    "pie": ("gcc", "machine.c", ["-O2", "-fPIE", "-pie"]),
    "no-pie": ("gcc", "machine.c", ["-O2", "-fno-pie", "-no-pie"]),
    "lld": ("clang", "machine.c", ["-O2", "-fuse-ld=lld", "-fno-pie", "-no-pie"]),
    "exceptions": ("g++", "shapes.cpp", ["-O2"]),
    "exceptions-lld": ("clang++", "shapes.cpp", ["-O2", "-fuse-ld=lld"]),
    "debug": ("gcc", "machine.c", ["-O2", "-g", "-gdwarf-5"]),
}
RELOCATIONS = "-Wl,--emit-relocs"
# name: (program, flags)
VARIANTS = {
    "static": ("no-pie", ["-static", RELOCATIONS]),
    "stripped": ("pie", ["-s"]),
    "no-relocations": ("no-pie", []),
}


@dataclass
class Program:
    """A file to optimize and how to see what it does."""
    name: str
    path: str
    profiles: dict = field(default_factory=dict)  # format: file
    host: str = ""                                # runs a library
    instrumented: str = ""                        # not for all

    def run(self, path, timeout=10, limits=None, profile=None):
        """`profile` is for an instrumented file to count into."""
        command = [self.host or path]
        env = {"LD_PRELOAD": path} if self.host else {}
        if profile:
            env["GRAUPEL_PROFILE"] = profile
        return observe(command, timeout, env) if limits is None \
            else limits(command, timeout, env)


def perf_data(samples=0, branch_stack=True):
    """A perf.data file with a header that is right and no samples: what is in it
    is perf's to judge, the header is ours."""
    attr = struct.pack("<IIQQQ", 0, 128, 0, 4000, (1 << 11 if branch_stack else 0) | 7)
    attr = attr.ljust(128, b"\0") + struct.pack("<QQ", 0, 0)
    head = b"PERFILE2" + struct.pack("<8Q", 104, len(attr), 104, len(attr),
                                     104 + len(attr), samples, 0, 0)
    return head.ljust(104, b"\0") + attr + b"\0" * samples


def build(folder, tool):
    """Everything, into `folder`; returns the programs."""
    os.makedirs(folder, exist_ok=True)
    programs = []
    for name, (compiler, source, flags) in PROGRAMS.items():
        path = os.path.join(folder, name)
        must([compiler, "-w", *flags, RELOCATIONS, os.path.join(HERE, "Inputs", source),
              "-o", path])
        programs.append(Program(name, path))
    programs.append(library(folder))
    for program in programs:
        add_profiles(program, tool)
    by_name = {p.name: p for p in programs}
    # The same code in files of other shapes; BOLT cannot instrument these.
    for name, (base, flags) in VARIANTS.items():
        path = os.path.join(folder, name)
        compiler, source, base_flags = PROGRAMS[base]
        must([compiler, "-w", *base_flags, *flags, os.path.join(HERE, "Inputs", source),
              "-o", path])
        programs.append(Program(name, path, by_name[base].profiles))
    for program in programs:
        if program.run(program.path) is None:
            raise Failure("the program does not end", shell([program.path]))
    return programs


def library(folder):
    path, host = os.path.join(folder, "library.so"), os.path.join(folder, "host")
    inputs = os.path.join(HERE, "Inputs")
    must(["gcc", "-O2", "-fPIC", "-shared", RELOCATIONS, os.path.join(inputs, "library.c"),
          "-Wl,-soname,library.so", "-o", path])
    must(["gcc", "-O2", os.path.join(inputs, "host.c"), path, f"-Wl,-rpath,{folder}", "-o", host])
    return Program("library", path, host=host)


def add_profiles(program, tool):
    forms = {"gprofile": "gprofile", "fdata": "fdata", "yaml": "yaml", "perf": "perf.data"}
    profiles = {form: f"{program.path}.{end}" for form, end in forms.items()}
    program.instrumented = f"{program.path}.instrumented"
    must([tool, program.path, "-o", program.instrumented, "-instrument",
          f"-instrumentation-file={profiles['gprofile']}"])
    if os.path.exists(profiles["gprofile"]):
        os.remove(profiles["gprofile"])
    program.run(program.instrumented)
    if not os.path.exists(profiles["gprofile"]):
        raise Failure("the instrumented program wrote no profile",
                      shell([program.instrumented]))
    must([tool, "export", profiles["gprofile"], "-o", profiles["fdata"]])
    must([tool, "export", profiles["gprofile"], f"-yaml-for={program.path}",
          "-o", profiles["yaml"]])
    with open(profiles["perf"], "wb") as file:
        file.write(perf_data())
    program.profiles = profiles
