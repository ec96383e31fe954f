#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a C program the way graupel-bolt instruments one: with a copy of the
runtime, a state and a region. See image.h for what the program can do then.

Usage: build.py SOURCE -o OUTPUT [options] [-- compiler options]
"""

import argparse
import os
import struct
import subprocess
import sys

PAGE = 4096
# GRAUPEL_PROFILE_VERSION
VERSION = 2
SLOTS = ("graupel_rt_state_slot", "graupel_rt_original_start_slot",
         "graupel_rt_original_fini_slot")


def pages(size):
    return (size + PAGE - 1) // PAGE * PAGE


def read_blob(path):
    """The bytes of the only segment, and the offsets of its symbols."""
    data = open(path, "rb").read()
    phoff, shoff = struct.unpack_from("<QQ", data, 32)
    phnum, _, shnum = struct.unpack_from("<HHH", data, 56)
    assert phnum == 1
    offset, address, _, size = struct.unpack_from("<QQQQ", data, phoff + 8)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i)
                for i in range(shnum)]
    symbols = {}
    for kind, _, _, where, length, link in (
            (s[1], s[2], s[3], s[4], s[5], s[6]) for s in sections):
        if kind != 2:  # SHT_SYMTAB
            continue
        strings = sections[link][4]
        for at in range(where, where + length, 24):
            name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, at)
            end = data.index(b"\0", strings + name)
            symbols[data[strings + name:end].decode()] = value - address
    return data[offset:offset + size], symbols


def head(options):
    """Header and metadata of a new profile."""
    metadata = f"plan {options.plan}".encode()
    region = pages(64 + 16 * options.sites + 8 * options.counters)
    slot = PAGE + region + pages(16 * options.targets)
    header = struct.pack(
        "<8sIIQ32sIIQQQQQQQQQ", b"GRAUPEL\x1a", VERSION, 0, options.plan,
        b"build-id".ljust(32, b"\0"), 8, 0, len(metadata), 2 * PAGE, slot,
        region, options.sites, options.counters, options.targets, 0, 0)
    return header.ljust(PAGE, b"\0") + metadata.ljust(PAGE, b"\0"), region


def data_lines(data):
    return [".byte " + ",".join(str(b) for b in data[i:i + 32])
            for i in range(0, len(data), 32)]


def blob_lines(options):
    """The runtime with its slots filled in."""
    code, symbols = read_blob(options.runtime)
    things = {"graupel_rt_state_slot": "image_state"}
    things["graupel_rt_original_start_slot"] = (
        "_init" if options.library else "_start")
    if options.library:
        things["graupel_rt_original_fini_slot"] = "_fini"
    lines = ['.section .graupel.text,"ax",@progbits', ".balign 64", "blob:"]
    at = 0
    for offset, name in sorted((symbols[name], name) for name in SLOTS):
        lines += data_lines(code[at:offset])
        thing = things.get(name)
        lines.append(f".quad {thing} - ." if thing else ".quad 0")
        at = offset + 8
    lines += data_lines(code[at:])
    for name, offset in symbols.items():
        if name.startswith("graupel_rt_") and name not in SLOTS:
            lines += [f".globl {name}", f".hidden {name}",
                      f".type {name}, @function",
                      f".set {name}, blob + {offset}"]
    return lines


def image(options):
    flags = (1 * options.atomic | 2 * options.threads | 4 * options.append_pid)
    head_bytes, region = head(options)
    path = os.path.abspath(options.profile or options.output + ".profile")
    lines = blob_lines(options)
    lines += ['.section .graupel.head,"a",@progbits', "image_head:"]
    lines += data_lines(head_bytes)
    lines += ['.section .graupel.state,"aw",@progbits', ".balign 4096",
              ".globl image_state", ".hidden image_state", "image_state:",
              f".quad {VERSION}, {flags}, image_head - image_state,"
              f" image_region - image_state, {region}, {options.targets}",
              f'.asciz "{path}"', f".zero {4000 - len(path.encode()) - 1}",
              f".zero {8 * (5 * 512 + 6)}", ".balign 4096", ".zero 64"]
    for name, size in (("image_sites", 16 * options.sites),
                       ("image_region", 64 + 16 * options.sites),
                       ("image_counters", 8 * options.counters)):
        if name == "image_region":
            lines += [".balign 4096"]
        lines += [f".globl {name}", f".hidden {name}", f"{name}:",
                  f".zero {size}"]
    lines += [".balign 4096", '.section .note.GNU-stack,"",@progbits']
    return "\n".join(lines) + "\n"


def main():
    arguments, compiler = sys.argv[1:], []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, compiler = arguments[:split], arguments[split + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("-o", dest="output", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--profile")
    parser.add_argument("--library", action="store_true")
    parser.add_argument("--atomic", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--append-pid", action="store_true")
    parser.add_argument("--plan", type=int, default=1)
    parser.add_argument("--counters", type=int, default=1000)
    parser.add_argument("--sites", type=int, default=4)
    parser.add_argument("--targets", type=int, default=256)
    options = parser.parse_args(arguments)

    assembly = options.output + ".image.s"
    with open(assembly, "w") as out:
        out.write(image(options))
    command = ["gcc", "-O1", "-g", "-Wall", "-fcf-protection=none",
               "-I", os.path.dirname(os.path.abspath(__file__)),
               options.source, assembly, "-o", options.output]
    if options.threads:
        command.append("-DIMAGE_THREADS")
    if options.atomic:
        command.append("-DIMAGE_ATOMIC")
    if options.library:
        command += ["-fPIC", "-shared", "-Wl,-init=graupel_rt_start",
                    "-Wl,-fini=graupel_rt_fini"]
    else:
        command.append("-Wl,-e,graupel_rt_start")
    sys.exit(subprocess.run(command + compiler).returncode)


if __name__ == "__main__":
    main()
