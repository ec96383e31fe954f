# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs of benchmarks/dsm print, as numbers."""

import re
from dataclasses import dataclass, field

from bench.errors import BenchError

NUMBER = r"(-?[\d.]+(?:e[-+]?\d+)?)"
FIGURE = re.compile(rf"^([a-z][a-z, -]*(?: \d+)?): {NUMBER} (us|ns|MB/s|messages)(?: .*)?$")
STREAM = re.compile(rf"^([a-z0-9-]+) {NUMBER} ns checksum (\S+)$")
COUNT = re.compile(r"([a-z-]+) (\d+)")


@dataclass
class Run:
    """One run of a program: its result line, seconds, and what all nodes sent."""
    result: str
    time: float
    processor_time: float
    messages: dict = field(default_factory=dict)


def result(text):
    """What a program computed."""
    found = [line for line in text.splitlines() if line.startswith("result: ")]
    if len(found) != 1:
        raise BenchError(f"a program printed {len(found)} lines 'result':\n{text[-800:]}")
    return found[0]


def program(text):
    """The Run that a program printed; several nodes' output may be mixed by lines."""
    found = {}
    for line in text.splitlines():
        key, colon, value = line.partition(": ")
        if colon and key in ("result", "time", "processor time", "messages"):
            if key in found:
                raise BenchError(f"a program printed two lines '{key}'")
            found[key] = value
    for key in ("result", "time", "processor time"):
        if key not in found:
            raise BenchError(f"a program printed no line '{key}':\n{text[-800:]}")
    return Run(found["result"], float(found["time"]), float(found["processor time"]),
               {key: int(value) for key, value in COUNT.findall(found.get("messages", ""))})


def figures(text):
    """{name: value} of lines `name: value unit ...`, as microbenchmarks print them."""
    return {match[1]: float(match[2]) for match in map(FIGURE.match, text.splitlines()) if match}


def streams(text):
    """{kernel: (nanoseconds, checksum)}"""
    return {match[1]: (float(match[2]), match[3])
            for match in map(STREAM.match, text.splitlines()) if match}


def need(found, name):
    """found[name], or an error that tells what is there."""
    if name not in found:
        raise BenchError(f"no figure '{name}' among: {', '.join(found) or 'none'}")
    return found[name]
