# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GNU troff: C++ in which each character becomes an object of a class of its own.

Four calls in a hundred instructions, one in eleven of them virtual. It sets groff's own manual
pages for training (macros `an`), and its longer manuals for reference (macros `me` and `ms`).
Preprocessors are left out: their input is set as it stands.
"""

import shutil

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program

HAVE = ("STRERROR", "STRCASECMP", "STRNCASECMP", "MKSTEMP", "STDINT_H", "LIMITS_H", "UNISTD_H",
        "FMOD", "GETCWD", "STRTOL")
# troff, the C library or version.cpp has its own.
LEFT_OUT = ("mkstemp", "error", "nametoindex", "curtime")
# The C library has this one; groff's own copy is empty there, but its header has other names.
GETOPT = ("getopt_long", "optarg", "optind", "opterr")
DEFS = """#define PROG_PREFIX ""
#define DEVICE "ps"
#define FONTPATH "."
#define MACROPATH "."
#define INSTALLPATH "."
#define PAGE "A4"
"""
# kind: how often the documents are set
REPEAT = {"train": 1, "reference": 12, "quick": 4, "count": 1}


class Troff(Program):
    name = "troff"
    about = "GNU troff setting manual pages and manuals (C++)"
    package = "groff"
    compiler = ("g++", "g++")

    def build(self, tree, work, target):
        (work / "defs.h").write_text(DEFS)
        library = tree / "src" / "libs" / "libgroff"
        files = sorted((tree / "src" / "roff" / "troff").glob("*.cpp"))
        files += [p for p in sorted(library.glob("*.cpp")) if p.stem not in LEFT_OUT]
        flags = ["-w", f"-I{work}", f"-I{tree / 'src' / 'include'}", *(f"-DHAVE_{h}" for h in HAVE),
                 *(f"-Dgroff_{name}={name}" for name in GETOPT), "-include", "limits.h",
                 "-include", "stdint.h"]
        objects = []
        for name in ("itoa", "iftoa"):
            objects.append(work / f"{name}.o")
            checked(["gcc", *C_FLAGS, *flags, "-c", library / f"{name}.c", "-o", objects[-1]],
                    what=f"compiling {name}.c of groff")
        checked(["g++", *C_FLAGS, "-std=gnu++98", *flags, *files, self.here / "version.cpp",
                 *objects, "-o", target, *LINK_FLAGS], what="compiling troff")

    def inputs(self):
        """The PostScript device, with its description made complete, and the macros `me`."""
        self.tree = self.sources.tree(self.package)
        self.data = self.cache.root / "data" / "troff"
        source = self.tree / "font" / "devps"

        def make():
            device = self.cache.fresh_dir("data", "troff") / "devps"
            device.mkdir()
            for font in source.iterdir():
                if font.is_file() and font.name.isupper() and font.suffix == "":
                    shutil.copy(font, device / font.name)
            shutil.copy(self.tree / "tmac" / "e.tmac-u", self.data / "e.tmac")
            text = (source / "DESC.in").read_bytes()
            (device / "DESC").write_bytes(b"papersize a4\n" + text)

        self.cache.once("data-troff", digest_of(source / "DESC.in"), [self.data], make,
                        "copying troff's fonts")

    def commands(self, kind):
        doc = self.tree / "doc"
        if kind == "train":
            pages = sorted(self.tree.glob("man/*.man")) + sorted(self.tree.glob("tmac/*.man"))
            once = [["-man", page] for page in pages]
        else:
            once = [["-me", doc / "meref.me"], ["-ms", doc / "pic.ms"],
                    ["-me", doc / "meintro.me"], ["-ms", doc / "webpage.ms"]]
        setup = ["-Tps", f"-F{self.data}", f"-M{self.data}", f"-M{self.tree / 'tmac'}", "-U", "-c"]
        return [[*setup, *arguments] for arguments in once] * REPEAT[kind]
