# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What zsh makes of the tabulator, typed in a terminal."""

import os
import pty
import re

LINES = ("graupel reg", "graupel optimize kno", "graupel learn --na", "graupel run -- graupel-bo",
         "graupel learn --name=x graupel-bo", "graupel show file-to-sho",
         "graupel dsm rep", "graupel dsm run --thr", "graupel dsm run -n 4 graupel-bo",
         "graupel dsm run --report fold", "graupel dsm report --format j", "graupel dsm report --format=j",
         "graupel dsm run --sta", "graupel numa run --json=file-to-sho", "graupel man dsm-ru",
         "graupel dsm run -n 4 graupel stride ann")


class Shell:
    def __init__(self):
        self.child, self.file = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="dumb", PS1="", PS2="")
            os.execvp("zsh", ["zsh", "-f", "-i"])

    def send(self, text):
        os.write(self.file, text.encode())

    def read_to(self, pattern):
        got = ""
        while not re.search(pattern, got):
            got += os.read(self.file, 1 << 16).decode(errors="replace")
        return re.search(pattern, got)


shell = Shell()
# What is accepted is printed and not run.
shell.send("unsetopt zle_bracketed_paste; PS1=; autoload -U compinit; compinit -u -D; "
           "source <(graupel completion zsh); shown() { print -r -- \"<$BUFFER>\"; BUFFER=; zle accept-line }; "
           "zle -N shown; bindkey '^G' shown; print re''ady\n")
shell.read_to("ready")
for line in LINES:
    shell.send(line + "\t\x07")
    print(f"{line}: {shell.read_to('<(.*)>')[1]}")
shell.send("exit\n")
