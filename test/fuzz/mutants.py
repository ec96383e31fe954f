# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What graupel-bolt is given: a damaged program, or a program and a damaged profile,
or a profile alone, with a command for it."""

import os
import re
import subprocess
from dataclasses import dataclass

import elfmutators
import profilemutators

PROFILE_KINDS = [f"profile-{form}" for form in profilemutators.FORMATS]
SPECIAL = ["foreign-profile", "already-optimized", "already-instrumented"]
KINDS = [*elfmutators.MUTATORS, *PROFILE_KINDS, *SPECIAL]
# How graupel-bolt is called for a program; {data} is the profile.
MODES = [["-data={data}"], ["-data={data}"], ["-data={data}", "-layout=spike"],
         ["-data={data}", "-update-debug-sections"], [],
         ["-instrument", "-instrumentation-file={work}/out.gprofile"]]
# What is done with a profile alone; {good} is one that is not damaged.
COMMANDS = [["merge", "{data}"], ["merge", "{data}", "{good}"], ["merge", "{good}", "{data}"],
            ["merge", "{data}", "{data}"], ["export", "{data}"], ["export", "{data}"],
            ["export", "{data}", "-yaml-for={program}"]]
FDATA_LINE = re.compile(rb"[01] (\\.|[^ \n\\])+ [0-9a-f]+ [01] (\\.|[^ \n\\])+ [0-9a-f]+ 0 \d+\n", re.S)


@dataclass
class Mutant:
    program: object   # of the corpus
    arguments: list   # for graupel-bolt; {out} is the output
    what: str         # was done
    path: str = ""    # the damaged program; empty if it is whole
    output: str = "program"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content, mode=0o644):
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)
    return path


class Maker:
    def __init__(self, programs, more, call):
        """`more` are options for each program; `call` runs a command of graupel-bolt
        in a folder."""
        self.programs, self.more, self.call = programs, more, call

    def make(self, kind, rng, work):
        program = self.choose(kind, rng)
        if kind in elfmutators.MUTATORS:
            return self.damaged_program(kind, program, rng, work)
        if kind in PROFILE_KINDS:
            return self.damaged_profile(kind, program, rng, work)
        if kind == "foreign-profile":
            other = rng.choice(self.programs)
            form = rng.choice(sorted(other.profiles))
            return self.optimize(program, program.path, other.profiles[form], [MODES[0]], rng, work,
                                 f"{kind}: the {form} profile of {other.name}")
        return self.processed(kind, program, rng, work)

    def choose(self, kind, rng):
        fits = [p for p in self.programs
                if kind != "debug" or p.name == "debug"
                if kind != "lsda" or p.name.startswith("exceptions")
                if kind != "relocations" or p.name not in ("no-relocations",)]
        # The static program is ten times the size of all others.
        return rng.choice([p for p in fits if p.name != "static" or rng.random() < .3] or fits)

    def optimize(self, program, path, profile, modes, rng, work, what):
        options = [o.format(data=profile, work=work) for o in rng.choice(modes)]
        if program.name == "stripped" and rng.random() < .8:
            options.append("-allow-stripped")
        return Mutant(program, [path, "-o", "{out}", *options, *self.more],
                      f"{program.name}, {what}", "" if path == program.path else path)

    def damaged_program(self, kind, program, rng, work):
        content, what = elfmutators.MUTATORS[kind](read(program.path), rng)
        path = write(os.path.join(work, "mutant"), content, 0o755)
        profile = program.profiles[rng.choice(["fdata", "gprofile"])]
        return self.optimize(program, path, profile, MODES, rng, work, f"{kind}: {what}")

    def damaged_profile(self, kind, program, rng, work):
        form = kind.split("-", 1)[1]
        content, what = profilemutators.mutate(form, read(program.profiles[form]), rng)
        profile = write(os.path.join(work, "profile"), content)
        what = f"{kind}: {what}"
        if form != "gprofile" or rng.random() < .4:
            return self.optimize(program, program.path, profile, MODES[:4], rng, work, what)
        command = [a.format(data=profile, good=program.profiles[form], program=program.path)
                   for a in rng.choice(COMMANDS)]
        output = "profile" if command[0] == "merge" else "yaml" if len(command) > 2 else "fdata"
        return Mutant(program, [*command, "-o", "{out}"], f"{program.name}, {what}",
                      output=output)

    def processed(self, kind, program, rng, work):
        """A file that graupel-bolt made, sometimes without the note that says so."""
        path = os.path.join(work, "processed")
        more = (["-instrument", f"-instrumentation-file={work}/p.gprofile"]
                if kind == "already-instrumented"
                else [f"-data={program.profiles['gprofile']}"])
        self.call([program.path, "-o", path, "-allow-stripped", *more], work)
        what = f"{kind}: given to graupel-bolt again"
        if not os.path.exists(path):  # it cannot be instrumented
            path = program.path
        elif rng.random() < .7:
            removed = subprocess.run(["llvm-objcopy", "-R", ".note.bolt_info", path],
                                     stderr=subprocess.DEVNULL, check=False).returncode == 0
            what += " without the note" * removed
        profile = program.profiles[rng.choice(["gprofile", "fdata"])]
        return self.optimize(program, path, profile, MODES, rng, work, what)


def complaint_about(form, content):
    """What is wrong with a file that merge or export wrote; None if nothing."""
    if form == "yaml":
        whole = content.startswith(b"---") and content.endswith(b"...\n")
        return None if whole else "the YAML is not complete"
    rest = FDATA_LINE.sub(b"", content)
    return f"this is not fdata: {rest[:200]!r}" if rest else None
