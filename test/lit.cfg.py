# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the lit suites run. Entered through build/test/lit.site.cfg.py, which
# says where the build is: lit-22 -sv build/test

import os
import platform
import re
import shlex
import shutil
import sys

import lit.formats

if not hasattr(config, "graupel_source_dir"):
    lit_config.fatal("run lit on the build's test folder: lit-22 -sv build/test")

for folder in (config.graupel_source_dir, config.graupel_obj_root):
    if re.search(r"\s", folder):
        lit_config.fatal(f"lit cannot run tests in a folder with a space in its name: "
                         f"{folder}; clone or build elsewhere")

config.name = "Graupel"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".s", ".c", ".cpp"]
config.excludes = ["Inputs", "bolt-suite", "package", "plugins", "tools", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.graupel_source_dir, "test")
config.test_exec_root = config.graupel_obj_root

# graupel-bolt of the build, then everything of LLVM by its plain name.
config.environment["PATH"] = os.pathsep.join(
    [config.graupel_bin_dir, config.llvm_bin_dir, os.environ.get("PATH", "")])
# What tools say is compared; check.sh --hostile says it in another language.
config.environment["LC_ALL"] = os.environ.get("GRAUPEL_TEST_LOCALE", "C")
for name in ("LOCPATH", "COLUMNS", "LINES", "GLIBC_TUNABLES"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# How long some tests run.
for name, value in os.environ.items():
    if name.startswith("GRAUPEL_TEST_"):
        config.environment[name] = value

tools = os.path.join(config.test_source_root, "tools")


def script(path):
    return f'"{sys.executable}" "{path}"'


# An assembly file becomes a program and the profile written in it.
config.substitutions.append(
    ("%link-asm", script(os.path.join(tools, "link-asm.py"))))
# Fails unless two outputs of BOLT are the same but for the recorded command line.
config.substitutions.append(
    ("%same-output", f'sh "{os.path.join(tools, "same-output.sh")}"'))
# Runs graupel-bolt, which must refuse cleanly; what it said is printed.
config.substitutions.append(("%refuse", script(os.path.join(tools, "refuse.py"))))
# Compiles, trains, optimizes and compares; see the script.
config.substitutions.append(
    ("%differential", script(os.path.join(tools, "differential.py"))))
# The same in all modes of hot-cold optimization.
config.substitutions.append(("%modes", script(os.path.join(tools, "modes.py"))))
config.substitutions.append(
    ("%csmith-differential",
     script(os.path.join(config.test_source_root, "csmith", "differential.py"))))
# As timeout(1), but longer on a busy machine.
config.substitutions.append(("%limit", script(os.path.join(tools, "limits.py"))))
config.substitutions.append(
    ("%cxx-differential",
     script(os.path.join(config.test_source_root, "cxx-random", "differential.py"))))
# A program with the runtime of profiles in it, and what it counted.
runtime_inputs = os.path.join(config.test_source_root, "runtime", "Inputs")
runtime_blob = os.path.join(os.path.dirname(config.graupel_bin_dir), "lib",
                            "graupel-profile-runtime.elf")
config.substitutions.append(
    ("%runtime-build", script(os.path.join(runtime_inputs, "build.py")) +
     f' --runtime "{runtime_blob}"'))
config.substitutions.append(
    ("%profile", script(os.path.join(runtime_inputs, "profile.py"))))
# A program instrumented and run in several ways, with exact counts; see the script.
instrument_inputs = os.path.join(config.test_source_root, "Instrument", "Inputs")
config.substitutions.append(
    ("%exact", script(os.path.join(instrument_inputs, "exact.py"))))
config.substitutions.append(
    ("%counts", script(os.path.join(instrument_inputs, "counts.py"))))
config.substitutions.append(
    ("%graupel-bisect",
     script(os.path.join(config.graupel_source_dir, "tools", "graupel-bisect"))))
config.substitutions.append(
    ("%fuzz", script(os.path.join(config.test_source_root, "fuzz", "fuzz.py"))))
config.substitutions.append(("%graupel-source", config.graupel_source_dir))
graupel_build = os.path.dirname(config.graupel_bin_dir)
config.substitutions.append(("%graupel-build", shlex.quote(graupel_build)))
config.substitutions.append(("%bolt-include", config.bolt_include_dir))
# Compile programs against runtime/dsm whose checks are written by hand, and run
# them on several nodes. What hangs ends.
dsm_library, dsm_sanitizer = f"{graupel_build}/lib", ""
# With ThreadSanitizer, which has to come behind the runtime, where it finds the C library's functions.
tsan = "GRAUPEL_TEST_TSAN" in os.environ
if tsan:
    dsm_library += "/tsan"
    if not os.path.exists(os.path.join(dsm_library, "sanitizer.txt")):
        lit_config.fatal("GRAUPEL_TEST_TSAN needs the target graupel-dsm-tsan; build that first")
    with open(os.path.join(dsm_library, "sanitizer.txt")) as file:
        found = file.read().strip()
    dsm_sanitizer = f'-no-pie -g "{found}" -Wl,-rpath,"{os.path.dirname(found)}"'
    suppressions = os.path.join(config.test_source_root, "dsm", "Inputs", "thread-sanitizer.txt")
    config.environment["TSAN_OPTIONS"] = f"suppressions={suppressions}"
    config.environment["UCX_MEM_MMAP_HOOK_MODE"] = "none"
dsm_flags = (f'-O2 -Wall -Werror -D_GNU_SOURCE -DGRAUPEL_DSM_BY_HAND -pthread '
             f'-I"{config.graupel_source_dir}/runtime/include" '
             f'-I"{config.test_source_root}/dsm/Inputs" '
             f'-L"{dsm_library}" -lgraupel-dsm -Wl,-rpath,"{dsm_library}" {dsm_sanitizer}')
config.substitutions.append(("%dsm-cc", f"clang {dsm_flags}"))
config.substitutions.append(("%dsm-cxx", f"clang++ -std=c++20 {dsm_flags}"))
config.substitutions.append(("%dsm-run", script(os.path.join(tools, "limits.py")) + " 120 graupel dsm run"))
# For tests that change PATH.
config.substitutions.append(
    ("%graupel-bolt", shlex.quote(os.path.join(config.graupel_bin_dir, "graupel-bolt"))))
config.substitutions.append(
    ("%plugins", os.path.join(config.graupel_obj_root, "plugins")))
with open(os.path.join(config.graupel_source_dir, "bolt-plugins", "include",
                       "graupel", "BoltPassPlugin.h")) as header:
    config.substitutions.append(
        ("%plugin-abi",
         re.search(r"BoltPassPluginABI = (\d+)", header.read())[1]))
config.substitutions.append(("%docs", os.path.join(config.graupel_source_dir, "docs")))
config.substitutions.append(("%tools", tools))
config.substitutions.append(("%python", f'"{sys.executable}"'))

# The agent is named in LD_PRELOAD, which blanks part.
if " " not in config.graupel_bin_dir:
    config.available_features.add("plain-path")

if platform.machine() == "x86_64":
    config.available_features.add("x86_64")
for program in ("gcc", "g++", "gdb", "csmith", "clang", "musl-gcc", "mpirun", "spin",
                "ocamlopt", "patchelf", "clang-format-22", "codespell"):
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(program)
# Checks of the passes need tags of all addresses (runtime/dsm/Base/Layout.h).
if not tsan and os.path.exists(os.path.join(graupel_build, "share", "graupel", "graupel-dsm.cfg")):
    config.available_features.add("graupel-dsm")
if os.path.exists(os.path.join(graupel_build, "lib", "libgraupel-dsm.so")):
    config.available_features.add("dsm-runtime")
if os.path.exists("/proc/cpuinfo") and " ospke" in open("/proc/cpuinfo").read():
    config.available_features.add("protection-keys")
if os.path.exists("/usr/include/zlib.h"):
    config.available_features.add("zlib")
# libstdc++ with checks: an archive that is not empty (tools/fetch-libstdcxx.sh).
libstdcxx = os.path.join(graupel_build, "lib", "libgraupel-dsm-c++.a")
if os.path.exists(libstdcxx) and os.path.getsize(libstdcxx) > 1000:
    config.available_features.add("checked-libstdcxx")
if os.path.exists(os.path.join(graupel_build, "lib", "libgraupel-stride.so")):
    config.available_features.add("stride-runtime")
if os.path.exists(os.path.join(graupel_build, "lib", "libgraupel_numa.so")):
    config.available_features.add("numa-runtime")
# What tools/docs.sh makes sites with; check.sh fetches it if there is a network.
if os.path.exists(os.path.join(config.graupel_source_dir, "build", "docs-env", "requirements.txt")):
    config.available_features.add("docs-env")
# mold as gcc's linker: -B%mold.
mold = shutil.which("mold", path=config.environment["PATH"])
if mold and os.path.exists("/usr/libexec/mold/ld"):
    config.available_features.add("mold")
    config.substitutions.append(("%mold", "/usr/libexec/mold"))
for program in ("valgrind", "flang", "chromium", "qemu-system-x86_64"):
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(program)
if os.path.exists("/usr/include/csmith/csmith.h"):
    config.available_features.add("csmith-headers")


def can_make_network_namespaces():
    """Whether we may, and have the command."""
    import subprocess
    name = f"graupel-lit-{os.getpid()}"
    return (os.geteuid() == 0 and shutil.which("ip") is not None and
            all(subprocess.run(["ip", "netns", verb, name], capture_output=True)
                .returncode == 0 for verb in ("add", "delete")))


if can_make_network_namespaces():
    config.available_features.add("network-namespaces")


def perf_can_sample():
    """Whether this machine lets us record with perf at all."""
    import subprocess
    import tempfile
    if not shutil.which("perf"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            ["perf", "record", "-q", "-e", "cpu-clock:u", "-o",
             os.path.join(folder, "perf.data"), "--", "true"],
            capture_output=True).returncode == 0


if perf_can_sample():
    config.available_features.add("perf")
