# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Tiny C Compiler: its tests2 are programs to compile and run; and it compiles
itself, which must give the same file."""

from suite import C_FLAGS, LINK_FLAGS, Suite, Test, checked

FLAGS = {"76_dollars_in_identifiers": ["-fdollars-in-identifiers"],
         "60_errors_and_warnings": ["-dt"], "96_nodata_wanted": ["-dt"],
         "114_bound_signal": ["-b"], "115_bound_setjmp": ["-b"], "116_bound_setjmp2": ["-b"],
         "117_gcc_test": ["-b"], "112_backtrace": ["-dt", "-b"]}
# Other machines, and those that need several files.
LEFT_OUT = {"34_array_assignment", "73_arm64", "98_al_ax_extend", "99_fastcall", "113_btdll",
            "104+_inline", "104_inline"}


class Tcc(Suite):
    name = "tcc"
    about = "TCC's tests2, and TCC compiling itself"
    packages = ("tcc",)
    program = "tcc"

    def compile(self, trees):
        checked(["cp", "-a", f"{trees[0]}/.", self.folder], what="copying tcc's source")
        checked(["./configure", f"--extra-cflags={' '.join(C_FLAGS)}",
                 f"--extra-ldflags={' '.join(LINK_FLAGS)}"], cwd=self.folder,
                log=self.log("configure"), what="configuring tcc")
        # Not stripped, as it would be.
        self.make("tcc", "libtcc1.a", f"LDFLAGS={' '.join(LINK_FLAGS)}", cwd=self.folder)

    def command(self, *arguments):
        include = self.folder / "include"
        return [self.folder / self.program, f"-B{self.folder}", f"-I{include}",
                f"-I{self.folder}", *arguments]

    def tests(self):
        for path in sorted((self.folder / "tests" / "tests2").glob("[0-9]*.c")):
            if path.stem in LEFT_OUT:
                continue
            flags = FLAGS.get(path.stem, [])
            mode = ["-run"] if "-dt" not in flags else ["-dt", "-run"]
            yield Test(path.stem, self.command(*flags, *mode, path), timeout=60)
        for name in ("tcc", "libtcc"):
            compile_it = self.command("-c", self.folder / f"{name}.c", "-o", "out.o",
                                      "-DONE_SOURCE=1")
            script = 'cmd() { "$@"; }; cmd "$@" && sha256sum out.o'
            yield Test(f"compiles {name}.c", ["sh", "-c", script, "sh", *compile_it])
