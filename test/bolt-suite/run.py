#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BOLT's own tests for x86-64, with graupel-bolt -stock-pipeline in llvm-bolt's
place.

The tests come from the source package of LLVM 22 (tools/fetch-bolt-headers.sh
--tests, 200 MB, once) and stay under build/. pass-list.txt names those that pass
with Debian's llvm-bolt; each of them must pass with us. --update makes the list
anew from a run of llvm-bolt.

Each failure is printed with what it said; the last line is "N passed, N failed".
"""
import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIST = os.path.join(HERE, "pass-list.txt")
# What we do not promise.
LEFT_OUT = {"X86/MachO/emit_new_binary_with_external_symbol.test": "Mach-O: we are for ELF"}
HEADER = "# The tests of bolt/test/X86 that pass with Debian's llvm-bolt; made by run.py --update.\n"
SITE = """\
import sys
config.llvm_src_root = config.llvm_obj_root = {llvm!r}
config.bolt_obj_root = {work!r}
config.bolt_enable_runtime = False  # those tests are for the runtime's libraries
config.llvm_tools_dir = {tools!r}
config.llvm_libs_dir = config.llvm_shlib_dir = {llvm!r} + "/lib"
config.lit_tools_dir = ""
config.host_triple = config.target_triple = "x86_64-pc-linux-gnu"
config.llvm_use_sanitizer = ""
config.host_arch = "x86_64"
config.python_executable = sys.executable
config.bolt_clang = {llvm!r} + "/bin/clang"
config.bolt_lld = {llvm!r} + "/bin/ld.lld"
config.targets_to_build = "X86;AArch64;RISCV"
config.gnu_ld = ""
config.libbolt_rt_instr = config.libbolt_rt_hugify = ""
import lit.llvm
lit.llvm.initialize(lit_config, config)
lit_config.load_config(config, {source!r} + "/lit.cfg.py")
"""


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=os.path.join(ROOT, "build"), metavar="DIR",
                   help="where graupel-bolt was built (default: build)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J",
                   help="tests at a time (default: one for each processor)")
    p.add_argument("--filter", default="", metavar="REGEX",
                   help="run only the tests whose names match (default: all)")
    p.add_argument("--update", action="store_true",
                   help="run llvm-bolt alone and write its list (default: compare)")
    return p.parse_args()


def llvm_folder():
    return subprocess.run(["llvm-config-22", "--prefix"], capture_output=True, text=True,
                          check=True).stdout.strip()


def tool_folder(work, name, llvm, bolt):
    """LLVM's tools under their plain names, with `bolt`, a command, as llvm-bolt."""
    folder = os.path.join(work, f"tools-{name}")
    os.makedirs(folder, exist_ok=True)
    for tool in os.listdir(os.path.join(llvm, "bin")):
        link = os.path.join(folder, tool)
        if tool != "llvm-bolt" and not os.path.lexists(link):
            os.symlink(os.path.join(llvm, "bin", tool), link)
    # A tool that Debian leaves out; its tests fail with llvm-bolt, too.
    scripts = {"llvm-bolt": f'exec {bolt} "$@"'}
    if not os.path.exists(os.path.join(llvm, "bin", "llvm-bat-dump")):
        scripts["llvm-bat-dump"] = "exit 1"
    for tool, command in scripts.items():
        path = os.path.join(folder, tool)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{command}\n")
        os.chmod(path, 0o755)
    return folder


def run_suite(args, source, work, name, bolt):
    """{test: (result code, output)} of one run."""
    llvm = llvm_folder()
    folder = os.path.join(work, name)
    os.makedirs(folder, exist_ok=True)
    # lit finds the configuration from a folder like that of the tests.
    loader = os.path.join(folder, "test")
    os.makedirs(os.path.join(loader, "X86"), exist_ok=True)
    site = os.path.join(loader, "lit.site.cfg.py")
    with open(site, "w", encoding="utf-8") as file:
        file.write(SITE.format(llvm=llvm, work=folder, source=source,
                               tools=tool_folder(work, name, llvm, bolt)))
    report = os.path.join(folder, "report.json")
    if os.path.exists(report):
        os.remove(report)
    command = ["lit-22", "-q", "-j", str(args.jobs), "--timeout", "120", "-o", report]
    if args.filter:
        command += ["--filter", args.filter]
    result = subprocess.run([*command, os.path.join(loader, "X86")], capture_output=True,
                            text=True, errors="replace")
    if not os.path.exists(report):
        sys.exit(f"bolt-suite/run.py: lit did not run:\n{result.stdout}{result.stderr}")
    with open(report, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    return {t["name"].split(" :: ", 1)[1]: (t["code"], t.get("output", "")) for t in tests}


def passing(results):
    return sorted(name for name, (code, _) in results.items() if code == "PASS")


def main():
    args = arguments()
    build = os.path.abspath(args.build)
    tests = os.path.join(build, "bolt-tests")
    work = os.path.join(build, "bolt-suite")
    os.makedirs(work, exist_ok=True)
    fetch = os.path.join(ROOT, "tools", "fetch-bolt-headers.sh")
    if subprocess.run([fetch, "--tests", tests]).returncode:
        sys.exit("bolt-suite/run.py: BOLT's tests cannot be fetched")
    source = os.path.join(tests, "test")
    if args.update:
        theirs = run_suite(args, source, work, "llvm-bolt",
                           os.path.join(llvm_folder(), "bin", "llvm-bolt"))
        with open(LIST, "w", encoding="utf-8") as file:
            file.write(HEADER + "".join(name + "\n" for name in passing(theirs)))
        print(f"{len(passing(theirs))} of {len(theirs)} tests pass with llvm-bolt")
        return
    with open(LIST, encoding="utf-8") as file:
        expected = [line.strip() for line in file if line.strip() and line[0] != "#"]
    ours = run_suite(args, source, work, "graupel-bolt",
                     os.path.join(build, "bin", "graupel-bolt") + " -stock-pipeline")
    passed = failed = 0
    for name in expected:
        if args.filter and name not in ours:
            continue
        if name in LEFT_OUT:
            print(f"left out: {name}: {LEFT_OUT[name]}")
            continue
        code, output = ours.get(name, ("MISSING", "not among the tests"))
        if code in ("EXCLUDED", "SKIPPED"):
            continue
        if code == "PASS":
            passed += 1
            continue
        failed += 1
        print(f"FAILED: {name} ({code})\n{output[-4000:]}")
    news = [name for name in passing(ours) if name not in expected]
    if news:
        print(f"{len(news)} pass that are not on the list: {' '.join(news)}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
