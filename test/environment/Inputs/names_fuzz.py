# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""names_fuzz.py FOLDER: applications and files with names that a shell, a
terminal or JSON could take for something else. Names are data: none is executed,
none is lost. Prints the seed of the random ones; GRAUPEL_SEED repeats them."""
import json
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                "tools"))
from limits import limit  # noqa: E402

folder = os.path.abspath(sys.argv[1])
seed = int(os.environ.get("GRAUPEL_SEED") or random.randrange(1 << 32))
print("seed", seed)
random.seed(seed)

NAMES = [
    b"$(touch executed)", b"`touch executed`", b"a;touch executed", b"a|touch executed",
    b"x\ntouch executed", b"'", b'"', b"\"'\\", b"*", b"?[a]", b"{a,b}", b"~", b"a b",
    b" a", b"a ", b"\t", b"%s%n", b"\\n", b"#a", b"!!", b"$HOME", b"${IFS}", b"<(touch executed)",
    b"<img src=x onerror=alert(1)>", b"</script>", b"&amp;", "\u00e4\u20ac\U0001f600".encode(),
    b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\x1b[31mred\x1b[0m", b"\x07\x08\x7f", b"\xc2\x9b2J",
    "\u202eabc".encode(), b"a\rb", b".TH x", b"'.so /etc/passwd", b"name=", b"@file", b"x" * 200,
]
for _ in range(int(os.environ.get("GRAUPEL_NAMES") or 20)):
    NAMES.append(bytes(random.choice(b"$()`'\"\\ \n\t*?~;|&<>{}[]#!\x1b\xff\xc3\xa9ab=%")
                       for _ in range(random.randrange(1, 30))))
NAMES = [n for n in dict.fromkeys(NAMES) if not n.startswith(b"-") and n not in (b".", b"..")]


def graupel(*arguments, cwd=folder):
    done = subprocess.run(["graupel", *arguments], cwd=cwd, capture_output=True,
                          timeout=limit(60))
    for text in (done.stdout, done.stderr):
        if b"\n" in text and arguments[-1] != "--json":
            check_shown(text, arguments)
    return done


def check_shown(text, where):
    line = text.decode("utf-8")  # Fails if it is none.
    bad = [c for c in line if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c == "\u202e")]
    assert not bad, (where, bad)


def as_json(name):
    """What becomes of a name in JSON: other bytes are replaced."""
    return name.decode("utf-8", "replace").replace("\ufffd", "")


# --- Names of applications, and paths ---
kept = []
for number, name in enumerate(NAMES):
    place = os.path.join(os.fsencode(folder), b"%d" % number, name.replace(b"/", b"_"))
    os.makedirs(place)
    program = os.path.join(place, name.replace(b"/", b"_"))
    shutil.copy("/bin/true", program)
    done = graupel("register", program, b"--name=" + name)
    assert done.returncode == 0, (name, done.stderr)
    kept.append(name)
# As long as a path can be, and a name of its size.
deep = os.fsencode(folder)
while len(deep) < 3800:
    deep += b"/" + b"d" * 100
os.makedirs(deep)
shutil.copy("/bin/true", deep + b"/true")
long = b"$(touch executed)" + b"n" * 4000
assert graupel("register", deep + b"/true", b"--name=" + long).returncode == 0
kept.append(long)
for option in (b"-rf", b"--help"):
    assert graupel("register", "/bin/true", b"--name=" + option).returncode == 1

status = graupel("status", "--json")
listed = [a["name"] for a in json.loads(status.stdout)["applications"]]
assert sorted(n.replace("\ufffd", "") for n in listed) == sorted(map(as_json, kept)), "status"
assert graupel("status").returncode == 0
for name in kept:
    shown = graupel("show", name)
    assert shown.returncode == 0, (name, shown.stderr)
    assert as_json(name) == json.loads(graupel("show", name, "--json").stdout)["name"].replace("\ufffd", "")
assert graupel("show", b"no such\x1b[31m\n").returncode == 1

# --- Completion ---
lines = graupel("completion", "applications").stdout.split(b"\n")[:-1]
plain = []
for name in kept:
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        continue
    if all(ord(c) >= 32 and not 127 <= ord(c) < 160 and c != "\u202e" for c in text):
        plain.append(name)
assert sorted(lines) == sorted(plain), set(lines) ^ set(plain)
script = r"""
source <(graupel completion bash)
compopt() { :; }
while IFS= read -r -d '' typed; do
  COMP_WORDS=(graupel show "$typed") COMP_CWORD=2
  _graupel
  printf '%s\0' "${COMPREPLY[@]}"
  printf '\0'
done
"""
os.makedirs(os.path.join(folder, "files"))
for name in ("*", "$(touch executed)", "a b"):
    open(os.path.join(folder, "files", name), "w").close()
words = [b""] + [n[:k] for n in plain for k in (1, len(n))] + [b"$(touch executed", b"`touch executed`"]
words = [w for w in words if not w.startswith(b"-")]
offered = subprocess.run(["bash", "-c", script], input=b"\0".join(words) + b"\0",
                         timeout=limit(60),
                         cwd=os.path.join(folder, "files"), capture_output=True)
groups = [set(g.split(b"\0")) for g in offered.stdout.split(b"\0\0")]
assert set(plain) <= groups[0], set(plain) - groups[0]
assert {b"*", b"$(touch executed)", b"a b"} <= groups[0]

# --- Commands that are remembered ---
subprocess.run(["graupel", "run", "--", "/bin/true", *NAMES], cwd=folder, capture_output=True)
for number in range(0, len(kept), 7):
    assert graupel("unregister", kept[number]).returncode == 0
graupel("gc")

found = [os.path.join(at, f) for at, _, files in os.walk(folder) for f in files if f == "executed"]
assert not found, found
print("all right:", len(kept), "names")
