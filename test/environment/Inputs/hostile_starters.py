# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile_starters.py FOLDER PROGRAM: wrappers and drop-ins of programs whose names
mean something to a shell or to systemd. A wrapper starts just that program; a
drop-in has just one word for it. Prints the seed; GRAUPEL_SEED repeats it."""
import os
import random
import re
import shutil
import subprocess
import sys

folder, program = os.path.abspath(sys.argv[1]), sys.argv[2]
seed = int(os.environ.get("GRAUPEL_SEED") or random.randrange(1 << 32))
print("seed", seed)
random.seed(seed)
NAMES = ["a b", "$(touch executed)", "`touch executed`", "a;b", "'", '"', "\\", "%i%h%%", "$HOME",
         "${X}", "a'b\"c", "x\ny", "*", "a\\x20b", "#a", "\u00e4", "\t", "~", "@a", "-a"[1:], "!a", ";"]
NAMES += ["".join(random.choice("$()`'\"\\ \n\t*?%;|&<>{}[]#!ab=@:") for _ in range(random.randrange(1, 16)))
          for _ in range(8)]


def unquote(word):
    """As systemd.syntax(7) and the replacement of variables and specifiers have it."""
    assert word[0] == word[-1] == '"', word
    text = re.sub(r"\\(x[0-9a-f]{2}|.)", lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "x" else m[1], word[1:-1])
    assert not re.search(r"(?<!%)(%%)*%(?!%)", text) and not re.search(r"(?<!\$)(\$\$)*\$(?!\$)", text), word
    return text.replace("%%", "%").replace("$$", "$")


def quoted(text):
    """A first word, which knows no variables."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"' + text.replace("\n", "\\n").replace("\t", "\\t") + '"'


def graupel(*arguments, environment):
    done = subprocess.run(["graupel", *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done)
    return done.stdout


for number, name in enumerate(dict.fromkeys(NAMES)):
    name = name.replace("/", "_")
    place = f"{folder}/{number}"
    bins, wrappers, units = f"{place}/{name}", f"{place}/wrappers {name}", f"{place}/units"
    os.makedirs(bins)
    os.makedirs(units)
    os.makedirs(wrappers)
    file = f"{bins}/{name}"
    with open(file, "w") as script:
        script.write('#!/bin/sh\nprintf "%s|" "$0" "$@"\n')
    os.chmod(file, 0o755)
    if ":" in name:
        shutil.rmtree(place)
        continue  # No folder of PATH.
    environment = dict(os.environ, XDG_STATE_HOME=f"{place}/state {name}", SYSTEMD_UNIT_PATH=units,
                       PATH=f"{wrappers}:{bins}:{os.environ['PATH']}")
    graupel("register", file, "--name=application", environment=environment)
    graupel("enable", "application", f"--folder={wrappers}", environment=environment)
    wrapper = f"{wrappers}/{name}"
    assert os.listdir(wrappers) == [name]
    done = subprocess.run([wrapper, "a b", "$x"], env=environment, capture_output=True, text=True)
    assert done.stdout == f"{file}|a b|$x|", (wrapper, done)
    with open(f"{units}/it.service", "w") as unit:
        prefix = random.choice(["", "-"])
        unit.write(f"[Service]\nExecStart={quoted(prefix + file)} $A\n")
    graupel("enable", "--unit=it", "application", environment=environment)
    with open(f"{units}/it.service.d/zz-graupel.conf") as dropin:
        line = dropin.read().splitlines()[-1]
    words = re.findall(r'"(?:[^"\\]|\\.)*"|\S+', line.removeprefix("ExecStart="))
    assert [unquote(w) for w in words[1:5]] == ["run", f"--state={place}/state {name}/graupel", "--", file], line
    assert words[5:] == ["$A"], line
    if shutil.which("systemd-analyze"):
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", f"{units}/it.service"],
                              env=dict(environment, SYSTEMD_UNIT_PATH=units + ":"), capture_output=True, text=True)
        assert "zz-graupel.conf" not in done.stderr and "executable" not in done.stderr, done
    graupel("disable", "application", environment=environment)
    assert os.listdir(wrappers) == [] and os.listdir(units) == ["it.service"]
assert not os.path.exists("executed")
