#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""floors.py ROOT FOLDER...

Holds the #include lines of each FOLDER under ROOT against the line of its README.md
that begins with "Includes:". All that the folder's files include, directly or through
other files, has to be in a folder that the line names as `Folder/`, or in LLVM or BOLT.
"""
import re
import sys
from pathlib import Path

OUTSIDE = ("llvm/", "bolt/")


def included(root, source):
    """The files of ROOT that SOURCE names; others have to be LLVM's."""
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', source.read_text(), re.M):
        beside, under = source.parent / name, root / name
        if beside.exists():
            yield beside.resolve()
        elif under.exists():
            yield under.resolve()
        elif not name.startswith(OUTSIDE):
            raise SystemExit(f"{source}: {name} is neither under {root} nor LLVM's")


def allowed(root, folder):
    lines = [line for line in (root / folder / "README.md").read_text().splitlines()
             if line.startswith("Includes:")]
    if len(lines) != 1:
        raise SystemExit(f"{folder}/README.md: {len(lines)} lines that begin with 'Includes:'")
    return {folder} | {name.rstrip("/") for name in re.findall(r"`([\w/]+/)`", lines[0])}


def wrong(root, folder):
    """A line for each file that FOLDER must not include, with the path to it."""
    may = allowed(root, folder)
    own = sorted((root / folder).glob("*.h")) + sorted((root / folder).glob("*.cpp"))
    if not own:
        raise SystemExit(f"{folder}: no sources")
    came_from = {source.resolve(): None for source in own}
    todo = list(came_from)
    while todo:
        source = todo.pop()
        for name in included(root, source):
            if name not in came_from:
                came_from[name] = source
                todo.append(name)
    for name in sorted(came_from):
        if str(name.parent.relative_to(root)) in may:
            continue
        path = [name]
        while came_from[path[0]]:
            path.insert(0, came_from[path[0]])
        yield " includes ".join(str(step.relative_to(root)) for step in path)


def main():
    root = Path(sys.argv[1]).resolve()
    found = [line for folder in sys.argv[2:] for line in wrong(root, folder)]
    print("\n".join(found) if found else "every include is on a floor below")
    sys.exit(bool(found))


main()
