# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""every_command.py PAGES: what is missing of any command. Commands and options are
those that help lists; PAGES is what `graupel man --into` has written.

1. Each command has a page with its options, which man and groff read in silence.
2. bash offers each command, and each of its options; so do the scripts for zsh and
   fish.
"""
import os
import re
import shutil
import subprocess
import sys

pages = sys.argv[1]


def said(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=True, **more).stdout


def commands_of(*group):
    text = said("graupel", *group, "--help")
    return re.findall(r"^  ([a-z]+) ", text.split("commands:")[1], re.M)


commands, groups = [], [()]
for name in commands_of():
    if "\ncommands:\n" in said("graupel", name, "--help"):
        groups.append((name,))
        commands += [(name, below) for below in commands_of(name)]
    else:
        commands.append((name,))


def options_of(command):
    text = said("graupel", *command, "--help").split("\noptions:\n")[1]
    return re.findall(r"^  (--?[a-z-]+)", text, re.M)


# --- Pages ---
def look_at_page(command):
    path = os.path.join(pages, "-".join(("graupel", *command)) + ".1")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"):
        if command and f"\n.SH {section}\n" not in page:
            print(path, "has no", section)
    for reader in (("man", "--warnings", "-l", path), ("groff", "-man", "-ww", "-Tascii", "-z", path)):
        if shutil.which(reader[0]):
            # A narrow terminal's complaints are not the page's: check.sh --hostile has 20 columns.
            done = subprocess.run(reader, env={**os.environ, "MANPAGER": "cat", "MAN_KEEP_STDERR": "1",
                                               "MANWIDTH": "80"},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
            complaints = [line for line in done.stderr.splitlines() if "locale" not in line]
            if done.returncode or complaints:
                print(path, done.returncode, complaints)
    return page.replace("\\-", "-")


# --- Completion ---
def offered_by_bash(lines):
    """What bash offers for the last word of each line."""
    script = ("source <(graupel completion bash)\ncompopt() { :; }\n"
              "while read -r line; do\n  IFS=' ' read -ra COMP_WORDS <<<\"$line\"\n"
              "  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n  _graupel\n"
              "  echo \"${COMPREPLY[*]}\"\ndone")
    done = said("bash", "-c", script, input="".join(line + "\n" for line in lines))
    return [set(line.replace("=", "").split()) for line in done.splitlines()]


count = 0
scripts = {shell: said("graupel", "completion", shell) for shell in ("zsh", "fish")}
for command, offered in zip(commands, offered_by_bash([" ".join(("graupel", *c, "-")) for c in commands])):
    page, name = look_at_page(command), " ".join(command)
    in_zsh = re.search(rf"^  '{name}'\) (.*)$", scripts["zsh"], re.M)[1]
    in_fish = re.findall(rf"seen_subcommand_from {name}' .*?-([ls] [a-z-]+) -d", scripts["fish"])
    for option in options_of(command):
        count += 1
        if option not in offered:
            print("bash does not offer", option, "of", name)
        if f"'{option}" not in in_zsh:
            print("zsh does not know", option, "of", name)
        if ("l " if option.startswith("--") else "s ") + option.lstrip("-") not in in_fish:
            print("fish does not know", option, "of", name)
        if option != "--help" and f"\n.B {option}" not in page:
            print("the page of", name, "does not have", option)
for group in groups:
    look_at_page(group)
    known = commands_of(*group)
    for name, offered in zip(known, offered_by_bash([" ".join(("graupel", *group, n)) for n in known])):
        if name not in offered:
            print("bash does not offer", *group, name)
print(len(commands), "commands in", len(groups), "groups,", count, "options")
