#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cycles.py ROOT FOLDER...

Holds the #include lines below each FOLDER of ROOT against its floors.

1. FOLDER/README.md has a paragraph that begins with "Floors:" and names the folders
   below FOLDER from the lowest to the highest, `A/`, `B/` < `C/`. A folder includes
   those of lower floors only. `./` is FOLDER itself.
2. Folders of different FOLDERs include each other in one direction only.
3. At most five units (a header with its source) of a folder include each other in a
   circle.
"""
import re
import sys
from pathlib import Path

MOST_UNITS = 5
SOURCES = (".h", ".hpp", ".cpp", ".c", ".def")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def edges(root, folders):
    """Pairs of files of ROOT, relative to it: one includes the other. A name is looked
    for beside its file, in the folders around that, and where compilers look."""
    bases = [root / "runtime", root / "runtime/include", root / "lib",
             *(root / folder / sub for folder in folders for sub in ("", "include"))]
    for source in (path for folder in folders for path in sorted((root / folder).rglob("*"))):
        if source.suffix not in SOURCES:
            continue
        around = [path for path in source.parents if path.is_relative_to(root)]
        for name in INCLUDE.findall(source.read_text(errors="replace")):
            found = next((base / name for base in (*around, *bases)
                          if (base / name).is_file()), source)
            if found.resolve() != source:
                yield source.relative_to(root), found.resolve().relative_to(root)


def circles(graph):
    """Strongly connected parts of more than one node (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def floors(root, folder):
    """By folder: its floor."""
    readme = root / folder / "README.md"
    paragraph = re.search(r"^Floors:(.*?)(?:\n\n|\Z)", readme.read_text(), re.M | re.S)
    if not paragraph:
        raise SystemExit(f"{folder}/README.md: no paragraph begins with 'Floors:'")
    return {str(Path(folder) / name): number
            for number, floor in enumerate(paragraph[1].split("<"))
            for name in re.findall(r"`([\w./]+)`", floor)}


def wrong_floors(folder, floor_of, pairs):
    for source, target in pairs:
        a, b = str(source.parent), str(target.parent)
        if a == b or not (source.is_relative_to(folder) and target.is_relative_to(folder)):
            continue
        for name in (a, b):
            if name not in floor_of:
                yield f"{folder}/README.md: {name}/ is on no floor"
                return
        if floor_of[b] >= floor_of[a]:
            yield f"{source} includes {target}, which is not on a lower floor"


def graph_of(pairs, key):
    graph = {}
    for source, target in pairs:
        if key(source) != key(target):
            graph.setdefault(key(source), set()).add(key(target))
    return graph


def main():
    root, folders = Path(sys.argv[1]).resolve(), sys.argv[2:]
    sys.setrecursionlimit(10000)
    pairs = sorted(set(edges(root, folders)))
    wrong = [line for folder in folders
             for line in wrong_floors(folder, floors(root, folder), pairs)]
    wrong += [f"these folders include each other: {', '.join(part)}"
              for part in circles(graph_of(pairs, lambda path: str(path.parent)))]
    wrong += [f"{len(part)} units include each other: {', '.join(part)}"
              for part in circles(graph_of(pairs, lambda path: str(path.with_suffix(""))))
              if len(part) > MOST_UNITS]
    print("\n".join(wrong) if wrong else f"{len(pairs)} includes go down")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
